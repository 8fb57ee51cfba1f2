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

#endif /* PACT_SLURM_SUBMISSION_H */
