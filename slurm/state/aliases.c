/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aliases.c - see aliases.h */
#include "slurm/base/compat.h"

#include "slurm/state/aliases.h"
#include "slurm/state/bridge.h"

/* The next number is this uid's.  RET 0: no memory */
static int64_t add(struct bridge *b, uint32_t uid)
{
	uint32_t *more = realloc(b->alias, (b->naliases + 1) * sizeof(*more));
	int64_t number = (int64_t)b->naliases + 1;

	if (!more)
		return 0;
	b->alias = more;
	if (table_insert(b->by_uid, uid, (void *)(intptr_t)number))
		return 0;
	b->alias[b->naliases++] = uid;
	return number;
}

int64_t alias_of(struct bridge *b, uint32_t uid)
{
	void *found;

	if (!b->by_uid && !(b->by_uid = table_create()))
		return 0;
	found = table_find(b->by_uid, uid);
	if (found)
		return (int64_t)(intptr_t)found;
	return b->naliases < ALIASES_MOST ? add(b, uid) : 0;
}

int64_t alias_in_realm(struct bridge *b, uint32_t uid)
{
	return b->realms.n ? alias_of(b, uid) : 0;
}

uint32_t alias_uid(const struct bridge *b, int64_t number)
{
	return number >= 1 && number <= (int64_t)b->naliases ? b->alias[number - 1] : NO_VAL;
}
