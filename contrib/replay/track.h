/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track: the jobs of one replay, what the log says of each and what became of it on the cluster.
 *
 * Invariants
 * - Jobs are kept in the order of their submission times; they are added before the replay starts
 *   and their places never move afterwards.
 * - A job changes its fate only through the functions below, which keep the counts that the
 *   terminal and the report show. Fates go forward only, but for a running job that Slurm requeues.
 * - All times are whole seconds on the cluster's clock (which may be a fast one); times taken from
 *   the log count from the replay's first submission.
 * - Nothing here knows Slurm's headers: the watcher translates.
 */
#ifndef PACT_REPLAY_TRACK_H
#define PACT_REPLAY_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fate {
	FATE_FUTURE,  /* not submitted yet */
	FATE_REFUSED, /* the deadline was refused at submission */
	FATE_FAILED,  /* Slurm did not take the submission, for another reason */
	FATE_WAITING, /* accepted, has not started */
	FATE_RUNNING,
	FATE_ENDED, /* for good, see enum ending */
	FATE_LOST,  /* Slurm knows it no longer, and its end was not seen */
	FATE_COUNT
};

/* How a job ended, as Slurm says it. */
enum ending {
	END_NONE,
	END_COMPLETED,
	END_TIMEOUT, /* killed at its own limit */
	END_CANCELLED,
	END_DEADLINE, /* killed by Slurm at its deadline */
	END_FAILED,
	END_NODE_FAIL,
	END_OTHER,
	END_COUNT
};

enum verdict {
	VERDICT_NONE,	   /* no promise, or not ended yet */
	VERDICT_KEPT,	   /* ended by its deadline: completed, or killed at its own limit */
	VERDICT_BROKEN,	   /* ended later, or by another's hand, or was lost */
	VERDICT_WITHDRAWN, /* cancelled, or held at some time */
	VERDICT_COUNT
};

struct replay_job {
	int64_t id;	  /* as in the log */
	int64_t arrival;  /* seconds from the replay's start */
	int64_t estimate; /* the limit asked for, a multiple of 60 */
	int64_t runtime;  /* that the job really sleeps; see overruns */
	int64_t within;	  /* deadline, seconds after submission; 0: none */
	int32_t width;	  /* nodes */
	bool overruns; /* the log's job outlived its limit: this one sleeps until Slurm kills it */

	enum fate fate;
	enum ending ending;
	uint32_t slurm_id;
	int64_t submitted; /* the cluster's clock; 0: not yet */
	int64_t deadline;  /* the same; 0: none */
	int64_t start;	   /* the same; 0: never */
	int64_t end;
	int64_t ran;	/* seconds of that which Slurm counts as run: not while it was suspended */
	double sleep;	/* seconds that its script sleeps */
	int64_t lag;	/* submitted this many seconds later than the log says */
	int32_t reason; /* of a refusal or failure, index for track_reason(); < 0: none */
	bool token;	/* its record carries Pact's promise */
	bool observed;	/* its answer said that it would have been refused: nothing was promised */
	bool expected;	/* its answer said that its end is expected: nothing was promised */
	bool withdrawn; /* its record says that the promise was withdrawn (held) */
	bool told;	/* Pact reported the promise as broken */
};

struct reason {
	char *text;
	bool by_deadline; /* a refused deadline; else Slurm's own reason */
	int64_t jobs;
	int64_t node_seconds; /* width x runtime of those jobs */
};

struct track;

/* NULL: no memory. */
struct track *track_create(void);
void track_destroy(struct track *t);

/*
 * Adds a job, in order of arrival. Copies `job`; its fate becomes FATE_FUTURE. False: no memory, or
 * out of order. Pointers from track_job() are good only once all have been added. O(1) amortised.
 */
bool track_add(struct track *t, const struct replay_job *job);

size_t track_size(const struct track *t);
struct replay_job *track_job(struct track *t, size_t i);
const struct replay_job *track_peek(const struct track *t, size_t i);

/* The accepted job of that Slurm id, NULL if it is not ours. O(1). */
struct replay_job *track_find(struct track *t, uint32_t slurm_id);

/* How many jobs stand in that fate, or got that verdict. O(1). */
int64_t track_count(const struct track *t, enum fate fate);
int64_t track_verdicts(const struct track *t, enum verdict v);
/* Accepted and not ended: waiting or running. */
int64_t track_active(const struct track *t);

/* Accepted at `now` under `slurm_id` with an absolute deadline (0: none). False: no memory. */
bool track_accept(struct track *t, struct replay_job *job, uint32_t slurm_id, int64_t now,
		  int64_t deadline);
/* Refused at `now`; by_deadline tells FATE_REFUSED from FATE_FAILED. False: no memory. */
bool track_refuse(struct track *t, struct replay_job *job, int64_t now, const char *reason,
		  bool by_deadline);
void track_run(struct track *t, struct replay_job *job, int64_t start);
/* Back to the queue: Slurm requeued it. */
void track_requeue(struct track *t, struct replay_job *job);
/*
 * start 0: it never ran; `stopped`: seconds since then in which it was suspended. Also takes a lost job back, when a
 * second source knows its end.
 */
void track_end(struct track *t, struct replay_job *job, enum ending how, int64_t start, int64_t end,
	       int64_t stopped);
void track_lose(struct track *t, struct replay_job *job);

/* What became of the promise, from the end that Slurm recorded. */
enum verdict job_verdict(const struct replay_job *job);

size_t track_reasons(const struct track *t);
const struct reason *track_reason(const struct track *t, size_t i);

/* Lower-case words as they stand in the report, never NULL. */
const char *fate_name(enum fate fate);
/* Slurm's own names (COMPLETED, ...). */
const char *ending_name(enum ending how);

#endif /* PACT_REPLAY_TRACK_H */
