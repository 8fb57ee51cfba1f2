/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resizings.c - what became of running jobs' nodes, counted
 */
#include "slurm/state/resizings.h"

#include <stdatomic.h>

static struct {
	_Atomic uint64_t times, nodes;
} counts[RESIZINGS];

void resizings_note(enum resizing what, uint32_t nodes)
{
	atomic_fetch_add(&counts[what].times, 1);
	atomic_fetch_add(&counts[what].nodes, nodes);
}

void resizings_read(enum resizing what, uint64_t *times, uint64_t *nodes)
{
	*times = atomic_load(&counts[what].times);
	*nodes = atomic_load(&counts[what].nodes);
}

const char *resizings_name(enum resizing what)
{
	static const char *const names[RESIZINGS] = {
		[RESIZING_GROWN] = "grown",	[RESIZING_CALLED] = "called_in",
		[RESIZING_TAKEN] = "taken",	[RESIZING_SHRUNK] = "shrunk",
		[RESIZING_REFUSED] = "refused", [RESIZING_NOT_NOW] = "not_now",
	};

	return names[what];
}
