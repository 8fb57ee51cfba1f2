/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bridge.c - between slurmctld and the core: the state both plugins share
 */
#include "slurm/base/compat.h"

#include "slurm/config/builds.h"
#include "slurm/base/clock.h"
#include "slurm/state/bridge.h"

static struct bridge the_bridge = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct bridge *bridge_get(void)
{
	return &the_bridge;
}

const char *bridge_absent(const struct bridge *b)
{
	if (!b->named)
		return "slurm.conf: JobSubmitPlugins has no deadline";
	if (b->alone)
		return "slurm.conf: JobSubmitPlugins=deadline was not loaded with the scheduler; "
		       "restart slurmctld";
	return NULL;
}

const char *bridge_unsafe(const struct bridge *b)
{
	const char *absent = builds_unfit();

	if (!absent)
		absent = bridge_absent(b);
	return absent || b->safe ? absent : b->unsafe;
}

bool bridge_refuses(const struct bridge *b, char *out, size_t size)
{
	const char *why = bridge_unsafe(b);

	out[0] = '\0';
	if (why)
		snprintf(out, size, "nothing is promised under this configuration: %s", why);
	return why;
}

void bridge_stale(struct bridge *b)
{
	pthread_mutex_lock(&b->lock);
	b->ready = false;
	pthread_mutex_unlock(&b->lock);
}

/*
 * The thread that saves the state is made after all that, and a backup controller on standby has
 * none.  (It has one that takes calls, whose number stays while it takes over.)
 */
bool bridge_in_charge(void)
{
	return slurmctld_config.thread_id_save != 0;
}

bool bridge_lock_soon(struct bridge *b)
{
	struct timespec nap = { 0, 500000 };
	int64_t start = clock_us();

	while (pthread_mutex_trylock(&b->lock)) {
		if (clock_us() - start > b->admission_us)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

void bridge_lock_urgent(struct bridge *b)
{
	b->urgent++;
	pthread_mutex_lock(&b->lock);
	b->urgent--;
}

void bridge_yield(struct bridge *b)
{
	struct timespec nap = { 0, 200000 };

	/* No more than a burst at a time, or a flood of submissions would stop all starts. */
	for (int i = 0; b->waiting && i < 50; i++) {
		pthread_mutex_unlock(&b->lock);
		nanosleep(&nap, NULL);
		pthread_mutex_lock(&b->lock);
	}
}
