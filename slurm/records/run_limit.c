/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_limit.c - a job that runs with another limit than it came with
 */
#include "slurm/records/run_limit.h"
#include "slurm/records/job_env.h"
#include "slurm/records/share_terms.h"

#define NAME "PACT_LIMIT"
#define LIMIT_VERSION "1"

struct run_limit {
	uint32_t own; /* minutes */
	int64_t due;
};

/* RET false: it runs with that which it came with */
static bool find(const job_record_t *job, struct run_limit *out)
{
	const char *text = job_env_get(job, NAME);
	struct share_terms terms;
	char over;

	share_terms_of(job, &terms);
	if (!terms.estimate)
		return text && sscanf(text, LIMIT_VERSION ":%" SCNu32 ":%" SCNd64 "%c", &out->own,
				      &out->due, &over) == 2;
	out->own = terms.estimate < PACT_FOREVER ? (uint32_t)((terms.estimate + 59) / 60)
						 : job->time_limit;
	out->due = terms.due;
	return true;
}

void run_limit_put(job_record_t *job, uint32_t own, int64_t due)
{
	char text[64];

	snprintf(text, sizeof(text), LIMIT_VERSION ":%" PRIu32 ":%" PRId64, own, due);
	job_env_put(job, NAME, text);
}

uint32_t run_limit_own(const job_record_t *job)
{
	struct run_limit limit;

	return find(job, &limit) ? limit.own : job->time_limit;
}

bool run_limit_requeued(job_record_t *job)
{
	struct run_limit limit;

	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || !find(job, &limit))
		return false;
	job->time_limit = limit.own;
	job_env_put(job, NAME, NULL);
	share_terms_put(job, &(struct share_terms){ 0 });
	return true;
}

/*
 * It was started with a limit that was rounded up to whole minutes from the time until its end. That end is when it is
 * due, or later, for a job that promises nothing and is late by its own estimate: there the limit tells it to the minute.
 */
static int64_t latest_end(const job_record_t *job, int64_t due)
{
	int64_t end = (int64_t)job->start_time + (int64_t)job->time_limit * 60;

	return due > end - 60 && due < end ? due : end;
}

bool run_limit_hold_end(job_record_t *job)
{
	struct run_limit limit;
	int64_t end;

	/* One that was suspended, or whose nodes were woken first, has another end by right. */
	if (!IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job) || IS_JOB_CONFIGURING(job) ||
	    job->suspend_time || job->preempt_time || job->time_limit == INFINITE ||
	    job->time_limit == NO_VAL || !find(job, &limit))
		return false;
	end = latest_end(job, limit.due);
	if (job->end_time <= end)
		return false;
	job->end_time = job->end_time_exp = end;
	return true;
}

void run_limit_strip(job_desc_msg_t *desc)
{
	job_env_strip(desc, NAME);
}
