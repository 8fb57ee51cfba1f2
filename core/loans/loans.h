/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loans: what a plan leaves idle is lent to jobs that can use more than their own, as an engine (kernel/engine.h) around
 * another one that plans. It knows no plan: only what that engine says and hears, and what its jobs claim of the nodes.
 *
 * To the engine inside a job with a range is one of its fewest nodes, or as many as its promise takes (its floor, which falls
 * as loans do its work). These are its own until it ends. Nodes beyond these are on loan. To the plan they are held until one notice from now, whenever now is, and so what waits counts on them and
 * is planned no earlier than they can be had. One notice before such a start they are called in; from then on the plan
 * holds them until then, and the job has as long to give them back.
 *
 * A node is lent if it is idle, and the plan wants it for nothing within a notice and LoanTime. What claims which nodes is
 * a matter of names, and nodes on loan are the last that a claim is given. So no promise depends on a loan: whatever the plan
 * has, it has without what is lent, or from the time on by which that is back.
 *
 * Until there is a job with a range all that is said goes through as it is.
 */
#ifndef PACT_CORE_LOANS_H
#define PACT_CORE_LOANS_H

#include "core/kernel/engine.h"

/* Its kind: the scheduler inside. Its engine can be asked for claims, and takes EV_RESIZED. */
struct loans_kind {
	const struct engine *engine;
	const void *kind;
};

extern const struct engine engine_loans;

/* The state of the engine inside, and which it is. */
const void *loans_inside(const void *own, const struct engine **engine);

#endif
