/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_flat: a profile of few steps, as a plain array of times and one of values. Up to PROFILE_FLAT
 * steps moving what lies behind and looking at all of them costs less than the way down a tree and the
 * repair of its filter; most plans never have more.
 */
#include <stdlib.h>
#include <string.h>

#include "profile_tree.h"

int profile_flat_room(struct profile *p, size_t steps)
{
	size_t room = p->flat_room ? p->flat_room : 16;
	int64_t *time;
	int32_t *free;

	if (steps <= p->flat_room)
		return 0;
	while (room < steps)
		room *= 2;
	time = realloc(p->time, room * sizeof(*time));
	if (!time)
		return -1;
	p->time = time;
	free = realloc(p->free, room * sizeof(*free));
	if (!free)
		return -1;
	p->free = free;
	p->flat_room = room;
	return 0;
}

static size_t find_step(const struct profile *p, int64_t t)
{
	return find(p->time, (uint32_t)p->steps, t);
}

static void insert_step(struct profile *p, size_t i, int64_t t, int32_t value)
{
	size_t tail = p->steps++ - i;

	memmove(&p->time[i + 1], &p->time[i], tail * sizeof(*p->time));
	memmove(&p->free[i + 1], &p->free[i], tail * sizeof(*p->free));
	p->time[i] = t;
	p->free[i] = value;
}

static void drop_steps(struct profile *p, size_t i, size_t many)
{
	size_t tail = p->steps - i - many;

	memmove(&p->time[i], &p->time[i + many], tail * sizeof(*p->time));
	memmove(&p->free[i], &p->free[i + many], tail * sizeof(*p->free));
	p->steps -= many;
}

/* The step that begins at t, which is made one if it is none. */
static size_t cut_flat(struct profile *p, int64_t t)
{
	size_t i = find_step(p, t);

	if (p->time[i] == t)
		return i;
	insert_step(p, i + 1, t, p->free[i]);
	return i + 1;
}

static void mend_flat(struct profile *p, size_t i)
{
	if (i > 0 && i < p->steps && p->free[i] == p->free[i - 1])
		drop_steps(p, i, 1);
}

void profile_flat_add(struct profile *p, int64_t start, int64_t end, int32_t delta)
{
	size_t first = cut_flat(p, start);
	size_t behind = end == PACT_FOREVER ? p->steps : cut_flat(p, end);

	for (size_t i = first; i < behind; i++)
		p->free[i] += delta;
	mend_flat(p, behind);
	mend_flat(p, first);
}

int32_t profile_flat_min(const struct profile *p, int64_t start, int64_t end)
{
	size_t i = find_step(p, start);
	int32_t least = p->free[i];

	while (++i < p->steps && p->time[i] < end)
		least = p->free[i] < least ? p->free[i] : least;
	return least;
}

int32_t profile_flat_at(const struct profile *p, int64_t t)
{
	return p->free[find_step(p, t)];
}

static int64_t end_of(const struct profile *p, size_t i)
{
	return i + 1 < p->steps ? p->time[i + 1] : PACT_FOREVER;
}

int64_t profile_flat_last_at_most(const struct profile *p, int64_t start, int64_t end, int32_t n)
{
	for (size_t i = find_step(p, end - 1);; i--) {
		int64_t stop = end_of(p, i);

		if (stop <= start)
			return start;
		if (p->free[i] <= n)
			return stop;
		if (i == 0)
			return start;
	}
}

int64_t profile_flat_next(const struct profile *p, int64_t t)
{
	return end_of(p, find_step(p, t));
}

/* The last step from k on that begins before t; k does. */
static size_t last_before(const struct profile *p, size_t k, int64_t t)
{
	size_t step = 1;

	for (; k + step < p->steps && p->time[k + step] < t; step *= 2)
		k += step;
	for (; step; step /= 2)
		k += k + step < p->steps && p->time[k + step] < t ? step : 0;
	return k;
}

/*
 * Each window is looked at from its end backwards: what is in the way nearest to the end is what the
 * next window has to begin behind, and nothing before that matters.
 */
int64_t profile_flat_earliest(const struct profile *p, int64_t from, int64_t latest,
			      int64_t duration, int32_t n)
{
	size_t last = find_step(p, from), seen = last;
	int64_t begin = from;

	/* seen: of the steps from the window's first on, those before this one are free enough */
	while (begin <= latest) {
		last = last_before(p, last, window_end(begin, duration));

		size_t i = last + 1;

		while (i > seen && p->free[i - 1] >= n)
			i--;
		if (i <= seen)
			return begin;
		if (i == p->steps)
			return PACT_FOREVER;
		begin = p->time[i];
		seen = last + 1;
		last = i > last ? i : last;
	}
	return PACT_FOREVER;
}

void profile_flat_advance(struct profile *p, int64_t t)
{
	size_t i = find_step(p, t);

	if (i)
		drop_steps(p, 0, i);
	p->time[0] = t;
}

static void gather_steps(struct profile *p, unsigned level, uint32_t id, size_t *n)
{
	if (level == 0) {
		const struct leaf *leaf = leaf_at(p, id);

		memcpy(&p->time[*n], leaf->time, leaf->count * sizeof(*p->time));
		memcpy(&p->free[*n], leaf->free, leaf->count * sizeof(*p->free));
		*n += leaf->count;
		return;
	}
	struct inner *in = inner_at(p, id);

	for (uint32_t c = 0; c < in->count; c++)
		gather_steps(p, level - 1, profile_enter(p, level, in, c), n);
}

void profile_fold(struct profile *p)
{
	size_t n = 0;

	if (profile_flat_room(p, p->steps))
		return; /* the tree will do */
	gather_steps(p, p->height, p->root, &n);
	p->flat = true;
}
