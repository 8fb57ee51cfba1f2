/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * barrier.c - what could stop a promised job that no plan of nodes can see
 */
#include "slurm/barrier.h"

#include "slurm/limits.h"

#include <strings.h>

/* The association and QOS records a job would get.  Under assoc_mgr's locks. */
struct account {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;
};

static struct account find_account(const struct barrier_job *job, const char *part)
{
	slurmdb_assoc_rec_t ask = {
		.acct = (char *)job->account,
		.partition = (char *)part,
		.uid = job->uid,
	};
	slurmdb_qos_rec_t qos = { .name = (char *)job->qos };
	struct account found = { 0 };

	if (job->record)
		return (struct account){ job->record->assoc_ptr, job->record->qos_ptr };
	if (assoc_mgr_fill_in_assoc(acct_db_conn, &ask, accounting_enforce, &found.assoc, true) !=
	    SLURM_SUCCESS)
		found.assoc = NULL;
	/* The association's, the cluster's, or "normal": as Slurm does for a job that names none. */
	assoc_mgr_get_default_qos_info(found.assoc, &qos);
	if (assoc_mgr_fill_in_qos(acct_db_conn, &qos, accounting_enforce, &found.qos, true) !=
	    SLURM_SUCCESS)
		found.qos = NULL;
	return found;
}

/* Could a job in this partition be preempted by one in another? */
static bool tier_preempts(const part_record_t *part)
{
	ListIterator iter;
	const part_record_t *other;
	bool found = false;

	if (part->preempt_mode == PREEMPT_MODE_OFF)
		return false;
	iter = list_iterator_create(part_list);
	while (!found && (other = list_next(iter)))
		found = other->priority_tier > part->priority_tier && other->node_bitmap &&
			part->node_bitmap && bit_overlap_any(other->node_bitmap, part->node_bitmap);
	list_iterator_destroy(iter);
	return found;
}

static bool qos_preempts(const slurmdb_qos_rec_t *qos)
{
	ListIterator iter;
	const slurmdb_qos_rec_t *other;
	bool found = false;

	if (!qos || !assoc_mgr_qos_list)
		return false;
	iter = list_iterator_create(assoc_mgr_qos_list);
	while (!found && (other = list_next(iter)))
		found = other->preempt_bitstr && qos->id < bit_size(other->preempt_bitstr) &&
			bit_test(other->preempt_bitstr, qos->id);
	list_iterator_destroy(iter);
	return found;
}

static bool preemption_stands(const struct account *account, const part_record_t *part, char *why,
			      size_t why_size)
{
	if (!slurm_preemption_enabled())
		return false;
	if (!xstrcmp(slurm_conf.preempt_type, "preempt/partition_prio") && part &&
	    tier_preempts(part)) {
		snprintf(why, why_size,
			 "jobs in partition %s can be preempted by a partition of "
			 "higher PriorityTier",
			 part->name);
		return true;
	}
	if (!xstrcmp(slurm_conf.preempt_type, "preempt/qos") && qos_preempts(account->qos)) {
		snprintf(why, why_size, "jobs of QOS %s can be preempted", account->qos->name);
		return true;
	}
	return false;
}

enum barrier barrier_find(const struct barrier_job *job, int64_t *longest, char *why,
			  size_t why_size)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK, .user = READ_LOCK
	};
	enum limits_answer answer = LIMITS_NONE;
	bool preempted = false;

	*longest = PACT_FOREVER;
	assoc_mgr_lock(&locks);
	for (uint32_t i = 0; !answer && !preempted && i < job->what->nalt; i++) {
		const part_record_t *part = find_part_record((char *)job->what->part[i]);
		struct account account = find_account(job, job->what->part[i]);
		struct limits_job limited = {
			.assoc = account.assoc,
			.qos = account.qos,
			.part = part,
			.lifted = job->record ? &job->record->limit_set : NULL,
			.what = job->what,
			.need = job->need,
		};

		if (!part)
			continue;
		answer = limits_check(&limited, longest, why, why_size);
		preempted = !answer && preemption_stands(&account, part, why, why_size);
	}
	assoc_mgr_unlock(&locks);
	if (answer == LIMITS_OVER)
		return BARRIER_OVER;
	return answer || preempted ? BARRIER_WAITS : BARRIER_NONE;
}

/* Is a name one of a comma list? */
static bool listed(const char *list, const char *name)
{
	size_t len = name ? strlen(name) : 0;

	for (const char *at = list; len && at && *at; at = strchr(at, ',')) {
		if (*at == ',')
			at++;
		if (!strncasecmp(at, name, len) && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

static bool group_allows(const struct conf *conf, uid_t uid)
{
	for (const uid_t *at = conf->allow_uids; at && *at; at++)
		if (*at == uid)
			return true;
	return !conf->allow_groups;
}

bool barrier_allows(const struct conf *conf, const struct barrier_job *job, char *why,
		    size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const char *account = job->record ? job->record->account : job->account;
	const char *qos = job->record ? NULL : job->qos;
	struct account found;
	bool ok = true;

	if (job->uid == 0 || job->uid == slurm_conf.slurm_user_id)
		return true;
	assoc_mgr_lock(&locks);
	found = find_account(job, job->what->part[0]);
	if (!account && found.assoc)
		account = found.assoc->acct;
	if (!qos && found.qos)
		qos = found.qos->name;
	if (conf->allow_accounts && !listed(conf->allow_accounts, account)) {
		snprintf(why, why_size, "account %s may not use deadlines (AllowAccounts)",
			 account ? account : "(none)");
		ok = false;
	} else if (conf->allow_qos && !listed(conf->allow_qos, qos)) {
		snprintf(why, why_size, "QOS %s may not use deadlines (AllowQOS)",
			 qos ? qos : "(none)");
		ok = false;
	} else if (!group_allows(conf, job->uid)) {
		snprintf(why, why_size,
			 "user %u is in no group that may use deadlines (AllowGroups)",
			 (unsigned int)job->uid);
		ok = false;
	}
	assoc_mgr_unlock(&locks);
	return ok;
}

/* RootOnly asks who submits, everything else whose job it is. */
static bool root_submits(uint32_t submitter)
{
	return submitter == 0 || submitter == slurm_conf.slurm_user_id;
}

/* As _part_access_check() in slurmctld's job_mgr.c.  RET SLURM_SUCCESS, or its code */
static int part_enters(const struct barrier_job *job, const job_desc_msg_t *desc,
		       uint32_t submitter, part_record_t *part)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	struct account account;
	char *name;
	int rc;

	if (part->flags & PART_FLAG_REQ_RESV && (!desc->reservation || !desc->reservation[0]))
		return ESLURM_ACCESS_DENIED;
	if (part->flags & PART_FLAG_ROOT_ONLY && !root_submits(submitter))
		return ESLURM_ACCESS_DENIED;
	if (part->flags & PART_FLAG_NO_ROOT && !job->uid)
		return ESLURM_USER_ID_MISSING;
	if (!validate_group(part, job->uid))
		return ESLURM_JOB_MISSING_REQUIRED_PARTITION_GROUP;
	/* a question does not come from a node */
	if (desc->alloc_node && !validate_alloc_node(part, desc->alloc_node))
		return ESLURM_ACCESS_DENIED;
	assoc_mgr_lock(&locks);
	account = find_account(job, part->name);
	name = account.assoc ? account.assoc->acct : NULL;
	/* Then Slurm asks when the job could start, and by the name alone. */
	if (!name && !slurm_conf.enforce_part_limits)
		name = (char *)job->account;
	rc = part_policy_valid_acct(part, name, NULL);
	if (rc == SLURM_SUCCESS)
		rc = part_policy_valid_qos(part, account.qos, NULL);
	assoc_mgr_unlock(&locks);
	return rc;
}

bool barrier_enters(const job_desc_msg_t *desc, uint32_t submitter, char *why, size_t why_size)
{
	const struct barrier_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
	};
	char *names = desc->partition && desc->partition[0] ? xstrdup(desc->partition) : NULL;
	char *rest = NULL, *name = names ? strtok_r(names, ",", &rest) : NULL;
	part_record_t *part = names ? NULL : default_part_loc;
	int rc = SLURM_SUCCESS;

	do {
		if (name)
			part = find_part_record(name);
		if (part)
			rc = part_enters(&job, desc, submitter, part);
	} while (rc == SLURM_SUCCESS && name && (name = strtok_r(NULL, ",", &rest)));
	if (rc != SLURM_SUCCESS)
		snprintf(why, why_size, "partition %.60s: %s", part->name, slurm_strerror(rc));
	xfree(names);
	return rc == SLURM_SUCCESS;
}

/* The association that Slurm gives a job that changes its partition.  Under assoc_mgr's locks. */
static char *moved_account(const job_record_t *job, char *part)
{
	slurmdb_assoc_rec_t ask = { .acct = job->account, .partition = part, .uid = job->user_id };
	slurmdb_assoc_rec_t *found = NULL;

	if (assoc_mgr_fill_in_assoc(acct_db_conn, &ask, accounting_enforce, &found, true) !=
	    SLURM_SUCCESS)
		found = NULL;
	return found ? found->acct : NULL;
}

bool barrier_moves(const job_record_t *job, const char *partitions, char *why, size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	char *names = xstrdup(partitions), *rest = NULL;
	part_record_t *part;
	int rc = SLURM_SUCCESS;

	assoc_mgr_lock(&locks);
	for (char *name = strtok_r(names, ",", &rest); rc == SLURM_SUCCESS && name;
	     name = strtok_r(NULL, ",", &rest)) {
		part = find_part_record(name);
		if (!part)
			continue;
		rc = part_policy_valid_acct(part, moved_account(job, part->name), NULL);
		if (rc == SLURM_SUCCESS)
			rc = part_policy_valid_qos(part, job->qos_ptr, NULL);
		if (rc != SLURM_SUCCESS)
			snprintf(why, why_size, "partition %.60s: %s", part->name,
				 slurm_strerror(rc));
	}
	assoc_mgr_unlock(&locks);
	xfree(names);
	return rc == SLURM_SUCCESS;
}
