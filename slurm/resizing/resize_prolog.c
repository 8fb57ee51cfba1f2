/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_prolog.c - a job's own prolog on the nodes that it gets while it runs, see resize_prolog.h */
#include "slurm/resizing/resize_prolog.h"

#include "slurm/base/scheduler.h"

static bool relaunched; /* by this controller */
static time_t seen;	/* all changes of jobs before this second */

static int is_other_extern(void *step, void *known)
{
	return step != known && ((step_record_t *)step)->step_id.step_id == SLURM_EXTERN_CONT;
}

/* Of those that it had before only the ones are waited for on which its steps waited already. */
static void wait_for(job_record_t *job, uint16_t reason, bitstr_t *before, bitstr_t *added)
{
	if (!job->node_bitmap_pr || job->state_reason != WAIT_PROLOG)
		return;
	bit_clear_all(job->node_bitmap_pr);
	if (added)
		bit_or(job->node_bitmap_pr, added);
	if (before)
		bit_or(job->node_bitmap_pr, before);
	if (bit_ffs(job->node_bitmap_pr) < 0)
		job->state_reason = reason;
}

void resize_prolog_launch(job_record_t *job, bitstr_t *added)
{
	bool waits = job->state_reason == WAIT_PROLOG && job->node_bitmap_pr;
	bitstr_t *before = waits ? bit_copy(job->node_bitmap_pr) : NULL;
	uint16_t reason = waits ? WAIT_NO_REASON : job->state_reason;
	step_record_t *step;

	if (slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC) {
		step = list_find_first(job->step_list, is_other_extern, NULL);
		launch_prolog(job);
		/* under PrologFlags=Contain that makes a record anew of the step of all nodes */
		if (step && list_find_first(job->step_list, is_other_extern, step))
			delete_step_record(job, step);
		wait_for(job, reason, before, added);
		last_job_update = time(NULL);
	}
	FREE_NULL_BITMAP(before);
}

static bool was_resized(const job_record_t *job)
{
	return job->resize_time && IS_JOB_RUNNING(job) && !IS_JOB_CONFIGURING(job) &&
	       job->details && job->node_bitmap && job->job_resrcs;
}

/* Its answer never comes. */
static bool waits_in_vain(const job_record_t *job)
{
	return was_resized(job) && job->state_reason == WAIT_PROLOG && job->node_bitmap_pr &&
	       (!bit_super_set(job->node_bitmap_pr, job->node_bitmap) ||
		bit_ffs(job->node_bitmap_pr) < 0);
}

bool resize_prolog_behind(void)
{
	list_itr_t *iter;
	const job_record_t *job;
	bool any = false;

	if (!relaunched)
		return true;
	if (last_job_update < seen)
		return false;
	iter = list_iterator_create(job_list);
	while (!any && (job = list_next(iter)))
		any = waits_in_vain(job);
	list_iterator_destroy(iter);
	return any;
}

void resize_prolog_begin(void)
{
	relaunched = false;
}

void resize_prolog_tend(void)
{
	time_t now = time(NULL);
	list_itr_t *iter;
	job_record_t *job;

	if (!resize_prolog_behind())
		return;
	iter = list_iterator_create(job_list);
	while ((job = list_next(iter))) {
		if (!relaunched && was_resized(job))
			resize_prolog_launch(job, NULL);
		if (!waits_in_vain(job))
			continue;
		bit_and(job->node_bitmap_pr, job->node_bitmap);
		if (bit_ffs(job->node_bitmap_pr) < 0)
			job->state_reason = WAIT_NO_REASON;
		last_job_update = now;
	}
	list_iterator_destroy(iter);
	relaunched = true;
	seen = now;
}
