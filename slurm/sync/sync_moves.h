/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_moves.h - jobs that are asked to leave their nodes, and have left them, told to the core
 *
 * With the bridge's mutex.
 */
#ifndef PACT_SLURM_SYNC_MOVES_H
#define PACT_SLURM_SYNC_MOVES_H

#include "slurm/sync/sync_job.h"

/* Of a running job: its record says that it was asked, or that it stays. Until it has left all nodes it has all of them. */
void sync_leaving(struct sync *s, struct track *track, const struct snap_job *j);

/*
 * A waiting job that the core has running was requeued as it was asked to: the core goes on with it where it was to go.
 * IN planned - it may run
 * RET true: that is all that is to be told of it
 */
bool sync_moved(struct sync *s, const struct snap_job *j, bool planned);

#endif /* PACT_SLURM_SYNC_MOVES_H */
