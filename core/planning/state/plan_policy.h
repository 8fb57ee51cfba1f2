/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_policy: what orders the plan. The second of core's two seams (doc/design.md, "Two seams"): the
 * planning engine keeps jobs, holds and plan, and asks a policy what is to be placed, and started, next.
 * Internal to core.
 */
#ifndef PACT_CORE_PLAN_POLICY_H
#define PACT_CORE_PLAN_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

struct job;
struct placement;
struct planner;
struct search; /* promise/admission.h */

/* A policy's save() tells at most so many numbers. */
#define KEPT_MOST 11

/*
 * A function that is NULL is not asked. What a policy keeps is planner.own (and of a job, job.own), which
 * no other module reads; what happens beside its own steps it learns from planner.news. Functions that
 * return int return 0, or -1: no memory, no effect, unless they say otherwise.
 */
struct plan_policy {
	const char *name;

	/* ---- what kind of schedule it makes ---- */

	/* Can it promise? Without, deadlines are refused with REFUSE_DISABLED when admission is asked. */
	bool promises;
	/* Do waiting jobs keep their placements between passes? */
	bool keeps;
	/* Does it find the place behind all others, if there is no other? */
	bool appends;
	/* Does it compress as config.compress says? Else by planned starts. */
	bool by_turn;
	/*
	 * Are jobs without a promise placed anew at each pass, each when its turn comes (lays_out), or all of
	 * them before anything starts, so that none can be late (anew)?
	 */
	bool lays_out, anew;
	enum sched_cost cost; /* for COST_OWN; policies that compare costs only */

	/* ---- its life ---- */

	/* The planner is made, or goes over to this policy; then joined() tells of the waiting jobs. */
	int (*create)(struct planner *s);
	void (*destroy)(void *own); /* also after a create() that failed; NULL is fine */
	/* The configuration is another one. */
	int (*configure)(struct planner *s);
	/*
	 * told.h: what is kept and does not follow from jobs and holds, as numbers (at most KEPT_MOST);
	 * returns how many; -1: it cannot be told now. And back, when all jobs have been told: 0, or 1: they
	 * cannot be. One number alone is an EV_POLICY's.
	 */
	int (*save)(const struct planner *s, int64_t *v);
	int (*load)(struct planner *s, const int64_t *v, uint32_t n);

	/* ---- what it decides ---- */

	/* A job is in the queue from now on. */
	int (*joined)(struct planner *s, struct job *j);
	/*
	 * It leaves the queue. `as`: it became a hold with just these shares until just this end; NULL: it did
	 * not, or what it holds is in the news.
	 */
	void (*left)(struct planner *s, struct job *j, const struct placement *as);
	/*
	 * Before a decision: make the plan what it is to be decided by. Without one: in the middle of a pass
	 * something else happens than that a job starts as planned; it has not been heard yet.
	 */
	int (*prepare)(struct planner *s, bool decision);
	/*
	 * Look for an arrangement of the waiting jobs with the new ones in which none is late (see
	 * promise/admission.h; every job's `due` is set). 1: q->won holds it; 0: none was found; -1.
	 */
	int (*arrange)(struct search *q);
	/* A job without a promise has come (it is in the queue): place it if placements are kept. */
	int (*arrive)(struct planner *s, struct job *j);
	/* A pass begins; the plan is repaired. */
	int (*begin)(struct planner *s);
	/*
	 * The next job to try to start now, with its place set and in the plan, or with opaque jobs
	 * place empty; NULL: the pass is over.
	 */
	struct job *(*step)(struct planner *s);
	/*
	 * Could not start: reserve says whether it keeps a place. Its old place is out of the plan
	 * already; a promised job keeps it, and is not told.
	 */
	int (*failed)(struct planner *s, struct job *j, bool reserve);
};

#endif
