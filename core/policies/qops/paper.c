/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qops, the QoPS scheduler as its paper has it: section 3, Figure 3 (promise/figure3.c), as doc/papers.md
 * reads it; artificial deadlines for the other jobs as in section 4.2. Figure 3 arranges all jobs; every one
 * keeps the place that it was given, and early ends compress the plan.
 */
#include "core/planning/arrange/arrange.h"
#include "core/policies/policies.h"
#include "core/promise/admission.h"

static int qops_prepare(struct planner *s, bool decision)
{
	return decision ? complete_plan(s) : 0;
}

static int qops_failed(struct planner *s, struct job *j, bool reserve)
{
	j->unreserved = !reserve;
	return place_later(s, j, reserve);
}

const struct plan_policy policy_qops = {
	.name = "qops",
	.promises = true,
	.keeps = true,
	.appends = true,
	.prepare = qops_prepare,
	.arrange = figure3_forwards,
	.arrive = admission_arrive,
	.begin = due_begin,
	.step = due_step,
	.failed = qops_failed,
};
