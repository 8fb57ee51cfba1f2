/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependency.h - what a job waits for, as its record has it
 *
 * All with slurmctld's job read lock.
 */
#ifndef PACT_SLURM_DEPENDENCY_H
#define PACT_SLURM_DEPENDENCY_H

#include "slurm/base/compat.h"

/* What a job waits for; see depend.h. */
struct snap_depend {
	uint32_t base_id, task; /* NO_VAL: no array task, or all of them */
	int64_t at;		/* when it is met, if that is known; else 0 */
	int64_t delay;		/* seconds after its end */
};

/*
 * A dependency of a record, for depend_known().
 * RET false: it keeps nothing waiting
 */
bool dependency_take(const depend_spec_t *dep, struct snap_depend *out);

/* What a record stands for: one job, one task, or what is left of an array. */
void dependency_name(const job_record_t *job, struct snap_depend *out);

/* Of "after": the time is known when the job runs. */
void dependency_started(const job_record_t *job, struct snap_depend *out);

#endif /* PACT_SLURM_DEPENDENCY_H */
