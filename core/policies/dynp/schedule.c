/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule: see schedule.h. What a change concerns:
 *   a job comes     those behind it in the order; a job that goes without a trace likewise
 *   a job starts    none where the schedule had it start now too; else its nodes are less room
 *   less room       the first assignment whose time it overlaps and all behind; what does not overlap still
 *                   fits, and nothing fits earlier than before
 *   more room       the first assignment that could reach into it by an earlier start, and all behind
 *   time goes by    the first assignment whose start has passed, and all behind
 *
 * To place all anew in each step takes dynP 11 % more instructions (2,000 jobs of the SDSC log) to 20 % (1,500 of a
 * model at load 2).
 */
#include "core/policies/dynp/schedule.h"

#include <string.h>

#include "core/planning/state/planner.h"

int schedule_init(struct schedule *v, const struct planner *s, enum dynp_order order,
		  enum dynp_priority priority)
{
	*v = (struct schedule){ .taken = 0 };
	sorted_queue_init(&v->sorted, order, priority);
	v->plan = plan_create(s->machine, s->now);
	v->fill = fill_create();
	return v->plan && v->fill ? 0 : -1;
}

void schedule_release(struct schedule *v)
{
	sorted_queue_release(&v->sorted);
	plan_destroy(v->plan);
	fill_destroy(v->fill);
	v->plan = NULL;
	v->fill = NULL;
}

static void stale_from(struct schedule *v, size_t i)
{
	if (i < v->fresh)
		v->fresh = i;
}

int schedule_join(struct schedule *v, struct job *j)
{
	return sorted_queue_add(&v->sorted, j);
}

static bool same_shares(const struct placement *a, const struct placement *b)
{
	return a->nshare == b->nshare &&
	       !memcmp(placement_shares(a), placement_shares(b), a->nshare * sizeof(struct share));
}

void schedule_leave(struct schedule *v, const struct job *j, const struct placement *as,
		    int64_t now)
{
	ptrdiff_t i = sorted_queue_find(&v->sorted, j);
	struct placement *at;

	if (i < 0)
		return;
	at = &v->sorted.v[i].at;
	if (as && at->start <= now && at->end == as->end && same_shares(at, as)) {
		/* what was its place in the plan is now its hold there */
		if ((size_t)i < v->fresh)
			v->fresh--;
		v->filled &= (size_t)i < v->taken;
		v->taken -= v->filled;
	} else {
		v->filled &= (size_t)i >= v->taken;
		if (!placement_none(at))
			hull_add(&v->gone, at->start, at->end);
		if (v->based && plan_take(v->plan, at) < 0)
			v->based = false;
		stale_from(v, (size_t)i);
		if (as)
			schedule_room(v, now, as->end, -1);
	}
	sorted_queue_remove(&v->sorted, (size_t)i);
}

void schedule_room(struct schedule *v, int64_t from, int64_t until, int sign)
{
	if (sign >= 0)
		hull_add(&v->gain, from, until);
	if (sign <= 0)
		hull_add(&v->loss, from, until);
	v->based = v->filled = false;
}

/* New assignments take their places in the order. */
static void arrange_sorted(struct schedule *v)
{
	size_t first = sorted_queue_arrange(&v->sorted);

	stale_from(v, first);
	v->filled &= first >= v->taken;
}

void schedule_resort(struct schedule *v)
{
	arrange_sorted(v);
	if (sorted_queue_resort(&v->sorted)) {
		v->fresh = 0;
		v->filled = false;
		v->shuffled = true;
	}
}

/* What changed, from the first assignment to the one looked at. */
#define KNOWN 6

struct change {
	int64_t now;
	uint32_t classes;
	struct hull gain, loss;
	/*
	 * Assignments so far that start behind all gains. A job as wide and as long as one of them that comes
	 * later in the order starts no earlier than it does, and where it could the gains do not reach.
	 */
	struct {
		int32_t width;
		int64_t duration, start;
	} known[KNOWN];
	unsigned knows, next;
};

static bool starts_behind_gains(const struct change *c, const struct assignment *x)
{
	for (unsigned k = 0; k < c->knows; k++) {
		if (c->known[k].width <= x->width && c->known[k].duration <= x->duration)
			return true;
	}
	return false;
}

/* An assignment that was placed. Those that were not concerned tell nothing new. */
static void note(struct change *c, const struct assignment *x)
{
	if (hull_none(&c->gain) || x->at.start < c->gain.until || x->not_before > c->now ||
	    starts_behind_gains(c, x))
		return;
	c->known[c->next].width = x->width;
	c->known[c->next].duration = x->duration;
	c->known[c->next].start = x->at.start;
	c->next = (c->next + 1) % KNOWN;
	c->knows += c->knows < KNOWN;
}

/* There is more room, maybe where assignments start that started behind all gains so far. */
static void gain_room(struct change *c, int64_t from, int64_t until)
{
	unsigned n = 0;

	hull_add(&c->gain, from, until);
	for (unsigned k = 0; k < c->knows; k++) {
		if (c->known[k].start >= c->gain.until)
			c->known[n++] = c->known[k];
	}
	if (n == c->knows)
		return;
	c->knows = n;
	c->next = n;
}

static bool overlaps(const struct hull *h, const struct placement *at)
{
	return at->start < h->until && at->end > h->from && !hull_none(h);
}

/* May the assignment have another place now? It has one, and its start has not passed. */
static inline bool concerns(const struct change *c, const struct assignment *x)
{
	int64_t earliest = x->not_before > c->now ? x->not_before : c->now;

	if (overlaps(&c->loss, &x->at))
		return true;
	/* a job that may choose among nodes may choose others at the same time where there is more room */
	if (c->classes > 1 && (x->job->req.nalt > 1 || x->job->req.alt[0]->classes > 1) &&
	    overlaps(&c->gain, &x->at))
		return true;
	if (hull_none(&c->gain) || x->at.start <= earliest || earliest >= c->gain.until ||
	    plan_end(x->at.start - 1, x->duration) <= c->gain.from)
		return false;
	return !starts_behind_gains(c, x);
}

/* The first assignment from i on that may have another place now, or has none, or `n`. */
static size_t next_concerned(const struct change *c, const struct assignment *v, size_t i, size_t n)
{
	for (; i < n; i++) {
		if (placement_none(&v[i].at) || v[i].at.start < c->now || concerns(c, &v[i]))
			break;
	}
	return i;
}

static struct change open_change(const struct schedule *v, const struct planner *s)
{
	return (struct change){ .now = s->now,
				.classes = machine_classes(s->machine),
				.gain = v->gain,
				.loss = v->loss };
}

/* The fresh assignments that the changes since the last update leave as they are. */
static void find_fresh(struct schedule *v, const struct planner *s)
{
	struct change c = open_change(v, s);

	for (size_t i = 0; i < v->fresh; i++) {
		struct assignment *x = &v->sorted.v[i];

		if (x->at.start < s->now || concerns(&c, x)) {
			v->fresh = i;
			return;
		}
	}
}

/* The plan with the fresh assignments alone. */
static int open_plan(struct schedule *v, struct planner *s)
{
	size_t behind = v->sorted.n - v->fresh;

	/* one by one it costs as much per assignment as placing it; in one sweep, much less for all */
	if (v->based && behind <= v->fresh / 8) {
		for (size_t i = v->fresh; i < v->sorted.n; i++) {
			if (plan_take(v->plan, &v->sorted.v[i].at) < 0)
				return -1;
			placement_clear(&v->sorted.v[i].at);
		}
		return 0;
	}
	for (size_t i = 0; i < v->fresh; i++)
		s->trial.places[i] = &v->sorted.v[i].at;
	return plan_build(v->plan, holds_base(s->holds), s->trial.places, v->fresh, -1);
}

/* The assignments from `fresh` on at their earliest fits in the plan. 0 or -1. */
static int place_in_plan(struct schedule *v, struct planner *s)
{
	find_fresh(v, s);
	plan_advance(v->plan, s->now);
	if ((v->fresh < v->sorted.n || !v->based) && open_plan(v, s) < 0)
		return -1;
	for (; v->fresh < v->sorted.n; v->fresh++) {
		struct assignment *x = &v->sorted.v[v->fresh];

		if (plan_earliest(v->plan, &x->job->req, s->now, PACT_FOREVER, &x->at) < 0 ||
		    plan_put(v->plan, &x->at) < 0)
			return -1;
	}
	v->based = true;
	v->filled = false;
	return 0;
}

static int64_t earliest_of(const struct assignment *x, int64_t now)
{
	return x->not_before > now ? x->not_before : now;
}

/* The holds and the first n assignments into the fill. 0 or -1. */
static int fill_assignments(struct schedule *v, const struct fill *base, size_t n, int64_t now)
{
	if (!v->filled || v->taken > n) {
		v->filled = false;
		if (fill_copy(v->fill, base) < 0)
			return -1;
		v->taken = 0;
	}
	v->filled = false;
	for (; v->taken < n; v->taken++) {
		const struct assignment *x = &v->sorted.v[v->taken];

		if (!placement_none(&x->at) &&
		    fill_place_at(v->fill, earliest_of(x, now), x->duration, x->width,
				  x->at.start) < 0)
			return -1;
	}
	v->filled = true;
	return 0;
}

static inline int place_one(struct schedule *v, struct assignment *x, int64_t now)
{
	int64_t start = PACT_FOREVER;

	placement_clear(&x->at);
	if (x->alt >= 0 &&
	    fill_place(v->fill, earliest_of(x, now), x->duration, x->width, &start) < 0)
		return -1;
	if (start != PACT_FOREVER)
		x->at = (struct placement){ .start = start,
					    .end = plan_end(start, x->duration),
					    .alt = (uint32_t)x->alt,
					    .nshare = 1,
					    .u.one = { 0, x->width } };
	return 0;
}

/* It had another place: there is more room now where it was, and less where it is. */
static void moved(struct change *c, const struct placement *was, const struct placement *is)
{
	if (was->start == is->start)
		return;
	if (placement_none(was) || placement_none(is) || was->end <= is->start ||
	    is->end <= was->start) {
		if (!placement_none(was))
			gain_room(c, was->start, was->end);
		if (!placement_none(is))
			hull_add(&c->loss, is->start, is->end);
	} else if (is->start < was->start) {
		hull_add(&c->loss, is->start, was->start);
		gain_room(c, is->end, was->end);
	} else {
		gain_room(c, was->start, is->start);
		hull_add(&c->loss, was->end, is->end);
	}
}

/* All assignments from i on. 0 or -1. */
static int place_all(struct schedule *v, const struct planner *s, const struct fill *base, size_t i)
{
	if (i < v->sorted.n && fill_assignments(v, base, i, s->now) < 0)
		return -1;
	for (; i < v->sorted.n; i++) {
		if (place_one(v, &v->sorted.v[i], s->now) < 0) {
			v->filled = false;
			return -1;
		}
		v->taken = i + 1;
	}
	return 0;
}

#define ASKED 12

/* The assignments that may move at their earliest fits in the fill. 0 or -1. */
static int place_in_fill(struct schedule *v, const struct planner *s, const struct fill *base)
{
	struct change c = open_change(v, s);
	size_t placed = 0, kept = 0, i = 0;

	v->based = false;
	hull_add(&c.gain, v->gone.from, v->gone.until);
	/* to ask costs as well: not where nearly all are concerned */
	while (i < v->sorted.n && !v->shuffled && (placed < ASKED || kept >= placed / 4)) {
		size_t next = next_concerned(&c, v->sorted.v, i, v->sorted.n);

		kept += placed ? next - i : 0;
		i = next;
		if (i == v->sorted.n)
			break;
		struct assignment *x = &v->sorted.v[i];
		struct placement was = x->at;

		if (fill_assignments(v, base, i, s->now) < 0 || place_one(v, x, s->now) < 0) {
			v->filled = false;
			return -1;
		}
		v->taken = ++i;
		placed++;
		moved(&c, &was, &x->at);
		note(&c, x);
	}
	if (place_all(v, s, base, i) < 0)
		return -1;
	v->fresh = v->sorted.n;
	return 0;
}

int schedule_update(struct schedule *v, struct planner *s, const struct fill *base)
{
	arrange_sorted(v);
	if (v->listing != machine_listing(s->machine)) {
		v->fresh = 0;
		v->based = v->filled = false;
		v->shuffled = true;
	}
	if ((base ? place_in_fill(v, s, base) : place_in_plan(v, s)) < 0) {
		for (size_t i = 0; i < v->sorted.n; i++)
			placement_clear(&v->sorted.v[i].at);
		v->fresh = 0;
		v->based = v->filled = false;
		return -1;
	}
	v->listing = machine_listing(s->machine);
	v->gain = v->loss = v->gone = (struct hull){ 0, 0 };
	v->shuffled = false;
	return 0;
}

int schedule_copy(struct schedule *v, struct plan *p, const struct planner *s,
		  const struct fill *base)
{
	if (!base)
		return plan_copy(p, v->plan);
	if (fill_assignments(v, base, v->sorted.n, s->now) < 0)
		return -1;
	return fill_close(v->fill, plan_profile(p, 0), plan_profile(holds_base(s->holds), 0));
}

size_t schedule_bytes(const struct schedule *v)
{
	return plan_bytes(v->plan) + fill_bytes(v->fill) + v->sorted.room * sizeof(*v->sorted.v);
}
