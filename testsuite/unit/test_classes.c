/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_classes: medians, percentiles and classes, over a few jobs by hand and over random schedules
 * against a plain reference, which sorts every group by itself.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/report/classes.h"
#include "testsuite/unit/seed.h"

#define MAX_JOBS 500

static struct sim_job job[MAX_JOBS];
static struct sim_outcome out[MAX_JOBS];
static struct workload w = { .job = job };
static struct classes found;

static void find(size_t n)
{
	const struct metrics m = { .w = &w, .out = out, .nodes = 1 << 20 };

	w.count = n;
	assert_true(classes_find(&m, &found));
}

/* Job i, from 0: submitted at 100, it waits and runs so many seconds. */
static void put(size_t i, int32_t width, int64_t wait, int64_t run)
{
	job[i] = (struct sim_job){ .id = i + 1, .submit = 100, .width = width, .runtime = run };
	out[i] = (struct sim_outcome){ .start = 100 + wait,
				       .end = 100 + wait + run,
				       .state = SIM_COMPLETED };
}

static void same_wait(const struct quantiles *q, int64_t median, int64_t p90, int64_t p99)
{
	assert_int_equal(q->wait[MEDIAN], median);
	assert_int_equal(q->wait[P90], p90);
	assert_int_equal(q->wait[P99], p99);
}

/* Nearest rank: of 1 to n, in whatever order. */
static void test_ranks(void **state)
{
	static const struct {
		size_t n;
		int64_t median, p90, p99;
	} of[] = { { 1, 1, 1, 1 },	 { 2, 1, 2, 2 },	 { 3, 2, 3, 3 },
		   { 10, 5, 9, 10 },	 { 11, 6, 10, 11 },	 { 100, 50, 90, 99 },
		   { 101, 51, 91, 100 }, { 200, 100, 180, 198 }, { 499, 250, 450, 495 } };

	(void)state;
	for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); k++) {
		for (size_t i = 0; i < of[k].n; i++)
			put(i, 1, (int64_t)(i * 7 % of[k].n) + 1, 30);
		find(of[k].n);
		same_wait(&found.all, of[k].median, of[k].p90, of[k].p99);
	}
}

static void test_classes(void **state)
{
	(void)state;
	put(0, 1, 0, 59);
	put(1, 2, 60, 60);
	put(2, 3, 0, 599);
	put(3, 4, 600, 600);
	put(4, 5, 5, 3599);
	put(5, 8, 7, 3600);
	put(6, 1 << 20, 0, 21600);
	put(7, (1 << 20) - 1, 21599, 21599);
	put(8, 1, 9, 5);
	put(9, 1, 999, 999);
	out[9].state = SIM_REFUSED;
	find(10);
	assert_int_equal(found.all.jobs, 9);
	assert_int_equal(found.width[0].jobs, 2);
	assert_int_equal(found.width[1].jobs, 1);
	assert_int_equal(found.width[2].jobs, 2);
	assert_int_equal(found.width[3].jobs, 2);
	assert_int_equal(found.width[20].jobs, 2);
	assert_int_equal(found.runtime[0].jobs, 2);
	assert_int_equal(found.runtime[1].jobs, 2);
	assert_int_equal(found.runtime[2].jobs, 2);
	assert_int_equal(found.runtime[3].jobs, 2);
	assert_int_equal(found.runtime[4].jobs, 1);
	assert_int_equal(found.both[20][4].jobs, 1);
	same_wait(&found.both[20][3], 21599, 21599, 21599);
	same_wait(&found.width[2], 0, 600, 600);
	/* 14 s response, 5 s run, bounded by 10 s; beside it 1 */
	assert_true(found.width[0].slowdown[MEDIAN] == 1);
	assert_true(found.width[0].slowdown[P90] == 1.4);
	assert_int_equal(classes_width_from(0), 1);
	assert_int_equal(classes_width_to(0), 1);
	assert_int_equal(classes_width_from(3), 5);
	assert_int_equal(classes_width_to(3), 8);
}

static void test_none(void **state)
{
	(void)state;
	find(0);
	assert_int_equal(found.all.jobs, 0);
	same_wait(&found.all, 0, 0, 0);
	assert_true(found.all.slowdown[P99] == 0);
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The plain way: the values of those jobs, sorted; the k-th such that at least p % are not above it. */
static double reference(size_t n, int64_t from, int64_t to, int64_t least, int64_t below,
			int percent, bool slowdown)
{
	double v[MAX_JOBS];
	size_t count = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		double run = (double)job[i].runtime;
		double response = (double)(out[i].end - job[i].submit);
		double bounded = response / (run > 10 ? run : 10);

		if ((out[i].state != SIM_COMPLETED && out[i].state != SIM_KILLED) ||
		    job[i].width < from || job[i].width > to || run < (double)least ||
		    run >= (double)below)
			continue;
		v[count++] = slowdown ? bounded > 1 ? bounded : 1
				      : (double)(out[i].start - job[i].submit);
	}
	if (!count)
		return 0;
	qsort(v, count, sizeof(*v), compare);
	while ((k + 1) * 100 < count * (size_t)percent)
		k++;
	return v[k];
}

static void check_group(size_t n, const struct quantiles *q, int64_t from, int64_t to,
			int64_t least, int64_t below)
{
	static const int percent[PERCENTILES] = { 50, 90, 99 };

	for (int p = 0; p < PERCENTILES; p++) {
		assert_true((double)q->wait[p] ==
			    reference(n, from, to, least, below, percent[p], false));
		assert_true(q->slowdown[p] ==
			    reference(n, from, to, least, below, percent[p], true));
	}
}

static void check_all(size_t n)
{
	static const int64_t time[] = { 0, 60, 600, 3600, 21600, INT64_MAX };

	check_group(n, &found.all, 1, INT32_MAX, 0, INT64_MAX);
	for (size_t r = 0; r < CLASSES_RUNTIME; r++)
		check_group(n, &found.runtime[r], 1, INT32_MAX, time[r], time[r + 1]);
	for (int64_t k = 0, from = 1, to = 1; k < CLASSES_WIDTH; k++, from = to + 1, to *= 2) {
		check_group(n, &found.width[k], from, to, 0, INT64_MAX);
		for (size_t r = 0; r < CLASSES_RUNTIME; r++)
			check_group(n, &found.both[k][r], from, to, time[r], time[r + 1]);
	}
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(200); round++) {
		size_t n = (size_t)seed_below(MAX_JOBS);
		int64_t longest = INT64_C(1) << (1 + seed_below(36));

		for (size_t i = 0; i < n; i++) {
			put(i, (int32_t)(1 + seed_below(INT64_C(1) << seed_below(31))),
			    seed_below(2) ? 0 : seed_below(longest),
			    1 + seed_below(INT64_C(1) << (1 + seed_below(36))));
			/* It did not have its nodes for itself all the time. */
			if (!seed_below(4))
				out[i].end += seed_below(longest);
			if (!seed_below(8))
				out[i].state = seed_below(2) ? SIM_KILLED : SIM_REFUSED;
		}
		find(n);
		check_all(n);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_random),
	};

	return seed_run("test_classes", tests);
}
