/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eligibility.c - what could stop a promised job that no plan of nodes can see
 */
#include <ctype.h>

#include "slurm/eligibility/eligibility.h"
#include "slurm/base/names.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/limits.h"
#include "slurm/eligibility/partition.h"

/*
 * May its account use its QOS?  Slurm asks that of a submission and of a change of the QOS by
 * itself; but not again of one whose account changes, or is denied the QOS later: that one never
 * starts.
 */
static bool qos_valid(const struct eligibility_job *job, const struct account *account, char *why,
		      size_t why_size)
{
	const slurmdb_assoc_usage_t *usage = account->assoc ? account->assoc->usage : NULL;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_QOS) || !job->record || job->qos ||
	    job->record->limit_set.qos || !account->assoc || !account->qos)
		return true;
	if (usage && usage->valid_qos && account_has_qos(usage->valid_qos, account->qos))
		return true;
	snprintf(why, why_size, "QOS %.60s is not one of account %.60s's", account->qos->name,
		 account->assoc->acct);
	return false;
}

/* Could a job in this partition be preempted by one in another? */
static bool tier_preempts(const part_record_t *part)
{
	list_itr_t *iter;
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
	list_itr_t *iter;
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

/* An array that may not run as a whole, or is too large for one promise. */
static bool array_waits(const job_record_t *job, char *why, size_t why_size)
{
	const job_record_t *head = job->array_recs     ? job
				   : job->array_job_id ? find_job_record(job->array_job_id)
						       : NULL;

	if (!head || !head->array_recs)
		return false;
	if (head->array_recs->max_run_tasks) {
		snprintf(why, why_size, "a limit on running array tasks (ArrayTaskThrottle=%u)",
			 head->array_recs->max_run_tasks);
		return true;
	}
	if (!job->array_recs || job->array_recs->task_cnt <= DESCRIBE_TASKS)
		return false;
	snprintf(why, why_size, "this array of %u tasks (at most %d)", job->array_recs->task_cnt,
		 DESCRIBE_TASKS);
	return true;
}

/*
 * Slurm takes the first of several QOS under which the job may start: which, and so its limits, is known only
 * then.
 */
static bool several_qos(const struct eligibility_job *job, char *why, size_t why_size)
{
	if (job->qos ? !names_several_qos(job->qos) : !job->record || !job_qos_list(job->record))
		return false;
	snprintf(why, why_size, "several QOS%s%.60s%s; name one of them",
		 job->qos ? " (--qos=" : "", job->qos ? job->qos : "", job->qos ? ")" : "");
	return true;
}

enum obstacle eligibility_obstacle(const struct eligibility_job *job, int64_t *longest, char *why,
				   size_t why_size)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK, .user = READ_LOCK
	};
	enum limits_answer answer = LIMITS_NONE;
	uint32_t parts = 0, closed = 0;
	bool stops = false;

	*longest = PACT_FOREVER;
	if (several_qos(job, why, why_size))
		return OBSTACLE_WAITS;
	assoc_mgr_lock(&locks);
	for (uint32_t i = 0; !answer && !stops && i < job->what->nalt; i++) {
		const part_record_t *part = find_part_record((char *)job->what->part[i]);
		struct account account = account_find(job, job->what->part[i]);
		struct limits_job limited = limits_job_in(job, &account, part);

		if (!part)
			continue;
		parts++;
		if (!partition_takes(part, &account, why, why_size)) {
			closed++;
			continue;
		}
		if (!qos_valid(job, &account, why, why_size))
			answer = LIMITS_OVER;
		else
			answer = limits_check(&limited, longest, why, why_size);
		stops = !answer && preemption_stands(&account, part, why, why_size);
	}
	assoc_mgr_unlock(&locks);
	/* It may wait for ever for the others, but never runs where none takes it. */
	if (!answer && !stops && closed)
		answer = closed < parts ? LIMITS_SHARED : LIMITS_OVER;
	if (answer == LIMITS_OVER)
		return OBSTACLE_OVER;
	if (answer || stops || (job->record && array_waits(job->record, why, why_size)))
		return OBSTACLE_WAITS;
	return OBSTACLE_NONE;
}

bool eligibility_record(struct regions *regions, const job_record_t *job)
{
	struct description what;
	struct eligibility_job who = { .uid = job->user_id, .record = job, .what = &what };
	char why[256];
	int64_t longest;

	if (!describe_record(regions, job, &what))
		return true;
	who.least = what.least;
	return eligibility_obstacle(&who, &longest, why, sizeof(why)) != OBSTACLE_NONE;
}

static bool group_allows(const struct conf *conf, uid_t uid)
{
	for (const uid_t *at = conf->allow_uids; at && *at; at++)
		if (*at == uid)
			return true;
	return !conf->allow_groups;
}

bool eligibility_allows(const struct conf *conf, const struct eligibility_job *job, char *why,
			size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const char *account = job->account;
	const char *qos = job->qos && job->qos[0] ? job->qos : NULL;
	struct account found;
	bool ok = true;

	if (job->uid == 0 || job->uid == slurm_conf.slurm_user_id)
		return true;
	if (!account && job->record)
		account = job->record->account;
	assoc_mgr_lock(&locks);
	found = account_find(job, job->what->part[0]);
	if (!account && found.assoc)
		account = found.assoc->acct;
	if (!qos && found.qos)
		qos = found.qos->name;
	if (conf->allow_accounts && !names_have(conf->allow_accounts, account, strncasecmp)) {
		snprintf(why, why_size, "account %s may not use deadlines (AllowAccounts)",
			 account ? account : "(none)");
		ok = false;
	} else if (conf->allow_qos && !names_have(conf->allow_qos, qos, strncasecmp)) {
		snprintf(why, why_size, "QOS %s may not use deadlines (AllowQOS)",
			 qos ? qos : "(none)");
		ok = false;
	} else if (!group_allows(conf, job->uid)) {
		/* A name would have to be looked up, which may take its time, with locks. */
		snprintf(why, why_size,
			 "its user is in no group that may use deadlines (AllowGroups=%.60s)",
			 conf->allow_groups);
		ok = false;
	}
	assoc_mgr_unlock(&locks);
	return ok;
}
