/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair: bring the plan up to date with what holds nodes, and repair it when it lost room.
 *
 * The design's second and eighth promise: a fuller replan replaces the plan only if it is feasible for
 * all promises, else as many as possible are kept and the others are reported at once. These ways are
 * tried in this order, the first without a broken promise wins, else the one that breaks fewest, and can be
 * made a second time within the call's budget:
 *   shift    only when something did not end or start on time: in planned start order every job moves
 *            later just as far as it must, so that no job is overtaken for a moment's delay;
 *   stay     every job keeps its nodes and start if these are still free; of the others, in planned
 *            start order, its start on other nodes; and the rest are placed as in the next;
 *   keep     in planned start order every job keeps its start if it still fits there; the others are
 *            placed at their earliest fit, promised ones by due time first;
 *   search   the promised jobs anew, as position 0 in QoPS, Figure 3, with more violations allowed;
 *   ranked   the promised jobs anew in the heuristic's order, those that miss put at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "core/planning/arrange/arrange.h"
#include "core/planning/planning.h"
#include "core/promise/attempt.h"

#define REPAIR_VIOLATIONS 64
/* Seconds by which an overdue hold is prolonged at most where there is no lateness. */
#define PROLONG_MOST 30

/* Place anew onto the trial at the earliest fit not before `from` and not after `latest`. */
static int replace(struct planner *s, struct job *j, int64_t from, int64_t latest)
{
	struct trial *d = &s->trial;
	int rc = plan_earliest(d->plan, &j->req, from, latest, trial_at(d, j));

	if (rc == 0)
		rc = plan_put(d->plan, trial_at(d, j));
	d->touched[j->slot] = rc == 0;
	return rc;
}

static void drop_trial(struct planner *s)
{
	for (size_t i = 0; i < s->queue.n; i++)
		trial_forget(&s->trial, s->queue.v[i]);
}

/* Place v[0 .. n) in order at their earliest fits; -1: no memory. */
static int place_all(struct planner *s, struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!s->trial.touched[v[i]->slot] && replace(s, v[i], s->now, PACT_FOREVER) < 0)
			return -1;
		trial_touch(&s->trial, v[i]);
	}
	return 0;
}

static int count_lost(const struct planner *s, struct job **v, size_t n)
{
	int lost = 0;

	for (size_t i = 0; i < n; i++)
		lost += promise_lost(v[i], trial_at(&s->trial, v[i]));
	return lost;
}

/* The waiting jobs that are to have a place of their own: promised ones first in v. */
static size_t gather(struct planner *s, struct job **v, size_t *promised)
{
	size_t n = 0;

	for (int part = 0; part < 2; part++) {
		for (size_t i = 0; i < s->queue.n; i++) {
			struct job *j = s->queue.v[i];

			if (j->promised == !part && !j->starting && !j->unreserved)
				v[n++] = j;
		}
		if (!part)
			*promised = n;
	}
	return n;
}

/* May a job that starts at its place's start, which may have passed, end by its end? */
static bool start_stands(const struct planner *s, const struct placement *at)
{
	return at->start >= s->now || (at->start >= s->now - s->config.lateness &&
				       at->end > s->now && at->end != PACT_FOREVER);
}

/* The same place again, if it is free. */
static int stay_there(struct planner *s, struct job *j)
{
	struct trial *d = &s->trial;

	if (placement_none(&j->place) || !start_stands(s, &j->place) ||
	    !plan_has_room(d->plan, &j->place, s->now))
		return 0;
	if (placement_copy(trial_at(d, j), &j->place) < 0 || plan_put(d->plan, trial_at(d, j)) < 0)
		return -1;
	trial_touch(d, j);
	return 0;
}

/*
 * The same start again, if it fits. A job that is late by no more than its guard allows keeps its end
 * too: when it starts, the guard absorbs that (EV_STARTED).
 */
static int keep_place(struct planner *s, struct job *j)
{
	int64_t start = j->place.start, end = j->place.end;
	struct request rest = j->req;
	struct trial *d = &s->trial;

	if (start == PACT_FOREVER)
		return 0;
	if (start >= s->now || !start_stands(s, &j->place))
		return replace(s, j, start > s->now ? start : s->now,
			       start > s->now ? start : s->now);
	rest.duration = end - s->now;
	int rc = plan_earliest(d->plan, &rest, s->now, s->now, trial_at(d, j));

	if (rc == 0) {
		trial_at(d, j)->start = start;
		rc = plan_put(d->plan, trial_at(d, j));
	}
	d->touched[j->slot] = rc == 0;
	return rc;
}

/*
 * "shift": returns the number of lost promises, or -1. In slurm mode the promised jobs come first: the
 * others are placed anew around them at each pass.
 */
static int way_shift(struct planner *s, struct job **v, size_t promised, size_t n)
{
	size_t first = s->config.mode == SCHED_MODE_SLURM && s->policy->promises ? promised : n;
	struct job **order = s->trial.todo;

	if (attempt_empty(s, &s->trial) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		order[i] = v[i];
	order_by_start(order, first, s->trial.items);
	order_by_start(order + first, n - first, s->trial.items);
	for (size_t i = 0; i < n; i++) {
		int64_t start = order[i]->place.start;
		int64_t from = start < s->now || start == PACT_FOREVER ? s->now : start;

		if (keep_place(s, order[i]) < 0 || (!s->trial.touched[order[i]->slot] &&
						    replace(s, order[i], from, PACT_FOREVER) < 0))
			return -1;
		trial_touch(&s->trial, order[i]);
	}
	return count_lost(s, v, promised);
}

/* "stay" and "keep": as above. */
static int keep_most(struct planner *s, struct job **v, size_t promised, size_t n, bool stay)
{
	if (attempt_empty(s, &s->trial) < 0)
		return -1;
	for (size_t part = 0; part < 2; part++) {
		struct job **at = part ? v + promised : v;
		size_t count = part ? n - promised : promised;

		for (size_t i = 0; stay && i < count; i++)
			if (stay_there(s, at[i]) < 0)
				return -1;
		order_by_start(at, count, s->trial.items);
		for (size_t i = 0; i < count; i++)
			if (!s->trial.touched[at[i]->slot] && keep_place(s, at[i]) < 0)
				return -1;
		order_sort(at, count, part ? ORDER_PRIORITY : ORDER_EDF, s->now, s->trial.items);
		if (place_all(s, at, count) < 0)
			return -1;
	}
	return count_lost(s, v, promised);
}

static int way_stay(struct planner *s, struct job **v, size_t promised, size_t n)
{
	return keep_most(s, v, promised, n, true);
}

static int way_keep(struct planner *s, struct job **v, size_t promised, size_t n)
{
	return keep_most(s, v, promised, n, false);
}

/*
 * "search": as above. A promise that cannot be kept anyway is not searched for. More lost than there are: nothing was
 * found, or there was no time left to find it, also if it was found before.
 */
static int way_search(struct planner *s, struct job **v, size_t promised, size_t n)
{
	struct attempt a = { .s = s,
			     .trial = &s->trial,
			     .list = v,
			     .list_n = promised,
			     .sorted = s->sorted,
			     .k = REPAIR_VIOLATIONS };

	if (promised)
		memcpy(s->sorted, v, promised * sizeof(*v));
	order_sort(s->sorted, promised, s->config.order, s->now, s->trial.items);
	attempt_number(s, v, promised);
	int rc = attempt_run(&a);

	if (rc < 0)
		return -1;
	if (rc == 0)
		return (int)promised + 1;
	order_sort(v + promised, n - promised, ORDER_PRIORITY, s->now, s->trial.items);
	if (place_all(s, v + promised, n - promised) < 0)
		return -1;
	return count_lost(s, v, promised);
}

/* "ranked": as above. */
static int way_ranked(struct planner *s, struct job **v, size_t promised, size_t n)
{
	if (attempt_empty(s, &s->trial) < 0)
		return -1;
	order_sort(v, promised, s->config.order, s->now, s->trial.items);
	for (size_t i = 0; i < promised; i++) {
		struct job *j = v[i];
		int rc = replace(s, j, s->now,
				 j->deadline > j->req.duration ? j->deadline - j->req.duration
							       : s->now);

		if (rc < 0)
			return -1;
	}
	if (place_all(s, v, promised) < 0)
		return -1;
	order_sort(v + promised, n - promised, ORDER_PRIORITY, s->now, s->trial.items);
	if (place_all(s, v + promised, n - promised) < 0)
		return -1;
	return count_lost(s, v, promised);
}

static void commit_trial(struct planner *s, struct job **v, size_t n)
{
	struct plan *t = s->plan;

	for (size_t i = 0; i < n; i++)
		trial_move(&s->trial, v[i]);
	agenda_spoil(s);
	s->news.places++;
	compress_forget(s);
	s->plan = s->trial.plan;
	s->trial.plan = t;
	holds_mirror(s->holds, s->plan);
}

typedef int way_fn(struct planner *, struct job **, size_t, size_t);

static way_fn *const ways[] = { way_shift, way_stay, way_keep, way_search, way_ranked };

#define WAYS (sizeof(ways) / sizeof(*ways))

/*
 * What the best way found is not in the trial any more: it is tried again. A search may be cut short this time, and
 * leave nothing but a part of its plan; then it is the next best way, which asks for no time. 0 or -1: no memory.
 */
static int best_again(struct planner *s, int *lost, struct job **v, size_t promised, size_t n)
{
	for (size_t tries = 0; tries < WAYS; tries++) {
		size_t best = 0;

		for (size_t w = 1; w < WAYS; w++) {
			if (lost[w] < lost[best])
				best = w;
		}
		lost[best] = ways[best](s, v, promised, n);
		if (lost[best] <= (int)promised)
			return lost[best] < 0 ? -1 : 0;
	}
	return 0;
}

/* late: nothing but that something was late. */
static int replan(struct planner *s, bool late)
{
	queue_pack(&s->queue);

	struct job **v = s->order;
	size_t promised = 0, n = gather(s, v, &promised);
	int lost[WAYS], fewest = INT32_MAX;

	for (size_t i = 0; i < n; i++) {
		bool possible = v[i]->promised && v[i]->req.duration <= v[i]->deadline - s->now;

		v[i]->due = possible ? v[i]->deadline : PACT_FOREVER;
	}
	for (size_t w = 0; w < WAYS; w++)
		lost[w] = INT32_MAX;
	for (size_t w = late ? 0 : 1; w < WAYS && fewest; w++) {
		lost[w] = ways[w](s, v, promised, n);
		if (lost[w] < 0) {
			drop_trial(s);
			return -1;
		}
		if (lost[w] < fewest)
			fewest = lost[w];
		if (lost[w])
			drop_trial(s);
	}
	if (fewest && best_again(s, lost, v, promised, n) < 0) {
		drop_trial(s);
		return -1;
	}
	commit_trial(s, v, n);
	for (size_t i = 0; i < promised; i++)
		report_job(s, v[i]);
	s->tightened = false;
	return 0;
}

static void report_running(struct planner *s)
{
	struct hold *x;

	for (size_t i = 0; (x = holds_next(s->holds, &i));)
		report_hold(s, x);
}

/* A job that should have started longer ago than its guard allows has lost its place. */
static bool any_late(struct planner *s)
{
	int64_t limit = s->now - s->config.lateness, next;
	size_t n;

	if (agenda_rules(s) && agenda_until(s, limit - 1, s->trial.todo, &n, &next) == 0) {
		while (n > 0 && s->trial.todo[n - 1]->starting)
			n--;
		return n > 0;
	}
	if (!s->promised && s->policy->anew)
		return false;
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		/* the agenda's policies leave holes; here they have no memory for the agenda */
		if (!j)
			continue;
		if (!j->promised && (s->policy->anew || s->policy->lays_out))
			continue; /* placed anew at each pass */
		if (!j->starting && j->place.start < limit)
			return true;
	}
	return false;
}

/*
 * With a lateness a hold that should be over now is not sure to be. Without one the driver is exact:
 * what ends now is free now, and of several ends at one instant the first is told while the others
 * are still to come.
 */
static int64_t due_by(const struct planner *s)
{
	return s->config.lateness > 0 ? s->now : s->now - 1;
}

/*
 * From the holds and the places, as if other classes of nodes had come; a job that lost its place in what
 * failed gets another one when the plan is compressed. 0 or -1.
 */
static int rebuild(struct planner *s)
{
	if (remap(s) < 0)
		return -1;
	s->loosened = s->dirty = true;
	s->news.order++;
	news_room(&s->news, s->now, PACT_FOREVER, 0);
	for (size_t i = 0; i < s->queue.n; i++) {
		if (s->queue.v[i])
			report_job(s, s->queue.v[i]);
	}
	return 0;
}

bool overdue(const struct planner *s)
{
	return holds_next_end(s->holds) <= due_by(s);
}

/* By the lateness; without one by a second, and more if that is not enough. */
static bool prolong(struct planner *s)
{
	int64_t by = s->config.lateness;

	return holds_prolong(s->holds, due_by(s), s->now, by > 0 ? by : 1,
			     by > 0 ? by : PROLONG_MOST);
}

int repair(struct planner *s)
{
	bool late = !s->tightened, rebuilt = stale(s);

	if (s->policy->keeps && !agenda_rules(s))
		queue_pack(&s->queue);
	else
		queue_trim(&s->queue);
	if (planner_scratch(s, s->queue.n) < 0)
		return -1;
	holds_advance(s->holds, s->now);
	if (s->policy->keeps)
		plan_advance(s->plan, s->now);
	if (!s->in_pass && machine_tidy(s->machine) < 0)
		return -1;
	if (rebuilt ? rebuild(s) < 0
		    : s->generation != machine_generation(s->machine) && remap(s) < 0)
		return -1;
	if (prolong(s)) {
		news_room(&s->news, s->now, PACT_FOREVER, -1);
		s->tightened = rebuilt = true;
	}
	if (rebuilt)
		report_running(s);
	if (!s->policy->keeps) {
		s->tightened = false;
		return 0;
	}
	if (!s->tightened && any_late(s))
		s->tightened = true;
	if (!s->tightened)
		return 0;
	s->news.order++;
	return replan(s, late);
}

int interrupt_pass(struct planner *s)
{
	if (!s->in_pass || !s->policy->prepare)
		return 0;
	if (!stale(s))
		return s->policy->prepare(s, false);
	/* nothing can be placed in it: the next pass has it whole again, and begins from the front */
	s->in_pass = false;
	s->dirty = true;
	return 0;
}

int repair_for_decision(struct planner *s, bool decision)
{
	if (interrupt_pass(s) < 0)
		return -1;
	/* a policy that keeps no places looks at the plan in its passes only, and each pass begins with this;
	 * but an overdue job is prolonged from the instant at which it is seen to be overdue */
	if (!decision && !s->policy->keeps && !overdue(s))
		return 0;
	if (repair(s) < 0)
		return -1;
	if (!decision || !s->policy->prepare || !s->config.admission)
		return 0;
	return s->policy->prepare(s, true);
}
