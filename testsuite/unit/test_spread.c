/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_spread: how widely limits differ, against sums made anew, and what dynp's preferred decider makes of
 * it: where they differ widely no other policy than the first counts, unless that breaks a promise.
 */
#include <string.h>

#include "core/spread.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

static void test_few_are_not_enough(void **state)
{
	struct spread x = { 0, 0, 0 };

	(void)state;
	for (int i = 1; i < SPREAD_LEAST; i++) {
		spread_add(&x, 600);
		assert_false(spread_at_most(&x, 1000000));
	}
	spread_add(&x, 600);
	assert_true(spread_at_most(&x, 0)); /* all are alike */
	assert_true(spread_valid(&x));
}

/* Of two limits in equal parts, 100 and 300: the mean is 200, the variance 10000, a quarter of its square. */
static void test_two_limits(void **state)
{
	struct spread x = { 0, 0, 0 };

	(void)state;
	for (int i = 0; i < SPREAD_LEAST; i++)
		spread_add(&x, i % 2 ? 100 : 300);
	assert_true(spread_at_most(&x, 25));
	assert_false(spread_at_most(&x, 24));
}

static void test_any_limits(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(200); round++) {
		int64_t n = SPREAD_LEAST + seed_below(SPREAD_MOST - SPREAD_LEAST);
		double sum = 0, squares = 0, percent;
		struct spread x = { 0, 0, 0 };

		for (int64_t i = 0; i < n; i++) {
			int64_t limit = 1 + seed_below(seed_below(10) ? 5000 : 500000);

			spread_add(&x, limit);
			sum += (double)limit;
			squares += (double)limit * (double)limit;
		}
		percent = ((double)n * squares / (sum * sum) - 1) * 100;
		assert_true(spread_valid(&x));
		assert_true(spread_at_most(&x, (int64_t)percent + 1));
		assert_false(spread_at_most(&x, (int64_t)percent - 1));
	}
}

/* What came long ago counts less and less; no sum leaves its range. */
static void test_old_ones_fade(void **state)
{
	struct spread x = { 0, 0, 0 };

	(void)state;
	for (int i = 0; i < 5 * SPREAD_MOST; i++) {
		spread_add(&x, i % 2 ? 1 : INT64_MAX);
		assert_true(spread_valid(&x));
	}
	assert_false(spread_at_most(&x, 90));
	for (int i = 0; i < 20 * SPREAD_MOST; i++)
		spread_add(&x, 7200);
	assert_true(spread_at_most(&x, 10));
}

static void test_wrong_sums(void **state)
{
	static const struct spread wrong[] = {
		{ -1, 0, 0 }, { SPREAD_MOST, 0, 0 }, { 1, -1, 0 }, { 1, INT64_MAX, 0 },
		{ 1, 1, -1 }, { 1, 1, INT64_MAX },   { 0, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(spread_valid(&wrong[i]));
}

/* ---- the decider ---- */

static void tune(struct sched_config *c, const char *policies, const char *spread)
{
	sched_config_init(c);
	assert_int_equal(dynp_config_set(&c->dynp, "Policies", policies, NULL, 0), 1);
	assert_int_equal(dynp_config_set(&c->dynp, "Decider", "preferred", NULL, 0), 1);
	assert_int_equal(dynp_config_set(&c->dynp, "Spread", spread, NULL, 0), 1);
}

/* The queue of scenarios/dynp-switch.scn, where SJF is better than FCFS; job 2 promised if deadline. */
static void open_switch(struct feed *f, const struct sched_config *c, int64_t deadline)
{
	feed_open_switch(f, c, deadline);
	feed_drain(f);
}

/* So many jobs come and go at once, with these limits in turn. */
static void come_and_go(struct feed *f, int n, int64_t one, int64_t other)
{
	for (int i = 0; i < n; i++) {
		uint64_t id = 1000 + (uint64_t)i;

		feed_submit(f, feed_job(id, 1, i % 2 ? one : other));
		assert_int_equal(feed_event(f, (struct sched_event){ .type = EV_WITHDRAW,
								     .now = f->now,
								     .id = id }),
				 PACT_OK);
	}
	feed_drain(f);
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
	assert_int_equal(dynp_config_set(&c.dynp, "Slackness", "50", NULL, 0), 1);
	open_switch(&f, &c, 0);
	assert_int_equal(look(&f).running, DYNP_SJF);
	come_and_go(&f, SPREAD_LEAST, 500, 700);
	assert_int_equal(look(&f).running, DYNP_FCFS);
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
		cmocka_unit_test(test_any_limits),
		cmocka_unit_test(test_old_ones_fade),
		cmocka_unit_test(test_wrong_sums),
		cmocka_unit_test(test_first_policy_stays),
		cmocka_unit_test(test_questions_count_nothing),
		cmocka_unit_test(test_first_policy_breaks_a_promise),
	};

	return seed_run("test_spread", tests);
}
