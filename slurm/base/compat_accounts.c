/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_accounts.c - which accounts a partition takes, by release
 */
#include "slurm/base/compat.h"

/* 23.02: associations, not names; an account's stand for all below it, and count only where they are enforced. */
#if SLURM_FROM(23, 2)
static bool among(list_t *accounts, const slurmdb_assoc_rec_t *assoc)
{
	list_itr_t *iter = list_iterator_create(accounts);
	const slurmdb_assoc_rec_t *one, *above;
	bool found = false;

	while (!found && (one = list_next(iter))) {
		for (above = assoc; above && above != one;)
			above = above->usage->parent_assoc_ptr;
		found = above;
	}
	list_iterator_destroy(iter);
	return found;
}

const char *part_refuses_account(const part_record_t *part, const slurmdb_assoc_rec_t *assoc,
				 const char **value)
{
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS))
		return NULL;
	if (part->allow_accts_list) {
		*value = part->allow_accounts;
		return among(part->allow_accts_list, assoc) ? NULL : "AllowAccounts";
	}
	*value = part->deny_accounts;
	return part->deny_accts_list && among(part->deny_accts_list, assoc) ? "DenyAccounts" : NULL;
}
#else
static bool among(char *const *names, const slurmdb_assoc_rec_t *assoc)
{
	while (*names && (!assoc || xstrcmp(*names, assoc->acct)))
		names++;
	return *names;
}

const char *part_refuses_account(const part_record_t *part, const slurmdb_assoc_rec_t *assoc,
				 const char **value)
{
	char *const *allow = part->allow_account_array, *const *deny = part->deny_account_array;

	if (allow && allow[0]) {
		*value = part->allow_accounts;
		return among(allow, assoc) ? NULL : "AllowAccounts";
	}
	*value = part->deny_accounts;
	return deny && among(deny, assoc) ? "DenyAccounts" : NULL;
}
#endif
