/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qops: the QoPS scheduler: section 3, Figure 3, as doc/papers.md reads it; artificial deadlines
 * for the other jobs as in section 4.2.
 *
 * What differs between the modes is who runs when, and so what Figure 3 arranges:
 *   paper  all jobs; every one keeps the place that it was given, and early ends compress the plan.
 *   slurm  the promised jobs, which keep their places (and move only earlier); the others are placed
 *          anew at each pass, in priority order, around them. An admission lays out the others that way
 *          too and refuses when one of them would end after its due time because of the new promise;
 *          it tries the position that disturbs nobody first.
 */
#include "core/policies/policies.h"
#include "core/promise/admission.h"

/* ---- admission ---- */

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

/* The list's promised jobs alone in the plan. 0 or -1. */
static int promised_places(struct planner *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (j->promised)
			s->trial.places[n++] = &j->place;
		else
			placement_clear(&j->place);
	}
	if (plan_build(s->plan, holds_base(s->holds), s->trial.places, n, -1) < 0)
		return -1;
	return hold_back_needed(s);
}

/* ---- slurm mode: the layout ---- */

/*
 * A layout goes through all jobs in priority order: the promised jobs, which have their places already,
 * move to earlier starts; the others are placed. So a job's place follows from the holds, the promised
 * jobs' places and those before it, and time alone changes nothing until its start has passed. Hence
 * the first `laid` of the last layout, who note where they stand in it, would get the same places again
 * and are left alone, until
 *   room appears or is lost     by what holds nodes, or a promised job that moves or leaves: all
 *   a job leaves, or fails      those behind it; not where it became the hold that it was planned as
 *   a job comes                 those behind it; a promised one finds its place where nobody stands
 *   priorities change           from the first that is not the next of the last layout
 *   sets of nodes come or go    all: classes are taken in another order
 * and as long as nobody is among them who is tried anew each time: opaque ones, and who may be shortened.
 */
static void stale_from(struct planner *s, size_t i)
{
	if (i < s->laid)
		s->laid = i;
}

static int qops_joined(struct planner *s, struct job *j)
{
	(void)s;
	j->stand = SIZE_MAX;
	return 0;
}

static void qops_left(struct planner *s, struct job *j, const struct placement *as)
{
	if (!as)
		stale_from(s, j->promised ? 0 : j->stand);
	else if (as->end != s->start_end)
		s->laid = 0;
}

static void qops_room(struct planner *s, int64_t from, int64_t until, int sign)
{
	(void)sign;
	if (from < until)
		s->laid = 0;
}

/* How many from the list's front have the places that a layout would give them now. */
static size_t count_settled(const struct planner *s)
{
	size_t settled = s->list_n, next = SIZE_MAX;

	for (size_t i = s->list_n; i-- > 0;) {
		const struct job *j = s->list[i];

		if (j->needed && j->promised)
			return 0; /* held back each time, which makes room */
		if (j->stand >= s->laid || j->stand > next || j->opaque || j->least ||
		    j->place.start < s->now)
			settled = i;
		if (j->stand < next)
			next = j->stand;
	}
	return settled;
}

/* A layout begins: the list, and all places that are still to be found out of the plan. 0 or -1. */
static int lay_open(struct planner *s)
{
	if (list_fill(s, ORDER_PRIORITY) < 0)
		return -1;
	if (s->listing != machine_listing(s->machine))
		s->laid = 0;
	s->listing = machine_listing(s->machine);
	s->settled = count_settled(s);
	if ((s->settled ? list_loosen(s, s->settled) : promised_places(s)) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++)
		s->list[i]->stand = i;
	s->laid = s->list_n;
	return 0;
}

/* Its turn comes, and it has a place. 0 or -1. */
static int lay_promised(struct planner *s, struct job *j)
{
	int64_t start = j->place.start;
	int rc = compress_one(s, j);

	if (j->place.start != start)
		s->laid = 0;
	return rc;
}

/* From the i-th of the list on all are placed when their turn comes, as if nobody had been settled. */
static int unsettle(struct planner *s, size_t i)
{
	if (s->settled <= i)
		return 0;
	if (list_loosen(s, i) < 0)
		return -1;
	s->settled = i;
	return 0;
}

static int qops_interrupt(struct planner *s)
{
	return slurm_mode(s) ? unsettle(s, s->cursor) : 0;
}

/* Its place in a layout without starts. 0 or -1. */
static int lay_out(struct planner *s, struct job *j)
{
	if (j->promised)
		return lay_promised(s, j);
	if (j->unreserved) {
		stale_from(s, j->stand);
		return 0;
	}
	if (plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) < 0)
		return -1;
	return plan_put(s->plan, &j->place);
}

/*
 * What came since the last pass stands behind all others, whatever its priority. Before anything is
 * decided by the plan it becomes what the next pass would make. With other classes of nodes than in the
 * last pass a job may find that it can start now: then that next pass has to come. 0 or -1.
 */
static int order_plan(struct planner *s)
{
	if (s->in_pass || !slurm_mode(s) || s->ordered)
		return complete_plan(s);
	if (lay_open(s) < 0)
		return -1;
	for (size_t i = 0; i < s->list_n; i++) {
		struct job *j = s->list[i];

		if (i >= s->settled && lay_out(s, j) < 0)
			return -1;
		s->dirty |= !j->provisional && !j->opaque && j->place.start <= s->now;
	}
	s->ordered = true;
	return 0;
}

/* ---- jobs without a deadline ---- */

static int qops_arrive(struct planner *s, struct job *j)
{
	if (!slurm_mode(s))
		return admission_arrive(s, j);
	if (complete_plan(s) < 0)
		return -1;
	admission_artificial(s, j);
	return admission_append(s, j);
}

/* ---- passes ---- */

/* Slurm mode: only promised jobs, and who is settled, have a place when the pass begins. */
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
	return j->provisional ? 0 : shorten_fit(s, j);
}

/* The i-th of the list has its place. 0 or -1. */
static int slurm_turn(struct planner *s, size_t i)
{
	/* the pass took so long that its start has passed */
	if (i < s->settled && s->list[i]->place.start < s->now && unsettle(s, i) < 0)
		return -1;
	return i < s->settled ? 0 : slurm_place(s, s->list[i]);
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
		if (j->provisional)
			continue;
		if (j->opaque ? j->req.not_before <= s->now : j->place.start <= s->now)
			return j;
	}
	s->loosened = false;
	s->ordered = !s->dirty;
	return NULL;
}

static int qops_begin(struct planner *s)
{
	return slurm_mode(s) ? slurm_begin(s) : due_begin(s);
}

static struct job *qops_step(struct planner *s)
{
	return slurm_mode(s) ? slurm_step(s) : due_step(s);
}

static int qops_failed(struct planner *s, struct job *j, bool reserve)
{
	stale_from(s, j->stand);
	if (qops_interrupt(s) < 0)
		return -1;
	j->unreserved = !reserve;
	if (slurm_mode(s) && shorten_retry(s, j, reserve))
		return 0;
	return place_later(s, j, reserve);
}

const struct plan_policy policy_qops = {
	.name = "qops",
	.lays_out = true,
	.promises = true,
	.keeps = true,
	.ready = order_plan,
	.arrange = figure3_arrange,
	.appends = true,
	.admit = admission_admit,
	.arrive = qops_arrive,
	.begin = qops_begin,
	.step = qops_step,
	.interrupt = qops_interrupt,
	.failed = qops_failed,
	.joined = qops_joined,
	.left = qops_left,
	.room = qops_room,
};
