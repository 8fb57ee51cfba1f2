/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reliance.h - what promises need of the jobs that they wait for
 *
 * A promised job with a dependency has its planned start behind the ends of its
 * predecessors (depend.h).  That holds only as long as these do end by then,
 * whatever becomes of their own deadlines, limits and priorities: so each has a
 * bound, the earliest planned start of a promised job that waits for it.  The
 * core takes it for a deadline of the predecessor: it is planned to end by its
 * bound, no admission pushes it past that, and a change of its terms which could
 * not keep it is refused.  A predecessor without a promise is told to the core as
 * JOB_NEEDED then.
 *
 * Nothing of this is saved: the dependencies are in the records, and so are the
 * planned starts (StartTime).  From the decision on, until the record shows it, a
 * dependency is known by the ids of the jobs that were promised a place.
 *
 * What runs has no bound: its end is known.  Nor has a job that the planner is
 * blind to, or that Slurm refuses to start.
 *
 * All with the mutex.
 */
#ifndef PACT_SLURM_RELIANCE_H
#define PACT_SLURM_RELIANCE_H

#include "slurm/promise/depend.h"

/*
 * Before the tracks are synchronised: the dependencies of promised jobs as this snapshot has
 * them, and the bounds that follow.  Memory that is short leaves bounds out.
 */
void reliance_collect(struct bridge *b, const struct snapshot *snap);

/*
 * Before that: what waits for a job that waits in vain does so, too (`never`), however long the chain: Slurm
 * says it of the direct successors only.  Memory that is short leaves jobs out.
 * Cost: n log n of the dependencies of jobs with a token.
 */
void reliance_in_vain(const struct snapshot *snap);

/*
 * A promise was made to jobs (of one submission, or one that was changed) which wait for others.
 * IN core - the core's ids; copied
 * RET false: no memory, nothing is noted
 */
bool reliance_note(struct bridge *b, const uint64_t *core, size_t ncore,
		   const struct depend_set *on);

/* The bound of a waiting job, by its key, as of reliance_collect(); PACT_FOREVER: none.  O(1). */
int64_t reliance_bound(const struct bridge *b, uint64_t key);

/*
 * The same as of now, for a record: one job, one task, or (task NO_VAL) any task of an array.
 * OUT job_id - of the promised job whose start it is; 0: it has no record yet
 * Cost: the dependencies of all promised jobs.
 */
int64_t reliance_ask(struct bridge *b, uint32_t base_id, uint32_t task, uint32_t *job_id);

/* The plan begins anew. */
void reliance_forget(struct bridge *b);

#endif /* PACT_SLURM_RELIANCE_H */
