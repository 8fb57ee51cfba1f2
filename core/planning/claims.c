/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims: the nodes of what runs, and names for those of what is planned, for an engine beside this one
 * (kernel/engine.h).
 *
 * A place is a number of nodes of each class. It gets names in the order of planned starts: nodes that nothing holds,
 * and no place before it has, while it lasts; the highest numbers first, or in the order that is asked for. There always are enough, as by counts there
 * are: of holds that only end, and of places that begin later, none can take a node that is free at a start, and what
 * is lost or reserved from a later time on has classes of its own (running.c). Only while the plan is about to be
 * repaired may a place be without names, and is left out.
 *
 * Names follow from holds and places alone, and may be others each time.
 */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/planning/planning.h"

struct named {
	struct engine_claim claim;
	struct nodeset *nodes; /* its own; the list keeps it for the next time */
};

struct claims {
	struct named *v;
	size_t n, room;
	const struct job **order;
	size_t order_room;
	int64_t *until; /* of each node: it is free from then on */
	uint32_t nodes;
};

void claims_destroy(struct claims *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->room; i++)
		nodeset_destroy(c->v[i].nodes);
	free(c->v);
	free(c->order);
	free(c->until);
	free(c);
}

size_t claims_bytes(const struct claims *c)
{
	return sizeof(*c) + c->room * (sizeof(*c->v) + c->nodes / 8 + 16) +
	       c->order_room * sizeof(*c->order) + c->nodes * sizeof(*c->until);
}

/* Room for all that run and wait. NULL: no memory. */
static struct claims *claims_room(struct planner *s, size_t running)
{
	size_t need = running + s->queue.n + 1;

	if (!s->claims) {
		s->claims = calloc(1, sizeof(*s->claims));
		if (!s->claims)
			return NULL;
		s->claims->nodes = machine_nodes(s->machine);
	}
	struct claims *c = s->claims;

	if (!c->until)
		c->until = calloc(c->nodes, sizeof(*c->until));
	if (need > c->order_room) {
		if (array_grow(&c->order, 2 * need, sizeof(*c->order)) < 0)
			return NULL;
		c->order_room = 2 * need;
	}
	if (need > c->room && array_grow(&c->v, 2 * need, sizeof(*c->v)) < 0)
		return NULL;
	for (; c->room < need; c->room++) {
		struct nodeset *nodes = nodeset_create(c->nodes);

		if (!nodes)
			return NULL;
		c->v[c->room] = (struct named){ .nodes = nodes };
	}
	c->n = 0;
	return c->until ? c : NULL;
}

static bool is_told(const struct planner *s, const struct hold *x, const struct engine_claims *how)
{
	if (!x->nodes || (x->block && !how->blocks))
		return false;
	return !how->idle || x->start > s->now;
}

static size_t count_running(const struct planner *s, const struct engine_claims *how)
{
	const struct hold *x;
	size_t n = 0;

	for (size_t i = 0; (x = holds_next(s->holds, &i));)
		n += is_told(s, x, how);
	return n;
}

/* What runs, and until when each node is held by what holds it now. */
static void claim_running(struct planner *s, struct claims *c, const struct engine_claims *how)
{
	const struct hold *x;

	if (how->idle)
		nodeset_clear(how->idle);
	for (uint32_t n = 0; n < c->nodes; n++) {
		c->until[n] = holds_node_until(s->holds, n, s->now);
		if (how->idle && !c->until[n])
			nodeset_set(how->idle, n);
	}
	for (size_t i = 0; (x = holds_next(s->holds, &i));) {
		if (!is_told(s, x, how))
			continue;
		c->v[c->n++].claim = (struct engine_claim){ .id = x->id,
							    .start = x->start,
							    .end = x->end,
							    .nodes = x->nodes,
							    .block = x->block };
	}
}

static int by_start(const void *a, const void *b)
{
	const struct job *x = *(const struct job *const *)a, *y = *(const struct job *const *)b;

	if (x == y)
		return 0;
	return job_starts_before(x, y) ? -1 : 1;
}

/*
 * So many nodes of the class for that time, in the order asked for, else the highest numbers first, into set. False: they are
 * too few.
 */
static bool name_share(const struct planner *s, const struct claims *c,
		       const struct engine_claims *how, const struct share *share, int64_t start,
		       int64_t end, struct nodeset *set)
{
	bool only_end = holds_only_end(s->holds, s->now);
	int32_t missing = share->n;

	for (uint32_t i = 0; i < c->nodes && missing; i++) {
		uint32_t n = how->order ? how->order(how->arg, i) : c->nodes - 1 - i;

		if (c->until[n] > start || machine_class_of(s->machine, n) != share->cls ||
		    (!only_end && !holds_node_free(s->holds, n, start, end)))
			continue;
		nodeset_set(set, n);
		missing--;
	}
	return !missing;
}

static void claim_place(struct planner *s, struct claims *c, const struct job *j,
			const struct engine_claims *how)
{
	const struct share *share = placement_shares(&j->place);
	struct named *x = &c->v[c->n];
	int64_t start = j->place.start > s->now ? j->place.start : s->now;
	bool all = true;

	nodeset_clear(x->nodes);
	for (uint32_t i = 0; i < j->place.nshare && all; i++)
		all = name_share(s, c, how, &share[i], start, j->place.end, x->nodes);
	if (!all)
		return;
	for (uint32_t n = nodeset_next(x->nodes, 0); n < c->nodes;
	     n = nodeset_next(x->nodes, n + 1))
		c->until[n] = j->place.end;
	x->claim = (struct engine_claim){ .id = j->id,
					  .start = j->place.start,
					  .end = j->place.end,
					  .nodes = x->nodes,
					  .waits = true };
	c->n++;
}

/* Those that are to have names, by their starts, into c->order. How many. */
static size_t list_places(struct planner *s, struct claims *c, struct engine_claims *how)
{
	size_t n = 0;

	how->next = PACT_FOREVER;
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (!j || placement_none(&j->place) || !j->place.nshare)
			continue;
		if (j->place.start < how->before)
			c->order[n++] = j;
		else if (j->place.start < how->next)
			how->next = j->place.start;
	}
	if (n)
		qsort(c->order, n, sizeof(*c->order), by_start);
	return n;
}

size_t planner_claims(void *own, struct engine_claims *how)
{
	struct engine_claims usual = { .before = PACT_FOREVER };
	struct planner *s = own;
	struct claims *c;
	size_t n;

	how = how ? how : &usual;
	c = claims_room(s, count_running(s, how));
	if (!c)
		return SIZE_MAX;
	claim_running(s, c, how);
	n = list_places(s, c, how);
	for (size_t i = 0; i < n; i++)
		claim_place(s, c, c->order[i], how);
	return c->n;
}

void planner_claim(void *own, size_t i, struct engine_claim *c)
{
	const struct planner *s = own;

	*c = s->claims->v[i].claim;
}
