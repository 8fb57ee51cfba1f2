/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refused_nodes.h - nodes that look free and that Slurm does not give all the same
 *
 * Slurm's select plugin keeps books of its own, and after a restart they can have a job on a node where none is. Such a node is
 * right again when Slurm has heard of it anew or is told to reconfigure. Until then each growth that is to have it beside others
 * fails: so for a while no job that runs is given it.
 */
#ifndef PACT_SLURM_REFUSED_NODES_H
#define PACT_SLURM_REFUSED_NODES_H

#include "core/base/nodeset.h"
#include "slurm/base/compat.h"

/* Slurm does not give this one, though nothing else was asked for.  Job and node write locks. */
void refused_nodes_add(int node, time_t now);

/*
 * Those that are left out of `set` or put into it, as they were refused within the last minutes. One whose number is another
 * node's by now, as Slurm has read its nodes anew, is none of them: by that it is right again.  Node read lock.
 */
void refused_nodes_leave_out(bitstr_t *set, time_t now);
void refused_nodes_put_in(struct nodeset *set, time_t now);

#endif /* PACT_SLURM_REFUSED_NODES_H */
