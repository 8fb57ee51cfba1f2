/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cause.c - what keeps a waiting job from its nodes
 */
#include "slurm/acting/cause.h"

#include <stdlib.h>

struct causes {
	const struct snapshot *snap;
	int64_t guard;
	struct nodeset *busy;  /* of running jobs */
	struct nodeset *whole; /* of those that leave nothing of their nodes to others */
	/* of the job that is asked about */
	struct nodeset *reserved, *region, *rest;
};

void causes_close(struct causes *c)
{
	if (!c)
		return;
	nodeset_destroy(c->busy);
	nodeset_destroy(c->whole);
	nodeset_destroy(c->reserved);
	nodeset_destroy(c->region);
	nodeset_destroy(c->rest);
	free(c);
}

struct causes *causes_open(const struct snapshot *snap, int64_t guard)
{
	struct causes *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	*c = (struct causes){ .snap = snap,
			      .guard = guard,
			      .busy = nodeset_create(snap->nodes),
			      .whole = nodeset_create(snap->nodes),
			      .reserved = nodeset_create(snap->nodes),
			      .region = nodeset_create(snap->nodes),
			      .rest = nodeset_create(snap->nodes) };
	if (!c->busy || !c->whole || !c->reserved || !c->region || !c->rest) {
		causes_close(c);
		return NULL;
	}
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->state != SNAP_RUNNING)
			continue;
		nodeset_or(c->busy, j->nodes);
		if (!j->partly)
			nodeset_or(c->whole, j->nodes);
	}
	return c;
}

static void region_of(const struct snap_job *j, struct nodeset *all)
{
	nodeset_clear(all);
	for (uint32_t i = 0; i < j->what.nalt; i++)
		if (nodeset_size(j->what.alt[i]) == nodeset_size(all))
			nodeset_or(all, j->what.alt[i]);
}

struct nodeset *cause_region(const struct snapshot *snap, const struct snap_job *j)
{
	struct nodeset *all = nodeset_create(snap->nodes);

	if (all)
		region_of(j, all);
	return all;
}

static bool before_end(const struct causes *c, const struct snap_job *j,
		       const struct snap_resv *resv)
{
	int64_t now = c->snap->now, limit = j->what.limit;

	return resv->end > now && (limit >= PACT_FOREVER || resv->start - now < limit + c->guard);
}

bool causes_in_way(const struct causes *c, const struct snap_job *j, const struct snap_resv *resv)
{
	if (!before_end(c, j, resv))
		return false;
	for (uint32_t i = 0; i < j->what.nalt; i++)
		if (nodeset_size(j->what.alt[i]) == nodeset_size(resv->nodes) &&
		    nodeset_overlap(j->what.alt[i], resv->nodes))
			return true;
	return false;
}

/* Would it have its nodes in one of its partitions, if these (or NULL) were all that is not to be had? */
static bool enough(struct causes *c, const struct description *what, const struct nodeset *lost,
		   const struct nodeset *more)
{
	for (uint32_t i = 0; i < what->nalt; i++) {
		if (nodeset_size(what->alt[i]) != nodeset_size(c->rest))
			continue;
		nodeset_copy(c->rest, what->alt[i]);
		if (lost)
			nodeset_and_not(c->rest, lost);
		if (more)
			nodeset_and_not(c->rest, more);
		if ((int64_t)nodeset_count(c->rest) >= what->width &&
		    (!what->required || nodeset_subset(what->required, c->rest)))
			return true;
	}
	return false;
}

/* Nodes are not free for as long as it would run: of running jobs, reserved, or lost ones? */
static enum cause_why held_by(struct causes *c, const struct snap_job *j)
{
	const struct nodeset *down = c->snap->down;

	/* What is in the way already without the others is the cause. */
	if (!enough(c, &j->what, NULL, NULL))
		return CAUSE_PLAN;
	if (!enough(c, &j->what, down, NULL))
		return CAUSE_DOWN;
	if (!enough(c, &j->what, down, c->busy))
		return enough(c, &j->what, down, c->whole) ? CAUSE_PARTS : CAUSE_PLAN;
	return nodeset_empty(c->reserved) ? CAUSE_PLAN : CAUSE_RESERVED;
}

/* Take a part out of what is left of the region, and count it. */
static uint32_t part(struct nodeset *rest, struct nodeset *scratch, const struct nodeset *of)
{
	nodeset_copy(scratch, rest);
	nodeset_and(scratch, of);
	nodeset_and_not(rest, of);
	return nodeset_count(scratch);
}

static void find_reservations(struct causes *c, const struct snap_job *j, struct cause *out)
{
	nodeset_clear(c->reserved);
	for (size_t i = 0; i < c->snap->nresvs; i++) {
		const struct snap_resv *resv = &c->snap->resvs[i];

		if (!causes_in_way(c, j, resv))
			continue;
		nodeset_or(c->reserved, resv->nodes);
		if (!out->resv || resv->end > out->resv->end)
			out->resv = resv;
	}
}

void causes_find(struct causes *c, const struct snap_job *j, bool planned, enum sched_wait why,
		 struct cause *out)
{
	*out = (struct cause){ .why = CAUSE_PLAN };
	find_reservations(c, j, out);
	if (!j->runnable && j->what.waits)
		out->why = CAUSE_PARTITION;
	else if (planned && (why == SCHED_WAIT_RESOURCES || why == WAIT_NEVER))
		out->why = held_by(c, j);
	if (out->why != CAUSE_RESERVED)
		out->resv = NULL;
	region_of(j, c->region);
	out->usable = nodeset_count(c->region);
	out->down = part(c->region, c->rest, c->snap->down);
	out->busy = part(c->region, c->rest, c->whole);
	out->partly = part(c->region, c->rest, c->busy);
	out->busy += out->partly;
	out->reserved = part(c->region, c->rest, c->reserved);
	out->idle = nodeset_count(c->region);
}
