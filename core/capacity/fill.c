/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fill: see fill.h, and fill_nodes.h for what it is made of.
 *
 * Where the last search for just this width and duration ended is kept in mind: many jobs are like another
 * one, and the next of them looks only from there on.
 *
 * A few hundred waiting jobs on a machine with some tens of running ones fit into one block: `small` ones are
 * searched and changed without all this.
 */
#include "core/capacity/fill_nodes.h"
#include "core/base/array.h"

struct fill *fill_create(void)
{
	return calloc(1, sizeof(struct fill));
}

void fill_destroy(struct fill *f)
{
	if (!f)
		return;
	free(f->group);
	free(f->order);
	free(f->vain);
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

/* Room for n, with some to spare. */
static uint32_t room_for(uint32_t room, uint32_t n)
{
	size_t more = room ? room : 4;

	while (more < n)
		more += more / 2 + 1;
	return (uint32_t)more;
}

static int reserve_blocks(struct fill *f, uint32_t n)
{
	uint32_t room = room_for(f->block_room, n);

	if (n <= f->block_room)
		return 0;
	if (array_grow(&f->block, room, sizeof(*f->block)) < 0)
		return -1;
	f->block_room = room;
	return 0;
}

/* The rows become as long as this. 0 or -1. */
static int enlarge_rows(struct fill *f, uint32_t room)
{
	struct vain *v = malloc(CLASSES * (size_t)room * sizeof(*v));

	if (!v)
		return -1;
	for (int k = 0; k < f->classes; k++)
		memcpy(&v[(size_t)k * room], vain_row(f, k), f->groups * sizeof(*v));
	free(f->vain);
	f->vain = v;
	return 0;
}

static int reserve_groups(struct fill *f, uint32_t n)
{
	uint32_t room = room_for(f->group_room, n);

	if (n <= f->group_room)
		return 0;
	if (array_grow(&f->group, room, sizeof(*f->group)) < 0 ||
	    array_grow(&f->order, room, sizeof(*f->order)) < 0 ||
	    array_grow(&f->range, room / SPAN + 1, sizeof(*f->range)) < 0 ||
	    enlarge_rows(f, room) < 0)
		return -1;
	f->group_room = room;
	return 0;
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

/* The range of this group, and those behind, have other groups now. */
static void forget_ranges(struct fill *f, uint32_t group)
{
	for (uint32_t i = group / SPAN; i * SPAN < f->groups; i++) {
		f->range[i].most = INT32_MAX;
		for (int k = 0; k < f->classes; k++)
			f->range[i].vain[k] = (struct vain){ 0, ENDLESS };
	}
}

/* Nothing has been searched: of no class is anything known. */
static void forget_all(struct fill *f)
{
	f->classes = 0;
	forget_ranges(f, 0);
	forget_found(f);
}

int fill_copy(struct fill *dst, const struct fill *src)
{
	if (reserve_blocks(dst, src->blocks) < 0 || reserve_groups(dst, src->groups) < 0)
		return -1;
	memcpy(dst->block, src->block, src->blocks * sizeof(*src->block));
	memcpy(dst->order, src->order, src->groups * sizeof(*src->order));
	for (uint32_t g = 0; g < src->groups; g++)
		memcpy(&dst->group[g], &src->group[g], offsetof(struct group, known));
	dst->blocks = src->blocks;
	dst->groups = src->groups;
	forget_all(dst);
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
	struct place *p = &f->order[f->groups];
	int32_t most = INT32_MIN;

	for (uint32_t i = 0; i < count; i++) {
		b->time[i] = step[i].time;
		b->free[i] = step[i].free;
		most = step[i].free > most ? step[i].free : most;
	}
	clear_steps(b, count);
	b->count = count;
	b->add = 0;
	if (!g || g->count == GROUPED) {
		g = &f->group[f->groups];
		g->count = 0;
		*p++ = (struct place){ b->time[0], most, f->groups++ };
	}
	g->first[g->count] = b->time[0];
	g->top[g->count] = most;
	g->block[g->count++] = f->blocks++;
	p[-1].most = most > p[-1].most ? most : p[-1].most;
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
	forget_all(f);
	return 0;
}

int fill_close(struct fill *f, struct profile *p, const struct profile *like)
{
	size_t n = 0;

	if (reserve_steps(f, (size_t)f->blocks * STEPS) < 0)
		return -1;
	for (uint32_t g = 0; g < f->groups; g++) {
		for (uint32_t c = 0; c < group_at(f, g)->count; c++) {
			const struct block *b = block_at(f, &(struct spot){ g, c, 0 });

			for (uint32_t i = 0; i < b->count; i++)
				f->step[n++] =
					(struct profile_step){ b->time[i], b->free[i] + b->add };
		}
	}
	return profile_set(p, like, f->step, n);
}

size_t fill_bytes(const struct fill *f)
{
	size_t group = sizeof(*f->group) + sizeof(*f->order) + CLASSES * sizeof(*f->vain);

	return sizeof(*f) + f->group_room * group + (f->group_room / SPAN + 1) * sizeof(*f->range) +
	       f->block_room * sizeof(*f->block) + f->step_room * sizeof(*f->step);
}

/* ---- finding one's way ---- */

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

		at.g += f->order[at.g + half].first <= t ? half : 0;
		count -= half;
	}
	at.c = before(group_at(f, at.g)->first, group_at(f, at.g)->count, t + 1) - 1;

	const struct block *b = block_at(f, &at);

	at.i = before(b->time, b->count, t + 1) - 1;
	return at;
}

/* The same, where it was once, or later: a few steps at most in most cases. */
static struct spot locate_near(const struct fill *f, int64_t t, struct spot at)
{
	const struct group *g = group_at(f, at.g);

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

static bool next_block(const struct fill *f, struct spot *at)
{
	at->i = 0;
	if (++at->c < group_at(f, at->g)->count)
		return true;
	at->c = 0;
	return ++at->g < f->groups;
}

/* ---- taking room ---- */

/* Group g becomes two. There is room for it. */
static void split_group(struct fill *f, uint32_t g)
{
	struct place *p = &f->order[g];
	struct group *left = group_at(f, g), *right = &f->group[f->groups];
	uint32_t half = BLOCKS / 2, count = left->count - half, tail = f->groups - g - 1;

	memcpy(right->first, &left->first[half], count * sizeof(left->first[0]));
	memcpy(right->top, &left->top[half], count * sizeof(left->top[0]));
	memcpy(right->block, &left->block[half], count * sizeof(left->block[0]));
	for (int k = 0; k < f->classes; k++) {
		struct vain *v = vain_row(f, k) + g;

		memcpy(right->known[k], &left->known[k][half], count * sizeof(struct vain));
		memmove(v + 2, v + 1, tail * sizeof(*v));
		v[1] = v[0];
	}
	left->count = half;
	right->count = count;
	memmove(p + 2, p + 1, tail * sizeof(*p));
	p[1] = (struct place){ right->first[0], p->most, f->groups++ };
	forget_ranges(f, g);
}

/* Block c of group g becomes two. There is room for one more block and one more group. */
static void split_block(struct fill *f, uint32_t g, uint32_t c)
{
	if (group_at(f, g)->count == BLOCKS) {
		split_group(f, g);
		g += c >= BLOCKS / 2;
		c -= c >= BLOCKS / 2 ? BLOCKS / 2 : 0;
	}
	struct group *group = group_at(f, g);
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
	for (int k = 0; k < f->classes; k++) {
		struct vain *v = &group->known[k][c];

		memmove(v + 2, v + 1, tail * sizeof(*v));
		v[1] = v[0];
	}
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
		struct group *g = group_at(f, at.g);
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
	if (start < f->order[0].first)
		start = f->order[0].first;
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

/*
 * Are all steps in one block, with room for two more? Most queues of most machines need no more: to search these
 * like larger ones takes dynP 21 to 47 % more instructions (1,500 jobs of a model, 2,000 of the SDSC log).
 */
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
	uint64_t bits = 0;

	while (b->time[i + 1] <= t)
		i++;
	for (uint32_t k = i / 16 * 16; k < b->count; k += 16)
		bits |= steps_enough(&b->free[k], 16, width - b->add) << k;
	bits &= ~UINT64_C(0) << i;
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
	struct spot at = { 0, 0, 0 }, first;
	int64_t t;

	*start = PACT_FOREVER;
	if (from == PACT_FOREVER)
		return 0;
	if (is_small(f)) {
		*start = place_small(f, like, from, duration, width);
		return 0;
	}
	if (reserve_splits(f) < 0)
		return -1;
	t = longer(from, like->start);
	if (t > f->order[0].first)
		at = locate_near(f, t, like->at);
	if (!fill_search(f, t, duration, width, at, start, &first))
		return 0;
	note_found(like, from, *start, first);
	take_at(f, first, *start, end_of(*start, duration), width);
	return 0;
}

int fill_place_at(struct fill *f, int64_t from, int64_t duration, int32_t width, int64_t start)
{
	struct found *like = find_found(f, from, duration, width);
	struct spot at;

	if (start < f->order[0].first) /* the present has gone on */
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
