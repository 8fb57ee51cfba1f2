/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_resized.h - running jobs that are resized, told to the core
 *
 * To Slurm such a job ends by its limit, which is its time on the nodes that are its own; when it will have ended with those
 * that it has is the core's to know.  What the core is told is when its own nodes alone would have done what is left
 * (EV_END_CHANGED): where something has been done by others meanwhile, that is before the record's end.  All with the
 * bridge's mutex.
 */
#ifndef PACT_SLURM_SYNC_RESIZED_H
#define PACT_SLURM_SYNC_RESIZED_H

#include "slurm/sync/sync_job.h"

/*
 * The core knows it and has it running: what it has now, asked for or not, a changed limit, and that nodes are clean that it
 * was to get.
 */
void sync_resized(struct sync *s, struct track *track, const struct snap_job *j);

/* The core does not know it: what it asked for, before EV_STARTED.  RET false: that had no effect */
bool sync_resized_again(struct sync *s, const struct track *track, const struct snap_job *j);

/*
 * After that, which had its own nodes: those that it has on loan, and which of them it is to give back.  It has done at least
 * what it would have done on its own nodes alone; what it did on others is in no record.
 */
void sync_resized_restored(struct sync *s, struct track *track, const struct snap_job *j);

#endif /* PACT_SLURM_SYNC_RESIZED_H */
