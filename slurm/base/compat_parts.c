/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_parts.c - get_part_list() of older releases, in its newest form: the first partition is told
 * apart, the list is sorted, and there is none of a single partition
 */
#include "slurm/base/compat.h"

#ifdef get_part_list
#undef get_part_list

static int by_tier(void *a, void *b)
{
	const part_record_t *x = *(part_record_t **)a, *y = *(part_record_t **)b;

	return (x->priority_tier < y->priority_tier) - (x->priority_tier > y->priority_tier);
}

void compat_get_part_list(char *names, list_t **parts, part_record_t **first, char **unknown)
{
	*parts = get_part_list(names, unknown);
	*first = *parts ? list_peek(*parts) : NULL;
	if (!*parts)
		return;
	list_sort(*parts, by_tier);
	if (list_count(*parts) == 1)
		FREE_NULL_LIST(*parts);
}

#endif
