/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule: one policy's full schedule (dynP, section 3.2): every waiting job in the policy's order at
 * its earliest fit around the holds, as from an empty plan. Internal to core.
 *
 * A schedule is kept from step to step, and a step places anew only what may have moved: what stands
 * behind the first assignment that a change concerns. `fresh` assignments from the front are as a schedule made from
 * nothing would have them, at the time of the last schedule_update().
 *
 * On a machine of one class, where a request is but a width and a duration, places are found in a `fill`,
 * and only assignments that may move are placed anew: those that what has changed so far concerns. Else they are
 * found in a plan, and all behind the first such assignment are placed anew.
 * Invariant: while based, plan = holds and all assignments that have a place.
 */
#ifndef PACT_CORE_SCHEDULE_H
#define PACT_CORE_SCHEDULE_H

#include "core/base/hull.h"
#include "core/policies/dynp/sorted_queue.h"
#include "core/capacity/fill.h"

struct planner;

struct schedule {
	struct sorted_queue sorted;
	struct plan *plan;
	struct fill *fill;
	bool filled;   /* fill has the holds as they are now and the first `taken` assignments */
	bool shuffled; /* assignments were exchanged: every one is to be placed anew */
	size_t taken;
	uint64_t listing; /* the machine's, for which plan and shares count */
	size_t fresh;
	bool based; /* plan has the holds as they are now, not only as they were */
	/* since the last update there is more or less room within; `gone` is what left assignments had */
	struct hull gain, loss, gone;
};

/* 0 or -1: no memory. */
int schedule_init(struct schedule *v, const struct planner *s, enum dynp_order order,
		  enum dynp_priority priority);
void schedule_release(struct schedule *v);

/* A job waits from now on. 0 or -1: no memory, no effect. */
int schedule_join(struct schedule *v, struct job *j);

/*
 * A job waits no longer. `as`: it became a hold with just these shares until just this end (its start
 * does not matter); NULL: it is gone, or what it holds is told with schedule_room().
 */
void schedule_leave(struct schedule *v, const struct job *j, const struct placement *as,
		    int64_t now);

/* Room in [from, until) became more (sign 1), less (-1), or both (0). */
void schedule_room(struct schedule *v, int64_t from, int64_t until, int sign);

/* Keys of the order changed. */
void schedule_resort(struct schedule *v);

/*
 * Make it the schedule that the policy makes now. `base`: the holds, on a machine of one class; else NULL.
 * 0 or -1: no memory; to be called again then.
 */
int schedule_update(struct schedule *v, struct planner *s, const struct fill *base);

/* Make p the holds and all assignments, right after an update with this base. 0 or -1: no memory. */
int schedule_copy(struct schedule *v, struct plan *p, const struct planner *s,
		  const struct fill *base);

size_t schedule_bytes(const struct schedule *v);

#endif
