/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step: dynP, sections 3.1 and 3.2, as doc/papers.md reads them. Every policy's full schedule is brought up
 * to date (schedule.c) and measured (quality.c), one is chosen (decider.c), and becomes the plan. What goes
 * beyond the paper are the promises: a schedule that breaks one is not eligible.
 */
#include "core/policies/dynp/step.h"

#include "core/planning/arrange/arrange.h"
#include "core/policies/dynp/decider.h"

/* ---- what has happened since the last step ---- */

int tuner_index(const struct tuner *t, uint64_t order)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->schedule[i].sorted.order == order)
			return (int)i;
	}
	return -1;
}

bool tuner_news(const struct planner *s)
{
	return tuner(s)->news || tuner(s)->rooms != s->news.rooms;
}

bool tuner_rekeyed(const struct planner *s)
{
	return tuner(s)->rekeyed || tuner(s)->keys != s->news.keys;
}

void tuner_count(const struct planner *s, struct spread *spread)
{
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (j && j->came)
			spread_add(spread, j->limit, j->req.width, machine_nodes(s->machine));
	}
}

static void hear_came(struct planner *s)
{
	tuner_count(s, &tuner(s)->spread);
	for (size_t i = 0; i < s->queue.n; i++) {
		if (s->queue.v[i])
			s->queue.v[i]->came = false;
	}
}

/* The schedules know of the room that holds gave or took. */
static void hear_rooms(struct planner *s)
{
	struct tuner *t = s->own;

	for (uint32_t i = 0; i < t->n && t->spans != s->news.spans; i++) {
		schedule_room(&t->schedule[i], s->news.more.from, s->news.more.until, 1);
		schedule_room(&t->schedule[i], s->news.less.from, s->news.less.until, -1);
	}
	t->spans = s->news.spans;
	news_room_seen(&s->news);
}

bool step_due(const struct planner *s)
{
	if (tuner_news(s))
		return true;
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (!j->promised && (j->place.start < s->now || j->unreserved))
			return true;
	}
	return false;
}

/* ---- every policy's schedule, measured ---- */

/* What a promised job must not end after; one that is broken already must not become worse. */
static int64_t due(const struct job *j)
{
	return j->place.end > j->deadline ? j->place.end : j->deadline;
}

static bool any_promise(const struct planner *s)
{
	for (size_t i = 0; i < s->queue.n && s->promised; i++) {
		if (s->queue.v[i]->promised)
			return true;
	}
	return false;
}

static bool keeps_promises(const struct sorted_queue *b)
{
	for (size_t i = 0; i < b->n; i++) {
		if (b->v[i].job->promised && b->v[i].at.end > due(b->v[i].job))
			return false;
	}
	return true;
}

static void measure(struct planner *s, uint32_t i, uint32_t schedules)
{
	const struct sorted_queue *b = &tuner(s)->schedule[i].sorted;

	quality_measure(&tuner(s)->quality[i], &s->config.dynp, b->v, b->n, s->now, schedules,
			s->trial.items);
}

/*
 * A job that has a place in none of the first n schedules (asks for more nodes than are in service, say)
 * does not tell them apart, and a thousand years outweigh all that does: they are measured without it.
 */
static void leave_out_unplaced(struct planner *s, uint32_t n)
{
	struct tuner *t = s->own;
	const struct sorted_queue *b = &t->schedule[0].sorted;

	for (uint32_t i = 0; i < n; i++) {
		if (!t->quality[i].unplaced)
			return;
	}
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < t->schedule[i].sorted.n; k++) {
			const struct assignment *x = &t->schedule[i].sorted.v[k];

			x->job->marked += placement_none(&x->at);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		measure(s, i, n);
	for (size_t k = 0; k < b->n; k++)
		b->v[k].job->marked = 0;
}

/* Bring one policy's schedule up to date and measure it. 0 or -1. */
static int make_schedule(struct planner *s, int i, bool promises)
{
	struct tuner *t = s->own;
	struct schedule *v = &t->schedule[i];

	if (schedule_update(v, s, t->base) < 0)
		return -1;
	measure(s, (uint32_t)i, 0);
	t->eligible[i] = !promises || keeps_promises(&v->sorted);
	t->view.compared[v->sorted.order] = true;
	return 0;
}

/* All policies' schedules, of which each is a task. */
struct making {
	struct planner *s;
	bool promises;
	int rc[DYNP_ORDERS];
};

static void make_one(void *ctx, size_t i)
{
	struct making *m = ctx;

	m->rc[i] = make_schedule(m->s, (int)i, m->promises);
}

/* So many waiting jobs are worth handing a schedule over to another processor. */
#define WORTH 64

/*
 * Does no schedule write what another one reads? On a machine of one class each has its own fill, and takes
 * no more from the others' than the holds; in plans, and when only a part of the future counts, they use
 * the scheduler's scratch.
 */
static bool independent(const struct planner *s)
{
	const struct dynp_config *c = &s->config.dynp;

	return tuner(s)->base && !c->future_starts && !c->future_seconds;
}

/* 0 or -1. */
static int make_schedules(struct planner *s, bool promises)
{
	struct making m = { .s = s, .promises = promises };
	uint32_t n = tuner(s)->n;
	int rc = 0;

	if (s->queue.n >= WORTH && independent(s)) {
		planner_together(s, make_one, &m, n);
	} else {
		for (uint32_t i = 0; i < n; i++)
			make_one(&m, i);
	}
	for (uint32_t i = 0; i < n; i++)
		rc = m.rc[i] < 0 ? -1 : rc;
	return rc;
}

/* ---- one is chosen ---- */

/* Section 3.2: all schedules, then the decider. 0 or -1. */
static int choose_by_quality(struct planner *s, bool promises, struct decision *d)
{
	const struct dynp_config *c = &s->config.dynp;
	struct tuner *t = s->own;

	if (make_schedules(s, promises) < 0)
		return -1;
	leave_out_unplaced(s, t->n);
	bool all[DYNP_ORDERS];

	for (int i = 0; i < DYNP_ORDERS; i++)
		all[i] = true;
	quality_combine(c, t->quality, all, t->n, t->compared);
	/* with a spread, limits do not spread wide here, or the first would break a promise */
	int preferred = c->spread && c->npolicies > 1;

	*d = decider_choose_preferring(c, t->compared, t->eligible, t->running, preferred);
	return 0;
}

/*
 * The preferred decider where limits spread wide: the first policy alone counts. 1: it is chosen; 0: they
 * do not, or it would break a promise; -1.
 */
static int choose_first(struct planner *s, bool promises, struct decision *d)
{
	const struct dynp_config *c = &s->config.dynp;
	struct tuner *t = s->own;
	const bool use[DYNP_ORDERS] = { true };

	if (c->decider != DYNP_PREFERRED || !c->spread || spread_at_most(&t->spread, c->spread) ||
	    (c->gain && spread_gain_below(&t->spread, c->gain)))
		return 0;
	if (make_schedule(s, 0, promises) < 0)
		return -1;
	leave_out_unplaced(s, 1);
	quality_combine(c, t->quality, use, t->n, t->compared);
	*d = (struct decision){ .row = -1, .chosen = 0 };
	return t->eligible[0];
}

/* Section 3.1: the policy is known before its schedule is made; decided at submissions only. */
static int choose_by_estimate(struct planner *s, bool promises, struct decision *d)
{
	const struct dynp_config *c = &s->config.dynp;
	struct tuner *t = s->own;
	const struct sorted_queue *any = &t->schedule[0].sorted;
	int wanted = t->submitted ? decider_basic(c, any->v, any->n) : -1;
	bool use[DYNP_ORDERS] = { false };

	*d = (struct decision){ .row = -1, .chosen = wanted < 0 ? t->running : wanted };
	for (int tries = 0; tries < 2; tries++) {
		if (make_schedule(s, d->chosen, promises) < 0)
			return -1;
		use[d->chosen] = true;
		if (t->eligible[d->chosen])
			break;
		if (d->chosen == t->running) {
			d->chosen = -1;
			break;
		}
		d->chosen = t->running;
	}
	quality_combine(c, t->quality, use, t->n, t->compared);
	return 0;
}

/* ---- and becomes the plan ---- */

/*
 * Those that the plan has elsewhere, into s->order, and where the schedule has them, into the trial's places: how
 * many; `most` + 1: more than that.
 */
static size_t find_moved(struct planner *s, const struct sorted_queue *b, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n && n <= most; i++) {
		struct job *j = b->v[i].job;

		if (j->unreserved)
			j->unreserved = false;
		if (placement_same(&j->place, &b->v[i].at))
			continue;
		s->order[n] = j;
		s->trial.places[n++] = &b->v[i].at;
	}
	return n;
}

/* So many, found by find_moved(), change their places one by one. 0 or -1 as below. */
static int adopt_moved(struct planner *s, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = placement_copy(trial_at(&s->trial, s->order[i]), s->trial.places[i]);
	for (size_t i = 0; i < n; i++) {
		struct job *j = s->order[i];

		/* what fails now leaves the plan stale, and all have their new places */
		if (rc == 0) {
			plan_take(s->plan, &j->place);
			placement_move(&j->place, trial_at(&s->trial, j));
			plan_put(s->plan, &j->place);
		}
		placement_clear(trial_at(&s->trial, j));
	}
	return plan_stale(s->plan) ? -1 : rc;
}

/* The whole plan anew. 0 or -1 as below. */
static int adopt_all(struct planner *s, struct schedule *v)
{
	int rc = 0;

	for (size_t i = 0; i < v->sorted.n && rc == 0; i++)
		rc = placement_copy(trial_at(&s->trial, v->sorted.v[i].job), &v->sorted.v[i].at);
	if (rc == 0 && schedule_copy(v, s->plan, s, tuner(s)->base) < 0) {
		plan_make_stale(s->plan);
		rc = -1;
	}
	for (size_t i = 0; i < v->sorted.n; i++) {
		struct job *j = v->sorted.v[i].job;

		if (rc == 0)
			placement_move(&j->place, trial_at(&s->trial, j));
		placement_clear(trial_at(&s->trial, j));
		j->unreserved = false;
	}
	return rc;
}

/*
 * The schedule becomes the plan. 0 or -1: no memory; all have their new places then, or all their old. To make
 * the whole plan anew each time takes dynP 10 to 14 % more instructions (as in schedule.c).
 */
static int adopt(struct planner *s, struct schedule *v)
{
	size_t most = v->sorted.n / 16,
	       n = tuner(s)->base ? find_moved(s, &v->sorted, most) : most + 1;
	int rc = n <= most ? adopt_moved(s, n) : adopt_all(s, v);

	tuner(s)->adopted = true;
	return rc;
}

/* What the new plan means for the promises. */
static void report_promises(struct planner *s, const struct sorted_queue *b)
{
	for (size_t i = 0; i < b->n; i++) {
		if (b->v[i].job->promised)
			report_job(s, b->v[i].job);
	}
}

/* No policy's schedule keeps all promises: the promised jobs stay, or move to earlier starts. */
static int keep_promises(struct planner *s, const struct sorted_queue *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		struct job *j = b->v[i].job;

		if (j->promised)
			s->trial.places[n++] = &j->place;
		else
			placement_clear(&j->place);
		j->unreserved = false;
	}
	if (plan_build(s->plan, holds_base(s->holds), s->trial.places, n, -1) < 0)
		return -1;
	for (size_t i = 0; i < b->n; i++) {
		struct job *j = b->v[i].job;

		if (j->promised ? compress_one(s, j) < 0
				: plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place) <
						  0 ||
					  plan_put(s->plan, &j->place) < 0)
			return -1;
	}
	return 0;
}

/* ---- a step ---- */

static void count_step(struct planner *s, const struct decision *d)
{
	struct tuner *t = s->own;
	struct dynp_view *v = &t->view;

	v->steps++;
	v->many += s->queue.n > 1;
	v->backlog += s->queue.n;
	v->blocked += d->chosen < 0;
	v->differed += d->differs;
	if (d->row >= 0)
		v->cases[d->row]++;
	for (uint32_t i = 0; i < t->n; i++) {
		enum dynp_order order = t->schedule[i].sorted.order;

		v->eligible[order] = v->compared[order] && t->eligible[i];
		v->quality[order] = fraction_value(&t->compared[i]);
	}
}

/* To another policy, or not, as decided; the driver is told. *switched: which. 0 or -1: no effect. */
static int switch_to(struct planner *s, const struct decision *d, bool *switched)
{
	struct tuner *t = s->own;
	enum dynp_order from = t->view.running, to;

	*switched = d->chosen >= 0 && d->chosen != t->running;
	if (!*switched) {
		t->view.kept++;
		return 0;
	}
	to = t->schedule[d->chosen].sorted.order;
	if (decided_push(&s->decided,
			 &(struct sched_action){
				 .type = ACT_POLICY, .from = from, .to = to, .row = d->row }) < 0)
		return -1;
	t->running = d->chosen;
	t->view.running = to;
	t->view.switches[to]++;
	return 0;
}

/* For DYNP_QUEUE: the queue stands as the running policy sorts it. */
static void sort_queue(struct planner *s, bool switched)
{
	struct tuner *t = s->own;
	const struct sorted_queue *b = &t->schedule[t->running].sorted;

	if (tuner_index(t, DYNP_QUEUE) < 0 || (b->order == DYNP_QUEUE && !switched))
		return;
	for (size_t i = 0; i < b->n; i++)
		s->order[i] = b->v[i].job;
	if (b->order == DYNP_QUEUE)
		order_sort(s->order, b->n, ORDER_FCFS, s->now, s->trial.items);
	t->turn = 0;
	for (size_t i = 0; i < b->n; i++)
		s->order[i]->own.n = t->turn++;
	t->rekeyed = true;
}

/* The holds, once for all policies. 0 or -1. */
static int open_base(struct planner *s)
{
	struct tuner *t = s->own;
	const struct plan *base = holds_base(s->holds);

	t->base = NULL;
	if (plan_classes(base) > 1)
		return 0;
	if (fill_open(t->holds, plan_profile(base, 0)) < 0)
		return -1;
	t->base = t->holds;
	return 0;
}

int step_take(struct planner *s)
{
	struct tuner *t = s->own;
	bool promises = any_promise(s), switched;
	struct decision d;
	int rc;

	hear_came(s);
	hear_rooms(s);
	if (tuner_rekeyed(s)) {
		for (uint32_t i = 0; i < t->n; i++)
			schedule_resort(&t->schedule[i]);
	}
	t->rekeyed = false;
	t->keys = s->news.keys;
	if (open_base(s) < 0)
		return -1;
	for (int i = 0; i < DYNP_ORDERS; i++)
		t->view.compared[i] = t->view.eligible[i] = false;
	rc = choose_first(s, promises, &d);
	if (rc == 0)
		rc = s->config.dynp.decider == DYNP_BASIC ? choose_by_estimate(s, promises, &d)
							  : choose_by_quality(s, promises, &d);
	if (rc < 0)
		return -1;
	if (d.chosen >= 0 ? adopt(s, &t->schedule[d.chosen]) < 0
			  : keep_promises(s, &t->schedule[t->running].sorted) < 0)
		return -1;
	/* counted and told when nothing can fail any more: else the next try would do it again */
	if (switch_to(s, &d, &switched) < 0)
		return -1;
	count_step(s, &d);
	if (promises && d.chosen >= 0)
		report_promises(s, &t->schedule[d.chosen].sorted);
	sort_queue(s, switched);
	t->news = t->submitted = false;
	t->rooms = s->news.rooms;
	return 0;
}
