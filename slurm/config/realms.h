/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * realms.h - the partitions whose jobs share nodes, for the code that describes jobs
 *
 * A job is described under slurmctld's locks and without the bridge's mutex, where
 * its conf may not be read.  These are the names of the realms in force, with a
 * mutex of their own that is held for a look only.
 */
#ifndef PACT_SLURM_REALMS_H
#define PACT_SLURM_REALMS_H

#include <stdbool.h>
#include <stddef.h>

#include "slurm/config/partitions.h"

/* From now on it is these; where memory is short those of before stay. */
void realms_use(const struct own_scheduler *own, size_t n);

/* Are there any? */
bool realms_any(void);

/* Do jobs of that partition share its nodes by their deadlines? */
bool realms_share(const char *partition);

/* Do they have its nodes in the order of their deadlines, and nothing promised? */
bool realms_order(const char *partition);

/* Do its jobs take turns on their nodes? */
bool realms_slice(const char *partition);

#endif /* PACT_SLURM_REALMS_H */
