/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patience.h - the end of a thread that may hang on a disk
 *
 * slurmctld waits for a plugin to stop.  A thread that works on a disk is waited
 * for as long as it gets on; one that does not is left alone, and ends when its
 * disk answers, or with the process.
 *
 * Plain C, no Slurm header.
 */
#ifndef PACT_SLURM_PATIENCE_H
#define PACT_SLURM_PATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeroed: none. */
struct patience {
	pthread_t thread;
	bool running, ending;	   /* with the owner's lock: it was begun; it is to end */
	_Atomic bool alive;	   /* until its last act */
	_Atomic uint64_t progress; /* steps that it has done: for it to count */
};

/*
 * Begin it, unless it runs.  One caller at a time.
 * RET 0, or an errno; EBUSY: an earlier one was given up and has not ended yet
 */
int patience_begin(struct patience *p, void *(*work)(void *arg), void *arg);

/*
 * The thread's last act, once it has seen `ending`.  `lock` is the owner's, not held.
 */
void patience_over(struct patience *p, pthread_mutex_t *lock);

/*
 * Tell it to end, wake it by `more`, and wait for it.  It is given up, and detached, after five
 * seconds without a step, or a minute in all.  No lock held.  `lock` is the owner's.
 * RET false: it was given up, and ends when it can
 */
bool patience_end(struct patience *p, pthread_mutex_t *lock, pthread_cond_t *more);

#endif /* PACT_SLURM_PATIENCE_H */
