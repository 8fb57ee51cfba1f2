/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch.h - start one waiting job now, by Slurm's own rules
 *
 * The recipe of Slurm's schedulers: array and account limits, QOS, licenses,
 * select_nodes() with all nodes but the allowed ones excluded, then the launch.
 * Whatever Slurm says decides; a refusal is told to the core as a failed start.
 *
 * The caller holds slurmctld's locks: configuration read, jobs and nodes write,
 * partitions read, federation read (launch_locks).
 */
#ifndef PACT_SLURM_LAUNCH_H
#define PACT_SLURM_LAUNCH_H

#include "slurm/snapshot/snapshot.h"

extern const slurmctld_lock_t launch_locks;

struct launch {
	/* What to start.  Borrowed. */
	uint32_t job_id; /* of the record, an array's head or a task's */
	uint32_t base_id;
	uint64_t print;		     /* as planned; else it is left alone */
	const struct entry *entries; /* ways to start it, in Slurm's order */
	uint32_t nentries;
	bool inside;		       /* try the entries inside reservations, else the others */
	const char *part;	       /* exact: the partition planned; NULL: all entries */
	const struct nodeset *allowed; /* NULL: every node; inside: not looked at */
	int32_t width;		       /* exact: no more nodes than this; 0: as Slurm likes */
	int32_t spare; /* so many more if Slurm gives them to it; else it has to do with width */
	int64_t limit; /* seconds of run time granted; 0: the job's own */
	bool promised;
	bool clean; /* exact: not on nodes that are being cleaned up after others, whatever Slurm says */
	bool recount; /* it was refused for some time: Slurm's books may be wrong (recount.h) */
	struct share_terms terms; /* of its shares; estimate 0: it has its nodes for itself, */
	int64_t until; /* else Slurm ends it then; so it does a promised job whose limit, on its fewest nodes, is longer */

	/* What happened. */
	bool asked; /* Slurm was, for nodes; else it could never have done with those that it may have */
	bool started;
	bool reserve;	       /* not started: keep a place for it in this pass */
	bool refused;	       /* not started: Slurm's own rules say no */
	uint32_t reason;       /* as Slurm's record says then, enum job_state_reason */
	uint32_t started_id;   /* record that started (a task split from its array) */
	uint32_t started_task; /* its array task, or NO_VAL */
	int64_t start, end;    /* as in the record */
	struct nodeset *nodes; /* the caller owns it */
};

/* Try.  Fills the second half of *launch. */
void launch_try(struct launch *launch);

/*
 * End a waiting job whose deadline can no longer be met, as stock Slurm does
 * (state DEADLINE).  For jobs that are not promised.
 * RET true when it was ended
 */
bool launch_expire(uint32_t job_id);

/* The same of a job that its realm lets go, and why. */
void launch_reject(job_record_t *job, const char *why);

#endif /* PACT_SLURM_LAUNCH_H */
