/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fair.c - how fast one user may ask: bursts, the long run, others, forgetting
 */
#include "slurm/base/fair.h"

#include "testsuite/unit/seed.h"

static void test_unbounded(void **state)
{
	struct fair f;

	(void)state;
	fair_init(&f, 0);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(fair_wait(&f, 1, 5), 0);
		fair_charge(&f, 1, 5, 100);
	}
}

/* So many at once, and then one per interval. */
static void test_burst(void **state)
{
	static const int64_t rates[] = { 1, 2, 20, 1000, 1000000, 5000000 };
	struct fair f;

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		int64_t rate = rates[r] > 1000000 ? 1000000 : rates[r];
		int64_t now = 1000, n = 0;

		fair_init(&f, rates[r]);
		for (; !fair_wait(&f, 7, now); n++)
			fair_charge(&f, 7, now, 1);
		assert_int_equal(n, rate);
		assert_int_equal(fair_wait(&f, 7, now), 1000000 / rate);
		now += fair_wait(&f, 7, now);
		assert_int_equal(fair_wait(&f, 7, now), 0);
		/* Another user does not notice. */
		assert_int_equal(fair_wait(&f, 8, now), 0);
	}
}

/* In the long run nobody gets more than his rate, however he asks and whatever it costs. */
static void test_long_run(void **state)
{
	struct fair f;
	int64_t now = 1, spent = 0;

	(void)state;
	fair_init(&f, 20);
	for (int i = 0; i < 10000; i++) {
		int64_t cost = 1 + seed_below(4);

		if (!fair_wait(&f, 3, now)) {
			fair_charge(&f, 3, now, cost);
			spent += cost;
		}
		now += seed_below(100000);
		assert_true(spent <= 20 * now / 1000000 + 20 + 4);
	}
}

/* More users than are remembered: whoever has the most room is forgotten, not who is over his. */
static void test_many(void **state)
{
	struct fair f;

	(void)state;
	fair_init(&f, 10);
	fair_charge(&f, 1, 1000, 100);
	for (uint32_t uid = 2; uid < 3 * FAIR_USERS; uid++)
		fair_charge(&f, uid, 1000, 1);
	assert_true(fair_wait(&f, 1, 1000) > 0);
}

/* Who comes for nothing is shut out while it goes on, at any rate above 32 a second, and not much longer. */
static void test_fines(void **state)
{
	static const int64_t gaps[] = { 1, 1000, 10000, 30000 };
	struct fair f;

	(void)state;
	for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
		int64_t now = 1000, from = now;
		int n = 0;

		fair_init(&f, 20);
		for (; !fair_shut(&f, 5, now); n++) {
			fair_fine(&f, 5, now);
			now += gaps[g];
		}
		assert_true(n >= 32);
		assert_true(now - from <= 30000 * 900);
		for (int i = 0; i < 100000; i++) {
			assert_true(fair_shut(&f, 5, now));
			assert_false(fair_shut(&f, 6, now));
			fair_fine(&f, 5, now);
			now += gaps[g];
		}
		assert_true(fair_shut(&f, 5, now));
		assert_false(fair_shut(&f, 5, now + 1000000));
		/* It costs none of what it may ask. */
		assert_int_equal(fair_wait(&f, 5, now), 0);
	}
	/* Slower than that, for ever. */
	for (int64_t now = INT64_C(1) << 50, i = 0; i < 10000; i++, now += 32000) {
		assert_false(fair_shut(&f, 5, now));
		fair_fine(&f, 5, now);
	}
	fair_init(&f, 0);
	for (int i = 0; i < 1000; i++)
		fair_fine(&f, 5, 1000);
	assert_false(fair_shut(&f, 5, 1000));
}

/* A forgotten user's entry is another's, with none of his fines. */
static void test_fines_forgotten(void **state)
{
	struct fair f;

	(void)state;
	fair_init(&f, 10);
	for (int i = 0; i < 100; i++)
		fair_fine(&f, 1, 1000);
	assert_true(fair_shut(&f, 1, 1000));
	for (uint32_t uid = 2; uid < 3 * FAIR_USERS; uid++) {
		fair_charge(&f, uid, 1000, 1);
		assert_false(fair_shut(&f, uid, 1000));
	}
	assert_false(fair_shut(&f, 1, 1000));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unbounded), cmocka_unit_test(test_burst),
		cmocka_unit_test(test_long_run),  cmocka_unit_test(test_many),
		cmocka_unit_test(test_fines),	  cmocka_unit_test(test_fines_forgotten),
	};

	return seed_run("test_fair", tests);
}
