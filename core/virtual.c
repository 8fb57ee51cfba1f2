/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * virtual: see virtual.h. What a change concerns:
 *   a job comes     those behind it in the order; a job that goes without a trace likewise
 *   a job starts    nobody where the schedule had it start now too; else its nodes are less room
 *   less room       the first seat whose time it overlaps and all behind; what does not overlap still
 *                   fits, and nothing fits earlier than before
 *   more room       the first seat that could reach into it by an earlier start, and all behind
 *   time goes by    the first seat whose start has passed, and all behind
 */
#include "virtual.h"

#include <string.h>

#include "state.h"

int virtual_init(struct virtual *v, const struct sched *s, enum dynp_order order,
		 enum dynp_priority priority)
{
	*v = (struct virtual){ .until = 0 };
	board_init(&v->board, order, priority);
	v->plan = plan_create(s->machine, s->now);
	v->fill = fill_create();
	return v->plan && v->fill ? 0 : -1;
}

void virtual_release(struct virtual *v)
{
	board_release(&v->board);
	plan_destroy(v->plan);
	fill_destroy(v->fill);
	v->plan = NULL;
	v->fill = NULL;
}

static void stale_from(struct virtual *v, size_t i)
{
	if (i < v->fresh)
		v->fresh = i;
}

int virtual_join(struct virtual *v, struct job *j)
{
	return board_add(&v->board, j);
}

static bool same_shares(const struct placement *a, const struct placement *b)
{
	return a->nshare == b->nshare &&
	       !memcmp(placement_shares(a), placement_shares(b), a->nshare * sizeof(struct share));
}

void virtual_leave(struct virtual *v, const struct job *j, const struct placement *as, int64_t now)
{
	ptrdiff_t i = board_find(&v->board, j);
	struct placement *at;

	if (i < 0)
		return;
	at = &v->board.v[i].at;
	if (as && at->start <= now && at->end == as->end && same_shares(at, as)) {
		/* what was its place in the plan is now its hold there */
		if ((size_t)i < v->fresh)
			v->fresh--;
	} else {
		if (v->based && plan_take(v->plan, at) < 0)
			v->based = false;
		stale_from(v, (size_t)i);
		if (as)
			virtual_room(v, now, as->end, -1);
	}
	board_remove(&v->board, (size_t)i);
}

void virtual_room(struct virtual *v, int64_t from, int64_t until, int sign)
{
	bool first = !v->widened && !v->narrowed;

	v->widened |= sign >= 0;
	v->narrowed |= sign <= 0;
	v->from = first || from < v->from ? from : v->from;
	v->until = first || until > v->until ? until : v->until;
	v->based = false;
}

void virtual_resort(struct virtual *v)
{
	stale_from(v, board_settle(&v->board));
	if (board_resort(&v->board))
		v->fresh = 0;
}

struct change {
	int64_t now, from, until;
	bool widened, narrowed;
	uint32_t classes;
};

static bool concerns(const struct change *c, const struct seat *x)
{
	int64_t earliest = x->not_before > c->now ? x->not_before : c->now;
	bool choice = false;

	if (x->at.start < c->now)
		return true;
	/* who may choose among nodes may choose others at the same time where there is more room */
	if (c->classes > 1)
		choice = x->job->req.nalt > 1 || x->job->req.alt[0]->classes > 1;
	if ((c->narrowed || choice) && x->at.start < c->until && x->at.end > c->from)
		return true;
	if (!c->widened || x->at.start <= earliest)
		return false;
	return earliest < c->until && plan_end(x->at.start - 1, x->duration) > c->from;
}

/* The fresh seats that the changes since the last update leave as they are. */
static void find_fresh(struct virtual *v, const struct sched *s)
{
	struct change c = { .now = s->now,
			    .from = v->from > s->now ? v->from : s->now,
			    .until = v->until,
			    .widened = v->widened && v->until > s->now,
			    .narrowed = v->narrowed && v->until > s->now,
			    .classes = machine_classes(s->machine) };

	if (v->listing != machine_listing(s->machine)) {
		v->fresh = 0;
		v->based = false;
	}
	for (size_t i = 0; i < v->fresh; i++) {
		if (concerns(&c, &v->board.v[i])) {
			v->fresh = i;
			return;
		}
	}
}

/* The plan with the fresh seats alone. */
static int open_plan(struct virtual *v, struct sched *s)
{
	size_t behind = v->board.n - v->fresh;

	/* one by one it costs as much per seat as placing it; in one sweep, much less for all */
	if (v->based && behind <= v->fresh / 8) {
		for (size_t i = v->fresh; i < v->board.n; i++) {
			if (plan_take(v->plan, &v->board.v[i].at) < 0)
				return -1;
			placement_clear(&v->board.v[i].at);
		}
		return 0;
	}
	for (size_t i = 0; i < v->fresh; i++)
		s->places[i] = &v->board.v[i].at;
	return plan_build(v->plan, holds_base(s->holds), s->places, v->fresh, -1);
}

/* The seats from `fresh` on at their earliest fits in the plan. 0 or -1. */
static int place_in_plan(struct virtual *v, struct sched *s)
{
	plan_advance(v->plan, s->now);
	if ((v->fresh < v->board.n || !v->based) && open_plan(v, s) < 0)
		return -1;
	for (; v->fresh < v->board.n; v->fresh++) {
		struct seat *x = &v->board.v[v->fresh];

		if (plan_earliest(v->plan, &x->job->req, s->now, PACT_FOREVER, &x->at) < 0 ||
		    plan_put(v->plan, &x->at) < 0)
			return -1;
	}
	v->based = true;
	v->filled = false;
	return 0;
}

/* The holds and the fresh seats. */
static int open_fill(struct virtual *v, const struct fill *base)
{
	v->filled = false;
	if (fill_copy(v->fill, base) < 0)
		return -1;
	for (size_t i = 0; i < v->fresh; i++) {
		const struct placement *at = &v->board.v[i].at;

		if (!placement_none(at) && fill_take(v->fill, at->start, at->end, at->u.one.n) < 0)
			return -1;
	}
	return 0;
}

static int place_one(struct virtual *v, struct seat *x, int64_t now)
{
	int64_t start = PACT_FOREVER;

	placement_clear(&x->at);
	if (x->alt >= 0 && fill_place(v->fill, x->not_before > now ? x->not_before : now,
				      x->duration, x->width, &start) < 0)
		return -1;
	if (start != PACT_FOREVER)
		x->at = (struct placement){ .start = start,
					    .end = plan_end(start, x->duration),
					    .alt = (uint32_t)x->alt,
					    .nshare = 1,
					    .u.one = { 0, x->width } };
	return 0;
}

/* The same in the fill. */
static int place_in_fill(struct virtual *v, const struct sched *s, const struct fill *base)
{
	v->based = false;
	if (v->fresh == v->board.n)
		return 0;
	if (open_fill(v, base) < 0)
		return -1;
	for (; v->fresh < v->board.n; v->fresh++) {
		if (place_one(v, &v->board.v[v->fresh], s->now) < 0)
			return -1;
	}
	v->filled = true;
	return 0;
}

int virtual_update(struct virtual *v, struct sched *s, const struct fill *base)
{
	v->filled = false;
	stale_from(v, board_settle(&v->board));
	find_fresh(v, s);
	if ((base ? place_in_fill(v, s, base) : place_in_plan(v, s)) < 0) {
		for (size_t i = 0; i < v->board.n; i++)
			placement_clear(&v->board.v[i].at);
		v->fresh = 0;
		v->based = false;
		return -1;
	}
	v->listing = machine_listing(s->machine);
	v->widened = v->narrowed = false;
	return 0;
}

int virtual_copy(struct virtual *v, struct plan *p, const struct sched *s, const struct fill *base)
{
	if (!base)
		return plan_copy(p, v->plan);
	if (!v->filled && open_fill(v, base) < 0)
		return -1;
	v->filled = true;
	return fill_close(v->fill, plan_profile(p, 0), plan_profile(holds_base(s->holds), 0));
}

size_t virtual_bytes(const struct virtual *v)
{
	return plan_bytes(v->plan) + fill_bytes(v->fill) + v->board.room * sizeof(*v->board.v);
}
