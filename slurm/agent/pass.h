/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass.h - a pass of the planning thread: Slurm is looked at, the core is told and asked, what it wants is done
 *
 * Of that thread alone. The mutex (bridge.h) is held while the core is told and asked, and given up for whatever takes slurmctld's
 * locks.
 */
#ifndef PACT_SLURM_PASS_H
#define PACT_SLURM_PASS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "slurm/state/bridge.h"

/* An array of which a task could not be started. */
struct failed_array {
	const struct snap_job *array; /* NULL: none */
	bool reserve;		      /* a place was kept for it */
};

struct pass {
	struct bridge *b;
	const _Atomic bool *stopping; /* the thread is to end, and what it does with it */
	struct snapshot *snap;	      /* what the pass at work has seen; between passes NULL */

	/* Of this pass. */
	int failed_starts;	       /* searches for nodes that came to nothing (start.h) */
	struct failed_array failed[2]; /* with its limit, and with less */
	struct nodeset
		*promised; /* nodes of promised jobs that run (start.c); NULL: not asked for yet */
	bool recalled;	   /* a start was recalled: make another pass at once */
	bool turned;	   /* turns were taken, which Slurm does not save by itself */
	bool more_turns;   /* there are more than one hold of the locks is for */

	/* Until the next one that ends. */
	bool refused; /* a start was, and not for long yet: make another pass soon */
	bool unread;  /* what was learned is being read: likewise */
};

/*
 * Make one. No lock may be held. A pass that cannot read Slurm's records does nothing.
 * IN p - b and stopping are set, all else is from the pass before; zero at first
 * RET when the snapshot was begun, in seconds; 0: there was none, or another pass is needed at once
 */
int64_t pass_make(struct pass *p);

#endif /* PACT_SLURM_PASS_H */
