/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world: a random cluster and a random driver for the core, with a model of every node of its own. The
 * model knows nothing of profiles, classes or plans: it has bit masks of nodes, what runs on them and
 * until when, and asks the core's answers and views whether they can be true.
 *
 * A lossless world never takes a node away from the plan, never lets a job outlive its limit by more
 * than guard - lateness, and answers starts at most `lateness` late. In it no promise may ever break.
 */
#ifndef PACT_TEST_WORLD_H
#define PACT_TEST_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"

#define WORLD_NODES 40
#define WORLD_SETS 12
#define WORLD_JOBS 160

enum wstate { W_FREE, W_WAITS, W_RUNS, W_BLOCKS };

struct wjob {
	enum wstate state;
	struct sched_job d; /* the terms in force; its node sets are the world's */
	uint64_t alt_mask[SCHED_MAX_ALT], required_mask;
	bool broken;	  /* ACT_BROKEN was the last word */
	bool failed;	  /* the last try to start it failed */
	uint64_t mask;	  /* nodes it has */
	int64_t duration; /* limit + guard when it was submitted */
	int64_t start, real_end;
	struct sched_view before; /* at the last world_look() */
	enum sched_wait before_why;
};

struct world {
	uint64_t first_seed, seed, hash;
	uint64_t step;
	bool lossless, taking; /* taking: something is lost, promises may break */
	bool plain;	       /* the scheduler is fcfs or easy: it knows no unconfirmed jobs */
	bool tuning; /* the scheduler is dynp: jobs without promises move as its policy says */
	const bool *
		shaken; /* memory was short in this step: the plan was made anew. NULL: it never is */
	bool forget;	/* dynp makes all schedules from nothing after every event */
	uint32_t nodes;
	const char *scheduler;
	struct sched *s;
	struct sched_config c;
	int64_t now, wake;
	bool alone;  /* nothing is submitted while a start is being made */
	bool prompt; /* starts are answered at once, and succeed if they may */
	uint64_t next_id;
	uint32_t sets;
	uint64_t set_mask[WORLD_SETS];
	struct nodeset *set[WORLD_SETS];
	struct nodeset *scratch;
	struct wjob job[WORLD_JOBS];
	size_t njobs; /* slots ever used */
	int64_t drain_start;
	struct sched_decision decision; /* the last answer seen */
	bool answered;
	uint64_t accepted, refused, offers, started, opaque_started, shortened, broken, mended,
		kept, switches;
};

void world_create(struct world *w, const char *scheduler, uint64_t seed, enum sched_mode mode,
		  bool lossless);
/* A world with dynp, in random settings. */
void world_create_tuning(struct world *w, uint64_t seed, bool lossless, bool forget);
void world_destroy(struct world *w);
/* One random thing happens, is followed to the end of the pass, and all is checked. */
void world_step(struct world *w);

/* ---- between world.c and world_check.c ---- */

/* Is nothing but what happened to be seen in the plan? */
static inline bool world_steady(const struct world *w)
{
	return !w->shaken || !*w->shaken;
}

uint64_t world_draw(struct world *w);
int64_t world_below(struct world *w, int64_t n);
uint64_t mask_of(const struct nodeset *s);
struct wjob *world_find(struct world *w, uint64_t id);
/* Stops the test, with the seed and step. */
void world_fail(const struct world *w, const char *what, uint64_t id);
#define world_check(w, truth, id) ((truth) ? (void)0 : world_fail((w), #truth, (id)))

/* Remember every view; and: is every view as remembered? */
void world_look(struct world *w);
void world_unchanged(struct world *w);
/* No job without a promise is pushed past its artificial deadline or its planned end at the last look. */
void world_not_starved(struct world *w);
/* No planned start is later than at the last look; only promised jobs if `promised`. */
void world_not_later(struct world *w, bool promised);
/* May the action's nodes really be used by that job? */
void world_check_start(struct world *w, const struct wjob *j, const struct sched_action *a);
/* The plan is the holds and the placements: at all times but while an opaque job is being started. */
void world_check_plan(const struct world *w);
/* All that must hold when the core has nothing left to do. */
void world_check_quiet(struct world *w);

#endif
