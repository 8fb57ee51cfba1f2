/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_cut.c - which records are of jobs that were ended before they were done */
#include "slurm/base/compat.h"

#include "slurm/snapshot/snapshot_own.h"

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void snapshot_sort_cut(struct snapshot *snap)
{
	qsort(snap->cut, snap->ncut, sizeof(*snap->cut), by_number);
}

bool snapshot_was_cut(const struct snapshot *snap, uint32_t job_id)
{
	return snap->ncut && bsearch(&job_id, snap->cut, snap->ncut, sizeof(*snap->cut), by_number);
}
