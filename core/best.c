/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * best: qops-best, which goes beyond paper 000. Where QoPS takes the first feasible position of Figure 3,
 * this takes the cheapest (config.cost; equal ones: the first); and where QoPS refuses, it looks for an
 * arrangement by local search over the order in which the jobs are placed, for at most config.effort
 * placements and as long as the budget lasts.
 *
 * The local search. The waiting jobs and the new ones are placed one after the other, each at its
 * earliest fit, from an empty schedule on. Who is late has come too late in the order: he moves forward
 * to half his position, like a critical job of Figure 3, and everything behind is placed anew. When a
 * job is late that has been moved to the front already, the order is given up, and the next one is
 * begun with: the heuristic's, the other heuristic's, that of the planned starts with the new jobs first,
 * and that of the areas, greatest first.
 */
#include <string.h>

#include "admission.h"

/* ---- the cheapest position of Figure 3 ---- */

static int64_t price(const struct search *q)
{
	int64_t sum = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct job *j = q->order[i];

		sum += cost_of(q->s, j, j->touched ? j->trial.start : j->place.start);
	}
	for (size_t i = 0; i < q->fresh_n; i++)
		sum += cost_of(q->s, q->fresh[i], q->fresh[i]->trial.start);
	return sum;
}

/* 1: q->won holds it; 0: none is feasible, or the budget is used up; -1: no memory. */
static int cheapest_position(struct search *q)
{
	int64_t cheapest = PACT_FOREVER;
	size_t won = 0, last = 0;

	for (unsigned k = 0;; k++) {
		size_t ts = figure3_position(q->n, k);
		int rc = figure3_try(q, ts);

		if (rc < 0)
			return -1;
		last = ts;
		if (rc) {
			int64_t p = price(q);

			if (p < cheapest) {
				cheapest = p;
				won = ts;
			}
			if (ts < q->n || won != ts)
				attempt_drop(&q->won);
		}
		if (ts == q->n || q->best.expired)
			break;
	}
	if (cheapest == PACT_FOREVER || q->best.expired) {
		if (cheapest != PACT_FOREVER && won == last)
			attempt_drop(&q->won);
		return 0;
	}
	return won == last ? 1 : figure3_try(q, won);
}

/* ---- the local search ---- */

/* seq[0 .. n) in the order in which they are placed; those before `placed` are in s->trial. */
struct sequence {
	struct search *q;
	struct job **seq;
	size_t n, placed;
	int64_t *effort;
	struct attempt a;
};

/* The jobs from `from` on leave the schedule. */
static int unplace(struct sequence *v, size_t from)
{
	for (; v->placed > from; v->placed--) {
		struct job *j = v->seq[v->placed - 1];

		if (plan_take(v->q->s->trial, &j->trial) < 0)
			return -1;
		placement_clear(&j->trial);
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

/* 1: nobody is late; 0: given up; -1: no memory. */
static int improve(struct sequence *v)
{
	struct sched *s = v->q->s;

	while (v->placed < v->n) {
		struct job *j = v->seq[v->placed];
		int rc;

		if (--*v->effort < 0 || (*v->effort % BUDGET_EVERY == 0 && attempt_expired(&v->a)))
			return 0;
		j->touched = true;
		if (plan_earliest(s->trial, &j->req, s->now, PACT_FOREVER, &j->trial) < 0)
			return -1;
		if (j->trial.end > j->due) {
			placement_clear(&j->trial);
			rc = promote(v, v->placed);
			if (rc < 1)
				return rc;
		} else {
			if (plan_put(s->trial, &j->trial) < 0)
				return -1;
			v->placed++;
		}
	}
	return 1;
}

enum beginning { BY_HEURISTIC, BY_OTHER, BY_START, BY_AREA, BEGINNINGS };

static int64_t area(const struct job *j)
{
	int64_t a;

	return __builtin_mul_overflow(j->req.duration, j->req.width, &a) ? PACT_FOREVER : a;
}

static void begin(struct sequence *v, enum beginning how)
{
	struct search *q = v->q;
	struct sched *s = q->s;
	enum order_kind other = s->config.order == ORDER_EDF ? ORDER_LLF : ORDER_EDF;

	memcpy(v->seq, q->fresh, q->fresh_n * sizeof(*v->seq));
	if (q->n)
		memcpy(v->seq + q->fresh_n, q->order, q->n * sizeof(*v->seq));
	if (how == BY_HEURISTIC || how == BY_OTHER) {
		order_sort(v->seq, v->n, how == BY_OTHER ? other : s->config.order, s->now,
			   s->items);
	} else if (how == BY_AREA) {
		for (size_t i = 0; i < v->n; i++)
			s->items[i] = (struct order_item){ -area(v->seq[i]), v->seq[i]->submit,
							   v->seq[i]->id, v->seq[i] };
		order_items(v->seq, v->n, s->items);
	}
}

/* 1: q->won holds an arrangement; 0: none was found; -1: no memory. */
static int local_search(struct search *q)
{
	struct sched *s = q->s;
	int64_t effort = s->config.effort;
	struct sequence v = { .q = q, .seq = s->todo, .n = q->n + q->fresh_n, .effort = &effort };
	int rc = 0;

	v.a = (struct attempt){
		.s = s, .prefix = q->order, .ts = q->n, .fresh = q->fresh, .fresh_n = q->fresh_n
	};
	for (int how = 0; how < BEGINNINGS && !rc && effort > 0 && !v.a.report.expired; how++) {
		begin(&v, (enum beginning)how);
		v.placed = 0;
		rc = attempt_empty(s) < 0 ? -1 : improve(&v);
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
	int rc = cheapest_position(q);

	return rc || q->best.expired ? rc : local_search(q);
}

const struct policy policy_best = {
	.name = "qops-best",
	.promises = true,
	.keeps = true,
	.paper_only = true,
	.arrange = best_arrange,
	.appends = true,
	.admit = admission_admit,
	.arrive = admission_arrive,
	.begin = due_begin,
	.step = due_step,
	.failed = place_later,
};
