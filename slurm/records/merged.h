/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merged.h - is this record the rest of a job that was merged into another one, which grew? */
#ifndef PACT_SLURM_MERGED_H
#define PACT_SLURM_MERGED_H

#include "slurm/base/compat.h"

/* It is only cleaned up: to a scheduler there is no such job, and its nodes are the other's. Job read lock. */
static inline bool merged_into_other(const job_record_t *job)
{
	return job->details && job->details->expanding_jobid && !IS_JOB_PENDING(job) &&
	       !IS_JOB_RUNNING(job) && !job->total_nodes;
}

#endif /* PACT_SLURM_MERGED_H */
