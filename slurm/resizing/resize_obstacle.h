/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_obstacle.h - what of a job stands against a resize
 */
#ifndef PACT_SLURM_RESIZE_OBSTACLE_H
#define PACT_SLURM_RESIZE_OBSTACLE_H

#include "slurm/base/compat.h"

/*
 * What of a job stands against a resize for as long as it lives, by name: array tasks, het jobs, generic
 * resources, less than whole nodes, partitions that are shared or sliced, ... Of a waiting record, too. Job
 * and partition read locks.
 * RET static; NULL: nothing
 */
const char *resize_obstacle(const job_record_t *job);

#endif /* PACT_SLURM_RESIZE_OBSTACLE_H */
