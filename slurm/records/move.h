/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move.h - a job that may be migrated: how it is asked to, and what its migrations have come to
 *
 * sbatch --migratable=SIGNAL, an option of spank_pact, stands in the record. Such a job is sent the signal, writes a
 * checkpoint, ends with a code of RequeueExit, is requeued by Slurm and started elsewhere. What it was asked and what its
 * earlier runs have used of its limit stands beside it (job_env.h), so that it outlives slurmctld as the job does.
 *
 * The states of a job, and what takes it from one to the next:
 *
 *	MOVE_NONE	it was never asked
 *	MOVE_ASKED	the signal was sent (move_ask()); it runs, or ends
 *	MOVE_MOVED	it ended with a code of RequeueExit, or was missed on its node by a slurmctld that came up, and was
 *			requeued (move_renew()); it waits, or runs elsewhere, and may be asked again
 *	MOVE_STAYS	it did not leave in time (move_give_up()): it runs on, and is left alone
 *
 * Requeued for another reason it is as if it had never been asked, and has its whole limit again, as Slurm has it. A limit
 * that an operator sets meanwhile is for the run that it is set in, and what follows.
 */
#ifndef PACT_SLURM_MOVE_H
#define PACT_SLURM_MOVE_H

#include "slurm/base/compat.h"

enum move_state { MOVE_NONE, MOVE_ASKED, MOVE_MOVED, MOVE_STAYS };

/* Times are seconds. */
struct move {
	enum move_state state;
	int64_t submit; /* when it was submitted first */
	int64_t aged; /* since when its priority counted its age when it was asked; 0: it does again, or did not */
	int64_t limit;	   /* for all of its runs together; PACT_FOREVER: none */
	int64_t used;	   /* of it by earlier runs, since an operator set it */
	int64_t asked;	   /* ASKED: this run had had so much of it when it was asked, */
	int64_t ran;	   /* and has had by now */
	int64_t cost;	   /* from being asked until it had left, the last time; 0: it has never */
	uint32_t restarts; /* Slurm's count when this was written */
};

/*
 * The number of its signal; 0: it is not migrated, as it did not ask for that, would not be requeued, or would lose its
 * output then. Job read lock; configuration, to read.
 */
uint16_t move_signal(const job_record_t *job);

/* Job read lock. */
void move_of(const job_record_t *job, struct move *out);

/* Its time of running in this run, which is over at its end. Job read lock. */
int64_t move_ran(const job_record_t *job, int64_t now);

/* It is about to be asked, for the first time or once more. Job write lock. */
void move_ask(job_record_t *job, int64_t now);

/* It stays where it is. Job write lock. */
void move_give_up(job_record_t *job);

/*
 * What has happened to it since: it runs on, or was requeued. If it has left then it may start in the next second, not in
 * two minutes, and has what is left of its limit, in whole minutes, at least one. Job write lock; configuration, to read.
 * RET whether anything changed that others see
 */
bool move_renew(job_record_t *job, int64_t now);

/*
 * It has left and waits: once Slurm counts its age anew it is that of before, which a requeue forgets. After
 * acct_policy_handle_accrue_time(). Job write lock.
 * RET whether anything changed that others see
 */
bool move_age(job_record_t *job);

/*
 * A submission: one that may be migrated may be requeued, and goes on writing where its earlier run has stopped. What only
 * we write is taken out.
 * RET false: out says what is wrong with the option
 */
bool move_submit(job_desc_msg_t *desc, char *out, size_t size);

#endif /* PACT_SLURM_MOVE_H */
