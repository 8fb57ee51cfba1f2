/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sorted_queue: see sorted_queue.h. An array: to insert moves memory, which is cheap beside placing what comes behind. */
#include "core/policies/dynp/sorted_queue.h"

#include <stdlib.h>
#include <string.h>

#include "core/planning/state/job.h"

void sorted_queue_init(struct sorted_queue *b, enum dynp_order order, enum dynp_priority priority)
{
	*b = (struct sorted_queue){ .order = order, .priority = priority };
}

void sorted_queue_release(struct sorted_queue *b)
{
	for (size_t i = 0; i < b->n; i++)
		placement_clear(&b->v[i].at);
	free(b->v);
	*b = (struct sorted_queue){ .order = b->order, .priority = b->priority };
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
		return j->own.n;
	default:
		return 0;
	}
}

static void take_keys(const struct sorted_queue *b, struct assignment *x)
{
	int64_t p = x->job->priority == INT64_MIN ? INT64_MAX : -x->job->priority;

	x->first = b->priority == DYNP_PRIORITY_FIRST ? p : 0;
	x->key = policy_key(b->order, x->job);
	x->last = b->priority == DYNP_PRIORITY_TIES ? p : 0;
}

static int32_t first_alternative(const struct request *r)
{
	for (uint32_t i = 0; i < r->nalt; i++) {
		if (r->alt[i]->count >= (uint32_t)r->width &&
		    (!r->required || nodeset_subset(r->required->nodes, r->alt[i]->nodes)))
			return (int32_t)i;
	}
	return -1;
}

static struct assignment make_assignment(const struct sorted_queue *b, struct job *j)
{
	struct assignment x = {
		.job = j,
		.submit = j->submit,
		.limit = j->limit,
		.duration = j->req.duration,
		.not_before = j->req.not_before,
		.width = j->req.width,
	};

	placement_init(&x.at);
	take_keys(b, &x);
	return x;
}

static int compare(const void *va, const void *vb)
{
	const struct assignment *a = va, *b = vb;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return a->job->id < b->job->id ? -1 : a->job->id > b->job->id;
}

/* The first of the n assignments that is not before x. */
static size_t bisect(const struct sorted_queue *b, size_t n, const struct assignment *x)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&b->v[mid], x) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int sorted_queue_add(struct sorted_queue *b, struct job *j)
{
	if (b->n == b->room) {
		size_t room = b->room ? b->room * 2 : 64;
		struct assignment *v = realloc(b->v, room * sizeof(*v));

		if (!v)
			return -1;
		b->v = v;
		b->room = room;
	}
	b->v[b->n] = make_assignment(b, j);
	b->v[b->n++].alt = first_alternative(&j->req);
	return 0;
}

/* The first new assignment takes its place. */
static size_t insert_one(struct sorted_queue *b)
{
	struct assignment x = b->v[b->sorted];
	size_t i = bisect(b, b->sorted, &x);

	memmove(&b->v[i + 1], &b->v[i], (b->sorted - i) * sizeof(*b->v));
	b->v[i] = x;
	b->sorted++;
	return i;
}

/* All new assignments at once, from behind; `new` is a sorted copy of them. */
static size_t merge(struct sorted_queue *b, const struct assignment *new, size_t count)
{
	size_t old = b->sorted, to = b->n;

	while (count) {
		if (old && compare(&new[count - 1], &b->v[old - 1]) < 0)
			b->v[--to] = b->v[--old];
		else
			b->v[--to] = new[--count];
	}
	b->sorted = b->n;
	return to;
}

size_t sorted_queue_arrange(struct sorted_queue *b)
{
	size_t count = b->n - b->sorted, first = b->n;
	struct assignment *new = count > 4 ? malloc(count * sizeof(*new)) : NULL;

	if (new) {
		memcpy(new, b->v + b->sorted, count * sizeof(*new));
		qsort(new, count, sizeof(*new), compare);
		first = merge(b, new, count);
		free(new);
	}
	while (b->sorted < b->n) {
		size_t i = insert_one(b);

		first = i < first ? i : first;
	}
	return first;
}

ptrdiff_t sorted_queue_find(const struct sorted_queue *b, const struct job *j)
{
	struct assignment x = make_assignment(b, (struct job *)(uintptr_t)j);
	size_t i = bisect(b, b->sorted, &x);

	if (i < b->sorted && b->v[i].job == j)
		return (ptrdiff_t)i;
	for (i = b->n; i-- > 0;) /* it is new, or its keys have changed */
		if (b->v[i].job == j)
			return (ptrdiff_t)i;
	return -1;
}

void sorted_queue_remove(struct sorted_queue *b, size_t i)
{
	placement_clear(&b->v[i].at);
	b->n--;
	b->sorted -= i < b->sorted;
	memmove(&b->v[i], &b->v[i + 1], (b->n - i) * sizeof(*b->v));
}

bool sorted_queue_resort(struct sorted_queue *b)
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
