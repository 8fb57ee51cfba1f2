/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table: see table.h. */
#include "core/base/table.h"

#include <stdlib.h>

struct entry {
	uint64_t id;
	void *p;
};

struct table {
	size_t count, room; /* room is a power of two */
	struct entry *e;
};

/* Ids are dense or stepped; a multiplicative hash spreads both. */
static size_t home(const struct table *t, uint64_t id)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (t->room - 1);
}

struct table *table_create(void)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->room = 16;
	t->e = calloc(t->room, sizeof(*t->e));
	if (!t->e) {
		free(t);
		return NULL;
	}
	return t;
}

void table_destroy(struct table *t)
{
	if (!t)
		return;
	free(t->e);
	free(t);
}

static size_t seek(const struct table *t, uint64_t id)
{
	size_t i = home(t, id);

	while (t->e[i].p && t->e[i].id != id)
		i = (i + 1) & (t->room - 1);
	return i;
}

void *table_find(const struct table *t, uint64_t id)
{
	return t->e[seek(t, id)].p;
}

static int grow(struct table *t)
{
	struct table bigger = { .room = t->room * 2 };

	bigger.e = calloc(bigger.room, sizeof(*bigger.e));
	if (!bigger.e)
		return -1;
	for (size_t i = 0; i < t->room; i++) {
		if (t->e[i].p)
			bigger.e[seek(&bigger, t->e[i].id)] = t->e[i];
	}
	free(t->e);
	t->e = bigger.e;
	t->room = bigger.room;
	return 0;
}

int table_insert(struct table *t, uint64_t id, void *p)
{
	if ((t->count + 1) * 3 > t->room * 2 && grow(t) < 0)
		return -1;
	t->e[seek(t, id)] = (struct entry){ id, p };
	t->count++;
	return 0;
}

void *table_remove(struct table *t, uint64_t id)
{
	size_t i = seek(t, id), j = i;
	void *p = t->e[i].p;

	if (!p)
		return NULL;
	for (;;) {
		j = (j + 1) & (t->room - 1);
		if (!t->e[j].p)
			break;
		/* may the entry at j move back to i? only if its home is not in (i, j] */
		size_t h = home(t, t->e[j].id);
		if (((j - h) & (t->room - 1)) >= ((j - i) & (t->room - 1))) {
			t->e[i] = t->e[j];
			i = j;
		}
	}
	t->e[i].p = NULL;
	t->count--;
	return p;
}

size_t table_count(const struct table *t)
{
	return t->count;
}

void *table_next(const struct table *t, size_t *i)
{
	while (t->count && *i < t->room) {
		void *p = t->e[(*i)++].p;

		if (p)
			return p;
	}
	return NULL;
}

size_t table_bytes(const struct table *t)
{
	return sizeof(*t) + t->room * sizeof(*t->e);
}
