/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependency.c - what a job waits for, as its record has it
 */
#include "slurm/snapshot/dependency.h"

void dependency_name(const job_record_t *job, struct snap_depend *out)
{
	out->base_id = job->array_job_id ? job->array_job_id : job->job_id;
	out->task = job->array_task_id;
}

void dependency_started(const job_record_t *job, struct snap_depend *out)
{
	if (!IS_JOB_PENDING(job) && job->start_time)
		out->at = job->start_time + out->delay;
}

bool dependency_take(const depend_spec_t *dep, struct snap_depend *out)
{
	const job_record_t *job;

	if (dep->depend_state != DEPEND_NOT_FULFILLED || !dep->job_id)
		return false;
	*out = (struct snap_depend){ .base_id = dep->job_id,
				     .task = NO_VAL,
				     .delay = dep->depend_time };
	if (dep->array_task_id == INFINITE)
		return true;
	job = find_job_array_rec(dep->job_id, dep->array_task_id);
	if (!job)
		return true;
	dependency_name(job, out);
	/* A task that is still part of the array's record. */
	if (dep->array_task_id != NO_VAL && job->array_task_id == NO_VAL)
		out->task = dep->array_task_id;
	if (dep->depend_type == SLURM_DEPEND_AFTER)
		dependency_started(job, out);
	return true;
}
