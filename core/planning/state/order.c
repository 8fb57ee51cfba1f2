/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: see order.h. A natural merge sort: queues are nearly in order from the last time, so runs are
 * found and merged; where there are too many of them they are made first. Keys are computed once per job,
 * not once per comparison.
 */
#include "core/planning/state/order.h"

#include <stdbool.h>
#include <string.h>

#include "core/planning/state/job.h"

/* Subtraction that stops at the ends of the range instead of wrapping (deadlines may be for ever). */
static int64_t minus(int64_t a, int64_t b)
{
	int64_t r;

	if (__builtin_sub_overflow(a, b, &r))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return r;
}

int64_t order_key(enum order_kind kind, const struct job *j, int64_t now)
{
	switch (kind) {
	case ORDER_FCFS:
		return 0;
	case ORDER_SJF:
		return j->limit;
	case ORDER_LJF:
		return -j->limit;
	case ORDER_EDF:
		return j->due;
	case ORDER_LLF:
		return minus(minus(j->due, now), j->req.duration);
	case ORDER_PRIORITY:
		return j->priority == INT64_MIN ? INT64_MAX : -j->priority;
	}
	return 0;
}

/* Which of the two comes next cannot be foreseen, not by a processor either: no branch depends on it. */
static void merge(const struct order_item *a, size_t na, const struct order_item *b, size_t nb,
		  struct order_item *out)
{
	const struct order_item *a_end = a + na, *b_end = b + nb;

	while (a < a_end && b < b_end) {
		size_t second = order_item_before(b, a);
		const struct order_item *from = second ? b : a;

		*out++ = *from;
		a += 1 - second;
		b += second;
	}
	memcpy(out, a < a_end ? a : b, (size_t)(a < a_end ? a_end - a : b_end - b) * sizeof(*out));
}

/* End of the run in order that begins at i. */
static size_t run_end(const struct order_item *v, size_t i, size_t n)
{
	for (i++; i < n && !order_item_before(&v[i], &v[i - 1]); i++)
		;
	return i;
}

/* Merge neighbouring runs from `from` to `to`; true when one run was left. */
static bool merge_pass(const struct order_item *from, struct order_item *to, size_t n)
{
	size_t i = 0, runs = 0;

	while (i < n) {
		size_t mid = run_end(from, i, n);
		size_t end = mid < n ? run_end(from, mid, n) : n;

		merge(from + i, mid - i, from + mid, end - mid, to + i);
		i = end;
		runs++;
	}
	return runs <= 1;
}

/* So many items are sorted by counting, for each, those before it. */
#define BLOCK 8

static void sort_block(const struct order_item *v, size_t n, struct order_item *out)
{
	uint32_t rank[BLOCK] = { 0 };

	for (size_t i = 1; i < n; i++) {
		for (size_t k = 0; k < i; k++) {
			uint32_t before = order_item_before(&v[i], &v[k]);

			rank[k] += before;
			rank[i] += 1 - before;
		}
	}
	for (size_t i = 0; i < n; i++)
		out[rank[i]] = v[i];
}

/* Two runs of n each: the n first are taken from the front while the n last are taken from the back. */
static void merge_even(const struct order_item *a, size_t n, struct order_item *out)
{
	const struct order_item *b = a + n, *a_end = b, *b_end = b + n;

	for (size_t i = 0; i < n; i++) {
		size_t second = order_item_before(b, a);
		size_t first = order_item_before(b_end - 1, a_end - 1);
		const struct order_item *front = second ? b : a, *back = first ? a_end : b_end;

		out[i] = *front;
		out[2 * n - 1 - i] = back[-1];
		a += 1 - second;
		b += second;
		a_end -= first;
		b_end -= 1 - first;
	}
}

/* As sort_items(), of items in no order at all: where a run ends would be guessed wrong each time. */
static struct order_item *sort_blocks(struct order_item *v, size_t n)
{
	struct order_item *from = v + n, *to = v;

	for (size_t i = 0; i < n; i += BLOCK)
		sort_block(v + i, n - i < BLOCK ? n - i : BLOCK, from + i);
	for (size_t run = BLOCK; run < n; run *= 2) {
		struct order_item *t = from;

		for (size_t i = 0; i < n; i += 2 * run) {
			size_t left = n - i, a = left < run ? left : run;
			size_t b = left - a < run ? left - a : run;

			if (b == run)
				merge_even(from + i, run, to + i);
			else
				merge(from + i, a, from + i + a, b, to + i);
		}
		from = to;
		to = t;
	}
	return from;
}

/* Where an item comes before the one in front of it. */
static size_t count_breaks(const struct order_item *v, size_t n)
{
	size_t breaks = 0;

	for (size_t i = 1; i < n; i++)
		breaks += order_item_before(&v[i], &v[i - 1]);
	return breaks;
}

/* Returns where they are in the end: at v or behind them. */
static struct order_item *sort_items(struct order_item *v, size_t n)
{
	struct order_item *to = v + n;
	size_t breaks = n < 2 ? 0 : count_breaks(v, n);
	bool done = !breaks;

	if (breaks > n / BLOCK)
		return sort_blocks(v, n);
	while (!done) {
		struct order_item *from = v;

		done = merge_pass(from, to, n);
		v = to;
		to = from;
	}
	return v;
}

void order_items(struct job **jobs, size_t n, struct order_item *scratch)
{
	const struct order_item *v = sort_items(scratch, n);

	for (size_t i = 0; i < n; i++)
		jobs[i] = v[i].job;
}

void order_merge(struct order_item *items, size_t n, size_t more)
{
	const struct order_item *new = sort_items(items + n, more);
	struct order_item *end = items + n + more;

	if (new == items + n) {
		if (!n || !more || !order_item_before(new, new - 1))
			return;
		memcpy(end, new, more * sizeof(*new));
		new = end;
	}
	/* from the back: what is read of the first n lies before what is written */
	while (more > 0) {
		if (n > 0 && order_item_before(&new[more - 1], &items[n - 1]))
			items[n + more - 1] = items[n - 1], n--;
		else
			items[n + more - 1] = new[more - 1], more--;
	}
}

static struct order_item median3(const struct order_item *v, size_t n)
{
	const struct order_item *a = &v[0], *b = &v[n / 2], *c = &v[n - 1];

	if (order_item_before(b, a)) {
		const struct order_item *t = a;

		a = b;
		b = t;
	}
	return order_item_before(c, a) ? *a : order_item_before(c, b) ? *c : *b;
}

void order_select(struct order_item *items, size_t n, size_t k)
{
	while (n > 1 && k > 0 && k < n) {
		struct order_item pivot = median3(items, n);
		size_t i = 0, j = n - 1;

		/* Hoare's partition: [0, j] <= pivot <= [j + 1, n) */
		for (;; i++, j--) {
			while (order_item_before(&items[i], &pivot))
				i++;
			while (order_item_before(&pivot, &items[j]))
				j--;
			if (i >= j)
				break;
			struct order_item t = items[i];

			items[i] = items[j];
			items[j] = t;
		}
		if (k <= j + 1) {
			if (k == j + 1 || n == j + 1)
				return;
			n = j + 1;
		} else {
			items += j + 1;
			n -= j + 1;
			k -= j + 1;
		}
	}
}

void order_sort(struct job **jobs, size_t n, enum order_kind kind, int64_t now,
		struct order_item *scratch)
{
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		struct job *j = jobs[i];

		scratch[i] = (struct order_item){ order_key(kind, j, now), j->submit, j->id, j };
	}
	order_items(jobs, n, scratch);
}

bool order_precedes(const struct job *a, const struct job *b, enum order_kind kind, int64_t now)
{
	struct order_item x = { order_key(kind, a, now), a->submit, a->id, NULL };
	struct order_item y = { order_key(kind, b, now), b->submit, b->id, NULL };

	return !order_item_before(&y, &x);
}

void order_by_start(struct job **jobs, size_t n, struct order_item *scratch)
{
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		struct job *j = jobs[i];

		scratch[i] = (struct order_item){ j->place.start, j->submit, j->id, j };
	}
	order_items(jobs, n, scratch);
}
