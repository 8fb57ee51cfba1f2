/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.c - what of the plan a user may see: what Slurm would show him
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/base/names.h"

/* Does it matter whether the user may use this partition? */
static bool matters(const struct access *a, const struct access_about *about, const char *part)
{
	bool found = !about;

	/* One partition that the user may not see is enough to hide what is not there. */
	if (about && about->absent && !a->some_parts && !a->jobs_private)
		return true;
	for (uint32_t i = 0; about && i < about->nparts && !found; i++)
		found = names_have(about->part[i], part, strncmp);
	return found;
}

static bool keep_part(struct access *a, size_t *n, part_record_t *part)
{
	if (!validate_group(part, a->uid)) {
		a->some_parts = true;
		return true;
	}
	a->parts[*n] = strdup(part->name);
	return a->parts[*n] && ++*n;
}

/* With the read lock of partitions. */
static bool take_parts(struct access *a, const struct access_about *about)
{
	list_itr_t *iter;
	part_record_t *part;
	bool ok = true;
	size_t n = 0;

	a->parts = calloc((size_t)list_count(part_list) + 1, sizeof(*a->parts));
	if (!a->parts)
		return false;
	iter = list_iterator_create(part_list);
	while ((part = list_next(iter)))
		a->some_parts |= part->flags & PART_FLAG_HIDDEN;
	list_iterator_reset(iter);
	while (ok && (part = list_next(iter)))
		if (!(part->flags & PART_FLAG_HIDDEN) && matters(a, about, part->name))
			ok = keep_part(a, &n, part);
	list_iterator_destroy(iter);
	return ok;
}

bool access_read(struct access *a, uid_t uid, const struct access_about *about)
{
	memset(a, 0, sizeof(*a));
	a->uid = uid;
	a->all = validate_operator(uid);
	a->jobs_private = slurm_conf.private_data & PRIVATE_DATA_JOBS;
	a->nodes_private = !a->all && slurm_conf.private_data & PRIVATE_DATA_NODES;
	a->resvs_private = !a->all && slurm_conf.private_data & PRIVATE_DATA_RESERVATIONS;
	a->labels = slurm_mcs_get_privatedata() == 1;
	return a->all || take_parts(a, about);
}

bool access_open(struct access *a, uid_t uid)
{
	slurmctld_lock_t read = { READ_LOCK, NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK };
	bool ok;

	lock_slurmctld(read);
	ok = access_read(a, uid, NULL);
	unlock_slurmctld(read);
	return ok;
}

char **access_part_names(void)
{
	slurmctld_lock_t read = { NO_LOCK, NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK };
	const part_record_t *part;
	list_itr_t *iter;
	char **names;
	size_t n = 0;

	lock_slurmctld(read);
	names = calloc((size_t)list_count(part_list) + 1, sizeof(*names));
	iter = list_iterator_create(part_list);
	while (names && (part = list_next(iter)))
		if (!(part->flags & PART_FLAG_HIDDEN) && (names[n] = strdup(part->name)))
			n++;
	list_iterator_destroy(iter);
	unlock_slurmctld(read);
	return names;
}

void access_names_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

void access_close(struct access *a)
{
	access_names_free(a->parts);
	a->parts = NULL;
}

/* Is one of the partitions in a comma list among those that the user may see? */
static bool sees_part(const struct access *a, const char *names)
{
	bool sees = false;

	for (size_t i = 0; a->parts[i] && !sees; i++)
		sees = names_have(names, a->parts[i], strncmp);
	return sees;
}

bool access_owned(const struct access *a, uint32_t uid, const char *account)
{
	if (a->all || a->uid == uid || !a->jobs_private)
		return true;
	return !a->labels && account && account[0] &&
	       assoc_mgr_is_user_acct_coord(acct_db_conn, a->uid, (char *)account, false);
}

bool access_job(const struct access *a, const struct snap_job *job)
{
	if (a->all || a->uid == job->uid)
		return true;
	return sees_part(a, job->partition) && access_owned(a, job->uid, job->account);
}

bool access_record(const struct access *a, const job_record_t *job)
{
	struct snap_job same = {
		.uid = job->user_id,
		.account = job->account,
		.partition = job->partition,
	};

	return access_job(a, &same);
}

bool access_hides_jobs(const struct access *a)
{
	return !a->all && (a->jobs_private || a->some_parts);
}

bool access_hides_part(const struct access *a, const char *names)
{
	char *copy = names ? strdup(names) : NULL, *rest = NULL;
	bool hides = false;

	for (char *at = copy ? strtok_r(copy, ",", &rest) : NULL; at && !a->all && !hides;
	     at = strtok_r(NULL, ",", &rest)) {
		const part_record_t *part = find_part_record(at);

		hides = part && part->flags & PART_FLAG_HIDDEN;
	}
	free(copy);
	return hides;
}
