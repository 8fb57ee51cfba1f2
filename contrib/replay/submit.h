/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit: one job into Slurm's queue, and Slurm's answer taken apart.
 *
 * A submitted job is a batch script that sleeps, on whole nodes, with no output. Its environment is
 * bare but for libfaketime's variables, so that it sleeps on the clock that the replay runs on. Where
 * jobs share nodes, it burns instead (burn.h), on each of its nodes; where they take turns, it counts
 * its own (turns.h).
 */
#ifndef PACT_REPLAY_SUBMIT_H
#define PACT_REPLAY_SUBMIT_H

#include <stdint.h>

#include "contrib/replay/track.h"
#include "contrib/replay/words.h"

/* What jobs do. */
enum job_work {
	WORK_SLEEP,
	WORK_BURN,  /* they use a share of each node's processors */
	WORK_TURNS, /* they count the time that is theirs */
};

enum submit_rc {
	SUBMIT_ACCEPTED,
	SUBMIT_REFUSED,	    /* Pact refused the deadline */
	SUBMIT_FAILED,	    /* Slurm refused for another reason that will not pass */
	SUBMIT_TEMPORARY,   /* Slurm says: later (queue full, nodes busy) */
	SUBMIT_UNREACHABLE, /* no answer; there may be a job or not, see submit_name() */
};

struct submit_answer {
	uint32_t slurm_id;
	const char
		*text; /* Slurm's words, or the meaning of its error; until the next submission */
};

struct submitter;

/*
 * partition: NULL for Slurm's default; borrowed. `words` too. shares: per cent of a processor that a
 * node has, for jobs that burn. NULL: no memory.
 */
struct submitter *submit_create(const char *partition, enum job_work work, int64_t shares,
				struct words *words);
void submit_destroy(struct submitter *s);

/*
 * Submits `job` with an absolute deadline (0: none). It changes neither `job` nor any count. Blocks
 * for the time that slurmctld takes, at most Slurm's MessageTimeout for a dead one.
 */
enum submit_rc submit_job(struct submitter *s, const struct replay_job *job, int64_t deadline,
			  struct submit_answer *answer);

/* The name that `job` bears in Slurm, the same at every try and different for every replay. */
void submit_name(const struct submitter *s, const struct replay_job *job, char *buf, size_t size);

/* scancel. False: Slurm did not do it, or knows no such job. */
bool submit_cancel(struct submitter *s, uint32_t slurm_id);

#endif /* PACT_REPLAY_SUBMIT_H */
