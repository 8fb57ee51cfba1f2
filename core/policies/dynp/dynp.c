/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dynp: the self-tuning scheduler of the dynP paper, and its basic form; see dynp.h for what it
 * promises.
 *
 * At the beginning of a pass that something made necessary a step is taken (step.c): one policy's full
 * schedule becomes the plan. The pass starts what is due in it, in the policy's order. When the driver
 * cannot start a job, what stands behind it is placed anew around what that job keeps, job by job (`loose`).
 *
 * Admission is that of the other schedulers that promise: by the plan as it stands, which the policies'
 * schedules replace only when they keep all promises.
 */
#include <stdlib.h>

#include "core/policies/policies.h"
#include "core/planning/arrange/arrange.h"
#include "core/promise/admission.h"
#include "core/policies/dynp/step.h"

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
	t->running = tuner_index(t, t->view.running);
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
	int i = policy < 0 ? -1 : tuner_index(t, (uint64_t)policy);

	if (i < 0)
		return 1;
	t->running = i;
	t->view.running = t->schedule[i].sorted.order;
	t->news = true;
	return 0;
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

	if (table_count(s->jobs) && (tuner_rekeyed(s) || tuner_index(t, DYNP_QUEUE) >= 0))
		return -1;
	tuner_count(s, &spread);
	v[0] = t->view.running;
	v[1] = tuner_news(s);
	v[2] = t->submitted;
	v[3] = tuner_rekeyed(s);
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
	if ((n != 4 && n != 7 && n != 11) || v[0] < 0 || tuner_index(t, (uint64_t)v[0]) < 0)
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
	t->running = tuner_index(t, (uint64_t)v[0]);
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

/* ---- a pass ---- */

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
	if (step_due(s) && step_take(s) < 0)
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
