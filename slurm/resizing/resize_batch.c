/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_batch.c - where the batch script of a job that was resized runs, see resize_batch.h */
#include "slurm/resizing/resize_batch.h"

#include "slurm/base/compat.h"
#include "slurm/base/scheduler.h"

static int is_batch(void *step, void *key)
{
	(void)key;
	return ((step_record_t *)step)->step_id.step_id == SLURM_BATCH_SCRIPT;
}

static bool concerns(const job_record_t *job)
{
	return job->batch_flag && job->resize_time && job->node_bitmap && job->step_list &&
	       (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job));
}

bool resize_batch_any(void)
{
	list_itr_t *iter = list_iterator_create(job_list);
	const job_record_t *job;
	bool any = false;

	while (!any && (job = list_next(iter)))
		any = concerns(job);
	list_iterator_destroy(iter);
	return any;
}

static void keep(job_record_t *job)
{
	const step_record_t *step = list_find_first(job->step_list, is_batch, NULL);
	const char *host = step && step->step_layout ? step->step_layout->node_list : NULL;
	const node_record_t *node = host ? find_node_record((char *)host) : NULL;

	if (!node || !bit_test(job->node_bitmap, node->index))
		return;
	if (xstrcmp(job->batch_host, host)) {
		info("%s: %pJ: its batch script runs on %s, not on %s", scheduler_type(), job, host,
		     job->batch_host ? job->batch_host : "none");
		xfree(job->batch_host);
		job->batch_host = xstrdup(host);
		last_job_update = time(NULL);
	}
	if (bit_ffs(job->node_bitmap) != node->index)
		job->time_last_active = time(NULL);
}

void resize_batch_keep(void)
{
	list_itr_t *iter = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(iter)))
		if (concerns(job))
			keep(job);
	list_iterator_destroy(iter);
}
