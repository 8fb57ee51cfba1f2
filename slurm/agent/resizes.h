/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resizes.h - running jobs are given nodes, asked for some, and these are taken
 *
 * The core's wish (ACT_RESIZE) is done at once, or told to the job (resizing/wishes.h) and noted in its record; what comes of
 * it is seen there and told to the core by sync_resized.h.  A controller that dies between knows from the record what had
 * been asked for.
 */
#ifndef PACT_SLURM_RESIZES_H
#define PACT_SLURM_RESIZES_H

#include "slurm/state/bridge.h"

/* The core wants it resized, and is answered.  With the mutex, which is given up between. */
void resizes_do(struct bridge *b, const struct sched_action *action);

/*
 * Of those whose notice is over what they have not given back is taken; what Slurm would never take they are asked for no more,
 * nor is a job that is resized no longer, or that another than us has begun, for what an earlier run of it was asked for.
 * It takes slurmctld's locks: neither these nor the mutex may be held.
 * RET whether anything was done: the snapshot is older than that
 */
bool resizes_take(const struct snapshot *snap);

/* The next pass comes no later than a notice is over.  With the mutex. */
void resizes_wake(struct bridge *b, const struct snapshot *snap);

#endif /* PACT_SLURM_RESIZES_H */
