/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial: the partial schedule of an attempt, and the list of what is still to be placed into it: what
 * Figure 3 of QoPS does to both, fast. Internal to core.
 */
#ifndef PACT_CORE_PARTIAL_H
#define PACT_CORE_PARTIAL_H

#include "core/promise/attempt.h"

/*
 * Working set of one attempt: what is still to be placed, and what has been. Until the first violation
 * that is a row of jobs. From then on what is left is a bit for each job, in the heuristic's order, with
 * the critical job before them; so jobs that leave the schedule rejoin the list without any sorting. And
 * the schedule is kept in order of start, but for what was placed since the last violation.
 */
struct partial {
	struct job **todo;
	size_t head, n; /* since the last violation: placed, and to be placed */
	struct job **placed;
	size_t placed_n;

	bool sorted;	      /* there was a violation */
	struct job *critical; /* to be placed first, if any */
	uint64_t *left;	      /* a bit for each of a->sorted, */
	size_t words, word;   /* none set before this word, */
	uint64_t *new_left;   /* and for each of the new jobs, which have no urgency, but ranks */
	size_t new_n;
	struct job **prefix; /* the untouched of the prefix */
	size_t prefix_n;
	struct order_item *slot; /* the others of the schedule, by start */
	size_t slot_n;
};

/*
 * Steps A1 and A2: the schedule without the jobs of the attempt's list, and the list in the heuristic's order,
 * the new ones among them or first. 0 or -1.
 */
int partial_open(struct attempt *a, struct partial *w);

/* Is anything left to be placed? */
static inline bool partial_any(const struct partial *w)
{
	return w->head < w->n;
}

/* The next job of the list; there is one. */
struct job *partial_next(struct attempt *a, struct partial *w);

/* It has its place in the trial, and in the plan. */
static inline void partial_placed(struct partial *w, struct job *j)
{
	w->placed[w->placed_n++] = j;
}

/*
 * Steps A4 ii c to e: the critical job was placed at position T of the schedule in start order, and missed.
 * The jobs from mid = floor((ts + T) / 2) on, which start before it, leave the schedule and rejoin the list,
 * which is sorted again, and it goes on top. 1; 0: mid = T; -1: no memory.
 */
int partial_push_back(struct attempt *a, struct partial *w, struct job *critical);

#endif
