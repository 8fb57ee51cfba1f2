/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_lost.h - nodes that a late answer of their slurmd has taken from a running job
 *
 * A slurmd that was asked twice to end a job on a node that the job has left may answer twice (give_back.h); one of 24.11 that
 * reads its configuration anew answers all that it was asked meanwhile. If the job has the node again by then, Slurm
 * takes it from the job, and goes on counting it as the job's: it looks idle, and no job is given it for as long as
 * this one runs. Such a node is given back as any other.
 */
#ifndef PACT_SLURM_RESIZE_LOST_H
#define PACT_SLURM_RESIZE_LOST_H

#include <stdbool.h>

/* Has a job lost a node so? Job, node and partition read locks. It costs a look at each job when any has changed. */
bool resize_lost_behind(void);

/* They are given back. resize_locks. */
void resize_lost_tend(void);

#endif /* PACT_SLURM_RESIZE_LOST_H */
