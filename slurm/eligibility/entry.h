/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.h - would Slurm make a record of a submission at all?
 *
 * job_submit() is asked before most of Slurm's own checks (validate_job_create_req, _job_create): what
 * they refuse must not be told as accepted first.  They cannot be called, for they write into the
 * submission or make a record; so they are made here, in their order, on what a submission that could
 * be promised may have: no resources or layouts that are not planned (request.h).  Groups and lists of a
 * partition are asked for by eligibility_enters(), limits of accounts by eligibility_submits(), and whether
 * there are such nodes by the plan itself.
 *
 * What cannot be asked, since it comes about after the answer: other records that fill MaxJobCount or a
 * limit of an account meanwhile, ids that run out, and a script or an environment that slurmctld cannot
 * write (StateSaveLocation is full).  Such a promise ends as void.
 *
 * Called under slurmctld's read locks; takes assoc_mgr's read locks.
 */
#ifndef PACT_SLURM_ENTRY_H
#define PACT_SLURM_ENTRY_H

#include "slurm/eligibility/describe.h"

/*
 * To be told of every submission that Slurm is given, so that its MaxArraySize and max_script_size are
 * known, and (NULL) at the start, before there are any.
 */
void entry_seen(const job_desc_msg_t *desc);

/*
 * May the job have its --mcs-label, or one that MCSPlugin gives it?  It asks for names of users and groups,
 * which may take their time.
 * OUT why - names the label, if Slurm would refuse it; else ""
 * RET Slurm's error code, or SLURM_SUCCESS
 */
int entry_label(const job_desc_msg_t *desc, char *why, size_t size);

/*
 * IN submitter - the user who submits it; root may do so for others
 * IN what - its description
 * OUT why - what Slurm would refuse, naming the key; "" if it would not
 * RET Slurm's error code; SLURM_SUCCESS: it would take it
 */
int entry_refused(const job_desc_msg_t *desc, uint32_t submitter, const struct description *what,
		  char *why, size_t size);

#endif /* PACT_SLURM_ENTRY_H */
