/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.h - the first seconds of a controller in charge
 *
 * Until the nodes have registered, jobs from before are not started, since a node may run one still,
 * and what Slurm says against a start does not count.  One thread's own.
 */
#ifndef PACT_SLURM_LIFE_H
#define PACT_SLURM_LIFE_H

#include "core/base/nodeset.h"
#include "slurm/base/compat.h"

/* This slurmctld is in charge from now on. */
void life_begin(void);

/* Are they over?  RET false: the start that it was asked for is put off.  Node read lock. */
bool life_settled(void);

/* Have all nodes registered that may be alive, or had a minute for it?  Node read lock. */
bool life_registered(void);

/*
 * The nodes that answer again, or whose slurmd was started anew, since the call before in this life: what they were told
 * meanwhile may be lost.  Node read lock.
 * RET the caller's; NULL: there is none, or memory is short
 */
struct nodeset *life_returned(void);

/* May a node still run this waiting job, so that its start is put off?  Job and node read locks. */
bool life_may_run(const job_record_t *job);

/* Was a start put off, in a second before this one?  Says so once.  No lock needed. */
bool life_put_off(void);

#endif /* PACT_SLURM_LIFE_H */
