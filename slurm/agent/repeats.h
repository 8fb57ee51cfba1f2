/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeats.h - nodes are told once more which of their jobs run, where jobs take turns
 *
 * Slurm tells each node once: one that was away has not heard it, and the records of a new controller may be older than what
 * nodes were told last.
 */
#ifndef PACT_SLURM_REPEATS_H
#define PACT_SLURM_REPEATS_H

#include "slurm/state/bridge.h"

/*
 * Nodes of these jobs are told once more whether it runs, as its record has it. It takes slurmctld's locks, for ten milliseconds at a
 * time, and the mutex: none of these may be held.
 * RET messages that were sent, which are counted
 */
uint64_t repeats_send(struct bridge *b, const uint32_t *id, size_t n);

/* Seconds for which slurmd may be at what it was told: two at a suspension, and one more at each of what is suspended. */
#define SLURMD_AT_IT 4

/* With the mutex.  Its nodes were told that it is stopped, or that it has its turn, whether for the first time or again. */
void repeats_told(struct track *track, bool stopped);

/* A new controller has told none yet. */
void repeats_begin(void);

/*
 * Before a new controller lets a job run for the first time: those that stand stopped and have no turn now are told so once more.
 * By records that are older than what nodes were told last, one of them may run. It takes slurmctld's locks and the mutex:
 * none of these may be held.
 * IN snap - this pass's
 * RET whether a message was sent: programs take their time to stop (gap.h)
 */
bool repeats_stop(struct bridge *b, const struct snapshot *snap);

/*
 * All nodes by a new controller, at once and, as some may not hear yet, when all that live have registered; and one that was
 * away. It is done behind the turns that this pass has taken (but for repeats_stop()), and not shortly before the next ones:
 * messages overtake each other. It takes slurmctld's locks and the mutex: none of these may be held.
 * IN next - when turns are taken next; 0: not known
 */
void repeats_tell(struct bridge *b, const struct snapshot *snap, int64_t next);

#endif /* PACT_SLURM_REPEATS_H */
