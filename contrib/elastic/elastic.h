/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic: what the ways to use a job's nodes (crew, hook, charm) have in common with the loop that drives them
 *
 * The program is single-threaded. Its signals are blocked, and taken in elastic_wait() only: so no way needs a handler,
 * and a way that waits for something waits there.
 */
#ifndef PACT_ELASTIC_ELASTIC_H
#define PACT_ELASTIC_ELASTIC_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "client/pact-malleable.h"
#include "contrib/elastic/options.h"

/* Milliseconds that what we end has after TERM, until KILL, as Slurm's KillWait. */
#define STOP_TIME 30000

struct elastic;

enum answer {
	ANSWER_GIVE, /* nothing of ours runs there any more */
	ANSWER_NOT_NOW,
	ANSWER_WAIT, /* not yet: to be asked again after each look, when something has ended, and when tend() says */
	ANSWER_NONE, /* it has been told, or we are to end ourselves */
};

/* A way to use nodes. */
struct way {
	/* Once, before anything else. False: it has said why not. */
	bool (*begin)(struct elastic *e);
	/*
	 * The job's nodes are these now: at the beginning, after each change, and when nodes that were left are its own still and
	 * not wanted any more. NULL-terminated.
	 */
	void (*nodes)(struct elastic *e, const char *const *nodes);
	/* After each look that had an answer, and after nodes(). NULL: it does not matter. */
	void (*looked)(struct elastic *e);
	/* Nodes are wanted back. It may take its time, to wish->by at most, unless it has tend(). */
	enum answer (*leave)(struct elastic *e, const struct pact_malleable_wish *wish);
	/*
	 * See to what is to leave, without waiting. RET when it and leave() are to be called again, by elastic_clock(). NULL:
	 * leave() waits. A way that has it is asked to leave by each time of a wish on its own, and knows itself what it has left.
	 */
	int64_t (*tend)(struct elastic *e);
	/* A child of ours has ended, in elastic_wait(); NULL if the way has none that it does not wait for. */
	void (*ended)(struct elastic *e, pid_t pid, int status);
	/* Is all done, with what exit code? NULL: never. */
	bool (*done)(struct elastic *e, int *status);
	/* We are to end: what runs is ended. NULL: nothing is. */
	void (*stop)(struct elastic *e);
	/* At last: what `own` points to is freed, but not that itself. NULL: that is nothing. */
	void (*forget)(struct elastic *e);
};

struct elastic {
	const struct options *options;
	struct pact_malleable *job;
	const struct way *way;
	void *own;  /* the way's */
	int signal; /* that ends us; 0: none yet */
	struct answers *answers;
	struct {
		unsigned int wishes, given, refused, late, failed;
	} counts;
};

extern const struct way crew_way, hook_way, charm_way;

/* Seconds since the epoch, by a clock that may be set: for what is due by it, and nothing else. */
int64_t elastic_now(void);

/* Milliseconds of a clock that only goes on. */
int64_t elastic_clock(void);

/* What elastic_clock() is when it is `by`, in seconds since the epoch, as both clocks are now. */
int64_t elastic_until(int64_t by);

/* Those that are taken in elastic_wait(). */
void elastic_signals(sigset_t *set);

/* Wait for a signal, children of ours that end included, so many milliseconds at most. What has ended was told to the way. */
void elastic_wait(struct elastic *e, int64_t milliseconds);

/* Start a program with signals as usual and `environment` (NULL: ours). RET its id, < 0: said why not. */
pid_t elastic_spawn(const char *const *argv, char **environment);

/* One line to the standard error; tell() not when --quiet. */
void elastic_tell(const struct elastic *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void elastic_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is a name in a NULL-terminated list? */
bool elastic_has(const char *const *names, const char *name);

#endif
