/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fill_nodes: what a fill is made of, see fill.c, and the search in it (fill_search.c). Internal to fill.
 *
 * Blocks of steps, in groups of blocks; every SPAN groups are a range. Groups stay where they were made:
 * `order` has them in order of time, with what a walk over them asks for.
 *
 * A block that a job covers whole is changed by `add` alone. `most` is never less than what is free
 * anywhere in a block, group or range; it is made exact only by a search that found nothing there.
 *
 * What searches found in vain, per class of widths: no window for `width` nodes or more begins in this
 * block (group, range) and lasts longer than `longest` seconds. A window that begins before the block and
 * covers its first moment counts from there. It stays true as room is only taken, and halves of a split
 * block inherit it. It counts for wider classes, too: so classes are narrow, and what is learnt is told to
 * those above that know less. Ranges forget when groups move: that is seldom. Of classes that have not
 * been asked for there is nothing but room: `classes` is how many have been made. Without all this a step of
 * dynP takes 14 times as long with 10,000 waiting jobs (bench/dynp: 84 ms instead of 6.1), and 20 steps with
 * 100,000, their reference too, more than 200 s instead of 20.
 */
#ifndef PACT_CORE_FILL_NODES_H
#define PACT_CORE_FILL_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/capacity/fill.h"
#include "core/base/steps.h"

/* The unit tests build a copy with tiny nodes, to have many. */
#ifndef FILL_STEPS
#define FILL_STEPS 64 /* at most, the bits of a mask; a multiple of 16 */
#define FILL_BLOCKS 32
#endif
#define STEPS FILL_STEPS
#define OPENED (STEPS * 5 / 8) /* steps per block that fill_open() makes: those to come find room */
#define SMALL (STEPS * 7 / 8) /* steps that fill_open() puts into one block, if there are no more */
#define BLOCKS FILL_BLOCKS
#define GROUPED (BLOCKS * 5 / 8) /* the same for blocks */
#ifndef FILL_SPAN
#define FILL_SPAN 16
#endif
#define SPAN FILL_SPAN
#define CLASSES 96
#define NOTHING (INT32_MIN / 2) /* free in the unused steps of a block */
#define ENDLESS INT32_MAX	/* `longest`: nothing is known */

struct vain {
	int32_t width, longest;
};

struct block {
	int64_t time[STEPS]; /* each step lasts until the next, the last until the next block; */
	int32_t free[STEPS]; /* without add; PACT_FOREVER and NOTHING behind the last */
	uint32_t count;
	int32_t add;
};

struct group {
	uint32_t count;
	int64_t first[BLOCKS];
	int32_t top[BLOCKS]; /* each block's `most` */
	uint32_t block[BLOCKS];
	struct vain known[CLASSES][BLOCKS]; /* the blocks': a search runs along one row */
};

/* A group's place in the order of time. */
struct place {
	int64_t first;
	int32_t most;
	uint32_t group;
};

struct range {
	int32_t most;
	struct vain vain[CLASSES];
};

struct spot {
	uint32_t g, c, i; /* group, block in it, step in that */
};

/*
 * A search from `from` on for such a window found the first at `start`, in this age of the fill. For speed alone: dynP
 * takes 1.4 times as long without (pact-sim run, the first 10,000 jobs of CTC with --shrink 0.3: 8.3 for 5.7 s, user).
 */
struct found {
	int64_t from, duration, start;
	int32_t width;
	uint32_t age;
	struct spot at; /* where that was then; it can but have moved to later ones */
};

#define FOUND_BITS 7

struct fill {
	struct group *group; /* in the order of their making */
	struct place *order;
	struct vain *vain; /* the groups', in order of time: a row of group_room for each class */
	uint32_t groups, group_room;
	struct range *range; /* for group_room / SPAN + 1 */
	int classes;
	struct block *block; /* in the order of their making */
	uint32_t blocks, block_room;
	struct profile_step *step; /* scratch: a whole profile */
	size_t step_room;
	uint32_t age; /* grows when room is given back */
	struct found found[1 << FOUND_BITS];
};

static inline struct vain *vain_row(const struct fill *f, int k)
{
	return &f->vain[(size_t)k * f->group_room];
}

static inline struct group *group_at(const struct fill *f, uint32_t g)
{
	return &f->group[f->order[g].group];
}

static inline struct block *block_at(const struct fill *f, const struct spot *at)
{
	return &f->block[group_at(f, at->g)->block[at->c]];
}

/* Where the block ends. */
static inline int64_t block_end(const struct fill *f, const struct spot *at)
{
	const struct group *g = group_at(f, at->g);

	if (at->c + 1 < g->count)
		return g->first[at->c + 1];
	return at->g + 1 < f->groups ? f->order[at->g + 1].first : PACT_FOREVER;
}

static inline int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* What follows the lowest run of bits, and where that ends. */
static inline uint64_t cut_run(uint64_t bits, uint32_t *stop)
{
	uint64_t above = (bits | (bits - 1)) + 1;

	*stop = above ? (uint32_t)__builtin_ctzll(above) : STEPS;
	return bits & above;
}

/*
 * The first window from `from` on, which is in the step at `at`, or before the first of all. False: there is
 * none; else where it begins, and the step that holds that.
 */
bool fill_search(struct fill *f, int64_t from, int64_t duration, int32_t width, struct spot at,
		 int64_t *begin, struct spot *first);

#endif
