/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figure3: which positions are tried, and in what order: QoPS, section 3, Figure 3, as
 * doc/papers.md reads it. What is done at one of them is attempt.c.
 *
 * No position depends on what another one came to, so two are tried at once where the driver has
 * processors to spare (sched_config.together): each of two tasks takes the next position, in a trial of its
 * own, until one is feasible. The first feasible one in order wins all the same, those behind it are given
 * up or dropped, and those before it have all been tried; what they failed for is noted in order.
 *
 * The later a position, the more jobs keep their places before the new one is placed. So once the new job
 * is late although it is placed first, it is late at each later position, and none of them is tried.
 */
#include <string.h>

#include "core/promise/admission.h"

/* Distinct positions that there can be. */
#define POSITIONS 66

/* With fewer waiting jobs an attempt is over before another task has begun. */
#define WORTH_TWO 8

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

		if (attempt_idle(a) || (i % BUDGET_EVERY == 0 && attempt_expired(a)))
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

/* Some positions, tried in turn. */
struct contest {
	struct search *q;
	struct job **fresh;
	const size_t *position;
	size_t n;
	atomic_size_t next;    /* the first that nobody has taken */
	atomic_size_t decided; /* the first at which the search ends; n: none yet */
	atomic_size_t shut;    /* those behind it come to what it came to; n: not known of any */
	int rc[POSITIONS];     /* what each came to, and why it failed */
	struct attempt_report report[POSITIONS];
	struct attempt last[TRIALS]; /* at each trial, which holds it if it was feasible */
	bool holds[TRIALS];
};

/* As figure3_try(), but nothing is noted in the search. */
static int try_position(struct contest *c, size_t turn, struct trial *trial, struct attempt *a)
{
	struct search *q = c->q;
	size_t ts = c->position[turn];

	*a = (struct attempt){
		.s = q->s,
		.trial = trial,
		.prefix = q->order,
		.ts = ts,
		.list = q->order + ts,
		.list_n = q->n - ts,
		.sorted = q->ranked ? q->s->sorted : NULL,
		.fresh = c->fresh,
		.fresh_n = q->fresh_n,
		.fresh_first = ts > 0 || q->n == 0,
		.k = q->s->config.kfactor,
		.promised_only = slurm_mode(q->s),
		.decided = &c->decided,
		.turn = turn,
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

/* No later than that. */
static void bring_down(atomic_size_t *turn, size_t to)
{
	size_t now = atomic_load_explicit(turn, memory_order_relaxed);

	while (to < now && !atomic_compare_exchange_weak_explicit(
				   turn, &now, to, memory_order_relaxed, memory_order_relaxed))
		;
}

/*
 * Was the first new job, placed before all others, late? Then nobody was left to make way for it. The
 * questions for a budget are counted, so with one every position is tried.
 */
static bool late_at_once(const struct contest *c, const struct attempt *a)
{
	return a->fresh_first && a->report.violations == 1 && a->report.critical == a->fresh[0] &&
	       c->position[0] < c->position[c->n - 1] && !a->s->config.expired;
}

/*
 * A task: one position after the other at the i-th trial, until the search is decided. The counters hand
 * out numbers and say when to stop, so relaxed is enough: what a task found is read when all tasks are over.
 */
static void take_turns(void *ctx, size_t i)
{
	struct contest *c = ctx;
	struct attempt *a = &c->last[i];

	for (;;) {
		size_t turn = atomic_fetch_add_explicit(&c->next, 1, memory_order_relaxed);

		if (turn >= atomic_load_explicit(&c->decided, memory_order_relaxed) ||
		    turn > atomic_load_explicit(&c->shut, memory_order_relaxed))
			return;
		int rc = try_position(c, turn, &c->q->s->trial[i], a);

		c->rc[turn] = rc;
		c->report[turn] = a->report;
		c->holds[i] = rc == 1;
		if (rc || a->report.expired) {
			bring_down(&c->decided, turn);
			return;
		}
		if (late_at_once(c, a))
			bring_down(&c->shut, turn);
	}
}

/*
 * At one trial if there is but one position, with a budget, whose questions have an order, few jobs, or no
 * memory for another one.
 */
static size_t count_trials(const struct search *q, size_t positions)
{
	const struct planner *s = q->s;

	if (positions < 2 || !s->config.together || s->config.expired || q->n < WORTH_TWO)
		return 1;
	for (size_t i = 1; i < TRIALS; i++) {
		if (s->trial[i].room < s->trial[0].room)
			return i;
	}
	return TRIALS;
}

/* All have been tried up to the one that decided: what came of it. */
static int conclude(struct contest *c)
{
	struct search *q = c->q;
	size_t end = atomic_load_explicit(&c->decided, memory_order_relaxed);
	size_t shut = atomic_load_explicit(&c->shut, memory_order_relaxed);

	for (size_t i = 0; i < end; i++)
		search_failed(q, &c->report[i < shut ? i : shut]);
	for (size_t i = 0; i < TRIALS; i++) {
		if (c->holds[i] && c->last[i].turn == end)
			q->won = c->last[i];
		else if (c->holds[i])
			attempt_drop(&c->last[i]);
	}
	q->won.decided = NULL;
	if (end == c->n)
		return 0;
	if (c->rc[end] == 0) /* the budget is used up */
		search_failed(q, &c->report[end]);
	return c->rc[end];
}

/* 1: one is feasible, q->won holds it; 0: none, or the budget is used up; -1: no memory. */
static int try_in_turn(struct search *q, const size_t *position, size_t n)
{
	struct contest c;
	size_t trials = count_trials(q, n);

	/* at the last position one new job moves nobody, several may move each other */
	for (size_t i = 0; i < n; i++) {
		if (position[i] < q->n || q->fresh_n > 1)
			search_sort(q);
	}
	c.q = q;
	c.fresh = search_fresh(q);
	c.position = position;
	c.n = n;
	atomic_init(&c.next, 0);
	atomic_init(&c.decided, n);
	atomic_init(&c.shut, n);
	memset(c.holds, 0, sizeof(c.holds));
	if (trials > 1)
		planner_together(q->s, take_turns, &c, trials);
	else
		take_turns(&c, 0);
	return conclude(&c);
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
