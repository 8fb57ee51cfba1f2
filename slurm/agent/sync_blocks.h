/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_blocks.h - what nodes are, and which are lost or reserved, told to the core
 */
#ifndef PACT_SLURM_SYNC_BLOCKS_H
#define PACT_SLURM_SYNC_BLOCKS_H

#include "slurm/agent/sync_job.h"

/* What the nodes of realms have: when the core does not know it yet, and after a change. */
void sync_nodes(struct sync *s);

/* Nodes that cannot be used now: without an end. */
void sync_down(struct sync *s);

/* Reservations that have come, changed or gone. */
void sync_resvs(struct sync *s);

#endif /* PACT_SLURM_SYNC_BLOCKS_H */
