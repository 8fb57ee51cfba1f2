/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patience.h - the end of a thread that may hang on a disk
 *
 * slurmctld waits for a plugin to stop.  A thread that writes is waited for as
 * long as it gets on; one that does not is left alone, and ends when its disk
 * answers, or with the process.
 *
 * Plain C, no Slurm header.
 */
#ifndef PACT_SLURM_PATIENCE_H
#define PACT_SLURM_PATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct patience {
	_Atomic bool alive;	   /* set before the thread begins; its last act is to clear it */
	_Atomic uint64_t progress; /* steps that it has done */
};

/*
 * Join a thread that has been told to end, once it has.  It is given up, and
 * detached, after five seconds without a step, or a minute in all.  No lock held.
 * RET false: it was detached, and ends when it can
 */
bool patience_join(pthread_t thread, const struct patience *of);

#endif /* PACT_SLURM_PATIENCE_H */
