/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warning.h - does a job want to be warned of its end? (sbatch --signal) */
#ifndef PACT_SLURM_WARNING_H
#define PACT_SLURM_WARNING_H

#include "slurm/base/compat.h"

/*
 * So many seconds before its end it wants the signal, and has not been sent it yet; 0: it wants none, or none any more. As Slurm
 * finds it, which looks after one that is to be preempted by other rules. Job read lock.
 */
static inline int64_t warning_of(const job_record_t *job)
{
	bool wanted = job->warn_signal && !(job->warn_flags & WARN_SENT) &&
		      job->time_limit != INFINITE && !job->preempt_time;

	return wanted ? job->warn_time : 0;
}

#endif /* PACT_SLURM_WARNING_H */
