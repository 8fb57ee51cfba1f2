/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - from slurmctld's records to the core's events
 *
 * Level-triggered: whatever happened since the last snapshot, the core is told
 * the difference, ends before submissions, submissions in job order.
 */
#ifndef PACT_SLURM_SYNC_H
#define PACT_SLURM_SYNC_H

#include "slurm/state/bridge.h"

/*
 * Bring the core up to a snapshot that was begun after b->epoch was raised.
 * With the bridge's mutex.  Tracks point into the snapshot from then on
 * (track.snap), until sync_forget().
 * RET false when there is no core to work with
 */
bool sync_apply(struct bridge *b, const struct snapshot *snap);

/* The snapshot is about to go. */
void sync_forget(struct bridge *b);

#endif /* PACT_SLURM_SYNC_H */
