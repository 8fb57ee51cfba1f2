/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair: a small engine that is in no registry, to show what one takes that shares nodes. First come, first
 * served; at most two jobs on a node, each with an equal share of it: all of it for one alone, half for two.
 */
#ifndef PACT_TEST_PAIR_H
#define PACT_TEST_PAIR_H

#include "core/kernel/engine.h"

extern const struct scheduler pair_scheduler;
/* The same, wrong: three jobs on a node, each with half of it. */
extern const struct scheduler crowd_scheduler;

#endif
