/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_running.h - jobs that run, told to the core
 */
#ifndef PACT_SLURM_SYNC_RUNNING_H
#define PACT_SLURM_SYNC_RUNNING_H

#include "slurm/sync/sync_job.h"

/*
 * All running records of the snapshot: each has started, shrunk, or ends at another time. Those that take turns and are new to
 * the core are told in the order in which they should run, which is the order of its rows.
 */
void sync_all_running(struct sync *s);

/*
 * Mark those that the core knows and gives no turns, though others of their partition take turns (snap_job.outside): a partition
 * may lose nodes while jobs take turns there, and what has one of these just holds its nodes, to the core; and those that have
 * turns (snap_job.has_row).  It takes the mutex.
 */
void sync_outside(struct bridge *b, struct snapshot *snap);

#endif /* PACT_SLURM_SYNC_RUNNING_H */
