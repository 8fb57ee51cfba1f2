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

void metered_give(struct metered *metered)
{
	bool writing = writes(&metered->locks);
	int64_t took = clock_us() - metered->since;
	int64_t work = metered_work() - metered->work;

	unlock_slurmctld(metered->locks);
	meter_add(writing ? METER_WRITE_LOCK : METER_READ_LOCK, took);
	meter_add(writing ? METER_WRITE_CPU : METER_READ_CPU, work);
	if (writing)
		sum.writing += took;
	else
		sum.reading += took;
}

bool metered_long(const struct metered *metered, int64_t us)
{
	return clock_us() - metered->since >= us;
}

void metered_yield(struct metered *metered)
{
	struct timespec nap = { 0, YIELD_US * 1000L };

	metered_give(metered);
	nanosleep(&nap, NULL);
	metered_take(metered, &metered->locks);
}

struct metered_sum metered_sum(void)
{
	return sum;
}
