/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qops in slurm mode: Slurm's priority orders the jobs, and Figure 3 the promised ones among them. These
 * keep their places (and move only earlier); the others are placed anew at each pass, in priority order,
 * around them. An admission lays out the others that way too and refuses when one of them would end after
 * its due time because of the new promise; it tries the position that disturbs least first. Artificial
 * deadlines for the other jobs as in section 4.2.
 */
#include <stdlib.h>

#include "core/planning/arrange/arrange.h"
#include "core/policies/policies.h"
#include "core/policies/qops/layout.h"
#include "core/promise/admission.h"

/* ---- needed jobs ---- */

/*
 * A needed job has no promise of its own: until its turn comes it stands at the last place that its
 * deadline allows, if that is free, so that those before it in order may have its earlier one. 0 or -1.
 */
static int hold_back(struct planner *s, struct job *j)
{
	int64_t last = j->deadline - j->req.duration;
	struct placement at;

	if (last <= j->place.start || placement_none(&j->place))
		return 0;
	placement_init(&at);
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	int rc = plan_earliest(s->plan, &j->req, last, last, &at);

	if (rc == 0)
		placement_move(&j->place, &at);
	placement_clear(&at);
	return plan_put(s->plan, &j->place) < 0 || rc < 0 ? -1 : 0;
}

/* All of them, the last first: so each makes room for those before it. 0 or -1. */
static int hold_back_needed(struct planner *s)
{
	struct job **needed = s->trial.todo;
	size_t n = 0;

	for (size_t i = 0; i < s->list_n; i++) {
		if (s->list[i]->needed && s->list[i]->promised && !s->list[i]->starting)
			needed[n++] = s->list[i];
	}
	order_by_start(needed, n, s->trial.items);
	while (n > 0) {
		if (hold_back(s, needed[--n]) < 0)
			return -1;
	}
	return 0;
}

/* The list's promised jobs alone in the plan, and what a start that is out has. 0 or -1. */
static int promised_places(struct planner *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j->starting)
			continue;
		if (j->promised)
			s->trial.places[n++] = &j->place;
		else
			placement_clear(&j->place);
	}
	if (plan_build(s->plan, holds_base(s->holds), s->trial.places, n, -1) < 0 ||
	    start_apply(s, s->plan, -1) < 0)
		return -1;
	return hold_back_needed(s);
}

/* ---- the layout ---- */

/*
 * A layout goes through all jobs in priority order: the promised jobs, which have their places already,
 * move to earlier starts; the others are placed. So a job's place follows from the holds, the promised
 * jobs' places and those before it, and time alone changes nothing until its start has passed. Hence
 * the first `laid` of the last layout, which note where they stand in it, would get the same places again
 * and are left alone, until
 *   room appears or is lost     by what holds nodes, or a promised job that moves or leaves: all
 *   a job leaves, or fails      those behind it; not where it became the hold that it was planned as
 *   a job comes                 those behind it; a promised one finds its place where no job stands
 *   priorities change           from the first that is not the next of the last layout
 *   sets of nodes come or go    all: classes are taken in another order
 * and as long as none of them is tried anew each time, as opaque jobs and those that may be shortened are.
 */
static void stale_from(struct layout *l, size_t i)
{
	if (i < l->laid)
		l->laid = i;
}

static int slurm_create(struct planner *s)
{
	s->own = calloc(1, sizeof(struct layout));
	return s->own ? 0 : -1;
}

static void slurm_destroy(void *own)
{
	free(own);
}

static bool is_ordered(const struct planner *s)
{
	const struct layout *l = s->own;

	return l->ordered && l->order == s->news.order;
}

static void set_ordered(struct planner *s, bool ordered)
{
	struct layout *l = s->own;

	l->ordered = ordered;
	l->order = s->news.order;
}

/* What is told begins with this: one number alone would be an EV_POLICY, of which qops knows none. */
#define FORM 1

static int slurm_save(const struct planner *s, int64_t *v)
{
	v[0] = FORM;
	v[1] = is_ordered(s);
	return 2;
}

static int slurm_load(struct planner *s, const int64_t *v, uint32_t n)
{
	if (n != 2 || v[0] != FORM || v[1] < 0 || v[1] > 1)
		return 1;
	set_ordered(s, v[1]);
	return 0;
}

static int slurm_joined(struct planner *s, struct job *j)
{
	(void)s;
	j->own.at = SIZE_MAX;
	return 0;
}

static void slurm_left(struct planner *s, struct job *j, const struct placement *as)
{
	struct layout *l = s->own;

	if (!as)
		stale_from(l, j->promised ? 0 : j->own.at);
	else if (as->end != s->start_end)
		l->laid = 0;
}

/* Does what has happened leave anything of the last layout? */
static void hear(struct planner *s)
{
	struct layout *l = s->own;

	if (l->spans != s->news.spans || l->places != s->news.places ||
	    l->listing != machine_listing(s->machine))
		l->laid = 0;
	l->spans = s->news.spans;
	l->places = s->news.places;
	l->listing = machine_listing(s->machine);
}

/*
 * How many from the list's front have the places that a layout would give them now. To lay out all of them in each
 * pass takes QoPS in slurm mode 77 % more instructions (1,500 jobs of the CTC log at load 1.4).
 */
static size_t count_settled(const struct planner *s)
{
	const struct layout *l = s->own;
	size_t settled = s->list_n, next = SIZE_MAX;

	for (size_t i = s->list_n; i-- > 0;) {
		const struct job *j = s->list[i];

		if (j->needed && j->promised)
			return 0; /* held back each time, which makes room */
		if (j->own.at >= l->laid || j->own.at > next || j->opaque || j->least ||
		    j->place.start < s->now)
			settled = i;
		if (j->own.at < next)
			next = j->own.at;
	}
	return settled;
}

/* A layout begins: the list, and all places that are still to be found out of the plan. 0 or -1. */
static int lay_open(struct planner *s)
{
	struct layout *l = s->own;

	if (list_fill(s, ORDER_PRIORITY) < 0)
		return -1;
	hear(s);
	l->settled = count_settled(s);
	if ((l->settled ? list_loosen(s, l->settled) : promised_places(s)) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++)
		s->list[i]->own.at = i;
	l->laid = s->list_n;
	return 0;
}

/* Its turn comes, and it has a place. 0 or -1. */
static int lay_promised(struct planner *s, struct job *j)
{
	struct layout *l = s->own;
	int64_t start = j->place.start;
	int rc = compress_one(s, j);

	if (j->place.start != start)
		l->laid = 0;
	return rc;
}

/* From the i-th of the list on all are placed when their turn comes, as if none had been settled. */
static int unsettle(struct planner *s, size_t i)
{
	struct layout *l = s->own;

	if (l->settled <= i)
		return 0;
	if (list_loosen(s, i) < 0)
		return -1;
	l->settled = i;
	return 0;
}

/* Its place in a layout without starts. 0 or -1. */
static int lay_out(struct planner *s, struct job *j)
{
	if (j->promised)
		return lay_promised(s, j);
	if (j->unreserved) {
		stale_from(s->own, j->own.at);
		return 0;
	}
	if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) < 0)
		return -1;
	return plan_put(s->plan, &j->place);
}

/*
 * What came since the last pass stands behind all others, whatever its priority. Before anything is
 * decided by the plan it becomes what the next pass would make. With other classes of nodes than in the
 * last pass a job may find that it can start now: then that next pass has to come. A start may be out, of a
 * pass that was broken off: its job stays where it is. 0 or -1.
 */
static int order_plan(struct planner *s)
{
	const struct layout *l = s->own;

	if (s->in_pass || is_ordered(s))
		return complete_plan(s);
	if (lay_open(s) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j->starting)
			continue;
		if (i >= l->settled && lay_out(s, j) < 0)
			return -1;
		s->dirty |= !j->unconfirmed && !j->opaque && j->place.start <= s->now;
	}
	set_ordered(s, true);
	return 0;
}

static int slurm_prepare(struct planner *s, bool decision)
{
	return decision ? order_plan(s) : unsettle(s, s->cursor);
}

/* ---- admission ---- */

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
 * Lay out the jobs without a promise in priority order around the promised ones of the
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

/* Backwards, as a new promise is to disturb Slurm's order as little as it can. */
static int slurm_arrange(struct search *q)
{
	q->lay_out = lay_out_others;
	return figure3_backwards(q);
}

/* ---- jobs without a deadline ---- */

static int slurm_arrive(struct planner *s, struct job *j)
{
	if (complete_plan(s) < 0)
		return -1;
	admission_artificial(s, j);
	return admission_append(s, j);
}

/* ---- passes ---- */

/* Only promised jobs, and those that are settled, have a place when the pass begins. */
static int slurm_begin(struct planner *s)
{
	if (lay_open(s) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++)
		s->list[i]->unreserved = s->list[i]->retried = false;
	return 0;
}

static int slurm_place(struct planner *s, struct job *j)
{
	if (j->promised)
		return lay_promised(s, j);
	/* it may have a place already, from an admission in the middle of the pass */
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	placement_clear(&j->place);
	if (j->opaque && j->req.not_before <= s->now) {
		shorten_retried(s, j);
		return 0; /* tried first; placed when that fails */
	}
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	if (rc < 0 || plan_put(s->plan, &j->place) < 0)
		return -1;
	return j->unconfirmed ? 0 : shorten_fit(s, j);
}

/* The i-th of the list has its place. 0 or -1. */
static int slurm_turn(struct planner *s, size_t i)
{
	const struct layout *l = s->own;

	/* the pass took so long that its start has passed */
	if (i < l->settled && s->list[i]->place.start < s->now && unsettle(s, i) < 0)
		return -1;
	return i < l->settled ? 0 : slurm_place(s, s->list[i]);
}

static struct job *slurm_step(struct planner *s)
{
	while (s->cursor < s->list_n) {
		size_t i = s->cursor++;
		struct job *j = s->list[i];

		if (!j || j->starting)
			continue;
		if (slurm_turn(s, i) < 0) {
			s->stale = true; /* it may have none */
			return NULL;
		}
		if (j->unconfirmed)
			continue;
		if (j->opaque ? j->req.not_before <= s->now : j->place.start <= s->now)
			return j;
	}
	s->loosened = false;
	set_ordered(s, !s->dirty);
	return NULL;
}

static int slurm_failed(struct planner *s, struct job *j, bool reserve)
{
	stale_from(s->own, j->own.at);
	if (unsettle(s, s->cursor) < 0)
		return -1;
	j->unreserved = !reserve;
	if (shorten_retry(s, j, reserve))
		return 0;
	return place_later(s, j, reserve);
}

const struct plan_policy policy_qops_slurm = {
	.name = "qops",
	.promises = true,
	.keeps = true,
	.appends = true,
	.lays_out = true,
	.create = slurm_create,
	.destroy = slurm_destroy,
	.save = slurm_save,
	.load = slurm_load,
	.joined = slurm_joined,
	.left = slurm_left,
	.prepare = slurm_prepare,
	.arrange = slurm_arrange,
	.arrive = slurm_arrive,
	.begin = slurm_begin,
	.step = slurm_step,
	.failed = slurm_failed,
};
