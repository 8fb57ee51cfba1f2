/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recount.c - Slurm counts its nodes anew, see recount.h */
#include "slurm/acting/recount.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/resize_books.h"

/* Seconds between two of them: what does not help is not repeated all the time. */
#define RECOUNT_EVERY 60

static time_t last;

/* Idle by slurmctld's own sets, and without a job that has just ended there, or is suspended and may have its memory there. */
static bool look_free(const job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *free = bit_copy(nodes);
	const node_record_t *node;
	bool enough;

	for (int i = 0; (node = next_node(&i)); i++)
		if (node->sus_job_cnt)
			bit_clear(free, i);
	bit_and(free, idle_node_bitmap);
	bit_and(free, avail_node_bitmap);
	bit_and_not(free, cg_node_bitmap);
	enough = job->details && (uint32_t)bit_set_count(free) >= job->details->min_nodes;
	FREE_NULL_BITMAP(free);
	return enough;
}

static bool any_suspended(void)
{
	list_itr_t *iter = list_iterator_create(job_list);
	const job_record_t *job;
	bool any = false;

	while (!any && (job = list_next(iter)))
		any = IS_JOB_SUSPENDED(job);
	list_iterator_destroy(iter);
	return any;
}

static bool can_count(void)
{
	return !xstrcmp(slurm_conf.select_type, "select/gang") ||
	       (!xstrcmp(slurm_conf.select_type, "select/linear") && !any_suspended());
}

bool recount_nodes(const job_record_t *job, bitstr_t *nodes)
{
	time_t now = time(NULL);

	if ((last && now >= last && now < last + RECOUNT_EVERY) || !can_count() ||
	    !look_free(job, nodes))
		return false;
	last = now;
	info("%s: %pJ: its nodes look free, and Slurm does not give them: they are counted anew",
	     scheduler_type(), job);
	resize_books_recount();
	return select_g_reconfigure() == SLURM_SUCCESS;
}

static void count_suspended(const job_record_t *job, uint16_t *suspended)
{
	if (!IS_JOB_SUSPENDED(job) || !job->node_bitmap)
		return;
	for (bitoff_t i = bit_ffs(job->node_bitmap), end = bit_fls(job->node_bitmap);
	     i >= 0 && i <= end; i++)
		suspended[i] += bit_test(job->node_bitmap, i);
}

void recount_suspended(void)
{
	uint16_t *suspended = xcalloc(node_record_count, sizeof(*suspended));
	list_itr_t *iter = list_iterator_create(job_list);
	const job_record_t *job;
	node_record_t *node;

	while ((job = list_next(iter)))
		count_suspended(job, suspended);
	list_iterator_destroy(iter);
	for (int i = 0; (node = next_node(&i)); i++) {
		if (node->sus_job_cnt <= suspended[i])
			continue;
		debug("%s: node %s is counted as %u suspended jobs', and is %u jobs'",
		      scheduler_type(), node->name, node->sus_job_cnt, suspended[i]);
		node->sus_job_cnt = suspended[i];
	}
	xfree(suspended);
}
