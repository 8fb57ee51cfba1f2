/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_terms.c - what a job of a realm is to its nodes
 */
#include "slurm/records/share_terms.h"
#include "slurm/records/job_env.h"

#include "core/sharing/shares/share.h"

#define NAME "PACT_TERMS"
#define TERMS_VERSION "1"

static bool parse(const char *text, struct share_terms *out)
{
	enum share_rule rule;
	char word[8], over;

	if (sscanf(text, TERMS_VERSION ":%" SCNd64 ":%" SCNd64 ":%" SCNd64 ":%" SCNu32 ":%7[a-z]%c",
		   &out->submit, &out->estimate, &out->due, &out->processors, word, &over) != 5 ||
	    !share_rule_find(word, &rule))
		return false;
	out->rule = share_rule_name(rule);
	return out->estimate > 0;
}

void share_terms_of(const job_record_t *job, struct share_terms *out)
{
	const char *text = job_env_get(job, NAME);

	if (!text || !parse(text, out))
		*out = (struct share_terms){ 0 };
}

void share_terms_text(const struct share_terms *terms, char text[SHARE_TERMS_TEXT])
{
	snprintf(text, SHARE_TERMS_TEXT, TERMS_VERSION ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%u:%s",
		 terms->submit, terms->estimate, terms->due, terms->processors, terms->rule);
}

void share_terms_put(job_record_t *job, const struct share_terms *terms)
{
	char text[SHARE_TERMS_TEXT];

	if (terms->estimate)
		share_terms_text(terms, text);
	job_env_put(job, NAME, terms->estimate ? text : NULL);
}

bool share_terms_requeued(job_record_t *job)
{
	struct share_terms terms;

	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return false;
	share_terms_of(job, &terms);
	if (!terms.estimate)
		return false;
	if (terms.estimate < PACT_FOREVER)
		job->time_limit = (uint32_t)((terms.estimate + 59) / 60);
	share_terms_put(job, &(struct share_terms){ 0 });
	return true;
}

/*
 * It was started with a limit that was rounded up to whole minutes from the time until its end. That end is when it is
 * due, or later, for a job that promises nothing and is late by its own estimate: there the limit tells it to the minute.
 */
static int64_t latest_end(const job_record_t *job, const struct share_terms *terms)
{
	int64_t end = (int64_t)job->start_time + (int64_t)job->time_limit * 60;

	return terms->due > end - 60 && terms->due < end ? terms->due : end;
}

bool share_terms_hold_end(job_record_t *job)
{
	struct share_terms terms;
	int64_t end;

	/* One that was suspended, or whose nodes were woken first, has another end by right. */
	if (!IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job) || IS_JOB_CONFIGURING(job) ||
	    job->suspend_time || job->preempt_time || job->time_limit == INFINITE ||
	    job->time_limit == NO_VAL)
		return false;
	share_terms_of(job, &terms);
	if (!terms.estimate)
		return false;
	end = latest_end(job, &terms);
	if (job->end_time <= end)
		return false;
	job->end_time = job->end_time_exp = end;
	return true;
}

void share_terms_strip(job_desc_msg_t *desc)
{
	job_env_strip(desc, NAME);
}
