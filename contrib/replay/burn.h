/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * burn: what a job of a replay does on a node whose jobs share it (--burn). It uses so much processor time, and ends.
 * So its end depends on what the node gave it, and not on a clock.
 */
#ifndef PACT_REPLAY_BURN_H
#define PACT_REPLAY_BURN_H

#include <stdint.h>

/* The option, first on the command line, by which pact-replay is started for this; its value follows. Not for people. */
#define BURN_OPTION "--burn-here"

/*
 * Burn until all processes of this job on this node have used so many microseconds of processor time, those included that
 * were before this one (a shell, srun). What counts is the control group that pactd gave the job.
 * RET an exit status: 0, or 1 and a line on the standard error: bad number, or the job is in no group of pactd's.
 */
int burn(const char *microseconds);

/* Microseconds of processor time in so many seconds of a whole node that has `percent` of a processor. */
int64_t burn_time(double seconds, int64_t percent);

#endif /* PACT_REPLAY_BURN_H */
