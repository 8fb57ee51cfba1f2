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

#include "core/sched.h"

struct job;
struct placement;
struct planner;
struct search; /* promise/admission.h */

/* A policy's save() tells at most so many numbers. */
#define KEPT_MOST 11

enum admit {
	ADMIT_TAKE,
	ADMIT_ASK,   /* change nothing; a refusal says what the holds leave room for */
	ADMIT_PROBE, /* the same, but a refusal says nothing else: no reason sought, no offer */
};

/* What a scheduler of the papers adds to the common state machine. One table of these by name. */
struct plan_policy {
	const char *name;
	/* Can it promise? Without, deadlines are refused with REFUSE_DISABLED when admission is asked. */
	bool promises;
	/* Do waiting jobs keep their placements between passes? */
	bool keeps;
	bool by_turn;	 /* Does it compress as config.compress says? Else by planned starts. */
	bool lays_out;	 /* slurm mode: are jobs without a promise placed anew at each pass? */
	bool paper_only; /* there is no slurm mode of it */
	enum sched_cost cost; /* for COST_OWN; schedulers that compare costs only */
	/* Before a decision: make the plan what it is to be decided by. NULL: it is. 0 or -1. */
	int (*ready)(struct planner *s);
	/*
	 * Look for an arrangement of the waiting jobs with the new ones in which nobody is late (see
	 * admission.h; every job's `due` is set). 1: q->won holds it; 0: none was found; -1: no memory.
	 */
	int (*arrange)(struct search *q);
	/* Does it find the place behind all others, if there is no other? */
	bool appends;
	/*
	 * Decide about n new jobs (in no list yet) that arrive together, at least one with a deadline,
	 * and on acceptance give them and the waiting jobs their placements, if they are to be taken.
	 * Only with promises. 0 or -1: no memory, no effect.
	 */
	int (*admit)(struct planner *s, struct job **jobs, size_t n, enum admit how,
		     struct sched_decision *d);
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
	 * In the middle of a pass something else happens than that a job starts as planned; it has not been
	 * heard yet. NULL: the pass minds nothing. 0 or -1: no memory, no effect.
	 */
	int (*interrupt)(struct planner *s);
	/*
	 * Could not start: reserve says whether it keeps a place. Its old place is out of the plan
	 * already unless it is promised. NULL: nothing to do. 0 or -1.
	 */
	int (*failed)(struct planner *s, struct job *j, bool reserve);

	/* What a policy keeps beside the plan is told of all that happens. All NULL: nothing is kept. */

	/* Are jobs without a promise placed anew before anything starts, so that none can be late? */
	bool anew;
	/* The scheduler is made, is to forget all that is kept, has a new configuration. 0 or -1. */
	int (*create)(struct planner *s);
	void (*destroy)(struct planner *s);
	int (*configured)(struct planner *s);
	/* A job is in the queue from now on. 0 or -1: no memory, no effect. */
	int (*joined)(struct planner *s, struct job *j);
	/* It has just been submitted: neither told again nor back from a change. */
	void (*came)(struct planner *s, const struct job *j);
	/*
	 * It leaves the queue. `as`: it became a hold with just these shares until just this end; NULL:
	 * it did not, or what it holds was told to `room`.
	 */
	void (*left)(struct planner *s, struct job *j, const struct placement *as);
	/* Holds gave room in [from, until) (sign 1), or took some (-1), or both (0); may be empty. */
	void (*room)(struct planner *s, int64_t from, int64_t until, int sign);
	/* A waiting job's id or priority has changed. */
	void (*rekeyed)(struct planner *s);
	/*
	 * retell.h: what is kept and does not follow from jobs and holds, as numbers (at most KEPT_MOST);
	 * returns how many; -1: it cannot be told now. And back: 0, or 1: they cannot be.
	 */
	int (*tell)(const struct planner *s, int64_t *v);
	int (*recall)(struct planner *s, const int64_t *v, uint32_t n);
	/* EV_POLICY. PACT_OK, or PACT_EINVAL: not one of its policies. */
	int (*resume)(struct planner *s, uint64_t policy);
};

#endif
