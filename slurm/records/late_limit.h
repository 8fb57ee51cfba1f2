/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_limit.h - jobs whose time limit reaches beyond their deadline, and which are to run all the same
 *
 * Three kinds wait so: what a realm lets in late and promises nothing (TOKEN_EXPECTED), a malleable job that takes more
 * nodes than its fewest to be in time, as its limit is one on these, and a job whose promise is broken (TOKEN_BROKEN).
 * Slurm itself refuses such a submission from 23.02 on, and from 23.11 on ends such a job while it waits
 * (purge_old_job()), whichever scheduler there is; but for one with a least time limit it is that one which has to fit,
 * and one without a deadline is left alone.  So:
 *
 * - the first two have a least limit of a minute, on every release: as long as it is expected, and a malleable one for
 *   good, also while it runs, as it may be requeued.  It is what Slurm itself gives to a deadline without a limit.  No
 *   promise is made for that minute: what reads the record for a plan finds none.  One of a minute that the user of such
 *   a job gave (--time-min=1) is not told from ours, and counts for none: the job is not shortened to start in a gap.  While it
 *   is promised nothing is lost by that: its limit is then what its promise says, and ours to set (run_limit.h).  When one
 *   that was expected is so no more, set_least() takes the user's out as if it were ours;
 * - while a promise is broken, the record of the job that waits has no deadline, where the release asks for that.  Its
 *   token has it.
 */
#ifndef PACT_SLURM_LATE_LIMIT_H
#define PACT_SLURM_LATE_LIMIT_H

#include "slurm/base/compat.h"

#include "slurm/records/token.h"

#define LATE_LIMIT_LEAST 1 /* minutes */

/* Before Slurm looks at a submission that is expected, or malleable.  One that has a least limit keeps it. */
void late_limit_allow(job_desc_msg_t *desc);

/* The same of a change of a job that has this token with it.  Job read lock. */
void late_limit_change(job_desc_msg_t *desc, const job_record_t *job, const struct token *token);

/* Has it a least limit that its user did not give it?  Job read lock. */
bool late_limit_is_ours(const job_record_t *job);

/* The least limit that its user gave it, minutes, as the record has it; 0: none, or it is one of ours.  Job read lock. */
uint32_t late_limit_least(const job_record_t *job);

/* Write the token of a job into its record, and what goes with it.  RET false: memory is short.  Job write lock. */
bool late_limit_put(job_record_t *job, const struct token *token);

/*
 * The deadline that a record has or, when it was taken out, had; 0 or NO_VAL: none.  No user can take one out, so a
 * record with a token and no deadline is one of ours.  Job read lock.
 */
time_t late_limit_deadline(const job_record_t *job);

#endif /* PACT_SLURM_LATE_LIMIT_H */
