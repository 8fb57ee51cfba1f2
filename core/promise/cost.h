/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost: what an arrangement costs, a sum over its jobs (QoPS, Figure 1). Internal to core. */
#ifndef PACT_CORE_COST_H
#define PACT_CORE_COST_H

#include "core/planning/state/planner.h"

/* What the job's start costs (config.cost), less than 2^43; cost_least() at the earliest that there can be. */
int64_t cost_of(const struct planner *s, const struct job *j, int64_t start);
int64_t cost_least(const struct planner *s, const struct job *j);

#endif
