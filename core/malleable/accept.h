/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accept: AcceptJob of the profit driven strategies (paper 004, section 3.2.4), and what both of them do with jobs that
 * wait. Of the answers to whether a job may start now, room and loss are decided here; the lazy strategy adds its plan.
 */
#ifndef PACT_CORE_MALLEABLE_ACCEPT_H
#define PACT_CORE_MALLEABLE_ACCEPT_H

#include "core/malleable/state.h"

/* The fewest nodes by which it is done by its deadline, begun at `from`; more than its most: none are enough. */
int32_t accept_floor(const struct malleable *s, const struct job *j, int64_t from);

/* One that was accepted and waits has its nodes by then: its latest start, or now, and a notice more. */
int64_t accept_latest(const struct malleable *s, const struct job *j);

/* When it would end on n nodes from then on, the guard behind it. */
int64_t accept_end(const struct malleable *s, const struct job *j, int32_t n, int64_t from);

/*
 * Could it be given nodes now, how many at least (*floor)? REFUSE_NONE; REFUSE_TOO_LATE, REFUSE_FULL for want of room,
 * REFUSE_LOSS. forced: whatever it costs, and on its fewest if it is late anyhow. Its alternative is chosen, and j->ready
 * is when it would start: after a notice if it takes too few of them from among those that are free. Nothing else changes.
 */
enum refuse_reason accept_try(struct malleable *s, struct job *j, bool forced, int32_t *floor);

/*
 * Those whose starts have failed, or that lost some of what they wait for, and that need more than they are to have by now:
 * they get that if it can be had, whatever it costs others. After look().
 */
void accept_widen(struct malleable *s);

/* What a decision says of that floor (own): 0 for a job without a range. */
int32_t accept_own(const struct job *j, int32_t floor);

/*
 * A promise of an earlier time, in no list, that was to start within a notice, or by now: it is given what was called in for it, if its
 * floor from that start on is there among it (allot_called()). RET false: it is not. What is whose is to be decided anew
 */
bool accept_called(struct malleable *s, struct job *j);

/* That was REFUSE_NONE: it starts, on as many as bring it more than they cost others. It is in no list but `running`. */
void accept_start(struct malleable *s, struct job *j, int32_t floor);

/* Of a refused one: a deadline that would be accepted; the decision's, by `judge`. It tries a few, each verified. */
void accept_offer(struct malleable *s, struct job *j, struct sched_decision *d,
		  bool (*judge)(struct malleable *s, struct job *j, struct sched_decision *d));

/*
 * Those without a deadline, in the order of the queue: each that costs nothing, or has waited until its artificial
 * deadline. fits (may be NULL): may it hold its fewest nodes as long as it may run? started (likewise): it is to.
 */
void accept_undated(struct malleable *s, bool (*fits)(struct malleable *s, const struct job *j),
		    void (*started)(struct malleable *s, const struct job *j));

/* When the first of those will have waited so long, or there may be room for one that has; PACT_FOREVER: unknown. */
int64_t accept_wake(const struct malleable *s);

/* Whatever has happened: floors, those that were accepted, idle nodes. */
void accept_decide(struct malleable *s, struct job *fresh, bool ended);

#endif
