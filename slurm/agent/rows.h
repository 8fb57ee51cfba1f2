/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - a switch of rows that the core wants, done to Slurm's jobs
 */
#ifndef PACT_SLURM_ROWS_H
#define PACT_SLURM_ROWS_H

#include "slurm/agent/pass.h"

/*
 * Before a job runs that has its turn: what has none has stopped (repeats.h, gap.h). It may take SwitchGap's time; no lock may be
 * held.
 */
void rows_let_stop(struct pass *p);

/*
 * Rows are switched: this turn and those that follow it at once, so that nodes are told one soon after the other. Called
 * and left with the mutex, which is given up between.
 * IN/OUT action - an ACT_SUSPEND or ACT_RESUME
 * RET true: *action is one that has not been seen to
 */
bool rows_switch(struct pass *p, struct sched_action *action);

#endif /* PACT_SLURM_ROWS_H */
