/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.h - the partitions that a submission or change names */
#ifndef PACT_SLURM_PARTS_H
#define PACT_SLURM_PARTS_H

#include "slurm/base/compat.h"

/*
 * The partitions of a comma list (none: the default one), as Slurm takes them for a submission or
 * change: each once, and its Alternate for one that takes no jobs.
 * RET the caller's; NULL: one does not exist, or there is none
 * It reads slurmctld's records: a read lock on partitions.
 */
list_t *parts_named(const char *names);

#endif /* PACT_SLURM_PARTS_H */
