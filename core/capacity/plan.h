/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: what is free in each class of a machine over time, and where requests fit.
 *
 * A plan is one profile per class. It does not own jobs: what places one keeps the placement and may
 * take it out again, in any order. Taking out exactly what was put in restores the plan to the step.
 *
 * A request names the nodes it could use as up to SCHED_MAX_ALT alternative regions (partitions) and
 * gets all its nodes within one of them.
 */
#ifndef PACT_CORE_PLAN_H
#define PACT_CORE_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/capacity/machine.h"
#include "core/capacity/profile.h"
#include "core/base/limits.h"

/* start + duration in seconds, neither negative; for ever when that is later than every time. */
static inline int64_t plan_end(int64_t start, int64_t duration)
{
	return duration > PACT_FOREVER - 1 - start ? PACT_FOREVER : start + duration;
}

struct request {
	int32_t width;
	uint32_t nalt;	  /* >= 1 */
	int64_t duration; /* PACT_FOREVER: no limit */
	int64_t not_before;
	struct region *required; /* every node of it must be among the job's; or NULL */
	struct region *alt[SCHED_MAX_ALT];
};

/* n nodes of class cls. */
struct share {
	uint32_t cls;
	int32_t n;
};

/*
 * Where a request was put: [start, end) on shares. start == PACT_FOREVER: nowhere. One share is kept
 * in place, more in memory of its own.
 */
struct placement {
	int64_t start, end;
	uint32_t alt;
	uint32_t nshare;
	union {
		struct share one;
		struct share *many;
	} u;
};

/* An empty placement; to be called before the first use. */
static inline void placement_init(struct placement *p)
{
	*p = (struct placement){ .start = PACT_FOREVER, .end = PACT_FOREVER };
}

/* Free what it holds and make it empty. */
static inline void placement_clear(struct placement *p)
{
	if (p->nshare > 1)
		free(p->u.many);
	placement_init(p);
}

/* dst takes over src, which becomes empty; what dst held is freed. */
void placement_move(struct placement *dst, struct placement *src);
/* dst, whatever it held, becomes equal to src. 0, or -1: no memory, dst is empty then. */
int placement_copy(struct placement *dst, const struct placement *src);
static inline const struct share *placement_shares(const struct placement *p)
{
	return p->nshare > 1 ? p->u.many : &p->u.one;
}

static inline bool placement_none(const struct placement *p)
{
	return p->start == PACT_FOREVER;
}

/* Are both the same, of nodes of one class at most? Those of several are not compared. */
static inline bool placement_same(const struct placement *a, const struct placement *b)
{
	return a->start == b->start && a->end == b->end && a->alt == b->alt &&
	       a->nshare == b->nshare &&
	       (!a->nshare ||
		(a->nshare == 1 && a->u.one.cls == b->u.one.cls && a->u.one.n == b->u.one.n));
}

/* Its members are plan.c's own; they stand here for the functions below that are asked most often. */
struct plan {
	const struct machine *machine;
	uint32_t classes, room;
	bool stale;
	struct profile **cls;
	struct profile_change *change; /* room for plan_build(), half of it scratch */
	size_t change_room;
	size_t *first; /* per class, where its starts and ends go */
	size_t first_room;
};

/* A plan over the machine's present classes, all nodes free from `origin` on. NULL: no memory. */
struct plan *plan_create(const struct machine *m, int64_t origin);
void plan_destroy(struct plan *p);

/* Make dst equal to src (same machine). 0, or -1: no memory, dst is then stale. */
int plan_copy(struct plan *dst, const struct plan *src);

/* Start over with the machine's present classes. 0, or -1: no memory, it is then stale. */
int plan_reset(struct plan *p, int64_t origin);

static inline struct profile *plan_profile(const struct plan *p, uint32_t cls)
{
	return p->cls[cls];
}

static inline uint32_t plan_classes(const struct plan *p)
{
	return p->classes;
}

/* Forget what lies before t. */
void plan_advance(struct plan *p, int64_t t);

/*
 * The earliest start >= from (and >= not_before) at which the request fits, no later than `latest`
 * (PACT_FOREVER: any). *out gets the placement; it must be initialised and what it held is freed.
 * Nothing is put into the plan. 0; 1 when there is no such start (*out is then empty); -1: no memory.
 * Among alternatives the earliest start wins, then the first named.
 */
int plan_earliest(const struct plan *p, const struct request *r, int64_t from, int64_t latest,
		  struct placement *out);

/*
 * A plan is stale when memory was short in the middle of a change to it: what is in it no longer counts,
 * and it takes no changes (they fail) until it is made anew by a reset, a copy or a build. So code that keeps a
 * plan in step with placements may leave a failed change alone, and ask later.
 */
static inline bool plan_stale(const struct plan *p)
{
	return p->stale;
}

void plan_make_stale(struct plan *p);

/* delta more nodes of a class are free during [start, end). 0 or -1: no memory, the plan is stale. */
int plan_add(struct plan *p, uint32_t cls, int64_t start, int64_t end, int32_t delta);

/* Is all of a placement that lies from `from` on free? Not for an empty one, or without shares. */
bool plan_has_room(const struct plan *p, const struct placement *at, int64_t from);

/* Put a placement in (sign -1) or take it out (sign +1). 0 or -1: no memory, the plan is stale. */
int plan_apply(struct plan *p, const struct placement *at, int sign);
#define plan_put(p, at) plan_apply((p), (at), -1)
#define plan_take(p, at) plan_apply((p), (at), +1)

/*
 * plan_earliest() with no latest start, and put in at once if it ends by `by`. 0; 1: it does not, *out has
 * the place, which is not put in, or is empty; -1: no memory.
 */
int plan_place(struct plan *p, const struct request *r, int64_t from, int64_t by,
	       struct placement *out);

/*
 * dst = src with n placements put in (sign -1) or taken out (sign +1), in one sweep: O(steps + n log n)
 * with a small constant. dst is another plan over the same machine. 0 or -1: no memory, dst is then stale.
 */
int plan_build(struct plan *dst, const struct plan *src, const struct placement *const *at,
	       size_t n, int sign);

size_t plan_bytes(const struct plan *p);

#endif
