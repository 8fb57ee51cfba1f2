/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_usage.c - what limits and shares have of a job that was resized, see resize_usage.h */
#include "slurm/records/resize_usage.h"

#include <inttypes.h>

#include "slurm/base/scheduler.h"
#include "slurm/records/merged.h"

/* Minutes: more than have passed since 1970. */
#define LONG_LIMIT 1000000000u
/* It is set, to no time that counts. */
#define ANY_END 1

/* A resize that was mended. */
struct mended {
	uint32_t job_id;
	time_t at;
};

/* Under the job write lock. */
static struct mended *all;
static size_t count, room;
static time_t
	anew; /* Slurm had counted all anew by then; 0: it may not have in this life. The agent's thread alone */

static void note(const job_record_t *job)
{
	if (count == room)
		xrecalloc(all, room = 2 * room + 8, sizeof(*all));
	all[count++] = (struct mended){ job->job_id, job->resize_time };
}

static bool is_mended(const job_record_t *job)
{
	for (size_t i = 0; i < count; i++)
		if (all[i].job_id == job->job_id && all[i].at == job->resize_time)
			return true;
	return false;
}

static void forget(time_t before)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (all[i].at >= before)
			all[kept++] = all[i];
	count = kept;
	if (!count) {
		xfree(all);
		room = 0;
	}
}

/*
 * Up to when the books have what jobs used. The plugin keeps that to itself; but what it takes from an account when a job ends is
 * the rest of the job's limit from then on, and from no account of Slurm's of a job that there is none of.
 * RET 0: it counts no such thing
 */
static time_t counted_until(void)
{
	const uint64_t limit = 60 * (uint64_t)LONG_LIMIT;
	slurmdb_assoc_usage_t *usage = slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	slurmdb_assoc_rec_t assoc = { .usage = usage };
	job_record_t job = { .end_time_exp = ANY_END,
			     .time_limit = LONG_LIMIT,
			     .assoc_ptr = &assoc };
	uint64_t taken;

	own_record_state(&job, JOB_COMPLETE);
	job.tres_alloc_cnt = xcalloc(slurmctld_tres_cnt, sizeof(*job.tres_alloc_cnt));
	job.tres_alloc_cnt[TRES_ARRAY_CPU] = 1;
	usage->grp_used_tres_run_secs[TRES_ARRAY_CPU] = limit;
	priority_g_job_end(&job);
	taken = limit - usage->grp_used_tres_run_secs[TRES_ARRAY_CPU];
	xfree(job.tres_alloc_cnt);
	slurmdb_destroy_assoc_usage(usage);
	return taken ? (time_t)(limit - taken) : 0;
}

/* So many seconds of what it has are taken out of what may run still, by the plugin's own arithmetic: from all that have them. */
static void take_to_run(const job_record_t *job, time_t until, uint64_t seconds)
{
	job_record_t part = *job;

	own_record_state(&part, JOB_COMPLETE);
	part.end_time_exp = ANY_END;
	/* that it has used nothing since */
	part.end_time = until;
	part.resize_time = 0;
	/* and has so many seconds to go */
	part.start_time = until - (time_t)(60 * (uint64_t)job->time_limit - seconds);
	priority_g_job_end(&part);
}

/* What one of them has of its use. */
struct used {
	long double *raw, *tres;
	double *wall;
};

static long double without(long double has, long double takes)
{
	return has > takes ? has - takes : 0;
}

static void take_used(const job_record_t *job, struct used of, double seconds, double billed)
{
	*of.raw = without(*of.raw, seconds * billed);
	*of.wall = (double)without(*of.wall, seconds);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (i != TRES_ARRAY_ENERGY && job->tres_alloc_cnt[i] != NO_CONSUME_VAL64)
			of.tres[i] = without(of.tres[i], seconds * (double)job->tres_alloc_cnt[i]);
}

static void take_used_of_qos(const job_record_t *job, slurmdb_qos_rec_t *qos, double seconds,
			     double billed)
{
	slurmdb_qos_usage_t *usage = qos ? qos->usage : NULL;

	if (usage)
		take_used(job,
			  (struct used){ &usage->usage_raw, usage->usage_tres_raw,
					 &usage->grp_used_wall },
			  seconds, billed);
}

static double usage_factor(const job_record_t *job)
{
	return job->qos_ptr && job->qos_ptr->usage_factor >= 0 ? job->qos_ptr->usage_factor : 1;
}

/* So many seconds of its use, at its present size, are counted twice. */
static void take_double_use(const job_record_t *job, time_t until, double seconds)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	job_record_t asked = *job;
	slurmdb_qos_rec_t *of_part = job->part_ptr ? job->part_ptr->qos_ptr : NULL;
	double billed;

	seconds *= usage_factor(job);
	assoc_mgr_lock(&locks);
	billed = calc_job_billable_tres(&asked, until, true);
	take_used_of_qos(job, job->qos_ptr, seconds, billed);
	if (of_part != job->qos_ptr)
		take_used_of_qos(job, of_part, seconds, billed);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr)
		take_used(job,
			  (struct used){ &assoc->usage->usage_raw, assoc->usage->usage_tres_raw,
					 &assoc->usage->grp_used_wall },
			  seconds, billed);
	assoc_mgr_unlock(&locks);
}

static bool is_counted(const job_record_t *job)
{
	return (slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	       job->assoc_ptr && job->assoc_ptr->usage && job->tres_alloc_cnt && job->start_time &&
	       job->resize_time >= job->start_time;
}

/* RET up to when the books had what jobs used at its resize: the plugin has counted since, where the resize was found late */
static time_t counted_then(const job_record_t *job, time_t until)
{
	const time_t period = slurm_conf.priority_calc_period;

	if (until > job->resize_time && period)
		until -= (until - job->resize_time + period - 1) / period * period;
	return until;
}

static void mend(const job_record_t *job)
{
	const time_t until = is_counted(job) ? counted_until() : 0, then = counted_then(job, until),
		     since = then > job->start_time ? then : job->start_time,
		     last = job->end_time && job->end_time < job->resize_time ? job->end_time
									      : job->resize_time;
	const uint64_t passed = (uint64_t)(since - job->start_time),
		       limit = 60 * (uint64_t)job->time_limit,
		       seconds = passed < limit ? passed : limit;

	if (!until)
		return;
	if (seconds)
		take_to_run(job, until, seconds);
	if (last > since)
		take_double_use(job, until, difftime(last, since));
	debug("%s: %pJ: the books of limits had %" PRIu64
	      " s of its limit too much, and %ld s of its use twice",
	      scheduler_type(), job, seconds, last > since ? (long)(last - since) : 0L);
}

void resize_usage_resized(const job_record_t *job)
{
	mend(job);
	note(job);
}

void resize_usage_begin(void)
{
	anew = 0;
}

void resize_usage_tend(void)
{
	if (!anew)
		anew = time(NULL);
}

void resize_usage_find(time_t since)
{
	list_itr_t *iter = anew ? list_iterator_create(job_list) : NULL;
	const job_record_t *job;

	while (iter && (job = list_next(iter))) {
		if (job->resize_time < since || job->resize_time <= anew || IS_JOB_PENDING(job) ||
		    merged_into_other(job) || is_mended(job))
			continue;
		resize_usage_resized(job);
	}
	if (iter)
		list_iterator_destroy(iter);
	forget(time(NULL));
}
