/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_limit.c - see late_limit.h */
#include "slurm/records/late_limit.h"

#include "slurm/records/token.h"

#define LEAST 1 /* minutes */

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
