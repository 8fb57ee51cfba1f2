/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_limit.c - see late_limit.h */
#include "slurm/records/late_limit.h"

#include "slurm/records/malleable.h"

static bool none(time_t deadline)
{
	return !deadline || deadline == (time_t)NO_VAL;
}

/* Is a job with this token to have a least limit of ours, if it has none? */
static bool wants_least(const job_record_t *job, const struct token *token)
{
	struct malleable_option option;

	return token_expects(token) || malleable_of(job, &option);
}

void late_limit_allow(job_desc_msg_t *desc)
{
	if (!desc->time_min || desc->time_min == NO_VAL)
		desc->time_min = LATE_LIMIT_LEAST;
}

void late_limit_change(job_desc_msg_t *desc, const job_record_t *job, const struct token *token)
{
	if (wants_least(job, token) && (!job->time_min || !desc->time_min))
		late_limit_allow(desc);
}

bool late_limit_is_ours(const job_record_t *job)
{
	struct token token;

	return job->time_min == LATE_LIMIT_LEAST &&
	       token_parse(job->admin_comment, &token) == TOKEN_OK && wants_least(job, &token);
}

uint32_t late_limit_least(const job_record_t *job)
{
	return late_limit_is_ours(job) ? 0 : job->time_min;
}

static void set_least(job_record_t *job, const struct token *token)
{
	bool ours = late_limit_is_ours(job);

	if (wants_least(job, token) && !job->time_min)
		job->time_min = LATE_LIMIT_LEAST;
	else if (ours && !wants_least(job, token))
		job->time_min = 0;
}

/* From what the record says before the token is written. */
static void set_deadline(job_record_t *job, const struct token *token)
{
	bool waits = LATE_LIMITS_END && IS_JOB_PENDING(job);

	if (waits && token->state == TOKEN_BROKEN && token_binds(token))
		job->deadline = 0;
	else if (waits)
		job->deadline = late_limit_deadline(job);
}

bool late_limit_put(job_record_t *job, const struct token *token)
{
	char *comment = token_put(job->admin_comment, token);

	if (!comment)
		return false;
	set_least(job, token);
	set_deadline(job, token);
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(comment);
	free(comment);
	return true;
}

time_t late_limit_deadline(const job_record_t *job)
{
	struct token token;

	if (!LATE_LIMITS_END || !none(job->deadline) || !job->admin_comment ||
	    token_parse(job->admin_comment, &token) != TOKEN_OK)
		return job->deadline;
	return (time_t)token.deadline;
}
