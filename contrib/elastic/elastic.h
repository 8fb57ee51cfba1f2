/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic: what the ways to use a job's nodes (crew, hook, charm) have in common, and the loop that drives them
 *
 * The program is single-threaded. Its signals are blocked, and taken in elastic_wait() only: so no way needs a handler,
 * and a way that waits for something waits there.
 */
#ifndef PACT_ELASTIC_ELASTIC_H
#define PACT_ELASTIC_ELASTIC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "client/pact-malleable.h"
#include "contrib/elastic/options.h"

/* Seconds that what we end has after TERM, until KILL, as Slurm's KillWait. */
#define STOP_TIME 30

struct elastic;

enum answer {
	ANSWER_GIVE, /* nothing of ours runs there any more */
	ANSWER_NOT_NOW,
	ANSWER_NONE, /* we are to end ourselves */
};

/* A way to use nodes. */
struct way {
	/* Once, before anything else. False: it has said why not. */
	bool (*begin)(struct elastic *e);
	/* The job's nodes are these now: at the beginning, and after each change. NULL-terminated. */
	void (*nodes)(struct elastic *e, const char *const *nodes);
	/* After each look that had an answer, and after nodes(). NULL: it does not matter. */
	void (*looked)(struct elastic *e);
	/* Nodes are wanted back. It may take its time, to wish->by at most. */
	enum answer (*leave)(struct elastic *e, const struct pact_malleable_wish *wish);
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
	struct {
		unsigned int wishes, given, refused, late, failed;
	} counts;
};

extern const struct way crew_way, hook_way, charm_way;

/* Seconds since the epoch. */
int64_t elastic_now(void);

/*
 * Wait for a signal, children of ours that end included, `seconds` at most. What has ended has been told to the way.
 * RET true: something happened
 */
bool elastic_wait(struct elastic *e, int64_t seconds);

/* Start a program with signals as usual and `environment` (NULL: ours). RET its id, < 0: said why not. */
pid_t elastic_spawn(const char *const *argv, char **environment);

/* One line to the standard error; tell() not when --quiet. */
void elastic_tell(const struct elastic *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void elastic_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is a name in a NULL-terminated list? */
bool elastic_has(const char *const *names, const char *name);

/* Until we end: 0, or the way's exit code. */
int elastic_run(struct elastic *e);

#endif
