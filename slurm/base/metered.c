/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metered.c - slurmctld's locks, metered: for how long the planning thread has them
 */
#include "slurm/base/metered.h"

#include "slurm/base/meter.h"
#include "slurm/base/clock.h"

/*
 * slurmctld's locks prefer writers, and a thread that takes one again at once gets it
 * before those that have to wake up first.
 */
#define YIELD_US 1000

static _Thread_local struct metered_sum sum;

int64_t metered_work(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool writes(const slurmctld_lock_t *locks)
{
	return locks->conf == WRITE_LOCK || locks->job == WRITE_LOCK || locks->node == WRITE_LOCK ||
	       locks->part == WRITE_LOCK || locks->fed == WRITE_LOCK;
}

void metered_take(struct metered *metered, const slurmctld_lock_t *locks)
{
	metered->locks = *locks;
	lock_slurmctld(metered->locks);
	metered->since = clock_us();
	metered->work = metered_work();
}

/* What a piece cost, in microseconds. */
struct piece {
	int64_t took, work;
};

static struct piece give(struct metered *metered)
{
	bool writing = writes(&metered->locks);
	struct piece piece = {
		.took = clock_us() - metered->since,
		.work = metered_work() - metered->work,
	};

	unlock_slurmctld(metered->locks);
	meter_add(writing ? METER_WRITE_LOCK : METER_READ_LOCK, piece.took);
	meter_add(writing ? METER_WRITE_CPU : METER_READ_CPU, piece.work);
	if (writing)
		sum.writing += piece.took;
	else
		sum.reading += piece.took;
	return piece;
}

void metered_give(struct metered *metered)
{
	give(metered);
}

void metered_give_resized(struct metered *metered)
{
	struct piece piece = give(metered);

	meter_add(METER_RESIZE, piece.took);
	meter_add(METER_RESIZE_CPU, piece.work);
}

bool metered_long(const struct metered *metered, int64_t us)
{
	return clock_us() - metered->since >= us;
}

void metered_nap(void)
{
	struct timespec nap = { 0, YIELD_US * 1000L };

	nanosleep(&nap, NULL);
}

void metered_yield(struct metered *metered)
{
	metered_give(metered);
	metered_nap();
	metered_take(metered, &metered->locks);
}

struct metered_sum metered_sum(void)
{
	return sum;
}
