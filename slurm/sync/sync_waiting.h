/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_waiting.h - jobs that wait, told to the core
 */
#ifndef PACT_SLURM_SYNC_WAITING_H
#define PACT_SLURM_SYNC_WAITING_H

#include "slurm/sync/sync_job.h"

/* A waiting record: submitted, changed, held, released. */
void sync_waiting(struct sync *s, const struct snap_job *j);

#endif /* PACT_SLURM_SYNC_WAITING_H */
