/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_spread: how widely limits differ, against sums made anew, and what dynp's preferred decider makes of
 * it: where they differ widely no other policy than the first counts, unless that breaks a promise.
 */
#include <string.h>

#include "core/policies/dynp/dynp.h"
#include "core/policies/dynp/spread.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

static void test_few_are_not_enough(void **state)
{
	struct spread x = { 0 };

	(void)state;
	for (int i = 1; i < SPREAD_LEAST; i++) {
		spread_add(&x, 600, 1, 16);
		assert_false(spread_at_most(&x, 1000000));
		assert_false(spread_gain_below(&x, 1000000));
	}
	spread_add(&x, 600, 1, 16);
	assert_true(spread_at_most(&x, 0)); /* all are alike */
	assert_true(spread_gain_below(&x, 1));
	assert_true(spread_valid(&x));
}

/* Of two limits in equal parts, 100 and 300: the mean is 200, the variance 10000, a quarter of its square. */
static void test_two_limits(void **state)
{
	struct spread x = { 0 };

	(void)state;
	for (int i = 0; i < SPREAD_LEAST; i++)
		spread_add(&x, i % 2 ? 100 : 300, 1, 16);
	assert_true(spread_at_most(&x, 25));
	assert_false(spread_at_most(&x, 24));
}

/*
 * The same limits, of jobs as wide as half the machine: weighted by width nothing changes, the work's mean
 * width is 1/2, the gain 1/4 : 1/2. When the long ones are three times as wide as the short ones, 3/8 and
 * 1/8, the mean by width is 250, the variance 7500, 12/100 of its square; the work's mean width is
 * (9 x 300 + 100) / (3 x 300 + 100) / 8 = 28/80, and the gain 34.3 %; the other way round the mean is 150,
 * the variance 1/3 of its square, the width (300 + 9 x 100) / (300 + 3 x 100) / 8 = 1/4, the gain 133.3 %.
 */
static void test_gain_of_two(void **state)
{
	static const struct {
		int64_t shorts, longs, percent;
	} worlds[] = { { 8, 8, 50 }, { 2, 6, 34 }, { 6, 2, 133 } };

	(void)state;
	for (size_t w = 0; w < sizeof(worlds) / sizeof(worlds[0]); w++) {
		struct spread x = { 0 };

		for (int i = 0; i < SPREAD_LEAST; i++)
			spread_add(&x, i % 2 ? 100 : 300,
				   i % 2 ? worlds[w].shorts : worlds[w].longs, 16);
		assert_false(spread_gain_below(&x, worlds[w].percent));
		assert_true(spread_gain_below(&x, worlds[w].percent + 1));
	}
}

static void test_any_limits(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(200); round++) {
		int64_t n = SPREAD_LEAST + seed_below(SPREAD_MOST - SPREAD_LEAST);
		int64_t nodes = 1 + seed_below(seed_below(2) ? 200 : 20000);
		double sum = 0, squares = 0, percent;
		double shares = 0, shared = 0, shared_squares = 0, areas = 0, gain;
		struct spread x = { 0 };

		for (int64_t i = 0; i < n; i++) {
			int64_t limit = 1 + seed_below(seed_below(10) ? 5000 : 500000);
			int64_t width = 1 + seed_below(nodes);
			double share = (double)((width * SPREAD_WHOLE + nodes - 1) / nodes);

			spread_add(&x, limit, width, nodes);
			shares += share;
			shared += share * (double)limit;
			shared_squares += share * (double)limit * (double)limit;
			areas += share * share * (double)limit;
			sum += (double)limit;
			squares += (double)limit * (double)limit;
		}
		percent = ((double)n * squares / (sum * sum) - 1) * 100;
		assert_true(spread_valid(&x));
		assert_true(spread_at_most(&x, (int64_t)percent + 1));
		assert_false(spread_at_most(&x, (int64_t)percent - 1));
		gain = (shares * shared_squares / (shared * shared) - 1) /
		       (areas / shared / SPREAD_WHOLE) * 100;
		assert_true(spread_gain_below(&x, (int64_t)gain + 2));
		assert_false(spread_gain_below(&x, (int64_t)gain - 1));
	}
}

/* What came long ago counts less and less; no sum leaves its range. */
static void test_old_ones_fade(void **state)
{
	struct spread x = { 0 };

	(void)state;
	for (int i = 0; i < 5 * SPREAD_MOST; i++) {
		spread_add(&x, i % 2 ? 1 : INT64_MAX, INT32_MAX, 1 + i % 3);
		assert_true(spread_valid(&x));
	}
	assert_false(spread_at_most(&x, 90));
	for (int i = 0; i < 20 * SPREAD_MOST; i++)
		spread_add(&x, 7200, 1, 1);
	assert_true(spread_at_most(&x, 10));
}

static void test_wrong_sums(void **state)
{
	static const struct spread wrong[] = {
		{ .n = -1 },
		{ .n = SPREAD_MOST },
		{ .n = 1, .sum = -1 },
		{ .n = 1, .sum = INT64_MAX },
		{ .n = 1, .sum = 1, .squares = -1 },
		{ .n = 1, .sum = 1, .squares = INT64_MAX },
		{ .sum = 1 },
		{ .n = 1, .shares = -1 },
		{ .n = 1, .shares = SPREAD_WHOLE + 1 },
		{ .n = 1, .shared = -1 },
		{ .n = 1, .shared = INT64_MAX },
		{ .n = 1, .shared_squares = -1 },
		{ .n = 1, .shared_squares = INT64_MAX },
		{ .n = 1, .areas = -1 },
		{ .n = 1, .areas = INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(spread_valid(&wrong[i]));
}

/* ---- the decider ---- */

static void tune(struct sched_config *c, const char *policies, const char *spread)
{
	sched_config_init(c);
	assert_true(settings_apply(c, "Policies", policies, NULL, 0));
	assert_true(settings_apply(c, "Decider", "preferred", NULL, 0));
	assert_true(settings_apply(c, "Spread", spread, NULL, 0));
}

/* The queue of scenarios/dynp-switch.scn, where SJF is better than FCFS; job 2 promised if deadline. */
static void open_switch(struct feed *f, const struct sched_config *c, int64_t deadline)
{
	feed_open_switch(f, c, deadline);
	feed_drain(f);
}

/* So many jobs come and go at once, with these limits in turn, the first of one node, the other as wide as this. */
static void come_wide_and_go(struct feed *f, int n, int64_t one, int64_t other, int32_t width)
{
	for (int i = 0; i < n; i++) {
		uint64_t id = 1000 + (uint64_t)i;

		feed_submit(f, feed_job(id, i % 2 ? 1 : width, i % 2 ? one : other));
		assert_int_equal(feed_event(f, (struct sched_event){ .type = EV_WITHDRAW,
								     .now = f->now,
								     .id = id }),
				 PACT_OK);
	}
	feed_drain(f);
}

static void come_and_go(struct feed *f, int n, int64_t one, int64_t other)
{
	come_wide_and_go(f, n, one, other, 1);
}

static struct dynp_view look(struct feed *f)
{
	struct dynp_view v;

	assert_int_equal(sched_dynp_view(f->s, &v), PACT_OK);
	return v;
}

static void test_first_policy_stays(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };

	(void)state;
	/* without a spread SJF is taken; with one, not before it is known */
	tune(&c, "fcfs,sjf", "0");
	open_switch(&f, &c, 0);
	assert_int_equal(look(&f).running, DYNP_SJF);
	feed_close(&f);
	tune(&c, "fcfs,sjf", "150");
	open_switch(&f, &c, 0);
	assert_int_equal(look(&f).running, DYNP_FCFS);
	assert_false(look(&f).compared[DYNP_SJF]);
	/* limits that are much alike: now it counts */
	come_and_go(&f, SPREAD_LEAST, 500, 700);
	assert_int_equal(look(&f).running, DYNP_SJF);
	assert_true(look(&f).compared[DYNP_FCFS] && look(&f).compared[DYNP_SJF]);
	assert_int_equal(feed_starts(&f, 3), 600);
	/* one of a thousand that are short is long: back to the first */
	come_and_go(&f, 3000, 1, 1);
	come_and_go(&f, 20, 400000, 400000);
	assert_int_equal(look(&f).running, DYNP_FCFS);
	assert_int_equal(feed_starts(&f, 2), 600);
	feed_close(&f);
	/* then it is the second that must be beaten by the slackness */
	tune(&c, "sjf,fcfs", "150");
	assert_true(settings_apply(&c, "Slackness", "50", NULL, 0));
	open_switch(&f, &c, 0);
	assert_int_equal(look(&f).running, DYNP_SJF);
	come_and_go(&f, SPREAD_LEAST, 500, 700);
	assert_int_equal(look(&f).running, DYNP_FCFS);
	feed_close(&f);
}

/* Limits spread wide, but by width little is gained, as the long jobs are the wide ones: the second's turn. */
static void test_little_gain(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };

	(void)state;
	tune(&c, "sjf,fcfs", "80");
	assert_true(settings_apply(&c, "Slackness", "50", NULL, 0));
	assert_true(settings_apply(&c, "Gain", "200", NULL, 0));
	open_switch(&f, &c, 0);
	assert_int_equal(look(&f).running, DYNP_SJF);
	come_wide_and_go(&f, 2 * SPREAD_LEAST, 1, 400, 4);
	assert_int_equal(look(&f).running, DYNP_FCFS);
	assert_true(look(&f).compared[DYNP_FCFS] && look(&f).compared[DYNP_SJF]);
	/* narrow ones: as much is gained by all of them */
	come_and_go(&f, 60 * SPREAD_LEAST, 1, 400);
	assert_int_equal(look(&f).running, DYNP_SJF);
	assert_false(look(&f).compared[DYNP_FCFS]);
	feed_close(&f);
	/* without it, the limits alone count */
	assert_true(settings_apply(&c, "Gain", "0", NULL, 0));
	open_switch(&f, &c, 0);
	come_wide_and_go(&f, 2 * SPREAD_LEAST, 1, 400, 4);
	assert_int_equal(look(&f).running, DYNP_SJF);
	assert_false(look(&f).compared[DYNP_FCFS]);
	feed_close(&f);
}

static void test_first_policy_breaks_a_promise(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };

	(void)state;
	tune(&c, "sjf,fcfs", "150");
	open_switch(&f, &c, 1650);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(look(&f).running, DYNP_FCFS);
	assert_false(look(&f).eligible[DYNP_SJF]);
	assert_int_equal(feed_starts(&f, 2), 600);
	feed_close(&f);
}

/* A question, and a change that is refused, leave what is known of the limits as it is. */
static void test_questions_count_nothing(void **state)
{
	struct sched_job longer = feed_deadline(2, 4, 5000, 1650);
	struct sched_config c;
	struct feed f = { 0 };

	(void)state;
	tune(&c, "fcfs,sjf", "150");
	open_switch(&f, &c, 1700);
	for (int i = 0; i < 2 * SPREAD_LEAST; i++) {
		struct sched_decision d;

		assert_int_equal(sched_ask_change(f.s, f.now, &longer, &d), PACT_OK);
		assert_false(d.accepted);
		feed_event(&f, (struct sched_event){
				       .type = EV_CHANGE, .id = 2, .jobs = &longer, .njobs = 1 });
	}
	feed_drain(&f);
	/* three jobs have come: too few to know anything by */
	assert_false(look(&f).compared[DYNP_SJF]);
	feed_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_are_not_enough),
		cmocka_unit_test(test_two_limits),
		cmocka_unit_test(test_gain_of_two),
		cmocka_unit_test(test_any_limits),
		cmocka_unit_test(test_old_ones_fade),
		cmocka_unit_test(test_wrong_sums),
		cmocka_unit_test(test_first_policy_stays),
		cmocka_unit_test(test_little_gain),
		cmocka_unit_test(test_questions_count_nothing),
		cmocka_unit_test(test_first_policy_breaks_a_promise),
	};

	return seed_run("test_spread", tests);
}
