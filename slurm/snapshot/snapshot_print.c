/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_print.c - has a record changed?
 */
#include "slurm/snapshot/snapshot.h"
#include "slurm/records/late_limit.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash ^= value;
	hash *= 0x9e3779b97f4a7c15ULL;
	return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return mix(hash, 1);
}

uint64_t snapshot_said(const char *text)
{
	return text ? mix_text(0xcbf29ce484222325ULL, text) : 0;
}

uint64_t snapshot_print(const job_record_t *job)
{
	const job_details_t *det = job->details;
	uint64_t hash = 0xcbf29ce484222325ULL;

	hash = mix(hash, job->time_limit);
	hash = mix(hash, late_limit_least(job));
	hash = mix(hash, (uint64_t)late_limit_deadline(job));
	hash = mix(hash, job->qos_id);
	hash = mix(hash, job->resv_id);
	hash = mix(hash, job->req_switch);
	hash = mix(hash, job->gres_list_req != NULL);
	hash = mix_text(hash, job->partition);
	hash = mix_text(hash, job->licenses);
	if (!det)
		return hash;
	hash = mix(hash, det->min_nodes);
	hash = mix(hash, det->max_nodes);
	/* As asked for: each try in a partition derives its own figures (job_limits_check). */
	hash = mix(hash, det->orig_min_cpus);
	hash = mix(hash, det->orig_pn_min_cpus);
	hash = mix(hash, det->orig_pn_min_memory);
	hash = mix(hash, det->whole_node);
	hash = mix(hash, (uint64_t)det->begin_time > (uint64_t)time(NULL) ? det->begin_time : 0);
	hash = mix_text(hash, det->features);
	hash = mix_text(hash, det->prefer);
	hash = mix_text(hash, det->exc_nodes);
	return mix_text(hash, det->req_nodes);
}
