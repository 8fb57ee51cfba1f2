/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patience.c - the end of a thread that may hang on a disk
 */
#include "slurm/patience.h"

#include <time.h>

/* Naps are counted, not the time: emulation runs that on another clock. */
#define NAP_NS 10000000L
#define NAPS_IDLE 500
#define NAPS_MOST 6000

bool patience_join(pthread_t thread, const struct patience *of)
{
	const struct timespec nap = { 0, NAP_NS };
	uint64_t last = of->progress;
	int idle = 0;

	for (int i = 0; of->alive; i++) {
		if (idle == NAPS_IDLE || i == NAPS_MOST) {
			pthread_detach(thread);
			return false;
		}
		nanosleep(&nap, NULL);
		idle = of->progress == last ? idle + 1 : 0;
		last = of->progress;
	}
	pthread_join(thread, NULL);
	return true;
}
