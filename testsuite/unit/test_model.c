/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_model: the generator, the model and the deadlines give the same numbers everywhere (pinned
 * here), and the distributions are what is documented.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/sched.h"
#include "sim/deadlines.h"
#include "sim/model.h"
#include "sim/rng.h"

/* The state after splitmix64 of 0 is known from the generators' authors; the rest follows. */
static void test_generator(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 0, 0);
	assert_true(r.s[0] == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(r.s[1] == UINT64_C(0x6e789e6aa1b965f4));
	r = (struct rng){ { 1, 2, 3, 4 } };
	assert_true(rng_next(&r) == 11520);
	assert_true(rng_next(&r) == 0);
	assert_true(rng_next(&r) == 1509978240);
	assert_true(rng_next(&r) == UINT64_C(1215971899390074240));
}

static void test_fixed_point(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 3, RNG_TEST);
	for (int i = 0; i < 20000; i++) {
		uint64_t x = (rng_next(&r) >> rng_below(&r, 63)) | 1;
		uint64_t y = rng_below(&r, UINT64_C(40) << 32);
		double log = (double)rng_log2_q32(x) / 4294967296.0;
		double power = (double)rng_exp2_q16(y) / 65536.0;

		assert_true(fabs(log - log2((double)x)) < 1e-9);
		assert_true(fabs(power / exp2((double)y / 4294967296.0) - 1) < 2e-5);
	}
}

static void test_distributions(void **state)
{
	double exponential = 0, below = 0;
	int count[9] = { 0 };
	struct rng r;

	(void)state;
	rng_seed(&r, 5, RNG_TEST);
	for (int i = 0; i < 200000; i++) {
		int64_t v = rng_log_uniform(&r, 2, 8);

		assert_true(v >= 2 && v <= 8);
		count[v]++;
		exponential += (double)rng_exponential_q32(&r) / 4294967296.0;
		below += (double)rng_below(&r, 7);
	}
	assert_true(fabs(exponential / 200000 - 1) < 0.01);
	assert_true(fabs(below / 200000 - 3) < 0.02);
	for (int v = 2; v <= 8; v++)
		assert_true(fabs(count[v] / 200000.0 - log((v + 1.0) / v) / log(9.0 / 2)) < 0.006);
}

static void test_model(void **state)
{
	/* id, submit, width, runtime, estimate of the first jobs of seed 1 on 128 nodes */
	static const int64_t first[][5] = {
		{ 1, 11, 4, 31, 120 },	    { 2, 550, 6, 42, 60 },	{ 3, 1450, 3, 138, 240 },
		{ 4, 1944, 2, 1231, 1320 }, { 5, 2599, 25, 695, 1020 },
	};
	struct model *m = model_create("poisson", 128, 1, NULL, 0);
	double area = 0;
	struct sim_job j;

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < 20000; i++) {
		model_next(m, &j);
		area += (double)j.width * (double)j.runtime;
		assert_true(j.width >= 1 && j.width <= 64);
		assert_true(j.runtime >= 30 && j.runtime <= 21600);
		assert_true(j.estimate >= j.runtime && j.estimate % 60 == 0);
		assert_true(j.estimate < 5 * j.runtime + 60);
		if (i >= sizeof(first) / sizeof(first[0]))
			continue;
		assert_int_equal(j.id, first[i][0]);
		assert_int_equal(j.submit, first[i][1]);
		assert_int_equal(j.width, first[i][2]);
		assert_int_equal(j.runtime, first[i][3]);
		assert_int_equal(j.estimate, first[i][4]);
	}
	assert_true(fabs(area / 128 / (double)j.submit - 0.8) < 0.03);
	model_destroy(m);
}

static void test_settings(void **state)
{
	struct model *m = model_create("poisson", 16, 1, NULL, 0);
	char why[256];
	struct sim_job j;

	(void)state;
	assert_null(model_create("fractal", 16, 1, why, sizeof(why)));
	assert_non_null(strstr(why, "fractal"));
	assert_null(model_create("poisson", 0, 1, why, sizeof(why)));
	assert_int_equal(model_set(m, "max_width", "17", why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "max_width=17"));
	assert_int_equal(model_set(m, "load", "much", why, sizeof(why)), PACT_EINVAL);
	assert_int_equal(model_set(m, "load", "0.0001", why, sizeof(why)), PACT_EINVAL);
	assert_int_equal(model_set(m, "min_runtime", "0", why, sizeof(why)), PACT_EINVAL);
	assert_int_equal(model_set(m, "colour", "red", why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "colour"));
	assert_int_equal(model_set(m, "max_width", "16", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_set(m, "min_width", "16", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_set(m, "max_runtime", "30", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_set(m, "overestimate", "1", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_set(m, "interarrival", "100", why, sizeof(why)), PACT_OK);
	for (int i = 0; i < 10000; i++)
		model_next(m, &j);
	assert_int_equal(j.width, 16);
	assert_int_equal(j.runtime, 30);
	assert_int_equal(j.estimate, 60);
	assert_true(fabs((double)j.submit / 10000 - 100) < 3);
	model_destroy(m);
}

static void test_parse_deadlines(void **state)
{
	static const char *const wrong[] = {
		"",
		"some",
		"stringency",
		"stringency:",
		"stringency:x",
		"stringency:1.1",
		"fraction:0.5",
		"stringency:0.2,fraction:2",
		"stringency:0.2,colour:1",
		"stringency:-0.2",
		"stringency:0.2,slack:1.5",
		"stringency:0.2,slack:-1",
		"stringency:0.2 fraction:1",
		"stringency:0.2,stringency:0.2",
		"stringency:0.2,relax:2,fraction:1,relax:3",
		"stringency:0.2,relax:2.0001",
		"stringency:0.2,relax:1000001",
	};
	struct deadlines d;
	char why[256];

	(void)state;
	assert_int_equal(deadlines_parse("none", &d, why, sizeof(why)), PACT_OK);
	assert_false(d.on);
	assert_int_equal(
		deadlines_parse("fraction:0.25,stringency:0.2,relax:5", &d, why, sizeof(why)),
		PACT_OK);
	assert_true(d.on);
	assert_int_equal(d.stringency_micro, 200000);
	assert_int_equal(d.fraction_micro, 250000);
	assert_int_equal(d.relax_micro, 5000000);
	assert_int_equal(d.slack, -1);
	assert_int_equal(deadlines_parse("stringency:0.2,slack:12", &d, why, sizeof(why)), PACT_OK);
	assert_int_equal(d.slack, 12);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(deadlines_parse(wrong[i], &d, why, sizeof(why)), PACT_EINVAL);
		assert_false(d.on);
	}
}

/* One node, three jobs of 100 s (limit 150) at 0: EASY ends them at 100, 200, 300. */
static void test_assign(void **state)
{
	struct sim_job job[3];
	struct workload w = { .job = job, .count = 3, .room = 3 };
	struct deadlines d = { .on = true, .stringency_micro = 200000, .fraction_micro = 1000000 };
	char why[256];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		job[i] = (struct sim_job){
			.id = i + 1, .width = 1, .estimate = 150, .runtime = 100, .deadline = 7
		};
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 150);
	assert_int_equal(job[1].deadline, 160);
	assert_int_equal(job[2].deadline, 240);
	assert_int_equal(deadlines_assign(&d, &w, 1, 30, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 180);
	assert_int_equal(job[1].deadline, 180);
	assert_int_equal(job[2].deadline, 240);
	d.slack = 7;
	assert_int_equal(deadlines_assign(&d, &w, 1, 30, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 187);
	assert_int_equal(job[2].deadline, 247);
	d.slack = -1;
	workload_exact(&w);
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 100);
	assert_int_equal(job[1].deadline, 160);
	d.on = false;
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 0);
}

/* A larger fraction chooses the same jobs and more; about as many as asked for. */
static void test_fraction(void **state)
{
	enum { N = 5000 };
	static struct sim_job job[N];
	static bool small[N];
	struct workload w = { .job = job, .count = N, .room = N };
	struct deadlines d = { .on = true, .fraction_micro = 200000 };
	int count[2] = { 0, 0 };

	(void)state;
	for (size_t i = 0; i < N; i++)
		job[i] = (struct sim_job){
			.id = i, .submit = (int64_t)i, .width = 1, .estimate = 1, .runtime = 1
		};
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 9, NULL, 0), PACT_OK);
	for (size_t i = 0; i < N; i++)
		count[0] += small[i] = job[i].deadline != 0;
	d.fraction_micro = 800000;
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 9, NULL, 0), PACT_OK);
	for (size_t i = 0; i < N; i++) {
		count[1] += job[i].deadline != 0;
		assert_true(!small[i] || job[i].deadline);
	}
	assert_true(abs(count[0] - N / 5) < 120 && abs(count[1] - 4 * N / 5) < 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generator),     cmocka_unit_test(test_fixed_point),
		cmocka_unit_test(test_distributions), cmocka_unit_test(test_model),
		cmocka_unit_test(test_settings),      cmocka_unit_test(test_parse_deadlines),
		cmocka_unit_test(test_assign),	      cmocka_unit_test(test_fraction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
