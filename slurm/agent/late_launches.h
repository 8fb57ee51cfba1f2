/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_launches.h - jobs that take turns, and run on nodes although they were stopped
 *
 * A job, or a step of it, runs for Slurm while prologs of its nodes do still, whatever PrologFlags say, or nodes are slow. slurmd
 * waits with a job's first suspension until it is launched, but for ten seconds only: then it has nothing to suspend, and does not
 * look again. What is launched later would run beside the others until the end of its own next turn. So its nodes are told once
 * more, and more than once, that it is stopped.
 *
 * Nor is a stop certain that follows a resumption within seconds, if that follows another stop so. slurmd is for two seconds at a
 * suspension, and for one at each that finds the job suspended. Where a resumption and a stop wait for that it may come to the stop first:
 * a job that was to run on free nodes until another one began there would run beside it until the end of its own next turn. So its nodes
 * are told again when all that is over. (In slices of less than eight seconds and two rows there is no time for that.)
 *
 * It is done seldom enough for slurmd, which works on a job's messages in no order: where one waits for a program to begin, as
 * suspensions do, for so long that it has not worked off the others by the job's next turn, one of them may stop it there.
 */
#ifndef PACT_SLURM_LATE_LAUNCHES_H
#define PACT_SLURM_LATE_LAUNCHES_H

#include "slurm/state/bridge.h"

/* A job that is stopped. Seconds, or times. */
struct late_launch {
	int64_t start;
	int64_t launched; /* it, or a step of it, was to be; 0: not known */
	int64_t longest;  /* prologs may take so long before that */
	int64_t ran;	  /* so long it was not stopped, since its start */
	int64_t stopped;  /* since when it is */
	int64_t next;	  /* its next turn; now, if it has it */
	int64_t told;	  /* nodes were, last; 0: they were not */
	int64_t hasty;	  /* they were told that it runs, seconds after a stop; 0: never */
};

/* When its nodes are to be told; 0: not before its next turn. */
int64_t late_launches_due(const struct late_launch *launch, int64_t now);

/*
 * Nodes of those that are due are told, all at once; the next pass comes no later than another one is. With the mutex, which is given up
 * between.
 */
void late_launches_stop(struct bridge *b, const struct snapshot *snap);

#endif /* PACT_SLURM_LATE_LAUNCHES_H */
