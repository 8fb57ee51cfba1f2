/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widest.c - how many nodes of its range a job may have
 */
#include "slurm/eligibility/widest.h"
#include "slurm/eligibility/limits.h"

static bool is_limited(const struct eligibility_job *job, const part_record_t *part)
{
	return part && ((accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
			part->max_nodes < (uint32_t)job->what->most);
}

static int32_t most_in(const struct eligibility_job *job, const part_record_t *part, int32_t most)
{
	struct account account = account_find(job, part->name);
	struct limits_job limited = limits_job_in(job, &account, part);
	bool any = account.qos && account.qos->flags & QOS_FLAG_PART_MAX_NODE;
	int32_t width = job->what->width;

	if (!any && part->max_nodes < (uint32_t)most && part->max_nodes >= (uint32_t)width)
		most = (int32_t)part->max_nodes;
	return limits_most(&limited, most);
}

/* A running one that had a range when it began is resized until it ends, though a limit was set since. */
static int32_t kept(const struct eligibility_job *job)
{
	const job_record_t *record = job->record;
	int32_t has = 0;

	if (!record || !(IS_JOB_RUNNING(record) || IS_JOB_SUSPENDED(record)))
		return 0;
	if (record->node_bitmap)
		has = bit_set_count(record->node_bitmap);
	return has > job->what->width ? has : job->what->width + 1;
}

int32_t eligibility_widest(const struct eligibility_job *job)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK, .user = READ_LOCK
	};
	int32_t asked = job->what->most, most = asked, least = kept(job);

	for (uint32_t i = 0; i < job->what->nalt; i++) {
		const part_record_t *part = find_part_record((char *)job->what->part[i]);

		if (!is_limited(job, part))
			continue;
		assoc_mgr_lock(&locks);
		most = most_in(job, part, most);
		assoc_mgr_unlock(&locks);
	}
	if (most < least)
		most = least;
	return most < asked ? most : asked;
}
