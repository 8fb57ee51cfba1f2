/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msb: the Modified Slack Based scheduler: QoPS, section 2.2.1, Figure 1, as doc/papers.md reads
 * it. The letters in the comments are the figure's.
 *
 * The new job is tried in each of the N + 1 slots of the schedule; the jobs from there to the end are
 * removed and placed again behind it, in the order that they had. A schedule in which a job is late
 * costs infinity; the cheapest wins, among equal ones the earliest slot. The cost function is
 * config.cost; a slot is given up as soon as it cannot become the cheapest any more.
 *
 * The order of the slots is that of the planned starts, as in the figure. The text of section 2.2.1 has
 * the jobs in the heuristic's order instead: config.slots.
 */
#include "core/planning/arrange/arrange.h"
#include "core/promise/cost.h"
#include "core/policies/policies.h"
#include "core/promise/admission.h"

/* The slots of a schedule: the jobs in the order in which they are taken. */
struct slots {
	struct search *q;
	struct job **v, **fresh;
	int64_t price; /* at the slot looked at: of those before it, and the least of the others */
	int64_t cheapest;
	size_t won;
	int64_t won_price;
};

/* What all of them cost at least. */
static int64_t least_price(const struct search *q)
{
	int64_t price = 0;

	for (size_t i = 0; i < q->n; i++)
		price += cost_least(q->s, q->order[i]);
	for (size_t i = 0; i < q->fresh_n; i++)
		price += cost_least(q->s, q->fresh[i]);
	return price;
}

/* One job more stays where it is. */
static int64_t surplus(const struct slots *t, size_t i)
{
	return cost_of(t->q->s, t->v[i], t->v[i]->place.start) - cost_least(t->q->s, t->v[i]);
}

/* Steps a to d for slot ts. 1: feasible and below `bound`; 0: not; -1: no memory. */
static int try_slot(struct slots *t, size_t ts, int64_t price, int64_t bound, struct attempt *a)
{
	*a = (struct attempt){
		.s = t->q->s,
		.trial = &t->q->s->trial,
		.prefix = t->v,
		.ts = ts,
		.list = t->v + ts,
		.list_n = t->q->n - ts,
		.fresh = t->fresh,
		.fresh_n = t->q->fresh_n,
		.fresh_first = true,
		.priced = true,
		.price = price,
		.bound = bound,
	};
	return attempt_run(a);
}

/*
 * Steps a to e for slot ts. `same` is how many of the slots behind it would come to the same schedule:
 * a removed job that is placed where it stood, behind the new one, leaves room for just that when it
 * is not removed. (Of several classes of nodes the new one might then take others.) 0, 1 or -1.
 */
static int price_slot(struct slots *t, size_t ts, size_t *same)
{
	struct attempt a;
	int rc = try_slot(t, ts, t->price, t->cheapest, &a);

	*same = plan_classes(t->q->s->plan) == 1 ? a.kept : 0;
	if (rc == 1) {
		t->cheapest = a.price;
		t->won_price = t->price;
		t->won = ts;
		attempt_drop(&a);
	} else if (rc == 0 && (a.report.critical || a.report.expired)) {
		search_failed(t->q, &a.report);
	}
	return rc;
}

/* The last slot, which removes no job, is the first to be priced: no dearer one is laid out then. */
static int price_last(struct slots *t)
{
	int64_t least = t->price;
	size_t same;

	for (size_t i = 0; i < t->q->n; i++)
		t->price += surplus(t, i);
	int rc = price_slot(t, t->q->n, &same);

	if (rc == 1)
		t->cheapest++; /* an earlier one of the same price wins */
	t->price = least;
	return rc;
}

static int msb_arrange(struct search *q)
{
	struct planner *s = q->s;

	search_sort(q);
	struct slots t = { .q = q,
			   .v = s->config.slots == SLOTS_ORDER ? s->sorted : q->order,
			   .fresh = search_fresh(q),
			   .price = least_price(q),
			   .cheapest = PACT_FOREVER }; /* A, B */
	int rc = price_last(&t);

	for (size_t ts = 0, same; rc >= 0 && ts < q->n && !q->best.expired;) { /* C */
		rc = price_slot(&t, ts, &same);
		for (same++; same > 0 && ts < q->n; same--)
			t.price += surplus(&t, ts++);
	}
	if (rc < 0)
		return -1;
	if (t.cheapest == PACT_FOREVER || q->best.expired) /* D */
		return 0;
	rc = try_slot(&t, t.won, t.won_price, PACT_FOREVER, &q->won);
	if (rc == 0)
		search_failed(q, &q->won.report); /* the budget ended just now */
	return rc;
}

const struct plan_policy policy_msb = {
	.name = "msb",
	.promises = true,
	.keeps = true,
	.cost = COST_SLACK,
	.arrange = msb_arrange,
	.appends = true,
	.arrive = admission_arrive,
	.begin = due_begin,
	.step = due_step,
	.failed = place_later,
};
