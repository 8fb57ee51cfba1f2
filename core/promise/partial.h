/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial: the partial schedule of an attempt, and the list of what is still to be placed into it: what
 * Figure 3 of QoPS does to both, fast. Internal to core.
 */
#ifndef PACT_CORE_PARTIAL_H
#define PACT_CORE_PARTIAL_H

#include "core/promise/attempt.h"

/* A row of jobs in the order in which they are placed, and which of them are on the list. */
struct listed {
	struct job **row;
	bool *on;
	size_t n, first; /* none before `first` is */
};

/*
 * Working set of one attempt: the list, which is marks on jobs that stand in the heuristic's order already (to
 * sort it at each violation makes refusals among 1000 and more jobs a third to two thirds slower,
 * bench/admission); and the schedule, which from the first violation on is kept in order of start, but for
 * what was placed since the last one.
 */
struct partial {
	struct listed old; /* a->sorted or, without it, a->list as it stands */
	struct listed fresh;
	bool fresh_first;     /* the new jobs come before all others */
	struct job *critical; /* it comes before these; NULL: there is none */
	size_t left;	      /* so many are on the list in all */
	size_t taken;	      /* so many came off it since the last violation */

	struct job **placed; /* since the last violation */
	size_t placed_n;
	bool ordered;	     /* there was one: what follows holds */
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

/* The next job of the list; there is one: left > 0. */
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
