/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search: a question to a policy: is there an arrangement of the waiting jobs with the new ones in which none
 * is late? Internal to core.
 */
#ifndef PACT_CORE_SEARCH_H
#define PACT_CORE_SEARCH_H

#include "core/promise/attempt.h"

/* A question to a policy: the waiting jobs and the new ones. */
struct search {
	struct planner *s;
	struct job **order; /* in no order yet until search_sort() */
	size_t n;
	bool ranked; /* search_sort() has been here */
	struct job **fresh;
	size_t fresh_n;
	struct attempt won;	      /* the feasible arrangement, to be committed or dropped */
	struct attempt_report best;   /* of those that failed, the one that missed by least */
	int32_t attempts, violations; /* tried in all; counted in the last one */
	const struct job *missed; /* the job that was late last in the last attempt; NULL: none */
	int64_t bound;		  /* what runs lets no arrangement end all new ones earlier */
	bool shut;		  /* the bound is too late for a new one: nothing was tried */
	/*
	 * A policy that lays out the others around the promised jobs: the attempts place these alone, and
	 * an arrangement that an attempt found is feasible only if this says so, too. 1; 0: it is not; -1.
	 * NULL: attempts place all.
	 */
	int (*lay_out)(struct attempt *a, struct job **order, size_t n);
};

/*
 * The waiting jobs but `except` (NULL: all), each with its due time, and the new ones, of which `except` may
 * be one that is in the queue already. There is room for all (planner_scratch()). O(waiting).
 */
void search_init(struct search *q, struct planner *s, struct job **jobs, size_t n,
		 const struct job *except);

/*
 * Before an `arrange` moves any job: q->order in planned start order, ranks set, and s->sorted in the
 * heuristic's order. Nothing is done a second time. A job that stays behind all others needs no order:
 * on a long queue this costs more than its answer.
 */
void search_sort(struct search *q);

/*
 * The new jobs in the heuristic's order, by the due times that they have now; their ranks say so, and their
 * urgency 0 that they are new. Good until the next call, before each `arrange`'s attempts.
 */
struct job **search_fresh(struct search *q);

/* An attempt failed: was it the best of those that did? */
void search_failed(struct search *q, const struct attempt_report *r);

/* Set what the new promise must not break: a job that is late already must not become later by it. */
void search_due(struct job *j);

#endif
