/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: what all schedulers that make promises have in common. A policy says how an arrangement of
 * the waiting jobs with the new ones is looked for (its `arrange`); here that becomes an answer: a
 * promise, or a refusal with its reason and a counter-offer. Internal to core.
 */
#ifndef PACT_CORE_ADMISSION_H
#define PACT_CORE_ADMISSION_H

#include "core/promise/search.h"

enum admit {
	ADMIT_TAKE,
	ADMIT_ASK,   /* change nothing; a refusal says what the holds leave room for */
	ADMIT_PROBE, /* the same, but a refusal says nothing else: no reason sought, no offer */
};

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
