/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition.c - does a partition take a job, by its own keys?
 */
#include "slurm/base/compat.h"

#include <ctype.h>

#include "slurm/eligibility/partition.h"
#include "slurm/base/names.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/eligibility/request.h"
#include "slurm/records/parts.h"

bool partition_takes(const part_record_t *part, const struct account *account, char *why,
		     size_t why_size)
{
	const char *name = account->assoc ? account->assoc->acct : NULL;
	const char *value = NULL, *what = "account";
	const char *key = part_refuses_account(part, account->assoc, &value);

	if (!key) {
		name = account->qos ? account->qos->name : NULL;
		what = "QOS";
		if (part->allow_qos_bitstr) {
			if (!account->qos || !account_has_qos(part->allow_qos_bitstr, account->qos))
				key = "AllowQos", value = part->allow_qos;
		} else if (part->deny_qos_bitstr && account->qos &&
			   account_has_qos(part->deny_qos_bitstr, account->qos)) {
			key = "DenyQos", value = part->deny_qos;
		}
	}
	if (!key)
		return true;
	snprintf(why, why_size, "partition %.40s: %s=%.60s, and the job has %s%s %.40s", part->name,
		 key, value ? value : "", name ? "" : "no ", what,
		 name ? name : "that Slurm's accounting knows");
	return false;
}

/* RootOnly asks who submits, everything else whose job it is. */
static bool root_submits(uint32_t submitter)
{
	return submitter == 0 || submitter == slurm_conf.slurm_user_id;
}

/*
 * As _alt_part_test() and _part_access_check() in slurmctld's job_mgr.c, but for the groups, which may take their
 * time, and are asked for last.
 */
static bool part_enters(const struct eligibility_job *job, const job_desc_msg_t *desc,
			uint32_t submitter, part_record_t *part, char *why, size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	struct account account;
	int rc = SLURM_SUCCESS;
	bool takes;

	assoc_mgr_lock(&locks);
	account = account_find(job, part->name);
	takes = partition_takes(part, &account, why, why_size);
	assoc_mgr_unlock(&locks);
	if (!takes)
		return false;
	if (part->flags & PART_FLAG_REQ_RESV && (!desc->reservation || !desc->reservation[0]))
		rc = ESLURM_ACCESS_DENIED;
	else if (part->flags & PART_FLAG_ROOT_ONLY && !root_submits(submitter))
		rc = ESLURM_ACCESS_DENIED;
	else if (part->flags & PART_FLAG_NO_ROOT && !job->uid)
		rc = ESLURM_USER_ID_MISSING;
	/* a question does not come from a node */
	else if (desc->alloc_node && !validate_alloc_node(part, desc->alloc_node))
		rc = ESLURM_ACCESS_DENIED;
	else if (!validate_group(part, job->uid))
		rc = ESLURM_JOB_MISSING_REQUIRED_PARTITION_GROUP;
	if (rc != SLURM_SUCCESS)
		snprintf(why, why_size, "partition %.60s: %s", part->name, slurm_strerror(rc));
	return rc == SLURM_SUCCESS;
}

bool eligibility_enters(const job_desc_msg_t *desc, uint32_t submitter, char *why, size_t why_size)
{
	const struct eligibility_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
	};
	list_t *parts = parts_named(desc->partition);
	list_itr_t *iter;
	part_record_t *part;
	bool enters = true;

	/* No such partition: Slurm says so. */
	if (!parts)
		return true;
	iter = list_iterator_create(parts);
	while (enters && (part = list_next(iter)))
		enters = part_enters(&job, desc, submitter, part, why, why_size);
	list_iterator_destroy(iter);
	FREE_NULL_LIST(parts);
	return enters;
}

bool eligibility_moves(const struct eligibility_job *job, char *why, size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	bool takes = true;

	assoc_mgr_lock(&locks);
	for (uint32_t i = 0; takes && i < job->what->nalt; i++) {
		const part_record_t *part = find_part_record((char *)job->what->part[i]);
		struct account account;

		if (!part)
			continue;
		account = account_find(job, part->name);
		takes = partition_takes(part, &account, why, why_size);
	}
	assoc_mgr_unlock(&locks);
	return takes;
}
