/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notices: what running jobs were asked to give back by a time, and what became of it: kept for those that judge and draw a
 * schedule, and while they are on, by the simulator.
 */
#ifndef PACT_SIM_RUN_NOTICES_H
#define PACT_SIM_RUN_NOTICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nodeset;
struct sched_config;

struct sim_notice {
	int64_t told, due; /* when the job was asked, and by when its nodes are taken */
	int64_t gives; /* when it gives them back, as far as it was told itself; after `due`: it does not */
	int64_t left; /* when they left; -1: they have not, it ended before */
	struct nodeset
		*nodes; /* those that it may keep after all are no more among them; not empty */
};

/* A job's, in the order in which they were told. */
struct sim_notices {
	struct sim_notice *v;
	size_t n, room;
	size_t over; /* the first ones, which have left */
};

/*
 * A job's own notice (sim_job.grace) counts up to this, under a scheduler by a valid name, with these settings; 0: it does not count. Of
 * a name of several, the least of theirs.
 */
int64_t notices_longest(const char *scheduler, const struct sched_config *config);

void notices_destroy(struct sim_notices *x);

/*
 * It is asked for these nodes (copied, and not empty). NULL is a job that was not asked before; the result takes its place, NULL: no
 * memory, and it is as it was.
 */
struct sim_notices *notices_add(struct sim_notices *x, const struct sim_notice *notice);

/* It may keep these. x may be NULL. */
void notices_keep(struct sim_notices *x, const struct nodeset *nodes);

/* Those that have not left yet, out of the set. */
void notices_skip(const struct sim_notices *x, struct nodeset *nodes);

/* When the next nodes leave; PACT_FOREVER: none will. */
int64_t notices_next(const struct sim_notices *x);

/* All that leave by then are out of the set, and have left. */
void notices_leave(struct sim_notices *x, int64_t now, struct nodeset *nodes);

#endif
