/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: how far a job has come in an interval, from what its processes ran and waited.
 *
 * LibraRisk (section 3.1) takes a job to use all of its share. A real one also sleeps, reads and writes; it is not
 * behind for that. So over an interval D with k processors its progress is
 *
 *	D x max(1 - waited / (k D), used / (k D)), within 0 and D
 *
 * where `waited` is the run delay of its threads: a sleeper progresses fully, and a job that burns all it gets progresses
 * by what it got.
 *
 * One that is stopped, by a signal or with its control group (scontrol suspend does either), neither waits nor sleeps.
 *
 * Nobody tells the delay of a thread that is gone when it is measured, or what it ran: what the job used and no
 * living thread did is `unseen`, and part.h estimates what waiting goes with it.
 */
#ifndef PACT_NODE_USAGE_H
#define PACT_NODE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "node/cgroup_tree.h"
#include "node/proc.h"

/* Zeroed: nothing was measured yet. */
struct usage {
	struct proc_thread *thread; /* as of the last measurement, by number */
	size_t n;
	uint64_t used; /* nanoseconds */
	uint32_t processes;
	bool stopped; /* all of them were */
};

/* The formula. All times in one unit; processors >= 1. Rounded down. */
int64_t usage_progress(int64_t interval, uint32_t processors, int64_t waited, int64_t used);

/* What came between two measurements, nanoseconds. */
struct usage_since {
	uint64_t waited;
	uint64_t used;
	uint64_t unseen; /* of used: by threads that are not there any more */
	bool stopped; /* all its processes, at one of the two: then it did no more than it used, for all that is known */
};

/*
 * Measure: what the threads of a place have waited, and it has used, since the last time. Threads that are seen
 * the first time have waited for as long as they live. False: no memory, and nothing has changed.
 */
bool usage_measure(struct usage *u, const struct cgroup *c, const struct cgroup_place *place,
		   struct usage_since *since);

/* A process joins: what its threads waited before, and it used, is none of the job's. */
void usage_join(struct usage *u, const struct cgroup *c, const struct cgroup_place *place,
		pid_t pid);

void usage_release(struct usage *u);

#endif
