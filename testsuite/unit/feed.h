/* SPDX-License-Identifier: GPL-2.0-or-later */
/* feed: short ways to send events to a scheduler and to follow its actions, for unit tests. */
#ifndef PACT_TEST_FEED_H
#define PACT_TEST_FEED_H

#include "core/sched.h"

struct feed {
	struct sched *s;
	int64_t now;
	bool name_nodes;  /* answer starts with nodes: the first of those allowed */
	bool hold_starts; /* leave ACT_START unanswered, in `start` */
	struct sched_action start;
	struct sched_decision decision;
	int accepted, refused, started, broken, mended;
	int64_t wake; /* the last ACT_WAKE, and its microseconds */
	int32_t wake_fine;
	uint64_t order[64]; /* ids in the order of their starts */
	int learned;	    /* ACT_LEARNED, and the last one */
	struct sched_past past;
};

/* "qops" or another, with the configuration as c says (NULL: as sched_config_init). */
void feed_open(struct feed *f, const char *name, uint32_t nodes, const struct sched_config *c);
/*
 * dynp, and the queue of scenarios/dynp-switch.scn up to 120, where SJF is better than FCFS; job 2 promised
 * if deadline. What follows from the last submission is still to be drained.
 */
void feed_open_switch(struct feed *f, const struct sched_config *c, int64_t deadline);
void feed_close(struct feed *f);
/* Is it one of the planning engine's, which has a plan of whole nodes? */
bool feed_plans(const char *name);

/* One event at f->now; returns its code. */
int feed_event(struct feed *f, struct sched_event ev);
int feed_submit(struct feed *f, struct sched_job d);
int feed_finish(struct feed *f, uint64_t id);
int feed_start(struct feed *f, uint64_t id, const struct nodeset *nodes);
int feed_block(struct feed *f, uint64_t id, const struct nodeset *nodes, int64_t start,
	       int64_t end);

/* Follow all actions; returns how many starts were made (or held). */
int feed_drain(struct feed *f);
/* Go to this time, say so and drain. */
void feed_at(struct feed *f, int64_t now);

/* A job without a deadline; submit and priority can be set afterwards. */
struct sched_job feed_job(uint64_t id, int32_t width, int64_t limit);
/* With one. */
struct sched_job feed_deadline(uint64_t id, int32_t width, int64_t limit, int64_t deadline);

/* Planned or real start and end of a job; -1: unknown. */
int64_t feed_starts(struct feed *f, uint64_t id);
int64_t feed_ends(struct feed *f, uint64_t id);

/* The nodes with the bits of the mask; the caller's. */
struct nodeset *feed_nodes(uint32_t size, uint64_t mask);

#endif
