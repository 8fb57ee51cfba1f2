/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempt: one position of the QoPS search, paper 000, Figure 3, steps A1 to A5, as rulings.md reads it.
 *
 * The partial schedule is s->trial; which jobs are in it is prefix plus placed. A critical job (one that
 * misses its due time) goes back to position mid(ts + T) of the partial schedule in start order: the
 * jobs from there to T leave, rejoin the list, the list is sorted again and the critical job goes on
 * top. Ranks are needed only then, so the schedule is sorted by start only then.
 */
#include <string.h>

#include "state.h"

static const struct placement *where(const struct job *j)
{
	return j->touched ? &j->trial : &j->place;
}

bool attempt_expired(struct attempt *a)
{
	const struct sched_config *c = &a->s->config;

	if (!a->unbounded && c->expired) {
		a->s->asked++;
		if (c->expired(c->expired_arg)) {
			a->report.expired = true;
			a->s->spent = a->s->spent ? a->s->spent : a->s->asked;
		}
	}
	return a->report.expired;
}

static void untouch(struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		placement_clear(&v[i]->trial);
		v[i]->touched = false;
	}
}

void attempt_drop(struct attempt *a)
{
	untouch(a->prefix, a->ts);
	untouch(a->list, a->list_n);
	untouch(a->fresh, a->fresh_n);
}

/* The profile of position ts: without the jobs of the list. */
static int open_position(struct attempt *a)
{
	struct sched *s = a->s;

	if (a->ts && a->list_n) {
		for (size_t i = 0; i < a->list_n; i++)
			s->places[i] = &a->list[i]->place;
		return plan_build(s->trial, s->plan, s->places, a->list_n, +1);
	}
	return a->ts ? plan_copy(s->trial, s->plan) : attempt_empty(s);
}

int attempt_empty(struct sched *s)
{
	if (plan_copy(s->trial, holds_base(s->holds)) < 0)
		return -1;
	return start_apply(s, s->trial, -1);
}

/* Take the jobs of the list from all waiting ones in the heuristic's order: no sorting per position. */
static size_t pick_sorted(const struct attempt *a, struct job **out)
{
	size_t n = 0;

	for (size_t i = 0; i < a->ts + a->list_n; i++) {
		struct job *j = a->sorted[i];

		if (j->rank >= a->ts && (j->promised || !a->promised_only))
			out[n++] = j;
	}
	return n;
}

/* The order of step A2; later positions put the new jobs first (rulings.md). */
static size_t fill_todo(struct attempt *a, struct job **todo)
{
	struct sched *s = a->s;
	size_t n = a->fresh_n + a->list_n;

	if (a->fresh_n) /* a repair has none */
		memcpy(todo, a->fresh, a->fresh_n * sizeof(*todo));
	order_sort(todo, a->fresh_n, s->config.order, s->now, s->items);
	if (a->sorted) {
		n = a->fresh_n + pick_sorted(a, todo + a->fresh_n);
	} else if (a->list_n) {
		memcpy(todo + a->fresh_n, a->list, a->list_n * sizeof(*todo));
		if (!a->listed)
			order_sort(todo + a->fresh_n, a->list_n, s->config.order, s->now, s->items);
	}
	if (!a->fresh_first && a->fresh_n)
		order_sort(todo, n, s->config.order, s->now, s->items); /* two runs: one merge */
	return n;
}

/* Working set of one attempt: what is still to be placed, and what has been. */
struct work {
	struct job **todo;
	size_t head, n;
	struct job **placed;
	size_t placed_n;
};

struct by_start {
	int64_t start, submit;
	uint64_t id;
};

static int before(const struct placement *p, const struct job *j, const struct by_start *k)
{
	if (p->start != k->start)
		return p->start < k->start;
	if (j->submit != k->submit)
		return j->submit < k->submit;
	return j->id < k->id;
}

/* The schedule's jobs that start before k, into s->items, in no order; how many: k's rank. */
static size_t rank_schedule(struct attempt *a, struct work *w, const struct by_start *k)
{
	struct order_item *items = a->s->items;
	size_t n = 0;

	for (size_t i = 0; i < a->ts; i++) {
		struct job *j = a->prefix[i];

		if (!j->touched && before(&j->place, j, k))
			items[n++] = (struct order_item){ j->place.start, j->submit, j->id, j };
	}
	for (size_t i = 0; i < w->placed_n; i++) {
		struct job *j = w->placed[i];

		if (before(&j->trial, j, k))
			items[n++] = (struct order_item){ j->trial.start, j->submit, j->id, j };
	}
	return n;
}

/* More than so many leave in one sweep over the plan. */
#define SWEEP 16

/* Jobs leave the partial schedule and will be placed again. */
static int pull_out(struct attempt *a, struct job **v, size_t n)
{
	struct sched *s = a->s;

	if (n > SWEEP) {
		struct plan *from = s->trial;

		for (size_t i = 0; i < n; i++)
			s->places[i] = where(v[i]);
		if (plan_build(s->spare, from, s->places, n, +1) < 0)
			return -1;
		s->trial = s->spare;
		s->spare = from;
	}
	for (size_t i = 0; i < n; i++) {
		if (n <= SWEEP && plan_take(s->trial, where(v[i])) < 0)
			return -1;
		placement_clear(&v[i]->trial);
		v[i]->touched = true;
	}
	return 0;
}

/* Those pulled out have an empty trial place. */
static void drop_pulled(struct work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->placed_n; i++) {
		if (w->placed[i]->trial.start != PACT_FOREVER)
			w->placed[n++] = w->placed[i];
	}
	w->placed_n = n;
}

/* Steps A4 ii c to e for a job that missed. 1: go on; 0: the attempt fails; -1: no memory. */
static int push_critical(struct attempt *a, struct work *w, struct job *critical)
{
	struct sched *s = a->s;
	struct by_start k = { critical->trial.start, critical->submit, critical->id };
	struct job **next = s->todo2;
	size_t t = rank_schedule(a, w, &k);
	size_t mid = (a->ts + t) / 2;

	placement_clear(&critical->trial);
	if (mid >= t)
		return 0;
	size_t pulled = t - mid, rest = w->n - w->head;

	order_select(s->items, t, mid);
	for (size_t i = 0; i < pulled; i++)
		next[i] = s->items[mid + i].job;
	if (pull_out(a, next, pulled) < 0)
		return -1;
	drop_pulled(w);
	order_sort(next, pulled, s->config.order, s->now, s->items);
	memcpy(next + pulled, w->todo + w->head, rest * sizeof(*next));
	order_sort(next, pulled + rest, s->config.order, s->now, s->items); /* two runs */
	w->todo[0] = critical;
	memcpy(w->todo + 1, next, (pulled + rest) * sizeof(*next));
	w->head = 0;
	w->n = 1 + pulled + rest;
	return 1;
}

/* The violation of `j`, whose earliest place is in j->trial. Returns as push_critical(). */
static int violation(struct attempt *a, struct work *w, struct job *j)
{
	a->report.violations++;
	a->report.critical = j;
	a->report.late = placement_none(&j->trial) ? PACT_FOREVER : j->trial.end - j->due;
	if (a->report.violations > a->k) {
		placement_clear(&j->trial);
		return 0;
	}
	return push_critical(a, w, j);
}

/* Step A4 for one job. 1: go on; 0: the attempt fails; -1: no memory. */
static int place_next(struct attempt *a, struct work *w)
{
	struct sched *s = a->s;
	struct job *j = w->todo[w->head++];
	int rc = plan_earliest(s->trial, &j->req, s->now, PACT_FOREVER, &j->trial);

	if (rc < 0)
		return -1;
	j->touched = true;
	if (j->trial.end > j->due)
		return violation(a, w, j);
	if (plan_put(s->trial, &j->trial) < 0)
		return -1;
	if (!placement_none(&j->trial))
		w->placed[w->placed_n++] = j;
	if (a->listed && a->kept < a->list_n && a->list[a->kept] == j &&
	    j->trial.start == j->place.start)
		a->kept++;
	if (!a->priced)
		return 1;
	a->price += cost_of(s, j, j->trial.start) - cost_least(s, j);
	return a->price < a->bound;
}

int attempt_run(struct attempt *a)
{
	struct sched *s = a->s;
	struct work w = { .todo = s->todo, .placed = s->placed };
	int rc = open_position(a);

	memset(&a->report, 0, sizeof(a->report));
	if (rc == 0) {
		w.n = fill_todo(a, w.todo);
		rc = 1;
	}
	while (rc == 1 && w.head < w.n) {
		bool late = w.head % BUDGET_EVERY == 0 && attempt_expired(a);

		rc = late ? 0 : place_next(a, &w);
	}
	if (rc != 1)
		attempt_drop(a);
	return rc;
}

static void commit(struct sched *s, struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!v[i]->touched)
			continue;
		placement_move(&v[i]->place, &v[i]->trial);
		v[i]->touched = false;
		if (v[i]->broken) /* it may have become better; it cannot become worse */
			report_job(s, v[i]);
	}
}

void attempt_commit(struct attempt *a)
{
	struct plan *t = a->s->plan;

	commit(a->s, a->prefix, a->ts);
	commit(a->s, a->list, a->list_n);
	commit(a->s, a->fresh, a->fresh_n);
	agenda_spoil(a->s);
	a->s->plan = a->s->trial;
	a->s->trial = t;
	holds_mirror(a->s->holds, a->s->plan);
}
