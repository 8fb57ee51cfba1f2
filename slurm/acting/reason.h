/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - why a record waits, in Slurm's terms */
#ifndef PACT_SLURM_REASON_H
#define PACT_SLURM_REASON_H

#include "slurm/base/compat.h"

/* That, and no text beside it.  Job write lock. */
static inline void reason_set(job_record_t *job, uint32_t reason)
{
	if (job->state_reason == reason && !job->state_desc)
		return;
	xfree(job->state_desc);
	job->state_reason = reason;
	last_job_update = time(NULL);
}

#endif /* PACT_SLURM_REASON_H */
