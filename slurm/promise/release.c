/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * release.c - a job held so shortly that no snapshot has shown it, and a change that hides it
 */
#include "slurm/base/compat.h"

#include "slurm/promise/release.h"
#include "slurm/promise/judge.h"
#include "slurm/records/late_limit.h"

static bool has_promise(const job_record_t *job, struct token *token)
{
	return token_parse(job->admin_comment, token) == TOKEN_OK && token_binds(token);
}

bool release_unseen(const job_desc_msg_t *desc, const job_record_t *job)
{
	bool releases = desc->priority && desc->priority != NO_VAL;
	bool redates = desc->deadline && desc->deadline != (time_t)NO_VAL;
	struct token token;

	return (releases || redates) && job->priority == 0 && IS_JOB_PENDING(job) &&
	       has_promise(job, &token);
}

void release_note(struct bridge *b, job_record_t *job)
{
	struct track *track;
	struct token token;
	uint32_t count = 0;
	size_t i = 0;

	/* An array's tasks share the record. */
	while (b->by_key && (track = table_next(b->by_key, &i)))
		if (track->job_id == job->job_id && !track->running) {
			track->released = true;
			count++;
		}
	/* None: a snapshot has seen it after all. */
	if (!count || !has_promise(job, &token))
		return;
	token.state = TOKEN_WITHDRAWN;
	late_limit_put(job, &token);
	judge_held(b, job, &token, count);
}
