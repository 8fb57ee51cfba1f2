/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_prolog.h - a job's own prolog on the nodes that it gets while it runs; internal to resize.h
 *
 * Slurm's growth launches none.  Under PrologFlags=Alloc (which Contain includes) slurmd waits for it with the first step:
 * that of 22.05 for a second, and goes on without; that of 24.11 for twice MessageTimeout, calls that a failed prolog,
 * drains the node and has the job requeued.  Without Alloc slurmd runs it with the first step, by itself.
 *
 * All under resize_locks.
 */
#ifndef PACT_SLURM_RESIZE_PROLOG_H
#define PACT_SLURM_RESIZE_PROLOG_H

#include "slurm/base/compat.h"

/*
 * Launch it, with the message that Slurm sends at a job's start: a node where it has run says so at once.  Steps of the
 * job wait until it has ended on the new nodes, as at its start (not under PrologFlags=NoHold).
 * IN added - which of its nodes are new; NULL: not known, and none is waited for
 */
void resize_prolog_launch(job_record_t *job, bitstr_t *added);

/* Is there anything for resize_prolog_tend() to do?  Job read lock.  O(jobs) when any has changed. */
bool resize_prolog_behind(void);

/* A new life as the controller in charge. */
void resize_prolog_begin(void);

/*
 * No job waits for a prolog on nodes that it has lost.  The first call of a life as the controller in charge
 * launches those anew that the controller before it may have died too soon to launch.
 */
void resize_prolog_tend(void);

#endif /* PACT_SLURM_RESIZE_PROLOG_H */
