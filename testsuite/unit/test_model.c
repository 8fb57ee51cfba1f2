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
#include "sim/run/deadlines.h"
#include "sim/models/model.h"
#include "sim/workload/curve.h"
#include "common/rng.h"

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
	assert_int_equal(model_begin(m, NULL, 0), PACT_OK);
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
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_OK);
	for (int i = 0; i < 10000; i++)
		model_next(m, &j);
	assert_int_equal(j.width, 16);
	assert_int_equal(j.runtime, 30);
	assert_int_equal(j.estimate, 60);
	assert_true(fabs((double)j.submit / 10000 - 100) < 3);
	model_destroy(m);
}

/* Means over many jobs of a model with up to two settings. */
struct moments {
	double width, estimate, runtime, gap;
	int64_t max_width, max_estimate;
	struct sim_job first;
};

static struct moments moments_of(const char *name, uint32_t nodes, const char *key,
				 const char *value, const char *key2, const char *value2)
{
	const int jobs = 200000;
	struct model *m = model_create(name, nodes, 1, NULL, 0);
	struct moments sum = { 0 };
	char why[256] = "";
	struct sim_job j;

	assert_non_null(m);
	assert_int_equal(model_set(m, key, value, why, sizeof(why)), PACT_OK);
	if (key2)
		assert_int_equal(model_set(m, key2, value2, why, sizeof(why)), PACT_OK);
	if (model_begin(m, why, sizeof(why)))
		fail_msg("%s", why);
	for (int i = 0; i < jobs; i++) {
		model_next(m, &j);
		assert_true(j.width >= 1 && j.width <= (int32_t)nodes);
		assert_true(j.runtime >= 1 && j.runtime <= j.estimate);
		sum.width += (double)j.width / jobs;
		sum.estimate += (double)j.estimate / jobs;
		sum.runtime += (double)j.runtime / jobs;
		if (j.width > sum.max_width)
			sum.max_width = j.width;
		if (j.estimate > sum.max_estimate)
			sum.max_estimate = j.estimate;
		if (!i)
			sum.first = j;
	}
	sum.gap = (double)j.submit / jobs;
	model_destroy(m);
	return sum;
}

static bool near(double x, double wanted, double share)
{
	if (fabs(x / wanted - 1) <= share)
		return true;
	print_message("%g is not within %g %% of %g\n", x, 100 * share, wanted);
	return false;
}

/* The generator's Weibull: mean and median, for each shape in dynP, Table 2, and for 1. */
static void test_weibull(void **state)
{
	static const double alpha[] = { 0.25, 0.35, 0.4, 1, 5 };
	const int draws = 400000;

	(void)state;
	for (size_t i = 0; i < sizeof(alpha) / sizeof(alpha[0]); i++) {
		double sum = 0, median = 290 * pow(log(2), 1 / alpha[i]);
		int below = 0;
		struct rng r;

		rng_seed(&r, 11, RNG_TEST);
		for (int n = 0; n < draws; n++) {
			double x = (double)rng_weibull_q16(&r, llround(alpha[i] * 1e6), 290000000) /
				   65536;

			sum += x;
			below += x < median;
		}
		assert_true(near(sum / draws, 290 * tgamma(1 + 1 / alpha[i]), 0.03));
		assert_true(near(below, draws / 2.0, 0.01));
	}
	for (int n = 0; n < 1000; n++) {
		struct rng r;

		rng_seed(&r, (uint64_t)n, RNG_TEST);
		assert_true(rng_weibull_q16(&r, 100000, INT64_C(1000000000000000)) >> 16 <
			    UINT64_C(1) << 31);
		assert_true(rng_weibull_q16(&r, 100000000, 1) == 0);
	}
}

/*
 * dynP: the means of the synthetic sets against those of the traces in Table 2 (as Table 3's are
 * theirs). The archive's logs are not quite the paper's: sdsc has the means of the log that we have.
 */
static void test_weibull_model(void **state)
{
	struct moments m;

	(void)state;
	m = moments_of("weibull", 430, "histogram", "ctc", NULL, NULL);
	assert_true(near(m.width, 10.72, 0.04));
	assert_true(near(m.estimate, 24324, 0.02));
	assert_true(near(m.runtime, 10983, 0.04));
	assert_true(near(m.gap, 287, 0.06));
	assert_int_equal(m.max_width, 336);
	assert_int_equal(m.max_estimate, 64800);
	m = moments_of("weibull", 100, "histogram", "kth", NULL, NULL);
	assert_true(near(m.width, 7.68, 0.03));
	assert_true(near(m.estimate, 13677, 0.03));
	assert_true(near(m.runtime, 8876, 0.05));
	assert_true(near(m.gap, 1047, 0.06));
	m = moments_of("weibull", 96, "histogram", "pc2", NULL, NULL);
	assert_true(near(m.width, 6.34, 0.03));
	assert_true(near(m.estimate, 11716, 0.04));
	assert_true(near(m.runtime, 4346, 0.04));
	assert_true(near(m.gap, 1013, 0.1));
	assert_int_equal(m.max_estimate, 1209600);
	m = moments_of("weibull", 128, "histogram", "sdsc", NULL, NULL);
	assert_true(near(m.width, 12.3, 0.03));
	assert_true(near(m.estimate, 16763, 0.03));
	assert_true(near(m.runtime, 7353, 0.04));
	assert_true(near(m.gap, 945, 0.03));
	/* Pinned: the same everywhere. */
	assert_int_equal(m.first.submit, 0);
	assert_int_equal(m.first.width, 1);
	assert_int_equal(m.first.estimate, 64800);
	assert_int_equal(m.first.runtime, 38860);
	m = moments_of("weibull", 32, "alpha", "1", "beta", "50.5");
	assert_int_equal(m.max_width, 32);
	assert_true(near(m.gap, 50.5, 0.01));
}

/*
 * malleable, section 4.1: widths uniform, work exponential. With linear speedup the mean runtime is
 * 64.5 x 64 x the mean of 1 / width; rounding up adds half a second.
 */
static void test_exponential_model(void **state)
{
	static const double table41[] = { 1, 1.8, 3.4, 6.3, 11.2, 18.1, 26.3 };
	double inverse = 0;
	struct moments m;

	(void)state;
	for (int p = 16; p <= 64; p++)
		inverse += 1.0 / p / 49;
	m = moments_of("exponential", 64, "interarrival", "500", NULL, NULL);
	assert_true(near(m.width, 40, 0.01));
	assert_true(near(m.runtime, 64.5 * 64 * inverse + 0.5, 0.01));
	assert_true(near(m.gap, 500, 0.01));
	assert_true(near(m.estimate, m.runtime, 0));
	assert_int_equal(m.first.submit, 12);
	assert_int_equal(m.first.width, 36);
	assert_int_equal(m.first.runtime, 103);
	for (int i = 0; i < 7; i++) {
		char width[8];

		snprintf(width, sizeof(width), "%d", 1 << i);
		m = moments_of("exponential", 64, "min_width", "1", "max_width", width);
		assert_int_equal(m.max_width, 1 << i);
	}
	inverse = 0;
	for (int p = 1; p <= 64; p++) {
		int column = (int)floor(log2(p) + 1e-9);
		double from = table41[column];

		if (p < 64)
			from += (table41[column + 1] - from) * ((double)p / (1 << column) - 1);
		inverse += 1 / from / 64;
	}
	m = moments_of("exponential", 64, "min_width", "1", "speedup", "table");
	assert_true(near(m.runtime, 64.5 * 26.3 * inverse + 0.5, 0.03));
	m = moments_of("exponential", 8, "time", "10", NULL, NULL);
	assert_int_equal(m.first.width, 8);
	assert_true(near(m.runtime, 80.5, 0.01));
}

/* malleable, Table 4.1: its columns, halfway by log2 between two (sqrt(2) x 32 is 45.25), and all else between. */
static void test_curves(void **state)
{
	static const int64_t table41[] = { 1000000,  1800000,  3400000, 6300000,
					   11200000, 18100000, 26300000 };
	const struct list64 *table = curve_by_name("table"), *linear = curve_by_name("linear");

	(void)state;
	assert_null(curve_by_name("super"));
	for (int i = 0; i < 7; i++)
		assert_int_equal(speedup_rate(table, 1 << i), table41[i]);
	assert_int_equal(speedup_rate(table, 3), 2735940); /* 1.8 + 1.6 x 0.5849625 */
	assert_true(speedup_rate(table, 45) < 22200000 && speedup_rate(table, 46) > 22200000);
	assert_int_equal(speedup_rate(table, 100000), 26300000);
	assert_int_equal(speedup_rate(linear, 100000), INT64_C(100000000000));
	for (int n = 1; n < 200; n++) {
		assert_true(speedup_rate(table, n + 1) > speedup_rate(table, n) || n >= 64);
		assert_true(speedup_rate(table, n + 1) >= speedup_rate(table, n));
	}
	assert_int_equal(curve_time(linear, 100, 8, 3), 267); /* 266.67 */
	assert_int_equal(curve_time(linear, 300, 1, 3), 100);
	assert_int_equal(curve_time(table, 63, 8, 64), 16); /* 15.09 */
	assert_int_equal(curve_time(table, 7, 64, 64), 7);
}

/* Means over the jobs of malleable with these settings, NULL-terminated; all times in ticks. */
struct malleable_means {
	double gap, width, work, deadline, value,
		gap_work; /* work on 64 nodes; the mean of gap x work */
	int32_t most;	  /* of all jobs */
	struct sim_job first;
};

static struct malleable_means malleable_means(const char *const *set)
{
	const int jobs = 200000;
	struct model *m = model_create("malleable", 64, 1, NULL, 0);
	struct malleable_means sum = { 0 };
	int64_t last = 0;
	struct sim_job j;

	for (; *set; set += 2)
		assert_int_equal(model_set(m, set[0], set[1], NULL, 0), PACT_OK);
	assert_int_equal(model_begin(m, NULL, 0), PACT_OK);
	for (int i = 0; i < jobs; i++) {
		double work, gap;

		assert_int_equal(model_next(m, &j), PACT_OK);
		assert_true(j.width >= 1 && j.width <= 64);
		assert_int_equal(j.runtime, j.estimate);
		work = (double)j.runtime * (double)speedup_rate(j.speedup, j.width) /
		       (double)speedup_rate(j.speedup, 64);
		gap = (double)(j.submit - last);
		last = j.submit;
		sum.gap += gap / jobs;
		sum.width += (double)j.width / jobs;
		sum.work += work / jobs;
		sum.gap_work += gap * work / jobs;
		sum.deadline += (double)j.deadline / jobs;
		sum.value += (double)j.value / 1e6 / jobs;
		sum.first = i ? sum.first : j;
		assert_true(!i || j.most == sum.most);
		sum.most = j.most;
	}
	model_destroy(m);
	return sum;
}

/*
 * malleable, chapter 4. Of one exponential draw X the mean of X x X is 2, of two of mean 1 it is 1; so it is known
 * which of the two a workload has.
 */
static void test_malleable_model(void **state)
{
	static const char *const table42[] = { "interarrival", "500", NULL };
	static const char *const table43[] = { "interarrival", "500",	      "speedup",
					       "table",	       "min_width",   "1",
					       "jobs",	       "traditional", NULL };
	static const char *const table45[] = { "streams",   "two",  "time",	"60",
					       "min_width", "1",    "deadline", "3840",
					       "value",	    "1000", NULL };
	struct malleable_means m;

	(void)state;
	m = malleable_means(table42);
	assert_true(near(m.gap, 500000, 0.01));
	assert_true(near(m.width, 40, 0.01));
	assert_true(near(m.work, 64500, 0.01));
	assert_true(near(m.gap_work / m.gap / m.work, 2, 0.02));
	assert_int_equal(m.most, 64);
	assert_true(m.deadline == 0 && m.value == 0);
	assert_int_equal(m.first.submit, 12217); /* pinned: the same everywhere */
	assert_int_equal(m.first.width, 36);
	assert_int_equal(m.first.runtime, 2802);
	m = malleable_means(table43);
	assert_true(near(m.work, 64500, 0.01));
	assert_true(near(m.width, 32.5, 0.01));
	assert_int_equal(m.most, 0);
	m = malleable_means(table45);
	assert_true(near(m.gap, 64500, 0.01));
	assert_true(near(m.work, 60000, 0.01));
	assert_true(near(m.gap_work / m.gap / m.work, 1, 0.02));
	assert_true(near(m.deadline, 3840000, 0.01));
	assert_true(near(m.value, 1000, 0.01));
	assert_int_equal(m.first.deadline, 2211231);
	assert_int_equal(m.first.value, 1135690416);
}

/* The same draws make adaptive and traditional jobs, and fewer ticks the same jobs but for rounding. */
static void test_malleable_same(void **state)
{
	struct model *a = model_create("malleable", 64, 7, NULL, 0);
	struct model *t = model_create("malleable", 64, 7, NULL, 0);

	(void)state;
	assert_int_equal(model_set(t, "jobs", "traditional", NULL, 0), PACT_OK);
	assert_int_equal(model_set(t, "ticks", "1", NULL, 0), PACT_OK);
	for (int i = 0; i < 1000; i++) {
		struct sim_job x, y;

		model_next(a, &x);
		model_next(t, &y);
		assert_int_equal(x.width, y.width);
		assert_true(x.submit / 1000 - y.submit >= -1 && x.submit / 1000 - y.submit <= 1);
		assert_true(y.runtime * 1000 - x.runtime >= 0 &&
			    y.runtime * 1000 - x.runtime < 1000);
	}
	model_destroy(a);
	model_destroy(t);
}

static void test_malleable_limits(void **state)
{
	static const char *const wrong[][2] = {
		{ "jobs", "rigid" },	   { "streams", "three" }, { "speedup", "super" },
		{ "interarrival", "0" },   { "time", "x" },	   { "min_width", "0" },
		{ "max_width", "17" },	   { "most", "17" },	   { "deadline", "-1" },
		{ "value", "1000000.5e" }, { "ticks", "0" },	   { "ticks", "1000001" },
	};
	struct model *m = model_create("malleable", 16, 1, NULL, 0);
	char why[256], named[64];
	struct sim_job j;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(named, sizeof(named), "%s=%s", wrong[i][0], wrong[i][1]);
		assert_int_equal(model_set(m, wrong[i][0], wrong[i][1], why, sizeof(why)),
				 PACT_EINVAL);
		assert_non_null(strstr(why, named));
	}
	assert_int_equal(model_set(m, "most", "8", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why, "max_width=16 is above most=8");
	assert_int_equal(model_set(m, "max_width", "8", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why, "min_width=16 is above max_width=8");
	assert_int_equal(model_set(m, "min_width", "8", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_OK);
	model_next(m, &j);
	assert_int_equal(j.width, 8);
	assert_int_equal(j.most, 8);
	model_destroy(m);
}

static void test_bad_settings(void **state)
{
	static const char *const wrong[][3] = {
		{ "weibull", "alpha", "0.01" },	      { "weibull", "beta", "x" },
		{ "weibull", "load", "1" },	      { "exponential", "speedup", "super" },
		{ "exponential", "max_width", "65" }, { "exponential", "time", "0" },
		{ "histogram", "interarrival", "1" },
	};
	struct model *m;
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		m = model_create(wrong[i][0], 128, 1, why, sizeof(why));
		assert_int_equal(model_set(m, wrong[i][1], wrong[i][2], why, sizeof(why)),
				 PACT_EINVAL);
		assert_non_null(strstr(why, wrong[i][1]));
		model_destroy(m);
	}
	m = model_create("histogram", 128, 1, why, sizeof(why));
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "histogram=FILE"));
	assert_int_equal(model_set(m, "histogram", "/nonexistent", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "/nonexistent: "));
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
	/* Without any of ours, those that the jobs came with are counted from their submission. */
	d.on = false;
	job[0].deadline = 0;
	job[1].deadline = 70;
	job[1].submit = 5;
	assert_int_equal(deadlines_assign(&d, &w, 1, 0, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(job[0].deadline, 0);
	assert_int_equal(job[1].deadline, 75);
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
		cmocka_unit_test(test_generator),      cmocka_unit_test(test_fixed_point),
		cmocka_unit_test(test_distributions),  cmocka_unit_test(test_model),
		cmocka_unit_test(test_settings),       cmocka_unit_test(test_weibull),
		cmocka_unit_test(test_weibull_model),  cmocka_unit_test(test_exponential_model),
		cmocka_unit_test(test_curves),	       cmocka_unit_test(test_malleable_model),
		cmocka_unit_test(test_malleable_same), cmocka_unit_test(test_malleable_limits),
		cmocka_unit_test(test_bad_settings),   cmocka_unit_test(test_parse_deadlines),
		cmocka_unit_test(test_assign),	       cmocka_unit_test(test_fraction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
