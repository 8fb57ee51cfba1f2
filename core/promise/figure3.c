/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figure3: which positions are tried, and in what order: QoPS, section 3, Figure 3, as
 * doc/papers.md reads it. What is done at one of them is attempt.c.
 *
 * The later a position, the more jobs keep their places before the new one is placed. So once the new job
 * is late although it is placed first, it is late at each later position, and none of them is tried.
 */
#include <string.h>

#include "core/promise/admission.h"

/* Distinct positions that there can be. */
#define POSITIONS 66

/* ---- slurm mode: the others around an arrangement ---- */

/* The arrangement's promised jobs alone in the trial; the others into v, how many: *count. 0 or -1. */
static int promised_alone(struct attempt *a, struct job **order, size_t n, struct job **v,
			  size_t *count)
{
	struct planner *s = a->s;
	struct trial *d = a->trial;
	size_t m = 0;

	*count = 0;
	for (size_t i = 0; i < n + a->fresh_n; i++) {
		struct job *j = i < n ? order[i] : a->fresh[i - n];

		if (j->promised)
			d->places[m++] = trial_where(d, j);
		else
			v[(*count)++] = j;
	}
	if (plan_build(d->plan, holds_base(s->holds), d->places, m, -1) < 0)
		return -1;
	return start_apply(s, d->plan, -1);
}

/*
 * Slurm mode: lay out the jobs without a promise in priority order around the promised ones of the
 * arrangement, as the next pass will. 1: none of them ends after its due time; 0: one does, or the
 * budget is used up; -1: no memory.
 */
static int lay_out_others(struct attempt *a, struct job **order, size_t n)
{
	struct planner *s = a->s;
	struct trial *d = a->trial;
	struct job **others = d->todo;
	size_t count;

	if (promised_alone(a, order, n, others, &count) < 0)
		return -1;
	order_sort(others, count, ORDER_PRIORITY, s->now, d->items);
	for (size_t i = 0; i < count; i++) {
		struct job *j = others[i];
		struct placement *at = trial_at(d, j);

		if (i % BUDGET_EVERY == 0 && attempt_expired(a))
			return 0;
		trial_touch(d, j);
		if (plan_earliest(d->plan, &j->req, s->now, PACT_FOREVER, at) < 0 ||
		    plan_put(d->plan, at) < 0)
			return -1;
		if (at->end > j->due) {
			a->report.critical = j;
			a->report.late = at->end - j->due;
			return 0;
		}
	}
	return 1;
}

/* ---- one position, and several ---- */

/* Is there room for the new job at position ts? Nothing is noted in the search. */
static int try_position(struct search *q, struct job **fresh, size_t ts, struct attempt *a)
{
	*a = (struct attempt){
		.s = q->s,
		.trial = &q->s->trial,
		.prefix = q->order,
		.ts = ts,
		.list = q->order + ts,
		.list_n = q->n - ts,
		.sorted = q->ranked ? q->s->sorted : NULL,
		.fresh = fresh,
		.fresh_n = q->fresh_n,
		.fresh_first = ts > 0 || q->n == 0,
		.k = q->s->config.kfactor,
		.promised_only = slurm_mode(q->s),
	};
	int rc = attempt_run(a);

	/* who found a hole behind all the others has moved none of them */
	if (rc == 1 && slurm_mode(q->s) && (ts < q->n || a->report.violations)) {
		rc = lay_out_others(a, q->order, q->n);
		if (rc != 1)
			attempt_drop(a);
	}
	return rc;
}

/*
 * Was the first new job, placed before all others, late? Then none was left to make way for it. The
 * questions for a budget are counted, so with one every position is tried.
 */
static bool late_at_once(const struct attempt *a)
{
	return a->fresh_first && a->report.violations == 1 && a->report.critical == a->fresh[0] &&
	       !a->s->config.expired;
}

/* 1: one is feasible, q->won holds it; 0: none, or the budget is used up; -1: no memory. */
static int try_in_turn(struct search *q, const size_t *position, size_t n)
{
	bool forwards = n > 1 && position[0] < position[n - 1], shut = false;
	struct job **fresh;
	struct attempt a;

	/* at the last position one new job moves no other, several may move each other */
	for (size_t i = 0; i < n; i++) {
		if (position[i] < q->n || q->fresh_n > 1)
			search_sort(q);
	}
	fresh = search_fresh(q);
	for (size_t i = 0; i < n; i++) {
		int rc = shut ? 0 : try_position(q, fresh, position[i], &a);

		if (rc == 1)
			q->won = a;
		if (rc)
			return rc;
		search_failed(q, &a.report);
		if (a.report.expired)
			return 0;
		shut = shut || (forwards && late_at_once(&a));
	}
	return 0;
}

int figure3_try(struct search *q, size_t ts)
{
	return try_in_turn(q, &ts, 1);
}

/* ---- all positions ---- */

size_t figure3_position(size_t n, unsigned k)
{
	size_t step = (size_t)1 << k;

	return step < 2 * n ? n - (n + step - 1) / step : n;
}

/* All of them, the last one N. How many. */
static size_t list_positions(size_t n, size_t *position)
{
	size_t count = 0;

	do
		position[count] = figure3_position(n, (unsigned)count);
	while (position[count++] < n);
	return count;
}

/* The paper's order. */
static int figure3_forwards(struct search *q)
{
	size_t position[POSITIONS];

	return try_in_turn(q, position, list_positions(q->n, position));
}

/* The last position first, alone: if it does, nobody has to be sorted. */
int figure3_backwards(struct search *q)
{
	size_t position[POSITIONS], back[POSITIONS];
	size_t n = list_positions(q->n, position);
	int rc = figure3_try(q, q->n);

	for (size_t i = 1; i < n; i++)
		back[i - 1] = position[n - 1 - i];
	return rc || q->best.expired || n < 2 ? rc : try_in_turn(q, back, n - 1);
}

/* In slurm mode backwards, as a new promise is to disturb Slurm's order as little as it can. */
int figure3_arrange(struct search *q)
{
	return slurm_mode(q->s) ? figure3_backwards(q) : figure3_forwards(q);
}
