/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * depend.h - when the jobs that a job waits for will have ended, for sure
 *
 * A promise that rests on other jobs must not rest on planned ends that may
 * still move: a running job is counted with the end of its hold, a promised one
 * with its deadline, any other with the later of its planned end and its
 * artificial deadline.
 */
#ifndef PACT_SLURM_DEPEND_H
#define PACT_SLURM_DEPEND_H

#include "slurm/bridge.h"

/*
 * The latest end of a job, or of all tasks of an array, in the plan.
 * With the mutex.  RET PACT_FOREVER: no end is known
 */
int64_t depend_end(struct bridge *b, uint32_t base_id);

/*
 * The latest end of everything in a --dependency text.
 * OUT why - what cannot be planned, when false is returned
 * With the mutex and slurmctld's job read lock.
 */
bool depend_begin(struct bridge *b, const char *text, int64_t *begin, char *why, size_t why_size);

#endif /* PACT_SLURM_DEPEND_H */
