/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - the association, QOS and wckey that Slurm gives a job
 */
#include "slurm/base/compat.h"

#include <ctype.h>

#include "slurm/eligibility/account.h"
#include "slurm/base/names.h"
#include "slurm/eligibility/eligibility.h"

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

struct account account_find(const struct eligibility_job *job, const char *part)
{
	struct account found;

	if (job->record)
		return changed_account(job, part);
	found.assoc = find_assoc(job->account, part, job->uid);
	found.qos = find_qos(found.assoc, job->qos);
	return found;
}

bool account_has_qos(const bitstr_t *set, const slurmdb_qos_rec_t *qos)
{
	return qos->id < bit_size((bitstr_t *)set) && bit_test((bitstr_t *)set, qos->id);
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

/* Has the user an association for this partition alone?  As _find_part_assoc() in job_mgr.c. */
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
	/* Of several, Slurm looks at each; they are refused by eligibility_obstacle(). */
	if (names_several_qos(desc->qos))
		return SLURM_SUCCESS;
	if (!ask_qos(found->assoc, desc->qos, &found->qos))
		return ESLURM_INVALID_QOS;
	if (enforced && found->assoc && found->qos &&
	    (!found->assoc->usage || !found->assoc->usage->valid_qos ||
	     !account_has_qos(found->assoc->usage->valid_qos, found->qos)))
		return ESLURM_INVALID_QOS;
	if (found->qos && found->qos->flags & QOS_FLAG_RELATIVE &&
	    found->qos->flags & QOS_FLAG_PART_QOS)
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
	if (code == ESLURM_INVALID_ACCOUNT && !name)
		snprintf(why, why_size, "%s has no default account: Slurm refuses that: %s", user,
			 slurm_strerror(code));
	else
		snprintf(why, why_size, "%s %.60s of %s: Slurm refuses that: %s",
			 code == ESLURM_INVALID_QOS ? "QOS" : "account",
			 name ? name : "(the default)", user, slurm_strerror(code));
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
