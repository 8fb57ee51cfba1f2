/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_usage.h - what limits and shares have of a job that was resized, under priority/multifactor
 *
 * That plugin takes what running jobs have used to the books of their users, accounts and QOS now and then
 * (PriorityCalcPeriod), each time from the last time on. At a resize Slurm takes the job out of the books, as if it had ended,
 * and in again, as if it began. By that the time that it may run still (GrpTRESRunMins) has all that had passed by the last time
 * once more, and for good; and what it has used since then is counted twice, the second time at its new size. Here that is taken
 * out: of use that is still to be counted, so that one that has used less than that since it was counted from 0 is left with up to a
 * period's too much. Under priority/basic, and where no limits are enforced, there is nothing of it.
 */
#ifndef PACT_SLURM_RESIZE_USAGE_H
#define PACT_SLURM_RESIZE_USAGE_H

#include "slurm/base/compat.h"

/* The job was resized just now, in this hold of the locks: job write lock, none of assoc_mgr's. O(TRES x depth of its account). */
void resize_usage_resized(const job_record_t *job);

/* Slurm counts all anew: this process has come to be in charge, or has read its configuration again. */
void resize_usage_begin(void);

/* It has done so by now. Any lock. */
void resize_usage_tend(void);

/*
 * Jobs that Slurm alone has resized since then, as they lost a node: likewise, once for each second. Job write lock, O(jobs).
 * Of two nodes that a job loses between two calls the first one's is not found. And a period of the plugin's that ended in the
 * second of the resize is taken for one that ended before.
 */
void resize_usage_find(time_t since);

#endif /* PACT_SLURM_RESIZE_USAGE_H */
