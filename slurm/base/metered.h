/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metered.h - slurmctld's locks, metered: for how long the planning thread has them
 *
 * Whatever the planning thread does with these locks goes through here, so that no part of a pass
 * is left out of the times that pact stats shows.  What counts is the time from
 * when the locks were had until they are given up: one piece for which others
 * waited; beside it, the processor time in it, which tells what is ours of that
 * on a busy machine.  It counts as writing when the thread has any lock to write.
 */
#ifndef PACT_SLURM_METERED_H
#define PACT_SLURM_METERED_H

#include "slurm/base/compat.h"

struct metered {
	slurmctld_lock_t locks;
	int64_t since; /* of clock_us() */
	int64_t work;  /* of metered_work() */
};

/* Microseconds that this thread has held the locks, so far. */
struct metered_sum {
	int64_t reading, writing;
};

/* Take the locks; none may be held, nor a mutex. */
void metered_take(struct metered *metered, const slurmctld_lock_t *locks);
/* Give them up.  The piece is metered and added to metered_sum(). */
void metered_give(struct metered *metered);
/* The same of a piece in which a running job was resized: it counts as that, too. */
void metered_give_resized(struct metered *metered);

/* Has this piece lasted so many microseconds? */
bool metered_long(const struct metered *metered, int64_t us);
/* The thread sleeps for a millisecond, with no locks held: threads that wait for the locks it has just given up get them first. */
void metered_nap(void);
/* Give the locks up, let those that wait for them have a turn, and take them again. */
void metered_yield(struct metered *metered);

struct metered_sum metered_sum(void);

/* Processor time of this thread in microseconds. */
int64_t metered_work(void);

#endif /* PACT_SLURM_METERED_H */
