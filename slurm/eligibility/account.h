/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - the association, QOS and wckey that Slurm gives a job
 */
#ifndef PACT_SLURM_ACCOUNT_H
#define PACT_SLURM_ACCOUNT_H

#include "slurm/eligibility/eligibility.h"

/* The association and QOS records a job would get.  Under assoc_mgr's locks. */
struct account {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;
};

struct account account_find(const struct eligibility_job *job, const char *part);

/* Is the QOS in a set? */
bool account_has_qos(const bitstr_t *set, const slurmdb_qos_rec_t *qos);

/*
 * The account that Slurm gives a submission: the one named, in small letters, or the user's default where
 * none is named, or one that accounting does not know and need not know; "": there is none.
 * It takes assoc_mgr's locks.
 * IN part - the first partition; NULL: any
 */
void eligibility_account(uid_t uid, const char *part, const char *name, char *out, size_t size);

/*
 * A user in a message, by the name that accounting knows: others would have to be looked up, which may
 * take its time.  It takes assoc_mgr's locks.
 */
void eligibility_user(uid_t uid, char out[NAMES_USER]);

/*
 * Would Slurm find the account and QOS of a submission, and let the one use the other?
 * IN parts - its partitions (parts_named)
 * OUT qos_flags - of its QOS (QOS_FLAG_PART_...); 0: none
 * OUT why - names what it does not find
 * RET Slurm's error code, or SLURM_SUCCESS
 */
int eligibility_finds(const job_desc_msg_t *desc, list_t *parts, uint32_t *qos_flags, char *why,
		      size_t why_size);

/*
 * Does accounting know the submission's wckey, or a default one of its user, where
 * AccountingStorageEnforce has wckeys?  It takes assoc_mgr's locks.
 * OUT why - names the wckey, if Slurm would refuse it
 * RET Slurm's error code, or SLURM_SUCCESS
 */
int eligibility_wckey(const job_desc_msg_t *desc, char *why, size_t why_size);

#endif /* PACT_SLURM_ACCOUNT_H */
