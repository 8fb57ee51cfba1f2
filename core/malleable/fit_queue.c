/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit_queue: see fit_queue.h. */
#include "core/malleable/fit_queue.h"

#include <stdlib.h>
#include <string.h>

#define HOLE INT32_MAX

void fit_queue_release(struct fit_queue *q)
{
	free(q->v);
	free(q->tree);
	*q = (struct fit_queue){ .n = 0 };
}

static int compare(const struct fit_queue_key *a, const struct fit_queue_key *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int32_t lesser(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* All of the tree, from the places. */
static void build(struct fit_queue *q)
{
	for (size_t i = 0; i < q->room; i++)
		q->tree[q->room + i] = i < q->n && q->v[i].job ? q->v[i].least : HOLE;
	for (size_t i = q->room; --i > 0;)
		q->tree[i] = lesser(q->tree[2 * i], q->tree[2 * i + 1]);
}

static void set(struct fit_queue *q, size_t at, int32_t least)
{
	size_t i = q->room + at;

	q->tree[i] = least;
	while (i /= 2)
		q->tree[i] = lesser(q->tree[2 * i], q->tree[2 * i + 1]);
}

/* Half of the room may be holes, so that it is closed up once in so many additions. */
int fit_queue_reserve(struct fit_queue *q, size_t jobs)
{
	size_t room = q->room ? q->room : 16;
	struct fit_queue_place *v;
	int32_t *tree;

	while (room < 2 * jobs)
		room *= 2;
	if (room == q->room)
		return 0;
	v = realloc(q->v, room * sizeof(*v));
	if (!v)
		return -1;
	q->v = v;
	tree = realloc(q->tree, 2 * room * sizeof(*tree));
	if (!tree)
		return -1;
	q->tree = tree;
	q->room = room;
	build(q);
	return 0;
}

void fit_queue_clear(struct fit_queue *q)
{
	q->n = q->jobs = 0;
	build(q);
}

static void drop_holes(struct fit_queue *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		if (q->v[i].job)
			q->v[n++] = q->v[i];
	}
	q->n = n;
}

void fit_queue_close_up(struct fit_queue *q)
{
	if (q->n == q->jobs)
		return;
	drop_holes(q);
	build(q);
}

/* The first place that does not come before the key. */
static size_t place_of(const struct fit_queue *q, const struct fit_queue_key *key)
{
	size_t low = 0, high = q->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(&q->v[mid].key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void fit_queue_add(struct fit_queue *q, const struct fit_queue_key *key, struct job *job,
		   int32_t least)
{
	size_t at;

	if (q->n == q->room)
		fit_queue_close_up(q);
	at = place_of(q, key);
	memmove(&q->v[at + 1], &q->v[at], (q->n - at) * sizeof(*q->v));
	q->v[at] = (struct fit_queue_place){ *key, job, least };
	q->jobs++;
	if (++q->n == at + 1)
		set(q, at, least);
	else
		build(q);
}

void fit_queue_remove(struct fit_queue *q, const struct fit_queue_key *key)
{
	/* a hole keeps its key, and a job may have come back behind it */
	for (size_t at = place_of(q, key); at < q->n && !compare(&q->v[at].key, key); at++) {
		if (!q->v[at].job)
			continue;
		q->v[at].job = NULL;
		q->jobs--;
		set(q, at, HOLE);
		return;
	}
}

size_t fit_queue_find(const struct fit_queue *q, size_t from, int32_t most)
{
	size_t i = q->room + from;

	if (from >= q->n || most == HOLE)
		return q->n;
	/* up, to the right of what was seen, until there is one below; then down to the first */
	while (q->tree[i] > most) {
		while (i % 2)
			i /= 2;
		if (!i)
			return q->n;
		i++;
	}
	while (i < q->room)
		i = q->tree[2 * i] <= most ? 2 * i : 2 * i + 1;
	return i - q->room;
}

size_t fit_queue_bytes(const struct fit_queue *q)
{
	return q->room * (sizeof(*q->v) + 2 * sizeof(*q->tree));
}
