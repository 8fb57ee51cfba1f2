/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.h - how fast one user may ask
 *
 * A leaky bucket per user (the generic cell rate algorithm): so many requests a
 * second in the long run, as many again at once.  A user who asks faster
 * is not refused but read later, which costs no other user anything.  One who
 * comes and goes without a question that could be answered is let in for a
 * while, and then not before keeping away for one.  A bounded number of users is
 * remembered; the one with the most room is forgotten first.
 *
 * Plain C, no clock: times are the caller's, in microseconds, never going back.
 */
#ifndef PACT_SLURM_FAIR_H
#define PACT_SLURM_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#define FAIR_USERS 256

struct fair_user {
	uint32_t uid;
	int64_t full;  /* when all that it has asked will have been paid for; 0: entry unused */
	int64_t fined; /* when all its coming for nothing will have been */
};

struct fair {
	int64_t interval; /* microseconds that one request costs; 0: nothing */
	struct fair_user user[FAIR_USERS];
};

/* per_second requests, at least 1; 0: no bound.  Users are forgotten. */
void fair_init(struct fair *f, int64_t per_second);

/* Microseconds until this user's next request may be read; 0: now. */
int64_t fair_wait(const struct fair *f, uint32_t uid, int64_t now);

/* It has been read, and costs as much as `cost` simple ones. */
void fair_charge(struct fair *f, uint32_t uid, int64_t now, int64_t cost);

/* It was turned away, or came for nothing while it had nothing left to pay with. */
void fair_fine(struct fair *f, uint32_t uid, int64_t now);

/*
 * Has it so often, more than 32 times in a second, that it is not to be let in?  Until it has kept
 * away for at least half a second, and no longer than a second after that.
 */
bool fair_shut(const struct fair *f, uint32_t uid, int64_t now);

#endif /* PACT_SLURM_FAIR_H */
