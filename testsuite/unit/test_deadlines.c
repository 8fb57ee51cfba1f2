/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_deadlines: deadlines by urgency (LibraRisk, section 4) and by the estimate, the normal draws that they
 * are made of, and estimates between the runtime and the log's. Jobs are made; what is drawn is judged by its
 * distribution, and what follows from a draw by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/rng.h"
#include "core/sched.h"
#include "sim/run/deadlines.h"
#include "sim/workload/estimates.h"
#include "sim/workload/load.h"

#define MICRO 1000000
#define Q32 4294967296.0

enum { MANY = 20000 };
static struct sim_job many[MANY];

static struct workload make(int64_t runtime, int64_t estimate)
{
	for (size_t i = 0; i < MANY; i++)
		many[i] = (struct sim_job){ .id = i + 1,
					    .submit = (int64_t)(7 * i),
					    .width = 1,
					    .runtime = runtime,
					    .estimate = estimate };
	return (struct workload){ .job = many, .count = MANY, .room = MANY };
}

static struct deadlines parsed(const char *text)
{
	struct deadlines d;
	char why[256] = "";

	if (deadlines_parse(text, &d, why, sizeof(why)) != PACT_OK)
		fail_msg("%s: %s", text, why);
	return d;
}

static void assign(const char *text, struct workload *w, uint64_t seed)
{
	struct deadlines d = parsed(text);
	char why[256];

	assert_int_equal(deadlines_assign(&d, w, 1, 50, seed, why, sizeof(why)), PACT_OK);
}

/* Quantiles of the normal distribution, in hundredths of a per cent below. */
static void test_normal(void **state)
{
	static const struct {
		double z;
		int below; /* of 10,000 */
	} table[] = { { -2, 228 },   { -1, 1587 }, { -0.5, 3085 }, { 0, 5000 },
		      { 0.5, 6915 }, { 1, 8413 },  { 2, 9772 } };
	int below[sizeof(table) / sizeof(table[0])] = { 0 };
	double sum = 0, squares = 0;
	struct rng r;

	(void)state;
	rng_seed(&r, 5, RNG_TEST);
	for (int i = 0; i < 200000; i++) {
		double z = (double)rng_normal_q32(&r) / Q32;

		sum += z;
		squares += z * z;
		for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++)
			below[k] += z < table[k].z;
	}
	assert_true(sum < 1500 && sum > -1500); /* three standard errors are 1342 */
	assert_true(squares > 198000 && squares < 202000);
	for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++)
		assert_true(abs(below[k] - 20 * table[k].below) < 700);
}

/* A fifth around 4 times the runtime, the others around 16 times; deviations of a quarter, cut at three. */
static void test_urgency(void **state)
{
	struct workload w = make(1000, 5000);
	double sum = 0, squares = 0;
	int above = 0;

	(void)state;
	assign("urgency:0.2", &w, 3);
	for (size_t i = 0; i < MANY; i++) {
		double factor = (double)(many[i].deadline - many[i].submit) / 1000;

		assert_true(factor >= 1 && factor <= 28);
		above += factor > 7;
	}
	/* none of high urgency; of the others all but P(16 (1 + z/4) < 7) = P(z < -2.25) = 1.22 %, within three deviations 1.09 % */
	assert_true(abs(above - (int)(0.8 * 0.9889 * MANY)) < 250);
	assign("urgency:1", &w, 3);
	for (size_t i = 0; i < MANY; i++) {
		double factor = (double)(many[i].deadline - many[i].submit) / 1000;

		assert_true(factor >= 1 && factor <= 7);
		sum += factor;
		squares += (factor - 4) * (factor - 4);
	}
	assert_true(sum / MANY > 3.97 && sum / MANY < 4.03);
	/* a normal of deviation 1 that is cut at 3 has 0.9733 */
	assert_true(squares / MANY > 0.94 && squares / MANY < 1.01);
}

/* The share of high urgency, mean and ratio change nothing that is drawn. */
static void test_same_draws(void **state)
{
	static int64_t high[MANY], low[MANY];
	struct workload w = make(1000000, 1000000);
	size_t urgent[2] = { 0, 0 };

	(void)state;
	assign("urgency:1,ratio:8", &w, 7);
	for (size_t i = 0; i < MANY; i++)
		high[i] = many[i].deadline - many[i].submit;
	assign("urgency:0,mean:2,ratio:8", &w, 7);
	for (size_t i = 0; i < MANY; i++) {
		low[i] = many[i].deadline - many[i].submit;
		/* 16 times and 4 times the same (1 + z / 4), each rounded up */
		assert_true(low[i] <= 4 * high[i] && low[i] > 4 * (high[i] - 1));
	}
	for (int part = 0; part < 2; part++) {
		assign(part ? "urgency:0.5,mean:4,ratio:4" : "urgency:0.2,fraction:1", &w, 7);
		for (size_t i = 0; i < MANY; i++) {
			int64_t after = many[i].deadline - many[i].submit;

			assert_true(after == high[i] || after == low[i]);
			urgent[part] += after == high[i];
		}
	}
	assert_true(urgent[0] < urgent[1]);
}

static void test_estimate(void **state)
{
	struct workload w = make(10, 1000);
	int64_t least = INT64_MAX, most = 0;
	double sum = 0;

	(void)state;
	assign("estimate:0.1-2", &w, 3);
	for (size_t i = 0; i < MANY; i++) {
		int64_t after = many[i].deadline - many[i].submit;

		least = after < least ? after : least;
		most = after > most ? after : most;
		sum += (double)after;
	}
	assert_true(least == 100 || least == 101);
	assert_true(most >= 1999 && most <= 2000);
	assert_true(sum / MANY > 1038 && sum / MANY < 1062); /* 1050.5; the error is 3.9 */
	/* exactly: rounded up, at least a second, and the slack */
	assign("estimate:0.3333-0.3333", &w, 1);
	assert_int_equal(many[9].deadline, 63 + 334);
	assign("estimate:0-0.000001,slack:5", &w, 1);
	assert_int_equal(many[9].deadline, 63 + 6);
	assign("estimate:1-1,fraction:0", &w, 1);
	assert_int_equal(many[9].deadline, 0);
}

/* What is not a deadline, with its key and value. */
static void test_wrong(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "urgency", "'urgency' is not key:value" },
		{ "urgency:1.5", "urgency:1.5 is more than 1" },
		{ "urgency:x", "urgency:x is not a number >= 0" },
		{ "mean:4", "'mean:4' lacks stringency:S, urgency:F or estimate:LOW-HIGH" },
		{ "urgency:0.2,mean:0", "mean:0 is not a number above 0, up to 1000" },
		{ "urgency:0.2,ratio:1001", "ratio:1001 is not a number above 0, up to 1000" },
		{ "urgency:0.2,urgency:0.3", "urgency:0.3: urgency is given twice" },
		{ "urgency:0.2,stringency:0.2",
		  "stringency:0.2 does not go together with urgency" },
		{ "stringency:0.2,ratio:4", "ratio:4 does not go together with stringency" },
		{ "estimate:1-2,mean:4", "mean:4 does not go together with estimate" },
		{ "estimate:2", "estimate:2 is not LOW-HIGH, two factors from 0 to 1000" },
		{ "estimate:2-1", "estimate:2-1 has a LOW above its HIGH" },
		{ "estimate:0-0", "estimate:0-0 leaves no time at all" },
		{ "estimate:1-1001", "estimate:1-1001 is not LOW-HIGH" },
		{ "estimate:-1-2", "estimate:-1-2 is not LOW-HIGH" },
		{ "urgency:0.2,haste:1", "unknown key 'haste' (stringency, urgency, mean, ratio, "
					 "estimate, fraction, relax, slack)" },
	};
	struct deadlines d;
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(deadlines_parse(cases[i].text, &d, why, sizeof(why)), PACT_EINVAL);
		if (!strstr(why, cases[i].says))
			fail_msg("%s: '%s' instead of '%s'", cases[i].text, why, cases[i].says);
		assert_false(d.on);
	}
	assert_true(deadlines_use_guard(&(struct deadlines){ .on = true }));
	d = parsed("urgency:0.2");
	assert_false(deadlines_use_guard(&d));
}

/* No time beyond those of a workload, whatever is multiplied. */
static void test_far(void **state)
{
	struct workload w = make(WORKLOAD_MAX_TIME, WORKLOAD_MAX_TIME);

	(void)state;
	assign("urgency:0,mean:1000,ratio:1000", &w, 1);
	assert_int_equal(many[1].deadline, 7 + WORKLOAD_MAX_TIME);
	assign("estimate:1000-1000", &w, 1);
	assert_int_equal(many[1].deadline, 7 + WORKLOAD_MAX_TIME);
}

static void test_inaccuracy(void **state)
{
	static const struct {
		int64_t micro, runtime, estimate, gives;
	} cases[] = {
		{ 0, 100, 203, 100 },	       { MICRO, 100, 203, 203 },
		{ MICRO / 2, 100, 203, 152 },  { 499999, 100, 203, 151 },
		{ MICRO / 10, 100, 104, 100 }, { MICRO / 10, 100, 105, 101 },
		{ MICRO / 2, 7, 7, 7 },	       { MICRO, 1, WORKLOAD_MAX_TIME, WORKLOAD_MAX_TIME },
	};
	struct estimates e;
	char why[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_job job = { .runtime = cases[i].runtime, .estimate = cases[i].estimate };
		struct workload w = { .job = &job, .count = 1, .room = 1 };

		e = (struct estimates){ ESTIMATES_INACCURACY, cases[i].micro };
		estimates_apply(&e, &w, 1);
		assert_int_equal(job.estimate, cases[i].gives);
	}
	assert_int_equal(estimates_parse("inaccuracy:0.25", &e, why, sizeof(why)), PACT_OK);
	assert_int_equal(e.kind, ESTIMATES_INACCURACY);
	assert_int_equal(e.micro, 250000);
	assert_int_equal(estimates_parse("inaccuracy:1.01", &e, why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why, "P is no number from 0 to 1");
	assert_int_equal(e.kind, ESTIMATES_LOG);
}

/* Ten jobs, 15 s apart, at 0.3: 4.5 s apart, summed before they are rounded, a half up. */
static void test_delay(void **state)
{
	static const int64_t at[] = { 100, 105, 109, 114, 118, 123, 127, 132, 136, 141 };
	struct workload w;

	(void)state;
	make(1, 1);
	w = (struct workload){ .job = many, .count = 10, .room = MANY };
	for (size_t i = 0; i < 10; i++)
		many[i].submit = 100 + 15 * (int64_t)i;
	assert_int_equal(load_delay(&w, 300000, NULL, 0), PACT_OK);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(many[i].submit, at[i]);
	assert_int_equal(load_delay(&w, 0, NULL, 0), PACT_OK);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(many[i].submit, 100);
	many[9].submit = WORKLOAD_MAX_TIME;
	assert_int_equal(load_delay(&w, 2 * MICRO, NULL, 0), PACT_EINVAL);
	assert_int_equal(many[9].submit, WORKLOAD_MAX_TIME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal),	   cmocka_unit_test(test_urgency),
		cmocka_unit_test(test_same_draws), cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_wrong),	   cmocka_unit_test(test_far),
		cmocka_unit_test(test_inaccuracy), cmocka_unit_test(test_delay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
