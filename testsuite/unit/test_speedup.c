/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_speedup: how fast jobs are on so many nodes (core/kernel/speedup.h), what they have to do, by when, on how many
 * nodes, and what that is worth (core/kernel/progress.h, payoff.h): worked by hand, and by rules that have to hold.
 */
#include <string.h>

#include "core/kernel/payoff.h"
#include "core/kernel/progress.h"
#include "testsuite/unit/seed.h"

/* Table 4.1 of paper 004. */
static const int64_t table[] = { 1,	  1000000, 2,	     1800000, 4,	3400000, 8,
				 6300000, 16,	   11200000, 32,      18100000, 64,	 26300000 };
static const struct list64 benchmark = { table, 14 };
static const struct list64 linear = { NULL, 0 };

static void test_log2(void **state)
{
	(void)state;
	for (int i = 0; i < 32; i++)
		assert_int_equal(speedup_log2(1u << i), (uint64_t)i << 32);
	/* log2 3 = 1.58496250072115618..., log2 10 = 3.32192809488736234..., times 2^32, rounded down */
	assert_int_equal(speedup_log2(3), 6807362105);
	assert_int_equal(speedup_log2(10), 14267572527);
	for (uint32_t n = 1; n < 20000; n++)
		assert_true(speedup_log2(n) < speedup_log2(n + 1));
}

static void test_rates(void **state)
{
	(void)state;
	for (size_t i = 0; i < 14; i += 2)
		assert_int_equal(speedup_rate(&benchmark, (int32_t)table[i]), table[i + 1]);
	/* 3 nodes: 1.8 + 1.6 x 0.58496 */
	assert_int_equal(speedup_rate(&benchmark, 3), 2735940);
	/* 48 nodes: 18.1 + 8.2 x 0.58496 */
	assert_int_equal(speedup_rate(&benchmark, 48), 22896692);
	assert_int_equal(speedup_rate(&benchmark, 65), 26300000);
	assert_int_equal(speedup_rate(&benchmark, 1000000), 26300000);
	assert_int_equal(speedup_rate(&linear, 1), 1000000);
	assert_int_equal(speedup_rate(&linear, 10000), 10000000000);
	for (int32_t n = 1; n < 200; n++)
		assert_true(speedup_rate(&benchmark, n) <= speedup_rate(&benchmark, n + 1));
}

/* In proportion below the first of its widths. */
static void test_below(void **state)
{
	const int64_t from_4[] = { 4, 3000000, 8, 5000000 };
	const int64_t slow[] = { 4, 1 };

	(void)state;
	assert_int_equal(speedup_rate(&(struct list64){ from_4, 4 }, 3), 2250000);
	assert_int_equal(speedup_rate(&(struct list64){ from_4, 4 }, 4), 3000000);
	assert_int_equal(speedup_rate(&(struct list64){ slow, 2 }, 1), 1);
}

static void test_valid(void **state)
{
	const struct {
		struct list64 s;
		bool valid;
	} rows[] = {
		{ { NULL, 0 }, true },
		{ { table, 14 }, true },
		{ { table, 13 }, false },
		{ { (const int64_t[]){ 0, 5 }, 2 }, false },
		{ { (const int64_t[]){ 1, 0 }, 2 }, false },
		{ { (const int64_t[]){ 1, -5 }, 2 }, false },
		{ { (const int64_t[]){ 1, 5, 1, 6 }, 4 }, false },
		{ { (const int64_t[]){ 2, 5, 1, 6 }, 4 }, false },
		{ { (const int64_t[]){ 1, 5, 2, 4 }, 4 }, false },
		{ { (const int64_t[]){ 1, 5, 2, 5 }, 4 }, true },
		{ { (const int64_t[]){ 1, INT64_MAX }, 2 }, false },
		{ { (const int64_t[]){ INT64_MAX, 5 }, 2 }, false },
		{ { NULL, 2 }, false },
	};
	int64_t many[SPEEDUP_NUMBERS + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(speedup_valid(&rows[i].s), rows[i].valid);
	for (int64_t i = 0; i < SPEEDUP_NUMBERS + 2; i++)
		many[i] = i / 2 + 1;
	assert_true(speedup_valid(&(struct list64){ many, SPEEDUP_NUMBERS }));
	assert_false(speedup_valid(&(struct list64){ many, SPEEDUP_NUMBERS + 2 }));
}

static void test_fewest(void **state)
{
	(void)state;
	assert_int_equal(speedup_fewest(&linear, 1, 64, 5000000), 5);
	assert_int_equal(speedup_fewest(&linear, 1, 64, 5000001), 6);
	assert_int_equal(speedup_fewest(&linear, 8, 64, 5000001), 8);
	assert_int_equal(speedup_fewest(&linear, 8, 64, 65000000), 65);
	assert_int_equal(speedup_fewest(&benchmark, 1, 64, 2735940), 3);
	assert_int_equal(speedup_fewest(&benchmark, 1, 64, 2735941), 4);
	assert_int_equal(speedup_fewest(&benchmark, 1, 64, 26300001), 65);
}

/* ---- progress ---- */

static void test_ends(void **state)
{
	struct progress p = { .left = progress_work(100, 32000000), .since = 0, .rate = 43000000 };

	(void)state;
	/* 100 s on 32 nodes: 74.4 s on 43 */
	assert_int_equal(p.left, 3200000000);
	assert_int_equal(progress_end(p.left, p.rate, 7), 7 + 75);
	progress_advance(&p, 74);
	assert_int_equal(p.left, 3200000000 - 74 * INT64_C(43000000));
	assert_int_equal(progress_end(p.left, p.rate, 74), 75);
	progress_advance(&p, 75);
	assert_int_equal(p.left, 0);
	assert_int_equal(progress_end(p.left, p.rate, 75), 75);
	/* time does not go back, and nothing is done at rate 0 */
	p = (struct progress){ .left = 10, .since = 5, .rate = 1 };
	progress_advance(&p, 3);
	assert_int_equal(p.left, 10);
	assert_int_equal(p.since, 5);
	p.rate = 0;
	progress_advance(&p, 30);
	assert_int_equal(p.left, 10);
	assert_int_equal(progress_end(10, 0, 30), PACT_FOREVER);
}

/* A job without a limit, or one whose work cannot be counted, is never done. */
static void test_forever(void **state)
{
	struct progress p = { .left = progress_work(PACT_FOREVER, 1), .rate = 1000000 };

	(void)state;
	assert_int_equal(p.left, PACT_FOREVER);
	progress_advance(&p, 1000);
	assert_int_equal(p.left, PACT_FOREVER);
	assert_int_equal(progress_end(p.left, p.rate, 1000), PACT_FOREVER);
	assert_int_equal(progress_floor(p.left, &linear, 2, 5, 100), 6);
	assert_int_equal(progress_work(INT64_C(1) << 40, INT64_C(1) << 40), PACT_FOREVER);
	p = (struct progress){ .left = 7, .rate = INT64_MAX };
	progress_advance(&p, 1000);
	assert_int_equal(p.left, 0);
}

static void test_floors(void **state)
{
	int64_t work = progress_work(100, 1000000);

	(void)state;
	assert_int_equal(progress_floor(work, &linear, 1, 64, 100), 1);
	assert_int_equal(progress_floor(work, &linear, 1, 64, 99), 2);
	assert_int_equal(progress_floor(work, &linear, 1, 64, 50), 2);
	assert_int_equal(progress_floor(work, &linear, 4, 64, 50), 4);
	assert_int_equal(progress_floor(work, &linear, 1, 64, 2), 50);
	assert_int_equal(progress_floor(work, &linear, 1, 64, 1), 65);
	assert_int_equal(progress_floor(work, &linear, 1, 64, 0), 65);
	assert_int_equal(progress_floor(work, &linear, 1, 64, -5), 65);
	assert_int_equal(progress_floor(0, &linear, 3, 64, -5), 3);
}

/*
 * A job that always has its floor or more is done by its deadline, and its floor never rises, in whatever pieces its
 * time goes on.
 */
static void test_floor_holds(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 2000; round++) {
		const struct list64 *s = round % 2 ? &benchmark : &linear;
		int32_t least = 1 + (int32_t)seed_below(8), most = least + (int32_t)seed_below(64);
		struct progress p = { .left = 1 + (int64_t)seed_below(2000000000) };
		int64_t deadline = 1 + (int64_t)seed_below(4000);
		int32_t n = progress_floor(p.left, s, least, most, deadline);

		if (n > most) {
			assert_true(progress_end(p.left, speedup_rate(s, most), 0) > deadline);
			continue;
		}
		while (p.left) {
			int32_t now_least =
				progress_floor(p.left, s, least, most, deadline - p.since);

			assert_true(p.since < deadline && now_least <= n);
			assert_true(now_least == least ||
				    progress_end(p.left, speedup_rate(s, now_least - 1), p.since) >
					    deadline);
			n = now_least;
			p.rate = speedup_rate(s, n + (int32_t)seed_below(most - n + 1));
			progress_advance(&p, p.since + 1 + (int64_t)seed_below(50));
			if (p.since > deadline)
				assert_int_equal(p.left, 0);
		}
	}
}

static void test_payoffs(void **state)
{
	const struct payoff p = { .value = 1000, .submit = 100, .deadline = 200 };
	const struct payoff odd = { .value = 1000, .submit = 0, .deadline = 7 };

	(void)state;
	assert_int_equal(payoff_at(&p, 100), 1000);
	assert_int_equal(payoff_at(&p, 150), 1000);
	assert_int_equal(payoff_at(&p, 151), 980);
	assert_int_equal(payoff_at(&p, 199), 20);
	assert_int_equal(payoff_at(&p, 200), 0);
	assert_int_equal(payoff_at(&p, PACT_FOREVER), 0);
	/* half of it is 3.5 */
	assert_int_equal(payoff_at(&odd, 3), 1000);
	assert_int_equal(payoff_at(&odd, 4), 857);
	/* of a deadline as far away as can be */
	assert_int_equal(payoff_at(&(struct payoff){ PAYOFF_MOST, 0, PACT_END_OF_TIME },
				   PACT_END_OF_TIME / 4 * 3),
			 PAYOFF_MOST / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log2),	    cmocka_unit_test(test_rates),
		cmocka_unit_test(test_below),	    cmocka_unit_test(test_valid),
		cmocka_unit_test(test_fewest),	    cmocka_unit_test(test_ends),
		cmocka_unit_test(test_forever),	    cmocka_unit_test(test_floors),
		cmocka_unit_test(test_floor_holds), cmocka_unit_test(test_payoffs),
	};

	return seed_run("test_speedup", tests);
}
