/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_limit.h - jobs whose time limit reaches beyond their deadline, and which are to run all the same
 *
 * Two kinds wait so: what a realm lets in late and promises nothing (TOKEN_EXPECTED), and a job whose promise is broken
 * (TOKEN_BROKEN).  Slurm itself refuses such a submission from 23.02 on, and from 23.11 on ends such a job while it
 * waits (purge_old_job()), whichever scheduler there is; but for one with a least time limit it is that one which has
 * to fit, and one without a deadline is left alone.  So, where the release asks for it:
 *
 * - the submission gets a least limit of a minute, until it starts or is no longer expected: else a later promise could
 *   be made for that minute (slurm/sync/sync_readmit.c).  One of a minute that its user gave is not told from ours;
 * - while a promise is broken, the record of the job that waits has no deadline.  Its token has it.
 */
#ifndef PACT_SLURM_LATE_LIMIT_H
#define PACT_SLURM_LATE_LIMIT_H

#include "slurm/base/compat.h"

#include "slurm/records/token.h"

/* Before Slurm looks at a submission that is expected.  One that has a least limit keeps it. */
void late_limit_allow(job_desc_msg_t *desc);

/* The job starts, or is no longer expected; of any other job nothing is changed.  Job write lock. */
void late_limit_over(job_record_t *job);

/* Write the token of a job into its record, and what goes with it.  RET false: memory is short.  Job write lock. */
bool late_limit_put(job_record_t *job, const struct token *token);

/*
 * The deadline that a record has or, when it was taken out, had; 0 or NO_VAL: none.  No user can take one out, so a
 * record with a token and no deadline is one of ours.  Job read lock.
 */
time_t late_limit_deadline(const job_record_t *job);

#endif /* PACT_SLURM_LATE_LIMIT_H */
