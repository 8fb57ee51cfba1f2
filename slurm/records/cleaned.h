/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cleaned.h - a job that is over, and whose record has it run
 *
 * A slurmctld that was killed before it had saved a job's end comes up with a record of a job that runs. When an epilog ends
 * only then Slurm takes that node from the job and has it run on, on the nodes that are left or on none. Where jobs take turns
 * it may be suspended so, and then it has no limit either; and what select/linear counts of it on these nodes
 * is counted for ever.
 */
#ifndef PACT_SLURM_CLEANED_H
#define PACT_SLURM_CLEANED_H

#include "slurm/base/compat.h"

/* Has a node cleaned up after this job, which runs or is suspended by its record? Job read lock. O(nodes / 64). */
bool cleaned_after(const job_record_t *job);

/*
 * The same of a job that is resized, which gives nodes back while it runs: has what stays to its end cleaned up, its batch host, or
 * each of its nodes? For one of cleaned_after(). Job read lock.
 */
bool cleaned_whole(const job_record_t *job);

/*
 * What Slurm has taken from it so is its own again, by all counts.  For one of cleaned_after(). Job and node write locks.
 * RET these nodes, the caller's to free
 */
bitstr_t *cleaned_put_back(job_record_t *job);

/*
 * Slurm ends it as it ends a batch job that is missing on its node: it is requeued if it may be, or has lost its node. All of
 * its nodes are its own for that, so that nothing stays counted. turn_locks.
 * RET false: it is no such job (any more)
 */
bool cleaned_end(uint32_t job_id);

#endif /* PACT_SLURM_CLEANED_H */
