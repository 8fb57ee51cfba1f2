/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * release.h - a job held so shortly that no snapshot has shown it, and a change that hides it
 *
 * To hold a job withdraws its promise, and a release is a new admission, however short
 * the time between them: what no snapshot has seen is noted when the job's
 * release comes by in job_modify, or a new deadline, which is decided only then.
 */
#ifndef PACT_SLURM_RELEASE_H
#define PACT_SLURM_RELEASE_H

#include "slurm/state/bridge.h"

/* Does it release a held job that still has a promise, or give it another deadline?  Job lock. */
bool release_unseen(const job_desc_msg_t *desc, const job_record_t *job);

/*
 * Withdraw it: in the record's token now, and in the plan when a snapshot shows
 * that, which admits the job anew.  Job write lock and mutex.
 */
void release_note(struct bridge *b, job_record_t *job);

#endif /* PACT_SLURM_RELEASE_H */
