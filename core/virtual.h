/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * virtual: one policy's full schedule (paper 001, section 3.2): every waiting job in the policy's order at
 * its earliest fit around the holds, as from an empty plan. Internal to core.
 *
 * A schedule is kept from step to step, and a step places anew only what may have moved: what stands
 * behind the first seat that a change concerns. `fresh` seats from the front are as a schedule made from
 * nothing would have them, at the time of the last virtual_update().
 *
 * On a machine of one class, where a request is but a width and a duration, places are found in a `fill`,
 * and only seats that may move are placed anew: those that what has changed so far concerns. Else they are
 * found in a plan, and all behind the first such seat are placed anew.
 * Invariant: while based, plan = holds and all seats that have a place.
 */
#ifndef PACT_CORE_VIRTUAL_H
#define PACT_CORE_VIRTUAL_H

#include "board.h"
#include "fill.h"

struct sched;

/* Times [from, until); none when from >= until. */
struct hull {
	int64_t from, until;
};

struct virtual
{
	struct board board;
	struct plan *plan;
	struct fill *fill;
	bool filled;   /* fill has the holds as they are now and the first `taken` seats */
	bool shuffled; /* seats were exchanged: every one is to be placed anew */
	size_t taken;
	uint64_t listing; /* the machine's, for which plan and shares count */
	size_t fresh;
	bool based; /* plan has the holds as they are now, not only as they were */
	/* since the last update there is more or less room within; `gone` is what left seats had */
	struct hull gain, loss, gone;
};

/* 0 or -1: no memory. */
int virtual_init(struct virtual *v, const struct sched *s, enum dynp_order order,
		 enum dynp_priority priority);
void virtual_release(struct virtual *v);

/* A job waits from now on. 0 or -1: no memory, no effect. */
int virtual_join(struct virtual *v, struct job *j);

/*
 * A job waits no longer. `as`: it became a hold with just these shares until just this end (its start
 * does not matter); NULL: it is gone, or what it holds is told with virtual_room().
 */
void virtual_leave(struct virtual *v, const struct job *j, const struct placement *as, int64_t now);

/* Room in [from, until) became more (sign 1), less (-1), or both (0). */
void virtual_room(struct virtual *v, int64_t from, int64_t until, int sign);

/* Keys of the order changed. */
void virtual_resort(struct virtual *v);

/*
 * Make it the schedule that the policy makes now. `base`: the holds, on a machine of one class; else NULL.
 * 0 or -1: no memory; to be called again then.
 */
int virtual_update(struct virtual *v, struct sched *s, const struct fill *base);

/* Make p the holds and all seats, right after an update with this base. 0 or -1: no memory. */
int virtual_copy(struct virtual *v, struct plan *p, const struct sched *s, const struct fill *base);

size_t virtual_bytes(const struct virtual *v);

#endif
