/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_order: core/order against an insertion sort, every order, with ties and numbers at the edge. */
#include <inttypes.h>

#include "core/job.h"
#include "core/order.h"
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

static void test_orders(void **state)
{
	static struct job jobs[JOBS];
	struct order_item scratch[2 * JOBS];
	struct job *v[JOBS];

	(void)state;
	for (int round = 0; round < 300; round++) {
		enum order_kind kind = (enum order_kind)seed_below(ORDER_PRIORITY + 1);
		size_t n = (size_t)seed_below(JOBS + 1);
		int64_t now = seed_below(100);

		for (size_t i = 0; i < n; i++) {
			jobs[i] = (struct job){ .id = i * 7919 % JOBS,
						.submit = seed_below(3),
						.limit = value(),
						.due = value(),
						.priority = seed_below(9) ? seed_below(5) - 2
									  : INT64_MIN };
			jobs[i].req.duration = value();
			if (jobs[i].due < now) /* what is due is not past */
				jobs[i].due = now;
			v[i] = &jobs[i];
		}
		order_sort(v, n, kind, now, scratch);
		for (size_t i = 1; i < n; i++)
			if (!before(kind, v[i - 1], v[i], now))
				fail_msg("order %d: job %" PRIu64 " before %" PRIu64, kind,
					 v[i - 1]->id, v[i]->id);
		for (size_t i = 0; i < n; i++)
			jobs[i].place.start = value();
		order_by_start(v, n, scratch);
		for (size_t i = 1; i < n; i++)
			assert_true(v[i - 1]->place.start < v[i]->place.start ||
				    (v[i - 1]->place.start == v[i]->place.start &&
				     before(ORDER_FCFS, v[i - 1], v[i], now)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
	};

	return seed_run("test_order", tests);
}
