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

/*
 * Each node as if it was the job's only one. Of what it is told the step is made that holds what runs there besides, under
 * PrologFlags=Contain, and daemons of one step wait for each other: those of nodes that came later, which know of
 * more nodes than the others do, in vain for a minute (doc/slurm.md).
 */
static void launch_apart(job_record_t *job, bitstr_t *added)
{
	char *nodes = job->nodes;
	uint32_t count = job->node_cnt;

	for (bitoff_t i = bit_ffs(added), last = bit_fls(added); i >= 0 && i <= last; i++) {
		if (!bit_test(added, i) || !IS_JOB_RUNNING(job))
			continue;
		job->nodes = xstrdup(node_record_table_ptr[i]->name);
		job->node_cnt = 1;
		launch_prolog(job);
		xfree(job->nodes);
	}
	job->nodes = nodes;
	job->node_cnt = count;
}

/* A launch makes a record anew of the step that holds what runs besides. The last one stays, and is of all nodes. */
static void keep_one_extern(job_record_t *job)
{
	step_record_t *step = list_find_first(job->step_list, is_other_extern, NULL), *next;
	slurm_step_layout_t *layout;

	while (step && (next = list_find_first(job->step_list, is_other_extern, step))) {
		delete_step_record(job, step);
		step = next;
	}
	if (!step || !step->step_layout || step->step_layout->node_cnt == job->node_cnt)
		return;
	layout = fake_slurm_step_layout_create(job->nodes, NULL, NULL, job->node_cnt, job->node_cnt,
					       step->step_layout->start_protocol_ver);
	slurm_step_layout_destroy(step->step_layout);
	step->step_layout = layout;
}

void resize_prolog_launch(job_record_t *job, bitstr_t *added)
{
	bool waits = job->state_reason == WAIT_PROLOG && job->node_bitmap_pr;
	bitstr_t *before = waits ? bit_copy(job->node_bitmap_pr) : NULL;
	uint16_t reason = waits ? WAIT_NO_REASON : job->state_reason;

	if (slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC) {
		/* of several nodes the first or the last one forwards X11 */
		if (added && slurm_conf.prolog_flags & PROLOG_FLAG_CONTAIN && !job->details->x11)
			launch_apart(job, added);
		else
			launch_prolog(job);
		keep_one_extern(job);
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
