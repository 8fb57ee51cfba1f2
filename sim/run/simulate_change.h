/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate_change: what is done to running jobs, and what they do about it. Internal to the simulation; see simulate_own.h. */
#ifndef PACT_SIM_RUN_SIMULATE_CHANGE_H
#define PACT_SIM_RUN_SIMULATE_CHANGE_H

#include "sim/run/simulate_own.h"

/* It is done to the job, and answered. */
int sim_change_job(struct simulation *s, const struct sched_action *a);
/* It has no longer what it gives back now. */
int sim_give_back(struct simulation *s, size_t job);

#endif
