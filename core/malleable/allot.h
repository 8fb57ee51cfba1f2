/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allot: whose each node is to be. A node is one job's, or idle, or held by others and no job's. A job's nodes are kept
 * in the order in which it got them, and are given back from the last one on. No memory is needed for any of it.
 */
#ifndef PACT_CORE_MALLEABLE_ALLOT_H
#define PACT_CORE_MALLEABLE_ALLOT_H

#include "core/malleable/state.h"

/* May the job have the node, whatever is there now? That it is to be held from a time on counts. */
bool allot_may(const struct malleable *s, const struct job *j, uint32_t node);

/* Idle nodes that it may have. A job that is not picky may have all while no node is to be held. */
int32_t allot_can(const struct malleable *s, const struct job *j);

/* Can it have so many at once, idle ones that no job has, and those that it names among them? Without notice it always can. */
bool allot_at_once(const struct malleable *s, const struct job *j, int32_t n);

/* It gets at most n of these: those that it has still, then those that no job has, then by number. How many it got. */
int32_t allot_take(struct malleable *s, struct job *j, int32_t n);

/*
 * Nodes beyond its fewest that others could have if it gave them back; less than 0: it lacks so many of its fewest. Its first
 * node stays its.
 */
int32_t allot_surplus(const struct malleable *s, const struct job *j);

/* It gives back n < j->n of its nodes: the last ones that others could have, then others, too. */
void allot_give(struct malleable *s, struct job *j, int32_t n);

/* How many of its nodes beyond its floor `to` may have, and may be taken; and n of these are given to it. */
int32_t allot_spare(const struct malleable *s, const struct job *j, const struct job *to);
void allot_pass(struct malleable *s, struct job *j, struct job *to, int32_t n);

/*
 * So many nodes that are there when a job without any is `ready`: those that it names, then what running jobs were asked to give back
 * by that time, then what no job has. By what is decided others may be to have them, but do not need them. RET false: there
 * are not so many, and it has none; what others were to have may be idle
 */
bool allot_called(struct malleable *s, struct job *j, int32_t n);

/* Can a job without nodes have all that it names, idle or beyond what others need? take: and it gets them. */
bool allot_required(struct malleable *s, struct job *j, bool take);

/* A job without nodes gets these, in this order. False: one is another job's, or twice among them. */
bool allot_these(struct malleable *s, struct job *j, const uint32_t *node, uint32_t n);

/*
 * It gives back all of them, or has just these, and what other jobs were to have of them is not theirs. Those of these that
 * it was asked to give back are not its.
 */
void allot_clear(struct malleable *s, struct job *j);
void allot_set(struct malleable *s, struct job *j, const struct nodeset *nodes);

/* Of its nodes those that it has come before those that it has not yet. */
void allot_order(struct malleable *s, struct job *j);

/*
 * A node of what it has is its first one, which it keeps: a driver runs the batch script on the lowest of those that it starts a
 * job on, or says where. When that is lost the job goes on with the others, of which the lowest is the first then.
 */
void allot_lead(struct malleable *s, struct job *j, uint32_t node);

/* It will have these instead of what it has: what comes and goes unasked is its, or not. False: nothing does. */
bool allot_follow(struct malleable *s, struct job *j, const struct nodeset *nodes);

/* A hold begins on the node, or one that has begun ends. What a job has stays its; what it was to get does not. */
void allot_hold(struct malleable *s, uint32_t node);
void allot_unhold(struct malleable *s, uint32_t node);

/* Something has happened: what is whose is decided anew. */
void malleable_decide(struct malleable *s, struct job *fresh, bool ended);
/* It is in no list, and no node is its. */
void malleable_leave(struct malleable *s, struct job *j);

/* Where a job that waits stood; what it was to have is in `stood`, so that one alone can be stepped out. */
struct stand {
	bool waits, owed, listed, kept, has_ahead;
	uint64_t ahead_id;
	int64_t ahead, latest, ready;
	uint32_t chosen, n;
};

/* All is as if it was not there, for a moment. */
struct stand malleable_step_out(struct malleable *s, struct job *j);
/* It stands there again. The lookahead is what it was, also where it does not. */
void malleable_step_in(struct malleable *s, struct job *j, const struct stand *at);
void malleable_ahead_again(struct malleable *s, const struct stand *at);

#endif
