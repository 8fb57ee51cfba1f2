/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wishes.c - what the planner wants of a running job's nodes, done or asked for
 */
#include "slurm/resizing/wishes.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"

static struct nodeset *nodes_of(const job_record_t *job)
{
	return job && job->node_bitmap ? region_from_bitmap(job->node_bitmap) : NULL;
}

static enum wishes_rc refused(uint32_t job_id, enum resize_rc rc, const char *what, const char *why)
{
	info("%s: JobId=%u: %s: %s", scheduler_type(), job_id, what, why);
	return rc == RESIZE_NEVER ? WISHES_NEVER : WISHES_REFUSED;
}

/* Nodes are taken. */
static enum resize_rc take(job_record_t *job, const struct nodeset *keep,
			   const struct nodeset *leave, char *why)
{
	uint32_t width = nodeset_count(keep);
	enum resize_rc rc = resize_shrink(job->job_id, keep, why, RESIZE_WHY);

	if (rc != RESIZE_DONE)
		return rc;
	wish_put_in(job, width, 0, leave);
	info("%s: JobId=%u: nodes were taken from it, it has %u", scheduler_type(), job->job_id,
	     width);
	return rc;
}

/* Nodes are given back or taken. */
static enum wishes_rc shrink(job_record_t *job, const struct nodeset *keep,
			     const struct nodeset *leave, int64_t by)
{
	char why[RESIZE_WHY];
	uint32_t job_id = job->job_id;
	enum resize_rc rc;

	if (by > time(NULL)) {
		/* what could not be taken when the notice is over is not asked for */
		rc = resize_may_shrink(job_id, keep, why, sizeof(why));
		if (rc == RESIZE_NEVER)
			return refused(job_id, rc, "it is asked for no nodes", why);
		return wish_put_in(job, nodeset_count(keep), by, leave) ? WISHES_LEAVING
									: WISHES_REFUSED;
	}
	rc = take(job, keep, leave, why);
	return rc == RESIZE_DONE ? WISHES_LEAVING
				 : refused(job_id, rc, "no nodes are taken from it", why);
}

static enum wishes_rc grow(job_record_t *job, const struct nodeset *more)
{
	char why[RESIZE_WHY];
	uint32_t job_id = job->job_id;
	enum resize_rc rc = resize_grow(job_id, more, why, sizeof(why));

	if (rc == RESIZE_BUSY)
		return WISHES_BUSY;
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
			rc = shrink(job, keep, leave, by);
		else if (!nodeset_empty(more))
			rc = grow(job, more);
		else /* what it was asked for before it may keep */
			rc = wish_put_in(job, nodeset_count(to), 0, NULL) ? WISHES_RESIZED
									  : WISHES_REFUSED;
	}
	nodeset_destroy(keep);
	nodeset_destroy(leave);
	nodeset_destroy(more);
	return rc;
}

enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to, int64_t by,
			  struct nodeset **has)
{
	job_record_t *job = find_job_record(job_id);
	struct nodeset *own = job && IS_JOB_RUNNING(job) ? nodes_of(job) : NULL;
	enum wishes_rc rc = own ? ask(job, to, by, own) : WISHES_REFUSED;

	nodeset_destroy(own);
	*has = rc == WISHES_RESIZED || rc == WISHES_BUSY ? nodes_of(find_job_record(job_id)) : NULL;
	return rc;
}

/* It is not all that it has. */
static enum wishes_rc take_late(job_record_t *job, const struct nodeset *keep,
				const struct nodeset *own)
{
	struct nodeset *leave = nodeset_dup(own);
	char why[RESIZE_WHY];
	enum resize_rc rc = RESIZE_LATER;

	if (leave) {
		nodeset_and_not(leave, keep);
		rc = take(job, keep, leave, why);
	}
	nodeset_destroy(leave);
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
	struct nodeset *own = job && IS_JOB_RUNNING(job) ? nodes_of(job) : NULL, *keep;
	enum wishes_rc rc = WISHES_RESIZED;
	int64_t by;

	keep = own ? wish_keeps(job, own, &by) : NULL;
	if (keep && by <= time(NULL))
		rc = take_late(job, keep, own);
	nodeset_destroy(keep);
	nodeset_destroy(own);
	return rc;
}
