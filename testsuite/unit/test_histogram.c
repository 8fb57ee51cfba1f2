/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_histogram: what is read, drawn, extracted and written; malformed text is refused with its
 * line, and no text whatever does harm.
 */
#include <errno.h>
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
#include "sim/models/histogram.h"
#include "testsuite/unit/seed.h"

#define HEAD "pact-histogram 1\nweibull 0.5 100\n"
#define BINS "width 1 4 2\nestimate 60 60 60\nruntime 1 59 30\nruntime 60 60 60\n"

static struct histogram *parse(const char *text)
{
	struct histogram *h;
	char why[256] = "";

	if (histogram_parse("text", text, strlen(text), &h, why, sizeof(why)))
		fail_msg("%s", why);
	return h;
}

static void test_parse(void **state)
{
	struct histogram *h;

	(void)state;
	h = parse("pact-histogram 1\r\n# a comment\n\n  source  a log \nnodes 4\n"
		  "weibull 0.35 60\nwidth 1 1 1\nwidth 2 4 2.5\nestimate 60 120 100\n"
		  "runtime 1 60 30.125\ncell 1 1 1:3\ncell 2 1 1:4 1:5");
	assert_string_equal(h->source, "a log ");
	assert_int_equal(h->nodes, 4);
	assert_int_equal(h->alpha_micro, 350000);
	assert_int_equal(h->beta_micro, 60000000);
	assert_int_equal(h->bins[HISTOGRAM_WIDTH], 2);
	assert_int_equal(h->bin[HISTOGRAM_WIDTH][1].hi, 4);
	assert_int_equal(h->bin[HISTOGRAM_WIDTH][1].mean_milli, 2500);
	assert_int_equal(h->bin[HISTOGRAM_RUNTIME][0].mean_milli, 30125);
	assert_int_equal(h->cells, 3);
	assert_int_equal(h->cell[2].bin[HISTOGRAM_WIDTH], 1);
	assert_int_equal(h->cell[2].upto, 12);
	histogram_destroy(h);
	histogram_destroy(NULL);
}

/* Each with the line and a word of the message. */
static void test_malformed(void **state)
{
	static const struct {
		const char *text, *line, *word;
	} wrong[] = {
		{ "", "text:0:", "empty" },
		{ "\n# nothing\n", "text:2:", "empty" },
		{ "width 1 1 1\n", "text:1:", "first line" },
		{ "; SWF\n", "text:1:", "first line" },
		{ "pact-histogram 2\n", "text:1:", "version '2'" },
		{ "pact-histogram 1 beta\n", "text:1:", "'beta' is more" },
		{ HEAD "colour 1\n", "text:3:", "'colour'" },
		{ HEAD "nodes 0\n", "text:3:", "nodes '0'" },
		{ HEAD "nodes\n", "text:3:", "nodes ''" },
		{ "pact-histogram 1\nweibull 0 60\n", "text:2:", "alpha '0'" },
		{ "pact-histogram 1\nweibull 0.5 -1\n", "text:2:", "beta '-1'" },
		{ "pact-histogram 1\nweibull 0.5\n", "text:2:", "beta ''" },
		{ HEAD "width 0 1 1\n", "text:3:", "width '0'" },
		{ HEAD "width 2 1 1\n", "text:3:", "width '1'" },
		{ HEAD "width 1 99999999999 1\n", "text:3:", "'99999999999'" },
		{ HEAD "width 1 2 3\n", "text:3:", "mean '3'" },
		{ HEAD "width 1 2 x\n", "text:3:", "mean 'x'" },
		{ HEAD "width 1 2 1 9\n", "text:3:", "'9' is more" },
		{ HEAD "width 1 2 1\nwidth 2 3 2\n", "text:4:", "width '2'" },
		{ HEAD "cell 1 1 1:1\n", "text:3:", "before the bins of width" },
		{ HEAD BINS "cell 2 1 1:1\n", "text:7:", "width '2'" },
		{ HEAD BINS "cell 1 0 1:1\n", "text:7:", "estimate '0'" },
		{ HEAD BINS "cell 1 1\n", "text:7:", "without RUNTIME:COUNT" },
		{ HEAD BINS "cell 1 1 1\n", "text:7:", "'1'" },
		{ HEAD BINS "cell 1 1 3:1\n", "text:7:", "'3:1'" },
		{ HEAD BINS "cell 1 1 1:0\n", "text:7:", "'1:0'" },
		{ HEAD BINS "cell 1 1 1:-5\n", "text:7:", "'1:-5'" },
		{ HEAD BINS "cell 1 1 1:1000000000001\n", "text:7:", "'1:1000000000001'" },
		{ HEAD BINS "cell 1 1 1:1\nwidth 5 5 5\n", "text:8:", "after the first cell" },
		{ HEAD BINS, "text:6:", "no cells" },
		{ "pact-histogram 1\n" BINS "cell 1 1 1:1\n", "text:6:", "weibull ALPHA" },
	};
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct histogram *h = (struct histogram *)1;
		int err = histogram_parse("text", wrong[i].text, strlen(wrong[i].text), &h, why,
					  sizeof(why));

		if (err != PACT_EINVAL || h || strncmp(why, wrong[i].line, strlen(wrong[i].line)) ||
		    !strstr(why, wrong[i].word))
			fail_msg("%s\ngave %d: %s", wrong[i].text, err, why);
	}
}

static void test_zero_byte(void **state)
{
	static const char text[] = HEAD "nodes 1\0\n" BINS "cell 1 1 1:1\n";
	struct histogram *h;
	char why[256];

	(void)state;
	assert_int_equal(histogram_parse("text", text, sizeof(text) - 1, &h, why, sizeof(why)),
			 PACT_EINVAL);
	assert_non_null(strstr(why, "text:3:"));
	assert_int_equal(histogram_read("/nonexistent/h", &h, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "/nonexistent/h: "));
	assert_int_equal(histogram_read("/", &h, why, sizeof(why)), PACT_EINVAL);
	assert_null(h);
}

/* Values stay in their bins, and come out with the bins' means and the cells' chances. */
static void test_draw(void **state)
{
	struct histogram *h =
		parse(HEAD "width 1 16 3.7\nwidth 20 20 20\nestimate 100 100 100\n"
			   "estimate 200 900 850\nruntime 50 99 75\nruntime 300 800 310.5\n"
			   "cell 1 1 1:3\ncell 1 2 1:1\ncell 2 1 2:1\n");
	double width = 0, estimate = 0;
	int wide = 0, long_estimate = 0, killed = 0;
	const int draws = 100000;
	struct sim_job j = { 0 };
	struct rng r;

	(void)state;
	rng_seed(&r, 1, RNG_TEST);
	for (int i = 0; i < draws; i++) {
		histogram_draw(h, &r, &j);
		assert_true(j.runtime >= 50 && j.runtime <= j.estimate);
		if (j.width == 20) {
			wide++;
			assert_true(j.estimate == 100 && j.runtime == 100 && j.killed);
		} else {
			assert_true(j.width >= 1 && j.width <= 16 && j.runtime <= 99);
			width += j.width;
		}
		killed += j.killed;
		if (j.estimate > 100) {
			long_estimate++;
			estimate += (double)j.estimate;
			assert_true(j.estimate >= 200 && j.estimate <= 900);
		}
	}
	assert_int_equal(killed, wide);
	assert_true(abs(wide - draws / 5) < draws / 100);
	assert_true(abs(long_estimate - draws / 5) < draws / 100);
	assert_true(fabs(width / (draws - wide) - 3.7) < 0.05);
	assert_true(fabs(estimate / long_estimate - 850) < 3);
	/* On a machine of 8 nodes. */
	assert_int_equal(histogram_fit(h, 8), PACT_OK);
	for (int i = 0; i < 1000; i++) {
		histogram_draw(h, &r, &j);
		assert_true(j.width <= 8);
	}
	histogram_destroy(h);
	h = parse(HEAD "width 5 9 7\nestimate 1 1 1\nruntime 1 1 1\ncell 1 1 1:1\n");
	assert_int_equal(histogram_fit(h, 4), PACT_EINVAL);
	histogram_destroy(h);
}

/* Where the bins of estimate and runtime overlap, the greater value is the estimate. */
static void test_overlap(void **state)
{
	struct histogram *h = parse(HEAD "width 1 1 1\nestimate 100 200 150\n"
					 "runtime 100 200 150\ncell 1 1 1:1\n");
	struct sim_job j = { 0 };
	struct rng r;

	(void)state;
	rng_seed(&r, 1, RNG_TEST);
	for (int i = 0; i < 1000; i++) {
		histogram_draw(h, &r, &j);
		assert_true(j.runtime <= j.estimate && !j.killed);
	}
	histogram_destroy(h);
}

/* The text of a histogram, to be freed. */
static char *text_of(const struct histogram *h)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	assert_non_null(f);
	assert_int_equal(histogram_write(h, f), 0);
	fclose(f);
	return text;
}

static void test_builtin(void **state)
{
	char why[256];

	(void)state;
	for (const char *const *name = histogram_builtin_names(); *name; name++) {
		struct histogram *h, *again;
		size_t length;
		const char *text = histogram_builtin(*name, &length);
		char *written, *twice;

		assert_non_null(text);
		if (histogram_parse(*name, text, length, &h, why, sizeof(why)))
			fail_msg("%s", why);
		written = text_of(h);
		again = parse(written);
		twice = text_of(again);
		assert_string_equal(written, twice);
		assert_int_equal(again->cells, h->cells);
		free(written);
		free(twice);
		histogram_destroy(h);
		histogram_destroy(again);
	}
	assert_null(histogram_builtin("cray", &(size_t){ 0 }));
}

/* Which bin of a histogram's axis holds v alone; fails if there is none. */
static void assert_own_bin(const struct histogram *h, int axis, int64_t v)
{
	for (size_t i = 0; i < h->bins[axis]; i++)
		if (h->bin[axis][i].lo == v && h->bin[axis][i].hi == v)
			return;
	fail_msg("%lld has no bin of its own", (long long)v);
}

/*
 * Jobs drawn from the ctc histogram with Weibull gaps: what is extracted from them has the Weibull
 * parameters that they were made with, and what is drawn from that has their moments. Every job is in
 * a cell.
 */
static void test_extract(void **state)
{
	enum { JOBS = 20000 };
	static struct sim_job job[JOBS];
	struct workload w = { .job = job, .count = JOBS, .room = JOBS };
	struct histogram *from, *h;
	double mean[2][3] = { { 0 } };
	uint64_t clock = 0;
	char *text, why[256];
	size_t length;
	struct rng r;

	(void)state;
	text = (char *)histogram_builtin("ctc", &length);
	assert_int_equal(histogram_parse("ctc", text, length, &from, NULL, 0), PACT_OK);
	rng_seed(&r, 4, RNG_TEST);
	for (size_t i = 0; i < JOBS; i++) {
		histogram_draw(from, &r, &job[i]);
		clock += rng_weibull_q16(&r, 500000, 300000000);
		job[i].submit = (int64_t)(clock >> 16);
		mean[0][0] += job[i].width;
		mean[0][1] += (double)job[i].estimate;
		mean[0][2] += (double)job[i].runtime;
	}
	assert_int_equal(histogram_extract(&w, 338, "a log", &h, why, sizeof(why)), PACT_OK);
	assert_int_equal(h->nodes, 338);
	assert_true(fabs((double)h->alpha_micro / 1e6 - 0.5) < 0.02);
	assert_true(fabs((double)h->beta_micro / 1e6 / 300 - 1) < 0.1);
	assert_int_equal(h->cell[h->cells - 1].upto, JOBS);
	assert_own_bin(h, HISTOGRAM_ESTIMATE, 64800);
	assert_own_bin(h, HISTOGRAM_WIDTH, 1);
	text = text_of(h);
	histogram_destroy(h);
	h = parse(text);
	free(text);
	for (size_t i = 0; i < JOBS; i++) {
		struct sim_job j = { 0 };

		histogram_draw(h, &r, &j);
		mean[1][0] += j.width;
		mean[1][1] += (double)j.estimate;
		mean[1][2] += (double)j.runtime;
	}
	for (int i = 0; i < 3; i++)
		assert_true(fabs(mean[1][i] / mean[0][i] - 1) < 0.05);
	histogram_destroy(h);
	histogram_destroy(from);
}

/* Bins by hand: 100 jobs, of which two have a width, and so on. */
static void test_bins(void **state)
{
	static struct sim_job job[100];
	struct workload w = { .job = job, .count = 100, .room = 100 };
	struct histogram *h;
	char why[256];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		job[i] = (struct sim_job){ .submit = (int64_t)i,
					   .width = i < 2    ? 6
						    : i < 98 ? 4
						    : i < 99 ? 5
							     : 7,
					   .estimate = 100 + (int64_t)i,
					   .runtime = 10 };
	assert_int_equal(histogram_extract(&w, 8, "", &h, why, sizeof(why)), PACT_OK);
	/* Widths 4 and 6 are common; 5 and 7 do not share a bin across 6. */
	assert_int_equal(h->bins[HISTOGRAM_WIDTH], 4);
	/* 100 .. 128, half an octave to 192, and the rest of it. */
	assert_int_equal(h->bins[HISTOGRAM_ESTIMATE], 3);
	assert_int_equal(h->bin[HISTOGRAM_ESTIMATE][1].lo, 129);
	assert_int_equal(h->bin[HISTOGRAM_ESTIMATE][1].hi, 192);
	assert_int_equal(h->bin[HISTOGRAM_ESTIMATE][1].mean_milli, 160500);
	assert_int_equal(h->bins[HISTOGRAM_RUNTIME], 1);
	assert_int_equal(h->cell[h->cells - 1].upto, 100);
	histogram_destroy(h);
	w.count = 2;
	assert_int_equal(histogram_extract(&w, 8, "", &h, why, sizeof(why)), PACT_EINVAL);
	assert_null(h);
	w.count = 0;
	assert_int_equal(histogram_extract(&w, 8, "", &h, why, sizeof(why)), PACT_EINVAL);
}

/* A good text with some bytes changed, cut or repeated: it is read or refused, and can be used. */
static void test_noise(void **state)
{
	static const char good[] =
		HEAD "nodes 16\nsource x\n" BINS "cell 1 1 1:7 2:1\ncell 1 1 2:3\n";
	static const char bytes[] = "0123456789.:- \n\r\tcelwidth#\0\377";
	char text[2 * sizeof(good)], why[256];

	(void)state;
	for (uint64_t round = seed_rounds(20000); round > 0; round--) {
		size_t length = sizeof(good) - 1;
		struct histogram *h;
		struct sim_job j = { 0 };
		struct rng r;

		memcpy(text, good, length);
		for (int64_t n = 1 + seed_below(4); n > 0; n--) {
			size_t at = (size_t)seed_below((int64_t)length);

			if (seed_below(8) == 0)
				length = at + 1;
			else
				text[at] = bytes[seed_below(sizeof(bytes) - 1)];
		}
		if (histogram_parse("noise", text, length, &h, why, sizeof(why))) {
			assert_null(h);
			assert_int_equal(strncmp(why, "noise:", 6), 0);
			continue;
		}
		rng_seed(&r, round, RNG_TEST);
		for (int i = 0; i < 10; i++) {
			histogram_draw(h, &r, &j);
			assert_true(j.width >= 1 && j.runtime >= 1 && j.runtime <= j.estimate);
		}
		free(text_of(h));
		histogram_destroy(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),	  cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_zero_byte), cmocka_unit_test(test_draw),
		cmocka_unit_test(test_overlap),	  cmocka_unit_test(test_builtin),
		cmocka_unit_test(test_extract),	  cmocka_unit_test(test_bins),
		cmocka_unit_test(test_noise),
	};

	return seed_run("histogram", tests);
}
