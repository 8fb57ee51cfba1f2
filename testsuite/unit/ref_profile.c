/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_profile: step i lasts from step[i].time to step[i + 1].time, the last one for ever;
 * neighbours differ in value. Answers come from walks over the array; only changes, which the
 * benchmark measures too, find their place by bisection.
 */
#include <stdlib.h>
#include <string.h>

#include "ref_profile.h"

struct step {
	int64_t time;
	int32_t free;
};

struct ref_profile {
	struct step *step;
	size_t count;
	size_t room;
};

struct ref_profile *ref_profile_create(int64_t origin, int32_t free)
{
	struct ref_profile *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	p->room = 16;
	p->count = 1;
	p->step = malloc(p->room * sizeof(*p->step));
	if (!p->step) {
		ref_profile_destroy(p);
		return NULL;
	}
	p->step[0] = (struct step){ origin, free };
	return p;
}

void ref_profile_destroy(struct ref_profile *p)
{
	if (!p)
		return;
	free(p->step);
	free(p);
}

static int reserve(struct ref_profile *p, size_t count)
{
	if (count > p->room) {
		struct step *step = realloc(p->step, 2 * count * sizeof(*step));

		if (!step)
			return -1;
		p->step = step;
		p->room = 2 * count;
	}
	return 0;
}

int ref_profile_copy(struct ref_profile *dst, const struct ref_profile *src)
{
	if (reserve(dst, src->count))
		return -1;
	memcpy(dst->step, src->step, src->count * sizeof(*src->step));
	dst->count = src->count;
	return 0;
}

static int64_t end_of(const struct ref_profile *p, size_t i)
{
	return i + 1 < p->count ? p->step[i + 1].time : INT64_MAX;
}

/* The first step that begins at t or later, or count. */
static size_t find(const struct ref_profile *p, int64_t t)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->step[mid].time < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Make t, which is not before the origin, a breakpoint. */
static void cut(struct ref_profile *p, int64_t t)
{
	size_t i = find(p, t);

	if (i < p->count && p->step[i].time == t)
		return;
	memmove(&p->step[i + 1], &p->step[i], (p->count - i) * sizeof(*p->step));
	p->step[i] = (struct step){ t, p->step[i - 1].free };
	p->count++;
}

/* Drop the breakpoint at t when nothing changes there. */
static void mend(struct ref_profile *p, int64_t t)
{
	size_t i = find(p, t);

	if (i == 0 || p->step[i].free != p->step[i - 1].free)
		return;
	memmove(&p->step[i], &p->step[i + 1], (p->count - i - 1) * sizeof(*p->step));
	p->count--;
}

int ref_profile_add(struct ref_profile *p, int64_t start, int64_t end, int32_t delta)
{
	if (start < p->step[0].time)
		start = p->step[0].time;
	if (start >= end)
		return 0;
	if (reserve(p, p->count + 2))
		return -1;
	cut(p, start);
	if (end != INT64_MAX)
		cut(p, end);
	for (size_t i = find(p, start); i < p->count && p->step[i].time < end; i++)
		p->step[i].free += delta;
	mend(p, start);
	if (end != INT64_MAX)
		mend(p, end);
	return 0;
}

int32_t ref_profile_min(const struct ref_profile *p, int64_t start, int64_t end)
{
	int32_t least = INT32_MAX;

	if (start >= end)
		return least;
	for (size_t i = 0; i < p->count; i++)
		if (p->step[i].time < end && end_of(p, i) > start && p->step[i].free < least)
			least = p->step[i].free;
	return least;
}

int32_t ref_profile_at(const struct ref_profile *p, int64_t t)
{
	size_t i = 0;

	while (i + 1 < p->count && p->step[i + 1].time <= t)
		i++;
	return p->step[i].free;
}

int64_t ref_profile_earliest(const struct ref_profile *p, int64_t from, int64_t duration, int32_t n)
{
	int64_t start = from < p->step[0].time ? p->step[0].time : from;

	if (duration < 1)
		duration = 1;
	for (size_t i = 0; i < p->count; i++) {
		if (end_of(p, i) <= start)
			continue;
		if (p->step[i].free < n)
			start = end_of(p, i);
		else if (end_of(p, i) == INT64_MAX || end_of(p, i) - start >= duration)
			return start;
	}
	return INT64_MAX;
}

int64_t ref_profile_last_at_most(const struct ref_profile *p, int64_t start, int64_t end, int32_t n)
{
	int64_t last = start;

	if (start >= end)
		return start;
	for (size_t i = 0; i < p->count; i++)
		if (p->step[i].time < end && end_of(p, i) > start && p->step[i].free <= n)
			last = end_of(p, i);
	return last;
}

int64_t ref_profile_next_change(const struct ref_profile *p, int64_t t)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->step[i].time > t)
			return p->step[i].time;
	return INT64_MAX;
}

void ref_profile_advance(struct ref_profile *p, int64_t t)
{
	size_t drop = 0;

	if (t <= p->step[0].time)
		return;
	while (drop + 1 < p->count && p->step[drop + 1].time <= t)
		drop++;
	memmove(p->step, &p->step[drop], (p->count - drop) * sizeof(*p->step));
	p->count -= drop;
	p->step[0].time = t;
}

size_t ref_profile_steps(const struct ref_profile *p)
{
	return p->count;
}

int64_t ref_profile_time(const struct ref_profile *p, size_t i)
{
	return p->step[i].time;
}

int32_t ref_profile_free(const struct ref_profile *p, size_t i)
{
	return p->step[i].free;
}
