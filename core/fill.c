/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fill: see fill.h. Blocks of steps, in groups of blocks, which are an array in order of time; every SPAN
 * groups are a range.
 *
 * A block that a job covers whole is changed by `add` alone. `most` is never less than what is free
 * anywhere in a block, group or range; it is made exact only by a search that found nothing there.
 *
 * What searches found in vain, per class of widths: no window for `width` nodes or more begins in this
 * block (group, range) and lasts longer than `longest` seconds. A window that begins before the block and
 * covers its first moment counts from there. It stays true as room is only taken, and halves of a split
 * block inherit it. Ranges forget when groups move: that is seldom.
 *
 * Where the last search for just this width and duration ended is known as well: many jobs are like another
 * one, and the next of them looks only from there on.
 *
 * A few hundred waiting jobs on a machine with some tens of running ones fit into one block: `small` ones are
 * searched and changed without all this.
 */
#include "fill.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

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
#define CLASSES 24
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
	struct vain vain[CLASSES];
};

struct group {
	uint32_t count;
	int32_t most;
	int64_t first[BLOCKS];
	int32_t top[BLOCKS]; /* each block's `most` */
	uint32_t block[BLOCKS];
	struct vain vain[CLASSES];
};

struct range {
	int32_t most;
	struct vain vain[CLASSES];
};

struct spot {
	uint32_t g, c, i; /* group, block in it, step in that */
};

/* A search from `from` on for such a window found the first at `start`, in this age of the fill. */
struct found {
	int64_t from, duration, start;
	int32_t width;
	uint32_t age;
	struct spot at; /* where that was then; it can but have moved to later ones */
};

#define FOUND_BITS 7

struct fill {
	struct group *group;
	uint32_t groups, group_room;
	struct range *range; /* for groups / SPAN + 1 */
	uint32_t range_room;
	struct block *block; /* in the order of their making */
	uint32_t blocks, block_room;
	struct profile_step *step; /* scratch: a whole profile */
	size_t step_room;
	uint32_t age; /* grows when room is given back */
	struct found found[1 << FOUND_BITS];
};

struct fill *fill_create(void)
{
	return calloc(1, sizeof(struct fill));
}

void fill_destroy(struct fill *f)
{
	if (!f)
		return;
	free(f->group);
	free(f->range);
	free(f->block);
	free(f->step);
	free(f);
}

/* ---- memory ---- */

/* What was found before counts no longer. */
static void forget_found(struct fill *f)
{
	if (!++f->age) {
		memset(f->found, 0, sizeof(f->found));
		f->age = 1;
	}
}

static int reserve(void *array, uint32_t *room, size_t n, size_t size)
{
	void **at = array;
	size_t more = *room ? *room : 4;

	if (n <= *room)
		return 0;
	while (more < n)
		more += more / 2 + 1;
	void *p = realloc(*at, more * size);

	if (!p)
		return -1;
	*at = p;
	*room = (uint32_t)more;
	return 0;
}

static int reserve_blocks(struct fill *f, uint32_t n)
{
	return reserve(&f->block, &f->block_room, n, sizeof(*f->block));
}

static int reserve_groups(struct fill *f, uint32_t n)
{
	if (reserve(&f->group, &f->group_room, n, sizeof(*f->group)) < 0)
		return -1;
	return reserve(&f->range, &f->range_room, f->group_room / SPAN + 1, sizeof(*f->range));
}

static int reserve_steps(struct fill *f, size_t n)
{
	if (n <= f->step_room)
		return 0;
	struct profile_step *step = realloc(f->step, n * sizeof(*step));

	if (!step)
		return -1;
	f->step = step;
	f->step_room = n;
	return 0;
}

static void know_nothing(struct vain *v)
{
	for (int k = 0; k < CLASSES; k++)
		v[k] = (struct vain){ 0, ENDLESS };
}

/* The range of this group, and those behind, have other groups now. */
static void forget_ranges(struct fill *f, uint32_t group)
{
	for (uint32_t i = group / SPAN; i * SPAN < f->groups; i++) {
		f->range[i].most = INT32_MAX;
		know_nothing(f->range[i].vain);
	}
}

int fill_copy(struct fill *dst, const struct fill *src)
{
	if (reserve_blocks(dst, src->blocks) < 0 || reserve_groups(dst, src->groups) < 0)
		return -1;
	memcpy(dst->block, src->block, src->blocks * sizeof(*src->block));
	memcpy(dst->group, src->group, src->groups * sizeof(*src->group));
	dst->blocks = src->blocks;
	dst->groups = src->groups;
	forget_ranges(dst, 0);
	forget_found(dst);
	return 0;
}

/* ---- from a profile and to one ---- */

static void clear_steps(struct block *b, uint32_t from)
{
	for (uint32_t i = from; i < STEPS; i++) {
		b->time[i] = PACT_FOREVER;
		b->free[i] = NOTHING;
	}
}

/* A block of `count` steps, and its place behind all others; there is room. */
static void append_block(struct fill *f, const struct profile_step *step, uint32_t count)
{
	struct block *b = &f->block[f->blocks];
	struct group *g = f->groups ? &f->group[f->groups - 1] : NULL;
	int32_t most = INT32_MIN;

	for (uint32_t i = 0; i < count; i++) {
		b->time[i] = step[i].time;
		b->free[i] = step[i].free;
		most = step[i].free > most ? step[i].free : most;
	}
	clear_steps(b, count);
	b->count = count;
	b->add = 0;
	know_nothing(b->vain);
	if (!g || g->count == GROUPED) {
		g = &f->group[f->groups++];
		g->count = 0;
		g->most = most;
		know_nothing(g->vain);
	}
	g->first[g->count] = b->time[0];
	g->top[g->count] = most;
	g->block[g->count++] = f->blocks++;
	g->most = most > g->most ? most : g->most;
}

int fill_open(struct fill *f, const struct profile *p)
{
	size_t n = profile_steps(p);
	/* few of them stay together */
	size_t each = n <= SMALL ? SMALL : OPENED, blocks = (n + each - 1) / each;

	if (reserve_steps(f, n) < 0 || reserve_blocks(f, (uint32_t)blocks) < 0 ||
	    reserve_groups(f, (uint32_t)(blocks / GROUPED + 1)) < 0)
		return -1;
	profile_list(p, f->step);
	f->blocks = f->groups = 0;
	for (size_t i = 0; i < n; i += each)
		append_block(f, f->step + i, (uint32_t)(n - i < each ? n - i : each));
	forget_ranges(f, 0);
	forget_found(f);
	return 0;
}

int fill_close(struct fill *f, struct profile *p, const struct profile *like)
{
	size_t n = 0;

	if (reserve_steps(f, (size_t)f->blocks * STEPS) < 0)
		return -1;
	for (uint32_t g = 0; g < f->groups; g++) {
		for (uint32_t c = 0; c < f->group[g].count; c++) {
			const struct block *b = &f->block[f->group[g].block[c]];

			for (uint32_t i = 0; i < b->count; i++)
				f->step[n++] =
					(struct profile_step){ b->time[i], b->free[i] + b->add };
		}
	}
	return profile_set(p, like, f->step, n);
}

size_t fill_bytes(const struct fill *f)
{
	return sizeof(*f) + f->group_room * sizeof(*f->group) + f->block_room * sizeof(*f->block) +
	       f->step_room * sizeof(*f->step);
}

/* ---- finding one's way ---- */

static struct block *block_at(const struct fill *f, const struct spot *at)
{
	return &f->block[f->group[at->g].block[at->c]];
}

/* How many of the sorted times, at least one, are before t, or 1. */
static uint32_t before(const int64_t *time, uint32_t count, int64_t t)
{
	uint32_t low = 0;

	while (count > 1) {
		uint32_t half = count / 2;

		low += time[low + half] < t ? half : 0;
		count -= half;
	}
	return low + 1;
}

/* The step that holds t, or the first of all. */
static struct spot locate(const struct fill *f, int64_t t)
{
	struct spot at = { 0, 0, 0 };
	uint32_t count = f->groups;

	while (count > 1) {
		uint32_t half = count / 2;

		at.g += f->group[at.g + half].first[0] <= t ? half : 0;
		count -= half;
	}
	at.c = before(f->group[at.g].first, f->group[at.g].count, t + 1) - 1;

	const struct block *b = block_at(f, &at);

	at.i = before(b->time, b->count, t + 1) - 1;
	return at;
}

/* The same, where it was once, or later: a few steps at most in most cases. */
static struct spot locate_near(const struct fill *f, int64_t t, struct spot at)
{
	const struct group *g = &f->group[at.g];

	if (f->groups > 1 || at.c >= g->count || g->first[at.c] > t)
		return locate(f, t);
	for (; at.c + 1 < g->count && g->first[at.c + 1] <= t; at.c++)
		at.i = 0;

	const struct block *b = block_at(f, &at);

	if (at.i >= b->count || b->time[at.i] > t)
		at.i = before(b->time, b->count, t + 1) - 1;
	while (at.i + 1 < b->count && b->time[at.i + 1] <= t)
		at.i++;
	return at;
}

/* Where the block ends. */
static int64_t block_end(const struct fill *f, const struct spot *at)
{
	const struct group *g = &f->group[at->g];

	if (at->c + 1 < g->count)
		return g->first[at->c + 1];
	return at->g + 1 < f->groups ? g[1].first[0] : PACT_FOREVER;
}

static bool next_block(const struct fill *f, struct spot *at)
{
	at->i = 0;
	if (++at->c < f->group[at->g].count)
		return true;
	at->c = 0;
	return ++at->g < f->groups;
}

/* ---- searching ---- */

/* Two classes of widths for each power of two. */
static int class_of(int32_t width)
{
	int log = 31 - __builtin_clz((uint32_t)width);
	int k = 2 * log + (log > 0 && (width >> (log - 1) & 1));

	return k < CLASSES ? k : CLASSES - 1;
}

enum { BLOCK, GROUP, RANGE, LEVELS };

/* What is asked for, and what is known on the way. */
struct search {
	struct fill *f;
	int64_t from, duration;
	int32_t width;
	int class;
	/* a window is open: it began here, and reaches to the end of the last block */
	bool open;
	int64_t begin;
	struct spot first;	 /* the step that holds the window's beginning */
	int64_t longest[LEVELS]; /* of the windows in this block, group, range */
	/* a block, group, range in which the open window began: what else is learnt of it */
	struct vain *late[LEVELS];
	int64_t late_longest[LEVELS];
};

/* Not by an initializer: to clear all of it costs more than many a search. */
static void open_search(struct search *q, struct fill *f, int64_t from, int64_t duration,
			int32_t width)
{
	q->f = f;
	q->from = from;
	q->duration = duration;
	q->width = width;
	q->class = class_of(width);
	q->open = false;
	q->late[BLOCK] = q->late[GROUP] = q->late[RANGE] = NULL;
	q->longest[BLOCK] = q->longest[GROUP] = q->longest[RANGE] = 0;
}

static int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void learn(struct vain *v, int32_t width, int64_t longest)
{
	v->width = width;
	v->longest = longest < ENDLESS ? (int32_t)longest : ENDLESS;
}

/* Is it known that no window begins there? `level` is the next higher one. */
static bool in_vain(struct search *q, int level, int32_t most, const struct vain *v)
{
	v += q->class;
	if (most < q->width)
		return true;
	if (q->width < v->width || v->longest == ENDLESS || q->duration <= v->longest)
		return false;
	if (level < LEVELS)
		q->longest[level] = longer(q->longest[level], v->longest);
	return true;
}

/*
 * The whole of a block, group or range has been searched in vain. `entered`: in an open window. A search
 * that begins inside the first step saw its window cut short: that says nothing to an earlier one.
 */
static void leave(struct search *q, int level, struct vain *v, bool entered)
{
	v += q->class;
	if (!q->open) {
		learn(v, q->width, q->longest[level]);
	} else if (!entered || !q->late[level]) {
		/* what one window covers whole is not learnt of: that is seldom */
		q->late[level] = v;
		q->late_longest[level] = q->longest[level];
	}
}

/* The open window ended: what was to be learnt with it is known. */
static void close_window(struct search *q, int64_t end)
{
	int64_t length = end - q->begin;

	for (int level = 0; level < LEVELS; level++) {
		if (q->late[level])
			learn(q->late[level], q->width, longer(q->late_longest[level], length));
		q->late[level] = NULL;
		q->longest[level] = longer(q->longest[level], length);
	}
	q->open = false;
}

/* What follows the lowest run of bits, and where that ends. */
static uint64_t cut_run(uint64_t bits, uint32_t *stop)
{
	uint64_t above = (bits | (bits - 1)) + 1;

	*stop = above ? (uint32_t)__builtin_ctzll(above) : STEPS;
	return bits & above;
}

static bool lasts(const struct search *q, int64_t begin, int64_t until)
{
	return until == PACT_FOREVER || until - begin >= q->duration;
}

/*
 * The runs of wide enough steps in a block, one bit each, which ends at `end`. True: one is long enough, or
 * goes on for ever.
 */
static bool search_runs(struct search *q, const struct spot *at, const struct block *b,
			uint64_t bits, int64_t end)
{
	int64_t longest = 0, duration = q->duration;
	uint32_t stop, count = b->count;

	if (bits && q->open) {
		bits = cut_run(bits, &stop);
		if (stop >= count)
			return lasts(q, q->begin, end);
		if (lasts(q, q->begin, b->time[stop]))
			return true;
		longest = b->time[stop] - q->begin;
		close_window(q, b->time[stop]);
	}
	while (bits) {
		uint32_t i = (uint32_t)__builtin_ctzll(bits);
		int64_t begin = longer(b->time[i], q->from), length;

		bits = cut_run(bits, &stop);
		if (stop < count) {
			length = b->time[stop] - begin;
			longest = longer(longest, length);
			if (length < duration)
				continue;
		}
		q->begin = begin;
		q->first = (struct spot){ at->g, at->c, i };
		if (stop < count || lasts(q, begin, end))
			return true;
		q->open = true;
	}
	q->longest[BLOCK] = longest;
	return false;
}

static bool search_block(struct search *q, const struct spot *at, int32_t *top)
{
	struct block *b = block_at(q->f, at);
	uint64_t bits = steps_enough(b->free, STEPS, q->width - b->add);
	bool entered = q->open, whole = at->i == 0 && b->time[0] >= q->from;

	q->longest[BLOCK] = 0;
	if (entered && !(bits & 1))
		close_window(q, b->time[0]);
	if (!bits && *top >= q->width)
		*top = q->width - 1;
	bits &= ~UINT64_C(0) << at->i;
	if (search_runs(q, at, b, bits, block_end(q->f, at)))
		return true;
	if (whole)
		leave(q, BLOCK, b->vain, entered);
	q->longest[GROUP] = longer(q->longest[GROUP], q->longest[BLOCK]);
	return false;
}

static bool search_group(struct search *q, struct spot at)
{
	struct group *g = &q->f->group[at.g];
	bool entered = q->open, whole = at.c == 0 && at.i == 0;
	int32_t most = NOTHING;

	q->longest[GROUP] = 0;
	for (; at.c < g->count; at.c++, at.i = 0) {
		const struct vain *v = q->f->block[g->block[at.c]].vain;

		if ((q->open || !in_vain(q, GROUP, g->top[at.c], v)) &&
		    search_block(q, &at, &g->top[at.c]))
			return true;
		most = g->top[at.c] > most ? g->top[at.c] : most;
	}
	if (whole)
		g->most = most;
	if (whole && g->first[0] >= q->from)
		leave(q, GROUP, g->vain, entered);
	q->longest[RANGE] = longer(q->longest[RANGE], q->longest[GROUP]);
	return false;
}

static bool search_range(struct search *q, struct spot at)
{
	struct fill *f = q->f;
	struct range *r = &f->range[at.g / SPAN];
	bool entered = q->open, whole = at.g % SPAN == 0 && at.c == 0 && at.i == 0;
	uint32_t end = (at.g / SPAN + 1) * SPAN;
	int64_t first = f->group[at.g].first[0];
	int32_t most = NOTHING;

	q->longest[RANGE] = 0;
	for (; at.g < end && at.g < f->groups; at.g++, at.c = at.i = 0) {
		struct group *g = &f->group[at.g];

		if ((q->open || !in_vain(q, RANGE, g->most, g->vain)) && search_group(q, at))
			return true;
		most = g->most > most ? g->most : most;
	}
	if (whole)
		r->most = most;
	if (whole && first >= q->from)
		leave(q, RANGE, r->vain, entered);
	return false;
}

/* The blocks of the only group. Nothing is learnt of it: what is known stays true. */
static bool search_only_group(struct search *q, struct spot at)
{
	struct fill *f = q->f;
	struct group *g = f->group;

	for (; at.c < g->count; at.c++, at.i = 0) {
		if ((q->open || !in_vain(q, LEVELS, g->top[at.c], f->block[g->block[at.c]].vain)) &&
		    search_block(q, &at, &g->top[at.c]))
			return true;
	}
	return false;
}

/* True: q->begin and q->first are the answer. */
static bool search(struct search *q, struct spot at)
{
	if (q->f->groups == 1)
		return search_only_group(q, at);
	while (at.g < q->f->groups) {
		struct range *r = &q->f->range[at.g / SPAN];

		if ((q->open || !in_vain(q, LEVELS, r->most, r->vain)) && search_range(q, at))
			return true;
		at = (struct spot){ (at.g / SPAN + 1) * SPAN, 0, 0 };
	}
	return false;
}

/* ---- taking room ---- */

/* Block c of group g becomes two. There is room for one more block and one more group. */
static void split_block(struct fill *f, uint32_t g, uint32_t c)
{
	struct group *group = &f->group[g];

	if (group->count == BLOCKS) {
		memmove(group + 2, group + 1, (f->groups - g - 1) * sizeof(*group));
		f->groups++;
		group[1] = group[0];
		forget_ranges(f, g);
		group[0].count = BLOCKS / 2;
		group[1].count = BLOCKS - BLOCKS / 2;
		memcpy(group[1].first, &group[0].first[BLOCKS / 2],
		       group[1].count * sizeof(group->first[0]));
		memcpy(group[1].top, &group[0].top[BLOCKS / 2],
		       group[1].count * sizeof(group->top[0]));
		memcpy(group[1].block, &group[0].block[BLOCKS / 2],
		       group[1].count * sizeof(group->block[0]));
		if (c >= BLOCKS / 2) {
			c -= BLOCKS / 2;
			group++;
		}
	}
	struct block *left = &f->block[group->block[c]], *right = &f->block[f->blocks];
	uint32_t half = left->count / 2, tail = group->count - c - 1;

	*right = *left;
	right->count = left->count - half;
	memcpy(right->time, &left->time[half], right->count * sizeof(right->time[0]));
	memcpy(right->free, &left->free[half], right->count * sizeof(right->free[0]));
	clear_steps(right, right->count);
	left->count = half;
	clear_steps(left, half);
	memmove(&group->first[c + 2], &group->first[c + 1], tail * sizeof(group->first[0]));
	memmove(&group->top[c + 2], &group->top[c + 1], tail * sizeof(group->top[0]));
	memmove(&group->block[c + 2], &group->block[c + 1], tail * sizeof(group->block[0]));
	group->first[c + 1] = right->time[0];
	group->top[c + 1] = group->top[c];
	group->block[c + 1] = f->blocks++;
	group->count++;
}

/* A step at t, with so much free (before `add`), becomes number i of a block that has room for it. */
static inline void push_step(struct block *b, uint32_t i, int64_t t, int32_t free)
{
	memmove(&b->time[i + 1], &b->time[i], (b->count - i) * sizeof(b->time[0]));
	memmove(&b->free[i + 1], &b->free[i], (b->count - i) * sizeof(b->free[0]));
	b->time[i] = t;
	b->free[i] = free;
	b->count++;
}

/* The same of any block. There is room as above. */
static void insert_step(struct fill *f, struct spot at, int64_t t, int32_t free)
{
	struct block *b = block_at(f, &at);

	if (b->count == STEPS) {
		split_block(f, at.g, at.c);
		at = locate(f, t);
		at.i++;
		b = block_at(f, &at);
	}
	push_step(b, at.i, t, free);
}

/*
 * Take `width` nodes in [start, end) of a block that ends at `stop`, not before `end`, and has room for two
 * more steps. Step i holds the start.
 */
static inline void take_within(struct block *b, uint32_t i, int64_t start, int64_t end,
			       int64_t stop, int32_t width)
{
	if (b->time[i] < start) {
		i++;
		push_step(b, i, start, b->free[i - 1]);
	}
	/* a job covers few steps: to look at each is faster than to bisect */
	for (; b->time[i] < end; i++)
		b->free[i] -= width;
	if (end < stop && b->time[i] != end)
		push_step(b, i, end, b->free[i - 1] + width);
}

/* Take `width` nodes from the step at `at` until `end`. There is room for one more block and group. */
static void take_from(struct fill *f, struct spot at, int64_t end, int32_t width)
{
	for (;;) {
		struct group *g = &f->group[at.g];
		struct block *b = block_at(f, &at);
		int64_t stop = block_end(f, &at);

		if (at.i == 0 && stop <= end) {
			b->add -= width;
			g->top[at.c] -= width;
		} else {
			uint32_t i = at.i;

			for (; i < b->count && b->time[i] < end; i++)
				b->free[i] -= width;
			if (stop > end) {
				at.i = i;
				if (i == b->count || b->time[i] != end)
					insert_step(f, at, end, b->free[i - 1] + width);
				return;
			}
		}
		if (stop == end || !next_block(f, &at))
			return;
	}
}

/* Room for what two new steps may split. */
static inline int reserve_splits(struct fill *f)
{
	if (f->blocks + 2 <= f->block_room && f->groups + 2 <= f->group_room)
		return 0;
	return reserve_blocks(f, f->blocks + 2) | reserve_groups(f, f->groups + 2);
}

/* The same from `start` on, which is in the step at `at`. */
static void take_at(struct fill *f, struct spot at, int64_t start, int64_t end, int32_t width)
{
	struct block *b = block_at(f, &at);
	int64_t stop = block_end(f, &at);

	if (end <= stop && b->count + 2 <= STEPS) {
		take_within(b, at.i, start, end, stop, width);
		return;
	}
	if (b->time[at.i] < start) {
		at.i++;
		insert_step(f, at, start, b->free[at.i - 1]);
		at = locate(f, start);
	}
	take_from(f, at, end, width);
}

int fill_take(struct fill *f, int64_t start, int64_t end, int32_t width)
{
	if (reserve_splits(f) < 0)
		return -1;
	if (start < f->group[0].first[0])
		start = f->group[0].first[0];
	if (start < end)
		take_at(f, locate(f, start), start, end, width);
	return 0;
}

/* What is known of such a window from `from` on. */
static inline struct found *find_found(struct fill *f, int64_t from, int64_t duration,
				       int32_t width)
{
	uint64_t x = (uint64_t)duration * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)width * UINT64_C(0xc2b2ae3d27d4eb4f);
	struct found *like = &f->found[x >> (64 - FOUND_BITS)];

	if (like->age != f->age || like->width != width || like->duration != duration ||
	    like->from > from)
		*like = (struct found){ from, duration, from, width, f->age, { 0, 0, 0 } };
	return like;
}

/* The window is at `start` now; it was looked for from `from` on. */
static inline void note_found(struct found *like, int64_t from, int64_t start, struct spot at)
{
	if (from > like->start)
		return;
	like->start = start;
	like->at = at;
}

static int64_t end_of(int64_t start, int64_t duration)
{
	return duration > PACT_FOREVER - start ? PACT_FOREVER : start + duration;
}

/* Are all steps in one block, with room for two more? Most queues of most machines need no more. */
static inline bool is_small(const struct fill *f)
{
	return f->blocks == 1 && f->block->count + 2 <= STEPS;
}

/* fill_place() in a small one. */
static int64_t place_small(struct fill *f, struct found *like, int64_t from, int64_t duration,
			   int32_t width)
{
	struct block *b = f->block;
	int64_t t = longer(from, like->start), begin;
	uint32_t i = like->at.i, stop;
	uint64_t bits;

	while (b->time[i + 1] <= t)
		i++;
	bits = steps_enough(b->free, STEPS, width - b->add) & ~UINT64_C(0) << i;
	do {
		if (!bits)
			return PACT_FOREVER;
		i = (uint32_t)__builtin_ctzll(bits);
		bits = cut_run(bits, &stop);
		begin = longer(b->time[i], t);
	} while (b->time[stop] - begin < duration && stop < b->count);
	note_found(like, from, begin, (struct spot){ 0, 0, i });
	take_within(b, i, begin, end_of(begin, duration), PACT_FOREVER, width);
	return begin;
}

int fill_place(struct fill *f, int64_t from, int64_t duration, int32_t width, int64_t *start)
{
	struct found *like = find_found(f, from, duration, width);
	struct spot at = { 0, 0, 0 };
	struct search q;

	*start = PACT_FOREVER;
	if (from == PACT_FOREVER)
		return 0;
	if (is_small(f)) {
		*start = place_small(f, like, from, duration, width);
		return 0;
	}
	if (reserve_splits(f) < 0)
		return -1;
	open_search(&q, f, longer(from, like->start), duration, width);
	if (q.from > f->group[0].first[0])
		at = locate_near(f, q.from, like->at);
	if (!search(&q, at))
		return 0;
	*start = q.begin;
	note_found(like, from, q.begin, q.first);
	take_at(f, q.first, q.begin, end_of(q.begin, duration), width);
	return 0;
}

int fill_place_at(struct fill *f, int64_t from, int64_t duration, int32_t width, int64_t start)
{
	struct found *like = find_found(f, from, duration, width);
	struct spot at;

	if (start < f->group[0].first[0]) /* the present has gone on */
		return fill_take(f, start, end_of(start, duration), width);
	if (is_small(f)) {
		uint32_t i = before(f->block->time, f->block->count, start + 1) - 1;

		note_found(like, from, start, (struct spot){ 0, 0, i });
		take_within(f->block, i, start, end_of(start, duration), PACT_FOREVER, width);
		return 0;
	}
	if (reserve_splits(f) < 0)
		return -1;
	at = locate_near(f, start, like->at);
	note_found(like, from, start, at);
	take_at(f, at, start, end_of(start, duration), width);
	return 0;
}
