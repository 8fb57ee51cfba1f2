/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile: how a profile comes to be, changes and forgets. Its inside is told in profile_tree.h,
 * the searches are in profile_search.c.
 */
#include <stdlib.h>
#include <string.h>

#include "core/capacity/profile_tree.h"

/* Pools */

/* Nodes that can be taken without growing. */
static uint32_t pool_spare(const struct pool *pool)
{
	return pool->spares + (pool->room - pool->used);
}

static int pool_reserve(struct pool *pool, uint32_t more)
{
	uint32_t room = pool->room;
	char *node;

	if (pool_spare(pool) >= more)
		return 0;
	/* by a quarter: what a plan of many jobs holds in reserve counts more than a rare copy */
	while (pool->spares + (room - pool->used) < more)
		room += room / 4 + 1;
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

static void give(struct profile *p, unsigned level, uint32_t id)
{
	pool_give(level ? &p->inners : &p->leaves, id);
}

static uint32_t count_of(const struct profile *p, unsigned level, uint32_t id)
{
	return level ? inner_at(p, id)->count : leaf_at(p, id)->count;
}

/* Creation and copying */

struct profile *profile_create(int64_t origin, int32_t free)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->leaves.size = sizeof(struct leaf);
	p->inners.size = sizeof(struct inner);
	p->leaves.spare = p->inners.spare = NONE;
	if (profile_flat_room(p, 1)) {
		profile_destroy(p);
		return NULL;
	}
	profile_filter_levels(p, free);
	p->flat = true;
	p->steps = 1;
	p->time[0] = origin;
	p->free[0] = free;
	return p;
}

void profile_destroy(struct profile *p)
{
	if (!p)
		return;
	free(p->leaves.node);
	free(p->inners.node);
	free(p->time);
	free(p->free);
	free(p);
}

static int pool_fit(struct pool *pool, uint32_t room)
{
	char *node;

	if (pool->room >= room)
		return 0;
	node = realloc(pool->node, room * pool->size);
	if (!node)
		return -1;
	pool->node = node;
	pool->room = room;
	return 0;
}

int profile_empty(struct profile *p, uint32_t leaves, uint32_t inners)
{
	if (pool_fit(&p->leaves, leaves) || pool_fit(&p->inners, inners))
		return -1;
	p->leaves.used = p->inners.used = 0;
	p->leaves.spare = p->inners.spare = NONE;
	p->leaves.spares = p->inners.spares = 0;
	p->root = p->height = 0;
	p->steps = 0;
	p->flat = false;
	return 0;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	if (dst == src)
		return 0;
	if (src->flat) {
		if (profile_flat_room(dst, src->steps))
			return -1;
		memcpy(dst->time, src->time, src->steps * sizeof(*dst->time));
		memcpy(dst->free, src->free, src->steps * sizeof(*dst->free));
		dst->flat = true;
		dst->steps = src->steps;
		memcpy(dst->floor, src->floor, sizeof(dst->floor));
		return 0;
	}
	if (pool_fit(&dst->leaves, src->leaves.used) || pool_fit(&dst->inners, src->inners.used))
		return -1;
	pool_copy(&dst->leaves, &src->leaves);
	pool_copy(&dst->inners, &src->inners);
	dst->root = src->root;
	dst->height = src->height;
	dst->steps = src->steps;
	dst->flat = false;
	profile_flat_forget(dst);
	memcpy(dst->floor, src->floor, sizeof(dst->floor));
	return 0;
}

/* The extremes of what is below child c, without what is to be added to it. */
static void extremes(const struct profile *p, unsigned level, const struct inner *in, uint32_t c,
		     int32_t *min, int32_t *max)
{
	const int32_t *least, *most;
	uint32_t count;

	if (level == 1) {
		const struct leaf *leaf = leaf_at(p, in->child[c]);

		least = most = leaf->free;
		count = leaf->count;
	} else {
		const struct inner *child = inner_at(p, in->child[c]);

		least = child->min;
		most = child->max;
		count = child->count;
	}
	*min = INT32_MAX;
	*max = INT32_MIN;
	for (uint32_t i = 0; i < count; i++) {
		*min = least[i] < *min ? least[i] : *min;
		*max = most[i] > *max ? most[i] : *max;
	}
}

void profile_refresh(struct profile *p, unsigned level, struct inner *in, uint32_t first,
		     uint32_t last)
{
	for (uint32_t c = first; c <= last; c++) {
		int32_t min, max;

		extremes(p, level, in, c, &min, &max);
		in->min[c] = min + in->add[c];
		in->max[c] = max + in->add[c];
		in->stale |= UINT32_C(1) << c;
		in->seen &= ~(UINT32_C(1) << c);
	}
}

/* Structure: splitting and joining nodes */

/* The bits of the children before c. */
static uint32_t below(uint32_t c)
{
	return (UINT32_C(1) << c) - 1;
}

static void open_entry(struct inner *in, uint32_t c)
{
	uint32_t tail = in->count - c;

	memmove(&in->child[c + 1], &in->child[c], tail * sizeof(in->child[0]));
	memmove(&in->key[c + 1], &in->key[c], tail * sizeof(in->key[0]));
	memmove(&in->min[c + 1], &in->min[c], tail * sizeof(in->min[0]));
	memmove(&in->max[c + 1], &in->max[c], tail * sizeof(in->max[0]));
	memmove(&in->add[c + 1], &in->add[c], tail * sizeof(in->add[0]));
	memmove(&in->sum[c + 1], &in->sum[c], tail * sizeof(in->sum[0]));
	for (int k = 0; k < LEVELS; k++)
		memmove(&in->bound[k][c + 1], &in->bound[k][c], tail * sizeof(float));
	in->stale = (in->stale & below(c)) | (in->stale & ~below(c)) << 1;
	in->seen = (in->seen & below(c)) | (in->seen & ~below(c)) << 1;
	in->add[c] = 0;
	in->count++;
}

static void close_entries(struct inner *in, uint32_t c, uint32_t many)
{
	uint32_t tail = in->count - c - many;

	memmove(&in->child[c], &in->child[c + many], tail * sizeof(in->child[0]));
	memmove(&in->key[c], &in->key[c + many], tail * sizeof(in->key[0]));
	memmove(&in->min[c], &in->min[c + many], tail * sizeof(in->min[0]));
	memmove(&in->max[c], &in->max[c + many], tail * sizeof(in->max[0]));
	memmove(&in->add[c], &in->add[c + many], tail * sizeof(in->add[0]));
	memmove(&in->sum[c], &in->sum[c + many], tail * sizeof(in->sum[0]));
	for (int k = 0; k < LEVELS; k++)
		memmove(&in->bound[k][c], &in->bound[k][c + many], tail * sizeof(float));
	in->stale = (in->stale & below(c)) | (in->stale >> many & ~below(c));
	in->seen = (in->seen & below(c)) | (in->seen >> many & ~below(c));
	in->count -= many;
}

/* Append entries from..from+many-1 of src to dst; src keeps them. */
static void append_entries(struct inner *dst, const struct inner *src, uint32_t from, uint32_t many)
{
	uint32_t at = dst->count;

	memcpy(&dst->child[at], &src->child[from], many * sizeof(dst->child[0]));
	memcpy(&dst->key[at], &src->key[from], many * sizeof(dst->key[0]));
	memcpy(&dst->min[at], &src->min[from], many * sizeof(dst->min[0]));
	memcpy(&dst->max[at], &src->max[from], many * sizeof(dst->max[0]));
	memcpy(&dst->add[at], &src->add[from], many * sizeof(dst->add[0]));
	dst->stale = (dst->stale & below(at)) | src->stale >> from << at;
	dst->seen = (dst->seen & below(at)) | src->seen >> from << at;
	memcpy(&dst->sum[at], &src->sum[from], many * sizeof(dst->sum[0]));
	dst->count += many;
	for (uint32_t c = at ? at - 1 : 0; c < dst->count; c++)
		profile_filter_bound(dst, c);
}

static void append_steps(struct leaf *dst, const struct leaf *src, uint32_t from, uint32_t many)
{
	memcpy(&dst->time[dst->count], &src->time[from], many * sizeof(dst->time[0]));
	memcpy(&dst->free[dst->count], &src->free[from], many * sizeof(dst->free[0]));
	dst->count += many;
}

/* Split child c of `in`, which has room for one more; nodes are reserved. */
static void split_child(struct profile *p, unsigned level, struct inner *in, uint32_t c)
{
	uint32_t id;

	profile_enter(p, level, in, c);
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
		profile_filter_bound(left, left->count - 1);
		in->key[c + 1] = right->key[0];
	}
	in->child[c + 1] = id;
	profile_refresh(p, level, in, c, c + 1);
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
	in->stale = 1;
	in->seen = 0;
	in->add[0] = 0;
	in->child[0] = p->root;
	in->key[0] = p->height ? inner_at(p, p->root)->key[0] : leaf_at(p, p->root)->time[0];
	p->root = id;
	p->height++;
	split_child(p, p->height, in, 0);
}

/* Make t, later than the origin, a breakpoint; true: it was none. Full nodes on the way are split. */
static bool cut(struct profile *p, int64_t t)
{
	struct leaf *leaf;
	uint32_t id, i;

	if (is_full(p, p->height, p->root))
		grow_root(p);
	id = p->root;
	for (unsigned level = p->height; level > 0; level--) {
		struct inner *in = inner_at(p, id);
		uint32_t c = find(in->key, in->count, t);

		if (is_full(p, level - 1, in->child[c])) {
			split_child(p, level, in, c);
			c += in->key[c + 1] <= t;
		}
		id = profile_enter(p, level, in, c);
	}
	leaf = leaf_at(p, id);
	i = find(leaf->time, leaf->count, t);
	if (leaf->time[i] == t)
		return false;
	i++;
	memmove(&leaf->time[i + 1], &leaf->time[i], (leaf->count - i) * sizeof(leaf->time[0]));
	memmove(&leaf->free[i + 1], &leaf->free[i], (leaf->count - i) * sizeof(leaf->free[0]));
	leaf->time[i] = t;
	leaf->free[i] = leaf->free[i - 1];
	leaf->count++;
	p->steps++;
	return true;
}

/*
 * Join child c of `in` with a neighbour when it is small and both fit into one with room to
 * spare.
 */
static void join_child(struct profile *p, unsigned level, struct inner *in, uint32_t c)
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
	profile_enter(p, level, in, left);
	profile_enter(p, level, in, right);
	if (level > 1)
		append_entries(inner_at(p, to), inner_at(p, from), 0, inner_at(p, from)->count);
	else
		append_steps(leaf_at(p, to), leaf_at(p, from), 0, leaf_at(p, from)->count);
	give(p, level - 1, from);
	close_entries(in, right, 1);
	profile_refresh(p, level, in, left, left);
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

/*
 * Take out breakpoint t below a node. Returns the node's first time then; PACT_FOREVER: it is
 * empty.
 */
static int64_t drop_under(struct profile *p, unsigned level, uint32_t id, int64_t t)
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
	first = drop_under(p, level - 1, profile_enter(p, level, in, c), t);
	if (first == PACT_FOREVER) {
		give(p, level - 1, in->child[c]);
		close_entries(in, c, 1);
		if (in->count == 0)
			return PACT_FOREVER;
		if (c > 0)
			profile_filter_bound(in, c - 1);
	} else {
		in->key[c] = first;
		join_child(p, level, in, c);
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
	for (c = first; c == first || (c < in->count && in->key[c] < end); c++) {
		int64_t stop = end_of_child(in, c, until);

		if (delta && start <= in->key[c] && stop <= end) {
			in->add[c] += delta;
			in->min[c] += delta;
			in->max[c] += delta;
			in->stale |= UINT32_C(1) << c;
			in->seen &= ~(UINT32_C(1) << c);
			continue;
		}
		add_under(p, level - 1, profile_enter(p, level, in, c), stop, start, end, delta);
		profile_refresh(p, level, in, c, c);
	}
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
	drop_under(p, p->height, p->root, t);
	p->steps--;
	/* The leaf before now ends later, and this one begins later. */
	if (before < t)
		add_under(p, p->height, p->root, PACT_FOREVER, before,
			  window_end(profile_next_change(p, before), 1), 0);
	shrink_root(p);
}

/* How many nodes a cut at t can split, when another cut may come before it; added to the counts. */
static void count_splits(const struct profile *p, int64_t t, uint32_t *leaves, uint32_t *inners)
{
	uint32_t id = p->root;

	for (unsigned level = p->height; level > 0; level--) {
		const struct inner *in = inner_at(p, id);

		*inners += in->count + 1 >= PROFILE_CHILDREN;
		id = in->child[find(in->key, in->count, t)];
	}
	*leaves += leaf_at(p, id)->count + 1 >= PROFILE_STEPS;
}

/* Room for what cuts at both ends may split, so that they cannot fail half way. */
static int reserve_for_cuts(struct profile *p, int64_t start, int64_t end)
{
	uint32_t leaves = 0, inners = 0;

	/* Mostly there is room for the worst: both cuts split every level, and the root grows. */
	if (pool_spare(&p->leaves) >= 2 && pool_spare(&p->inners) >= 2 * p->height + 1)
		return 0;
	count_splits(p, start, &leaves, &inners);
	count_splits(p, end, &leaves, &inners);
	/* The root may need a parent; a new root cannot need one at once. */
	inners += p->height ? inners > 0 : leaves > 0;
	if (leaves && pool_reserve(&p->leaves, leaves))
		return -1;
	return inners ? pool_reserve(&p->inners, inners) : 0;
}

/* A tree that has become so small is better off flat; not at once, lest it go to and fro. */
static void fold_small(struct profile *p)
{
	if (p->steps <= PROFILE_FLAT / 2)
		profile_fold(p);
}

int profile_add(struct profile *p, int64_t start, int64_t end, int32_t delta)
{
	int64_t origin = origin_of(p);
	bool old_start, old_end;

	if (start < origin)
		start = origin;
	if (start >= end || delta == 0)
		return 0;
	if (p->flat && p->steps + 2 <= PROFILE_FLAT) {
		if (p->steps + 2 > p->flat_room && profile_flat_room(p, p->steps + 2))
			return -1;
		profile_flat_add(p, start, end, delta);
		return 0;
	}
	if (p->flat && profile_unfold(p))
		return -1;
	if (reserve_for_cuts(p, start, end))
		return -1;
	/* A new breakpoint cannot have become idle: what differs on its sides is delta. */
	old_start = start > origin && !cut(p, start);
	old_end = end != PACT_FOREVER && !cut(p, end);
	add_under(p, p->height, p->root, PACT_FOREVER, start, end, delta);
	if (old_end)
		mend(p, end);
	if (old_start)
		mend(p, start);
	if (old_end || old_start)
		fold_small(p);
	return 0;
}

/* Apart, so that profile_place() mostly is but a jump. */
static __attribute__((noinline)) int search_and_add(struct profile *p, int64_t from,
						    int64_t duration, int32_t n, int64_t by,
						    int64_t *start)
{
	*start = profile_earliest(p, from, duration, n);
	if (*start == PACT_FOREVER || window_end(*start, duration) > by)
		return 1;
	return profile_add(p, *start, window_end(*start, duration), -n);
}

int profile_place(struct profile *p, int64_t from, int64_t duration, int32_t n, int64_t by,
		  int64_t *start)
{
	int64_t t = p->flat && from < p->time[0] ? p->time[0] : from;

	if (p->flat && p->steps + 2 <= p->flat_room && p->steps + 2 <= PROFILE_FLAT &&
	    duration > 0 && t != PACT_FOREVER)
		return profile_flat_place(p, t, duration, n, by, start);
	return search_and_add(p, from, duration, n, by, start);
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
static void trim_under(struct profile *p, unsigned level, uint32_t id, int64_t t)
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
	trim_under(p, level - 1, profile_enter(p, level, in, 0), t);
	profile_refresh(p, level, in, 0, 0);
	join_child(p, level, in, 0);
}

void profile_advance(struct profile *p, int64_t t)
{
	if (t <= origin_of(p))
		return;
	if (p->flat) {
		profile_flat_advance(p, t);
		return;
	}
	if (t < profile_next_change(p, origin_of(p))) {
		trim_first(p, t);
		return;
	}
	trim_under(p, p->height, p->root, t);
	shrink_root(p);
	fold_small(p);
}
