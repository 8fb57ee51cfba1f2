/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stand_in.c - Slurm's own scheduler in our place
 *
 * Of Slurm only what loads plugins is used here, and a time stamp: these have no structures.
 */
#include "slurm/base/compat.h"

#include <stdatomic.h>

#include "slurm/agent/stand_in.h"

#define SCHEDULER "sched/backfill"

/* Seconds within which its thread has surely begun. */
#define BEGUN 5

static plugin_handle_t plugin = PLUGIN_INVALID_HANDLE;
static int (*reconfigure)(void);
static _Atomic bool tried, started;

bool stand_in_start(const char *type)
{
	static const char *names[] = { "sched_p_reconfig" };
	void *found[] = { NULL };

	if (atomic_exchange(&tried, true))
		return started;
	plugin = plugin_load_and_link(SCHEDULER, 1, names, found);
	if (plugin == PLUGIN_INVALID_HANDLE) {
		error("%s: Slurm's %s cannot be loaded either: no job is started", type, SCHEDULER);
		return false;
	}
	memcpy(&reconfigure, &found[0], sizeof(reconfigure));
	started = true;
	/* It looks at the queue when something changes after that, and jobs may be waiting already. */
	last_job_update = time(NULL) + BEGUN;
	info("%s: Slurm's %s starts the jobs instead", type, SCHEDULER);
	return true;
}

void stand_in_stop(void)
{
	if (atomic_exchange(&started, false))
		plugin_unload(plugin);
	tried = false;
}

void stand_in_reconfigure(void)
{
	if (started && reconfigure)
		reconfigure();
}
