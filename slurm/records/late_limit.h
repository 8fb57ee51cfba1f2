/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_limit.h - a job whose time limit reaches beyond its deadline, and that is let in all the same
 *
 * A realm lets such a job in and promises nothing (TOKEN_EXPECTED). Stock Slurm refuses its submission from 23.02 on,
 * and from 23.11 on ends it while it waits (purge_old_job()), unless the job has a least time limit: then it is that
 * one which has to fit. So such a submission gets one, of a minute, until it starts or is no longer expected: else a
 * later promise could be made for that minute (slurm/agent/sync_readmit.c). One of a minute that its user gave is
 * not told from ours.
 */
#ifndef PACT_SLURM_LATE_LIMIT_H
#define PACT_SLURM_LATE_LIMIT_H

#include "slurm/base/compat.h"

/* Before Slurm looks at a submission that is expected.  One that has a least limit keeps it. */
void late_limit_allow(job_desc_msg_t *desc);

/* The job starts, or is no longer expected; of any other job nothing is changed.  Job write lock. */
void late_limit_over(job_record_t *job);

#endif /* PACT_SLURM_LATE_LIMIT_H */
