/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team: threads that do a few short tasks side by side, with the one that asks for it. Made for tasks of
 * microseconds, one round soon after the other: helpers look out for the next round for a while before
 * they go to sleep, and the thread that asks does what none has begun, so a helper that the system keeps from
 * running costs nothing but its help.
 *
 * Helpers come with the first round that has work for them; they take no signals. The scheduler gets
 * team_together() as sched_config's `together`.
 */
#ifndef PACT_SIM_TEAM_H
#define PACT_SIM_TEAM_H

#include <stddef.h>

/* More never help: there are no more tasks in a round of any scheduler. */
#define TEAM_MOST 16

struct team;

/* At most `threads` at work in one round, the one that asks among them. NULL: no memory. */
struct team *team_create(unsigned threads);
/* Ends the helpers. NULL is fine. Not within a round. */
void team_destroy(struct team *t);

/* The processors at hand, from 1 to TEAM_MOST. */
unsigned team_processors(void);

/*
 * task(ctx, 0) to task(ctx, n - 1), each once, several at once; returns when all have returned. What they
 * wrote is seen then. `team`: a struct team, always asked by one thread, never from within a task.
 */
void team_together(void *team, void (*task)(void *ctx, size_t i), void *ctx, size_t n);

#endif
