/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inside: a scheduler's planner, for tests and benchmarks that look at what no driver sees. */
#ifndef PACT_TEST_INSIDE_H
#define PACT_TEST_INSIDE_H

#include "core/kernel/engine.h"
#include "core/planning/planning.h"

/* NULL: there is none, or it has another engine. */
static inline struct planner *inside(const struct sched *s)
{
	return s ? sched_own(s, &engine_planning) : NULL;
}

#endif
