/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_draw: the parts of a picture. Nodes given to jobs against the definition (none twice at once, as
 * many as asked), marks of an axis, text that is no XML, widths against a font's own.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw/gantt.h"
#include "draw/rows.h"
#include "draw/svg.h"
#include "draw/ticks.h"
#include "testsuite/unit/seed.h"

#define JOBS 80
#define NODES 24
#define TIMES 60

static bool has_node(const struct rows *rows, const struct rows_job *job, uint32_t node)
{
	for (size_t i = 0; i < job->ranges; i++) {
		const struct rows_range *r = &rows->range[job->place + i];

		if (node >= r->first && node <= r->last)
			return true;
	}
	return false;
}

/* As many nodes as asked, all on the machine, ranges in order and apart. */
static void check_job(const struct rows *rows, const struct rows_job *job, uint32_t nodes)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < job->ranges; i++) {
		const struct rows_range *r = &rows->range[job->place + i];

		assert_true(r->first <= r->last && r->last < nodes);
		assert_true(i == 0 || r[-1].last < r->first);
		sum += r->last - r->first + 1;
	}
	assert_int_equal(sum, job->width);
}

/* Pairs of jobs that have a node in common at some time. */
static size_t conflicts(const struct rows *rows, const struct rows_job *job, size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++) {
			bool common = false;

			if (job[i].end <= job[k].start || job[k].end <= job[i].start)
				continue;
			for (uint32_t n = 0; n < NODES; n++)
				common |= has_node(rows, &job[i], n) && has_node(rows, &job[k], n);
			found += common;
		}
	return found;
}

/* Jobs of which never more run at once than there are nodes for, in no order. */
static size_t fitting_jobs(struct rows_job *job)
{
	uint32_t used[TIMES] = { 0 };
	size_t count = 0;

	for (int i = 0; i < JOBS; i++) {
		int64_t start = seed_below(TIMES), end = start + 1 + seed_below(TIMES - start);
		uint32_t most = 0;

		for (int64_t t = start; t < end; t++)
			most = used[t] > most ? used[t] : most;
		if (most == NODES)
			continue;
		job[count] = (struct rows_job){ .start = start, .end = end };
		job[count].width = 1 + (uint32_t)seed_below(NODES - most);
		for (int64_t t = start; t < end; t++)
			used[t] += job[count].width;
		count++;
	}
	return count;
}

static void test_rows(void **state)
{
	struct rows_job job[JOBS];
	struct rows rows;

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(300); round++) {
		size_t count = fitting_jobs(job);

		assert_int_equal(rows_assign(&rows, NODES, job, count), 0);
		for (size_t i = 0; i < count; i++)
			check_job(&rows, &job[i], NODES);
		assert_int_equal(conflicts(&rows, job, count), 0);
		assert_int_equal(rows.shared, 0);
		rows_release(&rows);
	}
}

/* A record in which more runs than can: no job is lost, and it is told. */
static void test_rows_too_many(void **state)
{
	struct rows_job job[JOBS];
	struct rows rows;

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(300); round++) {
		size_t crowded;

		for (int i = 0; i < JOBS; i++) {
			int64_t start = seed_below(TIMES);

			job[i] = (struct rows_job){ .start = start, .end = start + seed_below(20) };
			job[i].width = 1 + (uint32_t)seed_below(NODES);
		}
		assert_int_equal(rows_assign(&rows, NODES, job, JOBS), 0);
		for (int i = 0; i < JOBS; i++)
			check_job(&rows, &job[i], NODES);
		crowded = conflicts(&rows, job, JOBS);
		assert_true(rows.shared <= JOBS);
		assert_true((crowded > 0) <= (rows.shared > 0));
		rows_release(&rows);
	}
	assert_int_equal(rows_assign(&rows, NODES, job, 0), 0);
	assert_int_equal(rows.count, 0);
	rows_release(&rows);
}

static void test_ticks(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(3000); round++) {
		int64_t span = 1 + seed_below(INT64_C(1) << seed_below(36));
		int64_t origin = seed_below(1000000), from = origin + seed_below(100000) - 50000;
		int most = 2 + (int)seed_below(20), count = 0;
		int64_t step = ticks_step(span, most),
			t = ticks_first(TICKS_ELAPSED, origin, from, step);
		char text[40], before[40] = "";

		assert_true(step > 0 && t >= from && t < from + step);
		assert_int_equal((t - origin) % step, 0);
		for (; t <= from + span; t += step, count++) {
			ticks_label(TICKS_ELAPSED, origin, t, step, text, sizeof(text));
			assert_string_not_equal(text, before);
			strcpy(before, text);
		}
		assert_in_range(count, 0, most);
		assert_true(span < most || count >= 1 || span < step);
		t = ticks_first(TICKS_DAYTIME, 0, from, step);
		assert_true(t >= from && t < from + step);
	}
}

static void test_labels(void **state)
{
	static const struct {
		enum ticks_clock clock;
		int64_t t, step;
		const char *text;
	} cases[] = {
		{ TICKS_ELAPSED, 1000, 3600, "0 h" },
		{ TICKS_ELAPSED, 1000 + 7200, 3600, "2 h" },
		{ TICKS_ELAPSED, 1000 - 7200, 3600, "-2 h" },
		{ TICKS_ELAPSED, 1000 + 5400, 1800, "1:30" },
		{ TICKS_ELAPSED, 1000 + 5430, 30, "1:30:30" },
		{ TICKS_ELAPSED, 1000 + 5 * 86400, 86400, "5 d" },
		/* 2026-11-21 23:30 in Berlin is 22:30 UTC, that is 1795300200. */
		{ TICKS_DAYTIME, 1795300200, 1800, "23:30" },
		{ TICKS_DAYTIME, 1795300230, 30, "23:30:30" },
		{ TICKS_DAYTIME, 1795300200, 86400, "2026-11-21" },
		/* In July they are two hours ahead. */
		{ TICKS_DAYTIME, 1782864000, 1800, "02:00" },
	};
	char text[40];

	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ticks_label(cases[i].clock, 1000, cases[i].t, cases[i].step, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
	/* Marks of 6 hours stand at local midnight. */
	assert_int_equal(ticks_first(TICKS_DAYTIME, 0, 1795300200, 21600), 1795300200 + 1800);
	assert_int_equal(ticks_count_step(430, 44), 10);
	assert_int_equal(ticks_count_step(16, 27), 1);
}

/* What a function writes; the caller frees it. */
#define WRITTEN(call) \
	({ \
		char *written = NULL; \
		size_t written_size; \
		FILE *out = open_memstream(&written, &written_size); \
		assert_non_null(out); \
		call; \
		fclose(out); \
		written; \
	})

static void is_written(char *written, const char *expected)
{
	assert_string_equal(written, expected);
	free(written);
}

static void test_escape(void **state)
{
	static const char *const cases[][2] = {
		{ "a<b & \"c\">", "a&lt;b &amp; &quot;c&quot;&gt;" },
		{ "Zoë 日本 🚀", "Zoë 日本 🚀" },
		{ "\x01\x1b[1m", "�"
				 "�[1m" },
		{ "\xff\xc3(", "��(" },	     /* no UTF-8 at all, and a sequence that breaks off */
		{ "\xc0\xaf", "�" },	     /* a slash in two bytes */
		{ "\xed\xa0\x80", "�" },     /* half of a pair */
		{ "\xf4\x90\x80\x80", "�" }, /* beyond the last */
		{ "\xe2\x82", "�" },	     /* cut off by the end */
		{ "\xc2\x9bz\x7f", "�z�" },  /* CSI in two bytes, DEL */
		{ "\xe2\x80\xaegpj.exe", "�gpj.exe" }, /* an override of the direction */
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_written(WRITTEN(svg_escape(out, cases[i][0])), cases[i][1]);
	is_written(WRITTEN(svg_number(out, -0.04)), "0");
	is_written(WRITTEN(svg_number(out, -2.55)), "-2.6");
	is_written(WRITTEN(svg_number(out, 1200)), "1200");
	is_written(WRITTEN(svg_number(out, 0.0 / 0.0)), "0");
	is_written(WRITTEN(svg_number(out, 1e300)), "1000000000");
}

/* Never less than DejaVu Sans takes: its advances from blank to tilde, in 1/2048. */
static void test_width(void **state)
{
	static const int advance[] = {
		651,  821,  942,  1716, 1303, 1946, 1597, 563,	799,  799,  1024, 1716, 651,  739,
		651,  690,  1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,
		1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,
		604,  1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025,
		1403, 1251, 1403, 799,	690,  799,  1716, 1024, 1024, 1255, 1300, 1126, 1300, 1260,
		721,  1300, 1298, 569,	569,  1186, 569,  1995, 1298, 1253, 1300, 1300, 842,  1067,
		803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716,
	};

	(void)state;
	for (int c = ' '; c <= '~'; c++) {
		char text[2] = { (char)c };

		assert_true(svg_text_width(text, 10) >= advance[c - ' '] / 204.8);
	}
	assert_true(svg_text_width("日本", 10) >= 20);
}

static void test_chart(void **state)
{
	static const struct rows_range range = { 0, 7 };
	static const char *const names[] = { "login<1>", "b", "c", "d" };
	struct gantt_bar bar = {
		.id = 7,
		.label = "</text><script>",
		.user = "a&b",
		.range = &range,
		.ranges = 1,
		.start = -50,
		.end = 90,
		.deadline = 95,
		.promised = true,
		.kind = GANTT_RUNNING,
	};
	struct gantt_chart chart = {
		.title = "a < b",
		.nodes = 4,
		.node_name = names,
		.from = 0,
		.to = 100,
		.now = 20,
		.bar = &bar,
		.bars = 1,
	};
	FILE *full = fopen("/dev/full", "w");
	char *page = WRITTEN(assert_int_equal(gantt_svg(&chart, out), 0));

	(void)state;
	assert_non_null(strstr(page, "&lt;/text&gt;&lt;script&gt;"));
	assert_non_null(strstr(page, "login&lt;1&gt;"));
	assert_non_null(strstr(page, "a&amp;b"));
	assert_null(strstr(page, "<script"));
	assert_non_null(strstr(page, ">now 0:00<"));
	free(page);
	if (full) {
		assert_int_equal(gantt_svg(&chart, full), ENOSPC);
		fclose(full);
	}
	chart.bars = 0;
	chart.now = GANTT_NO_TIME;
	page = WRITTEN(assert_int_equal(gantt_svg(&chart, out), 0));
	assert_null(strstr(page, ">now"));
	free(page);
	chart.to = 0;
	assert_int_equal(gantt_svg(&chart, stdout), EINVAL);
	chart.to = 100;
	chart.nodes = 0;
	assert_int_equal(gantt_svg(&chart, stdout), EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),   cmocka_unit_test(test_rows_too_many),
		cmocka_unit_test(test_ticks),  cmocka_unit_test(test_labels),
		cmocka_unit_test(test_escape), cmocka_unit_test(test_width),
		cmocka_unit_test(test_chart),
	};

	return seed_run("test_draw", tests);
}
