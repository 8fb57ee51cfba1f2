/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_batch.h - where the batch script of a job that was resized runs; internal to resize.h
 *
 * Slurm takes the first of a job's nodes for the one of its batch script.  A growth may put others before it.  Then a
 * restarted slurmctld has another node as the batch host: the script's end is not believed, and when that node
 * registers without the script, the job is taken for lost and ended; as it is, without a restart, when the true one
 * registers, for it is the first node's registration that counts as the script's sign of life.
 */
#ifndef PACT_SLURM_RESIZE_BATCH_H
#define PACT_SLURM_RESIZE_BATCH_H

#include <stdbool.h>

/* Is there a running batch job that was resized?  Job read lock.  O(jobs). */
bool resize_batch_any(void);

/*
 * Each of these has the node of its script as batch host, by its batch step, and a sign of life of now if that is
 * not its first node.  It is to be called at once in a new controller, and every few seconds.  Job write lock.  O(jobs).
 */
void resize_batch_keep(void);

#endif /* PACT_SLURM_RESIZE_BATCH_H */
