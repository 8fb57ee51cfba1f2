/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fill: the free capacity of one class of nodes over time while a schedule is made. Internal to core.
 *
 * A step function as in profile.h, but room is only taken, never given back, until fill_open() begins
 * anew. That makes a placement several times cheaper: where no window was for a width and a duration,
 * none will be, and what a search found in vain is remembered for all later ones. Neighbouring steps may be
 * equal.
 *
 * Costs: a placement O(steps in it / 16 + log), in practice; a search may look in vain into any block of 64
 * steps, but not again for the like.
 */
#ifndef PACT_CORE_FILL_H
#define PACT_CORE_FILL_H

#include "core/capacity/profile.h"

struct fill;

/* NULL: no memory. Nothing is free until fill_open() or fill_copy(). */
struct fill *fill_create(void);
void fill_destroy(struct fill *f);

/* The room that a profile has now. 0, or -1: no memory, f is unusable until this works. */
int fill_open(struct fill *f, const struct profile *p);

/* Make dst equal to src. 0, or -1 as above. */
int fill_copy(struct fill *dst, const struct fill *src);

/*
 * Take `width` nodes (>= 1) at the earliest start >= from at which they are free for `duration` (>= 1;
 * PACT_FOREVER: until the end of time): *start, or PACT_FOREVER when there is none and nothing is taken.
 * 0, or -1 as above.
 */
int fill_place(struct fill *f, int64_t from, int64_t duration, int32_t width, int64_t *start);

/*
 * What a fill_place() would do that is known to find `start`, which is not before `from` and the first step.
 * 0, or -1 as above.
 */
int fill_place_at(struct fill *f, int64_t from, int64_t duration, int32_t width, int64_t start);

/* Take `width` nodes in [start, end), free or not. Times before the first step are cut off. 0, or -1. */
int fill_take(struct fill *f, int64_t start, int64_t end, int32_t width);

/* Make p equal to f, but for the machine's size, which it keeps of `like`. 0, or -1: no memory. */
int fill_close(struct fill *f, struct profile *p, const struct profile *like);

size_t fill_bytes(const struct fill *f);

#endif
