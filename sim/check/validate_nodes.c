/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * validate_nodes: does a node have one job at a time, and memory enough for all that are there? The first is found by
 * a sweep over time with sets of nodes, as jobs that take turns have many spans; the second node by node, where
 * jobs need memory.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/nodeset.h"
#include "sim/check/validate_own.h"
#include "sim/run/change.h"

/* ---- spans ---- */

/* Called for each stretch of time that a job was on whole, named nodes. */
typedef void span_fn(struct check *c, size_t job, const struct sim_span *x, void *arg);

static void each_span(struct check *c, span_fn *fn, void *arg)
{
	for (size_t i = 0; i < c->s->w->count; i++) {
		const struct sim_outcome *o = &c->s->out[i];
		struct sim_span whole = { .from = o->start, .to = o->end, .nodes = o->nodes };

		if (!o->nodes)
			continue;
		for (size_t k = 0; o->history && k < o->history->n; k++)
			if (o->history->span[k].nodes &&
			    o->history->span[k].to > o->history->span[k].from)
				fn(c, i, &o->history->span[k], arg);
		if (!o->history && !o->shared && ran(o) && whole.to > whole.from)
			fn(c, i, &whole, arg);
	}
}

static void count_span(struct check *c, size_t job, const struct sim_span *x, void *arg)
{
	(void)c;
	(void)job;
	(void)x;
	++*(size_t *)arg;
}

/* ---- one job at a time ---- */

struct turn {
	int64_t from, to;
	const struct nodeset *nodes;
	size_t job;
};

struct turns {
	struct turn *v;
	size_t n;
};

static void add_turn(struct check *c, size_t job, const struct sim_span *x, void *arg)
{
	struct turns *t = arg;

	(void)c;
	if (!x->suspended)
		t->v[t->n++] = (struct turn){ x->from, x->to, x->nodes, job };
}

/* By time; what is given back first. NULL: no memory. */
static struct change *list_edges(const struct turns *t)
{
	struct change *v = change_list(2 * t->n);

	for (size_t i = 0; v && i < t->n; i++) {
		v[i] = (struct change){ t->v[i].to, -1, (uint32_t)i };
		v[t->n + i] = (struct change){ t->v[i].from, 1, (uint32_t)i };
	}
	if (v)
		change_sort(v, 2 * t->n, 2 * t->n);
	return v;
}

static void say_twice(struct check *c, const struct turn *t, const struct nodeset *busy)
{
	for (uint32_t n = nodeset_next(t->nodes, 0); n < nodeset_size(t->nodes);
	     n = nodeset_next(t->nodes, n + 1))
		if (nodeset_test(busy, n))
			violation(c,
				  "time %" PRId64 ": node %" PRIu32
				  ": in use by another job when job %" PRIu64 " has it",
				  t->from, n, c->s->w->job[t->job].id);
}

static void sweep(struct check *c, const struct turns *t, const struct change *edge,
		  struct nodeset *busy)
{
	for (size_t k = 0; k < 2 * t->n; k++) {
		const struct turn *x = &t->v[edge[k].mark];

		if (edge[k].used < 0) {
			nodeset_and_not(busy, x->nodes);
			continue;
		}
		if (nodeset_overlap(busy, x->nodes))
			say_twice(c, x, busy);
		nodeset_or(busy, x->nodes);
	}
}

static bool check_turns(struct check *c, size_t spans)
{
	struct turns t = { .v = malloc(spans * sizeof(*t.v)) };
	struct nodeset *busy = nodeset_create(c->s->nodes);
	struct change *edge = NULL;

	if (t.v)
		each_span(c, add_turn, &t);
	if (t.v && busy)
		edge = list_edges(&t);
	if (edge)
		sweep(c, &t, edge, busy);
	free(t.v);
	free(edge);
	nodeset_destroy(busy);
	return edge;
}

/* ---- memory ---- */

int64_t node_memory(const struct check *c, uint32_t node)
{
	int64_t has = c->s->memory ? c->s->memory : c->s->node ? c->s->node[node].memory : 0;

	return has ? has : INT64_MAX;
}

/* On a node so much more is in use from a time on. */
struct use {
	int64_t at, amount;
	uint32_t node, job;
};

struct uses {
	struct use *v;
	size_t n, room;
	bool failed;
};

/* By node, then time; what is given back first. */
static int by_node(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if ((x->amount > 0) != (y->amount > 0))
		return x->amount > 0 ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

static void add_use(struct uses *u, struct use x)
{
	if (u->n == u->room) {
		size_t room = u->room ? 2 * u->room : 1024;
		struct use *grown = realloc(u->v, room * sizeof(*grown));

		u->failed |= !grown;
		if (!grown)
			return;
		u->v = grown;
		u->room = room;
	}
	u->v[u->n++] = x;
}

/* Whether it runs or is suspended. */
static void add_memory(struct check *c, size_t job, const struct sim_span *x, void *arg)
{
	int64_t amount = c->s->w->job[job].memory;

	if (!amount)
		return;
	for (uint32_t n = nodeset_next(x->nodes, 0); n < nodeset_size(x->nodes);
	     n = nodeset_next(x->nodes, n + 1)) {
		add_use(arg, (struct use){ x->from, amount, n, (uint32_t)job });
		add_use(arg, (struct use){ x->to, -amount, n, (uint32_t)job });
	}
}

static bool check_memory(struct check *c)
{
	struct uses u = { 0 };
	int64_t used = 0;

	each_span(c, add_memory, &u);
	if (u.n && !u.failed)
		qsort(u.v, u.n, sizeof(*u.v), by_node);
	for (size_t k = 0; k < u.n && !u.failed; k++) {
		const struct use *x = &u.v[k];
		int64_t has = node_memory(c, x->node);

		if (!k || x->node != u.v[k - 1].node)
			used = 0;
		used += x->amount;
		if (x->amount > 0 && used > has)
			violation(c,
				  "time %" PRId64 ": node %" PRIu32 ": memory: %" PRId64
				  " in use of %" PRId64 " with job %" PRIu64,
				  x->at, x->node, used, has, c->s->w->job[x->job].id);
	}
	free(u.v);
	return !u.failed;
}

bool check_nodes(struct check *c)
{
	size_t spans = 0;

	each_span(c, count_span, &spans);
	return !spans ||
	       (check_turns(c, spans) && (!(c->s->memory || c->s->node) || check_memory(c)));
}
