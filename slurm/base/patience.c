/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patience.c - the end of a thread that may hang on a disk
 */
#include "slurm/base/patience.h"

#include <errno.h>
#include <time.h>

/* Naps are counted, not the time: emulation runs that on another clock. */
#define NAP_NS 10000000L
#define NAPS_IDLE 500
#define NAPS_MOST 6000

int patience_begin(struct patience *p, void *(*work)(void *arg), void *arg)
{
	int rc;

	if (p->running)
		return 0;
	if (p->alive)
		return EBUSY;
	p->alive = true;
	rc = pthread_create(&p->thread, NULL, work, arg);
	p->running = !rc;
	p->alive = p->running;
	return rc;
}

void patience_over(struct patience *p, pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	p->ending = false;
	pthread_mutex_unlock(lock);
	p->alive = false;
}

bool patience_end(struct patience *p, pthread_mutex_t *lock, pthread_cond_t *more)
{
	const struct timespec nap = { 0, NAP_NS };
	uint64_t last = p->progress;
	pthread_t thread;
	bool any;
	int idle = 0;

	pthread_mutex_lock(lock);
	any = p->running;
	thread = p->thread;
	p->ending |= any;
	p->running = false;
	pthread_cond_broadcast(more);
	pthread_mutex_unlock(lock);
	if (!any)
		return true;
	for (int i = 0; p->alive; i++) {
		if (idle == NAPS_IDLE || i == NAPS_MOST) {
			pthread_detach(thread);
			return false;
		}
		nanosleep(&nap, NULL);
		idle = p->progress == last ? idle + 1 : 0;
		last = p->progress;
	}
	pthread_join(thread, NULL);
	return true;
}
