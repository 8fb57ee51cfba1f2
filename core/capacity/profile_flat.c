/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_flat: a profile of few steps, as a plain array of times and one of values. Up to PROFILE_FLAT
 * steps moving what lies behind and looking at all of them, several at a time, costs less than the way
 * down a tree and the repair of its filter; most plans never have more.
 */
#include <stdlib.h>
#include <string.h>

#include "core/capacity/profile_tree.h"
#include "core/base/steps.h"

/* The search looks at so many steps at once, the values behind the last one among them. */
#define BLOCK 64

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
	free = realloc(p->free, (room + BLOCK) * sizeof(*free));
	if (!free)
		return -1;
	p->free = free;
	p->flat_room = room;
	return 0;
}

void profile_flat_forget(struct profile *p)
{
	free(p->time);
	free(p->free);
	p->time = NULL;
	p->free = NULL;
	p->flat_room = 0;
}

/* Values side by side, as in profile_filter.c. */
#define LANES 4
typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

/* The last step that begins no later than t, which lies in step i or behind. */
static size_t find_from(const struct profile *p, size_t i, int64_t t)
{
	return i + find(p->time + i, (uint32_t)(p->steps - i), t);
}

static size_t find_step(const struct profile *p, int64_t t)
{
	/* most questions begin now, and so does the profile */
	return p->steps == 1 || p->time[1] > t ? 0 : find_from(p, 1, t);
}

/* The same as find_from() when it is probably one of the next. */
static size_t step_behind(const struct profile *p, size_t i, int64_t t)
{
	size_t most = i + 4 < p->steps ? i + 4 : p->steps - 1;

	while (i < most && p->time[i + 1] <= t)
		i++;
	return i < most ? i : find_from(p, i, t);
}

static void drop_steps(struct profile *p, size_t i, size_t many)
{
	size_t tail = p->steps - i - many;

	memmove(&p->time[i], &p->time[i + many], tail * sizeof(*p->time));
	memmove(&p->free[i], &p->free[i + many], tail * sizeof(*p->free));
	p->steps -= many;
}

static void mend_flat(struct profile *p, size_t i)
{
	if (i > 0 && i < p->steps && p->free[i] == p->free[i - 1])
		drop_steps(p, i, 1);
}

static void add_to(int32_t *free, size_t n, int32_t delta)
{
	for (; n >= LANES; n -= LANES, free += LANES)
		*(lanes *)free += (lanes){ delta, delta, delta, delta };
	for (size_t i = 0; i < n; i++)
		free[i] += delta;
}

/*
 * The steps that the interval cuts are made two: what lies behind its end moves by both cuts, what lies
 * within by the first.
 */
static void add_from(struct profile *p, size_t first, int64_t start, int64_t end, int32_t delta)
{
	int64_t *time = p->time;
	int32_t *free = p->free;
	size_t last = end == PACT_FOREVER ? p->steps - 1 : step_behind(p, first, end);
	size_t head = time[first] != start;
	size_t tail = end != PACT_FOREVER && time[last] != end;
	size_t behind = end == PACT_FOREVER ? p->steps : last + tail;

	if (head + tail) {
		size_t rest = p->steps - 1 - last;

		memmove(&time[last + 1 + head + tail], &time[last + 1], rest * sizeof(*time));
		memmove(&free[last + 1 + head + tail], &free[last + 1], rest * sizeof(*free));
		p->steps += head + tail;
	}
	if (tail) {
		time[last + head + 1] = end;
		free[last + head + 1] = free[last];
	}
	if (head) {
		memmove(&time[first + 1], &time[first], (last + 1 - first) * sizeof(*time));
		memmove(&free[first + 1], &free[first], (last + 1 - first) * sizeof(*free));
		time[++first] = start;
		behind++;
	}
	add_to(&free[first], behind - first, delta);
	mend_flat(p, behind);
	mend_flat(p, first);
}

void profile_flat_add(struct profile *p, int64_t start, int64_t end, int32_t delta)
{
	add_from(p, find_step(p, start), start, end, delta);
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

/*
 * *step: that in which the answer lies.
 *
 * A block of steps is looked at as bits, and of the runs of steps that are free enough only where they
 * begin and end: what is in the way costs next to nothing, and most of what lies before the answer is.
 * In line, as half of QoPS' time is spent on placing.
 */
static inline __attribute__((always_inline)) int64_t earliest(const struct profile *p, int64_t from,
							      int64_t latest, int64_t duration,
							      int32_t n, size_t *step)
{
	size_t at = find_step(p, from), run = at; /* the step in which the last run began */
	int64_t begin = from;			  /* when that run began */
	bool open = p->free[at] >= n;		  /* that run has not ended */

	/* only the first step can begin before `from` */
	for (at++; at < p->steps; at += BLOCK) {
		const int64_t *time = p->time + at;
		uint64_t valid =
			p->steps - at < BLOCK ? (UINT64_C(1) << (p->steps - at)) - 1 : ~UINT64_C(0);
		uint64_t wide = steps_enough(p->free + at, BLOCK, n) & valid;
		uint64_t before = wide << 1 | open;
		uint64_t starts = wide & ~before, ends = before & ~wide & valid;

		if (open) {
			if (!ends)
				continue;
			if (time[__builtin_ctzll(ends)] - begin >= duration)
				break;
			ends &= ends - 1;
		}
		if (time[0] > latest)
			return PACT_FOREVER;
		for (; ends; ends &= ends - 1, starts &= starts - 1) {
			size_t first = (size_t)__builtin_ctzll(starts);

			if (time[__builtin_ctzll(ends)] - time[first] < duration)
				continue;
			*step = at + first;
			return time[first] > latest ? PACT_FOREVER : time[first];
		}
		open = starts;
		if (open) {
			run = at + (size_t)__builtin_ctzll(starts);
			begin = p->time[run];
		}
	}
	*step = run;
	/* the last step never ends */
	return open && begin <= latest ? begin : PACT_FOREVER;
}

int64_t profile_flat_earliest(const struct profile *p, int64_t from, int64_t latest,
			      int64_t duration, int32_t n)
{
	size_t step;

	return earliest(p, from, latest, duration, n, &step);
}

int profile_flat_place(struct profile *p, int64_t from, int64_t duration, int32_t n, int64_t by,
		       int64_t *start)
{
	size_t step;
	int64_t t = earliest(p, from, PACT_FOREVER, duration, n, &step), end;

	*start = t;
	if (t == PACT_FOREVER)
		return 1;
	end = window_end(t, duration);
	if (end > by)
		return 1;
	add_from(p, step, t, end, -n);
	return 0;
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
