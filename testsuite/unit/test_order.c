/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_order: core/order against an insertion sort, every order, with ties and numbers at the edge. */
#include <inttypes.h>

#include "core/planning/state/job.h"
#include "core/planning/state/order.h"
#include "testsuite/unit/seed.h"

#define JOBS 60

static int64_t value(void)
{
	static const int64_t edge[] = { 0, 1, PACT_FOREVER, PACT_FOREVER - 1 };

	return seed_below(4) ? seed_below(5) : edge[seed_below(4)];
}

/* The order's definition, in wide arithmetic. */
static __int128 key(enum order_kind kind, const struct job *j, int64_t now)
{
	switch (kind) {
	case ORDER_FCFS:
		return 0;
	case ORDER_SJF:
		return j->limit;
	case ORDER_LJF:
		return -(__int128)j->limit;
	case ORDER_EDF:
		return j->due;
	case ORDER_LLF:
		return (__int128)j->due - now - j->req.duration;
	case ORDER_PRIORITY:
		return -(__int128)j->priority;
	}
	return 0;
}

static bool before(enum order_kind kind, const struct job *a, const struct job *b, int64_t now)
{
	__int128 x = key(kind, a, now), y = key(kind, b, now);

	if (x != y)
		return x < y;
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

static struct job jobs[JOBS];

/* Some jobs, pointers to them, and an order for them. How many. */
static size_t draw(struct job **v, enum order_kind *kind, int64_t now)
{
	size_t n = (size_t)seed_below(JOBS + 1);

	*kind = (enum order_kind)seed_below(ORDER_PRIORITY + 1);
	for (size_t i = 0; i < n; i++) {
		jobs[i] = (struct job){ .id = i * 7919 % JOBS,
					.submit = seed_below(3),
					.limit = value(),
					.due = value(),
					.priority = seed_below(9) ? seed_below(5) - 2 : INT64_MIN };
		jobs[i].req.duration = value();
		if (jobs[i].due < now) /* what is due is not past */
			jobs[i].due = now;
		v[i] = &jobs[i];
	}
	return n;
}

static void check_order(struct job **v, size_t n, enum order_kind kind, int64_t now)
{
	for (size_t i = 1; i < n; i++)
		if (!before(kind, v[i - 1], v[i], now))
			fail_msg("order %d: job %" PRIu64 " before %" PRIu64, kind, v[i - 1]->id,
				 v[i]->id);
}

static void test_orders(void **state)
{
	struct order_item scratch[2 * JOBS];
	struct job *v[JOBS];

	(void)state;
	for (int round = 0; round < 300; round++) {
		int64_t now = seed_below(100);
		enum order_kind kind;
		size_t n = draw(v, &kind, now);

		order_sort(v, n, kind, now, scratch);
		check_order(v, n, kind, now);
		for (size_t i = 0; i < n; i++)
			jobs[i].place.start = value();
		order_by_start(v, n, scratch);
		for (size_t i = 1; i < n; i++)
			assert_true(v[i - 1]->place.start < v[i]->place.start ||
				    (v[i - 1]->place.start == v[i]->place.start &&
				     before(ORDER_FCFS, v[i - 1], v[i], now)));
	}
}

/* From no order at all, and from one that few have left. */
static void test_nearly(void **state)
{
	struct order_item scratch[2 * JOBS];
	struct job *v[JOBS];

	(void)state;
	for (int round = 0; round < 300; round++) {
		enum order_kind kind;
		size_t n = draw(v, &kind, 0);

		if (seed_below(2)) {
			order_sort(v, n, kind, 0, scratch);
			for (int i = 0; n && i < 3; i++)
				v[seed_below((int64_t)n)]->due = value();
		}
		order_sort(v, n, kind, 0, scratch);
		check_order(v, n, kind, 0);
		for (size_t i = 1; i < n; i++) {
			assert_true(order_precedes(v[i - 1], v[i], kind, 0));
			assert_false(order_precedes(v[i], v[i - 1], kind, 0));
		}
	}
}

static void test_merge(void **state)
{
	struct order_item items[2 * JOBS];

	(void)state;
	for (int round = 0; round < 1000; round++) {
		size_t n = 0;
		uint64_t all = 0, found = 0;

		while (n < JOBS && seed_below(9)) {
			size_t more = (size_t)seed_below((int64_t)(JOBS - n) + 1);

			for (size_t i = n; i < n + more; i++) {
				items[i] = (struct order_item){ .key = value(), .id = i };
				all |= UINT64_C(1) << i;
			}
			order_merge(items, n, more);
			n += more;
		}
		for (size_t i = 0; i < n; i++) {
			found |= UINT64_C(1) << items[i].id;
			assert_true(i == 0 || order_item_before(&items[i - 1], &items[i]));
		}
		assert_true(found == all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_nearly),
		cmocka_unit_test(test_merge),
	};

	return seed_run("test_order", tests);
}
