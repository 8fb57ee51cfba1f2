/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gang_hand: a driver of a scheduler whose jobs take turns, for tests that tell it by hand what happens. It does what
 * is wanted, or refuses, and checks that no node is used by two jobs that run.
 */
#ifndef PACT_TEST_GANG_HAND_H
#define PACT_TEST_GANG_HAND_H

#include "core/sched.h"

#define NODES 4
#define IDS 64

/* What a driver knows of a job. */
struct known {
	bool waits, started, runs, changed;
	bool leaves, asked; /* it is asked to leave its nodes, and was */
	bool halted;	    /* it was suspended by hand */
	int64_t stopped;    /* when it was suspended last */
	struct nodeset *at;
};

struct world {
	struct sched *s;
	int64_t now, wake;
	struct known job[IDS];
	int refuse;	 /* one action in so many; 0: none */
	uint64_t barred; /* starts of these are refused, a bit each */
	int hasty;	 /* so many were resumed at the instant that they were suspended at */
	bool deadlines;	 /* some jobs have one, or get one */
	/* Of each node: since when it cleans up after a job, and nothing starts there; 0: it does not. Nothing may be asked to within
	 * `lateness`. */
	int64_t cleans[NODES], lateness;
	int64_t slow;	/* so long takes the driver over each turn */
	char said[512]; /* the actions of the last drain, a letter each and the id */
};

/* Nodes by the bits of a number. To be destroyed. */
struct nodeset *set_of(uint64_t mask);
uint64_t mask_of(const struct nodeset *s);

/* A scheduler of that name, with these settings, or with keys and values up to a NULL. */
void open_with(struct world *w, const char *name, const struct sched_config *c);
void open_world(struct world *w, const char *name, const char *const *settings);
void close_world(struct world *w);

/* Now. RET what the scheduler says */
int tell(struct world *w, struct sched_event ev);
/* All that is wanted now is done. */
void drain(struct world *w);
/* Everything up to that instant, and the instant itself, is over. */
void go(struct world *w, int64_t to);
struct sched_job job_of(uint64_t id, int32_t width);
int submit(struct world *w, struct sched_job d);
/* Something happens to a job that was not asked for, on those nodes (0: on its own). */
void by_hand(struct world *w, enum sched_event_type type, uint64_t id, uint64_t mask);
/* It is suspended by hand, or not any more, and has its turns again. */
void halt(struct world *w, uint64_t id, bool halted);
/* It was asked to leave its nodes, and has. */
void vacate(struct world *w, uint64_t id);

#endif
