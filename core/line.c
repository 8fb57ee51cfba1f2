/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line: see line.h. A binary tree in an array (the children of i are 2 i and 2 i + 1, the leaves are
 * blocks of places) with the least width and the least duration below each node: where neither is small
 * enough nobody fits. Places that were left are gaps, closed when they are more than the jobs.
 */
#include "line.h"

#include <stdlib.h>

#include "job.h"

#define SMALLEST 64
#define BLOCK 16

struct least {
	int64_t duration;
	int32_t width;
};

static const struct least nobody = { .duration = INT64_MAX, .width = INT32_MAX };

struct line {
	struct job **v;	     /* by place; NULL: a gap */
	struct least *place; /* of each place */
	struct least *least; /* of two nodes per block; the root is 1 */
	size_t n, room;	     /* places used; a power of two, or 0 */
	size_t first;	     /* nobody stands before it */
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
	free(l->place);
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

static struct least of_block(const struct line *l, size_t block)
{
	struct least x = nobody;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK; i++)
		x = both(x, l->place[i]);
	return x;
}

static bool same(const struct least *a, const struct least *b)
{
	return a->duration == b->duration && a->width == b->width;
}

/* Somebody takes a place: who is above gets less, or stays. */
static void fill_place(struct line *l, size_t place, struct least x)
{
	l->place[place] = x;
	for (size_t i = (l->room + place) / BLOCK; i > 0; i /= 2) {
		struct least y = both(l->least[i], x);

		if (same(&y, &l->least[i]))
			return;
		l->least[i] = y;
	}
}

/* Somebody leaves it: nothing changes above unless he was the least. */
static void empty_place(struct line *l, size_t place)
{
	size_t i = (l->room + place) / BLOCK;
	struct least x = l->place[place];

	l->place[place] = nobody;
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
static void raise_tree(struct line *l)
{
	size_t blocks = l->room / BLOCK;

	for (size_t i = 0; i < l->room; i++)
		l->place[i] = i < l->n && l->v[i] ? of(l->v[i]) : nobody;
	for (size_t i = 0; i < blocks; i++)
		l->least[blocks + i] = of_block(l, i);
	for (size_t i = blocks - 1; i > 0; i--)
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
	l->first = 0;
}

static int grow(struct line *l)
{
	size_t room = l->room ? 2 * l->room : SMALLEST;
	struct job **v = realloc(l->v, room * sizeof(*v));

	if (!v)
		return -1;
	l->v = v;

	struct least *place = realloc(l->place, room * sizeof(*place));

	if (!place)
		return -1;
	l->place = place;

	struct least *least = realloc(l->least, 2 * room / BLOCK * sizeof(*least));

	if (!least)
		return -1;
	l->least = least;
	l->room = room;
	raise_tree(l);
	return 0;
}

int line_join(struct line *l, struct job *j)
{
	if (l->n == l->room && grow(l) < 0) {
		if (l->jobs == l->n)
			return -1;
		close_gaps(l);
		raise_tree(l);
		l->sorted = false; /* they have other places: line_settle() says so */
	}
	for (size_t i = l->n; l->sorted && i-- > 0;) {
		if (!l->v[i])
			continue;
		l->sorted = arrived_before(l->v[i], j);
		break;
	}
	j->stand = l->n;
	l->v[l->n++] = j;
	l->jobs++;
	fill_place(l, j->stand, of(j));
	return 0;
}

void line_leave(struct line *l, struct job *j)
{
	l->v[j->stand] = NULL;
	l->jobs--;
	empty_place(l, j->stand);
	while (l->n && !l->v[l->n - 1])
		l->n--;
	while (l->first < l->n && !l->v[l->first])
		l->first++;
	if (l->n)
		return;
	l->first = 0;
	l->sorted = true;
}

void line_unsort(struct line *l)
{
	l->sorted = false;
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
	return 1;
}

size_t line_length(const struct line *l)
{
	return l->n;
}

static bool fits(const struct least *x, const struct line_gap *gap)
{
	return x->width <= gap->width && (x->width <= gap->extra || x->duration <= gap->span);
}

/* The first place from `from` on in its block, or SIZE_MAX. */
static size_t find_in_block(const struct line *l, size_t from, const struct line_gap *gap)
{
	size_t end = from / BLOCK * BLOCK + BLOCK;

	for (size_t i = from; i < end; i++) {
		if (fits(&l->place[i], gap))
			return i;
	}
	return SIZE_MAX;
}

struct job *line_next(const struct line *l, size_t *at, const struct line_gap *gap)
{
	size_t blocks = l->room / BLOCK, from = *at < l->first ? l->first : *at;
	size_t i = blocks + from / BLOCK;

	if (from >= l->n)
		return NULL;
	*at = from;
	if (fits(&l->place[from], gap)) /* often who came last, or who stands first */
		return l->v[from];
	for (;;) {
		size_t found = SIZE_MAX;

		if (fits(&l->least[i], gap)) {
			if (i < blocks) {
				i *= 2;
				continue;
			}
			if (i - blocks != *at / BLOCK)
				from = (i - blocks) * BLOCK;
			found = find_in_block(l, from, gap);
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

size_t line_bytes(const struct line *l)
{
	return sizeof(*l) + l->room * (sizeof(*l->v) + sizeof(*l->place)) +
	       2 * l->room / BLOCK * sizeof(*l->least);
}
