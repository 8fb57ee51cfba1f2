/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection.h - select_nodes() with the nodes, the time limit and the node count that were planned
 *
 * What is planned stands in the record for the call alone.  The caller holds launch_locks.
 */
#ifndef PACT_SLURM_SELECTION_H
#define PACT_SLURM_SELECTION_H

#include "slurm/acting/launch.h"

/* The nodes that are off limits to a start; NULL: none.  FREE_NULL_BITMAP() it. */
bitstr_t *selection_forbidden(const struct launch *launch, const job_record_t *job);

/*
 * Start it on other nodes than `forbid`, which may be NULL.
 *
 * Slurm gives a job whose nodes are busy another reason than the plan did a moment ago.
 * Each would be written over the other in every pass, and each such pass cause another:
 * the plan's is left.
 * RET Slurm's code
 */
int selection_try(struct launch *launch, job_record_t *job, bitstr_t *forbid);

/*
 * Slurm has answered `rc`: could the job never run, whichever nodes are free?
 * IN restricted - nodes were off limits: it is tried without that
 */
bool selection_never(job_record_t *job, int rc, bool restricted);

#endif /* PACT_SLURM_SELECTION_H */
