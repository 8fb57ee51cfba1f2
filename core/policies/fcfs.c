/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcfs: first come, first served, no backfilling. Jobs start in the order of submission (slurm mode: of
 * priority) while they fit; the first that does not fit holds up all behind it. They stand in a backfill
 * index (planning/state/backfill_index.h), which is looked at no further than that, so the queue behind costs nothing.
 */
#include "core/planning/arrange/arrange.h"
#include "core/planning/state/backfill_index.h"
#include "core/policies/policies.h"

/* What is kept. */
struct fcfs {
	struct backfill_index *index;
	uint64_t keys; /* the news that its order knows */
};

static int fcfs_create(struct planner *s)
{
	struct fcfs *f = calloc(1, sizeof(*f));

	s->own = f;
	if (f)
		f->index = backfill_create();
	return f && f->index ? 0 : -1;
}

static void fcfs_destroy(void *own)
{
	struct fcfs *f = own;

	if (f)
		backfill_destroy(f->index);
	free(f);
}

static int fcfs_joined(struct planner *s, struct job *j)
{
	const struct fcfs *f = s->own;
	int rc = backfill_join(f->index, j);

	s->own_bytes = backfill_bytes(f->index);
	return rc;
}

static void fcfs_left(struct planner *s, struct job *j, const struct placement *as)
{
	const struct fcfs *f = s->own;

	(void)as;
	backfill_leave(f->index, j);
}

static int fcfs_begin(struct planner *s)
{
	struct fcfs *f = s->own;

	if (f->keys != s->news.keys)
		backfill_unsort(f->index);
	f->keys = s->news.keys;
	backfill_rank(f->index, s->config.mode == SCHED_MODE_SLURM);
	s->cursor = s->list_n = 0;
	return backfill_arrange(f->index) < 0 ? -1 : 0;
}

static struct job *fcfs_step(struct planner *s)
{
	const struct fcfs *f = s->own;
	struct job *j;

	for (; (j = backfill_any(f->index, &s->cursor)); s->cursor++) {
		/* a job whose begin time has not come is in no other's way */
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
	.begin = fcfs_begin,
	.step = fcfs_step,
};
