/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mrt: the Modified Real Time scheduler: QoPS, section 2.2.2, Figure 2, as doc/papers.md reads it.
 * The letters in the comments are the figure's.
 *
 * From an empty schedule on, the jobs are added in the heuristic's order, each at its earliest fit. The
 * partial schedule must be strongly feasible: all its jobs meet their due times, and so would each of
 * the remaining ones if it alone were added. If the last addition made it less, that job is taken off
 * again and the next of the remaining is tried in its place; when none is left, the one before comes
 * off, too. Each time is a backtrack, of which there may be config.backtracks.
 *
 * With few backtracks a long queue still costs a place for each job, and another look at many of the
 * remaining ones after each. So the places that are looked for are counted, for the job added and for a
 * witness alike, and after config.effort of them the search is given up.
 *
 * For each remaining job a witness is kept: a start with which it would be in time. It is looked at
 * again only when a job was added that overlaps it in time, and another is searched for only when it
 * does not fit any more. Taking jobs off invalidates none.
 */
#include <string.h>

#include "core/planning/arrange/arrange.h"
#include "core/policies/policies.h"
#include "core/promise/admission.h"

/* The partial schedule is list[0 .. depth), in the trial; the remaining jobs follow in order. */
struct tree {
	struct search *q;
	struct job **list;
	size_t depth, n;
	int32_t backtracks;
	int64_t effort; /* places that may still be looked for; < 0: given up */
	struct attempt a;
};

/* Another place is to be looked for. False: no more. */
static bool may_look(struct tree *t)
{
	return --t->effort >= 0;
}

static bool in_time(const struct job *j, const struct placement *p)
{
	return p->end <= j->due;
}

/* The job would meet its due time if it alone were added. 1, 0 or -1. */
static int has_witness(struct tree *t, struct job *j)
{
	struct planner *s = t->q->s;
	struct placement p;
	int64_t latest = j->due;

	if (latest != PACT_FOREVER)
		latest = j->req.duration == PACT_FOREVER ? -1 : latest - j->req.duration;
	placement_init(&p);
	int rc = 1;

	if (j->own.n >= 0 && j->own.n != PACT_FOREVER)
		rc = plan_earliest(t->a.trial->plan, &j->req, j->own.n, j->own.n, &p);
	if (rc == 1)
		rc = plan_earliest(t->a.trial->plan, &j->req, s->now, latest, &p);
	if (rc < 0)
		return -1;
	/* a job that may end at any time needs no place at all */
	bool found = rc == 0 || j->due == PACT_FOREVER;

	j->own.n = found ? p.start : -1;
	placement_clear(&p);
	return found;
}

static void note_late(struct tree *t, const struct job *j, int64_t late)
{
	t->a.report.critical = j;
	t->a.report.late = late;
}

/* E a, for the job that was added last, there. 1: strongly feasible; 0: not, or no budget; -1: no memory. */
static int strongly_feasible(struct tree *t, const struct placement *added)
{
	for (size_t i = t->depth + 1; i < t->n; i++) {
		struct job *j = t->list[i];

		if (j->own.n >= 0 &&
		    (added->end <= j->own.n || plan_end(j->own.n, j->req.duration) <= added->start))
			continue;
		if (i % BUDGET_EVERY == 0 && attempt_expired(&t->a))
			return 0;
		if (!may_look(t))
			return 0;
		int rc = has_witness(t, j);

		if (rc == 0)
			note_late(t, j, 0);
		if (rc != 1)
			return rc;
	}
	return 1;
}

/* The k-th of the remaining jobs becomes the first of them, or goes back to where it was. */
static void draw(struct tree *t, size_t k)
{
	struct job **at = t->list + t->depth, *j = at[k];

	memmove(at + 1, at, k * sizeof(*at));
	at[0] = j;
	j->rank = (uint32_t)k;
}

static void put_back(struct tree *t)
{
	struct job **at = t->list + t->depth, *j = at[0];

	memmove(at, at + 1, j->rank * sizeof(*at));
	at[j->rank] = j;
}

static int take_off(struct tree *t)
{
	struct job *j = t->list[t->depth];

	if (plan_take(t->a.trial->plan, trial_at(t->a.trial, j)) < 0)
		return -1;
	placement_clear(trial_at(t->a.trial, j));
	put_back(t);
	return 0;
}

/* Add the k-th of the remaining jobs. 1: strongly feasible; 0: not, and it is off again; -1. */
static int add(struct tree *t, size_t k)
{
	struct planner *s = t->q->s;
	struct trial *d = t->a.trial;
	struct job *j = t->list[t->depth + k];
	struct placement *at = trial_at(d, j);

	if (!may_look(t) || attempt_expired(&t->a))
		return 0;
	draw(t, k);
	trial_touch(d, j);
	if (plan_earliest(d->plan, &j->req, s->now, PACT_FOREVER, at) < 0 ||
	    plan_put(d->plan, at) < 0)
		return -1;
	int rc = in_time(j, at);

	if (rc)
		rc = strongly_feasible(t, at);
	else
		note_late(t, j, placement_none(at) ? PACT_FOREVER : at->end - j->due);
	if (rc == 1)
		t->depth++;
	else if (rc == 0 && take_off(t) < 0)
		return -1;
	return rc;
}

/* E. 1: all jobs are in the schedule; 0: rejected; -1: no memory. */
static int extend(struct tree *t)
{
	size_t k = 0;

	while (t->depth < t->n) {
		if (k < t->n - t->depth) {
			int rc = add(t, k);

			if (rc < 0 || t->effort < 0 || t->a.report.expired)
				return rc < 0 ? -1 : 0;
			k = rc ? 0 : k + 1;
			if (rc)
				continue;
		} else { /* none is left to be tried: the job before comes off */
			if (!t->depth)
				return 0;
			k = t->list[--t->depth]->rank + 1;
			if (take_off(t) < 0)
				return -1;
		}
		if (t->backtracks++ == t->q->s->config.backtracks) /* E b */
			return 0;
	}
	return 1;
}

/* A to D. */
static int begin(struct tree *t)
{
	struct search *q = t->q;
	struct planner *s = q->s;

	t->list = t->a.trial->todo;
	t->n = q->n + q->fresh_n;
	if (q->n)
		memcpy(t->list, q->order, q->n * sizeof(*t->list));
	memcpy(t->list + q->n, q->fresh, q->fresh_n * sizeof(*t->list));
	order_sort(t->list, t->n, s->config.order, s->now, t->a.trial->items);
	for (size_t i = 0; i < t->n; i++)
		t->list[i]->own.n = -1;
	t->effort = s->config.effort;
	return attempt_empty(s, t->a.trial);
}

static int mrt_arrange(struct search *q)
{
	struct tree t = { .q = q };

	if (q->n + q->fresh_n > (size_t)q->s->config.effort)
		return 0; /* not even a place for each */
	search_sort(q);
	t.a = (struct attempt){ .s = q->s,
				.trial = &q->s->trial,
				.prefix = q->order,
				.ts = q->n,
				.fresh = q->fresh,
				.fresh_n = q->fresh_n };
	int rc = begin(&t) < 0 ? -1 : extend(&t);

	t.a.report.violations = t.backtracks;
	if (rc == 1) { /* F */
		q->won = t.a;
		return 1;
	}
	attempt_drop(&t.a);
	if (rc == 0 && (t.a.report.critical || t.a.report.expired))
		search_failed(q, &t.a.report);
	return rc;
}

const struct plan_policy policy_mrt = {
	.name = "mrt",
	.promises = true,
	.keeps = true,
	.arrange = mrt_arrange,
	.arrive = admission_arrive,
	.begin = due_begin,
	.step = due_step,
	.failed = place_later,
};
