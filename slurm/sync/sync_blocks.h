/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_blocks.h - nodes that are lost or reserved, told to the core
 */
#ifndef PACT_SLURM_SYNC_BLOCKS_H
#define PACT_SLURM_SYNC_BLOCKS_H

#include "slurm/sync/sync_job.h"

/* Nodes that cannot be used now: without an end. */
void sync_down(struct sync *s);

/* Reservations that have come, changed or gone. */
void sync_resvs(struct sync *s);

#endif /* PACT_SLURM_SYNC_BLOCKS_H */
