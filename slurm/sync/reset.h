/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reset.h - a core is begun anew
 */
#ifndef PACT_SLURM_RESET_H
#define PACT_SLURM_RESET_H

#include "slurm/state/bridge.h"

/*
 * An empty core for a machine, without tracks and blocks.  Unconfirmed submissions lose their
 * places and stay for one more snapshot, which may show their records: nothing
 * is promised before (sync_apply).  RET false: no memory
 * or a configuration the core does not take (logged).
 */
bool reset_core(struct bridge *b, uint32_t nodes, uint64_t names);

#endif /* PACT_SLURM_RESET_H */
