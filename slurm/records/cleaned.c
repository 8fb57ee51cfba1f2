/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cleaned.c - a job that is over, and whose record has it run, see cleaned.h */
#include "slurm/records/cleaned.h"

#include "slurm/base/scheduler.h"

/*
 * What takes a node from a running job in any other way (a resize, a node that is lost under --no-kill) takes it out of the
 * job's resources, too: excise_node_from_job().
 */
bool cleaned_after(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_COMPLETING(job) &&
	       job->details && job->node_bitmap && job->job_resrcs &&
	       job->job_resrcs->node_bitmap &&
	       !bit_super_set(job->job_resrcs->node_bitmap, job->node_bitmap);
}

bool cleaned_whole(const job_record_t *job)
{
	const node_record_t *batch = job->batch_host ? find_node_record(job->batch_host) : NULL;

	return bit_ffs(job->node_bitmap) < 0 ||
	       (batch && bit_test(job->job_resrcs->node_bitmap, batch->index) &&
		!bit_test(job->node_bitmap, batch->index));
}

/* What make_node_idle() has done to a node and its job; job_complete() does that once more, and in full. */
static void put_back(job_record_t *job, node_record_t *node)
{
	bit_set(job->node_bitmap, node->index);
	job->node_cnt++;
	if (IS_JOB_SUSPENDED(job))
		node->sus_job_cnt++;
	else
		node->run_job_cnt++;
}

bitstr_t *cleaned_put_back(job_record_t *job)
{
	bitstr_t *lost = bit_copy(job->job_resrcs->node_bitmap);
	node_record_t *node;

	bit_and_not(lost, job->node_bitmap);
	for (int i = 0; (node = next_node(&i)); i++)
		if (bit_test(lost, i))
			put_back(job, node);
	job->cpu_cnt = job->total_cpus;
	return lost;
}

bool cleaned_end(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);
	bitstr_t *lost;

	if (!job || !cleaned_after(job))
		return false;
	info("%s: JobId=%u: it was over before slurmctld was started, as nodes have cleaned up "
	     "after it",
	     scheduler_type(), job_id);
	lost = cleaned_put_back(job);
	FREE_NULL_BITMAP(lost);
	job_complete(job_id, slurm_conf.slurm_user_id, job->details->requeue, true, NO_VAL);
	schedule_job_save();
	return true;
}
