/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_books.h - Slurm's own counters after a resize, by Pact or by hand
 *
 * Faults of Slurm: a node that a job leaves while it runs is still counted as one job's alone (no_share_job_cnt), and the next
 * job but one does not get it; and a job that is resized waits for a number in slurmdbd's database, without which it cannot be
 * changed (db_index, 22.05): for ever without slurmdbd, or if that was away just then.
 */
#ifndef PACT_SLURM_RESIZE_BOOKS_H
#define PACT_SLURM_RESIZE_BOOKS_H

#include "slurm/base/compat.h"

/*
 * After a resize of our own, whose job has whole nodes and no other job on them: mend what is counted for
 * the nodes that it has got or left. resize_locks; O(nodes), whatever else runs or waits.
 * IN nodes - the job's own now, or not any more
 */
void resize_books_resized(job_record_t *job, bitstr_t *nodes);

/*
 * If a job was resized since the last call - by us, by scontrol, or as it lost a node - count anew, and
 * mend. resize_locks; O(jobs), and with a resize O(jobs x nodes / 64). To be called in each pass, in which
 * nodes that were given back become free, too.
 */
void resize_books_heal(void);

/*
 * Whatever was resized: count anew, and let a node that is idle and no job's alone be had by any. resize_locks; O(jobs x nodes
 * / 64).
 */
void resize_books_recount(void);

/* Was one, since? Job read lock. O(jobs) when any has changed. */
bool resize_books_behind(void);

/*
 * slurmdbd has given it no number since its last resize, as it is away: what is changed until then is changed without (22.05).
 * Slurm asks for one once; resize_books_heal() makes it ask until it has one. Job read lock.
 */
bool resize_books_unnumbered(const job_record_t *job);

#endif /* PACT_SLURM_RESIZE_BOOKS_H */
