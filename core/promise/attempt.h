/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attempt: the waiting jobs placed anew from one position on, with new ones among them, and taken only if
 * none is late: what admission, repair and the improvement of a plan have in common. Internal to core.
 */
#ifndef PACT_CORE_ATTEMPT_H
#define PACT_CORE_ATTEMPT_H

#include "core/planning/state/planner.h"

/* Why an attempt failed. */
struct attempt_report {
	int32_t violations;
	const struct job *critical; /* the last job that missed its due time; NULL: none */
	int64_t late;		    /* by so many seconds; PACT_FOREVER: no place at all */
	bool expired;
};

/*
 * One position in QoPS, Figure 3 (step A for one ts, figure3.c): prefix[0 .. ts) stay where they are; list
 * (list_n jobs, removed from position ts on) and fresh (the new jobs, in order: search_fresh()) are placed
 * anew, the fresh ones sorted with the others when fresh_first is false, before them when true. At most k
 * violations. On success the arrangement waits in the trial for attempt_commit() or attempt_drop(). 1:
 * feasible; 0: not; -1: no memory (then as dropped). It writes nothing but itself and the trial, without a
 * budget; and asks s->plan and the holds' base nothing, it only copies from them.
 */
struct attempt {
	struct planner *s;
	struct trial *trial;
	struct job **prefix;
	size_t ts;
	struct job **list;
	size_t list_n;
	/*
	 * Prefix and list together in the heuristic's order, as attempt_number() left it. NULL: the list is
	 * placed as it stands, and the first violation is the end.
	 */
	struct job **sorted;
	struct job **fresh;
	size_t fresh_n;
	bool fresh_first;
	int32_t k;
	bool promised_only; /* those of the list without a promise leave and are not placed anew */
	bool unbounded;	    /* do not ask for the budget */
	/* Of a list that is placed as it stands: how many from its front came to stand where they stood. */
	size_t kept;
	/*
	 * Priced: price is what the prefix costs, and the others at cost_least(). The attempt adds what
	 * they cost more, and fails, with no critical job, when that comes to bound. With k = 0 only.
	 */
	bool priced;
	int64_t price, bound;
	struct attempt_report report;
};

/* So many placements between two questions for the budget. */
#define BUDGET_EVERY 64
/* Is the budget used up? Noted in the report then. */
bool attempt_expired(struct attempt *a);
/*
 * The jobs of order[0 .. n) have the heuristic's order in s->sorted now: each notes its rank in `order` and
 * its urgency in the other.
 */
void attempt_number(struct planner *s, struct job *const *order, size_t n);

int attempt_run(struct attempt *a);

/* The trial's plan with nothing but the holds in it. 0 or -1. */
int attempt_empty(struct planner *s, struct trial *d);

/* Make the arrangement found the plan: jobs' places are replaced, the trial's plan becomes s->plan. */
void attempt_commit(struct attempt *a);
/* Forget it. */
void attempt_drop(struct attempt *a);

#endif
