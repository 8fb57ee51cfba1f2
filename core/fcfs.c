/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcfs: first come, first served, no backfilling. Jobs start in the order of submission while they
 * fit; the first that does not fit holds up all behind it.
 */
#include "state.h"

static int fcfs_begin(struct sched *s)
{
	return list_fill(s, s->config.mode == SCHED_MODE_SLURM ? ORDER_PRIORITY : ORDER_FCFS);
}

static struct job *fcfs_step(struct sched *s)
{
	while (s->cursor < s->list_n) {
		struct job *j = s->list[s->cursor];

		/* a job whose begin time has not come is in nobody's way */
		if (!j || j->req.not_before > s->now) {
			s->cursor++;
			continue;
		}
		if (plan_earliest(s->plan, &j->req, s->now, s->now, &j->place) != 0)
			return NULL;
		if (plan_put(s->plan, &j->place) < 0) {
			placement_clear(&j->place);
			return NULL;
		}
		s->cursor++;
		return j;
	}
	return NULL;
}

const struct policy policy_fcfs = {
	.name = "fcfs",
	.begin = fcfs_begin,
	.step = fcfs_step,
};
