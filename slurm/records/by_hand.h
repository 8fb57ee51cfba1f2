/* SPDX-License-Identifier: GPL-2.0-or-later */
/* by_hand.h - was a job suspended with scontrol? */
#ifndef PACT_SLURM_BY_HAND_H
#define PACT_SLURM_BY_HAND_H

#include "slurm/base/compat.h"

/*
 * The text beside the reason of a job that is held, and was suspended with scontrol while it ran: nothing else of its record
 * says so.
 */
#define SUSPENDED_BY_HAND "Suspended with scontrol"

/*
 * Of a suspended job: was it suspended with scontrol, and not for another job's turn? Slurm takes its priority away then; but
 * so it does when a job is held, which one that runs may be, too. Job read lock.
 */
static inline bool suspended_by_hand(const job_record_t *job)
{
	bool held = job->state_reason == WAIT_HELD || job->state_reason == WAIT_HELD_USER;

	return !job->priority && (!held || !xstrcmp(job->state_desc, SUSPENDED_BY_HAND));
}

#endif /* PACT_SLURM_BY_HAND_H */
