/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unconfirmed.h - an accepted submission holds its place until its record shows up
 *
 * Slurm decides in job_submit() and makes the record later, or never: its own
 * checks may still refuse, and --test-only makes none.  The place is held under
 * the token that the record will carry.  When the thread of the RPC ends, so do
 * its unconfirmed submissions: the first snapshot begun after that either has the record or
 * frees the place; and so does the first admission that finds no room, so that
 * --test-only holds nothing once it is answered.  Where threads serve one RPC after the other (24.11), an
 * RPC has ended when its thread serves the next submission, or when none is being served.  Under SlurmctldParameters=enable_rpc_queue one
 * thread serves many RPCs, and the record is made before the locks are given up: there the next
 * snapshot tells at once.  A thread that lives on (the sibling submissions of a federation come
 * through one) keeps a place for ten minutes at most.
 */
#ifndef PACT_SLURM_UNCONFIRMED_H
#define PACT_SLURM_UNCONFIRMED_H

#include "slurm/state/bridge.h"

/* A token id that was never used: random start, then counted.  With the mutex. */
uint64_t unconfirmed_token(struct bridge *b);

/*
 * Hold the places of an accepted submission, for the calling thread's RPC.
 * IN batch - of sbatch, not of srun or salloc
 * IN core - ids; taken over
 * With the mutex.  RET false: no memory, nothing is held
 */
bool unconfirmed_add(struct bridge *b, uint64_t token, bool batch, uint64_t shape, uint64_t *core,
		     size_t ncore);

/*
 * What it was accepted for, to be compared with its record (terms.h); taken over, NULL: there was no
 * memory.  With the mutex.
 */
void unconfirmed_asked(struct bridge *b, uint64_t token, struct terms *asked);

/*
 * The calling thread, one of slurmctld's, begins to serve a submission or a change, or has answered it.
 * Without the mutex.
 */
void unconfirmed_serve(bool begins);

/*
 * Note which RPCs have ended: before a snapshot is begun, or an admission looks.
 * With the mutex.
 */
void unconfirmed_collect(struct bridge *b);

/*
 * Free the places whose RPCs have ended without a record.  It looks at every job
 * once per unconfirmed submission, where there is any.
 * With the mutex and a job lock.  RET whether there was one
 */
bool unconfirmed_sweep(struct bridge *b, int64_t now);

/* The record of an accepted submission has shown up: its decision is about this job.  Job read lock. */
void unconfirmed_bound(const job_record_t *job, uint64_t token);

/* Free the places of one that leaves no record, and forget it.  With the mutex. */
void unconfirmed_drop(struct bridge *b, struct unconfirmed **at, int64_t now);

/*
 * Is the place free, if the snapshot of this epoch has no record for it?
 * With the mutex.
 */
bool unconfirmed_lapsed(const struct bridge *b, const struct unconfirmed *p);

/* The unconfirmed submission with places under a token, for confirm_end(); *RET NULL: there is none. */
struct unconfirmed **unconfirmed_find(struct bridge *b, uint64_t token);

/* The core is begun anew: all lose their places, and wait for the next snapshot's records. */
void unconfirmed_reset(struct bridge *b);

/*
 * The job is changed: what was noted for its record is not to be compared any more (terms.h).
 * IN token, key - of its submission, and of its track
 */
void unconfirmed_changed(struct bridge *b, uint64_t token, uint64_t key);

#endif /* PACT_SLURM_UNCONFIRMED_H */
