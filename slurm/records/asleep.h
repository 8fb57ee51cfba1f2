/* SPDX-License-Identifier: GPL-2.0-or-later */
/* asleep.h - has power saving put a node to sleep, or is it on its way there or back? */
#ifndef PACT_SLURM_ASLEEP_H
#define PACT_SLURM_ASLEEP_H

#include "slurm/base/compat.h"

/* A job that starts wakes it; to one that runs it is of no use before it is up. Node read lock. */
static inline bool node_is_asleep(const node_record_t *node)
{
	return IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node) ||
	       IS_NODE_POWERING_UP(node);
}

#endif /* PACT_SLURM_ASLEEP_H */
