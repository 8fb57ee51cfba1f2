/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial: what one arrangement of the waiting jobs is worked out with, so that the jobs themselves are only
 * read until it is taken. Internal to core.
 *
 * The partial schedule is `plan`; where it has a job is noted under the job's index in the queue (new jobs
 * have one behind it, see search_init()). Between two arrangements no job is touched and every place is empty.
 */
#ifndef PACT_CORE_TRIAL_H
#define PACT_CORE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/planning/state/job.h"
#include "core/planning/state/order.h"
#include "core/capacity/plan.h"

struct trial {
	struct plan *plan;
	struct placement *at; /* where the arrangement puts a job, while touched */
	bool *touched;

	/* scratch of one entry per job, for any code that needs some */
	struct order_item *items; /* twice as many */
	struct job **todo, **placed;
	const struct placement **places;
	bool *listed;
	size_t room;
};

/* Room for n jobs, and the plans if there are none yet. 0, or -1: no memory, what there was is as it was. */
int trial_fit(struct trial *d, const struct machine *m, size_t n);
/* No job is touched. */
void trial_release(struct trial *d);
size_t trial_bytes(const struct trial *d);

/* The job's place of its own in the trial. */
static inline struct placement *trial_at(const struct trial *d, const struct job *j)
{
	return &d->at[j->slot];
}

/* Where the arrangement has it: there or, untouched, where it was. */
static inline const struct placement *trial_where(const struct trial *d, const struct job *j)
{
	return d->touched[j->slot] ? &d->at[j->slot] : &j->place;
}

static inline void trial_touch(struct trial *d, const struct job *j)
{
	d->touched[j->slot] = true;
}

/* As if it had never been in the trial. */
static inline void trial_forget(struct trial *d, const struct job *j)
{
	placement_clear(&d->at[j->slot]);
	d->touched[j->slot] = false;
}

/* The job's place becomes that of the trial, which forgets it. */
static inline void trial_move(struct trial *d, struct job *j)
{
	placement_move(&j->place, &d->at[j->slot]);
	d->touched[j->slot] = false;
}

#endif
