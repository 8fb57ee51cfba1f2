/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answerer.h - the thread that answers what the socket has read
 *
 * Whatever may wait (munged, slurmctld's read locks, the plan's mutex) waits
 * here and not in the thread that serves connections.  One request of a
 * connection at a time: what waits here is bounded by the connections, and
 * users take turns.
 */
#ifndef PACT_SLURM_ANSWERER_H
#define PACT_SLURM_ANSWERER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A request on its way, and back. */
struct exchange {
	struct exchange *next;
	uint64_t conn; /* the connection's number */
	uid_t uid;     /* who has connected, by the kernel */
	char *line;    /* without newline, malloc()ed */
	size_t len;
	char *answer; /* with newline, malloc()ed; NULL: no memory */
	size_t answer_len;
	int cost;	/* in simple requests, see fair.h */
	bool forgeable; /* its identity was not to be trusted: the connection is closed */
};

/*
 * IN wake - a descriptor that gets eight bytes written (an eventfd) when an answer is there
 * RET false: no thread.  One that was given up and still hangs is no reason: until it has
 * ended, requests are answered with "busy".
 */
bool answerer_start(int wake);
/*
 * It waits for the request at work, but not for ever (patience.h): it may read the history from a
 * disk that hangs.  What was asked and answered until now is dropped; `wake` is not used any more.
 * RET false: it was given up
 */
bool answerer_stop(void);

/* Taken over. */
void answerer_post(struct exchange *exchange);
/* One that is answered, or NULL; exchange_destroy() it. */
struct exchange *answerer_take(void);
void exchange_destroy(struct exchange *exchange);

#endif /* PACT_SLURM_ANSWERER_H */
