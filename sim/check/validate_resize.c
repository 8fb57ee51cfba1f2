/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_resize: of jobs whose width changes while they run: is notice kept, their first node, and the floor of a promise? */
#include <inttypes.h>

#include "core/base/nodeset.h"
#include "sim/check/validate_own.h"

__extension__ typedef __int128 signed_amount;

/* ---- notice ---- */

/* 0: none. */
static int64_t grace_of(const struct check *c, const struct sim_job *j)
{
	int64_t own = j->grace < c->s->own_grace ? j->grace : c->s->own_grace;

	return own ? own : c->s->grace;
}

/* It gave the node back then, or its notice was over. */
static bool may_leave(const struct sim_notices *x, uint32_t node, int64_t at, int64_t grace)
{
	for (size_t i = 0; x && i < x->n; i++) {
		const struct sim_notice *n = &x->v[i];

		if (n->left != at || !nodeset_test(n->nodes, node))
			continue;
		if (n->gives == at ? at >= n->told : at == n->due && n->due - n->told >= grace)
			return true;
	}
	return false;
}

/* Of what it had before, each node that it has not from this span on. */
static void check_taken(struct check *c, size_t i, size_t k, int64_t grace)
{
	const struct sim_outcome *o = &c->s->out[i];
	const struct sim_span *x = &o->history->span[k];
	const struct nodeset *before = x[-1].nodes;

	for (uint32_t n = nodeset_next(before, 0); n < nodeset_size(before);
	     n = nodeset_next(before, n + 1)) {
		if (!nodeset_test(x->nodes, n) && !may_leave(o->notices, n, x->from, grace))
			violation(c,
				  "job %" PRIu64 ": node %" PRIu32 " was taken at %" PRId64
				  ", and it had not given it back and was not told %" PRId64
				  " s before",
				  c->s->w->job[i].id, n, x->from, grace);
	}
}

static void check_given_back(struct check *c, size_t i)
{
	const struct sim_outcome *o = &c->s->out[i];

	for (size_t k = 0; o->notices && k < o->notices->n; k++) {
		const struct sim_notice *n = &o->notices->v[k];
		int64_t until = n->left < 0 ? o->end : n->left;

		if (until > n->due)
			violation(c,
				  "job %" PRIu64 " had nodes until %" PRId64
				  " that it was to give back by %" PRId64,
				  c->s->w->job[i].id, until, n->due);
	}
}

/* Its batch script runs on the lowest node that it was started on. */
static void check_first(struct check *c, size_t i)
{
	const struct sim_history *h = c->s->out[i].history;
	uint32_t first = h->first;

	for (size_t k = 0; k < h->n; k++) {
		if (nodeset_test(h->span[k].nodes, first))
			continue;
		violation(c,
			  "job %" PRIu64 " had to give back its first node, %" PRIu32
			  ", at %" PRId64,
			  c->s->w->job[i].id, first, h->span[k].from);
		return;
	}
}

/* ---- the floor ---- */

/*
 * While it had `width` nodes from then on: would it by its estimate be done by its deadline if it kept them? `done`: units of
 * work up to then.
 */
static void check_floor(struct check *c, const struct sim_job *j, const struct sim_span *x,
			signed_amount due, signed_amount done)
{
	signed_amount able =
		(signed_amount)work_rate(j->speedup, x->width) * (j->deadline - x->from);

	if (done < due && able < due - done)
		violation(c,
			  "job %" PRIu64 " had %" PRId32 " nodes from %" PRId64
			  " on, with which it would miss its deadline",
			  j->id, x->width, x->from);
}

static void check_floors(struct check *c, size_t i)
{
	const struct sim_job *j = &c->s->w->job[i];
	const struct sim_history *h = c->s->out[i].history;
	signed_amount whole = work_rate(j->speedup, j->width), due = whole * j->estimate, done = 0;

	for (size_t k = 0; k < h->n; k++) {
		const struct sim_span *x = &h->span[k];

		if (x->to <= x->from)
			continue;
		due += whole * x->lost;
		check_floor(c, j, x, due, done);
		if (!x->suspended)
			done += (signed_amount)work_rate(j->speedup, x->width) * (x->to - x->from);
	}
}

void check_resizes(struct check *c)
{
	for (size_t i = 0; i < c->s->w->count; i++) {
		const struct sim_job *j = &c->s->w->job[i];
		const struct sim_outcome *o = &c->s->out[i];
		int64_t grace = grace_of(c, j);

		if (!j->most || !o->history || !ran(o))
			continue;
		for (size_t k = 1; grace && o->nodes && k < o->history->n; k++)
			check_taken(c, i, k, grace);
		if (o->nodes)
			check_first(c, i);
		check_given_back(c, i);
		if (o->promised && !o->broken && j->deadline)
			check_floors(c, i);
	}
}
