/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figure3: QoPS, section 3, Figure 3, as doc/papers.md reads it. The letters and numbers are the figure's.
 *
 *   A. For each position ts: floor(N - N/2^k) for k = 0, 1, 2, ..., and N
 *      1. remove the waiting jobs from ts on into the temporary list
 *      2. sort it by the heuristic
 *      3. violation count = 0
 *      4. for each job J of the list
 *         i.  add J into the schedule
 *         ii. if it violates its deadline, at slot T:
 *             a. violation count + 1
 *             b. if that exceeds K, break
 *             c. the jobs from mid(ts + T) to T leave the schedule for the list
 *             d. sort the list by the heuristic
 *             e. J on top of it
 *      5. if the violation count exceeds K, this position is rejected
 *   B. Accepted at the first position that was not.
 *
 * Schedule and list are a `struct partial` (partial.h), which does 1, 2 and c to e fast.
 */
#include "core/promise/admission.h"
#include "core/promise/cost.h"
#include "core/promise/partial.h"

/* Distinct positions that there can be. */
#define POSITIONS 66

/* ---- A 1 to 5, at one position ---- */

/* 4 ii for `j`, whose earliest place is in the trial. 1: go on; 0: break; -1: no memory. */
static int violation(struct attempt *a, struct partial *w, struct job *j)
{
	struct placement *at = trial_at(a->trial, j);

	a->report.violations++; /* a */
	a->report.critical = j;
	a->report.late = placement_none(at) ? PACT_FOREVER : at->end - j->due;
	if (a->report.violations > a->k || !a->sorted) { /* b */
		placement_clear(at);
		return 0;
	}
	return partial_push_back(a, w, j); /* c to e */
}

/* 4 for one job. 1: go on; 0: break; -1: no memory. */
static int place_next(struct attempt *a, struct partial *w)
{
	struct planner *s = a->s;
	struct job *j = partial_next(a, w);
	struct placement *at = trial_at(a->trial, j);
	int rc = plan_place(a->trial->plan, &j->req, s->now, j->due, at); /* i */

	trial_touch(a->trial, j);
	if (rc < 0)
		return -1;
	if (at->end > j->due)
		return violation(a, w, j); /* ii */
	if (!placement_none(at))
		partial_placed(w, j);
	if (!a->sorted && a->kept < a->list_n && a->list[a->kept] == j &&
	    at->start == j->place.start)
		a->kept++;
	if (!a->priced)
		return 1;
	a->price += cost_of(s, j, at->start) - cost_least(s, j);
	return a->price < a->bound;
}

int attempt_run(struct attempt *a)
{
	struct partial w;
	int rc = partial_open(a, &w) < 0 ? -1 : 1; /* 1, 2 */

	a->report = (struct attempt_report){ 0 }; /* 3 */
	while (rc == 1 && w.left > 0) {		  /* 4 */
		bool late = w.taken % BUDGET_EVERY == 0 && attempt_expired(a);

		rc = late ? 0 : place_next(a, &w);
	}
	if (rc != 1) /* 5 */
		attempt_drop(a);
	return rc;
}

/* ---- A, B: some positions ---- */

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
		.promised_only = q->lay_out != NULL,
	};
	int rc = attempt_run(a);

	/* a job that found a hole behind all the others has moved none of them */
	if (rc == 1 && q->lay_out && (ts < q->n || a->report.violations)) {
		rc = q->lay_out(a, q->order, q->n);
		if (rc != 1)
			attempt_drop(a);
	}
	return rc;
}

/* 1: one is feasible, q->won holds it; 0: none, or the budget is used up; -1: no memory. */
static int try_in_turn(struct search *q, const size_t *position, size_t n)
{
	struct job **fresh;
	struct attempt a;

	/* at the last position one new job moves no other, several may move each other */
	for (size_t i = 0; i < n; i++) {
		if (position[i] < q->n || q->fresh_n > 1)
			search_sort(q);
	}
	fresh = search_fresh(q);
	for (size_t i = 0; i < n; i++) {
		int rc = try_position(q, fresh, position[i], &a);

		if (rc == 1)
			q->won = a;
		if (rc)
			return rc;
		search_failed(q, &a.report);
		if (a.report.expired)
			return 0;
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
int figure3_forwards(struct search *q)
{
	size_t position[POSITIONS];

	return try_in_turn(q, position, list_positions(q->n, position));
}

/* The last position first, alone: if it does, no job has to be sorted. */
int figure3_backwards(struct search *q)
{
	size_t position[POSITIONS], back[POSITIONS];
	size_t n = list_positions(q->n, position);
	int rc = figure3_try(q, q->n);

	for (size_t i = 1; i < n; i++)
		back[i - 1] = position[n - 1 - i];
	return rc || q->best.expired || n < 2 ? rc : try_in_turn(q, back, n - 1);
}
