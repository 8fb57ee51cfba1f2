/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dynp: the self-tuning scheduler of the dynP paper, and its basic form; see dynp.h for what it
 * promises.
 *
 * At the beginning of a pass that something made necessary, every policy's full schedule is brought up to
 * date (schedule.c), measured (quality.c), and one is chosen (decider.c). The chosen schedule becomes the
 * plan, and the pass starts what is due in it, in the policy's order. When the driver cannot start a job,
 * what stands behind it is placed anew around what that job keeps, job by job (`loose`).
 *
 * Admission is that of the other schedulers that promise: by the plan as it stands, which the policies'
 * schedules replace only when they keep all promises.
 */
#include <stdlib.h>

#include "core/policies/policies.h"
#include "core/planning/arrange/arrange.h"
#include "core/promise/admission.h"
#include "core/policies/dynp/decider.h"
#include "core/policies/dynp/spread.h"
#include "core/policies/dynp/schedule.h"

struct tuner {
	struct schedule schedule[DYNP_ORDERS]; /* in the order of the configuration's list */
	struct fill *holds;		       /* a step's, for all its schedules */
	const struct fill *base;	       /* the same on a machine of one class; else NULL */
	uint32_t n;
	int running; /* index into it */
	bool news;   /* a step is due */
	bool submitted;
	bool rekeyed;  /* the order of some list is older than what it is made of */
	uint64_t keys; /* the news of keys that the orders know */
	uint64_t rooms,
		spans; /* the news of room that a step has heard, and that the schedules know */
	struct spread spread;	/* of the limits, see dynp_config.spread */
	int64_t turn;		/* of the next job to come, see DYNP_QUEUE */
	bool adopted;		/* in this pass: the plan is the running policy's schedule */
	bool whole;		/* the pass's list has all jobs, not only those due when it began */
	const struct job *last; /* let start by this pass, or what waits before that one */
	bool loose;		/* the rest of the pass's list is placed job by job */
	struct quality quality[DYNP_ORDERS];
	struct fraction compared[DYNP_ORDERS];
	bool eligible[DYNP_ORDERS];
	struct dynp_view view;
};

static struct tuner *tuner(const struct planner *s)
{
	return s->own;
}

/* ---- what is kept ---- */

static void close_schedules(struct schedule *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		schedule_release(&v[i]);
}

/* The configuration's schedules, without a job, into v. 0 or -1: nothing is held. */
static int open_schedules(struct planner *s, struct schedule *v)
{
	const struct dynp_config *c = &s->config.dynp;

	for (uint32_t i = 0; i < c->npolicies; i++) {
		if (schedule_init(&v[i], s, c->policy[i], c->job_priority) < 0) {
			close_schedules(v, i + 1);
			return -1;
		}
	}
	return 0;
}

/* The waiting jobs into each of n. 0 or -1. */
static int join_all(struct planner *s, struct schedule *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < s->queue.n; k++) {
			if (s->queue.v[k] && schedule_join(&v[i], s->queue.v[k]) < 0)
				return -1;
		}
	}
	return 0;
}

static int dynp_create(struct planner *s)
{
	struct tuner *t = calloc(1, sizeof(*t));

	if (t)
		t->holds = fill_create();
	if (!t || !t->holds || open_schedules(s, t->schedule) < 0) {
		if (t)
			fill_destroy(t->holds);
		free(t);
		return -1;
	}
	t->n = s->config.dynp.npolicies;
	t->view.running = s->config.dynp.policy[0];
	s->own = t;
	return 0;
}

static void dynp_destroy(void *own)
{
	struct tuner *t = own;

	if (!t)
		return;
	close_schedules(t->schedule, t->n);
	fill_destroy(t->holds);
	free(t);
}

/* Where a policy stands in the list, or -1. */
static int index_of(const struct tuner *t, uint64_t order)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->schedule[i].sorted.order == order)
			return (int)i;
	}
	return -1;
}

/* The running policy stays if the new list has it. */
static int dynp_configure(struct planner *s)
{
	struct tuner *t = s->own;
	struct schedule v[DYNP_ORDERS];

	if (open_schedules(s, v) < 0)
		return -1;
	if (join_all(s, v, s->config.dynp.npolicies) < 0) {
		close_schedules(v, s->config.dynp.npolicies);
		return -1;
	}
	close_schedules(t->schedule, t->n);
	t->n = s->config.dynp.npolicies;
	for (uint32_t i = 0; i < t->n; i++)
		t->schedule[i] = v[i];
	t->running = index_of(t, t->view.running);
	if (t->running < 0)
		t->running = 0;
	t->view.running = t->schedule[t->running].sorted.order;
	t->news = true;
	return 0;
}

/* The policy that ran before the driver came up again. 0, or 1: it is none of ours. */
static int resume(struct planner *s, int64_t policy)
{
	struct tuner *t = s->own;
	int i = policy < 0 ? -1 : index_of(t, (uint64_t)policy);

	if (i < 0)
		return 1;
	t->running = i;
	t->view.running = t->schedule[i].sorted.order;
	t->news = true;
	return 0;
}

static bool any_news(const struct planner *s)
{
	return tuner(s)->news || tuner(s)->rooms != s->news.rooms;
}

static bool is_rekeyed(const struct planner *s)
{
	return tuner(s)->rekeyed || tuner(s)->keys != s->news.keys;
}

/* The limits of those that came and have not been counted yet. */
static void count_came(const struct planner *s, struct spread *spread)
{
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (j && j->came)
			spread_add(spread, j->limit, j->req.width, machine_nodes(s->machine));
	}
}

static void hear_came(struct planner *s)
{
	count_came(s, &tuner(s)->spread);
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

/*
 * The schedules are made anew from the jobs as they are told, which gives the same ones: but not while
 * the order of a list is older than what it is made of (a priority has changed, and no step followed), nor
 * the turns of DYNP_QUEUE. Such are told when no job waits.
 */
static int dynp_save(const struct planner *s, int64_t *v)
{
	const struct tuner *t = s->own;
	struct spread spread = t->spread;

	if (table_count(s->jobs) && (is_rekeyed(s) || index_of(t, DYNP_QUEUE) >= 0))
		return -1;
	count_came(s, &spread);
	v[0] = t->view.running;
	v[1] = any_news(s);
	v[2] = t->submitted;
	v[3] = is_rekeyed(s);
	v[4] = spread.n;
	v[5] = spread.sum;
	v[6] = spread.squares;
	v[7] = spread.shares;
	v[8] = spread.shared;
	v[9] = spread.shared_squares;
	v[10] = spread.areas;
	return 11;
}

static int dynp_load(struct planner *s, const int64_t *v, uint32_t n)
{
	struct tuner *t = s->own;

	if (n == 1)
		return resume(s, v[0]);
	/* recordings from before there was a spread have four, from before it knew widths, seven */
	if ((n != 4 && n != 7 && n != 11) || v[0] < 0 || index_of(t, (uint64_t)v[0]) < 0)
		return 1;
	struct spread spread = { 0 };

	if (n >= 7)
		spread = (struct spread){ .n = v[4], .sum = v[5], .squares = v[6] };
	if (n == 11) {
		spread.shares = v[7];
		spread.shared = v[8];
		spread.shared_squares = v[9];
		spread.areas = v[10];
	}
	if (!spread_valid(&spread))
		return 1;
	t->spread = spread;
	t->running = index_of(t, (uint64_t)v[0]);
	t->view.running = t->schedule[t->running].sorted.order;
	t->news = v[1];
	t->submitted = v[2];
	t->rekeyed = v[3];
	t->keys = s->news.keys;
	t->rooms = s->news.rooms;
	for (uint32_t i = 0; i < t->n; i++)
		sorted_queue_arrange(&t->schedule[i].sorted);
	return 0;
}

static int dynp_joined(struct planner *s, struct job *j)
{
	struct tuner *t = s->own;

	j->own.n = t->turn++;
	for (uint32_t i = 0; i < t->n; i++) {
		if (schedule_join(&t->schedule[i], j) < 0) {
			while (i--)
				schedule_leave(&t->schedule[i], j, NULL, s->now);
			return -1;
		}
	}
	t->news = t->submitted = true;
	return 0;
}

/* Where the pass is in the order stays known when that job leaves. */
static void step_back(struct tuner *t)
{
	const struct sorted_queue *b = &t->schedule[t->running].sorted;
	ptrdiff_t i = sorted_queue_find(b, t->last);

	t->last = i > 0 ? b->v[i - 1].job : NULL;
}

static void dynp_left(struct planner *s, struct job *j, const struct placement *as)
{
	struct tuner *t = s->own;

	if (j->came)
		spread_add(&t->spread, j->limit, j->req.width, machine_nodes(s->machine));
	j->came = false;
	if (t->last == j)
		step_back(t);
	for (uint32_t i = 0; i < t->n; i++)
		schedule_leave(&t->schedule[i], j, as, s->now);
	if (holds_find(s->holds, j->id))
		t->view.started[t->view.running]++;
	else
		t->news = true;
}

/* ---- a step ---- */

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

/* The schedule becomes the plan. 0 or -1: no memory; all have their new places then, or all their old. */
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
	if (planner_push_action(
		    s, &(struct sched_action){
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

	if (index_of(t, DYNP_QUEUE) < 0 || (b->order == DYNP_QUEUE && !switched))
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

static int take_step(struct planner *s)
{
	struct tuner *t = s->own;
	bool promises = any_promise(s), switched;
	struct decision d;
	int rc;

	hear_came(s);
	hear_rooms(s);
	if (is_rekeyed(s)) {
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

/* ---- a pass ---- */

/* Did anything happen that a step follows? A planned start that has passed is news, too. */
static bool step_due(const struct planner *s)
{
	if (any_news(s))
		return true;
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (!j->promised && (j->place.start < s->now || j->unreserved))
			return true;
	}
	return false;
}

/* The pass's list: the running policy's assignments behind `last`, or all; those that are due, or all. */
static void list_pass(struct planner *s, const struct job *last)
{
	struct tuner *t = s->own;
	const struct sorted_queue *b = &t->schedule[t->running].sorted;
	size_t first = last ? (size_t)(sorted_queue_find(b, last) + 1) : 0;

	s->list_n = s->cursor = 0;
	/* a job that has come since the last step has no place in the order yet */
	for (size_t i = first; i < b->sorted; i++) {
		if (!t->whole && b->v[i].at.start > s->now)
			continue;
		b->v[i].job->at = s->list_n;
		s->list[s->list_n++] = b->v[i].job;
	}
}

static int dynp_begin(struct planner *s)
{
	struct tuner *t = s->own;

	t->loose = t->adopted = s->loosened = false;
	t->last = NULL;
	s->list_n = s->cursor = 0;
	if (!s->queue.n) {
		t->news = t->submitted = false;
		t->rooms = s->news.rooms;
		return 0;
	}
	if (step_due(s) && take_step(s) < 0)
		return -1;
	t->whole = !t->adopted || s->queue.opaques;
	list_pass(s, NULL);
	return 0;
}

/* All jobs behind j leave the plan, but for the promised ones. 0 or -1. */
static int loosen(struct planner *s, const struct job *j)
{
	struct tuner *t = s->own;

	if (!t->whole) {
		t->whole = true;
		list_pass(s, j);
	}
	if (list_loosen(s, s->cursor) < 0)
		return -1;
	t->loose = true;
	return 0;
}

/* Its place after a job before it could not start. 0 or -1. */
static int place_loose(struct planner *s, struct job *j)
{
	if (j->promised)
		return compress_one(s, j);
	/* it may have one already, from an admission in the middle of the pass */
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	return rc < 0 || plan_put(s->plan, &j->place) < 0 ? -1 : 0;
}

static struct job *dynp_step(struct planner *s)
{
	while (s->cursor < s->list_n) {
		struct job *j = s->list[s->cursor++];

		if (!j || j->starting)
			continue;
		if (tuner(s)->loose && place_loose(s, j) < 0) {
			s->stale = true; /* it may have none */
			return NULL;
		}
		if (j->unconfirmed || j->req.not_before > s->now)
			continue;
		if (j->place.start <= s->now || j->opaque) {
			tuner(s)->last = j;
			return j;
		}
	}
	s->loosened = false;
	return NULL;
}

static int dynp_failed(struct planner *s, struct job *j, bool reserve)
{
	j->unreserved = !reserve;
	if (!tuner(s)->loose && loosen(s, j) < 0)
		return -1;
	return place_later(s, j, reserve);
}

/* ---- admission ---- */

/*
 * Has a single new job been late by itself at this position, which takes it first, so that no other could
 * make room for it? Behind a later position stand all of this one's jobs and more: there it is no earlier.
 */
static bool late_from_here(const struct search *q, size_t ts)
{
	return ts > 0 && q->fresh_n == 1 && q->violations == 1 && q->missed == q->fresh[0];
}

/*
 * QoPS, Figure 3, with its last position first. The answer is the paper's in every state, as it is
 * yes if any position is feasible, and all are tried before it is no. What differs is the arrangement found:
 * position 0 places all waiting jobs anew, and there is no point in that here, for the policies'
 * schedules, made in the step that follows, place them anew in any case. Position N moves no job,
 * and so breaks nothing: neither a promise nor an artificial deadline. It costs one placement.
 */
static int dynp_arrange(struct search *q)
{
	int rc = figure3_try(q, q->n);

	for (unsigned k = 0; rc == 0 && !q->best.expired; k++) {
		size_t ts = figure3_position(q->n, k);

		if (ts == q->n)
			break;
		rc = figure3_try(q, ts);
		if (rc == 0 && late_from_here(q, ts))
			break;
	}
	return rc;
}

/* ---- jobs without a deadline ---- */

/*
 * Before a decision in the middle of a pass, whose list may lack those that were not due: all behind the one
 * that was let start last; those up to it have had their turn. 0 or -1.
 */
static int dynp_prepare(struct planner *s, bool decision)
{
	if (!decision)
		return 0;
	if (s->in_pass && !tuner(s)->whole) {
		tuner(s)->whole = true;
		list_pass(s, tuner(s)->last);
	}
	return complete_plan(s);
}

/* Behind the plan, until the step that follows. */
static int dynp_arrive(struct planner *s, struct job *j)
{
	if (dynp_prepare(s, true) < 0)
		return -1;
	admission_artificial(s, j);
	return admission_append(s, j);
}

int dynp_view(const struct planner *s, struct dynp_view *v)
{
	if (s->policy != &policy_dynp)
		return PACT_ENOENT;
	*v = tuner(s)->view;
	return PACT_OK;
}

const struct plan_policy policy_dynp = {
	.name = "dynp",
	.promises = true,
	.keeps = true,
	.prepare = dynp_prepare,
	.arrange = dynp_arrange,
	.appends = true,
	.arrive = dynp_arrive,
	.begin = dynp_begin,
	.step = dynp_step,
	.failed = dynp_failed,
	.anew = true,
	.create = dynp_create,
	.destroy = dynp_destroy,
	.configure = dynp_configure,
	.joined = dynp_joined,
	.left = dynp_left,
	.save = dynp_save,
	.load = dynp_load,
};
