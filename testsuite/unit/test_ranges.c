/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_ranges: --malleable and --answers: their words, and what they make of jobs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/rng.h"
#include "core/sched.h"
#include "sim/run/answers.h"
#include "sim/workload/curve.h"
#include "sim/workload/ranges.h"

static void test_words(void **state)
{
	struct ranges r;
	char why[256];

	(void)state;
	assert_int_equal(ranges_parse("none", &r, why, sizeof(why)), PACT_OK);
	assert_false(r.on);
	assert_int_equal(ranges_parse("fraction:0.2", &r, why, sizeof(why)), PACT_OK);
	assert_true(r.on && r.fraction_micro == 200000);
	assert_true(r.least_micro == 500000 && r.most_micro == 2000000 && !r.value_micro);
	assert_ptr_equal(r.speedup, &curve_linear);
	assert_int_equal(
		ranges_parse("value:1000,speedup:table,most:3.5,least:0.25", &r, why, sizeof(why)),
		PACT_OK);
	assert_true(r.on && r.fraction_micro == 1000000 && r.value_micro == 1000000000);
	assert_true(r.least_micro == 250000 && r.most_micro == 3500000);
	assert_ptr_equal(r.speedup, &curve_table41);
}

static void test_wrong_words(void **state)
{
	static const char *const wrong[][2] = {
		{ "", "none or a list of key:value wanted" },
		{ "half", "'half' is not key:value" },
		{ "fraction:", "fraction: is not a number from 0 to 1" },
		{ "fraction:1.1", "fraction:1.1 is not a number from 0 to 1" },
		{ "least:0", "least:0 is not a factor above 0, up to 1" },
		{ "least:1.5", "least:1.5 is not a factor above 0, up to 1" },
		{ "most:0.5", "most:0.5 is not a factor from 1 to 1000" },
		{ "most:1001", "most:1001 is not a factor from 1 to 1000" },
		{ "speedup:super", "speedup:super is not linear or table" },
		{ "value:-1", "value:-1 is not a number from 0 to 1000000" },
		{ "colour:red", "unknown key 'colour' (fraction, least, most, speedup, value)" },
		{ "most:2,most:3", "most:3: most is given twice" },
		{ "fraction:0.5,none", "'none' is not key:value" },
	};
	struct ranges r;
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(ranges_parse(wrong[i][0], &r, why, sizeof(why)), PACT_EINVAL);
		assert_string_equal(why, wrong[i][1]);
		assert_false(r.on);
		assert_int_equal(r.most_micro, 2000000);
	}
}

static void apply(const char *words, struct sim_job *job, size_t n, uint32_t nodes)
{
	struct workload w = { .job = job, .count = n, .room = n };
	struct ranges r;
	char why[256] = "";

	assert_int_equal(ranges_parse(words, &r, why, sizeof(why)), PACT_OK);
	if (ranges_apply(&r, &w, nodes, 1, why, sizeof(why)))
		fail_msg("%s", why);
}

/* Half to twice the width on a machine of 10; the work stays, to a second; a deadline is left alone. */
static void test_jobs(void **state)
{
	struct sim_job job[] = {
		{ .id = 1, .width = 4, .runtime = 100, .estimate = 150, .deadline = 200 },
		{ .id = 2, .width = 5, .runtime = 7, .estimate = 8 },
		{ .id = 3, .width = 10, .runtime = 7, .estimate = 7 },
		{ .id = 4, .width = 1, .runtime = 7, .estimate = 7 },
		{ .id = 5, .width = 2, .runtime = 7, .estimate = 7, .most = 3 },
	};
	struct sim_job rigid[] = { { .id = 1, .width = 1, .runtime = 9, .estimate = 9 },
				   { .id = 2, .width = 10, .runtime = 9, .estimate = 9 } };

	(void)state;
	apply("fraction:1", job, 5, 10);
	assert_true(job[0].width == 2 && job[0].most == 8);
	assert_true(job[0].runtime == 200 && job[0].estimate == 300 && job[0].deadline == 200);
	assert_true(job[1].width == 3 && job[1].most == 10);
	assert_true(job[1].runtime == 12 && job[1].estimate == 14); /* 11.7, 13.3 */
	assert_true(job[2].width == 5 && job[2].most == 10 && job[2].runtime == 14);
	assert_true(job[3].width == 1 && job[3].most == 2 && job[3].runtime == 7);
	assert_true(job[4].width == 2 && job[4].most == 3 && job[4].runtime == 7);
	assert_int_equal(job[0].value, 0);
	apply("least:1,most:1.9", rigid, 1, 10);
	assert_true(rigid[0].most == 0 && rigid[0].runtime == 9);
	apply("least:1", &rigid[1], 1, 10);
	assert_true(rigid[1].most == 0 && rigid[1].width == 10);
}

/* On 8 of Table 4.1 a job is 6.3 times as fast as on one, on 4 it is 3.4 times. */
static void test_table(void **state)
{
	struct sim_job job = { .id = 1, .width = 8, .runtime = 34, .estimate = 340 };

	(void)state;
	apply("speedup:table", &job, 1, 64);
	assert_true(job.width == 4 && job.most == 16);
	assert_true(job.runtime == 63 && job.estimate == 630);
	assert_ptr_equal(job.speedup, &curve_table41);
}

/* A larger fraction chooses the same jobs and more, and each is worth the same; about as many as asked for. */
static void test_fraction(void **state)
{
	enum { N = 5000 };
	static struct sim_job small[N], large[N];
	int count[2] = { 0, 0 };
	double value = 0;

	(void)state;
	for (size_t i = 0; i < N; i++)
		small[i] = large[i] =
			(struct sim_job){ .id = i + 1, .width = 4, .runtime = 10, .estimate = 10 };
	apply("fraction:0.2,value:1000", small, N, 64);
	apply("fraction:0.8,value:1000", large, N, 64);
	for (size_t i = 0; i < N; i++) {
		count[0] += small[i].most != 0;
		count[1] += large[i].most != 0;
		value += (double)large[i].value / 1e6;
		assert_true(!small[i].most || small[i].value == large[i].value);
		assert_true(!small[i].most || large[i].most == 8);
	}
	assert_true(abs(count[0] - N / 5) < 120 && abs(count[1] - 4 * N / 5) < 120);
	assert_true(fabs(value / count[1] / 1000 - 1) < 0.06);
}

/* What would be beyond the end of time is an error, and no job is half changed. */
static void test_too_long(void **state)
{
	struct sim_job job = { .id = 7, .width = 4, .runtime = 10, .estimate = WORKLOAD_MAX_TIME };
	struct workload w = { .job = &job, .count = 1, .room = 1 };
	struct ranges r;
	char why[256];

	(void)state;
	assert_int_equal(ranges_parse("fraction:1", &r, why, sizeof(why)), PACT_OK);
	assert_int_equal(ranges_apply(&r, &w, 64, 1, why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(
		why, "malleable: job 7: its estimate on 2 nodes is beyond 100000000000 seconds");
	assert_true(job.width == 4 && job.most == 0 && job.estimate == WORKLOAD_MAX_TIME);
}

/* --answers, its words and draws. */
static void test_answers(void **state)
{
	static const struct {
		const char *text, *reason;
	} wrong[] = {
		{ "", "a list of key:value wanted" },
		{ "soon", "'soon' is not key:value" },
		{ "when:3", "unknown key 'when' (time, refuse)" },
		{ "time:3,time:4", "time:4: time is given twice" },
		{ "time:-1", "time:-1 is not SECONDS or LOW-HIGH" },
		{ "time:5-3", "time:5-3 is not SECONDS or LOW-HIGH" },
		{ "time:1.5", "time:1.5 is not SECONDS or LOW-HIGH" },
		{ "refuse:1.1", "refuse:1.1 is not a number from 0 to 1" },
	};
	struct answers a;
	struct rng rng;
	char why[256];
	int never = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(answers_parse(wrong[i].text, &a, why, sizeof(why)), PACT_EINVAL);
		assert_non_null(strstr(why, wrong[i].reason));
		assert_false(a.on);
	}
	assert_int_equal(answers_parse("refuse:0.25,time:3-7", &a, why, sizeof(why)), PACT_OK);
	assert_true(a.on && a.low == 3 && a.high == 7 && a.refuse_micro == 250000);
	rng_seed(&rng, 1, RNG_ANSWERS);
	for (int i = 0; i < 4000; i++) {
		int64_t after = answers_draw(&a, &rng);

		never += after == ANSWER_NEVER;
		assert_true(after == ANSWER_NEVER || (after >= 3 && after <= 7));
	}
	assert_true(abs(never - 1000) < 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),	 cmocka_unit_test(test_wrong_words),
		cmocka_unit_test(test_jobs),	 cmocka_unit_test(test_table),
		cmocka_unit_test(test_fraction), cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
