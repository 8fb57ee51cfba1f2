/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - a promise is over, or is made again: the books are told, once
 *
 * The books are the counters (tally.h), the ledger, the history, the log and
 * the job's own AdminComment; they say the same.  What became of a promise is
 * judged by the record of its job, whether or not this slurmctld has seen it
 * run: the token says "ended=..." as soon as it is counted, so that neither the
 * next pass nor, after a restart, the next slurmctld counts it again.  Tasks of
 * an array that are cancelled one by one leave no record: these are told by
 * what the bridge has kept of them.
 *
 * Invariant, for one life of slurmctld with the promises that it finds:
 * accepted = kept + at_limit + broken + cancelled + withdrawn + unknown + open.
 *
 * All with the bridge's mutex.
 */
#ifndef PACT_SLURM_JUDGE_H
#define PACT_SLURM_JUDGE_H

#include "slurm/state/bridge.h"

/*
 * What the books need of a promised record, but how it ended.
 * IN all - of an array's tasks that share it also which; that takes time for each
 */
void judge_books(const struct snap_job *j, bool all, struct ledger_outcome *out);

/*
 * A submission that Slurm turned down after it was accepted: its places are free, and it counts as not
 * accepted.
 * RET false: it was not
 */
bool judge_refused(struct bridge *b, const struct snap_job *j, int64_t now);

/* A record that is over and whose token does not say so yet: a record update. */
void judge_record(struct bridge *b, const struct snap_job *j);

/* Tracks whose records are gone, in any order; at that time.  Those without a promise are none. */
void judge_gone(struct bridge *b, struct track **gone, size_t n, int64_t now);

/* So many tasks of a record that were accepted, and cancelled before a snapshot showed them. */
void judge_missing(struct bridge *b, const struct snap_job *j, uint32_t n, int64_t now);

/* A record whose promise was withdrawn just now (release.h), of so many jobs.  Job read lock. */
void judge_held(struct bridge *b, const job_record_t *job, const struct token *token, uint32_t n);

/* A waiting job without a promise was given one by a change.  Job read lock. */
void judge_promised(struct bridge *b, const job_record_t *job, const struct token *token,
		    int64_t start);

/* Record updates that were made, with slurmctld's locks; takes the mutex.  books.how NULL: not this one. */
void judge_updates(struct bridge *b, const struct record_update *updates, size_t n);

/*
 * What the snapshot has of promises, and no track: counted as open.  The first time of this
 * slurmctld's life the history learns which there are.
 */
void judge_survey(struct bridge *b, const struct snapshot *snap);

#endif /* PACT_SLURM_JUDGE_H */
