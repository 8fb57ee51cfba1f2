/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * safety.h - is this slurm.conf one under which promises can be kept?
 *
 * At start-up an unsafe one stops the plugin with one line that names the key
 * to set.  After a reconfiguration nothing can be stopped any more: then no
 * promise is made until the key is right again.
 */
#ifndef PACT_SLURM_SAFETY_H
#define PACT_SLURM_SAFETY_H

#include <stdbool.h>
#include <stddef.h>

#include "slurm/config/conf.h"
#include "slurm/base/listener.h"

/*
 * Whether the main scheduler is silent, so that nothing starts beside the plan.
 * It reads slurm_conf: its read lock, or a plugin's init().
 * OUT err - the line for the log, naming the key
 */
bool safety_scheduler(char *err, size_t err_size);

/* The same, and what else of slurm.conf a promise needs. */
bool safety_promises(char *err, size_t err_size);

/* What a promise needs of slurm.conf and the partitions, and what these cost. */
struct safety {
	bool named; /* JobSubmitPlugins has deadline: promises are wanted */
	bool safe;
	char unsafe[256];	       /* else why not */
	bool resizing;		       /* running jobs can be given nodes, and these be taken */
	char rigid[160];	       /* else why not */
	char munge[LISTENER_PATH_MAX]; /* munged's socket; "": the usual one */
	char state_dir[1024];	       /* StateSaveLocation; "": too long */
	struct conf_site site;
};

#define SAFETY_SWITCHED_OFF \
	"scheduling is switched off in this slurmctld: a backup controller under " \
	"SchedulerParameters=no_backup_scheduling, or by its federation"

/*
 * Does Slurm let this controller schedule?  Not a backup under no_backup_scheduling, nor one
 * whose federation says so, which changes at any time.  Any lock may be held.
 */
bool safety_scheduling(void);

/*
 * It reads slurm_conf, part_list and the number of nodes: their read locks, or a plugin's init().  A backup controller under
 * no_backup_scheduling is not safe: it loads the plugins, and starts nothing.
 */
void safety_look(struct safety *out);

#endif /* PACT_SLURM_SAFETY_H */
