/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step: the self-tuning step of dynP, and what it and the policy's passes keep. Internal to core. */
#ifndef PACT_CORE_STEP_H
#define PACT_CORE_STEP_H

#include "core/planning/state/planner.h"
#include "core/policies/dynp/quality.h"
#include "core/policies/dynp/schedule.h"
#include "core/policies/dynp/spread.h"

/* What dynP keeps: planner.own. */
struct tuner {
	struct schedule schedule[DYNP_ORDERS]; /* in the order of the configuration's list */
	struct fill *holds;		       /* a step's, for all its schedules */
	const struct fill *base;	       /* the same on a machine of one class; else NULL */
	uint32_t n;
	int running; /* index into it */
	bool news;   /* a step is due */
	bool submitted;
	bool rekeyed;  /* the order of some list is older than what it is made of */
	uint64_t keys; /* the news of keys that the orders know */
	uint64_t rooms,
		spans; /* the news of room that a step has heard, and that the schedules know */
	struct spread spread;	/* of the limits, see dynp_config.spread */
	int64_t turn;		/* of the next job to come, see DYNP_QUEUE */
	bool adopted;		/* in this pass: the plan is the running policy's schedule */
	bool whole;		/* the pass's list has all jobs, not only those due when it began */
	const struct job *last; /* let start by this pass, or what waits before that one */
	bool loose;		/* the rest of the pass's list is placed job by job */
	struct quality quality[DYNP_ORDERS];
	struct fraction compared[DYNP_ORDERS];
	bool eligible[DYNP_ORDERS];
	struct dynp_view view;
};

static inline struct tuner *tuner(const struct planner *s)
{
	return s->own;
}

/* Where a policy (enum dynp_order) stands in the configuration's list, or -1. */
int tuner_index(const struct tuner *t, uint64_t order);

/* Did anything happen since the last step that one follows? */
bool tuner_news(const struct planner *s);

/* Is the order of some list older than what it is made of? */
bool tuner_rekeyed(const struct planner *s);

/* Add to the spread the limits of the jobs that came and have not been counted yet. */
void tuner_count(const struct planner *s, struct spread *spread);

/* Is a step to be taken? After news; a planned start that has passed is such, too. */
bool step_due(const struct planner *s);

/*
 * dynP, section 3.2 (3.1 for the basic decider): make the schedules, measure them, choose one and make it the
 * plan. When no policy's schedule keeps all promises, the promised jobs keep their places or move to earlier
 * ones, and the others are placed around them in the running policy's order. A switch is told by ACT_POLICY.
 * 0, or -1: no memory; nothing is counted or told then, and the step is due still.
 */
int step_take(struct planner *s);

#endif
