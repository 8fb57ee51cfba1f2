/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_search: the questions that a profile answers; the earliest fit among them.
 */
#include <math.h>

#include "core/capacity/profile_tree.h"

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
		struct inner *in = inner_at(p, id);
		uint32_t first = find(in->key, in->count, start);

		for (uint32_t c = first; c < in->count && (c == first || in->key[c] < end); c++) {
			int32_t here = in->min[c];

			/* Only a child that sticks out can have a higher minimum inside. */
			if (here < least &&
			    (in->key[c] < start || end_of_child(in, c, INT64_MAX) > end))
				here = min_under(p, level - 1, profile_enter(p, level, in, c),
						 start, end);
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
	if (p->flat)
		return profile_flat_min(p, start, end);
	return min_under(p, p->height, p->root, start, end);
}

int32_t profile_at(const struct profile *p, int64_t t)
{
	int64_t end;

	if (p->flat)
		return profile_flat_at(p, t);

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
	struct inner *in = inner_at(p, id);

	for (uint32_t c = find(in->key, in->count, end - 1);; c--) {
		int64_t stop = end_of_child(in, c, until);

		if (stop <= start)
			return start;
		if (in->min[c] <= n) {
			int64_t last = last_under(p, level - 1, profile_enter(p, level, in, c),
						  stop, start, end, n);

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
	last = p->flat ? profile_flat_last_at_most(p, from, end, n)
		       : last_under(p, p->height, p->root, PACT_FOREVER, from, end, n);
	return last == from ? start : last;
}

int64_t profile_next_change(const struct profile *p, int64_t t)
{
	int64_t end, origin = origin_of(p);
	const struct leaf *leaf;

	if (t < origin)
		return origin;
	if (p->flat)
		return profile_flat_next(p, t);
	leaf = leaf_of(p, t, &end);
	return end_of_step(leaf, find(leaf->time, leaf->count, t), end);
}

size_t profile_look(const struct profile *p, int64_t t, const int64_t **time, const int32_t **free,
		    int64_t *behind)
{
	const struct leaf *leaf;
	uint32_t first;

	if (p->flat) {
		first = find(p->time, (uint32_t)p->steps, t);
		*time = p->time + first;
		*free = p->free + first;
		*behind = PACT_FOREVER;
		return p->steps - first;
	}
	leaf = leaf_of(p, t, behind);
	first = find(leaf->time, leaf->count, t);
	*time = leaf->time + first;
	*free = leaf->free + first;
	return leaf->count - first;
}

/* Earliest fit */

/* What is asked for, and what is known on the way. */
struct search {
	int64_t latest, duration;
	int32_t n;
	int level;     /* of the filter; -1: n is below all levels */
	float atleast; /* the filter's bounds must reach this */
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

/* Bounds the free time at the beginning of the child behind c, `head` if that is in the next node. */
static float head_behind(const struct search *s, const struct inner *in, uint32_t c, float head)
{
	if (c + 1 == in->count)
		return head;
	if (!is_stale(in, c + 1))
		return in->sum[c + 1].head[s->level];
	return in->max[c + 1] < s->n ? 0.0f : INFINITY;
}

/* Does the filter know that no window begins in child c, which ends at `end`? */
static bool in_vain(const struct profile *p, const struct search *s, unsigned level,
		    struct inner *in, uint32_t c, int64_t end, float head)
{
	uint32_t bit = UINT32_C(1) << c;
	float tail;

	if (in->max[c] < s->n)
		return true;
	if (s->level < 0)
		return false;
	if (in->stale & bit) {
		if (in->seen & bit || level > 1)
			profile_filter_learn(p, level, in, c, end);
		in->seen |= bit;
		if (in->stale & bit)
			return false;
	}
	if (c + 1 < in->count && !is_stale(in, c + 1))
		return in->bound[s->level][c] < s->atleast;
	tail = in->sum[c].tail[s->level];
	return in->sum[c].best[s->level] < s->atleast &&
	       (tail <= 0.0f || tail + head_behind(s, in, c, head) < s->atleast);
}

/*
 * Search a node that ends at `until`, from *t on. True: *t is the answer. False: no window begins
 * before *t, which may lie well behind the node. `head` bounds the free time right after the node.
 */
static bool search_under(const struct profile *p, const struct search *s, unsigned level,
			 uint32_t id, int64_t until, float head, int64_t *t)
{
	struct inner *in;

	if (level == 0)
		return search_leaf(p, s, leaf_at(p, id), until, t);
	in = inner_at(p, id);
	for (uint32_t c = find(in->key, in->count, *t); c < in->count; c++) {
		int64_t end = end_of_child(in, c, until);

		if (*t >= end)
			continue;
		if (in->key[c] > s->latest)
			return false;
		if (in_vain(p, s, level, in, c, end, head))
			continue;
		if (*t < in->key[c])
			*t = in->key[c];
		if (search_under(p, s, level - 1, profile_enter(p, level, in, c), end,
				 s->level < 0 ? 0.0f : head_behind(s, in, c, head), t))
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
		level += p->floor[k] <= (float)n;
	return level;
}

int64_t profile_earliest_by(const struct profile *p, int64_t from, int64_t latest, int64_t duration,
			    int32_t n)
{
	struct search s = { .latest = latest, .duration = duration < 1 ? 1 : duration, .n = n };
	int64_t origin = origin_of(p), t = from < origin ? origin : from;

	if (p->flat)
		return t > latest || t == PACT_FOREVER
			       ? PACT_FOREVER
			       : profile_flat_earliest(p, t, latest, s.duration, n);
	s.level = filter_level(p, n);
	s.atleast = (float)s.duration * SLACK;
	if (t > latest || t == PACT_FOREVER ||
	    !search_under(p, &s, p->height, p->root, PACT_FOREVER, 0.0f, &t) || t > latest)
		return PACT_FOREVER;
	return t;
}

int64_t profile_earliest(const struct profile *p, int64_t from, int64_t duration, int32_t n)
{
	return profile_earliest_by(p, from, PACT_FOREVER, duration, n);
}

size_t profile_steps(const struct profile *p)
{
	return p->steps;
}

size_t profile_bytes(const struct profile *p)
{
	return sizeof(*p) + p->leaves.room * p->leaves.size + p->inners.room * p->inners.size +
	       p->flat_room * (sizeof(*p->time) + sizeof(*p->free));
}
