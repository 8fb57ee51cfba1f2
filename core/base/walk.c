/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk: see walk.h. A binary heap. */
#include "core/base/walk.h"

#include <stdbool.h>

#include "core/base/array.h"

#define ROOM_LEAST 16

int walk_fit(struct walk *w, size_t n)
{
	size_t room = w->room ? w->room : ROOM_LEAST;

	while (room < n)
		room *= 2;
	if (room == w->room)
		return 0;
	if (array_grow(&w->heap, room, sizeof(*w->heap)) < 0)
		return -1;
	w->room = room;
	return 0;
}

void walk_release(struct walk *w)
{
	free(w->heap);
	*w = (struct walk){ NULL, 0, 0 };
}

size_t walk_bytes(const struct walk *w)
{
	return w->room * sizeof(*w->heap);
}

void walk_begin(struct walk *w)
{
	w->n = 0;
}

static bool is_before(const struct walk_step *a, const struct walk_step *b)
{
	return a->key != b->key ? a->key < b->key : a->id < b->id;
}

void walk_add(struct walk *w, int64_t key, uint64_t id, void *p)
{
	struct walk_step x = { key, id, p };
	size_t i = w->n++;

	for (; i && is_before(&x, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = x;
}

void *walk_next(struct walk *w)
{
	struct walk_step last;
	size_t i = 0, below;
	void *first;

	if (!w->n)
		return NULL;
	first = w->heap[0].p;
	last = w->heap[--w->n];
	while ((below = 2 * i + 1) < w->n) {
		below += below + 1 < w->n && is_before(&w->heap[below + 1], &w->heap[below]);
		if (!is_before(&w->heap[below], &last))
			break;
		w->heap[i] = w->heap[below];
		i = below;
	}
	w->heap[i] = last;
	return first;
}
