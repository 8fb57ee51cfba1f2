/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runnable.h - may this record run now, and how?
 *
 * What Slurm's build_job_queue() asks of all records in one go, under a write
 * lock that cannot be given up before the last, is asked of one record here: so
 * its caller may give the locks up between any two.  The answers are Slurm's own
 * functions': job_independent() for holds, dependencies, begin times and
 * reservations, job_limits_check() for partitions and QOS.  As there, reasons
 * and accrue times are brought up to date on the way; but of several partitions
 * the reason of one is said only when none takes the job.
 */
#ifndef PACT_SLURM_RUNNABLE_H
#define PACT_SLURM_RUNNABLE_H

#include "slurm/base/compat.h"

/*
 * Ask of one record, of whatever state.  Locks as for build_job_queue(): jobs
 * and nodes to write, the configuration, partitions and the federation to read.
 * OUT queue - its entries (job_queue_rec_t) are appended, to be freed with
 *	xfree(): one for each way in which it may run now, none when it may not
 */
void runnable_ask(job_record_t *job, list_t *queue);

/*
 * Is this an array whose next tasks get records of their own before they may
 * run?  That is for a burst buffer, or to depend on the tasks of another array
 * one by one; build_job_queue() does it.  Job read lock.
 */
bool runnable_wants_split(const job_record_t *job);

#endif /* PACT_SLURM_RUNNABLE_H */
