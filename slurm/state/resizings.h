/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resizings.h - what became of running jobs' nodes, counted since slurmctld started
 *
 * Atomics: from any thread, without a lock.  What each cost is METER_RESIZE.
 */
#ifndef PACT_SLURM_RESIZINGS_H
#define PACT_SLURM_RESIZINGS_H

#include <stdint.h>

enum resizing {
	RESIZING_GROWN,	  /* a job was given nodes */
	RESIZING_CALLED,  /* a job was asked to give nodes back, with notice */
	RESIZING_TAKEN,	  /* nodes were taken from it, at once or as the notice was over */
	RESIZING_SHRUNK,  /* a job's record has fewer nodes: taken, given back, lost */
	RESIZING_REFUSED, /* nothing was done: Slurm refused it, or the job was over */
	RESIZING_NOT_NOW, /* a job answered that it would rather not give nodes back */
	RESIZINGS
};

/* One of these, of so many nodes; 0: that is not known. */
void resizings_note(enum resizing what, uint32_t nodes);

/* OUT times, nodes - how often, and how many nodes in all */
void resizings_read(enum resizing what, uint64_t *times, uint64_t *nodes);

/* The word for it in answers. */
const char *resizings_name(enum resizing what);

#endif /* PACT_SLURM_RESIZINGS_H */
