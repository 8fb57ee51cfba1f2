/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish_of.c - the wish in a job's record, in nodes of Slurm's table
 */
#include "slurm/records/wish_of.h"

#include "client/wish.h"
#include "slurm/records/region.h"

static int64_t last_serial(const job_record_t *job)
{
	struct wish before;
	int64_t serial = 0;

	if (wish_parse(job->admin_comment, &before) == WISH_OK) {
		serial = before.serial;
		wish_clear(&before);
	}
	return serial;
}

bool wish_put_in(job_record_t *job, uint32_t width, int64_t by, const struct nodeset *leave)
{
	bitstr_t *bits = leave ? region_to_bitmap(leave) : NULL;
	char *names = bits ? bitmap2node_name(bits) : NULL, *comment;
	struct wish wish = { .serial = last_serial(job) + 1,
			     .width = width,
			     .by = by,
			     .leave = names ? names : "" };

	FREE_NULL_BITMAP(bits);
	comment = wish_put(job->admin_comment, &wish);
	xfree(names);
	if (!comment)
		return false;
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(comment);
	free(comment);
	last_job_update = time(NULL);
	schedule_job_save();
	return true;
}

void wish_over(job_record_t *job, uint32_t width)
{
	struct wish wish;
	bool names;

	if (wish_parse(job->admin_comment, &wish) != WISH_OK)
		return;
	names = wish.leave[0] != '\0';
	wish_clear(&wish);
	if (names)
		wish_put_in(job, width, 0, NULL);
}

struct nodeset *wish_keeps(const job_record_t *job, const struct nodeset *has, int64_t *by)
{
	struct nodeset *leave = NULL, *keep = NULL;
	bitstr_t *bits = NULL;
	struct wish wish;

	if (wish_parse(job->admin_comment, &wish) != WISH_OK)
		return NULL;
	*by = wish.by;
	if (wish.by && wish.leave[0] && !node_name2bitmap(wish.leave, true, &bits, NULL))
		leave = region_from_bitmap(bits);
	FREE_NULL_BITMAP(bits);
	wish_clear(&wish);
	if (leave && nodeset_overlap(leave, has))
		keep = nodeset_dup(has);
	if (keep)
		nodeset_and_not(keep, leave);
	nodeset_destroy(leave);
	return keep;
}

void wish_met(job_record_t *job)
{
	struct nodeset *has = region_from_bitmap(job->node_bitmap);
	int64_t by;
	struct nodeset *keeps = has ? wish_keeps(job, has, &by) : NULL;

	if (has && !keeps)
		wish_over(job, nodeset_count(has));
	nodeset_destroy(keeps);
	nodeset_destroy(has);
}

bool wish_not_now(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid, int *rc)
{
	int64_t serial;

	if (wish_refusal_parse(desc->comment, &serial) == WISH_NONE)
		return false;
	*rc = serial ? SLURM_SUCCESS : EINVAL;
	if (serial && uid != job->user_id && !validate_operator(uid))
		*rc = ESLURM_ACCESS_DENIED;
	if (*rc == SLURM_SUCCESS) {
		info("job_submit/deadline: JobId=%u: it would rather keep what wish %" PRId64
		     " asks for: that is taken when the notice is over",
		     job->job_id, serial);
		xfree(desc->comment);
	}
	return true;
}
