/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_lost.c - nodes that a late answer of their slurmd has taken from a running job, see resize_lost.h */
#include "slurm/resizing/resize_lost.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/cleaned.h"
#include "slurm/records/give_back.h"
#include "slurm/records/malleable.h"
#include "slurm/resizing/resize_obstacle.h"

static time_t looked; /* all jobs were, then */
static time_t failed; /* when Slurm last kept counting what was given back; 0: never */

/* Seconds after that until any is given back again: what Slurm does not do is not tried in each pass. */
#define ONCE_MORE 60

static bool is_resized(const job_record_t *job)
{
	struct malleable_option option;

	return IS_JOB_RUNNING(job) && !IS_JOB_CONFIGURING(job) && malleable_of(job, &option) &&
	       !resize_obstacle(job);
}

/* One that is over is ended whole (snapshot.h, gone). */
static bool has_lost(const job_record_t *job)
{
	return cleaned_after(job) && is_resized(job) && !cleaned_whole(job);
}

/* Stamps have one-second grain: what has changed in the second of the last look may have come after it. */
bool resize_lost_behind(void)
{
	time_t now = time(NULL);
	const job_record_t *job;
	list_itr_t *iter;
	bool any = false;

	if (!scheduler_resizes() || last_job_update < looked ||
	    (failed && now >= failed && now < failed + ONCE_MORE))
		return false;
	iter = list_iterator_create(job_list);
	while (!any && (job = list_next(iter)))
		any = has_lost(job);
	list_iterator_destroy(iter);
	if (!any)
		looked = now;
	return any;
}

static void tend(job_record_t *job)
{
	bitstr_t *lost = cleaned_put_back(job);

	give_back(job, lost);
	if (cleaned_after(job)) {
		failed = time(NULL);
		error("%s: %pJ: a late answer has taken nodes from it, and Slurm does not take "
		      "them from what it counts",
		      scheduler_type(), job);
	} else {
		info("%s: %pJ: a late answer has taken nodes from it, which it has given back: it "
		     "has %s",
		     scheduler_type(), job, job->nodes);
	}
	FREE_NULL_BITMAP(lost);
}

void resize_lost_tend(void)
{
	job_record_t *job;
	list_itr_t *iter;

	if (!resize_lost_behind())
		return;
	iter = list_iterator_create(job_list);
	while ((job = list_next(iter)))
		if (has_lost(job))
			tend(job);
	list_iterator_destroy(iter);
}
