/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate_own: what the files of the simulation share. Internal to them. Errors are enum pact_err, with the reason. */
#ifndef PACT_SIM_RUN_SIMULATE_OWN_H
#define PACT_SIM_RUN_SIMULATE_OWN_H

#include "common/rng.h"
#include "sim/run/ends.h"
#include "sim/run/simulate.h"

/* A job of this instant's ends. */
struct ending {
	size_t job;
	struct nodeset *left; /* it goes on, but has left these; NULL: it has ended */
};

struct simulation {
	const struct sim_setup *setup;
	const struct workload *w;
	struct sim_outcome *out;
	struct sched *sched;
	struct sim_totals totals;

	struct ends ends;
	struct ends leaves; /* when jobs give nodes back; one that does not any more stays in it */
	struct rng answers;
	struct work **work; /* of jobs that are not simply at full rate; NULL: there are none */
	struct timeshare *shared; /* of jobs that share nodes; NULL: there were none so far */
	struct sim_shares own;	  /* what they had, where the caller does not keep it */
	struct ending *ending;	  /* jobs that end at this instant: gone, but not all told yet */
	size_t ending_size;
	size_t ending_next;
	size_t ending_room;
	size_t next_submit;
	size_t next_event;
	int64_t now;
	int32_t fine; /* microseconds after `now` */
	int64_t wake; /* the last one asked for stays in force until it comes */
	int64_t last_wake;
	int wakes_here; /* wake-ups in a row at one instant */
	int64_t free;
	size_t waiting;
	struct nodeset *busy;	    /* by jobs; NULL unless nodes are named */
	struct nodeset *may, *kept; /* scratch, likewise */
	bool looked;		    /* setup->look was called */
	bool again;		    /* the job just submitted was refused its deadline only */
	char *why;
	size_t why_size;
};

/* The error's text; returns the code. */
int sim_fail(struct simulation *s, int err, const char *what, uint64_t id);
/* Hand one event to the scheduler. */
int sim_feed(struct simulation *s, struct sched_event *ev);

/* ---- nodes and work ---- */

/* Now as it is told, rounded up; and in microseconds, for what is shared. */
static inline int64_t told_now(const struct simulation *s)
{
	return s->now + (s->fine > 0);
}

static inline int64_t fine_now(const struct simulation *s)
{
	return s->now * SIM_SECOND + s->fine;
}

/* Does the job hold nodes at present? */
static inline bool occupies(const struct work *w)
{
	return !w->suspended;
}

static inline struct work *work_at(const struct simulation *s, size_t job)
{
	return s->work ? s->work[job] : NULL;
}

/*
 * `width` nodes for the job out of those allowed: first of those in `keep` (NULL: none), then the lowest free
 * numbers; shared: whether they are free or not. The caller's; NULL: there are too few.
 */
struct nodeset *sim_choose_nodes(const struct simulation *s, const struct sim_job *job,
				 int32_t width, const struct nodeset *allowed,
				 const struct nodeset *keep, bool shared);

/* Its nodes are in use, or no more. */
void sim_occupy(struct simulation *s, const struct work *w);
void sim_vacate(struct simulation *s, const struct work *w);

/* From now on more happens to the job than its end. NULL: no memory. */
struct work *sim_work_of(struct simulation *s, size_t job);
/* What was changed holds from now on, and moves its end. */
int sim_work_changed(struct simulation *s, size_t job, int64_t lost);

/* What the action says of a job that is on these nodes and shares them. */
int sim_set_shares(struct simulation *s, const struct sched_action *a, const struct nodeset *nodes);
/* Why the machine of shared nodes refuses that. */
int sim_shares_failed(struct simulation *s, int err, uint64_t id);
/* Has it ended, or left nodes, and that is not told yet? */
bool sim_untold(const struct simulation *s, size_t job);

#endif
