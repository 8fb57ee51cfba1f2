/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: what all schedulers that make promises have in common. A policy says how an arrangement of
 * the waiting jobs with the new ones is looked for (its `arrange`); here that becomes an answer: a
 * promise, or a refusal with its reason and a counter-offer. Internal to core.
 */
#ifndef PACT_CORE_ADMISSION_H
#define PACT_CORE_ADMISSION_H

#include "core/promise/attempt.h"

enum admit {
	ADMIT_TAKE,
	ADMIT_ASK,   /* change nothing; a refusal says what the holds leave room for */
	ADMIT_PROBE, /* the same, but a refusal says nothing else: no reason sought, no offer */
};

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
	int32_t attempts, violations; /* the latter of the last one, */
	const struct job *missed;     /* and who was late last in it; NULL: nobody */
	int64_t bound; /* no arrangement lets all new ones end earlier, for what runs alone; */
	bool shut;     /* and that is too late for one of them: nothing was tried */
	/*
	 * A policy that lays out the others around the promised jobs: the attempts place these alone, and
	 * an arrangement that an attempt found is feasible only if this says so, too. 1; 0: it is not; -1.
	 * NULL: attempts place all.
	 */
	int (*lay_out)(struct attempt *a, struct job **order, size_t n);
};

/*
 * The waiting jobs but `except` (NULL: all), each with its due time, and the new ones, of whom `except` may
 * be one that is in the queue already. There is room for all (planner_scratch()). O(waiting).
 */
void search_init(struct search *q, struct planner *s, struct job **jobs, size_t n,
		 const struct job *except);

/*
 * Before an `arrange` moves anybody: q->order in planned start order, ranks set, and s->sorted in the
 * heuristic's order. Nothing is done a second time. Who stays behind all others needs no order: on a
 * long queue this costs more than his answer.
 */
void search_sort(struct search *q);

/*
 * The new jobs in the heuristic's order, by the due times that they have now; their ranks say so, and their
 * urgency 0 that they are new. Good until the next call, before each `arrange`'s attempts.
 */
struct job **search_fresh(struct search *q);

/* An attempt failed: was it the best of those that did? */
void search_failed(struct search *q, const struct attempt_report *r);

/* ---- figure3.c ---- */

/*
 * Position k of QoPS, Figure 3, as doc/papers.md reads it: floor(N - N/2^k) for k = 0, 1, 2, ...,
 * until that is N - 1, and then N itself. They are distinct.
 */
size_t figure3_position(size_t n, unsigned k);

/* Try it. 1: feasible (q->won holds it); 0: not, which is noted; -1: no memory. Sorts if it has to. */
int figure3_try(struct search *q, size_t ts);

/*
 * All positions in the paper's order, 0 first and N last, or backwards. The first feasible one wins. 1:
 * feasible; 0: refused, or the budget is used up; -1: no memory.
 */
int figure3_forwards(struct search *q);
int figure3_backwards(struct search *q);

/* ---- room.c ---- */

/*
 * The holds alone bound every arrangement: the waiting jobs only take room. So a new job that would be late
 * by itself is late at every position, and none has to be tried. 1: there is none; 0: the most late is the
 * critical job; -1: no memory.
 */
int room_bound(struct search *q);

/* What a question could be about instead: bisection over the holds alone. 0 or -1. */
int room_left(struct planner *s, const struct job *j, struct sched_decision *d);

/*
 * Refused: the holds in the way of the job that would be the most late for them alone, beyond its latest
 * start; if none would be, those of the nodes that the first may have. O(holds x alternatives x nodes).
 */
void room_taken(const struct search *q, struct sched_decision *d);

/* ---- admission.c ---- */

/*
 * Decide about n new jobs (in no list yet) that arrive together, at least one with a deadline, and on
 * acceptance give them and the waiting jobs their placements, if they are to be taken. 0 or -1: no memory,
 * no effect. And an `arrive` that looks for a place as for a new promise. Both ask the policy's `arrange`.
 */
int admission_admit(struct planner *s, struct job **jobs, size_t n, enum admit how,
		    struct sched_decision *d);
int admission_arrive(struct planner *s, struct job *j);

/* In the middle of a pass of slurm mode some jobs have no place yet: give them one. 0 or -1. */
int complete_plan(struct planner *s);

/*
 * A job without a deadline has come: QoPS, section 4.2, gives it an artificial one. It is placed
 * behind the plan when that is the best that can be done, and is due at the end of that place if that
 * is later. 0 or -1.
 */
void admission_artificial(struct planner *s, struct job *j);
int admission_append(struct planner *s, struct job *j);

#endif
