/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line: see line.h. A binary tree in an array (the children of i are 2 i and 2 i + 1, the leaves are the
 * places) with the least width and the least duration below each node: where neither is small enough
 * nobody fits. Places that were left are gaps, closed when they are more than the jobs.
 */
#include "line.h"

#include <stdlib.h>

#include "job.h"

#define SMALLEST 64

struct least {
	int64_t duration;
	int32_t width;
};

static const struct least nobody = { .duration = INT64_MAX, .width = INT32_MAX };

struct line {
	struct job **v;	     /* by place; NULL: a gap */
	struct least *least; /* 2 room nodes; the root is 1 */
	size_t n, room;	     /* places used; a power of two, or 0 */
	size_t jobs;
	bool sorted;
};

struct line *line_create(void)
{
	struct line *l = calloc(1, sizeof(*l));

	if (l)
		l->sorted = true;
	return l;
}

void line_destroy(struct line *l)
{
	if (!l)
		return;
	free(l->v);
	free(l->least);
	free(l);
}

static bool arrived_before(const struct job *a, const struct job *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

static struct least both(struct least a, struct least b)
{
	a.duration = b.duration < a.duration ? b.duration : a.duration;
	a.width = b.width < a.width ? b.width : a.width;
	return a;
}

static struct least of(const struct job *j)
{
	return (struct least){ .duration = j->req.duration, .width = j->req.width };
}

static void set_place(struct line *l, size_t place, struct least x)
{
	size_t i = l->room + place;

	l->least[i] = x;
	while (i > 1) {
		struct least *up = &l->least[i / 2], now;

		now = both(l->least[i], l->least[i ^ 1]);
		if (now.duration == up->duration && now.width == up->width)
			return;
		*up = now;
		i /= 2;
	}
}

/* The tree anew for the places there are. */
static void raise_tree(struct line *l)
{
	for (size_t i = 0; i < l->room; i++)
		l->least[l->room + i] = i < l->n && l->v[i] ? of(l->v[i]) : nobody;
	for (size_t i = l->room - 1; i > 0; i--)
		l->least[i] = both(l->least[2 * i], l->least[2 * i + 1]);
}

static void close_gaps(struct line *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!l->v[i])
			continue;
		l->v[i]->stand = n;
		l->v[n++] = l->v[i];
	}
	l->n = n;
}

static int grow(struct line *l)
{
	size_t room = l->room ? 2 * l->room : SMALLEST;
	struct job **v = realloc(l->v, room * sizeof(*v));

	if (!v)
		return -1;
	l->v = v;

	struct least *least = realloc(l->least, 2 * room * sizeof(*least));

	if (!least)
		return -1;
	l->least = least;
	l->room = room;
	raise_tree(l);
	return 0;
}

int line_join(struct line *l, struct job *j)
{
	if (l->n == l->room && grow(l) < 0)
		return -1;
	for (size_t i = l->n; l->sorted && i-- > 0;) {
		if (!l->v[i])
			continue;
		l->sorted = arrived_before(l->v[i], j);
		break;
	}
	j->stand = l->n;
	l->v[l->n++] = j;
	l->jobs++;
	set_place(l, j->stand, of(j));
	return 0;
}

void line_leave(struct line *l, struct job *j)
{
	l->v[j->stand] = NULL;
	l->jobs--;
	set_place(l, j->stand, nobody);
	while (l->n && !l->v[l->n - 1])
		l->n--;
	if (!l->n)
		l->sorted = true;
}

static int by_arrival(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	return arrived_before(x, y) ? -1 : arrived_before(y, x);
}

int line_settle(struct line *l)
{
	if (l->sorted && l->n <= 2 * l->jobs + SMALLEST)
		return 0;
	close_gaps(l);
	if (!l->sorted && l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), by_arrival);
	for (size_t i = 0; i < l->n; i++)
		l->v[i]->stand = i;
	l->sorted = true;
	raise_tree(l);
	return 0;
}

static bool fits(const struct least *x, const struct line_gap *gap)
{
	return x->width <= gap->width && (x->width <= gap->extra || x->duration <= gap->span);
}

/* The first place from `from` on below node i, whose leaves are `first` and `many`, or SIZE_MAX. */
static size_t find_under(const struct line *l, size_t i, size_t first, size_t many, size_t from,
			 const struct line_gap *gap)
{
	if (first + many <= from || !fits(&l->least[i], gap))
		return SIZE_MAX;
	if (many == 1)
		return first;
	size_t at = find_under(l, 2 * i, first, many / 2, from, gap);

	return at != SIZE_MAX ? at
			      : find_under(l, 2 * i + 1, first + many / 2, many / 2, from, gap);
}

struct job *line_next(const struct line *l, size_t *at, const struct line_gap *gap)
{
	size_t place = l->room ? find_under(l, 1, 0, l->room, *at, gap) : SIZE_MAX;

	if (place == SIZE_MAX)
		return NULL;
	*at = place;
	return l->v[place];
}

size_t line_bytes(const struct line *l)
{
	return sizeof(*l) + l->room * (sizeof(*l->v) + 2 * sizeof(*l->least));
}
