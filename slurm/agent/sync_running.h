/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_running.h - jobs that run, told to the core
 */
#ifndef PACT_SLURM_SYNC_RUNNING_H
#define PACT_SLURM_SYNC_RUNNING_H

#include "slurm/agent/sync_job.h"

/* A running record: it has started, shrunk, or ends at another time. */
void sync_running(struct sync *s, const struct snap_job *j);

#endif /* PACT_SLURM_SYNC_RUNNING_H */
