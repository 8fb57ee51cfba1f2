/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compress: after an early end the waiting jobs move to earlier starts (doc/papers.md,
 * conservative): those of conservative in the order of their arrival, others', and if so configured
 * its own, too, in planned start order. It serves all schedulers that keep a plan.
 *
 * Most jobs cannot move and should cost next to nothing. So a plan of one class of nodes is swept
 * over along with the jobs, and how long so many nodes were free without a break is noted. A job can
 * move into such a run before its start if that is as long as the job, or if it goes on to the job's
 * own place. To keep the notes few there are two classes of width for each power of two, and room
 * that is taken meanwhile stays in them: a job that may move by them is asked. To ask every job instead takes
 * conservative with Compress=start 82 % more instructions (1,500 jobs of a model at load 2).
 *
 * A job that could not move after the last compression, and has lost nothing since, can move only into a
 * run with room in it that came later. So a run that begins behind all such room is not noted, and once there is
 * none that goes on the steps are not looked at. A job that moves gives room only from its start on, which
 * helps no job before it: none can move when all have been asked. To note all runs takes 18 % more there.
 *
 * In the order of arrival every job is asked: one that stays does not note how far its room goes, and
 * those that move are many. (Runs noted before the first is asked, and what each job could have used since,
 * have been tried: it took longer.)
 */
#include <string.h>

#include "core/planning/arrange/arrange.h"

/* Widths 1, 2, 3, 4, 6, 8, 12, ...: the narrowest of each class. */
#define CLASSES 64

static void number(struct queue *q)
{
	for (size_t i = 0; i < q->n; i++)
		q->v[i]->slot = i;
}

/* In planned start order. 0 or -1. */
static int sort_by_start(struct planner *s)
{
	struct queue *q = &s->queue;

	queue_pack(q);
	if (planner_scratch(s, q->n) < 0)
		return -1;
	order_by_start(q->v, q->n, s->trial.items);
	number(q);
	return 0;
}

/* As the jobs have come, or in slurm mode by their priority. 0 or -1. */
static int sort_by_turn(struct planner *s)
{
	bool ranked = s->config.mode == SCHED_MODE_SLURM;
	struct queue *q = &s->queue;

	queue_pack(q);
	if (planner_scratch(s, q->n) < 0)
		return -1;
	order_sort(q->v, q->n, ranked ? ORDER_PRIORITY : ORDER_FCFS, s->now, s->trial.items);
	number(q);
	return 0;
}

/* It wants nodes of one class, whichever. */
static bool is_plain(const struct job *j)
{
	return j->req.nalt == 1 && j->req.alt[0]->classes == 1 && !j->req.required &&
	       !placement_none(&j->place) && j->place.nshare == 1;
}

/* What is known of the room before a job's start; it may say more than there is, but not less. */
struct room {
	bool before; /* there may be a window for it that ends by its start */
	bool at;     /* there may be room enough just before its start */
};

static const struct room unknown = { .before = true, .at = true };

/*
 * The earliest start before the one that a plain job has, or for ever. It is seen without taking the
 * job out of the plan: what it holds itself matters only to a window that reaches to its start.
 */
static int64_t earlier_start(const struct planner *s, const struct job *j, struct room room)
{
	const struct request *r = &j->req;
	const struct profile *p = plan_profile(s->plan, r->alt[0]->cls[0]);
	int64_t start = j->place.start, from = r->not_before > s->now ? r->not_before : s->now;
	int64_t found = PACT_FOREVER;

	if (start <= from)
		return PACT_FOREVER;
	if (room.before && start - from >= r->duration)
		found = profile_earliest_by(p, from, start - r->duration, r->duration, r->width);
	if (found == PACT_FOREVER && room.at && profile_at(p, start - 1) >= r->width)
		found = profile_last_at_most(p, from, start, r->width - 1);
	return found;
}

/* To an earlier start: only what its two places do not share is touched. 0 or -1: no effect. */
static int move_plain(struct planner *s, struct job *j, int64_t start)
{
	struct profile *p = plan_profile(s->plan, j->req.alt[0]->cls[0]);
	struct placement *at = &j->place;
	int64_t end = plan_end(start, j->req.duration);
	int64_t gained = end < at->start ? end : at->start;
	int64_t given = end > at->start ? end : at->start, until = at->end;

	if (profile_add(p, start, gained, -j->req.width) < 0)
		return -1;
	if (profile_add(p, given, until, j->req.width) < 0) {
		profile_add(p, start, gained, j->req.width);
		return -1;
	}
	at->start = start;
	at->end = end;
	agenda_move(s, j);
	return 0;
}

/* Another place, if that is earlier. 0; 1: it moved; -1: no memory. */
static int move_any(struct planner *s, struct job *j)
{
	struct placement better;
	int64_t start = j->place.start;

	if (start <= s->now || start <= j->req.not_before)
		return 0;
	placement_init(&better);
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	int rc = plan_earliest(s->plan, &j->req, s->now, start, &better);
	bool moves = rc == 0 && better.start < start;

	if (moves) {
		placement_move(&j->place, &better);
		agenda_move(s, j);
	}
	placement_clear(&better);
	return plan_put(s->plan, &j->place) < 0 || rc < 0 ? -1 : moves;
}

/* 1: it moved; 0: it did not; -1: no memory. */
static int move_earlier(struct planner *s, struct job *j, struct room room)
{
	int moved;

	if (j->starting)
		return 0;
	if (is_plain(j)) {
		int64_t start = earlier_start(s, j, room);

		if (start == PACT_FOREVER)
			return 0;
		moved = move_plain(s, j, start) < 0 ? -1 : 1;
	} else {
		moved = move_any(s, j);
	}
	if (moved > 0) {
		j->unreserved = false;
		report_job(s, j);
	}
	return moved;
}

int compress_one(struct planner *s, struct job *j)
{
	return move_earlier(s, j, unknown) < 0 ? -1 : 0;
}

/* ---- in the queue's order, or with several classes of nodes: every job is asked ---- */

static int compress_all(struct planner *s)
{
	for (size_t i = 0; i < s->queue.n; i++) {
		if (compress_one(s, s->queue.v[i]) < 0)
			return -1;
	}
	return 0;
}

/* ---- one class of nodes, in planned start order: a sweep along with the jobs ---- */

struct sweep {
	const struct profile *p;
	const int64_t *time; /* steps of the plan, where they lie, */
	const int32_t *free;
	size_t n, i;
	int64_t behind; /* and where the next ones begin */
	int64_t at;	/* it has come so far */
	int64_t freed;	/* room came before this only */
	int c;		/* the class of what is free where it has come to; -1: nothing is */
	/* Per class, the longest run that has ended, or more. */
	int64_t longest[CLASSES];
	/* The runs that go on; the wider, the later they began. */
	size_t open;
	struct {
		int64_t begin;
		int c;
	} run[CLASSES];
};

static int width_class(int32_t width)
{
	int top = width > 0 ? 31 - __builtin_clz((unsigned)width) : 0;

	return width > 1 ? 2 * top + (width >> (top - 1) & 1) : width - 1;
}

/* Is it wider than the narrowest of its class? */
static bool is_between(int32_t width)
{
	int top = 31 - __builtin_clz((unsigned)width);

	return top > 1 && (width & ((INT32_C(1) << (top - 1)) - 1));
}

/* From t on so many are free. */
static void step_on(struct sweep *w, int64_t t, int32_t free)
{
	int c = free > 0 ? width_class(free) : -1;
	int64_t begin = t;

	if (c == w->c)
		return;
	while (w->open && w->run[w->open - 1].c > c) {
		begin = w->run[--w->open].begin;
		if (begin >= w->freed)
			continue;
		/* it is a run of all narrower ones, too */
		for (int i = w->run[w->open].c; i >= 0 && w->longest[i] < t - begin; i--)
			w->longest[i] = t - begin;
	}
	if (c >= 0 && (!w->open || w->run[w->open - 1].c < c)) {
		w->run[w->open].begin = begin;
		w->run[w->open++].c = c;
	}
	w->c = c;
}

/* The steps from the one that holds t on, which has been noted. */
static void look_again(struct sweep *w, int64_t t)
{
	w->n = profile_look(w->p, t, &w->time, &w->free, &w->behind);
	w->i = 1;
}

/* The same, and it is noted as if it began at `from`. */
static void look(struct sweep *w, int64_t t, int64_t from)
{
	look_again(w, t);
	step_on(w, from, w->free[0]);
}

static void sweep_begin(struct sweep *w, const struct profile *p, int64_t now, int64_t freed)
{
	w->p = p;
	w->at = now;
	w->freed = freed;
	w->open = 0;
	w->c = -1;
	memset(w->longest, 0, sizeof(w->longest));
	look(w, now, now);
}

/* Go on to just before t. */
static void sweep_to(struct sweep *w, int64_t t)
{
	w->at = t;
	for (;;) {
		for (; w->i < w->n && w->time[w->i] < t; w->i++)
			step_on(w, w->time[w->i], w->free[w->i]);
		if (w->i < w->n || w->behind >= t)
			return;
		look(w, w->behind, w->behind);
	}
}

/* A job has moved from t: there is less room just before it, and other room behind, up to its end. */
static void sweep_again(struct sweep *w, int64_t t, int64_t end)
{
	look(w, t - 1, t);
	w->freed = end > w->freed ? end : w->freed;
}

/* Can no run that is still to end have room in it that came? Where it has come to stands still then. */
static bool is_over(const struct sweep *w)
{
	return w->at >= w->freed && (!w->open || w->run[0].begin >= w->freed);
}

/* May there be a run for the job that has ended, or goes on to its start? */
static bool may_move(const struct sweep *w, const struct job *j, bool over)
{
	int c = width_class(j->req.width);

	return w->longest[c] >= j->req.duration || (!over && w->c >= c);
}

/* What is known where it has come to the job's start. */
static struct room room_before(const struct sweep *w, const struct job *j)
{
	int c = width_class(j->req.width);
	size_t i = 0;

	if (w->c < c)
		return (struct room){ .before = true };
	while (w->run[i].c < c)
		i++;
	return (struct room){ .before = w->longest[c] >= j->req.duration ||
					w->at - w->run[i].begin >= j->req.duration,
			      .at = true };
}

/* There is none: so no run that has ended is as long for this width, nor for a greater one. */
static void asked_in_vain(struct sweep *w, const struct job *j)
{
	int c = width_class(j->req.width) + is_between(j->req.width);

	for (; c < CLASSES && w->longest[c] >= j->req.duration; c++)
		w->longest[c] = j->req.duration - 1;
}

static int compress_sweep(struct planner *s, int64_t freed)
{
	bool over = false;
	struct sweep w;

	sweep_begin(&w, plan_profile(s->plan, 0), s->now, freed);
	for (size_t i = 0; i < s->queue.n; i++) {
		struct job *j = s->queue.v[i];
		int64_t start = j->place.start, end = j->place.end;
		int moved;

		if (start <= s->now)
			continue;
		if (start == PACT_FOREVER) { /* the others, too */
			if (move_earlier(s, j, unknown) < 0)
				return -1;
			continue;
		}
		if (!over) {
			sweep_to(&w, start);
			over = is_over(&w);
		}
		/* the narrowest have the longest runs */
		if (over && w.longest[0] < j->req.duration)
			continue;
		if (!may_move(&w, j, over))
			continue;
		if (over)
			sweep_to(&w, start);
		moved = move_earlier(s, j, room_before(&w, j));
		if (moved < 0)
			return -1;
		if (moved) {
			sweep_again(&w, start, end);
			over = false;
		} else if (!is_plain(j)) { /* it was out of the plan: its steps lie elsewhere */
			look_again(&w, start - 1);
		}
		if (!moved && j->req.not_before <= s->now && !j->starting)
			asked_in_vain(&w, j);
	}
	return 0;
}

int compress(struct planner *s)
{
	bool by_turn = s->policy->by_turn && s->config.compress == COMPRESS_ARRIVAL;
	bool sweep = plan_classes(s->plan) == 1 && !by_turn;
	int64_t freed = s->compressed ? s->freed : PACT_FOREVER;

	s->compressed = false;
	if ((by_turn ? sort_by_turn(s) : sort_by_start(s)) < 0)
		return -1;
	if ((sweep ? compress_sweep(s, freed) : compress_all(s)) < 0)
		return -1;
	s->loosened = false;
	/* a search for a promise may leave others where they could start earlier */
	s->compressed = sweep && !s->policy->promises;
	s->freed = s->now;
	return 0;
}

void compress_forget(struct planner *s)
{
	s->compressed = false;
}

void compress_ended(struct planner *s, int64_t end)
{
	s->loosened |= end > s->now;
	s->freed = end > s->freed ? end : s->freed;
}
