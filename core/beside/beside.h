/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * beside: promises beside jobs that take turns, as an engine (kernel/engine.h) of two others: one that promises, and one
 * whose jobs take turns on their nodes. Both see the whole machine, neither knows of the other, and this one knows
 * neither a plan nor a matrix: only what is said to an engine, what it wants done, and what its jobs claim of the nodes.
 *
 * A job with a deadline is the planning engine's: it has its nodes for itself, from its start to its end. All others
 * take turns. To the plan a job that has its place in turn holds its nodes until its bound, by which it has ended
 * whatever comes; to those that take turns a promised job holds its nodes from its planned start on. So what is placed
 * in turn never stands where a promised job has to start, and what is promised never needs more than what is left. The
 * promising engine comes first at each instant: what becomes free is its to use before anything is placed in turn.
 *
 * A job that waits for its turns holds nothing in the plan. It gets an artificial deadline: so long after it could begin
 * as QoPS, section 4.2, has it, or the end that was predicted for it when it came if that is later. While one is predicted to end after it, no
 * deadline is promised (REFUSE_STARVES): what is promised already ends, and it has its turn.
 *
 * The plan is told what the others hold only while there is something to be promised: without deadlines all is as if
 * there were only jobs that take turns.
 */
#ifndef PACT_CORE_BESIDE_H
#define PACT_CORE_BESIDE_H

#include "core/kernel/engine.h"

/* Its kind: two schedulers, by engine and kind. Both engines can be asked for claims. */
struct beside_kind {
	const struct engine *plan; /* for what is promised */
	const void *plan_kind;
	const struct engine *turns; /* for all others */
	const void *turns_kind;
};

extern const struct engine engine_beside;

#endif
