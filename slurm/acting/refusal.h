/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.h - starts that Slurm refuses again and again
 *
 * The plan knows a job's nodes to be free, and Slurm will not start it: a node
 * does not answer, Slurm's own records are stale after a crash, a limit was set
 * after the promise.  A job that waits for that must not be in the way of others:
 *
 * - what is not promised keeps a place for REFUSAL_SECONDS, for it may be a matter of
 *   a moment; when every pass since has been refused, it keeps none any more, so that
 *   those behind it start;
 * - what is promised keeps its place for as long as the promise can be kept, which
 *   is told; then the place is given up, and the job runs when it can.
 *
 * Both are then tried again when a node changes, else after 1, 2, 4, ... seconds, at
 * most PlanInterval.  A job that changes begins anew.  Nodes that are being cleaned up
 * after a job are no refusal: they are about to be free.
 */
#ifndef PACT_SLURM_REFUSAL_H
#define PACT_SLURM_REFUSAL_H

#include "slurm/state/bridge.h"
#include "slurm/acting/launch.h"

/* Seconds of refusals in every pass after which nothing is kept. */
#define REFUSAL_SECONDS 10

/*
 * What became of a start, before the core is told; launch->reserve is cleared
 * where nothing is to be kept.
 * IN exact - the plan knows all that the job needs (struct sched_action)
 * With the mutex.  RET true: another pass should soon tell whether that lasts
 */
bool refusal_note(struct bridge *b, struct track *track, bool exact, struct launch *launch);

/* A start that was to be tried was recalled: a row of refusals goes on.  With the mutex. */
void refusal_recalled(struct bridge *b, struct track *track);

/* A start is due: is it too early to try again?  With the mutex. */
bool refusal_waits(struct bridge *b, struct track *track);

/*
 * A snapshot shows a waiting job: forget the refusals of one that changed.  With the mutex.
 * RET true: its promise is broken, and it keeps no place any more
 */
bool refusal_review(struct bridge *b, struct track *track, const struct snap_job *j);

#endif /* PACT_SLURM_REFUSAL_H */
