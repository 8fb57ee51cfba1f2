/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remap: carry the placements over to new classes, each at the very time it has.
 *
 * Naming a node set that no job had named before splits classes, and what was planned on a class must
 * then be told apart by its parts. Earliest fits anew would not do: they may fragment the parts, delay
 * jobs and break promises, for a mere question. But a job that shares a class with others is as good
 * on any of its nodes; given nodes in the order of their starts, jobs always find enough (profile.h). So
 * each placement gets nodes of its old class, for once by name, and is counted in their new classes.
 *
 * The nodes of one class differ only in what holds them now: a block that begins later has classes of
 * its own (EV_BLOCK). So one time per node says all: until when it is taken.
 */
#include <stdlib.h>
#include <string.h>

#include "core/planning/arrange/arrange.h"

struct remap {
	struct planner *s;
	uint32_t nodes, old_classes, new_classes;
	int64_t *until;	  /* per node: taken until then */
	uint32_t *member; /* nodes sorted by old class, least wanted new class first */
	uint32_t *first;  /* per old class, where its nodes begin in member */
	int32_t *count;	  /* per new class: nodes of the placement at hand */
	struct job **jobs;
	size_t n;
};

static void remap_free(struct remap *r)
{
	free(r->until);
	free(r->member);
	free(r->first);
	free(r->count);
	free(r->jobs);
}

int remap_note(struct planner *s)
{
	uint32_t nodes = machine_nodes(s->machine);

	if (!s->class_of) {
		s->class_of = malloc(nodes * sizeof(*s->class_of));
		if (!s->class_of)
			return -1;
	}
	for (uint32_t n = 0; n < nodes; n++)
		s->class_of[n] = machine_class_of(s->machine, n);
	s->classes = machine_classes(s->machine);
	s->generation = machine_generation(s->machine);
	return 0;
}

static int remap_alloc(struct remap *r)
{
	r->until = malloc(r->nodes * sizeof(*r->until));
	r->member = malloc(r->nodes * sizeof(*r->member));
	r->first = calloc(r->old_classes + 1, sizeof(*r->first));
	r->count = calloc(r->new_classes, sizeof(*r->count));
	r->jobs = malloc((r->s->queue.n + 1) * sizeof(*r->jobs));
	return r->until && r->member && r->first && r->count && r->jobs ? 0 : -1;
}

/* Group the nodes by old class; within it by how many regions want them, then by number. */
static void group_nodes(struct remap *r)
{
	const struct machine *m = r->s->machine;
	uint32_t at = 0;

	for (uint32_t c = 0; c < r->old_classes; c++) {
		r->first[c] = at;
		for (uint32_t n = 0; n < r->nodes; n++) {
			uint32_t i = at;

			if (r->s->class_of[n] != c)
				continue;
			for (; i > r->first[c] &&
			       machine_demand(m, r->member[i - 1]) > machine_demand(m, n);
			     i--)
				r->member[i] = r->member[i - 1];
			r->member[i] = n;
			at++;
		}
	}
	r->first[r->old_classes] = at;
}

static void find_free(struct remap *r)
{
	const struct planner *s = r->s;
	const struct job *j = s->starting;
	int64_t gap[1][2];

	for (uint32_t n = 0; n < r->nodes; n++) {
		int gaps = holds_node_gaps(s->holds, n, s->now, PACT_FOREVER, gap, 1);

		r->until[n] = gaps ? gap[0][0] : PACT_FOREVER;
		if (j && j->opaque && nodeset_test(s->allowed, n) && r->until[n] < s->start_end)
			r->until[n] = s->start_end;
	}
}

/* Nodes for a placement, counted in r->count. False: there are not enough (holds collide with it). */
static bool pick_nodes(struct remap *r, const struct placement *p)
{
	const struct share *share = placement_shares(p);
	int64_t start = p->start > r->s->now ? p->start : r->s->now;

	memset(r->count, 0, r->new_classes * sizeof(*r->count));
	for (uint32_t i = 0; i < p->nshare; i++) {
		uint32_t c = share[i].cls;
		int32_t left = share[i].n;

		for (uint32_t k = r->first[c]; k < r->first[c + 1] && left > 0; k++) {
			uint32_t n = r->member[k];

			if (r->until[n] > start)
				continue;
			r->until[n] = p->end;
			r->count[machine_class_of(r->s->machine, n)]++;
			left--;
		}
		if (left)
			return false;
	}
	return true;
}

/* The counts become the placement's shares. 0 or -1: no memory. */
static int write_shares(struct remap *r, struct placement *p)
{
	struct share *many = NULL, one = { 0, 0 };
	uint32_t n = 0;

	for (uint32_t c = 0; c < r->new_classes; c++)
		n += r->count[c] > 0;
	if (n > 1) {
		many = malloc(n * sizeof(*many));
		if (!many)
			return -1;
	}
	n = 0;
	for (uint32_t c = 0; c < r->new_classes; c++) {
		if (!r->count[c])
			continue;
		one = (struct share){ c, r->count[c] };
		if (many)
			many[n] = one;
		n++;
	}
	if (p->nshare > 1)
		free(p->u.many);
	p->nshare = n;
	if (many)
		p->u.many = many;
	else
		p->u.one = one;
	return 0;
}

/* A placement that its nodes were taken from: repair finds another, at this time if possible. */
static void forget_shares(struct planner *s, struct placement *p)
{
	struct placement bare;

	placement_init(&bare);
	bare.start = p->start;
	bare.end = p->end;
	placement_clear(p);
	if (s->policy->keeps) {
		*p = bare;
		s->tightened = true;
	}
}

/*
 * Some have been counted in the new classes and some have not: no job's shares mean anything, nor does what was set
 * aside for a start, whose classes the plan may not even have any more.
 */
static void forget_all(struct planner *s)
{
	s->stale = true;
	s->start_reserve_n = 0;
	for (size_t i = 0; i < s->queue.n; i++) {
		if (s->queue.v[i] && s->queue.v[i]->place.nshare)
			forget_shares(s, &s->queue.v[i]->place);
	}
}

static int carry_over(struct remap *r)
{
	struct planner *s = r->s;

	for (size_t i = 0; i < s->queue.n; i++) {
		struct job *j = s->queue.v[i];

		if (j && j->place.nshare)
			r->jobs[r->n++] = j;
	}
	order_by_start(r->jobs, r->n, s->trial.items);
	for (size_t i = 0; i < r->n; i++) {
		struct placement *p = &r->jobs[i]->place;

		if (!pick_nodes(r, p))
			forget_shares(s, p);
		else if (write_shares(r, p) < 0 || plan_put(s->plan, p) < 0)
			return -1;
	}
	return 0;
}

int remap(struct planner *s)
{
	struct remap r = { .s = s,
			   .nodes = machine_nodes(s->machine),
			   .old_classes = s->classes,
			   .new_classes = machine_classes(s->machine) };
	int rc = -1;

	agenda_spoil(s);
	s->news.places++;
	compress_forget(s);
	if (holds_rebuild(s->holds, s->now) == 0 && plan_copy(s->plan, holds_base(s->holds)) == 0 &&
	    remap_alloc(&r) == 0) {
		group_nodes(&r);
		find_free(&r);
		rc = carry_over(&r);
	}
	if (rc == 0)
		rc = start_reopen(s);
	if (rc == 0)
		rc = remap_note(s);
	if (rc == 0)
		s->stale = false;
	else
		forget_all(s);
	remap_free(&r);
	return rc;
}
