/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_limit.h - a job that runs with another limit than it came with
 *
 * Two kinds do: one that shares nodes ends when it is due (share_terms.h); and a malleable job that has more nodes of its
 * own than its fewest, for which its limit is, ends when the plan has it done.  Slurm would keep the limit of that run
 * for the next one when the job is requeued, and counts it anew, in whole minutes, while it runs.  So the second kind
 * has what it came with in its record, too, from its start on (job_env.h, doc/formats.md): a job that waits has that
 * only until it is read the first time after it was requeued.
 */
#ifndef PACT_SLURM_RUN_LIMIT_H
#define PACT_SLURM_RUN_LIMIT_H

#include "slurm/base/compat.h"

/*
 * It has been started, and shares no nodes.  Job write lock.
 * IN own - the limit that it came with, minutes
 * IN due - when it ends, seconds since the epoch
 */
void run_limit_put(job_record_t *job, uint32_t own, int64_t due);

/* The limit that it came with, minutes, NO_VAL or INFINITE, whatever its run has.  Job read lock. */
uint32_t run_limit_own(const job_record_t *job);

/*
 * A job that was requeued has again the limit that it came with, and no terms; of any other nothing changes.  The limit
 * that an operator gave to its earlier run goes with that run.  Job write lock.
 * RET whether anything changed
 */
bool run_limit_requeued(job_record_t *job);

/*
 * A running job ends when it may at the latest again: Slurm counts its limit, in whole minutes, anew when
 * PrologSlurmctld is over (job_config_fini()). An operator's other limit stays.  Job write lock.
 * RET whether anything changed
 */
bool run_limit_hold_end(job_record_t *job);

/* A submission brings none along. */
void run_limit_strip(job_desc_msg_t *desc);

#endif /* PACT_SLURM_RUN_LIMIT_H */
