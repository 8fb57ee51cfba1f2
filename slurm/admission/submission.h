/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submission.h - a submission is decided, told and noted
 */
#ifndef PACT_SLURM_SUBMISSION_H
#define PACT_SLURM_SUBMISSION_H

#include "slurm/admission/admission.h"

/* What pact explain tells of a decision. */
void admission_ledger(struct admission *a, const job_desc_msg_t *desc, bool promised,
		      struct ledger_decision *out);

/*
 * May it be resized, if it asks for that, as what is described of it has its nodes?  Not where these are shared or sliced, say.
 * OUT why - when false is returned, by name
 */
bool admission_resizable(const struct admission *a, const job_desc_msg_t *desc, char *why,
			 size_t size);

/*
 * What is resized, or has a deadline, has its most nodes lowered to those that it may have: Slurm would never start one that
 * names more than its partition's MaxNodes (job_limits_check).
 */
void admission_fit_range(const struct admission *a, job_desc_msg_t *desc);

#endif /* PACT_SLURM_SUBMISSION_H */
