/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: whether promises can be kept, told to the driver when that changes. */
#include "core/planning/arrange/arrange.h"

bool promise_lost(const struct job *j, const struct placement *p)
{
	return j->promised && p->end > j->deadline;
}

void report_job(struct planner *s, struct job *j)
{
	bool lost = promise_lost(j, &j->place);

	if (lost == j->broken)
		return;
	if (decided_push(&s->decided,
			 &(struct sched_action){ .type = lost ? ACT_BROKEN : ACT_MENDED,
						 .id = j->id,
						 .end = j->place.end }) < 0)
		s->stale = true; /* told by the repair that follows */
	else
		j->broken = lost;
}

void report_hold(struct planner *s, struct hold *x)
{
	bool lost = x->promised && x->end > x->deadline;

	if (lost == x->broken)
		return;
	if (decided_push(&s->decided,
			 &(struct sched_action){ .type = lost ? ACT_BROKEN : ACT_MENDED,
						 .id = x->id,
						 .end = x->end }) < 0)
		s->stale = true;
	else
		x->broken = lost;
}
