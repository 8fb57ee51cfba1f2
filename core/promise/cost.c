/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost: what an arrangement of the waiting jobs costs, for the schedulers that choose among several
 * (QoPS, Figure 1, step C d, leaves the function open; doc/papers.md gives the default). A sum of
 * one term per job, in integers, so that equal arrangements cost the same everywhere.
 */
#include "core/promise/cost.h"

/* Nothing costs more, a job without a place neither: sums stay far from the end of the range. */
#define MOST (INT64_C(1) << 42)

/* A job that uses up its slack costs as much; what is less is a fraction of it, rounded down. */
#define WHOLE_SLACK (INT64_C(1) << 20)

/*
 * QoPS, section 2.2.1: slack = deadline - (arrival + run time). It is not less than the wait, but where the
 * deadline was over before the arrival: then it may be less than can be told.
 */
static int64_t slack_used(const struct job *j, int64_t wait)
{
	int64_t length = j->req.duration == PACT_FOREVER ? 0 : j->req.duration, whole;

	if (__builtin_sub_overflow(j->due - j->submit, length, &whole) || wait >= whole)
		return wait > 0 ? WHOLE_SLACK : 0;
	return wait <= INT64_MAX / WHOLE_SLACK ? wait * WHOLE_SLACK / whole
					       : wait / (whole / WHOLE_SLACK);
}

/* In processor-minutes, begun ones too, so that it stays below MOST as long as it can. */
static int64_t work_waiting(const struct job *j, int64_t wait)
{
	int64_t work;

	return __builtin_mul_overflow(j->req.duration, j->req.width, &work) ||
			       __builtin_mul_overflow(work / 60 + 1, wait, &work) || work > MOST
		       ? MOST
		       : work;
}

int64_t cost_of(const struct planner *s, const struct job *j, int64_t start)
{
	int64_t wait = start > j->submit ? start - j->submit : 0, area;

	switch (s->config.cost == COST_OWN ? s->policy->cost : s->config.cost) {
	case COST_OWN: /* the switch has looked through it */
	case COST_SLACK:
		return slack_used(j, wait);
	case COST_WAIT:
		break;
	case COST_WORK:
		return work_waiting(j, wait);
	case COST_AREA:
		return __builtin_mul_overflow(wait, j->req.width, &area) || area > MOST ? MOST
											: area;
	}
	return wait < MOST ? wait : MOST;
}

int64_t cost_least(const struct planner *s, const struct job *j)
{
	return cost_of(s, j, j->req.not_before > s->now ? j->req.not_before : s->now);
}
