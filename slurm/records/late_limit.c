/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_limit.c - see late_limit.h */
#include "slurm/records/late_limit.h"

#define LEAST 1 /* minutes */

static bool none(time_t deadline)
{
	return !deadline || deadline == (time_t)NO_VAL;
}

void late_limit_allow(job_desc_msg_t *desc)
{
	if (LATE_LIMITS_REFUSED && (!desc->time_min || desc->time_min == NO_VAL))
		desc->time_min = LEAST;
}

void late_limit_over(job_record_t *job)
{
	struct token token;

	if (LATE_LIMITS_REFUSED && job->time_min == LEAST &&
	    token_parse(job->admin_comment, &token) == TOKEN_OK && token_expects(&token))
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
	if (!token_expects(token))
		late_limit_over(job);
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
