/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.h - how fast one user may ask
 *
 * A leaky bucket per user (the generic cell rate algorithm): so many requests a
 * second in the long run, as many again at once.  Who asks faster is not
 * refused but read later, which costs nobody anything.  A bounded number of
 * users is remembered; whoever has the most room is forgotten first.
 *
 * Plain C, no clock: times are the caller's, in microseconds, never going back.
 */
#ifndef PACT_SLURM_FAIR_H
#define PACT_SLURM_FAIR_H

#include <stdint.h>

#define FAIR_USERS 256

struct fair_user {
	uint32_t uid;
	int64_t full; /* when all that it has asked will have been paid for; 0: entry unused */
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

#endif /* PACT_SLURM_FAIR_H */
