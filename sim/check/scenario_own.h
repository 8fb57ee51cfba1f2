/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario_own: what the files of a scenario share. Internal to them. */
#ifndef PACT_SIM_CHECK_SCENARIO_OWN_H
#define PACT_SIM_CHECK_SCENARIO_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"
#include "sim/check/scenario.h"
#include "sim/run/simulate.h"
#include "sim/workload/workload.h"

#define MAX_JOBS 64
#define MAX_SETS 32
#define MAX_EVENTS 32
#define MAX_SHARES 128
#define MAX_RUNS 64
#define NAME 32

/* LATE: accepted, with nothing promised. WAIT: nothing was said of its deadline, as by a scheduler without promises. */
enum expect { EXPECT_QUEUE, EXPECT_ACCEPT, EXPECT_LATE, EXPECT_WAIT, EXPECT_REFUSE };

struct expected {
	enum expect decision;
	int64_t start;	 /* -1: never */
	int64_t end;	 /* -1: not compared */
	int64_t offer;	 /* refused: completion of the counter-offer; -1: not compared */
	int reason;	 /* refused: enum refuse_reason; -1: not compared */
	int64_t resizes; /* times that its width changes while it runs; -1: not compared */
	char note[64];	 /* the line's comment */
};

/* What a job's part has of a node once all is done that happens at a second. */
struct expected_share {
	int64_t at;
	uint32_t node;
	size_t job;
	int64_t part, of; /* of its processors; of == 0: it is not there */
};

/* What runs where, once all is done that happens at a second. */
struct expected_runs {
	int64_t at;
	struct nodeset *nodes[MAX_JOBS]; /* of the job at that place; NULL: it does not run */
};

struct named_set {
	char name[NAME];
	struct nodeset *nodes;
};

struct scenario {
	char scheduler[NAME];
	uint32_t nodes;
	bool named;
	bool may_wait;
	struct sched_config config;
	struct workload w;
	struct list64 speedup[MAX_JOBS]; /* of the job at that place, if it has one of its own */
	int64_t answer[MAX_JOBS];	 /* as in struct sim_setup */
	struct expected expect[MAX_JOBS];
	struct named_set set[MAX_SETS];
	size_t nsets;
	struct sim_event event[MAX_EVENTS];
	struct nodeset *event_nodes[MAX_EVENTS];
	size_t nevents;
	struct sim_node *node; /* NULL: all are alike */
	bool outlive;	       /* some jobs are not ended at their limits */
	struct expected_share share[MAX_SHARES];
	size_t nshares;
	struct expected_runs runs[MAX_RUNS];
	size_t nruns;
};

/* The reason of that name, enum refuse_reason; -1: there is none. */
int scenario_reason(const char *name);

#endif
