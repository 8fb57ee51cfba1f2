/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_books.h - Slurm's own counters after a resize, by Pact or by hand
 *
 * Faults of Slurm: a node that a job leaves while it runs is still counted as one job's alone (no_share_job_cnt), and the next
 * job but one does not get it; and before 24.11 a job is numbered anew in slurmdbd when it is resized (db_index). Without
 * slurmdbd, or if that is away just then, the job waits for ever for that number, and cannot be changed; and when it is resized
 * once more the row that has no number is not ended.
 */
#ifndef PACT_SLURM_RESIZE_BOOKS_H
#define PACT_SLURM_RESIZE_BOOKS_H

#include "slurm/base/compat.h"

/*
 * Before a resize of our own: a row of the job that slurmdbd has given no number is ended. It is sent to slurmdbd when that is there.
 * Job write lock.
 */
void resize_books_begin(job_record_t *job);

/*
 * Before a running job leaves nodes: Slurm takes all of a node's processors out of its counts, and select/cons_tres has counted in
 * those alone that are for jobs (CoreSpecCount, CpuSpecList). resize_locks.
 * IN nodes - its own
 */
void resize_books_leaves(job_record_t *job, bitstr_t *nodes);

/* Is slurmdbd away, and a resize would wait for it in vain (before 24.11)?  At once. */
bool resize_books_away(void);

/*
 * After a resize of our own, whose job has whole nodes and no other job on them: mend what is counted for
 * the nodes that it has got or left. resize_locks; O(nodes), whatever else runs or waits.
 * IN nodes - the job's own now, or not any more
 */
void resize_books_resized(job_record_t *job, bitstr_t *nodes);

/*
 * If a job was resized since the last call - by us, by scontrol, or as it lost a node - count anew, and
 * mend; if slurmdbd owes numbers ask for them now and then, when it is there. resize_locks; O(jobs), and with a resize
 * O(jobs x nodes / 64). To be called in each pass, in which nodes that were given back become free, too.
 */
void resize_books_heal(void);

/*
 * Whatever was resized: count anew, and let a node that is idle and no job's alone be had by any. resize_locks; O(jobs x nodes
 * / 64).
 */
void resize_books_recount(void);

/* Was one, since? Job read lock. O(jobs) when any has changed. */
bool resize_books_behind(void);

#endif /* PACT_SLURM_RESIZE_BOOKS_H */
