/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish.h - from the plan back into slurmctld's records
 *
 * Planned starts (StartTime of waiting jobs, which squeue --start shows), why a
 * job waits or that it is set aside, the promises' tokens in AdminComment, and the end of jobs whose
 * deadline without a promise that cannot be kept.  StartTime is for display only
 * and for finding the old plan again after a restart.
 */
#ifndef PACT_SLURM_PUBLISH_H
#define PACT_SLURM_PUBLISH_H

#include "slurm/state/bridge.h"

struct publication;

/* What is to be written, as the plan stands.  With the mutex.  NULL: no memory. */
struct publication *publish_collect(struct bridge *b, const struct snapshot *snap);

/*
 * Write what differs from the records as they were read, and free it; NULL is
 * fine.  It takes slurmctld's locks, in pieces: neither those nor the mutex may be
 * held.  A record that is gone, another job's by now, or does not wait any more
 * is left alone.
 */
void publish_write(struct publication *pub);

#endif /* PACT_SLURM_PUBLISH_H */
