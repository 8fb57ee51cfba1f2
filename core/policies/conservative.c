/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conservative: conservative backfilling (doc/papers.md, "EASY and conservative"). Every job gets,
 * when it comes, the earliest start that delays no planned start, and keeps it; after an early end
 * the plan is compressed (compress.c).
 */
#include "core/policies/policies.h"
#include "core/planning/arrange/arrange.h"

static int conservative_arrive(struct planner *s, struct job *j)
{
	int rc = plan_earliest(s->plan, &j->req, s->now, PACT_FOREVER, &j->place);

	agenda_move(s, j);
	return rc < 0 ? -1 : plan_put(s->plan, &j->place);
}

const struct plan_policy policy_conservative = {
	.name = "conservative",
	.keeps = true,
	.by_turn = true,
	.arrive = conservative_arrive,
	.begin = due_begin,
	.step = due_step,
	.failed = place_later,
};
