/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_usage.h - what limits and shares have of a job that was resized, under priority/multifactor
 *
 * That plugin takes what running jobs have used to the books of their users, accounts and QOS now and then
 * (PriorityCalcPeriod), each time from the last time on. At a resize Slurm takes the job out of the books, as if it had ended,
 * and in again, as if it began. By that the time that it may run still (GrpTRESRunMins) has all that had passed by the last time
 * once more, and for good; and what it has used since then is counted twice, the second time at its new size. Here that is taken
 * out. Under priority/basic, and where no limits are enforced, there is nothing of it.
 */
#ifndef PACT_SLURM_RESIZE_USAGE_H
#define PACT_SLURM_RESIZE_USAGE_H

#include "slurm/base/compat.h"

/* The job was resized just now, in this hold of the locks: job write lock, none of assoc_mgr's. O(TRES x depth of its account). */
void resize_usage_resized(const job_record_t *job);

/*
 * It was resized since the last call of resize_usage_forget(), by us or by Slurm alone (a node was lost): likewise, once for each
 * second in which it was. Of two nodes that are lost within one pass the first one's is not found.
 */
void resize_usage_found(const job_record_t *job);

/* No job will be found that was resized before. */
void resize_usage_forget(time_t before);

#endif /* PACT_SLURM_RESIZE_USAGE_H */
