/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_load: shrinking, duplication, expansion and the models of estimates do what the papers say, on
 * made workloads of any size; what they draw is pinned by properties, not by numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/workload/estimates.h"
#include "sim/workload/load.h"
#include "common/rng.h"
#include "testsuite/unit/seed.h"

#define MICRO 1000000

/* n jobs with ids from 1, a few at one instant. */
static void make(struct workload *w, size_t n)
{
	int64_t clock = 1000;

	workload_init(w);
	for (size_t i = 0; i < n; i++) {
		struct sim_job j = {
			.id = i + 1,
			.width = (int32_t)(1 + seed_below(64)),
			.runtime = 1 + seed_below(10000),
		};

		clock += seed_below(3) ? seed_below(500) : 0;
		j.submit = clock;
		j.estimate = j.runtime + seed_below(1000);
		j.killed = j.estimate == j.runtime;
		assert_int_equal(workload_add(w, &j), PACT_OK);
	}
}

static void copy(struct workload *to, const struct workload *from)
{
	workload_init(to);
	for (size_t i = 0; i < from->count; i++)
		assert_int_equal(workload_add(to, &from->job[i]), PACT_OK);
}

static void check_order(const struct workload *w)
{
	for (size_t i = 1; i < w->count; i++) {
		const struct sim_job *a = &w->job[i - 1], *b = &w->job[i];

		assert_true(a->submit < b->submit || (a->submit == b->submit && a->id <= b->id));
	}
}

static const struct sim_job *find(const struct workload *w, uint64_t id)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->job[i].id == id)
			return &w->job[i];
	return NULL;
}

static void test_shrink(void **state)
{
	struct workload w, v;
	char why[256];

	(void)state;
	make(&w, 200);
	copy(&v, &w);
	assert_int_equal(load_shrink(&v, 750000, why, sizeof(why)), PACT_OK);
	check_order(&v);
	for (size_t i = 0; i < w.count; i++)
		assert_int_equal(find(&v, w.job[i].id)->submit,
				 w.job[0].submit + (w.job[i].submit - w.job[0].submit) * 3 / 4);
	workload_release(&v);
	copy(&v, &w);
	v.job[v.count - 1].submit = WORKLOAD_MAX_TIME;
	assert_int_equal(load_shrink(&v, 2 * MICRO, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "job 200: its submit time"));
	assert_int_equal(v.job[1].submit, w.job[1].submit);
	workload_release(&v);
	workload_release(&w);
}

static void test_expand(void **state)
{
	struct workload w, v;
	char why[256];

	(void)state;
	make(&w, 200);
	copy(&v, &w);
	assert_int_equal(load_expand(&v, 1500000, why, sizeof(why)), PACT_OK);
	for (size_t i = 0; i < w.count; i++) {
		assert_int_equal(v.job[i].submit, w.job[i].submit);
		assert_int_equal(v.job[i].runtime, (w.job[i].runtime * 3 + 1) / 2);
		assert_int_equal(v.job[i].estimate, (w.job[i].estimate * 3 + 1) / 2);
	}
	assert_int_equal(load_expand(&v, 1, why, sizeof(why)), PACT_OK);
	assert_int_equal(v.job[0].runtime, 1);
	v.job[7].estimate = WORKLOAD_MAX_TIME;
	assert_int_equal(load_expand(&v, 1100000, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "job 8: its estimate"));
	workload_release(&v);
	workload_release(&w);
}

/* The job that a duplicate repeats, by all that it has in common with it. */
static bool repeats(const struct sim_job *a, const struct sim_job *b)
{
	return a->width == b->width && a->runtime == b->runtime && a->estimate == b->estimate &&
	       a->killed == b->killed;
}

static void test_duplicate(void **state)
{
	struct workload w, low, high;
	size_t n = (size_t)(50 + seed_below(200));
	uint64_t seed = seed_draw();
	size_t more = n * 2 / 10;

	(void)state;
	make(&w, n);
	/* Runtimes all different, so that it is known which was repeated. */
	for (size_t i = 0; i < n; i++)
		w.job[i].estimate = w.job[i].runtime = (int64_t)i + 1;
	copy(&low, &w);
	copy(&high, &w);
	assert_int_equal(load_duplicate(&low, 1200000, seed, NULL, 0), PACT_OK);
	assert_int_equal(load_duplicate(&high, 2 * MICRO, seed, NULL, 0), PACT_OK);
	assert_int_equal(low.count, n + more);
	assert_int_equal(high.count, 2 * n);
	check_order(&low);
	check_order(&high);
	for (size_t i = 0; i < n; i++) {
		size_t copies = 0;

		/* At load 2 every job was picked once. */
		assert_int_equal(find(&high, i + 1)->submit, w.job[i].submit);
		for (size_t k = 0; k < high.count; k++)
			copies += repeats(&high.job[k], &w.job[i]);
		assert_int_equal(copies, 2);
	}
	/* QoPS, section 5: a higher load has the jobs of a lower one, at the same times. */
	for (size_t k = 0; k < more; k++) {
		const struct sim_job *a = find(&low, n + 1 + k), *b = find(&high, n + 1 + k);

		assert_non_null(a);
		assert_non_null(b);
		assert_int_equal(a->submit, b->submit);
		assert_true(repeats(a, b));
		assert_true(a->submit >= w.job[0].submit && a->submit <= w.job[n - 1].submit);
	}
	workload_release(&low);
	copy(&low, &w);
	assert_int_equal(load_duplicate(&low, 3500000, seed, NULL, 0), PACT_OK);
	assert_int_equal(low.count, n * 7 / 2);
	assert_int_equal(load_duplicate(&low, 900000, seed, NULL, 0), PACT_EINVAL);
	workload_release(&high);
	workload_release(&low);
	workload_release(&w);
}

static void test_offered(void **state)
{
	struct sim_job job[] = { { .submit = 100, .width = 4, .runtime = 50 },
				 { .submit = 200, .width = 2, .runtime = 100 } };
	struct workload w = { .job = job, .count = 2 };

	(void)state;
	assert_true(load_offered(&w, 8) == 0.5);
	w.count = 1;
	assert_true(load_offered(&w, 8) == 0);
	w.count = 0;
	assert_true(load_offered(&w, 8) == 0);
}

static void test_parse(void **state)
{
	static const char *const wrong[] = { "",	 "omega",      "omega:",
					     "omega:-1", "omega:1001", "phi:1.01",
					     "phi:0.1x", "Log",	       "exact:1" };
	struct estimates e;

	(void)state;
	assert_int_equal(estimates_parse("omega:2.5", &e, NULL, 0), PACT_OK);
	assert_int_equal(e.kind, ESTIMATES_OMEGA);
	assert_int_equal(e.micro, 2500000);
	assert_int_equal(estimates_parse("phi:0.2", &e, NULL, 0), PACT_OK);
	assert_int_equal(e.kind, ESTIMATES_PHI);
	assert_int_equal(e.micro, 200000);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(estimates_parse(wrong[i], &e, NULL, 0), PACT_EINVAL);
		assert_int_equal(e.kind, ESTIMATES_LOG);
	}
}

/* n jobs of one runtime, long enough for rounding up not to be seen, under a model. */
static void model(struct workload *w, const char *text, size_t n)
{
	struct estimates e;

	workload_init(w);
	for (size_t i = 0; i < n; i++) {
		struct sim_job j = {
			.id = i + 1, .width = 1, .runtime = 100000, .estimate = 1, .killed = true
		};

		assert_int_equal(workload_add(w, &j), PACT_OK);
	}
	assert_int_equal(estimates_parse(text, &e, NULL, 0), PACT_OK);
	estimates_apply(&e, w, seed_draw());
	for (size_t i = 0; i < n; i++) {
		assert_true(w->job[i].estimate >= 100000);
		assert_false(w->job[i].killed);
	}
}

/* Of 40,000 draws, shares are within 5 standard deviations, which is at most 0.0125. */
#define DRAWS 40000
#define NEAR(share, expected) \
	assert_true((share) > (expected)-0.013 && (share) < (expected) + 0.013)

static double share_below(const struct workload *w, int64_t estimate)
{
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++)
		n += w->job[i].estimate <= estimate;
	return (double)n / (double)w->count;
}

/* Exact estimates are those of omega:0 and phi:1, and no job outlives them: model() looks at that. */
static void test_exact(void **state)
{
	struct workload w;

	(void)state;
	model(&w, "exact", 100);
	assert_true(share_below(&w, 100000) == 1);
	workload_release(&w);
}

/* gang, Figure 1a: uniform between 1 and 1 + omega. */
static void test_omega(void **state)
{
	struct workload w;

	(void)state;
	model(&w, "omega:3", DRAWS);
	NEAR(share_below(&w, 100000), 0.0);
	NEAR(share_below(&w, 175000), 0.25);
	NEAR(share_below(&w, 250000), 0.5);
	assert_true(share_below(&w, 400000) == 1);
	workload_release(&w);
	model(&w, "omega:0", 100);
	assert_true(share_below(&w, 100000) == 1);
	workload_release(&w);
}

/* gang, Figure 1b: exact for phi of the jobs; the others' used share of it is uniform. */
static void test_phi(void **state)
{
	struct workload w;

	(void)state;
	model(&w, "phi:0.2", DRAWS);
	NEAR(share_below(&w, 100000), 0.2);
	NEAR(share_below(&w, 200000), 0.6); /* at least half used: 0.2 + 0.8 / 2 */
	NEAR(share_below(&w, 1000000), 0.92);
	workload_release(&w);
	model(&w, "phi:1", 100);
	assert_true(share_below(&w, 100000) == 1);
	workload_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shrink),	  cmocka_unit_test(test_expand),
		cmocka_unit_test(test_duplicate), cmocka_unit_test(test_offered),
		cmocka_unit_test(test_parse),	  cmocka_unit_test(test_exact),
		cmocka_unit_test(test_omega),	  cmocka_unit_test(test_phi),
	};

	return seed_run("test_load", tests);
}
