/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.h - starts that Slurm refuses again and again
 *
 * The plan knows a job's nodes to be free, and Slurm will not start it: a node
 * does not answer, Slurm's own records are stale after a crash, a limit was set
 * after the promise.  Whoever waits for that must not be in everybody's way:
 *
 * - what is not promised keeps a place at its first refusal, which may be a matter
 *   of a moment; from the second in a row on it keeps none in that pass, so that
 *   those behind it start;
 * - what is promised keeps its place for as long as the promise can be kept, which
 *   is told; then the place is given up, and the job runs when it can.
 *
 * Both are tried again when a node changes, else after 1, 2, 4, ... seconds, at
 * most PlanInterval.  Whoever changes begins anew.
 */
#ifndef PACT_SLURM_REFUSAL_H
#define PACT_SLURM_REFUSAL_H

#include "slurm/bridge.h"
#include "slurm/launch.h"

/* Refusals in a row after which nothing is kept. */
#define REFUSALS 2

/*
 * What became of a start, before the core is told; launch->reserve is cleared
 * where nothing is to be kept.
 * IN exact - the plan knows all that the job needs (struct sched_action)
 * With the mutex.  RET true: another pass should soon tell whether that lasts
 */
bool refusal_note(struct bridge *b, struct track *track, bool exact, struct launch *launch);

/* A start is due: is it too early to try again?  With the mutex. */
bool refusal_waits(struct bridge *b, struct track *track);

/*
 * A snapshot shows a waiting job: forget the refusals of one that changed.  With the mutex.
 * RET true: its promise is broken, and it keeps no place any more
 */
bool refusal_review(struct bridge *b, struct track *track, const struct snap_job *j);

#endif /* PACT_SLURM_REFUSAL_H */
