/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_hypererlang: the fit gives back the three moments to 1e-9 wherever an order exists, the order is the
 * least, and what has no order is refused; draws have the moments; sets are read, refused and written; the
 * model's classes are those of the ruling on `blue`.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/sched.h"
#include "sim/models/hypererlang.h"
#include "sim/models/hypererlang_log.h"
#include "sim/models/hypererlang_set.h"
#include "sim/models/model.h"
#include "sim/workload/load.h"
#include "testsuite/unit/seed.h"

/* Worked out by hand. */
static void test_by_hand(void **state)
{
	static const struct {
		double moment[3];
		int64_t order;
		double scale[2], share[2];
	} v[] = {
		/* the scale's own: 2, 5, 14; x 1, 1 x 2, 1 x 2 x 3 */
		{ { 2, 10, 84 }, 1, { 1, 3 }, { 0.5, 0.5 } },
		/* one of four has 4, the others 2: 2.5, 7, 22; x 2, 2 x 3, 2 x 3 x 4; m2 / m1^2 = 1.68 < 2 */
		{ { 5, 42, 528 }, 2, { 2, 4 }, { 0.75, 0.25 } },
	};
	struct hypererlang h;
	char why[128];

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(hypererlang_fit(v[i].moment, &h, why, sizeof(why)), PACT_OK);
		assert_int_equal(h.order, v[i].order);
		for (int k = 0; k < 2; k++) {
			assert_true(fabs(h.scale[k] - v[i].scale[k]) < 1e-12);
			assert_true(fabs(h.share[k] - v[i].share[k]) < 1e-12);
		}
	}
}

static double log_uniform(double lo, double hi)
{
	return lo * pow(hi / lo, (double)seed_below(1000000007) / 1000000007);
}

/* As the ruling says it, in a number of more digits: has order n these moments? */
static bool has_order(const double m[3], int64_t order)
{
	long double n = order, r1 = m[0] / n, r2 = m[1] / (n * (n + 1)),
		    r3 = m[2] / (n * (n + 1) * (n + 2));

	return r2 - r1 * r1 > 0 && r1 * r3 - r2 * r2 > 0;
}

static void test_moments_come_back(void **state)
{
	double worst = 0;

	(void)state;
	for (uint64_t round = seed_rounds(40000); round; round--) {
		double m[3], got[3];
		struct hypererlang h;
		char why[128] = "";

		/* From hardly any variance to a lot, and as little skewness as such a variance allows, or more. */
		m[0] = log_uniform(1e-3, 1e9);
		m[1] = m[0] * m[0] * (1 + log_uniform(1e-7, 1e6));
		m[2] = m[1] * (m[1] / m[0]) * (1 + log_uniform(1e-7, 1e6));
		if (hypererlang_fit(m, &h, why, sizeof(why)))
			fail_msg("%.17g %.17g %.17g: %s", m[0], m[1], m[2], why);
		assert_true(h.scale[0] > 0 && h.scale[1] >= h.scale[0]);
		assert_true(h.share[0] > 0 && h.share[1] > 0);
		assert_true(fabs(h.share[0] + h.share[1] - 1) < 1e-15);
		assert_true(has_order(m, h.order));
		assert_true(h.order == 1 || !has_order(m, h.order - 1));
		hypererlang_moments(&h, got);
		for (int k = 0; k < 3; k++)
			worst = fmax(worst, fabs(got[k] / m[k] - 1));
		if (worst > 1e-9)
			fail_msg("%.17g %.17g %.17g: order %lld is off by %g", m[0], m[1], m[2],
				 (long long)h.order, worst);
	}
	print_message("# off by %g at most\n", worst);
}

static void test_no_order(void **state)
{
	static const struct {
		double moment[3];
		const char *why;
	} v[] = {
		{ { 0, 1, 1 }, "m1 = 0: not above 0" },
		{ { 1, -2, 6 }, "m2 = -2" },
		{ { 1, 2, INFINITY }, "m3 = inf" },
		{ { 1, NAN, 6 }, "m2 = " },
		{ { 3, 9, 27 }, "m2 = m1^2: always the same" },
		{ { 3, 8.5, 27 }, "m2 is less than m1^2" },
		/* Gaps of 0, 0 and 90. */
		{ { 30, 2700, 243000 }, "m1 m3 = m2^2: either 0 or always the same" },
		{ { 2, 10, 49 }, "m1 m3 is less than m2^2" },
		{ { 1, 1 + 1e-10, 1 + 1e-9 }, "no order up to 1000000000" },
		{ { 1e-20, 1, 1e30 }, "more than 10^30" },
		{ { 1, 2, 1e32 }, "more than 10^30" },
		{ { 1e-300, 1e-300, 1e99 }, "more than 10^30" },
	};
	struct hypererlang h;
	char why[160];

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(hypererlang_fit(v[i].moment, &h, why, sizeof(why)), PACT_EINVAL);
		if (!strstr(why, v[i].why))
			fail_msg("'%s' instead of '%s'", why, v[i].why);
		assert_int_equal(h.order, 0);
	}
}

/* What is raised can be fitted with the order that was asked for, and what can be already stays. */
static void test_raise(void **state)
{
	(void)state;
	for (uint64_t round = seed_rounds(4000); round; round--) {
		double m[3], was[3];
		int64_t order = 1 + seed_below(1000);
		struct hypererlang h;
		bool had;

		m[0] = log_uniform(1e-3, 1e9);
		m[1] = m[0] * m[0] * (1 + (seed_below(4) ? log_uniform(1e-6, 10) : 0));
		m[2] = m[1] * (m[1] / m[0]) * (1 + (seed_below(4) ? log_uniform(1e-6, 10) : 0));
		had = hypererlang_fit(m, &h, NULL, 0) == PACT_OK && h.order <= order;
		memcpy(was, m, sizeof(was));
		hypererlang_raise(m, order);
		if (had)
			assert_memory_equal(m, was, sizeof(was));
		assert_true(m[0] == was[0] && m[1] >= was[1] && m[2] >= was[2]);
		assert_int_equal(hypererlang_fit(m, &h, NULL, 0), PACT_OK);
		assert_true(h.order <= order);
	}
}

static bool near(double x, double wanted, double share)
{
	if (fabs(x / wanted - 1) <= share)
		return true;
	print_message("%g is not within %g %% of %g\n", x, 100 * share, wanted);
	return false;
}

/* Both branches, one stage and several: the draws have the moments. */
static void test_draws(void **state)
{
	static const double moment[][3] = {
		{ 2, 10, 84 }, { 5, 42, 528 }, { 100, 50000, 56250000 }, { 700, 500000, 4e8 }
	};
	const int draws = 400000;

	(void)state;
	for (size_t i = 0; i < sizeof(moment) / sizeof(moment[0]); i++) {
		struct hypererlang_draw d;
		struct hypererlang h;
		double sum[3] = { 0 };
		struct rng r;

		assert_int_equal(hypererlang_fit(moment[i], &h, NULL, 0), PACT_OK);
		hypererlang_prepare(&h, &d);
		rng_seed(&r, i, RNG_TEST);
		for (int n = 0; n < draws; n++) {
			double x = (double)hypererlang_draw_q16(&d, &r) / 65536;

			sum[0] += x;
			sum[1] += x * x;
			sum[2] += x * x * x;
		}
		assert_true(near(sum[0] / draws, moment[i][0], 0.01));
		assert_true(near(sum[1] / draws, moment[i][1], 0.03));
		assert_true(near(sum[2] / draws, moment[i][2], 0.15));
	}
}

/* ---- sets ---- */

static struct hypererlang_set *blue(void)
{
	struct hypererlang_set *s;
	size_t length;
	const char *text = hypererlang_set_builtin("blue", &length);
	char why[200];

	assert_non_null(text);
	if (hypererlang_set_parse("blue", text, length, &s, why, sizeof(why)))
		fail_msg("%s", why);
	return s;
}

static const double blue_share[] = { .12, .06, .10, .14, .14, .14, .16, .09, .05 };
static const double blue_mean[] = { 900, 900, 1000, 1100, 1200, 1400, 1700, 1900, 2100 };

static void assert_times(const struct hypererlang_times *t, double mean, double cv)
{
	double square = cv * cv, *m = (double *)t->moment;

	assert_true(near(m[0], mean, 1e-12));
	assert_true(near(m[1], mean * mean * (1 + square), 1e-12));
	/* of a gamma distribution: mean^3 (1 + cv^2) (1 + 2 cv^2) */
	assert_true(near(m[2], 1.25 * pow(mean, 3) * (1 + square) * (1 + 2 * square), 1e-12));
}

static void test_blue(void **state)
{
	struct hypererlang_set *s = blue();

	(void)state;
	assert_int_equal(s->classes, 9);
	assert_int_equal(s->nodes, 320);
	assert_int_equal(s->load_micro, 550000);
	for (int i = 0; i < 9; i++) {
		const struct hypererlang_class *c = &s->class[i];

		assert_int_equal(c->hi, 1 << i);
		assert_int_equal(c->lo, i ? (1 << i) / 2 + 1 : 1);
		assert_int_equal(c->upper_micro, 500000);
		assert_times(&c->runtime, blue_mean[i], 2);
		assert_times(&c->interarrival, 384.3 / blue_share[i], 2.5);
	}
	hypererlang_set_destroy(s);
}

static void test_read(void **state)
{
#define HEAD "pact-hypererlang 1\n"
#define TIMES "interarrival 2 10 84\nruntime 5 42 528\n"
	static const char *const wrong[][2] = {
		{ "", "s:0: not a hypererlang: the file is empty" },
		{ "pact-histogram 1\n", "s:1: not a hypererlang: the first line must be "
					"'pact-hypererlang 1'" },
		{ "pact-hypererlang 2\n", "s:1: version '2'" },
		{ HEAD, "s:1: no classes" },
		{ HEAD "colour blue\n", "s:2: unknown key 'colour'" },
		{ HEAD "load 0\n", "s:2: load '0'" },
		{ HEAD "nodes 0\n", "s:2: nodes '0'" },
		{ HEAD "class 1 1\n", "s:2: chance ''" },
		{ HEAD "class 2 1 0\n", "s:2: width '1': a whole number from 2" },
		{ HEAD "class 1 2 1.5\n", "s:2: chance '1.5'" },
		{ HEAD "class 1 2 0.5 3\n", "s:2: '3' is more than this line can hold" },
		{ HEAD "runtime 1 2 3\n", "s:2: runtime before the first class" },
		{ HEAD "class 1 2 0\n" TIMES "class 2 3 0\n",
		  "s:5: width '2': a whole number from 3" },
		{ HEAD "class 1 2 0\nruntime 5 42 528\n", "s:3: the class before, 1 to 2, has no "
							  "interarrival" },
		{ HEAD "class 1 2 0\ninterarrival 5 42 528\nclass 3 4 0\n",
		  "s:4: the class before, 1 to 2, has no runtime" },
		{ HEAD "class 1 2 0\nruntime 5 42 528\nruntime 5 42 528\n",
		  "s:4: a second runtime of this class" },
		{ HEAD "class 1 2 0\nruntime 5 42 x\n", "s:3: m3 'x': a number above 0 wanted" },
		{ HEAD "class 1 2 0\nruntime 5 42 0x10\n", "s:3: m3 '0x10'" },
		{ HEAD "class 1 2 0\nruntime 5 42 -1\n", "s:3: m3 '-1'" },
		{ HEAD "class 1 2 0\nruntime 5 42 1e100\n", "s:3: m3 '1e100'" },
		{ HEAD "class 1 2 0\nruntime 3 9 27\n", "s:3: runtime: m2 = m1^2" },
		{ HEAD "class 1 2 0\nruntime 1 1.0005 1.003\n",
		  "s:3: runtime: order 2001 is needed, 1000 are drawn at most" },
	};
	struct hypererlang_set *s;
	char why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(hypererlang_set_parse("s", wrong[i][0], strlen(wrong[i][0]), &s,
						       why, sizeof(why)),
				 PACT_EINVAL);
		assert_null(s);
		if (strncmp(why, wrong[i][1], strlen(wrong[i][1])) != 0)
			fail_msg("'%s' instead of '%s'", why, wrong[i][1]);
	}
}

static void test_write(void **state)
{
	struct hypererlang_set *s = blue(), *again;
	char *text = NULL, why[200] = "";
	size_t length;
	FILE *f = open_memstream(&text, &length);

	(void)state;
	fputs(HEAD, f);
	hypererlang_set_write(s, f);
	fclose(f);
	if (hypererlang_set_parse("again", text, length, &again, why, sizeof(why)))
		fail_msg("%s", why);
	assert_string_equal(again->source, s->source);
	assert_int_equal(again->nodes, s->nodes);
	assert_int_equal(again->load_micro, s->load_micro);
	assert_int_equal(again->classes, s->classes);
	assert_memory_equal(again->class, s->class, s->classes * sizeof(*s->class));
	hypererlang_set_destroy(again);
	hypererlang_set_destroy(s);
	free(text);
}

/* ---- the model ---- */

/* The first jobs; up to two settings. */
static void make(struct workload *w, size_t jobs, uint32_t nodes, uint64_t seed, const char *key,
		 const char *value, const char *key2, const char *value2)
{
	struct model *m = model_create("hypererlang", nodes, seed, NULL, 0);
	char why[256] = "";
	struct sim_job job;

	assert_non_null(m);
	if (key)
		assert_int_equal(model_set(m, key, value, why, sizeof(why)), PACT_OK);
	if (key2)
		assert_int_equal(model_set(m, key2, value2, why, sizeof(why)), PACT_OK);
	if (model_begin(m, why, sizeof(why)))
		fail_msg("%s", why);
	workload_init(w);
	while (w->count < jobs) {
		assert_int_equal(model_next(m, &job), PACT_OK);
		assert_true(job.width >= 1 && job.width <= (int32_t)nodes);
		assert_true(job.runtime >= 1 && job.estimate == job.runtime);
		assert_int_equal(workload_add(w, &job), PACT_OK);
	}
	model_destroy(m);
}

/* What is found of a class in jobs of several seeds. */
struct found {
	double jobs, upper, width, runtime, square, gap, gap_square, gaps;
	int64_t last;
};

static void look(struct found f[9], const struct workload *w)
{
	/* The mean of all gaps by the ruling's shares and that of this sample: by so much it is stretched. */
	double all = (double)(w->job[w->count - 1].submit - w->job[0].submit) / (double)w->count;

	for (int k = 0; k < 9; k++)
		f[k].last = -1;
	for (size_t i = 0; i < w->count; i++) {
		const struct sim_job *j = &w->job[i];
		int k = (int)ceil(log2(j->width));

		f[k].jobs += 1;
		f[k].upper += j->width == 1 << k;
		f[k].width += j->width;
		f[k].runtime += (double)j->runtime;
		f[k].square += (double)j->runtime * (double)j->runtime;
		if (f[k].last >= 0) {
			double gap = (double)(j->submit - f[k].last) / all;

			f[k].gaps += 1;
			f[k].gap += gap;
			f[k].gap_square += gap * gap;
		}
		f[k].last = j->submit;
	}
}

/*
 * The ruling on blue, over ten samples: the shares, means and coefficients of variation of each class, and
 * what the paper says of its workload: 30 % of the jobs are large, with more than 80 % of the work.
 */
static void test_blue_drawn(void **state)
{
	struct found f[9] = { { 0 } };
	double large = 0, work = 0, large_work = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct workload w;

		make(&w, 10000, 320, seed, NULL, NULL, NULL, NULL);
		assert_true(fabs(load_offered(&w, 320) - 0.55) < 1e-6);
		look(f, &w);
		for (size_t i = 0; i < w.count; i++) {
			double area = (double)w.job[i].width * (double)w.job[i].runtime;

			large += w.job[i].width > 32;
			work += area;
			large_work += w.job[i].width > 32 ? area : 0;
		}
		workload_release(&w);
	}
	for (int k = 0; k < 9; k++) {
		double widths = k ? (1 << k) / 2 : 1, n = f[k].jobs;
		double mean = f[k].runtime / n, gap = f[k].gap / f[k].gaps;

		assert_true(near(n / 100000, blue_share[k], 0.06));
		assert_true(near(f[k].upper / n, 0.5 + 0.5 / widths, 0.05));
		assert_true(near(f[k].width / n,
				 ((1 << k) + ((1 << k) + (k ? (1 << k) / 2 + 1 : 1)) / 2.0) / 2,
				 0.02));
		assert_true(near(mean, blue_mean[k], 0.07));
		assert_true(near(sqrt(f[k].square / n / mean / mean - 1), 2, 0.1));
		assert_true(near(gap, 1 / blue_share[k], 0.1));
		assert_true(near(sqrt(f[k].gap_square / f[k].gaps / gap / gap - 1), 2.5, 0.1));
	}
	assert_true(near(large / 100000, 0.30, 0.03));
	assert_true(large_work / work > 0.8);
}

/* Workload w: the same jobs at the same times, longer by w tenths, each rounded by itself. */
static void test_workloads(void **state)
{
	struct workload base, w;
	char number[2] = "1";

	(void)state;
	make(&base, 10000, 320, 3, NULL, NULL, NULL, NULL);
	for (int k = 1; k <= 8; k++, number[0]++) {
		make(&w, 10000, 320, 3, "workload", number, NULL, NULL);
		for (size_t i = 0; i < w.count; i++) {
			double wanted = (double)base.job[i].runtime * (10 + k) / 10;

			assert_int_equal(w.job[i].submit, base.job[i].submit);
			assert_int_equal(w.job[i].width, base.job[i].width);
			assert_true(fabs((double)w.job[i].runtime - wanted) < 1.5);
		}
		assert_true(near(load_offered(&w, 320), 0.055 * (10 + k), 1e-4));
		workload_release(&w);
	}
	workload_release(&base);
}

/* The same for the same seed, another one for another; the first jobs of a shorter run; pinned. */
static void test_repeated(void **state)
{
	static const int64_t first[][4] = { { 1, 76, 256, 4525 },
					    { 2, 318, 1, 196 },
					    { 3, 340, 52, 3724 },
					    { 4, 1021, 1, 1091 },
					    { 5, 1144, 128, 667 } };
	struct workload a, b, other;

	(void)state;
	make(&a, 3000, 320, 1, NULL, NULL, NULL, NULL);
	make(&b, 12000, 320, 1, "set", "blue", "load", "0.55");
	make(&other, 3000, 320, 2, NULL, NULL, NULL, NULL);
	assert_memory_equal(a.job, b.job, a.count * sizeof(*a.job));
	assert_memory_not_equal(a.job, other.job, a.count * sizeof(*a.job));
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		assert_int_equal(a.job[i].id, first[i][0]);
		assert_int_equal(a.job[i].submit, first[i][1]);
		assert_int_equal(a.job[i].width, first[i][2]);
		assert_int_equal(a.job[i].runtime, first[i][3]);
	}
	workload_release(&a);
	workload_release(&b);
	workload_release(&other);
}

/* The sample that offers the load may be another one, as may the load; a small machine cuts the classes. */
static void test_model_settings(void **state)
{
	struct workload w;
	char why[256];
	struct model *m;

	(void)state;
	make(&w, 500, 100, 1, "load", "0.9", "sample", "500");
	assert_true(near(load_offered(&w, 100), 0.9, 1e-4));
	workload_release(&w);
	m = model_create("hypererlang", 320, 1, NULL, 0);
	assert_int_equal(model_set(m, "workload", "9", why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why, "workload=9: whole number from 0 to 8 wanted");
	assert_int_equal(model_set(m, "sample", "1", why, sizeof(why)), PACT_EINVAL);
	assert_int_equal(model_set(m, "load", "-1", why, sizeof(why)), PACT_EINVAL);
	assert_int_equal(model_set(m, "jobs", "5", why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "(set, workload, load, sample)"));
	assert_int_equal(model_set(m, "set", "red", why, sizeof(why)), PACT_OK);
	assert_int_equal(model_begin(m, why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why, "set=red: No such file or directory; built in is blue");
	model_destroy(m);
}

/* ---- a log's fit ---- */

static void add(struct workload *w, int64_t submit, int32_t width, int64_t runtime)
{
	struct sim_job job = { .id = w->count + 1,
			       .submit = submit,
			       .width = width,
			       .runtime = runtime,
			       .estimate = runtime };

	assert_int_equal(workload_add(w, &job), PACT_OK);
}

/*
 * By hand. Widths 3 and 4: at 0, 1, 4, 13 (gaps 1, 3, 9: 13/3, 91/3, 757/3), 60 s each, which no order has.
 * Width 1: at 0, 0, 90, a second moment that no order has either. Widths 5 to 8: two jobs; 9 to 10: three at
 * once, on a machine of ten nodes.
 */
static void test_log(void **state)
{
	struct hypererlang_log l;
	struct hypererlang_class *c;
	struct workload w;
	char why[160];

	(void)state;
	workload_init(&w);
	add(&w, 0, 1, 10);
	add(&w, 0, 1, 20);
	add(&w, 0, 3, 60);
	add(&w, 1, 4, 60);
	add(&w, 2, 6, 60);
	add(&w, 3, 8, 60);
	add(&w, 4, 4, 60);
	add(&w, 5, 9, 60);
	add(&w, 5, 10, 60);
	add(&w, 5, 10, 60);
	add(&w, 13, 4, 60);
	add(&w, 90, 1, 60);
	if (hypererlang_log_fit(&l, &w, 10, "log", why, sizeof(why)))
		fail_msg("%s", why);
	assert_int_equal(l.set->classes, 2);
	assert_int_equal(l.set->nodes, 10);
	assert_string_equal(l.set->source, "log");
	c = &l.set->class[1];
	assert_int_equal(c->lo, 3);
	assert_int_equal(c->hi, 4);
	assert_int_equal(c->upper_micro,
			 500000); /* three of four: a half, and half of the other half */
	assert_string_equal(l.class[2].interarrival.raised, "");
	assert_true(near(c->interarrival.moment[0], 13 / 3.0, 1e-15));
	assert_true(near(c->interarrival.moment[1], 91 / 3.0, 1e-15));
	assert_true(near(c->interarrival.moment[2], 757 / 3.0, 1e-15));
	assert_non_null(strstr(l.class[2].runtime.raised, "m2 = m1^2"));
	assert_true(l.class[2].runtime.wanted[1] == 3600);
	assert_true(c->runtime.moment[0] == 60 && near(c->runtime.moment[1], 3600, 0.002));
	assert_int_equal(c->runtime.fit.order, HYPERERLANG_MAX_DRAWN);
	assert_non_null(strstr(l.class[0].interarrival.raised, "m1 m3 = m2^2"));
	assert_true(near(l.set->class[0].interarrival.moment[1], 4050, 1e-15));
	assert_string_equal(l.class[3].left_out, "fewer than three jobs");
	assert_string_equal(l.class[4].left_out, "all submitted at once");
	assert_int_equal(l.class[4].hi, 10);
	assert_int_equal(l.class[5].jobs, 0);
	hypererlang_log_release(&l);
	w.count = 2;
	assert_int_equal(hypererlang_log_fit(&l, &w, 0, "log", why, sizeof(why)), PACT_EINVAL);
	assert_string_equal(why,
			    "no class of widths has three jobs that are not submitted all at once");
	hypererlang_log_release(&l);
	workload_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),	   cmocka_unit_test(test_moments_come_back),
		cmocka_unit_test(test_no_order),   cmocka_unit_test(test_raise),
		cmocka_unit_test(test_draws),	   cmocka_unit_test(test_blue),
		cmocka_unit_test(test_read),	   cmocka_unit_test(test_write),
		cmocka_unit_test(test_blue_drawn), cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_repeated),   cmocka_unit_test(test_model_settings),
		cmocka_unit_test(test_log),
	};

	return seed_run("hypererlang", tests);
}
