/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stand_in.h - Slurm's own scheduler in our place
 *
 * Under sched_interval=-1, which Pact wants, Slurm's main scheduler starts nothing.  Where Pact cannot plan
 * (builds.h), no job would ever be started: Slurm's sched/backfill, which goes through all the queue by
 * itself, is loaded instead.
 */
#ifndef PACT_SLURM_STAND_IN_H
#define PACT_SLURM_STAND_IN_H

#include <stdbool.h>

/*
 * Load and start it; again only when it was stopped.  Called where a scheduler's init() is, or without
 * any lock.  RET false: it does not run (logged once)
 */
bool stand_in_start(const char *type);

/* Stop it, if it was started.  As a scheduler's fini(). */
void stand_in_stop(void);

/* slurm.conf may have changed.  slurmctld's locks may be held. */
void stand_in_reconfigure(void);

#endif /* PACT_SLURM_STAND_IN_H */
