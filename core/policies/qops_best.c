/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qops_best: the scheduler qops-best, which goes beyond the QoPS paper in three ways.
 *
 *   admission    Figure 3's positions from the last to the first: what was planned well stays, and a job
 *                that fits behind the others costs one placement. It admits whatever QoPS admits in the
 *                same state.
 *   repair       Where QoPS refuses, the waiting jobs and the new ones are arranged from an empty
 *                schedule on, in the orders below; the first in which no job is late wins.
 *   improvement  When a job was admitted or room has appeared, the next pass arranges the waiting jobs
 *                in each of the orders and takes the cheapest feasible plan, if it is cheaper than the
 *                present one. That is no part of an admission, and takes none of its time.
 *
 * The cost of a plan is a sum over its jobs (config.cost). COST_WORK, processor-seconds times wait, is
 * the default, because it refuses least (doc/qops-best.md): work that is done early leaves room for more,
 * and holes are left to small jobs.
 *
 * An arrangement places the jobs one after the other, each at its earliest fit. A job that is late has
 * come too late in the order: it moves forward to half its position, like a critical job of Figure 3, and all
 * behind are placed anew. When one is late that stands in front already, or config.effort placements are
 * used up, the order is given up. In a repair the budget of the admission holds as well.
 *
 * No job is late: promised jobs end by their deadlines, the others by their artificial ones (QoPS,
 * section 4.2), or no later than before if that was later already.
 */
#include <string.h>

#include "core/planning/arrange/arrange.h"
#include "core/promise/cost.h"
#include "core/policies/policies.h"
#include "core/promise/admission.h"

/* ---- one order ---- */

/* seq[0 .. n) in the order in which they are placed; those before `placed` are in the trial. */
struct sequence {
	struct search *q;
	struct job **seq;
	size_t n, placed;
	int64_t effort; /* placements left */
	struct attempt a;
};

/* The jobs from `from` on leave the schedule. */
static int unplace(struct sequence *v, size_t from)
{
	for (; v->placed > from; v->placed--) {
		struct placement *at = trial_at(v->a.trial, v->seq[v->placed - 1]);

		if (plan_take(v->a.trial->plan, at) < 0)
			return -1;
		placement_clear(at);
	}
	return 0;
}

/* The late job at `at` goes to half its position. 1; 0: it is at the front already; -1: no memory. */
static int promote(struct sequence *v, size_t at)
{
	struct job *j = v->seq[at];
	size_t to = at / 2;

	if (at == 0)
		return 0;
	if (unplace(v, to) < 0)
		return -1;
	memmove(v->seq + to + 1, v->seq + to, (at - to) * sizeof(*v->seq));
	v->seq[to] = j;
	return 1;
}

/* Place them in their order, the late ones moved forward. 1: no job is late; 0: given up; -1: no memory. */
static int arrange(struct sequence *v)
{
	struct planner *s = v->q->s;
	struct trial *d = v->a.trial;

	v->placed = 0;
	if (attempt_empty(s, d) < 0)
		return -1;
	while (v->placed < v->n) {
		struct job *j = v->seq[v->placed];
		struct placement *at = trial_at(d, j);
		int rc;

		if (--v->effort < 0 || (v->effort % BUDGET_EVERY == 0 && attempt_expired(&v->a)))
			return 0;
		trial_touch(d, j);
		if (plan_earliest(d->plan, &j->req, s->now, PACT_FOREVER, at) < 0)
			return -1;
		if (at->end > j->due) {
			placement_clear(at);
			rc = promote(v, v->placed);
			if (rc < 1)
				return rc;
		} else {
			if (plan_put(d->plan, at) < 0)
				return -1;
			v->placed++;
		}
	}
	return 1;
}

/* ---- orders ---- */

enum beginning {
	BY_HEURISTIC,
	BY_OTHER, /* the heuristic that is not configured */
	BY_START, /* as planned, but the new ones first; without any, the costliest */
	BY_AREA,  /* greatest first, as the two below */
	BY_WIDTH,
	BY_LENGTH,
	BEGINNINGS
};

static int64_t size_of(const struct job *j, enum beginning how)
{
	int64_t area;

	if (how == BY_WIDTH)
		return j->req.width;
	if (how == BY_LENGTH)
		return j->req.duration;
	return __builtin_mul_overflow(j->req.duration, j->req.width, &area) ? PACT_FOREVER : area;
}

static void by_size(struct sequence *v, enum beginning how)
{
	struct planner *s = v->q->s;

	for (size_t i = 0; i < v->n; i++)
		s->trial.items[i] =
			(struct order_item){ -size_of(v->seq[i], how), v->seq[i]->submit,
					     v->seq[i]->id, v->seq[i] };
	order_items(v->seq, v->n, s->trial.items);
}

static void costliest_first(struct sequence *v)
{
	size_t at = 0;
	int64_t most = -1;

	for (size_t i = 0; i < v->n; i++) {
		int64_t cost = cost_of(v->q->s, v->seq[i], v->seq[i]->place.start);

		if (cost > most) {
			most = cost;
			at = i;
		}
	}
	struct job *j = v->seq[at];

	memmove(v->seq + 1, v->seq, at * sizeof(*v->seq));
	v->seq[0] = j;
}

static void begin(struct sequence *v, enum beginning how)
{
	struct search *q = v->q;
	struct planner *s = q->s;
	enum order_kind other = s->config.order == ORDER_EDF ? ORDER_LLF : ORDER_EDF;

	v->effort = s->config.effort;
	if (q->fresh_n)
		memcpy(v->seq, q->fresh, q->fresh_n * sizeof(*v->seq));
	if (q->n)
		memcpy(v->seq + q->fresh_n, q->order, q->n * sizeof(*v->seq));
	if (how == BY_HEURISTIC || how == BY_OTHER)
		order_sort(v->seq, v->n, how == BY_OTHER ? other : s->config.order, s->now,
			   s->trial.items);
	else if (how != BY_START)
		by_size(v, how);
	else if (!q->fresh_n)
		costliest_first(v);
}

static struct sequence sequence_of(struct search *q)
{
	struct sequence v = { .q = q, .seq = q->s->trial.todo, .n = q->n + q->fresh_n };

	v.a = (struct attempt){ .s = q->s,
				.trial = &q->s->trial,
				.prefix = q->order,
				.ts = q->n,
				.fresh = q->fresh,
				.fresh_n = q->fresh_n };
	return v;
}

/* ---- admission and repair ---- */

/* 1: q->won holds an arrangement; 0: none was found; -1: no memory. */
static int rearrange(struct search *q)
{
	struct sequence v = sequence_of(q);
	int rc = 0;

	for (int how = 0; how < BEGINNINGS && !rc && !v.a.report.expired; how++) {
		begin(&v, (enum beginning)how);
		rc = arrange(&v);
		if (rc < 1)
			attempt_drop(&v.a);
	}
	q->best.expired |= v.a.report.expired;
	if (rc == 1)
		q->won = v.a;
	return rc;
}

static int best_arrange(struct search *q)
{
	int rc = figure3_backwards(q);

	if (rc || q->best.expired)
		return rc;
	search_sort(q);
	return rearrange(q);
}

/* A promise was taken: the next pass is to improve the plan. */
static int best_joined(struct planner *s, struct job *j)
{
	s->loosened |= j->promised;
	return 0;
}

static int best_arrive(struct planner *s, struct job *j)
{
	s->loosened = true;
	return admission_arrive(s, j);
}

/* ---- improvement ---- */

static int64_t price(const struct search *q)
{
	int64_t sum = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct job *j = q->order[i];

		sum += cost_of(q->s, j, trial_where(&q->s->trial, j)->start);
	}
	return sum;
}

/* 1: s->sorted holds the cheapest order; 0: none is cheaper than the plan; -1: no memory. */
static int cheapest_order(struct search *q)
{
	struct sequence v = sequence_of(q);
	int64_t cheapest = price(q);
	int found = 0;

	v.a.unbounded = true;
	for (int how = 0; how < BEGINNINGS; how++) {
		begin(&v, (enum beginning)how);
		int rc = arrange(&v);
		int64_t cost = rc == 1 ? price(q) : PACT_FOREVER;

		attempt_drop(&v.a);
		if (rc < 0)
			return -1;
		if (cost < cheapest) {
			cheapest = cost;
			found = 1;
			memcpy(q->s->sorted, v.seq, v.n * sizeof(*v.seq));
		}
	}
	return found;
}

/* 0 or -1. */
static int improve(struct planner *s)
{
	struct search q;

	queue_pack(&s->queue);
	if (planner_scratch(s, s->queue.n) < 0)
		return -1;
	search_init(&q, s, NULL, 0, NULL);
	search_sort(&q);
	if (q.n < 2 || s->config.effort == 0)
		return 0;
	int rc = cheapest_order(&q);

	if (rc < 1)
		return rc;
	struct sequence v = sequence_of(&q);

	/* no job is late in that order: each is placed once */
	memcpy(v.seq, s->sorted, v.n * sizeof(*v.seq));
	v.effort = (int64_t)v.n;
	v.a.unbounded = true;
	rc = arrange(&v);
	if (rc == 1)
		attempt_commit(&v.a);
	else
		attempt_drop(&v.a);
	return rc < 0 ? -1 : 0;
}

static int best_begin(struct planner *s)
{
	if (s->loosened) {
		if (compress(s) < 0)
			return -1;
		(void)improve(s); /* without memory the plan stays as good as it is */
	}
	return due_begin(s);
}

const struct plan_policy policy_best = {
	.name = "qops-best",
	.promises = true,
	.keeps = true,
	.cost = COST_WORK,
	.arrange = best_arrange,
	.appends = true,
	.joined = best_joined,
	.arrive = best_arrive,
	.begin = best_begin,
	.step = due_step,
	.failed = place_later,
};
