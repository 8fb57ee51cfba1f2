/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile: one sorted array of steps. step[i] lasts from its time to the time of step[i + 1], the
 * last one for ever; step[0].time is the origin; neighbours differ in value.
 */
#include <stdlib.h>
#include <string.h>

#include "profile.h"

struct step {
	int64_t time;
	int32_t free;
};

struct profile {
	struct step *step;
	size_t count;
	size_t room;
};

struct profile *profile_create(int64_t origin, int32_t free)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->room = 8;
	p->step = malloc(p->room * sizeof(*p->step));
	if (!p->step) {
		profile_destroy(p);
		return NULL;
	}
	p->count = 1;
	p->step[0] = (struct step) { origin, free };
	return p;
}

void profile_destroy(struct profile *p)
{
	if (!p)
		return;
	free(p->step);
	free(p);
}

static int reserve(struct profile *p, size_t count)
{
	size_t room = p->room;
	struct step *step;

	if (count <= room)
		return 0;
	while (room < count)
		room *= 2;
	step = realloc(p->step, room * sizeof(*step));
	if (!step)
		return -1;
	p->step = step;
	p->room = room;
	return 0;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	if (dst == src)
		return 0;
	if (reserve(dst, src->count))
		return -1;
	memcpy(dst->step, src->step, src->count * sizeof(*src->step));
	dst->count = src->count;
	return 0;
}

/* The index of the step that holds at t; the first one for times before the origin. */
static size_t find(const struct profile *p, int64_t t)
{
	size_t low = 0, high = p->count;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (p->step[mid].time <= t)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static int64_t end_of(const struct profile *p, size_t i)
{
	return i + 1 < p->count ? p->step[i + 1].time : PACT_FOREVER;
}

/* Make t a breakpoint; room is reserved. Returns its index. */
static size_t split(struct profile *p, int64_t t)
{
	size_t i = find(p, t);

	if (p->step[i].time == t)
		return i;
	memmove(&p->step[i + 2], &p->step[i + 1], (p->count - i - 1) * sizeof(*p->step));
	p->count++;
	p->step[i + 1] = (struct step) { t, p->step[i].free };
	return i + 1;
}

/* Drop breakpoint i when nothing changes at it. */
static void merge(struct profile *p, size_t i)
{
	if (i == 0 || i >= p->count || p->step[i].free != p->step[i - 1].free)
		return;
	memmove(&p->step[i], &p->step[i + 1], (p->count - i - 1) * sizeof(*p->step));
	p->count--;
}

int profile_add(struct profile *p, int64_t start, int64_t end, int32_t delta)
{
	size_t first, last;

	if (start < p->step[0].time)
		start = p->step[0].time;
	if (start >= end || delta == 0)
		return 0;
	if (reserve(p, p->count + 2))
		return -1;
	first = split(p, start);
	last = end == PACT_FOREVER ? p->count : split(p, end);
	for (size_t i = first; i < last; i++)
		p->step[i].free += delta;
	merge(p, last);
	merge(p, first);
	return 0;
}

int32_t profile_min(const struct profile *p, int64_t start, int64_t end)
{
	int32_t least = INT32_MAX;

	if (start < p->step[0].time)
		start = p->step[0].time;
	if (start >= end)
		return least;
	for (size_t i = find(p, start); i < p->count && p->step[i].time < end; i++)
		if (p->step[i].free < least)
			least = p->step[i].free;
	return least;
}

int32_t profile_at(const struct profile *p, int64_t t)
{
	return p->step[find(p, t)].free;
}

int64_t profile_earliest(const struct profile *p, int64_t from, int64_t duration, int32_t n)
{
	int64_t start;

	if (from < p->step[0].time)
		from = p->step[0].time;
	if (duration < 1)
		duration = 1;
	start = from;
	for (size_t i = find(p, from); start < PACT_FOREVER; i++) {
		int64_t end = end_of(p, i);

		if (p->step[i].free < n)
			start = end;
		else if (end == PACT_FOREVER || end - start >= duration)
			break;
	}
	return start;
}

int64_t profile_last_at_most(const struct profile *p, int64_t start, int64_t end, int32_t n)
{
	int64_t from = start < p->step[0].time ? p->step[0].time : start;

	if (from >= end)
		return start;
	for (size_t i = find(p, end - 1);; i--) {
		if (p->step[i].free <= n)
			return end_of(p, i);
		if (i == 0 || p->step[i].time <= from)
			return start;
	}
}

int64_t profile_next_change(const struct profile *p, int64_t t)
{
	return t < p->step[0].time ? p->step[0].time : end_of(p, find(p, t));
}

void profile_advance(struct profile *p, int64_t t)
{
	size_t i;

	if (t <= p->step[0].time)
		return;
	i = find(p, t);
	memmove(p->step, &p->step[i], (p->count - i) * sizeof(*p->step));
	p->count -= i;
	p->step[0].time = t;
}

size_t profile_steps(const struct profile *p)
{
	return p->count;
}

size_t profile_bytes(const struct profile *p)
{
	return sizeof(*p) + p->room * sizeof(*p->step);
}
