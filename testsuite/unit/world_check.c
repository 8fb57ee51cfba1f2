/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world_check: what must be true of the core's views and actions, by the world's own model. */
#include "testsuite/unit/world.h"
#include "testsuite/unit/inside.h" /* for plan_is_whole() alone */

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void world_fail(const struct world *w, const char *what, uint64_t id)
{
	fail_msg("seed %" PRIu64 " %s %s step %" PRIu64 " now %" PRId64 " job %" PRIu64
		 ": not true: %s",
		 w->first_seed, w->c.mode == SCHED_MODE_SLURM ? "slurm" : "paper",
		 w->lossless ? "lossless" : "lossy", w->step, w->now, id, what);
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void world_look(struct world *w)
{
	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];

		if (j->state != W_WAITS && j->state != W_RUNS)
			continue;
		world_check(w, sched_view(w->s, j->d.id, &j->before) == PACT_OK, j->d.id);
		j->before_why = sched_why(w->s, j->d.id);
	}
}

void world_unchanged(struct world *w)
{
	if (!world_steady(w))
		return;
	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];
		struct sched_view v;

		if (j->state != W_WAITS && j->state != W_RUNS)
			continue;
		world_check(w, sched_view(w->s, j->d.id, &v) == PACT_OK, j->d.id);
		world_check(w, v.start == j->before.start && v.end == j->before.end, j->d.id);
		world_check(w, v.submit == j->before.submit && v.width == j->before.width, j->d.id);
		world_check(w, v.deadline == j->before.deadline, j->d.id);
		world_check(w, v.artificial == j->before.artificial, j->d.id);
		world_check(w, v.running == j->before.running && v.broken == j->before.broken,
			    j->d.id);
		world_check(w, v.promised == j->before.promised, j->d.id);
		world_check(w, v.unconfirmed == j->before.unconfirmed, j->d.id);
		world_check(w, sched_why(w->s, j->d.id) == j->before_why, j->d.id);
	}
}

void world_not_starved(struct world *w)
{
	if (!world_steady(w))
		return;
	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];
		struct sched_view v;

		if (j->state != W_WAITS || j->d.deadline ||
		    sched_view(w->s, j->d.id, &v) != PACT_OK)
			continue;
		world_check(w, v.end <= max64(j->before.artificial, j->before.end), j->d.id);
	}
}

void world_not_later(struct world *w, bool promised)
{
	if (!world_steady(w))
		return;
	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];
		struct sched_view v;

		if (j->state != W_WAITS || j->failed || (promised && !j->d.deadline))
			continue;
		world_check(w, sched_view(w->s, j->d.id, &v) == PACT_OK, j->d.id);
		world_check(w, v.start <= j->before.start, j->d.id);
	}
}

/* ---- starts ---- */

/* Nodes under no running job and no block at any time of [from, to). */
static uint64_t free_nodes(const struct world *w, int64_t from, int64_t to)
{
	uint64_t mask = (UINT64_C(1) << w->nodes) - 1;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct wjob *j = &w->job[i];

		if (j->state == W_RUNS ||
		    (j->state == W_BLOCKS && j->start < to && j->real_end > from))
			mask &= ~j->mask;
	}
	return mask;
}

static uint64_t wanted(const struct wjob *j)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < j->d.nalt; i++)
		mask |= j->alt_mask[i];
	return j->d.nalt ? mask : UINT64_MAX;
}

void world_check_start(struct world *w, const struct wjob *j, const struct sched_action *a)
{
	uint64_t allowed = a->allowed ? mask_of(a->allowed) : free_nodes(w, w->now, a->end);
	uint64_t within = j->d.nalt ? j->alt_mask[a->alt] : UINT64_MAX;

	world_check(w, j->state == W_WAITS && !(j->d.flags & JOB_UNCONFIRMED), a->id);
	world_check(w, j->d.begin <= w->now, a->id);
	world_check(w, a->exact == !(j->d.flags & JOB_OPAQUE), a->id);
	world_check(w, a->limit <= j->d.limit && a->limit > 0, a->id);
	if (a->limit < j->d.limit) {
		world_check(w, w->c.mode == SCHED_MODE_SLURM && !j->d.deadline, a->id);
		world_check(w, j->d.least && a->limit >= j->d.least, a->id);
		world_check(w, a->end == w->now + a->limit + w->c.guard, a->id);
	}
	if (!a->exact) {
		world_check(w, allowed && !(allowed & ~wanted(j)), a->id);
		return;
	}
	world_check(w, !(allowed & ~within), a->id);
	world_check(w, !(allowed & ~free_nodes(w, w->now, a->end)), a->id);
	world_check(w, __builtin_popcountll(allowed) >= a->width, a->id);
	world_check(w, !(j->required_mask & ~allowed), a->id);
	world_check(w, a->width >= j->d.width, a->id);
}

/* ---- is the plan possible? ---- */

struct planned {
	struct wjob *j;
	struct sched_view v;
};

/* Bipartite matching of one more assignment of job k to nodes. */
static bool augment(const uint64_t *want, int *assignment_of, uint32_t nodes, int assignment,
		    uint64_t free, uint64_t *seen)
{
	for (uint32_t n = 0; n < nodes; n++) {
		uint64_t bit = UINT64_C(1) << n;

		if (!(want[assignment] & free & bit) || (*seen & bit))
			continue;
		*seen |= bit;
		if (assignment_of[n] < 0 ||
		    augment(want, assignment_of, nodes, assignment_of[n], free, seen)) {
			assignment_of[n] = assignment;
			return true;
		}
	}
	return false;
}

/* Can all that is planned at time t be on different free nodes? */
static bool possible_at(const struct world *w, const struct planned *p, size_t n, int64_t t)
{
	uint64_t want[WORLD_NODES + 1], free = (UINT64_C(1) << w->nodes) - 1;
	int assignment_of[WORLD_NODES], assignments = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct wjob *j = &w->job[i];
		int64_t end = j->state == W_RUNS ? j->before.end : j->real_end;

		if ((j->state == W_RUNS || j->state == W_BLOCKS) && j->start <= t && end > t)
			free &= ~j->mask;
	}
	for (size_t i = 0; i < n; i++) {
		if (max64(p[i].v.start, w->now) > t || p[i].v.end <= t)
			continue;
		if (assignments + p[i].v.width > (int)w->nodes)
			return false;
		uint64_t required = p[i].j->required_mask;

		for (int32_t k = 0; k < p[i].v.width; k++) {
			/* the lowest required node that has no assignment yet, then any */
			want[assignments++] = required ? required & -required : wanted(p[i].j);
			required &= required ? required - 1 : 0;
		}
	}
	for (uint32_t i = 0; i < w->nodes; i++)
		assignment_of[i] = -1;
	for (int s = 0; s < assignments; s++) {
		uint64_t seen = 0;

		if (!augment(want, assignment_of, w->nodes, s, free, &seen))
			return false;
	}
	return true;
}

static void check_waiting(struct world *w, struct planned *p)
{
	int64_t begin = p->j->d.begin, next = w->wake;
	struct wjob *j = p->j;
	struct sched_view *v = &p->v;

	world_check(w, !v->running && v->width >= j->d.width, v->id);
	world_check(w, v->promised == (j->d.deadline != 0), v->id);
	world_check(w, v->broken == j->broken, v->id);
	if (v->promised)
		world_check(w, v->broken == (v->end > v->deadline), v->id);
	if (v->promised && w->lossless)
		world_check(w, !v->broken, v->id);
	if (v->start == PACT_FOREVER)
		return;
	world_check(w, v->start >= begin, v->id);
	world_check(w, v->end - v->start == j->duration || v->end == PACT_FOREVER, v->id);
	if (v->start > w->now)
		world_check(w, next <= v->start, v->id);
	else
		world_check(w, v->unconfirmed || j->failed || (j->d.flags & JOB_OPAQUE), v->id);
}

static void check_running(struct world *w, struct wjob *j)
{
	struct sched_view *v = &j->before;

	world_check(w, sched_view(w->s, j->d.id, v) == PACT_OK, j->d.id);
	world_check(w, v->running && (v->end > w->now || v->end == j->real_end), j->d.id);
	world_check(w, v->promised == (j->d.deadline != 0), j->d.id);
	if (v->promised)
		world_check(w, v->broken == j->broken, j->d.id);
	if (!w->lossless)
		return;
	world_check(w, v->end >= j->real_end, j->d.id);
	world_check(w, !v->promised || v->end <= j->d.deadline, j->d.id);
}

/* One look inside: the plan is the holds and the placements, no more and no less. */
static bool plan_is_whole(const struct sched *sched)
{
	const struct planner *s = inside(sched);
	struct plan *p = plan_create(s->machine, s->now);
	bool same = p && plan_copy(p, s->plan) == 0;

	for (size_t i = 0; same && i < s->queue.n; i++) {
		if (s->queue.v[i])
			plan_take(p, &s->queue.v[i]->place);
	}
	for (uint32_t c = 0; same && c < plan_classes(p); c++) {
		struct profile *a = plan_profile(p, c);
		struct profile *b = plan_profile(holds_base(s->holds), c);

		for (int64_t t = s->now; same && t != PACT_FOREVER; t = profile_next_change(a, t))
			same = profile_at(a, t) == profile_at(b, t) &&
			       profile_next_change(a, t) == profile_next_change(b, t);
	}
	plan_destroy(p);
	return same;
}

void world_check_plan(const struct world *w)
{
	world_check(w, plan_is_whole(w->s), 0);
}

void world_check_quiet(struct world *w)
{
	struct planned p[WORLD_JOBS];
	size_t n = sched_waiting(w->s);
	size_t waiting = 0;
	int64_t last = -1;

	world_check(w, n <= WORLD_JOBS, 0);
	world_check_plan(w);
	for (size_t i = 0; i < w->njobs; i++) {
		if (w->job[i].state == W_RUNS)
			check_running(w, &w->job[i]);
	}
	for (size_t i = 0; i < n; i++) {
		world_check(w, sched_view_waiting(w->s, i, &p[i].v) == PACT_OK, i);
		p[i].j = world_find(w, p[i].v.id);
		world_check(w, p[i].j && p[i].j->state == W_WAITS, p[i].v.id);
		world_check(w, p[i].v.start >= last, p[i].v.id);
		last = p[i].v.start;
		check_waiting(w, &p[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (p[i].v.start != PACT_FOREVER)
			world_check(w, possible_at(w, p, n, max64(p[i].v.start, w->now)),
				    p[i].v.id);
	}
	for (size_t i = 0; i < w->njobs; i++) {
		waiting += w->job[i].state == W_WAITS;
		/* where a block begins, what is planned must make room */
		if (w->job[i].state == W_BLOCKS && w->job[i].start > w->now)
			world_check(w, possible_at(w, p, n, w->job[i].start), w->job[i].d.id);
	}
	world_check(w, n == waiting, 0);
}
