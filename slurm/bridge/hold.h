/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold.h - slurmctld's locks, and for how long the planning thread holds them
 *
 * Every hold of the planning thread goes through here, so that no part of a pass
 * is left out of the times that pact stats shows.  What counts is the time from
 * when the locks were had until they are given up: one piece for which others
 * waited; beside it, the processor time in it, which tells what is ours of that
 * on a busy machine.  A hold is a writer's when it has any lock to write.
 */
#ifndef PACT_SLURM_HOLD_H
#define PACT_SLURM_HOLD_H

#include "slurm/base/compat.h"

struct hold {
	slurmctld_lock_t locks;
	int64_t since; /* of bridge_clock() */
	int64_t work;  /* of hold_work() */
};

/* Microseconds that this thread has held the locks, in all its holds so far. */
struct hold_sum {
	int64_t reading, writing;
};

/* Take the locks; none may be held, nor a mutex. */
void hold_take(struct hold *hold, const slurmctld_lock_t *locks);
/* Give them up.  The piece is metered and added to hold_sum(). */
void hold_give(struct hold *hold);

/* Has this piece lasted so many microseconds? */
bool hold_long(const struct hold *hold, int64_t us);
/* Give the locks up, let those who wait for them have a turn, and take them again. */
void hold_yield(struct hold *hold);

struct hold_sum hold_sum(void);

/* Processor time of this thread in microseconds. */
int64_t hold_work(void);

#endif /* PACT_SLURM_HOLD_H */
