/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_helper.h - the job that gets the nodes with which another one grows; internal to resize.h */
#ifndef PACT_SLURM_RESIZE_HELPER_H
#define PACT_SLURM_RESIZE_HELPER_H

#include "slurm/base/compat.h"

/*
 * Allocate these nodes to a new job that is to be merged into another one. resize_locks.
 * OUT rc - why not, of Slurm's errors
 * RET it runs, without a step; NULL: there is none
 */
job_record_t *helper_start(const job_record_t *target, bitstr_t *nodes, int *rc);

/*
 * Merge it into the other one.
 * RET Slurm's: with an error it has been killed, and the other one is as it was
 */
int helper_merge(job_record_t *helper);

/* Is this thread merging one? */
bool helper_at_work(void);

#endif /* PACT_SLURM_RESIZE_HELPER_H */
