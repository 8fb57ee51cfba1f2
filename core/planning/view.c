/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what a scheduler shows of its jobs (sched.h), and why those that wait do so. */
#include <stdlib.h>

#include "core/planning/planning.h"

static void view_job(const struct job *j, struct sched_view *v)
{
	*v = (struct sched_view){
		.id = j->id,
		.submit = j->submit,
		.start = j->place.start,
		.end = j->place.end,
		.deadline = j->deadline,
		.artificial = j->promised ? 0 : j->artificial,
		.width = j->req.width,
		.promised = j->promised,
		.broken = j->broken,
		.unconfirmed = j->unconfirmed,
	};
}

int planner_view(const void *own, uint64_t id, struct sched_view *v)
{
	const struct planner *s = own;
	const struct job *j = table_find(s->jobs, id);
	const struct hold *x = j ? NULL : holds_find(s->holds, id);

	if (j) {
		view_job(j, v);
		return PACT_OK;
	}
	if (!x || x->block)
		return PACT_ENOENT;
	*v = (struct sched_view){
		.id = id,
		.submit = x->submit,
		.start = x->start,
		.end = x->end,
		.deadline = x->deadline,
		.width = x->count,
		.running = true,
		.promised = x->promised,
		.broken = x->broken,
	};
	return PACT_OK;
}

size_t planner_waiting(void *own)
{
	struct planner *s = own;

	queue_pack(&s->queue);
	if (planner_scratch(s, s->queue.n) < 0)
		return 0;
	for (size_t i = 0; i < s->queue.n; i++)
		s->order[i] = s->queue.v[i];
	order_by_start(s->order, s->queue.n, s->trial.items);
	return s->queue.n;
}

int planner_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct planner *s = own;

	if (i >= s->queue.n)
		return PACT_ENOENT;
	view_job(s->order[i], v);
	return PACT_OK;
}

/* ---- why a job waits ---- */

/*
 * The holds and the places of the promised jobs: what would stand if no other job waited. Made when a view
 * asks for it, and good until something may have changed.
 */
struct standing {
	struct plan *plan;
	bool made;
};

struct standing *standing_create(void)
{
	return calloc(1, sizeof(struct standing));
}

void standing_destroy(struct standing *st)
{
	if (!st)
		return;
	plan_destroy(st->plan);
	free(st);
}

void standing_forget(struct standing *st)
{
	st->made = false;
}

size_t standing_bytes(const struct standing *st)
{
	return sizeof(*st) + (st->plan ? plan_bytes(st->plan) : 0);
}

/* NULL: no memory */
static struct plan *standing_plan(const struct planner *s)
{
	struct standing *st = s->standing;
	const struct placement **at;
	size_t n = 0;

	if (st->made)
		return st->plan;
	if (!st->plan)
		st->plan = plan_create(s->machine, s->now);
	at = st->plan ? malloc((s->queue.n + 1) * sizeof(*at)) : NULL;
	if (!at)
		return NULL;
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (j && j->promised && !placement_none(&j->place) && j->place.nshare)
			at[n++] = &j->place;
	}
	st->made = plan_build(st->plan, holds_base(s->holds), at, n, -1) == 0;
	free(at);
	return st->made ? st->plan : NULL;
}

static bool fits_now(const struct planner *s, const struct job *j, const struct plan *plan)
{
	struct placement now;
	bool fits;

	placement_init(&now);
	fits = plan_earliest(plan, &j->req, s->now, s->now, &now) == 0;
	placement_clear(&now);
	return fits;
}

/* Would the promised jobs alone keep it from starting now, on nodes that nothing holds? */
static bool promises_alone(const struct planner *s, const struct job *j)
{
	struct plan *plan = s->promised ? standing_plan(s) : NULL;
	bool itself = j->promised && !placement_none(&j->place) && j->place.nshare, fits;

	if (!plan || (itself && plan_take(plan, &j->place) < 0)) {
		standing_forget(s->standing);
		return false;
	}
	fits = fits_now(s, j, plan);
	if (itself && plan_put(plan, &j->place) < 0)
		standing_forget(s->standing);
	return !fits;
}

enum sched_wait planner_why(const void *own, uint64_t id)
{
	const struct planner *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (!j)
		return WAIT_NONE;
	if (j->req.not_before > s->now)
		return WAIT_BEGIN;
	if (j->failed)
		return WAIT_FAILED;
	if (j->place.start <= s->now)
		return WAIT_NONE;
	if (stale(s) || s->generation != machine_generation(s->machine))
		return WAIT_RESOURCES; /* nothing better is known until the plan is made anew */
	if (placement_none(&j->place) && s->policy->keeps)
		return WAIT_NEVER;
	if (!fits_now(s, j, holds_base(s->holds)))
		return WAIT_RESOURCES;
	return promises_alone(s, j) ? WAIT_PROMISES : WAIT_PLANNED;
}
