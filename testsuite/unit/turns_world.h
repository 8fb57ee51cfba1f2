/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns_world: a Slurm that is played to the bridge's thread, of one partition whose jobs take turns. Slices are of a second, and
 * seconds are short here. In no test do two jobs ever run on a node at once, nor does the thread sleep with anything locked,
 * or plan with slurmctld's locks.
 */
#ifndef PACT_TEST_TURNS_WORLD_H
#define PACT_TEST_TURNS_WORLD_H

#include "slurm/acting/migrate.h"
#include "slurm/agent/agent.h"
#include "slurm/records/move.h"
#include "slurm/snapshot/snapshot.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

#define eventually(truth) eventually_within(120, truth)

/* ENDS: it is over, and its nodes are not clean yet. */
enum is { NOT_THERE, HELD, WAITS, RUNS, STOPPED, BY_HAND, ENDS };

#define JOBS 8
#define EVENTS 1000

/* With `world`. */
extern struct played {
	enum is is;
	struct nodeset *wants; /* any of these, */
	uint32_t width;	       /* so many */
	struct nodeset *on;
	int64_t start;
	int64_t switched;     /* since when it is stopped, or runs again; 0: it never was */
	int begun;	      /* so often it was started or resumed */
	int64_t limit;	      /* of its time of running; 0: a long one */
	int64_t end;	      /* by that */
	int64_t warning;      /* it wants to be warned so long before, and was not; or 0 */
	int warned;	      /* so often it was, */
	int64_t warned_after; /* so long after it had begun to run, */
	int64_t warned_next;  /* before the next turns, */
	int64_t warned_left;  /* and before its end */
	bool leaves;
	struct move move;
	int asked; /* so often it was asked to leave */
	bool lost; /* it has left as it was asked to, and its record does not say so: it is not on its node, */
	bool gone;  /* or that has cleaned up after it */
	int sought; /* so often its node was asked for it */
} jobs[JOBS];

/* What becomes of that. */
extern enum migrate_rc asking;

/* What Slurm was told to do. */
extern struct event {
	bool stop;
	uint32_t id;
	int64_t at; /* clock_us() */
} events[EVENTS];
extern _Atomic int nevents;

extern pthread_mutex_t world;
extern struct nodeset *all;  /* nodes */
extern struct nodeset *away; /* those that were, and answer again; taken over */
extern struct snap_resv reserved;
extern bool is_reserved;
extern _Atomic bool
	renumbers; /* right after each look at its records Slurm makes its table of nodes anew */
extern _Atomic bool registered; /* all nodes have, in this life of slurmctld */
extern _Atomic int64_t
	told_before; /* so many seconds at least before the next turns nodes were told again */
extern _Atomic int
	speed; /* the thread's clock, and its sleep, go so many times faster; it only grows */

enum is job_is(uint32_t id);
int begun(uint32_t id);
int told_again(uint32_t id);	 /* so often, */
int64_t told_first(uint32_t id); /* clock_us() of the first time since tell_anew(); 0: none */
void tell_anew(void);

/* A job becomes that, whatever it was. */
void put(uint32_t id, enum is is);

/* A job of the nodes from first to last. */
void submit(uint32_t id, uint32_t first, uint32_t last);

/* Both have had so many turns more. */
void take_turns(uint32_t a, uint32_t b, int more);

/* It runs for two slices, and nothing is done to it. */
void runs_alone(uint32_t id);

void sleep_slices(int n); /* of a second */
void lose(uint32_t node, bool lost);

/* pact.conf; and OverSubscribe=FORCE:n, or NO; and that the partition has the first n nodes. */
void configure(const char *text);
void update_partition(uint16_t n);
void update_nodes(uint32_t n);

/* Around each test: three rows and this pact.conf; RET 0. slurm_conf has the slice. */
int start_with(const char *text);
int start(void **state);
int stop(void **state);

/* All tests of a program, of that name. */
int run_turns(const char *name, const struct CMUnitTest *tests, size_t n);

#endif
