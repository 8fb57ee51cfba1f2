/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wishes.c - what the planner wants of a running job's nodes, done or asked for
 */
#include "slurm/resizing/wishes.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/give_back.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"

static struct nodeset *nodes_of(const job_record_t *job)
{
	return job && job->node_bitmap ? region_from_bitmap(job->node_bitmap) : NULL;
}

static enum wishes_rc refused(uint32_t job_id, enum resize_rc rc, const char *what, const char *why)
{
	info("%s: JobId=%u: %s: %s", scheduler_type(), job_id, what, why);
	if (rc == RESIZE_DENIED)
		return WISHES_DENIED;
	return rc == RESIZE_NEVER ? WISHES_NEVER : WISHES_REFUSED;
}

/* These are taken; what else it was asked for stays asked for. */
static enum resize_rc take(job_record_t *job, const struct nodeset *own,
			   const struct nodeset *leave, const struct wish_calls *rest, char *why)
{
	struct nodeset *keep = nodeset_dup(own);
	enum resize_rc rc = RESIZE_LATER;
	uint32_t width;

	if (!keep)
		return rc;
	nodeset_and_not(keep, leave);
	width = nodeset_count(keep);
	rc = resize_shrink(job->job_id, keep, why, RESIZE_WHY);
	nodeset_destroy(keep);
	if (rc != RESIZE_DONE)
		return rc;
	if (rest->n)
		wish_put_calls(job, width, rest);
	else
		wish_put_in(job, width, 0, leave);
	info("%s: JobId=%u: nodes were taken from it, it has %u", scheduler_type(), job->job_id,
	     width);
	return rc;
}

/* It is asked for these, too. */
static enum wishes_rc call(job_record_t *job, const struct nodeset *own, const struct nodeset *keep,
			   const struct nodeset *more, int64_t by, struct wish_calls *calls)
{
	char why[RESIZE_WHY];
	/* what could not be taken when the notice is over is not asked for */
	enum resize_rc rc = resize_may_shrink(job->job_id, keep, why, sizeof(why));

	if (rc == RESIZE_NEVER)
		return refused(job->job_id, rc, "it is asked for no nodes", why);
	if (!nodeset_empty(more) && !wish_calls_add(calls, by, more))
		return WISHES_REFUSED;
	return wish_put_calls(job, nodeset_count(own), calls) ? WISHES_LEAVING : WISHES_REFUSED;
}

/* Nodes are given back or taken.  What it was asked for before stays due when it was, if it is not to keep it. */
static enum wishes_rc shrink(job_record_t *job, const struct nodeset *own,
			     const struct nodeset *keep, const struct nodeset *leave, int64_t by)
{
	struct nodeset *more = nodeset_dup(leave);
	uint32_t job_id = job->job_id;
	char why[RESIZE_WHY] = "out of memory";
	enum wishes_rc rc = WISHES_REFUSED;
	struct wish_calls calls;
	enum resize_rc done;

	if (wish_calls_of(job, leave, &calls) && more) {
		wish_calls_drop(&calls, more);
		if (by > time(NULL) || nodeset_empty(more)) {
			rc = call(job, own, keep, more, by, &calls);
		} else {
			done = take(job, own, more, &calls, why);
			rc = done == RESIZE_DONE
				     ? WISHES_LEAVING
				     : refused(job_id, done, "no nodes are taken from it", why);
		}
	}
	wish_calls_clear(&calls);
	nodeset_destroy(more);
	return rc;
}

static enum wishes_rc grow(job_record_t *job, const struct nodeset *more)
{
	char why[RESIZE_WHY];
	uint32_t job_id = job->job_id;
	enum resize_rc rc = resize_grow(job_id, more, why, sizeof(why));

	if (rc == RESIZE_BUSY)
		return WISHES_BUSY;
	if (rc == RESIZE_AWAY)
		return WISHES_AWAY;
	if (rc != RESIZE_DONE)
		return refused(job_id, rc, "it is given no nodes", why);
	job = find_job_record(job_id);
	if (!job)
		return WISHES_RESIZED;
	wish_put_in(job, (uint32_t)bit_set_count(job->node_bitmap), 0, NULL);
	info("%s: JobId=%u: it was given nodes, and has %u", scheduler_type(), job_id,
	     (uint32_t)bit_set_count(job->node_bitmap));
	return WISHES_RESIZED;
}

/* What it was asked for before it may keep. Nodes that it has left already are to the planner its own until they are clean. */
static enum wishes_rc stay(job_record_t *job, const struct nodeset *to)
{
	bitstr_t *leaving = give_back_of(job->job_id);
	enum wishes_rc rc = leaving ? WISHES_LEAVING : WISHES_RESIZED;

	FREE_NULL_BITMAP(leaving);
	return wish_put_in(job, nodeset_count(to), 0, NULL) ? rc : WISHES_REFUSED;
}

/* With the nodes that it has, those of them that it keeps, and those that it does not have yet. */
static enum wishes_rc ask(job_record_t *job, const struct nodeset *to, int64_t by,
			  const struct nodeset *own)
{
	struct nodeset *keep = nodeset_dup(own), *leave = nodeset_dup(own), *more = nodeset_dup(to);
	enum wishes_rc rc = WISHES_REFUSED;

	if (keep && leave && more) {
		nodeset_and(keep, to);
		nodeset_and_not(leave, to);
		nodeset_and_not(more, own);
		if (!nodeset_empty(leave))
			rc = shrink(job, own, keep, leave, by);
		else if (!nodeset_empty(more))
			rc = grow(job, more);
		else
			rc = stay(job, to);
	}
	nodeset_destroy(keep);
	nodeset_destroy(leave);
	nodeset_destroy(more);
	return rc;
}

enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to, int64_t by,
			  struct nodeset **has, uint32_t *cleans)
{
	job_record_t *job = find_job_record(job_id);
	struct nodeset *own = job && IS_JOB_RUNNING(job) ? nodes_of(job) : NULL;
	enum wishes_rc rc = own ? ask(job, to, by, own) : WISHES_REFUSED;

	nodeset_destroy(own);
	/* what it has left and is not clean yet is its own still to the planner */
	*has = rc == WISHES_RESIZED || rc == WISHES_BUSY ? nodes_of(find_job_record(job_id)) : NULL;
	*cleans = *has ? give_back_add(job_id, *has) : 0;
	return rc;
}

/* Of the calls those whose time is over, which are taken out of them.  NULL: none, or memory is short. */
static struct nodeset *take_due(struct wish_calls *calls, int64_t now)
{
	struct nodeset *due = NULL;
	size_t n = 0;

	while (n < calls->n && calls->call[n].by <= now)
		n++;
	if (n)
		due = nodeset_dup(calls->call[0].nodes);
	for (size_t i = 0; due && i < n; i++) {
		nodeset_or(due, calls->call[i].nodes);
		nodeset_destroy(calls->call[i].nodes);
	}
	if (!due)
		return NULL;
	calls->n -= n;
	memmove(calls->call, calls->call + n, calls->n * sizeof(*calls->call));
	return due;
}

/* It is not all that it has. */
static enum wishes_rc take_late(job_record_t *job, const struct nodeset *own,
				const struct nodeset *due, const struct wish_calls *rest)
{
	char why[RESIZE_WHY];
	enum resize_rc rc = take(job, own, due, rest, why);

	if (rc == RESIZE_DONE)
		return WISHES_LEAVING;
	/* else it is retried in a second, and each time it would be told */
	if (rc != RESIZE_NEVER)
		return WISHES_BUSY;
	wish_put_in(job, nodeset_count(own), 0, NULL);
	return refused(job->job_id, rc, "its notice is over, but it keeps its nodes", why);
}

enum wishes_rc wishes_take(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);
	struct nodeset *own = job && IS_JOB_RUNNING(job) ? nodes_of(job) : NULL, *due = NULL;
	struct wish_calls calls = { 0 };
	enum wishes_rc rc = WISHES_RESIZED;

	if (own && wish_calls_of(job, own, &calls))
		due = take_due(&calls, time(NULL));
	if (due)
		rc = take_late(job, own, due, &calls);
	wish_calls_clear(&calls);
	nodeset_destroy(due);
	nodeset_destroy(own);
	return rc;
}

/* NULL: its nodes are not its own any more. */
static job_record_t *drop(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || !job->node_bitmap)
		return NULL;
	wish_over(job, (uint32_t)bit_set_count(job->node_bitmap));
	return job;
}

void wishes_drop(uint32_t job_id)
{
	(void)drop(job_id);
}

void wishes_begun(uint32_t job_id, const struct malleable_run *run)
{
	job_record_t *job = drop(job_id);

	if (job)
		malleable_run_put(job, run);
}
