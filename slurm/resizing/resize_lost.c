/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_lost.c - nodes that a late answer of their slurmd has taken from a running job, see resize_lost.h */
#include "slurm/resizing/resize_lost.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/cleaned.h"
#include "slurm/records/give_back.h"
#include "slurm/records/malleable.h"

static time_t looked; /* all jobs were, then */

/* One that may be over, and only its end not known, has lost its batch host, too, or will: Slurm ends that by itself. */
static bool has_lost(const job_record_t *job)
{
	struct malleable_option option;
	const node_record_t *batch;

	if (!IS_JOB_RUNNING(job) || !cleaned_after(job) || !malleable_of(job, &option))
		return false;
	batch = job->batch_host ? find_node_record(job->batch_host) : NULL;
	return batch ? bit_test(job->node_bitmap, batch->index) : bit_ffs(job->node_bitmap) >= 0;
}

/* IN tend - they are given back. RET whether there was any */
static bool look(bool tend)
{
	list_itr_t *iter = list_iterator_create(job_list);
	job_record_t *job;
	bitstr_t *lost;
	bool any = false;

	while ((tend || !any) && (job = list_next(iter))) {
		if (!has_lost(job))
			continue;
		any = true;
		if (!tend)
			continue;
		lost = cleaned_put_back(job);
		give_back(job, lost);
		info("%s: %pJ: a late answer has taken nodes from it, which it has given back: it "
		     "has %s",
		     scheduler_type(), job, job->nodes);
		FREE_NULL_BITMAP(lost);
	}
	list_iterator_destroy(iter);
	return any;
}

/* Stamps have one-second grain: what has changed in the second of the last look may have come after it. */
bool resize_lost_behind(void)
{
	time_t now = time(NULL);
	bool any;

	if (!scheduler_resizes() || last_job_update < looked)
		return false;
	any = look(false);
	if (!any)
		looked = now;
	return any;
}

void resize_lost_tend(void)
{
	if (resize_lost_behind())
		(void)look(true);
}
