/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_tree: the inside of a profile, for its own files only. Few steps are kept in two plain arrays
 * (flat; profile_flat.c), more of them in a B+-tree in two arrays of nodes that refer to each other by
 * index, so that a copy is two memcpy() either way. All leaves of a tree have the same depth (height; 0:
 * the root is a leaf). A tree that has lost so many steps that half the array would do becomes flat. Trees from
 * 64 steps on, not 1024, take QoPS 2.2 times and conservative 1.8 times the instructions (1,500 jobs of the CTC log
 * at load 1.6, of a model at load 2). Without any tree a placement takes 1.7 times as long among 10^4 jobs and 6.2
 * times among 5 * 10^4 (bench/profile), and conservative 2.5 times with 36,000 waiting jobs. With 10^4 waiting
 * promised jobs (bench/admission) the paper's QoPS accepts in 2.2 and refuses in 1.3 times, dynP refuses in twice the
 * time; with as many ordinary ones, whose profile is used but a few times before it is replaced, the tree is what
 * costs: without it the paper's QoPS answers in 0.45 times the time, and QoPS with 3,600 waiting jobs of a model takes
 * 0.67 times.
 *
 * A leaf holds steps: each lasts until the next one's time, the last one until the next leaf's.
 * An inner node holds per child the first time, the least and the greatest value, what is still to be
 * added to all below it, and a filter for the search. What is added to many steps stays with the highest
 * nodes that lie within; what goes down a tree takes it along (profile_enter()), so that on its way
 * all is as it seems. The filter:
 *
 *   For LEVELS numbers of nodes (floor[], growing geometrically), upper bounds of how long that
 *   many are free without a break: at the child's beginning (head), at its end (tail), and
 *   anywhere in it (best). bound is the longest window that begins in the child: best, or tail
 *   plus the next one's head. A child that is free throughout counts as endless at both ends, so
 *   that a window over many children is never missed.
 *
 * Without it, the search for a narrow job in a full past would look at every hole that is too
 * short. With it, it enters a leaf only where the next lower level has a window long enough; of
 * several thousand leaves few. Bounds are floats: sums of lengths are off by less than
 * SLACK, and an upper bound that is too high costs time, never a wrong answer, which always comes
 * from the steps.
 *
 * A change only marks what the filter does not know any more (stale). A search looks into a stale child
 * whose greatest value is high enough, and has the filter learn it when it comes by again without a
 * change between (seen): most of what a plan's changes invalidate is never asked for.
 *
 * Invariants, beyond those in the header: key[i] is the first time under child i (0 too); min and max
 * are exact, but for what is still to be added further up; what has still to be
 * added to is stale; no node but the root is empty, and an inner root has two children.
 */
#ifndef PACT_CORE_PROFILE_TREE_H
#define PACT_CORE_PROFILE_TREE_H

#include "core/capacity/profile.h"

/* The unit tests build a copy with tiny nodes, to have deep trees. */
#ifndef PROFILE_STEPS
#define PROFILE_STEPS 32
#endif
#ifndef PROFILE_CHILDREN
#define PROFILE_CHILDREN 16
#endif
/* The most steps that are kept flat. */
#ifndef PROFILE_FLAT
#define PROFILE_FLAT 1024
#endif
#define LEVELS 24
#define SLACK (1.0f - 1.0f / 16384)

#define NONE UINT32_MAX

struct leaf {
	int64_t time[PROFILE_STEPS];
	int32_t free[PROFILE_STEPS];
	uint32_t count;
};

struct summary {
	float head[LEVELS];
	float tail[LEVELS];
	float best[LEVELS];
};

struct inner {
	uint32_t count;
	uint32_t child[PROFILE_CHILDREN];
	int64_t key[PROFILE_CHILDREN];
	int32_t min[PROFILE_CHILDREN]; /* with `add` */
	int32_t max[PROFILE_CHILDREN];
	int32_t add[PROFILE_CHILDREN]; /* to all that is below */
	uint32_t stale, seen;	       /* a bit per child */
	struct summary sum[PROFILE_CHILDREN];
	float bound[LEVELS][PROFILE_CHILDREN]; /* by level first: the search reads one level */
};

/* Nodes of one size; those given back are chained through their first word. */
struct pool {
	char *node;
	size_t size;
	uint32_t room;
	uint32_t used;
	uint32_t spare;
	uint32_t spares;
};

struct profile {
	struct pool leaves;
	struct pool inners;
	uint32_t root;
	uint32_t height;
	size_t steps;
	float floor[LEVELS];

	bool flat; /* time and free hold the steps, and the tree nothing that counts */
	int64_t *time;
	int32_t *free;
	size_t flat_room;
};

/* profile.c */

/* Children first to last of `in`, at `level`, have changed: their extremes anew, their filter stale. */
void profile_refresh(struct profile *p, unsigned level, struct inner *in, uint32_t first,
		     uint32_t last);

/* No node at all, but room for so many; to be filled in order. 0, or -1: no memory, no effect. */
int profile_empty(struct profile *p, uint32_t leaves, uint32_t inners);

/* profile_flat.c: what the header says of each without `flat`, of a flat profile */

/* Room for so many steps. 0, or -1: no memory, no effect. */
int profile_flat_room(struct profile *p, size_t steps);
/* Give the plain arrays back: the profile has become a tree. */
void profile_flat_forget(struct profile *p);
/* Room for two more steps is there; origin <= start < end. */
void profile_flat_add(struct profile *p, int64_t start, int64_t end, int32_t delta);
/* origin <= start < end, here and below. */
int32_t profile_flat_min(const struct profile *p, int64_t start, int64_t end);
int32_t profile_flat_at(const struct profile *p, int64_t t);
int64_t profile_flat_last_at_most(const struct profile *p, int64_t start, int64_t end, int32_t n);
int64_t profile_flat_next(const struct profile *p, int64_t t);
int64_t profile_flat_earliest(const struct profile *p, int64_t from, int64_t latest,
			      int64_t duration, int32_t n);
/* Room as for profile_flat_add(). */
int profile_flat_place(struct profile *p, int64_t from, int64_t duration, int32_t n, int64_t by,
		       int64_t *start);
void profile_flat_advance(struct profile *p, int64_t t);
/* Make a tree flat; without memory it stays one. */
void profile_fold(struct profile *p);

/* profile_build.c: make a flat profile a tree. 0, or -1: no memory, no effect. */
int profile_unfold(struct profile *p);

/* profile_filter.c */

/* Choose floor[] for a machine with about `free` nodes. */
void profile_filter_levels(struct profile *p, int32_t free);

/*
 * Let the filter learn child c of `in`, at `level`, which ends at `end`, if it is stale. It stays so
 * when an inner child has stale ones itself.
 */
void profile_filter_learn(const struct profile *p, unsigned level, struct inner *in, uint32_t c,
			  int64_t end);

/* Set bound of child c from its summary and the next one's. */
void profile_filter_bound(struct inner *in, uint32_t c);

/* Finding one's way */

static inline struct leaf *leaf_at(const struct profile *p, uint32_t id)
{
	return (struct leaf *)p->leaves.node + id;
}

static inline struct inner *inner_at(const struct profile *p, uint32_t id)
{
	return (struct inner *)p->inners.node + id;
}

/* The last of `count` sorted times that is not later than t, or 0. */
static inline uint32_t find(const int64_t *time, uint32_t count, int64_t t)
{
	uint32_t low = 0;

	while (count > 1) {
		uint32_t half = count / 2;

		low += time[low + half] <= t ? half : 0;
		count -= half;
	}
	return low;
}

static inline int64_t end_of_child(const struct inner *in, uint32_t c, int64_t end)
{
	return c + 1 < in->count ? in->key[c + 1] : end;
}

static inline int64_t end_of_step(const struct leaf *leaf, uint32_t i, int64_t end)
{
	return i + 1 < leaf->count ? leaf->time[i + 1] : end;
}

static inline bool is_stale(const struct inner *in, uint32_t c)
{
	return in->stale >> c & 1;
}

/* Go down from `in`, at `level`, to child c: what is to be added below goes along. */
static inline uint32_t profile_enter(const struct profile *p, unsigned level, struct inner *in,
				     uint32_t c)
{
	int32_t add = in->add[c];

	if (!add)
		return in->child[c];
	in->add[c] = 0;
	if (level == 1) {
		struct leaf *leaf = leaf_at(p, in->child[c]);

		for (uint32_t i = 0; i < leaf->count; i++)
			leaf->free[i] += add;
	} else {
		struct inner *child = inner_at(p, in->child[c]);

		for (uint32_t i = 0; i < child->count; i++) {
			child->add[i] += add;
			child->min[i] += add;
			child->max[i] += add;
		}
		child->stale = UINT32_MAX;
		child->seen = 0;
	}
	return in->child[c];
}

/* The leaf that holds t, and where it ends. */
static inline struct leaf *leaf_of(const struct profile *p, int64_t t, int64_t *end)
{
	uint32_t id = p->root;

	*end = PACT_FOREVER;
	for (unsigned level = p->height; level > 0; level--) {
		struct inner *in = inner_at(p, id);
		uint32_t c = find(in->key, in->count, t);

		*end = end_of_child(in, c, *end);
		id = profile_enter(p, level, in, c);
	}
	return leaf_at(p, id);
}

static inline int64_t origin_of(const struct profile *p)
{
	if (p->flat)
		return p->time[0];
	return p->height ? inner_at(p, p->root)->key[0] : leaf_at(p, p->root)->time[0];
}

/* start + duration, no later than for ever */
static inline int64_t window_end(int64_t start, int64_t duration)
{
	return start > PACT_FOREVER - duration ? PACT_FOREVER : start + duration;
}

#endif
