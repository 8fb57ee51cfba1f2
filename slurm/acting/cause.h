/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cause.h - what keeps a waiting job from its nodes: the one thing without which it could start
 *
 * The plan knows holds (running jobs, lost nodes and reservations alike) and
 * places of waiting jobs.  Here the holds are told apart, node by node, and what
 * Slurm itself says of the job's partitions is put before anything of the plan's.
 *
 * It reads a snapshot only: no lock.
 */
#ifndef PACT_SLURM_CAUSE_H
#define PACT_SLURM_CAUSE_H

#include "slurm/state/bridge.h"
#include "slurm/snapshot/snapshot.h"

enum cause_why {
	CAUSE_PLAN,	 /* as the plan has it: enum sched_wait */
	CAUSE_PARTITION, /* its partitions do not let it run: describe_waits() tells */
	CAUSE_PARTS,	 /* enough nodes are idle or used in part, and it needs them whole */
	CAUSE_RESERVED,	 /* enough nodes have no job, but reservations before it would end */
	CAUSE_DOWN,	 /* too few of its nodes are up and usable */
};

/* Its nodes at this moment; each is counted once, in this order. */
struct cause {
	enum cause_why why;
	uint32_t usable; /* all of them */
	uint32_t down;
	uint32_t busy;	   /* with a job */
	uint32_t partly;   /* busy ones, of which a job has but a part */
	uint32_t reserved; /* a reservation begins before the job would end */
	uint32_t idle;
	const struct snap_resv *resv; /* CAUSE_RESERVED: the last to end of those; the snapshot's */
};

struct causes;

/*
 * IN snap - borrowed
 * IN guard - seconds after each planned end
 * RET NULL: no memory; causes_close() it, NULL is fine
 */
struct causes *causes_open(const struct snapshot *snap, int64_t guard);
void causes_close(struct causes *c);

/*
 * Of a job that waits.  O(nodes / 64 x (partitions + reservations)).
 * IN why - what the plan says of it; planned: it is in the plan at all
 */
void causes_find(struct causes *c, const struct snap_job *j, bool planned, enum sched_wait why,
		 struct cause *out);

/* Does a reservation take nodes that the job may use, before it would end if it started now? */
bool causes_in_way(const struct causes *c, const struct snap_job *j, const struct snap_resv *resv);

/* All nodes that the job may use; the caller owns the set.  NULL: no memory */
struct nodeset *cause_region(const struct snapshot *snap, const struct snap_job *j);

#endif /* PACT_SLURM_CAUSE_H */
