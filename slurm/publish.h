/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * publish.h - from the plan back into slurmctld's records
 *
 * Planned starts (StartTime of waiting jobs, which squeue --start shows), why a
 * job waits, the promises' tokens in AdminComment, and the end of jobs whose
 * deadline nobody promised and nobody can keep.  StartTime is for display only
 * and for finding the old plan again after a restart.
 */
#ifndef PACT_SLURM_PUBLISH_H
#define PACT_SLURM_PUBLISH_H

#include "slurm/bridge.h"

struct publication;

/* What is to be written, as the plan stands.  With the mutex.  NULL: no memory. */
struct publication *publish_collect(struct bridge *b, const struct snapshot *snap);

/*
 * Write it, and free it.  Takes slurmctld's locks: neither those nor the mutex may be held.
 * RET microseconds for which slurmctld's locks were held
 */
int64_t publish_write(struct publication *pub);

#endif /* PACT_SLURM_PUBLISH_H */
