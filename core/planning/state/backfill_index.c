/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill_index: see backfill_index.h. A binary tree in an array (the children of i are 2 i and 2 i + 1, the leaves are
 * blocks of places) with the least width and the least duration below each node: where neither is small
 * enough no job fits. Places that were left are gaps, closed when they are more than the jobs.
 *
 * Durations are kept in 32 bits, the places of a block side by side, so that it is looked at in a few
 * steps; a job that is longer than that counts as just so long, and is asked itself.
 */
#include "core/planning/state/backfill_index.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "core/planning/state/job.h"
#include "core/base/steps.h"

#define SMALLEST 64
#define BLOCK 16

struct least {
	int32_t duration;
	int32_t width;
};

static const struct least no_job = { .duration = INT32_MAX, .width = INT32_MAX };

struct backfill_index {
	struct job **v; /* by place; NULL: a gap */
	int32_t *width; /* of each place, */
	int32_t *duration;
	struct least *least; /* of two nodes per block; the root is 1 */
	size_t n, room;	     /* places used; a power of two, or 0 */
	size_t first;	     /* no job stands before it */
	size_t jobs;
	bool sorted;
	bool ranked; /* by priority */
};

/* A gap in the same terms. */
struct gap {
	int32_t width, extra, span;
};

struct backfill_index *backfill_create(void)
{
	struct backfill_index *l = calloc(1, sizeof(*l));

	if (l)
		l->sorted = true;
	return l;
}

void backfill_destroy(struct backfill_index *l)
{
	if (!l)
		return;
	free(l->v);
	free(l->width);
	free(l->duration);
	free(l->least);
	free(l);
}

static bool stands_before(const struct backfill_index *l, const struct job *a, const struct job *b)
{
	return l->ranked ? job_ranks_before(a, b) : job_arrived_before(a, b);
}

static struct least both(struct least a, struct least b)
{
	a.duration = b.duration < a.duration ? b.duration : a.duration;
	a.width = b.width < a.width ? b.width : a.width;
	return a;
}

static int32_t in_32_bits(int64_t t)
{
	return t < INT32_MAX ? (int32_t)t : INT32_MAX;
}

/* No job has the greatest width. */
static int32_t narrower(int32_t width)
{
	return width < INT32_MAX ? width : INT32_MAX - 1;
}

static struct least of(const struct job *j)
{
	return (struct least){ .duration = in_32_bits(j->req.duration),
			       .width = narrower(j->req.width) };
}

static void set_place(struct backfill_index *l, size_t place, struct least x)
{
	l->width[place] = x.width;
	l->duration[place] = x.duration;
}

static struct least at_place(const struct backfill_index *l, size_t place)
{
	return (struct least){ .duration = l->duration[place], .width = l->width[place] };
}

static struct least of_block(const struct backfill_index *l, size_t block)
{
	return (struct least){ .duration = steps_least(l->duration + block * BLOCK, BLOCK),
			       .width = steps_least(l->width + block * BLOCK, BLOCK) };
}

static bool same(const struct least *a, const struct least *b)
{
	return a->duration == b->duration && a->width == b->width;
}

/* A job takes a place: what is above gets less, or stays. */
static void fill_place(struct backfill_index *l, size_t place, struct least x)
{
	set_place(l, place, x);
	for (size_t i = (l->room + place) / BLOCK; i > 0; i /= 2) {
		struct least y = both(l->least[i], x);

		if (same(&y, &l->least[i]))
			return;
		l->least[i] = y;
	}
}

/* A job leaves its place: nothing changes above unless it was the least. */
static void empty_place(struct backfill_index *l, size_t place)
{
	size_t i = (l->room + place) / BLOCK;
	struct least x = at_place(l, place);

	set_place(l, place, no_job);
	if (x.duration > l->least[i].duration && x.width > l->least[i].width)
		return;
	x = of_block(l, place / BLOCK);
	while (!same(&x, &l->least[i])) {
		l->least[i] = x;
		if (i == 1)
			return;
		x = both(l->least[i], l->least[i ^ 1]);
		i /= 2;
	}
}

/* The tree anew for the places there are. */
static void raise_tree(struct backfill_index *l)
{
	size_t blocks = l->room / BLOCK;

	for (size_t i = 0; i < l->room; i++)
		set_place(l, i, i < l->n && l->v[i] ? of(l->v[i]) : no_job);
	for (size_t i = 0; i < blocks; i++)
		l->least[blocks + i] = of_block(l, i);
	for (size_t i = blocks - 1; i > 0; i--)
		l->least[i] = both(l->least[2 * i], l->least[2 * i + 1]);
}

static void close_gaps(struct backfill_index *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!l->v[i])
			continue;
		l->v[i]->own.at = n;
		l->v[n++] = l->v[i];
	}
	l->n = n;
	l->first = 0;
}

static int grow(struct backfill_index *l)
{
	size_t room = l->room ? 2 * l->room : SMALLEST;

	if (array_grow(&l->v, room, sizeof(*l->v)) < 0 ||
	    array_grow(&l->width, room, sizeof(*l->width)) < 0 ||
	    array_grow(&l->duration, room, sizeof(*l->duration)) < 0 ||
	    array_grow(&l->least, 2 * room / BLOCK, sizeof(*l->least)) < 0)
		return -1;
	l->room = room;
	raise_tree(l);
	return 0;
}

int backfill_join(struct backfill_index *l, struct job *j)
{
	if (l->n == l->room && grow(l) < 0) {
		if (l->jobs == l->n)
			return -1;
		close_gaps(l);
		raise_tree(l);
		l->sorted = false; /* they have other places: backfill_arrange() says so */
	}
	for (size_t i = l->n; l->sorted && i-- > 0;) {
		if (!l->v[i])
			continue;
		l->sorted = stands_before(l, l->v[i], j);
		break;
	}
	j->own.at = l->n;
	l->v[l->n++] = j;
	l->jobs++;
	fill_place(l, j->own.at, of(j));
	return 0;
}

void backfill_leave(struct backfill_index *l, struct job *j)
{
	l->v[j->own.at] = NULL;
	l->jobs--;
	empty_place(l, j->own.at);
	while (l->n && !l->v[l->n - 1])
		l->n--;
	while (l->first < l->n && !l->v[l->first])
		l->first++;
	if (l->n)
		return;
	l->first = 0;
	l->sorted = true;
}

void backfill_unsort(struct backfill_index *l)
{
	l->sorted = false;
}

void backfill_rank(struct backfill_index *l, bool by_priority)
{
	l->sorted &= l->ranked == by_priority || !l->n;
	l->ranked = by_priority;
}

static int by_arrival(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	return job_arrived_before(x, y) ? -1 : job_arrived_before(y, x);
}

static int by_priority(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	return job_ranks_before(x, y) ? -1 : job_ranks_before(y, x);
}

int backfill_arrange(struct backfill_index *l)
{
	if (l->sorted && l->n <= 2 * l->jobs + SMALLEST)
		return 0;
	close_gaps(l);
	if (!l->sorted && l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), l->ranked ? by_priority : by_arrival);
	for (size_t i = 0; i < l->n; i++)
		l->v[i]->own.at = i;
	l->sorted = true;
	raise_tree(l);
	return 1;
}

size_t backfill_length(const struct backfill_index *l)
{
	return l->n;
}

static bool fits(const struct least *x, const struct gap *gap)
{
	return x->width <= gap->width && (x->width <= gap->extra || x->duration <= gap->span);
}

static bool really_fits(const struct job *j, const struct backfill_gap *gap)
{
	return j->req.width <= gap->width &&
	       (j->req.width <= gap->extra || j->req.duration <= gap->span);
}

/* The first place from `from` on in its block, or SIZE_MAX. */
static size_t find_in_block(const struct backfill_index *l, size_t from,
			    const struct backfill_gap *gap, const struct gap *rough)
{
	size_t block = from / BLOCK * BLOCK;
	const int32_t *width = l->width + block, *duration = l->duration + block;
	uint64_t wide = steps_more(width, BLOCK, rough->width);
	uint64_t late =
		steps_more(width, BLOCK, rough->extra) & steps_more(duration, BLOCK, rough->span);
	uint64_t found =
		~(wide | late) & ((UINT64_C(1) << BLOCK) - 1) & ~UINT64_C(0) << (from - block);

	for (; found; found &= found - 1) {
		size_t at = block + (size_t)__builtin_ctzll(found);

		if (really_fits(l->v[at], gap))
			return at;
	}
	return SIZE_MAX;
}

struct job *backfill_next(const struct backfill_index *l, size_t *at,
			  const struct backfill_gap *gap)
{
	size_t blocks = l->room / BLOCK, from = *at < l->first ? l->first : *at;
	size_t i = blocks + from / BLOCK;
	struct gap rough = { narrower(gap->width), gap->extra, in_32_bits(gap->span) };

	if (from >= l->n)
		return NULL;
	*at = from;
	struct least here = at_place(l, from);

	/* often the job that came last, or the one that stands first */
	if (fits(&here, &rough) && really_fits(l->v[from], gap))
		return l->v[from];
	for (;;) {
		size_t found = SIZE_MAX;

		if (fits(&l->least[i], &rough)) {
			if (i < blocks) {
				i *= 2;
				continue;
			}
			if (i - blocks != *at / BLOCK)
				from = (i - blocks) * BLOCK;
			found = find_in_block(l, from, gap, &rough);
		}
		if (found != SIZE_MAX) {
			*at = found;
			return l->v[found];
		}
		/* the next node to the right, whichever level it is on */
		while (i & 1)
			i /= 2;
		if (!i)
			return NULL;
		i++;
	}
}

struct job *backfill_any(const struct backfill_index *l, size_t *at)
{
	static const struct backfill_gap any = { .width = INT32_MAX, .span = PACT_FOREVER };

	return backfill_next(l, at, &any);
}

size_t backfill_bytes(const struct backfill_index *l)
{
	return sizeof(*l) + l->room * (sizeof(*l->v) + sizeof(*l->width) + sizeof(*l->duration)) +
	       2 * l->room / BLOCK * sizeof(*l->least);
}
