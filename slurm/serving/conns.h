/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conns.h - connections of the query socket: their lines, their limits
 *
 * For one thread, the one with poll(2) (serve.c). Nothing here waits or takes a lock. Bounded: connections (in
 * all, and of one user; some are kept for root and SlurmUser), the line, the time for a line and for an
 * answer to be read, unread answers of one user, requests of one user per second. What is over a bound
 * is told so and closed, or read later.
 */
#ifndef PACT_SLURM_CONNS_H
#define PACT_SLURM_CONNS_H

#include <poll.h>
#include <stdint.h>

#include "slurm/serving/answerer.h"

#define CONNS 64
#define CONNS_PER_USER 16

/*
 * Before all others; no user is known. rate - requests of one user per second; 0: no bound. timeout_us - how
 * long a line may take to come, and an answer to be read.
 */
void conns_begin(int64_t rate, int64_t timeout_us);

/* From now on. With another rate users are forgotten. */
void conns_configure(int64_t rate, int64_t timeout_us);

/* All are closed. */
void conns_end(void);

enum conns_room {
	CONNS_OPENED,
	CONNS_PRESSING, /* opened, but its user has used up his requests */
	CONNS_AWAY,	/* there was no room: it is told so, and closed */
};

/* A new connection; the descriptor, which does not block, is taken over. Times in microseconds. */
enum conns_room conns_open(int fd, int64_t now);

/* fds[0 .. CONNS): what is waited for, at most *ms, which gets less if there is something to do sooner. */
void conns_await(struct pollfd *fds, int64_t now, int *ms);

/* What poll() said of them. Requests go to the answerer. */
void conns_serve(const struct pollfd *fds, int64_t now);

/* The answer goes to its connection, if that is still there. The exchange stays the caller's. */
void conns_answer(struct exchange *exchange);

/* *ms is at most the milliseconds from now until `at`, rounded up. */
void conns_sooner(int64_t now, int64_t at, int *ms);

#endif /* PACT_SLURM_CONNS_H */
