/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configure.h - what pact.conf and slurm.conf say, brought to where it counts
 */
#ifndef PACT_SLURM_CONFIGURE_H
#define PACT_SLURM_CONFIGURE_H

#include "slurm/config/safety.h"
#include "slurm/state/bridge.h"

/* Whether promises can be made from now on.  No lock held. */
void configure_safety(struct bridge *b, const struct safety *safety);

/*
 * Read pact.conf, and configure_safety().  No lock held: slurm_conf is not read, its
 * texts change under the configuration lock.  RET false: the old one stays.
 */
bool configure_read(struct bridge *b, const struct safety *safety);

#endif /* PACT_SLURM_CONFIGURE_H */
