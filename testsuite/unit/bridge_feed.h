/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bridge_feed: short ways to feed the bridge's plan, without its thread, from a played slurmctld (ctld.h). */
#ifndef PACT_TEST_BRIDGE_FEED_H
#define PACT_TEST_BRIDGE_FEED_H

#include "slurm/state/bridge.h"
#include "slurm/snapshot/snapshot.h"

#define PLAYED_TOKEN 77

/* The bridge, configured by default and emptied, with a plan of ctld_idle(1). */
struct bridge *played_bridge(void);

/* A pass's first half with this snapshot, which it takes over. */
void played_pass(struct bridge *b, struct snapshot *snap);

/*
 * One more job of a snapshot: as wide as the machine, its limit 100 s, with PLAYED_TOKEN, for the caller to
 * change until the next one is added. It takes nothing over; all may be NULL where no place is asked for.
 */
struct snap_job *played_job(struct snapshot *snap, uint32_t id, enum snap_state state,
			    struct nodeset *all);

/*
 * Admit a job of that kind by a deadline, from begin on (0: at once), as admission.c does; its place is
 * held under PLAYED_TOKEN. core is the job's number in the plan.
 */
void played_promise(struct bridge *b, uint64_t core, int64_t now, int64_t begin, int64_t deadline,
		    struct nodeset *all);

/* The same for an array of so many tasks: their numbers begin with core. */
void played_promises(struct bridge *b, uint64_t core, size_t n, int64_t now, int64_t begin,
		     int64_t deadline, struct nodeset *all);

/*
 * A pass that finds job 7 running, of that kind and promised: it was to start when the snapshot was taken
 * and to end with limit and guard at its deadline, and has started `late` seconds behind that, or is waking
 * its nodes. All is planned anew when `names` (ctld_idle()) is another one.
 * RET how far beyond that deadline the plan holds its nodes
 */
int64_t played_late(struct bridge *b, uint64_t names, int64_t late, bool waking,
		    struct nodeset *all);

#endif
