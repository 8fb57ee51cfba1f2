/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold.c - slurmctld's locks, and for how long the planning thread holds them
 */
#include "slurm/bridge/hold.h"

#include "slurm/bridge/bridge.h"
#include "slurm/base/meter.h"

/*
 * slurmctld's locks prefer writers, and who takes one again at once gets it
 * before those who have to wake up first.
 */
#define YIELD_US 1000

static _Thread_local struct hold_sum sum;

int64_t hold_work(void)
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

void hold_take(struct hold *hold, const slurmctld_lock_t *locks)
{
	hold->locks = *locks;
	lock_slurmctld(hold->locks);
	hold->since = bridge_clock();
	hold->work = hold_work();
}

void hold_give(struct hold *hold)
{
	bool writing = writes(&hold->locks);
	int64_t took = bridge_clock() - hold->since;
	int64_t work = hold_work() - hold->work;

	unlock_slurmctld(hold->locks);
	meter_add(writing ? METER_WRITE_LOCK : METER_READ_LOCK, took);
	meter_add(writing ? METER_WRITE_CPU : METER_READ_CPU, work);
	if (writing)
		sum.writing += took;
	else
		sum.reading += took;
}

bool hold_long(const struct hold *hold, int64_t us)
{
	return bridge_clock() - hold->since >= us;
}

void hold_yield(struct hold *hold)
{
	struct timespec nap = { 0, YIELD_US * 1000L };

	hold_give(hold);
	nanosleep(&nap, NULL);
	hold_take(hold, &hold->locks);
}

struct hold_sum hold_sum(void)
{
	return sum;
}
