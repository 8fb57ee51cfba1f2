/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcfs: first come, first served, no backfilling. Jobs start in the order of submission (slurm mode: of
 * priority) while they fit; the first that does not fit holds up all behind it. They stand in a backfill
 * index (backfill_index.h), which is looked at no further than that, so the queue behind costs nothing.
 * EASY, which begins in the same way, has the same.
 */
#include "core/policies/policies.h"
#include "core/policies/easy/backfill_index.h"
#include "core/planning/planner.h"

int fcfs_create(struct planner *s)
{
	s->backfill = backfill_create();
	return s->backfill ? 0 : -1;
}

void fcfs_destroy(struct planner *s)
{
	backfill_destroy(s->backfill);
}

static int fcfs_joined(struct planner *s, struct job *j)
{
	return backfill_join(s->backfill, j);
}

static void fcfs_left(struct planner *s, struct job *j, const struct placement *as)
{
	(void)as;
	backfill_leave(s->backfill, j);
}

static void fcfs_rekeyed(struct planner *s)
{
	backfill_unsort(s->backfill);
}

static int fcfs_begin(struct planner *s)
{
	backfill_rank(s->backfill, s->config.mode == SCHED_MODE_SLURM);
	s->cursor = s->list_n = 0;
	return backfill_arrange(s->backfill) < 0 ? -1 : 0;
}

bool start_now(struct planner *s, struct job *j)
{
	if (plan_earliest(s->plan, &j->req, s->now, s->now, &j->place) != 0)
		return false;
	if (plan_put(s->plan, &j->place) == 0)
		return true;
	placement_clear(&j->place);
	return false;
}

static struct job *fcfs_step(struct planner *s)
{
	struct job *j;

	for (; (j = backfill_any(s->backfill, &s->cursor)); s->cursor++) {
		/* a job whose begin time has not come is in nobody's way */
		if (j->req.not_before > s->now)
			continue;
		if (!start_now(s, j))
			return NULL;
		s->cursor++;
		return j;
	}
	return NULL;
}

const struct plan_policy policy_fcfs = {
	.name = "fcfs",
	.create = fcfs_create,
	.destroy = fcfs_destroy,
	.joined = fcfs_joined,
	.left = fcfs_left,
	.rekeyed = fcfs_rekeyed,
	.begin = fcfs_begin,
	.step = fcfs_step,
};
