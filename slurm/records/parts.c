/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.c - the partitions that a submission or change names */
#include "slurm/records/parts.h"

/* Where Slurm sends a job for a partition that takes none now (_alt_part_test); NULL: nowhere. */
static part_record_t *taking(part_record_t *part)
{
	int left = list_count(part_list); /* alternates may go in a circle */

	while (part && !(part->state_up & PARTITION_SUBMIT))
		part = part->alternate && left-- > 0 ? find_part_record(part->alternate) : NULL;
	return part;
}

/* The partitions of these names, or the default one: that named first, then the others. NULL: none */
static list_t *as_named(const char *names)
{
	part_record_t *first = default_part_loc, *part;
	list_t *sorted = NULL, *named;
	list_itr_t *iter;

	if (names && names[0])
		get_part_list((char *)names, &sorted, &first, NULL);
	if (!first)
		return NULL;
	named = list_create(NULL);
	list_append(named, first);
	if (!sorted)
		return named;
	iter = list_iterator_create(sorted);
	while ((part = list_next(iter)))
		if (part != first)
			list_append(named, part);
	list_iterator_destroy(iter);
	FREE_NULL_LIST(sorted);
	return named;
}

static bool pass_on(list_t *parts)
{
	list_itr_t *iter = list_iterator_create(parts);
	part_record_t *part;
	bool some = false;

	while (!some && (part = list_next(iter)))
		some = taking(part) != part;
	list_iterator_destroy(iter);
	return some;
}

static int by_tier(void *a, void *b)
{
	const part_record_t *x = *(part_record_t **)a, *y = *(part_record_t **)b;

	return (x->priority_tier < y->priority_tier) - (x->priority_tier > y->priority_tier);
}

/* As _get_job_parts() in slurmctld's job_mgr.c. */
list_t *parts_named(const char *names)
{
	list_t *named = as_named(names), *parts;
	list_itr_t *iter;
	part_record_t *part;

	if (!named)
		return NULL;
	if (ALTERNATES_BY_TIER && pass_on(named))
		list_sort(named, by_tier);
	parts = list_create(NULL);
	iter = list_iterator_create(named);
	while ((part = list_next(iter)))
		if ((part = taking(part)))
			list_append(parts, part);
	list_iterator_destroy(iter);
	if (list_is_empty(parts)) {
		FREE_NULL_LIST(parts);
		return named; /* Slurm refuses it */
	}
	FREE_NULL_LIST(named);
	return parts;
}
