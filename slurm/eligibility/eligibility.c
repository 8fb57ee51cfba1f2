/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eligibility.c - what could stop a promised job that no plan of nodes can see
 */
#include "slurm/eligibility/eligibility.h"

#include <ctype.h>

#include "slurm/base/array.h"
#include "slurm/eligibility/limits.h"
#include "slurm/base/names.h"
#include "slurm/records/request.h"

/* The association and QOS records a job would get.  Under assoc_mgr's locks. */
struct account {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;
};

/* As _job_create() in slurmctld's job_mgr.c.  RET false: Slurm refuses that account */
static bool ask_assoc(const char *name, const char *part, uid_t uid, slurmdb_assoc_rec_t **found)
{
	slurmdb_assoc_rec_t ask = {
		.acct = (char *)name,
		.partition = (char *)part,
		.uid = uid,
	};
	bool takes;

	takes = assoc_mgr_fill_in_assoc(acct_db_conn, &ask, accounting_enforce, found, true) ==
		SLURM_SUCCESS;
	if (!takes)
		*found = NULL;
	/* Where it need not be one that accounting knows, Slurm takes the user's default for it. */
	if (!*found && name && slurm_with_slurmdbd() &&
	    !(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS))
		(void)ask_assoc(NULL, part, uid, found);
	return takes;
}

static slurmdb_assoc_rec_t *find_assoc(const char *name, const char *part, uid_t uid)
{
	slurmdb_assoc_rec_t *found;

	(void)ask_assoc(name, part, uid, &found);
	return found;
}

/*
 * By its name, or (NULL) the association's, the cluster's, or "normal".
 * RET false: Slurm refuses that QOS
 */
static bool ask_qos(slurmdb_assoc_rec_t *assoc, const char *name, slurmdb_qos_rec_t **found)
{
	slurmdb_qos_rec_t ask = { .name = (char *)name };
	bool takes;

	assoc_mgr_get_default_qos_info(assoc, &ask);
	takes = assoc_mgr_fill_in_qos(acct_db_conn, &ask, accounting_enforce, found, true) ==
		SLURM_SUCCESS;
	if (!takes)
		*found = NULL;
	return takes;
}

static slurmdb_qos_rec_t *find_qos(slurmdb_assoc_rec_t *assoc, const char *name)
{
	slurmdb_qos_rec_t *found;

	(void)ask_qos(assoc, name, &found);
	return found;
}

/* Of a job that is changed: what Slurm gives it where it finds anything, else its own. */
static struct account changed_account(const struct eligibility_job *job, const char *part)
{
	struct account found = { job->record->assoc_ptr, job->record->qos_ptr };
	const char *name = job->account ? job->account : job->record->account;
	slurmdb_assoc_rec_t *assoc = NULL;
	slurmdb_qos_rec_t *qos = NULL;

	if (job->account || job->moves)
		assoc = find_assoc(name, part, job->record->user_id);
	if (assoc)
		found.assoc = assoc;
	if (job->qos)
		qos = find_qos(found.assoc, job->qos[0] ? job->qos : NULL);
	if (qos)
		found.qos = qos;
	return found;
}

static struct account find_account(const struct eligibility_job *job, const char *part)
{
	struct account found;

	if (job->record)
		return changed_account(job, part);
	found.assoc = find_assoc(job->account, part, job->uid);
	found.qos = find_qos(found.assoc, job->qos);
	return found;
}

/* Is it one of a NULL-terminated list? */
static bool one_of(char *const *list, const char *name)
{
	while (*list && strcmp(*list, name))
		list++;
	return *list;
}

static bool has_qos(const bitstr_t *set, const slurmdb_qos_rec_t *qos)
{
	return qos->id < bit_size((bitstr_t *)set) && bit_test((bitstr_t *)set, qos->id);
}

/*
 * Would Slurm start a job in this partition, by its AllowAccounts, DenyAccounts, AllowQos and
 * DenyQos?  As part_policy_valid_acct() and part_policy_valid_qos() say when a start is tried,
 * but those write a line into the log each time.  By the association's name: without accounting a
 * job has no account.
 */
static bool part_takes(const part_record_t *part, const struct account *account, char *why,
		       size_t why_size)
{
	char *const *allow = part->allow_account_array, *const *deny = part->deny_account_array;
	const char *name = account->assoc ? account->assoc->acct : NULL;
	const char *key = NULL, *value = NULL, *what = "account";

	if (allow && allow[0]) {
		if (!name || !one_of(allow, name))
			key = "AllowAccounts", value = part->allow_accounts;
	} else if (deny && name && one_of(deny, name)) {
		key = "DenyAccounts", value = part->deny_accounts;
	}
	if (!key) {
		name = account->qos ? account->qos->name : NULL;
		what = "QOS";
		if (part->allow_qos_bitstr) {
			if (!account->qos || !has_qos(part->allow_qos_bitstr, account->qos))
				key = "AllowQos", value = part->allow_qos;
		} else if (part->deny_qos_bitstr && account->qos &&
			   has_qos(part->deny_qos_bitstr, account->qos)) {
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
	if (usage && usage->valid_qos && has_qos(usage->valid_qos, account->qos))
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
	assoc_mgr_lock(&locks);
	for (uint32_t i = 0; !answer && !stops && i < job->what->nalt; i++) {
		const part_record_t *part = find_part_record((char *)job->what->part[i]);
		struct account account = find_account(job, job->what->part[i]);
		struct limits_job limited = {
			.assoc = account.assoc,
			.qos = account.qos,
			.part = part,
			.lifted = job->record ? &job->record->limit_set : NULL,
			.what = job->what,
			.least = job->least,
		};

		if (!part)
			continue;
		parts++;
		if (!part_takes(part, &account, why, why_size)) {
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
	found = find_account(job, job->what->part[0]);
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

void eligibility_account(uid_t uid, const char *part, const char *name, char *out, size_t size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;

	snprintf(out, size, "%s", name ? name : "");
	for (char *at = out; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	assoc_mgr_lock(&locks);
	assoc = find_assoc(out[0] ? out : NULL, part, uid);
	if (assoc && assoc->acct)
		snprintf(out, size, "%s", assoc->acct);
	assoc_mgr_unlock(&locks);
}

static int has_uid(void *user, void *uid)
{
	return ((const slurmdb_user_rec_t *)user)->uid == *(const uid_t *)uid;
}

void eligibility_user(uid_t uid, char out[NAMES_USER])
{
	assoc_mgr_lock_t locks = { .user = READ_LOCK };
	const slurmdb_user_rec_t *user = NULL;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_user_list)
		user = list_find_first(assoc_mgr_user_list, has_uid, &uid);
	names_user(user ? user->name : NULL, uid, out);
	assoc_mgr_unlock(&locks);
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
	account = find_account(job, part->name);
	takes = part_takes(part, &account, why, why_size);
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
	list_t *parts = request_parts(desc->partition);
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

/* Has he an association of its own for this partition?  As _find_part_assoc() in job_mgr.c. */
static int other_assoc(void *part, void *assoc)
{
	const slurmdb_assoc_rec_t *first = assoc;
	const slurmdb_assoc_rec_t *found =
		find_assoc(first->acct, ((const part_record_t *)part)->name, first->uid);

	return !found || found->id != first->id;
}

/* As _job_create() and _determine_and_validate_qos() in slurmctld's job_mgr.c; under assoc_mgr's locks. */
static int find_both(const job_desc_msg_t *desc, list_t *parts, struct account *found)
{
	const part_record_t *first = list_peek(parts);
	bool enforced = accounting_enforce & ACCOUNTING_ENFORCE_QOS;

	if (!ask_assoc(desc->account, first->name, desc->user_id, &found->assoc))
		return ESLURM_INVALID_ACCOUNT;
	if (found->assoc && list_find_first(parts, other_assoc, found->assoc))
		return ESLURM_PARTITION_ASSOC;
	if (!ask_qos(found->assoc, desc->qos, &found->qos))
		return ESLURM_INVALID_QOS;
	if (enforced && found->assoc && found->qos &&
	    (!found->assoc->usage || !found->assoc->usage->valid_qos ||
	     !has_qos(found->assoc->usage->valid_qos, found->qos)))
		return ESLURM_INVALID_QOS;
	if (found->qos && found->qos->flags & QOS_FLAG_REQ_RESV &&
	    (!desc->reservation || !desc->reservation[0]))
		return ESLURM_INVALID_QOS;
	return SLURM_SUCCESS;
}

int eligibility_finds(const job_desc_msg_t *desc, list_t *parts, uint32_t *qos_flags, char *why,
		      size_t why_size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	struct account found = { NULL, NULL };
	const char *name = desc->account;
	char user[NAMES_USER];
	int code;

	assoc_mgr_lock(&locks);
	code = find_both(desc, parts, &found);
	*qos_flags = found.qos ? found.qos->flags : 0;
	assoc_mgr_unlock(&locks);
	if (code == ESLURM_INVALID_QOS)
		name = desc->qos;
	if (!code)
		return code;
	eligibility_user(desc->user_id, user);
	snprintf(why, why_size, "%s %.60s of %s: Slurm refuses that: %s",
		 code == ESLURM_INVALID_QOS ? "QOS" : "account", name ? name : "(the default)",
		 user, slurm_strerror(code));
	return code;
}

/* As _copy_job_desc_to_job_record() in slurmctld's job_mgr.c; under assoc_mgr's locks. */
static bool wckey_known(const job_desc_msg_t *desc)
{
	slurmdb_wckey_rec_t ask = { .uid = desc->user_id, .name = desc->wckey };
	slurmdb_user_rec_t user = { .uid = desc->user_id };

	/* What slurmctld has not read from slurmdbd it would read now: that is not waited for. */
	if (!assoc_mgr_user_list || !assoc_mgr_wckey_list)
		return true;
	if (desc->wckey)
		return !assoc_mgr_fill_in_wckey(acct_db_conn, &ask, accounting_enforce, NULL, true);
	(void)assoc_mgr_fill_in_user(acct_db_conn, &user, accounting_enforce, NULL, true);
	return user.default_wckey;
}

int eligibility_wckey(const job_desc_msg_t *desc, char *why, size_t why_size)
{
	assoc_mgr_lock_t locks = { .user = READ_LOCK, .wckey = READ_LOCK };
	bool known;

	if (!(slurm_conf.conf_flags & CONF_FLAG_WCKEY) ||
	    !(accounting_enforce & ACCOUNTING_ENFORCE_WCKEYS))
		return SLURM_SUCCESS;
	assoc_mgr_lock(&locks);
	known = wckey_known(desc);
	assoc_mgr_unlock(&locks);
	if (known)
		return SLURM_SUCCESS;
	snprintf(why, why_size, "wckey %.60s: Slurm refuses that: %s",
		 desc->wckey ? desc->wckey : "(the default)", slurm_strerror(ESLURM_INVALID_WCKEY));
	return ESLURM_INVALID_WCKEY;
}

/* What Slurm compares with limits then: what the job asks for at least (_job_create). */
static void count_asked(job_desc_msg_t *desc, part_record_t *part)
{
	bool given = desc->pn_min_memory != NO_VAL64;
	uint64_t memory = desc->pn_min_memory, *tres = desc->tres_req_cnt;

	if (!given)
		memory = part->def_mem_per_cpu ? part->def_mem_per_cpu : slurm_conf.def_mem_per_cpu;
	if (memory == MEM_PER_CPU)
		memory = 0;
	tres[TRES_ARRAY_NODE] = desc->min_nodes;
	tres[TRES_ARRAY_CPU] = desc->min_cpus;
	tres[TRES_ARRAY_MEM] =
		job_get_tres_mem(NULL, memory, desc->min_cpus, desc->min_nodes, part, NULL, given,
				 desc->sockets_per_node, desc->num_tasks);
	tres[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(tres, part->billing_weights,
							   slurm_conf.priority_flags, false);
}

/*
 * The records of its account are not freed between the two locks: Slurm waits for the jobs' write
 * lock before it does that. Slurm's check adds the user to the lists of who uses its QOS, if he is not in
 * them yet; these have locks of their own, and Slurm, which holds the jobs' write lock there, waits for us.
 */
static bool limits_take(job_desc_msg_t *desc, struct request *req, uint32_t *reason)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .user = READ_LOCK };
	const struct eligibility_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
	};
	acct_policy_limit_set_t lifted = { 0 };
	struct account account;
	list_t *parts = NULL;
	bool takes = true;

	assoc_mgr_lock(&locks);
	account = find_account(&job, req->first->name);
	assoc_mgr_unlock(&locks);
	/* Without an account it is refused for that. */
	if (!account.assoc)
		return true;
	lifted.tres = xcalloc(slurmctld_tres_cnt, sizeof(*lifted.tres));
	if (req->nparts > 1)
		parts = list_create(NULL);
	for (uint32_t i = 0; parts && i < req->nparts; i++)
		list_append(parts, req->part[i]);
	takes = acct_policy_validate(desc, req->first, parts, account.assoc, account.qos, reason,
				     &lifted, false);
	FREE_NULL_LIST(parts);
	xfree(lifted.tres);
	return takes;
}

bool eligibility_submits(const job_desc_msg_t *desc, char *why, size_t why_size)
{
	uint32_t tasks = desc->array_inx ? array_count(desc->array_inx, DESCRIBE_TASKS) : 0;
	job_desc_msg_t ask = *desc; /* Slurm fills in limits */
	uint32_t reason = WAIT_NO_REASON;
	struct request req;
	bool takes = true;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return true;
	if (request_submission(&req, desc)) {
		ask.min_nodes = req.record_nodes;
		if (req.own_required && (uint32_t)bit_set_count(req.own_required) > ask.min_cpus)
			ask.min_cpus = bit_set_count(req.own_required);
		ask.array_bitmap = tasks ? bit_alloc(tasks) : NULL;
		if (tasks)
			bit_set_all(ask.array_bitmap);
		ask.tres_req_cnt = xcalloc(slurmctld_tres_cnt, sizeof(*ask.tres_req_cnt));
		count_asked(&ask, req.first);
		takes = limits_take(&ask, &req, &reason);
		FREE_NULL_BITMAP(ask.array_bitmap);
		xfree(ask.tres_req_cnt);
	}
	request_release(&req);
	if (!takes)
		snprintf(why, why_size,
			 "Slurm would not take it by a limit of its account or QOS: %s",
			 job_state_reason_string(reason));
	return takes;
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
		account = find_account(job, part->name);
		takes = part_takes(part, &account, why, why_size);
	}
	assoc_mgr_unlock(&locks);
	return takes;
}
