/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * desk: what one arrangement of the waiting jobs is worked out with, so that the jobs themselves are only
 * read: several may be at work at once, each at a desk of its own (figure3.c). Internal to core.
 *
 * The partial schedule is `trial`; where it has a job is noted under the job's index in the queue (new jobs
 * have one behind it, see search_init()). Between two arrangements nobody is touched and every place is empty.
 */
#ifndef PACT_CORE_DESK_H
#define PACT_CORE_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "order.h"
#include "plan.h"

struct desk {
	struct plan *trial;
	struct plan *spare;   /* what trial becomes; nothing in it counts */
	struct placement *at; /* where the arrangement puts a job, while touched */
	bool *touched;

	/* scratch of one entry per job, for whoever needs some */
	struct order_item *items; /* twice as many */
	struct job **todo, **placed;
	const struct placement **places;
	uint64_t *left; /* a bit for each, twice */
	size_t room;
};

/* Room for n jobs, and the plans if there are none yet. 0, or -1: no memory, what there was is as it was. */
int desk_fit(struct desk *d, const struct machine *m, size_t n);
/* Nobody is touched. */
void desk_release(struct desk *d);
size_t desk_bytes(const struct desk *d);

/* The job's place of its own on the desk. */
static inline struct placement *desk_at(const struct desk *d, const struct job *j)
{
	return &d->at[j->slot];
}

/* Where the arrangement has it: there or, untouched, where it was. */
static inline const struct placement *desk_where(const struct desk *d, const struct job *j)
{
	return d->touched[j->slot] ? &d->at[j->slot] : &j->place;
}

static inline void desk_touch(struct desk *d, const struct job *j)
{
	d->touched[j->slot] = true;
}

/* As if it had never been on the desk. */
static inline void desk_forget(struct desk *d, const struct job *j)
{
	placement_clear(&d->at[j->slot]);
	d->touched[j->slot] = false;
}

/*
 * The job's place becomes that of the desk, which forgets it. Mostly that is its place already, and a job is
 * written only where it changes: other processors have it in their caches.
 */
static inline void desk_move(struct desk *d, struct job *j)
{
	struct placement *at = &d->at[j->slot];

	if (placement_same(at, &j->place))
		placement_init(at);
	else
		placement_move(&j->place, at);
	d->touched[j->slot] = false;
}

#endif
