/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planner: what the planning engine knows, shared by the files that make it up. Internal to core.
 *
 * The queue holds the waiting jobs, in the order of their arrival or of their planned starts; no module
 * counts on either, but what is nearly in order is sorted faster. `plan` is the base plan (holds) plus
 * the placements of the waiting jobs that have one; a job's placement is in `plan` exactly when its
 * place is not empty and has shares. It is the base plan itself for a policy that keeps no placements:
 * those that a pass makes are out of it again when the pass is over, or have become holds. Other
 * arrangements are made in a trial (trial.h).
 */
#ifndef PACT_CORE_PLANNER_H
#define PACT_CORE_PLANNER_H

#include "core/planning/state/agenda.h"
#include "core/planning/state/trial.h"
#include "core/planning/state/holds.h"
#include "core/planning/state/news.h"
#include "core/planning/state/job.h"
#include "core/capacity/machine.h"
#include "core/planning/state/order.h"
#include "core/capacity/plan.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"
#include "core/kernel/protocol.h"
#include "core/base/freelist.h"
#include "core/base/table.h"
#include "core/kernel/engine.h"
#include "core/planning/state/plan_policy.h"

struct standing; /* planning.h */
struct claims;	 /* likewise */

struct queue {
	struct job **v;
	size_t n, room; /* v has holes (NULL) until queue_pack() */
	size_t holes;
	size_t begins;	/* so many jobs have a begin time */
	size_t opaques; /* so many are opaque */
};

/* A part of a class set aside for a time while an opaque job is being started. */
struct start_reserve {
	uint32_t cls;
	int64_t start, end;
};

/*
 * A member that is added here and outlives a pass has to be told by save.c, unless what is made from that
 * does without: `compressed`, false there, lets the first compression look at everything.
 */
struct planner {
	const struct plan_policy *policy;
	void *own; /* what the policy keeps */
	size_t own_bytes;
	struct sched_config config;
	struct machine *machine;
	uint64_t generation; /* of the machine: the plans count for this one */
	uint32_t classes;    /* how many classes the machine had in that generation */
	uint32_t *class_of;
	struct holds *holds;
	struct plan *plan;
	struct table *jobs; /* waiting, by id */
	struct queue queue;
	struct freelist freed_jobs;  /* jobs that left */
	struct freelist freed_lists; /* of submissions of one job */
	struct agenda agenda;
	int64_t now;

	bool dirty;	 /* something happened since the last pass began */
	bool loosened;	 /* room appeared: compress */
	bool compressed; /* compress.c's own: only early ends gave room since the last compression */
	int64_t freed;	 /* compress.c's own: all that room lies before this time */
	bool tightened;	 /* placements may collide: repair */
	bool stale;	 /* memory was short in the middle of something: see stale() */
	bool promised;	 /* some job was, once: else no job need be looked at */
	struct news news;

	bool in_pass;
	int64_t pass_now;  /* when it began */
	struct job **list; /* the pass's order; holes where a job left */
	size_t list_n, cursor;

	struct job *starting; /* its ACT_START is out */
	int64_t start_end;    /* the end that was promised to the plan with it */
	struct nodeset *allowed;
	bool allowing; /* there may be nodes in it */
	struct start_reserve *start_reserve;
	size_t start_reserve_n, start_reserve_room;

	/* room for one entry per job and the new ones */
	struct trial trial; /* has as much room as the arrays */
	size_t scratch_room;
	struct job **order,
		**sorted;   /* the waiting jobs; in a search, as search_sort() leaves them */
	struct job **fresh; /* the new ones, as search_fresh() leaves them */

	struct decided decided;
	struct standing *standing; /* for views: view.c */
	struct claims *claims; /* for an engine beside this one: claims.c; NULL: not asked yet */
	bool told;	       /* ACT_WAKE was given since the last event */
	bool recalled;	       /* its state was taken in: save.c */
	struct call call;
};

/* ---- planner.c ---- */

/*
 * task(ctx, 0) to task(ctx, n - 1), side by side if the driver can (sched_config.together). A task writes
 * nothing that another one of them reads or writes, and allocates but its own. Handing one over takes about
 * a microsecond: for more than that.
 */
static inline void planner_together(const struct planner *s, void (*task)(void *ctx, size_t i),
				    void *ctx, size_t n)
{
	if (s->config.together) {
		s->config.together(s->config.together_arg, task, ctx, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		task(ctx, i);
}

/* Room for n waiting jobs in all in the scratch arrays. 0 or -1. */
int planner_scratch_grow(struct planner *s, size_t n);
static inline int planner_scratch(struct planner *s, size_t n)
{
	if (n <= s->scratch_room)
		return 0;
	return planner_scratch_grow(s, n);
}
/* s->call.error says what is wrong of which job or hold; returns the code. */
int planner_fail(struct planner *s, int code, const char *what, uint64_t id);

/*
 * Was memory short in the middle of something, so that the plan may not be what the holds and the places
 * say? repair() makes it anew from these. What fails notes s->stale, or leaves a stale plan.
 */
static inline bool stale(const struct planner *s)
{
	/* the plan of a policy that keeps no places is the holds' one */
	return s->stale || plan_stale(s->plan) ||
	       (s->policy->keeps && plan_stale(holds_base(s->holds)));
}

/* ---- queue.c ---- */

/* Pack the queue: no holes; and the same only when they are more than the jobs: O(1) per removal. */
void queue_pack(struct queue *q);
void queue_trim(struct queue *q);
int queue_push(struct queue *q, struct job *j);
void queue_remove(struct queue *q, struct job *j);

/* ---- job.c ---- */

/* Is the driver's description of a job well formed? s->call.error says what is not. */
bool job_valid(struct planner *s, const struct sched_job *d);
/* A job as the driver described it, valid, in no list yet; NULL: no memory. */
struct job *job_create(struct planner *s, const struct sched_job *d);
void job_destroy(struct planner *s, struct job *j);

#endif
