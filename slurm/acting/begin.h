/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin.h - when a job would begin that is submitted now, where jobs take turns: for sbatch --test-only */
#ifndef PACT_SLURM_BEGIN_H
#define PACT_SLURM_BEGIN_H

#include "slurm/base/compat.h"

/*
 * Slurm asks its select plugin when a job could begin, takes that for a guess by what runs just now, and adds to it what the
 * jobs before that one in its partition may take (job_start_data()).  The plan has these in it.
 * IN job - its record; without a deadline
 * IN nodes - the only ones that it may have
 * OUT start - what the plugin has to say, so that Slurm tells the start that the plan has
 * RET false: the plan does not have it, as the job has a deadline, takes no turns on these nodes, or begins later; or the plan
 *	was not to be had within AdmissionTime
 * With slurmctld's locks for jobs and nodes.  It takes the mutex.
 */
bool begin_planned(const job_record_t *job, const bitstr_t *nodes, time_t *start);

/* What Slurm will add to that; seconds, as its own arithmetic has it.  Job read lock. */
uint64_t begin_added(const job_record_t *job);

#endif /* PACT_SLURM_BEGIN_H */
