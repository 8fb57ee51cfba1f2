/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeps_nodes.h - which jobs have nodes, by their records */
#ifndef PACT_SLURM_KEEPS_NODES_H
#define PACT_SLURM_KEEPS_NODES_H

#include "slurm/base/compat.h"

/*
 * May its jobs take turns, or have taken them?  A record that is older than a switch does not show that its job was stopped,
 * nor pact.conf that there were turns.  NULL: they may not.  Configuration read lock.
 */
bool part_may_turn(const part_record_t *part);

/* Has the job nodes, or may it go on on those that it had?  Configuration and job read locks. */
bool job_keeps_nodes(const job_record_t *job);

#endif /* PACT_SLURM_KEEPS_NODES_H */
