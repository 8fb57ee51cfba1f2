/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_nodes.h - nodes of a job in Slurm's tables: what it has of them, and how they are told of it */
#ifndef PACT_SLURM_JOB_NODES_H
#define PACT_SLURM_JOB_NODES_H

#include "slurm/base/compat.h"

/*
 * Has a job that has nodes less than all of their processors, and left the others to other jobs?  Select plugins count
 * nodes as a whole, or in parts.  Job and node read locks.
 */
bool job_nodes_partly(const job_record_t *job);

/*
 * A message to these nodes, in the words of the oldest slurmd among them.  Node read lock.
 * RET the caller's, for job_nodes_tell()
 */
agent_arg_t *job_nodes_message(slurm_msg_type_t type, const bitstr_t *nodes);

/* Send it, with what it says; both are slurmctld's then. */
void job_nodes_tell(agent_arg_t *message, void *what);

#endif /* PACT_SLURM_JOB_NODES_H */
