/* SPDX-License-Identifier: GPL-2.0-or-later */
/* board: see board.h. An array: inserting moves memory, which is cheap beside placing what comes behind. */
#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "job.h"

void board_init(struct board *b, enum dynp_order order, enum dynp_priority priority)
{
	*b = (struct board){ .order = order, .priority = priority };
}

void board_release(struct board *b)
{
	for (size_t i = 0; i < b->n; i++)
		placement_clear(&b->v[i].at);
	free(b->v);
	*b = (struct board){ .order = b->order, .priority = b->priority };
}

static int64_t area(const struct job *j)
{
	int64_t a;

	return __builtin_mul_overflow((int64_t)j->req.width, j->limit, &a) ? INT64_MAX : a;
}

static int64_t policy_key(enum dynp_order order, const struct job *j)
{
	switch (order) {
	case DYNP_SJF:
		return j->limit;
	case DYNP_LJF:
		return -j->limit;
	case DYNP_FFIA:
		return area(j);
	case DYNP_FFDA:
		return -area(j);
	case DYNP_QUEUE:
		return j->turn;
	default:
		return 0;
	}
}

static void take_keys(const struct board *b, struct seat *x)
{
	int64_t p = x->job->priority == INT64_MIN ? INT64_MAX : -x->job->priority;

	x->first = b->priority == DYNP_PRIORITY_FIRST ? p : 0;
	x->key = policy_key(b->order, x->job);
	x->last = b->priority == DYNP_PRIORITY_TIES ? p : 0;
}

static int compare(const void *va, const void *vb)
{
	const struct seat *a = va, *b = vb;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	if (a->job->submit != b->job->submit)
		return a->job->submit < b->job->submit ? -1 : 1;
	return a->job->id < b->job->id ? -1 : a->job->id > b->job->id;
}

/* The first seat that is not before x. */
static size_t bisect(const struct board *b, const struct seat *x)
{
	size_t lo = 0, hi = b->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&b->v[mid], x) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

ptrdiff_t board_insert(struct board *b, struct job *j)
{
	struct seat x = { .job = j };
	size_t i;

	if (b->n == b->room) {
		size_t room = b->room ? b->room * 2 : 64;
		struct seat *v = realloc(b->v, room * sizeof(*v));

		if (!v)
			return -1;
		b->v = v;
		b->room = room;
	}
	placement_init(&x.at);
	take_keys(b, &x);
	i = bisect(b, &x);
	memmove(&b->v[i + 1], &b->v[i], (b->n - i) * sizeof(*b->v));
	b->v[i] = x;
	b->n++;
	return (ptrdiff_t)i;
}

ptrdiff_t board_find(const struct board *b, const struct job *j)
{
	struct seat x = { .job = (struct job *)(uintptr_t)j };

	take_keys(b, &x);
	size_t i = bisect(b, &x);

	if (i < b->n && b->v[i].job == j)
		return (ptrdiff_t)i;
	for (i = 0; i < b->n; i++) /* its keys have changed */
		if (b->v[i].job == j)
			return (ptrdiff_t)i;
	return -1;
}

void board_remove(struct board *b, size_t i)
{
	placement_clear(&b->v[i].at);
	b->n--;
	memmove(&b->v[i], &b->v[i + 1], (b->n - i) * sizeof(*b->v));
}

bool board_resort(struct board *b)
{
	bool sorted = true;

	for (size_t i = 0; i < b->n; i++) {
		take_keys(b, &b->v[i]);
		sorted &= !i || compare(&b->v[i - 1], &b->v[i]) < 0;
	}
	if (!sorted)
		qsort(b->v, b->n, sizeof(*b->v), compare);
	return !sorted;
}
