/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recount.h - Slurm counts its nodes anew
 *
 * What slurmctld and its select plugin count of each node - the jobs that are there, and those that have it alone - is changed by
 * each job that comes and goes. Where a crash or a resize has left a job in these books that is none, the node looks free
 * everywhere, and a start that is to have it is refused for as long as that stays so, a promised one as any other. Slurm itself
 * counts from its jobs when it starts or is reconfigured; it is made to do that once more.
 */
#ifndef PACT_SLURM_RECOUNT_H
#define PACT_SLURM_RECOUNT_H

#include "slurm/base/compat.h"

/*
 * The job was refused nodes as busy, for some time. If so many as it wants of these look free, and nothing was counted anew in the
 * last minute, Slurm counts: under select/linear, as long as no job is suspended (Slurm would count that twice), and under
 * select/gang.  launch_locks; O(jobs x nodes).
 * IN nodes - those that it may have
 * RET whether Slurm has counted: another try may do
 */
bool recount_nodes(const job_record_t *job, bitstr_t *nodes);

/*
 * At a reconfiguration 22.05 keeps how many suspended jobs each node has, and then counts them once more: a node that had any
 * would look taken for ever. More than there are is put right. Job read lock, node write lock; O(jobs x nodes).
 */
void recount_suspended(void);

#endif /* PACT_SLURM_RECOUNT_H */
