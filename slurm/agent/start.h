/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start.h - a start that the core wants, done to Slurm's job
 */
#ifndef PACT_SLURM_START_H
#define PACT_SLURM_START_H

#include "slurm/agent/pass.h"

/*
 * The core says: start this one now. What became of it is told to the core, and noted in the pass. Called and left with the mutex,
 * which is given up between.
 * IN action - an ACT_START
 */
void start_one(struct pass *p, const struct sched_action *action);

/*
 * Jobs inside reservations: their nodes are out of all other jobs' reach in the plan. Called without the mutex.
 * RET whether any was started
 */
bool start_inside(struct pass *p);

#endif /* PACT_SLURM_START_H */
