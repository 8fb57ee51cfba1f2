/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile: a B+-tree of steps, kept in two arrays of nodes that refer to each other by index, so that
 * a copy is two memcpy(). All leaves have the same depth (height; 0: the root is a leaf).
 *
 * A leaf holds steps: each lasts until the next one's time, the last one until the next leaf's.
 * An inner node holds per child the first time, the least value, and a filter for the search:
 *
 *   For LEVELS numbers of nodes (floor[], growing geometrically), upper bounds of how long that many
 *   are free without a break: at the child's beginning (head), at its end (tail), and anywhere in it
 *   (best). bound is the longest window that begins in the child: best, or tail plus the next one's
 *   head. A child that is free throughout counts as endless at both ends, so that a window over many
 *   children is never missed.
 *
 * Without it, the search for a narrow job in a full past would look at every hole that is too short.
 * With it, it enters a leaf only where the next lower level has a window long enough; of several
 * thousand leaves about three. Bounds are floats: sums of lengths are off by less than SLACK, and an
 * upper bound that is too high costs time, never a wrong answer, which always comes from the steps.
 *
 * Invariants, beyond those in the header: key[i] is the first time under child i (0 too); min is
 * exact; no node but the root is empty, and an inner root has two children.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "profile.h"

/* The unit tests build a copy with tiny nodes, to have deep trees. */
#ifndef PROFILE_STEPS
#define PROFILE_STEPS 32
#endif
#ifndef PROFILE_CHILDREN
#define PROFILE_CHILDREN 16
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
	int32_t min[PROFILE_CHILDREN];
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
};

/* Pools */

static int pool_reserve(struct pool *pool, uint32_t more)
{
	uint32_t room = pool->room;
	char *node;

	if (pool->spares + (pool->room - pool->used) >= more)
		return 0;
	while (pool->spares + (room - pool->used) < more)
		room += room / 2 + 1;
	node = realloc(pool->node, room * pool->size);
	if (!node)
		return -1;
	pool->node = node;
	pool->room = room;
	return 0;
}

static uint32_t pool_take(struct pool *pool)
{
	uint32_t id = pool->spare;

	if (id == NONE)
		return pool->used++;
	memcpy(&pool->spare, pool->node + id * pool->size, sizeof(pool->spare));
	pool->spares--;
	return id;
}

static void pool_give(struct pool *pool, uint32_t id)
{
	memcpy(pool->node + id * pool->size, &pool->spare, sizeof(pool->spare));
	pool->spare = id;
	pool->spares++;
}

static int pool_copy(struct pool *dst, const struct pool *src)
{
	if (src->used)
		memcpy(dst->node, src->node, src->used * src->size);
	dst->used = src->used;
	dst->spare = src->spare;
	dst->spares = src->spares;
	return 0;
}

static struct leaf *leaf_at(const struct profile *p, uint32_t id)
{
	return (struct leaf *) p->leaves.node + id;
}

static struct inner *inner_at(const struct profile *p, uint32_t id)
{
	return (struct inner *) p->inners.node + id;
}

static void give(struct profile *p, unsigned level, uint32_t id)
{
	pool_give(level ? &p->inners : &p->leaves, id);
}

static uint32_t count_of(const struct profile *p, unsigned level, uint32_t id)
{
	return level ? inner_at(p, id)->count : leaf_at(p, id)->count;
}

/* Creation and copying */

/* Levels from 1 up, in about the smallest ratio that gets near a capacity. */
static void set_floors(struct profile *p, int32_t free)
{
	float top = free > 256 ? (float) free : 256.0f;

	for (float ratio = 1.25f;; ratio *= 1.03125f) {
		float exact = 1.0f, floor = 0.0f;

		for (int k = 0; k < LEVELS; k++) {
			float whole = (float) (int64_t) exact;

			floor = whole > floor ? whole : floor + 1.0f;
			p->floor[k] = floor;
			exact = exact * ratio > floor ? exact * ratio : floor + 1.0f;
		}
		if (exact >= top)
			return;
	}
}

struct profile *profile_create(int64_t origin, int32_t free)
{
	struct profile *p = calloc(1, sizeof(*p));
	struct leaf *leaf;

	if (!p)
		return NULL;
	p->leaves.size = sizeof(struct leaf);
	p->inners.size = sizeof(struct inner);
	p->leaves.spare = p->inners.spare = NONE;
	if (pool_reserve(&p->leaves, 1)) {
		profile_destroy(p);
		return NULL;
	}
	set_floors(p, free);
	p->root = pool_take(&p->leaves);
	p->steps = 1;
	leaf = leaf_at(p, p->root);
	leaf->time[0] = origin;
	leaf->free[0] = free;
	leaf->count = 1;
	return p;
}

void profile_destroy(struct profile *p)
{
	if (!p)
		return;
	free(p->leaves.node);
	free(p->inners.node);
	free(p);
}

static int pool_fit(struct pool *dst, const struct pool *src)
{
	char *node;

	if (dst->room >= src->used)
		return 0;
	node = realloc(dst->node, src->used * src->size);
	if (!node)
		return -1;
	dst->node = node;
	dst->room = src->used;
	return 0;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	if (dst == src)
		return 0;
	if (pool_fit(&dst->leaves, &src->leaves) || pool_fit(&dst->inners, &src->inners))
		return -1;
	pool_copy(&dst->leaves, &src->leaves);
	pool_copy(&dst->inners, &src->inners);
	dst->root = src->root;
	dst->height = src->height;
	dst->steps = src->steps;
	memcpy(dst->floor, src->floor, sizeof(dst->floor));
	return 0;
}

/* Finding */

/* The last of `count` sorted times that is not later than t, or 0. */
static uint32_t find(const int64_t *time, uint32_t count, int64_t t)
{
	uint32_t low = 0;

	while (count > 1) {
		uint32_t half = count / 2;

		low += time[low + half] <= t ? half : 0;
		count -= half;
	}
	return low;
}

static int64_t end_of_child(const struct inner *in, uint32_t c, int64_t end)
{
	return c + 1 < in->count ? in->key[c + 1] : end;
}

static int64_t end_of_step(const struct leaf *leaf, uint32_t i, int64_t end)
{
	return i + 1 < leaf->count ? leaf->time[i + 1] : end;
}

/* The leaf that holds t, and where it ends. */
static struct leaf *leaf_of(const struct profile *p, int64_t t, int64_t *end)
{
	uint32_t id = p->root;

	*end = PACT_FOREVER;
	for (unsigned level = p->height; level > 0; level--) {
		const struct inner *in = inner_at(p, id);
		uint32_t c = find(in->key, in->count, t);

		*end = end_of_child(in, c, *end);
		id = in->child[c];
	}
	return leaf_at(p, id);
}

static int64_t origin_of(const struct profile *p)
{
	return p->height ? inner_at(p, p->root)->key[0] : leaf_at(p, p->root)->time[0];
}

/* start + duration, no later than for ever */
static int64_t window_end(int64_t start, int64_t duration)
{
	return start > PACT_FOREVER - duration ? PACT_FOREVER : start + duration;
}

/* Summaries */

static float length(int64_t start, int64_t end)
{
	return end == PACT_FOREVER ? INFINITY : (float) (end - start);
}

/*
 * Four levels at once. Written with the compiler's vectors, as the loops run at each change of the
 * profile; any target has them.
 */
#define FOUR 4
#define FOURS (LEVELS / FOUR)

typedef float four __attribute__((vector_size(16), aligned(4)));
typedef int32_t mask __attribute__((vector_size(16)));

static four load(const float *from)
{
	return *(const four *) from;
}

static void store(float *to, four x)
{
	*(four *) to = x;
}

static four all(float x)
{
	return (four) { x, x, x, x };
}

static four choose(mask which, four yes, four no)
{
	return (four) ((which & (mask) yes) | (~which & (mask) no));
}

static four longer(four a, four b)
{
#ifdef __SSE__
	return (four) _mm_max_ps((__m128) a, (__m128) b);
#else
	return choose(a > b, a, b);
#endif
}

/* How long each level is free from the leaf's beginning; `least` is the leaf's least value. */
static void find_heads(const struct profile *p, const struct leaf *leaf, float least, float *head)
{
	float lowest = INFINITY;

	for (int k = 0; k < LEVELS; k++)
		head[k] = p->floor[k] <= least ? INFINITY : 0.0f;
	for (uint32_t i = 0; lowest > least && lowest >= p->floor[0]; i++) {
		float free = (float) leaf->free[i];
		float len = (float) (leaf->time[i] - leaf->time[0]);

		if (free >= lowest)
			continue;
		for (int q = 0; q < LEVELS; q += FOUR) {
			four floor = load(&p->floor[q]);

			/* Free up to here, but not here. */
			store(&head[q], choose((floor <= all(lowest)) & (floor > all(free)),
					       all(len), load(&head[q])));
		}
		lowest = free;
	}
}

static void summarise_leaf(const struct profile *p, const struct leaf *leaf, int64_t end,
			   struct summary *sum, int32_t *min)
{
	four floor[FOURS], run[FOURS], best[FOURS];
	int32_t least = INT32_MAX;

	for (int q = 0; q < FOURS; q++) {
		floor[q] = load(&p->floor[q * FOUR]);
		run[q] = best[q] = all(0.0f);
	}
	for (uint32_t i = 0; i < leaf->count; i++) {
		four len = all(length(leaf->time[i], end_of_step(leaf, i, end)));
		four free = all((float) leaf->free[i]);

		for (int q = 0; q < FOURS; q++) {
			run[q] = (four) ((floor[q] <= free) & (mask) (run[q] + len));
			best[q] = longer(run[q], best[q]);
		}
		least = leaf->free[i] < least ? leaf->free[i] : least;
	}
	for (int q = 0; q < FOURS; q++) {
		four whole = choose(floor[q] <= all((float) least), all(INFINITY), all(0.0f));

		store(&sum->tail[q * FOUR], longer(whole, run[q]));
		store(&sum->best[q * FOUR], best[q]);
	}
	find_heads(p, leaf, (float) least, sum->head);
	*min = least;
}

static void summarise_inner(const struct inner *in, struct summary *sum, int32_t *min)
{
	const struct summary *last = &in->sum[in->count - 1];
	int32_t least = INT32_MAX;

	for (int q = 0; q < LEVELS; q += FOUR) {
		four best = load(&last->best[q]);

		for (uint32_t c = 0; c + 1 < in->count; c++) {
			four cross = load(&in->sum[c].tail[q]) + load(&in->sum[c + 1].head[q]);

			best = longer(longer(cross, load(&in->sum[c].best[q])), best);
		}
		store(&sum->best[q], best);
	}
	memcpy(sum->head, in->sum[0].head, sizeof(sum->head));
	memcpy(sum->tail, last->tail, sizeof(sum->tail));
	for (uint32_t c = 0; c < in->count; c++)
		least = in->min[c] < least ? in->min[c] : least;
	*min = least;
}

static void set_bound(struct inner *in, uint32_t c)
{
	const struct summary *here = &in->sum[c];

	if (c + 1 == in->count) {
		for (int k = 0; k < LEVELS; k++)
			in->bound[k][c] = here->best[k];
		return;
	}
	for (int k = 0; k < LEVELS; k++) {
		float cross = here->tail[k] + in->sum[c + 1].head[k];

		in->bound[k][c] = cross > here->best[k] ? cross : here->best[k];
	}
}

/* Bring what `in`, at `level`, knows of children first to last up to date; `end` is where it ends. */
static void refresh(struct profile *p, unsigned level, struct inner *in, uint32_t first,
		    uint32_t last, int64_t end)
{
	for (uint32_t c = first; c <= last; c++) {
		if (level == 1)
			summarise_leaf(p, leaf_at(p, in->child[c]), end_of_child(in, c, end),
				       &in->sum[c], &in->min[c]);
		else
			summarise_inner(inner_at(p, in->child[c]), &in->sum[c], &in->min[c]);
	}
	for (uint32_t c = first ? first - 1 : 0; c <= last; c++)
		set_bound(in, c);
}

/* Structure: splitting and joining nodes */

static void open_entry(struct inner *in, uint32_t c)
{
	uint32_t tail = in->count - c;

	memmove(&in->child[c + 1], &in->child[c], tail * sizeof(in->child[0]));
	memmove(&in->key[c + 1], &in->key[c], tail * sizeof(in->key[0]));
	memmove(&in->min[c + 1], &in->min[c], tail * sizeof(in->min[0]));
	memmove(&in->sum[c + 1], &in->sum[c], tail * sizeof(in->sum[0]));
	for (int k = 0; k < LEVELS; k++)
		memmove(&in->bound[k][c + 1], &in->bound[k][c], tail * sizeof(float));
	in->count++;
}

static void close_entries(struct inner *in, uint32_t c, uint32_t many)
{
	uint32_t tail = in->count - c - many;

	memmove(&in->child[c], &in->child[c + many], tail * sizeof(in->child[0]));
	memmove(&in->key[c], &in->key[c + many], tail * sizeof(in->key[0]));
	memmove(&in->min[c], &in->min[c + many], tail * sizeof(in->min[0]));
	memmove(&in->sum[c], &in->sum[c + many], tail * sizeof(in->sum[0]));
	for (int k = 0; k < LEVELS; k++)
		memmove(&in->bound[k][c], &in->bound[k][c + many], tail * sizeof(float));
	in->count -= many;
}

/* Append entries from..from+many-1 of src to dst; src keeps them. */
static void append_entries(struct inner *dst, const struct inner *src, uint32_t from, uint32_t many)
{
	uint32_t at = dst->count;

	memcpy(&dst->child[at], &src->child[from], many * sizeof(dst->child[0]));
	memcpy(&dst->key[at], &src->key[from], many * sizeof(dst->key[0]));
	memcpy(&dst->min[at], &src->min[from], many * sizeof(dst->min[0]));
	memcpy(&dst->sum[at], &src->sum[from], many * sizeof(dst->sum[0]));
	dst->count += many;
	for (uint32_t c = at ? at - 1 : 0; c < dst->count; c++)
		set_bound(dst, c);
}

static void append_steps(struct leaf *dst, const struct leaf *src, uint32_t from, uint32_t many)
{
	memcpy(&dst->time[dst->count], &src->time[from], many * sizeof(dst->time[0]));
	memcpy(&dst->free[dst->count], &src->free[from], many * sizeof(dst->free[0]));
	dst->count += many;
}

/* Split child c of `in`, which has room for one more; nodes are reserved. */
static void split_child(struct profile *p, unsigned level, struct inner *in, uint32_t c, int64_t end)
{
	uint32_t id;

	open_entry(in, c + 1);
	if (level == 1) {
		struct leaf *left, *right;

		id = pool_take(&p->leaves);
		left = leaf_at(p, in->child[c]);
		right = leaf_at(p, id);
		right->count = 0;
		append_steps(right, left, left->count / 2, left->count - left->count / 2);
		left->count -= right->count;
		in->key[c + 1] = right->time[0];
	} else {
		struct inner *left, *right;

		id = pool_take(&p->inners);
		left = inner_at(p, in->child[c]);
		right = inner_at(p, id);
		right->count = 0;
		append_entries(right, left, left->count / 2, left->count - left->count / 2);
		left->count -= right->count;
		set_bound(left, left->count - 1);
		in->key[c + 1] = right->key[0];
	}
	in->child[c + 1] = id;
	refresh(p, level, in, c, c + 1, end);
	if (c + 2 < in->count)
		set_bound(in, c + 1);
}

static bool is_full(const struct profile *p, unsigned level, uint32_t id)
{
	return count_of(p, level, id) == (level ? PROFILE_CHILDREN : PROFILE_STEPS);
}

/* A full root gets a parent, which splits it. */
static void grow_root(struct profile *p)
{
	uint32_t id = pool_take(&p->inners);
	struct inner *in = inner_at(p, id);

	in->count = 1;
	in->child[0] = p->root;
	in->key[0] = p->height ? inner_at(p, p->root)->key[0] : leaf_at(p, p->root)->time[0];
	p->root = id;
	p->height++;
	split_child(p, p->height, in, 0, PACT_FOREVER);
}

/* Make t, later than the origin, a breakpoint. Full nodes on the way down are split. */
static void cut(struct profile *p, int64_t t)
{
	int64_t end = PACT_FOREVER;
	struct leaf *leaf;
	uint32_t id, i;

	if (is_full(p, p->height, p->root))
		grow_root(p);
	id = p->root;
	for (unsigned level = p->height; level > 0; level--) {
		struct inner *in = inner_at(p, id);
		uint32_t c = find(in->key, in->count, t);

		if (is_full(p, level - 1, in->child[c])) {
			split_child(p, level, in, c, end);
			c += in->key[c + 1] <= t;
		}
		end = end_of_child(in, c, end);
		id = in->child[c];
	}
	leaf = leaf_at(p, id);
	i = find(leaf->time, leaf->count, t);
	if (leaf->time[i] == t)
		return;
	i++;
	memmove(&leaf->time[i + 1], &leaf->time[i], (leaf->count - i) * sizeof(leaf->time[0]));
	memmove(&leaf->free[i + 1], &leaf->free[i], (leaf->count - i) * sizeof(leaf->free[0]));
	leaf->time[i] = t;
	leaf->free[i] = leaf->free[i - 1];
	leaf->count++;
	p->steps++;
}

/* Join child c of `in` with a neighbour when it is small and both fit into one with room to spare. */
static void join_child(struct profile *p, unsigned level, struct inner *in, uint32_t c, int64_t end)
{
	uint32_t most = level > 1 ? PROFILE_CHILDREN : PROFILE_STEPS;
	uint32_t left = c ? c - 1 : 0, right = left + 1;
	uint32_t from, to;

	if (in->count < 2 || count_of(p, level - 1, in->child[c]) > most / 4)
		return;
	to = in->child[left];
	from = in->child[right];
	if (count_of(p, level - 1, to) + count_of(p, level - 1, from) > most / 4 * 3)
		return;
	if (level > 1)
		append_entries(inner_at(p, to), inner_at(p, from), 0, inner_at(p, from)->count);
	else
		append_steps(leaf_at(p, to), leaf_at(p, from), 0, leaf_at(p, from)->count);
	give(p, level - 1, from);
	close_entries(in, right, 1);
	refresh(p, level, in, left, left, end);
}

static void shrink_root(struct profile *p)
{
	while (p->height && inner_at(p, p->root)->count == 1) {
		uint32_t child = inner_at(p, p->root)->child[0];

		pool_give(&p->inners, p->root);
		p->root = child;
		p->height--;
	}
}

/* Take out breakpoint t below a node. Returns the node's first time then; PACT_FOREVER: it is empty. */
static int64_t drop_under(struct profile *p, unsigned level, uint32_t id, int64_t end, int64_t t)
{
	struct inner *in;
	int64_t first;
	uint32_t c;

	if (level == 0) {
		struct leaf *leaf = leaf_at(p, id);
		uint32_t i = find(leaf->time, leaf->count, t), tail = leaf->count - i - 1;

		memmove(&leaf->time[i], &leaf->time[i + 1], tail * sizeof(leaf->time[0]));
		memmove(&leaf->free[i], &leaf->free[i + 1], tail * sizeof(leaf->free[0]));
		leaf->count--;
		return leaf->count ? leaf->time[0] : PACT_FOREVER;
	}
	in = inner_at(p, id);
	c = find(in->key, in->count, t);
	first = drop_under(p, level - 1, in->child[c], end_of_child(in, c, end), t);
	if (first == PACT_FOREVER) {
		give(p, level - 1, in->child[c]);
		close_entries(in, c, 1);
		if (in->count == 0)
			return PACT_FOREVER;
		if (c > 0)
			set_bound(in, c - 1);
	} else {
		in->key[c] = first;
		join_child(p, level, in, c, end);
	}
	return in->key[0];
}

/* Add delta to the steps in [start, end) below a node that ends at `until`; 0 only refreshes. */
static void add_under(struct profile *p, unsigned level, uint32_t id, int64_t until, int64_t start,
		      int64_t end, int32_t delta)
{
	struct inner *in;
	uint32_t first, c;

	if (level == 0) {
		struct leaf *leaf = leaf_at(p, id);
		uint32_t i = find(leaf->time, leaf->count, start);

		if (leaf->time[i] < start)
			i++;
		for (; i < leaf->count && leaf->time[i] < end; i++)
			leaf->free[i] += delta;
		return;
	}
	in = inner_at(p, id);
	first = find(in->key, in->count, start);
	for (c = first; c == first || (c < in->count && in->key[c] < end); c++)
		add_under(p, level - 1, in->child[c], end_of_child(in, c, until), start, end, delta);
	refresh(p, level, in, first, c - 1, until);
}

/* Take out breakpoint t when nothing changes there. */
static void mend(struct profile *p, int64_t t)
{
	int64_t end, before;
	struct leaf *leaf = leaf_of(p, t, &end);
	uint32_t i = find(leaf->time, leaf->count, t);
	int32_t value = leaf->free[i];

	if (i > 0) {
		if (leaf->free[i - 1] != value)
			return;
		before = t;
	} else {
		leaf = leaf_of(p, t - 1, &end);
		if (leaf->free[leaf->count - 1] != value)
			return;
		before = t - 1;
	}
	drop_under(p, p->height, p->root, PACT_FOREVER, t);
	p->steps--;
	/* The leaf before now ends later, and this one begins later. */
	if (before < t)
		add_under(p, p->height, p->root, PACT_FOREVER, before,
			  window_end(profile_next_change(p, before), 1), 0);
	shrink_root(p);
}

int profile_add(struct profile *p, int64_t start, int64_t end, int32_t delta)
{
	int64_t origin = origin_of(p);

	if (start < origin)
		start = origin;
	if (start >= end || delta == 0)
		return 0;
	/* Two breakpoints split at most two nodes of each depth, and the root twice. */
	if (pool_reserve(&p->leaves, 2) || pool_reserve(&p->inners, 2 * p->height + 2))
		return -1;
	if (start > origin)
		cut(p, start);
	if (end != PACT_FOREVER)
		cut(p, end);
	add_under(p, p->height, p->root, PACT_FOREVER, start, end, delta);
	if (end != PACT_FOREVER)
		mend(p, end);
	if (start > origin)
		mend(p, start);
	return 0;
}

/* Questions */

static int32_t min_under(const struct profile *p, unsigned level, uint32_t id, int64_t start,
			 int64_t end)
{
	int32_t least = INT32_MAX;

	if (level == 0) {
		const struct leaf *leaf = leaf_at(p, id);

		for (uint32_t i = find(leaf->time, leaf->count, start);
		     i < leaf->count && leaf->time[i] < end; i++)
			least = leaf->free[i] < least ? leaf->free[i] : least;
	} else {
		const struct inner *in = inner_at(p, id);
		uint32_t first = find(in->key, in->count, start);

		for (uint32_t c = first; c < in->count && (c == first || in->key[c] < end); c++) {
			int32_t here = in->min[c];

			/* Only a child that sticks out can have a higher minimum inside. */
			if (here < least &&
			    (in->key[c] < start || end_of_child(in, c, INT64_MAX) > end))
				here = min_under(p, level - 1, in->child[c], start, end);
			least = here < least ? here : least;
		}
	}
	return least;
}

int32_t profile_min(const struct profile *p, int64_t start, int64_t end)
{
	int64_t origin = origin_of(p);

	if (start < origin)
		start = origin;
	if (start >= end)
		return INT32_MAX;
	return min_under(p, p->height, p->root, start, end);
}

int32_t profile_at(const struct profile *p, int64_t t)
{
	int64_t end;
	const struct leaf *leaf = leaf_of(p, t, &end);

	return leaf->free[find(leaf->time, leaf->count, t)];
}

/* The end of the last step below a node that overlaps [start, end) with at most n, else `start`. */
static int64_t last_under(const struct profile *p, unsigned level, uint32_t id, int64_t until,
			  int64_t start, int64_t end, int32_t n)
{
	if (level == 0) {
		const struct leaf *leaf = leaf_at(p, id);

		for (uint32_t i = find(leaf->time, leaf->count, end - 1);; i--) {
			int64_t stop = end_of_step(leaf, i, until);

			if (stop <= start)
				return start;
			if (leaf->free[i] <= n)
				return stop;
			if (i == 0)
				return start;
		}
	}
	const struct inner *in = inner_at(p, id);

	for (uint32_t c = find(in->key, in->count, end - 1);; c--) {
		int64_t stop = end_of_child(in, c, until);

		if (stop <= start)
			return start;
		if (in->min[c] <= n) {
			int64_t last = last_under(p, level - 1, in->child[c], stop, start, end, n);

			if (last != start)
				return last;
		}
		if (c == 0)
			return start;
	}
}

int64_t profile_last_at_most(const struct profile *p, int64_t start, int64_t end, int32_t n)
{
	int64_t origin = origin_of(p), from = start < origin ? origin : start, last;

	if (from >= end)
		return start;
	last = last_under(p, p->height, p->root, PACT_FOREVER, from, end, n);
	return last == from ? start : last;
}

int64_t profile_next_change(const struct profile *p, int64_t t)
{
	int64_t end, origin = origin_of(p);
	const struct leaf *leaf;

	if (t < origin)
		return origin;
	leaf = leaf_of(p, t, &end);
	return end_of_step(leaf, find(leaf->time, leaf->count, t), end);
}

/* Earliest fit */

/* What is asked for, and what is known on the way. */
struct search {
	int64_t duration;
	int32_t n;
	int level;	/* of the filter; -1: n is below all levels */
	float atleast;	/* the filter's bounds must reach this */
};

/* As search_under(), below. */
static bool search_leaf(const struct profile *p, const struct search *s, const struct leaf *leaf,
			int64_t end, int64_t *t)
{
	int64_t begin = *t;

	for (uint32_t i = find(leaf->time, leaf->count, begin); i < leaf->count; i++) {
		int64_t stop = end_of_step(leaf, i, end);

		if (leaf->free[i] < s->n) {
			begin = stop;
		} else if (stop == PACT_FOREVER || stop - begin >= s->duration) {
			*t = begin;
			return true;
		}
	}
	*t = end;
	if (begin == end)
		return false;
	/* It would go on in the next leaf: the end of what is in the way there, if anything is. */
	*t = last_under(p, p->height, p->root, PACT_FOREVER, end, window_end(begin, s->duration),
			s->n - 1);
	if (*t != end)
		return false;
	*t = begin;
	return true;
}

/*
 * Search a node that ends at `until`, from *t on. True: *t is the answer. False: no window begins
 * before *t, which may lie well behind the node. `head` bounds the free time right after the node.
 */
static bool search_under(const struct profile *p, const struct search *s, unsigned level,
			 uint32_t id, int64_t until, float head, int64_t *t)
{
	const struct inner *in;

	if (level == 0)
		return search_leaf(p, s, leaf_at(p, id), until, t);
	in = inner_at(p, id);
	for (uint32_t c = find(in->key, in->count, *t); c < in->count; c++) {
		bool last = c + 1 == in->count;
		int64_t end = last ? until : in->key[c + 1];

		if (s->level >= 0 && in->bound[s->level][c] < s->atleast &&
		    (!last || in->sum[c].tail[s->level] + head < s->atleast))
			continue;
		if (*t >= end)
			continue;
		if (*t < in->key[c])
			*t = in->key[c];
		if (search_under(p, s, level - 1, in->child[c], end,
				 last ? head : in->sum[c + 1].head[s->level], t))
			return true;
	}
	if (*t < until)
		*t = until;
	return false;
}

static int filter_level(const struct profile *p, int32_t n)
{
	int level = -1;

	for (int k = 0; k < LEVELS; k++)
		level += p->floor[k] <= (float) n;
	return level;
}

int64_t profile_earliest(const struct profile *p, int64_t from, int64_t duration, int32_t n)
{
	struct search s = { .duration = duration < 1 ? 1 : duration, .n = n };
	int64_t origin = origin_of(p), t = from < origin ? origin : from;

	s.level = filter_level(p, n);
	s.atleast = (float) s.duration * SLACK;
	if (t == PACT_FOREVER ||
	    !search_under(p, &s, p->height, p->root, PACT_FOREVER, 0.0f, &t))
		return PACT_FOREVER;
	return t;
}

/* Forgetting */

static void give_under(struct profile *p, unsigned level, uint32_t id)
{
	if (level == 0) {
		p->steps -= leaf_at(p, id)->count;
	} else {
		const struct inner *in = inner_at(p, id);

		for (uint32_t c = 0; c < in->count; c++)
			give_under(p, level - 1, in->child[c]);
	}
	give(p, level, id);
}

/* Let the first step begin at t, before its end. What is free for less time keeps its bounds. */
static void trim_first(struct profile *p, int64_t t)
{
	uint32_t id = p->root;

	for (unsigned level = p->height; level > 0; level--) {
		struct inner *in = inner_at(p, id);

		in->key[0] = t;
		id = in->child[0];
	}
	leaf_at(p, id)->time[0] = t;
}

/* Drop what lies before t below a node, and let its first step begin at t. */
static void trim_under(struct profile *p, unsigned level, uint32_t id, int64_t until, int64_t t)
{
	struct inner *in;
	uint32_t c;

	if (level == 0) {
		struct leaf *leaf = leaf_at(p, id);
		uint32_t i = find(leaf->time, leaf->count, t);

		leaf->count -= i;
		p->steps -= i;
		memmove(leaf->time, &leaf->time[i], leaf->count * sizeof(leaf->time[0]));
		memmove(leaf->free, &leaf->free[i], leaf->count * sizeof(leaf->free[0]));
		leaf->time[0] = t;
		return;
	}
	in = inner_at(p, id);
	c = find(in->key, in->count, t);
	for (uint32_t i = 0; i < c; i++)
		give_under(p, level - 1, in->child[i]);
	if (c)
		close_entries(in, 0, c);
	in->key[0] = t;
	trim_under(p, level - 1, in->child[0], end_of_child(in, 0, until), t);
	refresh(p, level, in, 0, 0, until);
	join_child(p, level, in, 0, until);
}

void profile_advance(struct profile *p, int64_t t)
{
	if (t <= origin_of(p))
		return;
	if (t < profile_next_change(p, origin_of(p))) {
		trim_first(p, t);
		return;
	}
	trim_under(p, p->height, p->root, PACT_FOREVER, t);
	shrink_root(p);
}

size_t profile_steps(const struct profile *p)
{
	return p->steps;
}

size_t profile_bytes(const struct profile *p)
{
	return sizeof(*p) + p->leaves.room * p->leaves.size + p->inners.room * p->inners.size;
}
