/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit_limits.h - Slurm's own check of limits when a job is submitted
 */
#ifndef PACT_SLURM_SUBMIT_LIMITS_H
#define PACT_SLURM_SUBMIT_LIMITS_H

#include "slurm/eligibility/eligibility.h"

/*
 * Would Slurm take such a submission by the limits of its account and QOS?  Some count jobs that are
 * submitted already; under DenyOnLimit the others are compared with what the job asks for, which may
 * be less than it gets.  Slurm's own check, which follows on job_submit(): for a question, that no
 * submission follows.  Not with assoc_mgr's locks.
 * OUT why - names the limit
 */
bool eligibility_submits(const job_desc_msg_t *desc, char *why, size_t why_size);

#endif /* PACT_SLURM_SUBMIT_LIMITS_H */
