/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - a change that was decided, until its record shows it
 *
 * job_modify() is asked before Slurm's own checks, which may refuse the change
 * after all.  Until the outcome is seen both hold: the old terms stay in the
 * plan, and the new ones fit into it instead, because nothing that could take
 * their place is decided or started before.  A thread that decides or starts
 * something holds one of slurmctld's job locks, or can take one; the change was
 * made, or refused, under the write lock: so it can look at the record, and
 * there is never more than one change outstanding.
 *
 * Invariants:
 * - nothing is admitted and nothing is started while a change is outstanding;
 * - a change that the record does not show leaves the plan, the track and the
 *   token as they were;
 * - a snapshot that may be older than the change does not touch its job's terms.
 */
#ifndef PACT_SLURM_PENDING_H
#define PACT_SLURM_PENDING_H

#include "slurm/state/bridge.h"

/* What was decided. */
struct pending_terms {
	const job_record_t *job;
	uint64_t core;
	const struct sched_job *terms;
	struct regions *regions; /* of the terms' node sets; taken over, also on failure */
	int64_t start;		 /* planned */
	bool promise;		 /* else it only has to end in time for others (reliance.h) */
	struct token token;	 /* as decided */
	struct terms *asked;	 /* to be compared with the record (terms.h); taken over; or NULL */
	struct token undo; /* the token if it is not made; state TOKEN_WITHDRAWN: there was none */
};

/* Would the plan take these terms in place of the job's own?  With the mutex. */
bool pending_ask(struct bridge *b, int64_t now, const struct sched_job *terms,
		 struct sched_decision *decision);

/* Note a change that was decided.  Job write lock and mutex.  RET false: no memory, no effect. */
bool pending_note(struct bridge *b, const struct pending_terms *decided);

/*
 * See what became of it.  With the mutex and a job lock.
 * IN may_write - it is the write lock: a token left by a refused change is put right
 */
void pending_resolve(struct bridge *b, bool may_write);

/*
 * The same without a lock of slurmctld: the mutex is given up between, if there is anything
 * to do.
 */
void pending_finish(struct bridge *b);

/* Take the mutex, with nothing outstanding.  No lock may be held. */
void pending_lock(struct bridge *b);

/* The plan begins anew, from the records.  With the mutex. */
void pending_forget(struct bridge *b);

#endif /* PACT_SLURM_PENDING_H */
