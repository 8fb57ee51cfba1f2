/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local: the socket of the daemon's directory, that spank_pact and `pactd status` speak to: lines of text, an answer to
 * each. Only root and the daemon's own user are heard. A connection that says or takes nothing delays no other, and
 * goes after a while, or when there are too many: the oldest first.
 */
#ifndef PACT_NODE_LOCAL_H
#define PACT_NODE_LOCAL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOCAL_CONNECTIONS 64
#define LOCAL_POLLS (LOCAL_CONNECTIONS + 1)

struct local;

/* The answer to a line, with its end of line, malloc()ed; NULL: none, the connection is closed. */
typedef char *local_answer(void *arg, const char *line);

/* DIR/sock, and DIR/lock, by which a directory has one daemon. NULL: see why. */
struct local *local_open(const char *dir, char *why, size_t size);

/* Close all; the socket's file goes. */
void local_close(struct local *l);

/* What to wait for: fills p[0 .. LOCAL_POLLS). RET how many. */
size_t local_polls(struct local *l, struct pollfd *p);

/* Take what has come. p, n: as local_polls() gave them, after poll(). now: milliseconds. */
void local_turn(struct local *l, const struct pollfd *p, size_t n, int64_t now,
		local_answer *answer, void *arg);

/* Ask the daemon of a directory: an answer of one line, malloc()ed. NULL: see why. */
char *local_ask(const char *dir, const char *line, char *why, size_t size);

#endif
