/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_swf: what the reader of logs takes, what it drops and counts, what it refuses; plain and
 * compressed give the same; a log cut at any byte is refused or loses only its last line.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <cmocka.h>

#include "core/sched.h"
#include "common/rng.h"
#include "sim/workload/swf.h"

static char path[64];

static int make_path(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "test_swf.XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_bytes(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static char complaint[512];

static void complain(void *arg, const char *message)
{
	(void)arg;
	snprintf(complaint, sizeof(complaint), "%s", message);
}

static const struct swf_hooks hooks = { .complain = complain };

static int read_text(const char *text, struct workload *w, struct swf_stats *stats, char *why)
{
	write_bytes(text, strlen(text));
	workload_init(w);
	complaint[0] = '\0';
	return swf_read(path, w, stats, &hooks, why, 256);
}

#define REST " 100 -1 50 4 -1 -1 8 60 -1 1 3 -1 -1 -1 -1 -1 -1\n"
#define GOOD "7" REST
#define GOOD_8 "8" REST
#define GOOD_9 "9" REST

static void test_fields(void **state)
{
	struct swf_stats stats;
	struct workload w;
	char why[256];

	(void)state;
	assert_int_equal(
		read_text("; MaxNodes: 12 (of 20)\n; MaxProcs: 24\n\n  \r\n" GOOD, &w, &stats, why),
		PACT_OK);
	assert_int_equal(w.count, 1);
	assert_int_equal(w.job[0].id, 7);
	assert_int_equal(w.job[0].submit, 100);
	assert_int_equal(w.job[0].runtime, 50);
	assert_int_equal(w.job[0].width, 8);
	assert_int_equal(w.job[0].estimate, 60);
	assert_int_equal(w.job[0].user, 3);
	assert_false(w.job[0].killed);
	assert_int_equal(stats.lines, 5);
	assert_int_equal(stats.max_nodes, 12);
	assert_int_equal(swf_machine(&stats), 24);
	assert_int_equal(swf_dropped(&stats), 0);
	assert_string_equal(complaint, "");
	workload_release(&w);
}

/* One line, and what becomes of it: a job, or a counter. */
static const struct {
	const char *line;
	int64_t width, runtime, estimate; /* width 0: dropped */
	size_t counter;			  /* that must be 1; 0: none */
} lines[] = {
	{ "1 0 -1 50 4 -1 -1 -1 60 -1 1 1 -1 -1 -1 -1 -1 -1", 4, 50, 60,
	  offsetof(struct swf_stats, used_width) },
	{ "1 0 -1 50 4 -1 -1 0 60 -1 1 1 -1 -1 -1 -1 -1 -1", 4, 50, 60,
	  offsetof(struct swf_stats, used_width) },
	{ "1 0 -1 50 -1 -1 -1 -1 60 -1 1 1 -1 -1 -1 -1 -1 -1", 0, 0, 0,
	  offsetof(struct swf_stats, no_width) },
	{ "1 0 -1 -1 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1", 0, 0, 0,
	  offsetof(struct swf_stats, negative_runtime) },
	{ "1 -1 -1 50 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1", 0, 0, 0,
	  offsetof(struct swf_stats, no_submit) },
	{ "1 0 -1 0 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1", 4, 1, 60,
	  offsetof(struct swf_stats, zero_runtime) },
	{ "1 0 -1 50 4 -1 -1 4 -1 -1 1 1 -1 -1 -1 -1 -1 -1", 4, 50, 50,
	  offsetof(struct swf_stats, no_estimate) },
	{ "1 0 -1 70 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1", 4, 60, 60,
	  offsetof(struct swf_stats, overrun) },
	{ "1 0 -1 50.9 4 0.25 -1 4 60.0 -1.00 1 1 -1 -1 -1 -1 -1 -1", 4, 50, 60, 0 },
	{ "  1\t0 -1 50 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1 \r", 4, 50, 60, 0 },
};

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct swf_stats stats;
		struct workload w;
		char text[512], why[256];

		/* a good job before it, so that the log is never empty */
		snprintf(text, sizeof(text),
			 "0 0 -1 50 4 -1 -1 8 60 -1 1 3 -1 -1 -1 -1 -1 -1\n%s\n", lines[i].line);
		assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
		assert_int_equal(w.count, lines[i].width ? 2 : 1);
		assert_int_equal(swf_dropped(&stats), lines[i].width ? 0 : 1);
		if (lines[i].width) {
			assert_int_equal(w.job[1].width, lines[i].width);
			assert_int_equal(w.job[1].runtime, lines[i].runtime);
			assert_int_equal(w.job[1].estimate, lines[i].estimate);
			assert_int_equal(w.job[1].killed,
					 lines[i].counter == offsetof(struct swf_stats, overrun));
		}
		if (lines[i].counter)
			assert_int_equal(*(uint64_t *)((char *)&stats + lines[i].counter), 1);
		workload_release(&w);
	}
}

/* Lines that are no jobs: skipped, counted, and told with their number. */
static const struct {
	const char *line, *told;
} malformed[] = {
	{ "1 2 3", ":2: 3 of 18 columns" },
	{ "1 0 -1 50 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1 -1", ":2: more than 18 columns" },
	{ "1 0 -1 50 4 -1 -1 4 sixty -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 9: not a number" },
	{ "1 0 -1 50 4 -1 -1 4 60x -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 9: not a number" },
	{ "1 0 -1 50 4 -1 -1 4 - -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 9: not a number" },
	{ "1 0 -1 50 4 -1 -1 4 . -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 9: not a number" },
	{ "1 0 -1 50 4 -1 -1 4 1e3 -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 9: not a number" },
	{ "1 0 -1 50 4 -1 -1 4 99999999999999999999 -1 1 1 -1 -1 -1 -1 -1 -1",
	  ":2: field 9: number out of range" },
	{ "1 0 -1 50 4 -1 -1 4294967297 60 -1 1 1 -1 -1 -1 -1 -1 -1",
	  ":2: field 8: number out of range" },
	{ "-5 0 -1 50 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1", ":2: field 1: negative job number" },
};

/* But a field that decides nothing costs no job, whatever it is: bytes of memory, seconds of all processors. */
static void test_beyond(void **state)
{
	static const int unread[] = { 3, 6, 7, 10, 13, 14, 15, 16, 17, 18 };

	(void)state;
	for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++) {
		struct swf_stats stats;
		struct workload w;
		char text[512] = "", why[256];

		for (int n = 1; n <= 18; n++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 n == unread[i] ? (i & 1 ? "-99999999999999999999.5"
							 : "99999999999999999999")
						: "3",
				 n < 18 ? " " : "\n");
		assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
		assert_int_equal(w.count, 1);
		assert_int_equal(swf_dropped(&stats), 0);
		assert_int_equal(w.job[0].width, 3);
		workload_release(&w);
	}
}

/* A job in parts, and lines that look like parts and are jobs. */
static void test_parts(void **state)
{
	static const char text[] = "4 10 5 90 4 -1 -1 4 99 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "4 10 5 30 4 -1 -1 4 99 -1 2 1 -1 -1 -1 -1 -1 -1\n"
				   "4 -1 7 40 4 -1 -1 4 99 -1 2 1 -1 -1 -1 -1 -1 -1\n"
				   "4 -1 7 20 4 -1 -1 4 99 -1 3 1 -1 -1 -1 -1 -1 -1\n"
				   "5 11 5 90 4 -1 -1 4 99 -1 3 1 -1 -1 -1 -1 -1 -1\n"
				   "6 12 5 90 4 -1 -1 4 99 -1 0 1 -1 -1 -1 -1 -1 -1\n"
				   "6 12 5 90 4 -1 -1 4 99 -1 4 1 -1 -1 -1 -1 -1 -1\n"
				   "8 13 5 90 4 -1 -1 4 99 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "9 14 5 90 4 -1 -1 4 99 -1 5 1 -1 -1 -1 -1 -1 -1\n"
				   "7 15 5 90 4 -1 -1 4 99 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "7 16 5 90 4 -1 -1 4 99 -1 2 1 -1 -1 -1 -1 -1 -1\n"
				   "0 17 5 90 4 -1 -1 4 99 -1 2 1 -1 -1 -1 -1 -1 -1\n";
	static const int64_t submits[] = { 10, 11, 12, 13, 14, 15, 16, 17 };
	struct swf_stats stats;
	struct workload w;
	char why[256];

	(void)state;
	assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
	assert_int_equal(stats.partial, 4);
	assert_int_equal(swf_dropped(&stats), 4);
	assert_int_equal(w.count, sizeof(submits) / sizeof(submits[0]));
	for (size_t i = 0; i < w.count; i++)
		assert_int_equal(w.job[i].submit, submits[i]);
	workload_release(&w);
}

/* Two jobs of one number are told with both lines, wherever they stand; parts alone may share one. */
static void test_numbers(void **state)
{
	static const struct {
		const char *text, *told; /* NULL: no error */
	} logs[] = {
		{ GOOD GOOD_8 GOOD_9, NULL },
		{ GOOD_9 GOOD_8 GOOD, NULL },
		{ GOOD GOOD, ":2: job number 7 is that of " },
		{ "; one\n" GOOD_9 "1 2\n" GOOD "\n" GOOD_8 GOOD_9 GOOD,
		  ":7: job number 9 is that of %s:2, too (and 1 more lines with such numbers);" },
		{ GOOD_8 "9 0 -1 -1 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1\n" GOOD_9, NULL },
		{ "; one\n" GOOD_9 GOOD_8 GOOD GOOD_8,
		  ":5: job number 8 is that of %s:3, too; see" },
		{ GOOD "4 10 5 90 4 -1 -1 4 99 -1 2 1 -1 -1 -1 -1 -1 -1\n" GOOD_8
		       "4 19 5 90 4 -1 -1 4 99 -1 3 1 -1 -1 -1 -1 -1 -1\n",
		  NULL },
		{ GOOD "7 10 5 90 4 -1 -1 4 99 -1 5 1 -1 -1 -1 -1 -1 -1\n",
		  ":2: job number 7 is that of %s:1, too; see" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct swf_stats stats;
		struct workload w;
		char why[256], told[256];

		assert_int_equal(read_text(logs[i].text, &w, &stats, why),
				 logs[i].told ? PACT_EINVAL : PACT_OK);
		if (logs[i].told) {
			char *at = strstr(logs[i].told, "%s");

			snprintf(told, sizeof(told), "%.*s%s%s",
				 at ? (int)(at - logs[i].told) : 255, logs[i].told, at ? path : "",
				 at ? at + 2 : "");
			if (!strstr(why, told))
				fail_msg("'%s' instead of '%s'", why, told);
			assert_int_equal(w.count, 0);
		}
		workload_release(&w);
	}
}

/* Random numbers, few of them, against the plain way: the first line whose number stands above it. */
static void test_random_numbers(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 5, RNG_TEST);
	for (int round = 0; round < 300; round++) {
		uint64_t seen[64] = { 0 }, line = 0, first = 0, again = 0;
		uint64_t n = 1 + rng_below(&r, 30);
		struct swf_stats stats;
		struct workload w;
		char text[8192] = "", why[256], told[64];

		for (uint64_t i = 0; i < n; i++) {
			uint64_t number = rng_below(&r, 64);

			line++;
			if (!rng_below(&r, 5)) {
				strcat(text, "; nothing\n");
				line++;
			}
			sprintf(text + strlen(text), "%d" REST, (int)number);
			if (seen[number] && !again) {
				again = line;
				first = seen[number];
			}
			if (!seen[number])
				seen[number] = line;
		}
		assert_int_equal(read_text(text, &w, &stats, why), again ? PACT_EINVAL : PACT_OK);
		snprintf(told, sizeof(told), ":%d: job number", (int)again);
		if (again)
			assert_non_null(strstr(why, told));
		snprintf(told, sizeof(told), ":%d, too", (int)first);
		if (again)
			assert_non_null(strstr(why, told));
		workload_release(&w);
	}
}

static void test_malformed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct swf_stats stats;
		struct workload w;
		char text[512], why[256];

		snprintf(text, sizeof(text), GOOD "%s\n" GOOD_8, malformed[i].line);
		assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
		assert_int_equal(w.count, 2);
		assert_int_equal(stats.malformed, 1);
		if (!strstr(complaint, malformed[i].told) || !strstr(complaint, path))
			fail_msg("'%s' instead of '%s'", complaint, malformed[i].told);
		workload_release(&w);
	}
}

/* A field that may be plain, odd or wrong. */
static void make_field(struct rng *r, char *to, size_t size)
{
	static const char *const odd[] = { "-1",
					   "-1",
					   "-1",
					   "-1",
					   "-5",
					   "+7",
					   "1.5",
					   "-1.0",
					   "-12",
					   "99999999999",
					   "100000000000",
					   "100000000001",
					   "2147483647",
					   "2147483648",
					   "0",
					   "x",
					   "-1x",
					   "5x",
					   "-",
					   "000000000000001" };
	uint64_t which = rng_below(r, 400);

	if (which < sizeof(odd) / sizeof(odd[0]))
		snprintf(to, size, "%s", odd[which]);
	else
		snprintf(to, size, "%d", (int)rng_range(r, -1, 5000));
}

/* The quick way of the usual line and the general one, which tabs take, find the same. */
static void test_quick_and_general(void **state)
{
	struct rng r;
	int kinds[SWF_MALFORMED + 1] = { 0 };
	const uint64_t rounds = 20000;
	FILE *f = fopen(path, "w");
	struct swf_file *file;
	struct swf_line line, first;
	char why[256], wrong[64], field[32];

	(void)state;
	assert_non_null(f);
	rng_seed(&r, 3, RNG_TEST);
	for (uint64_t i = 0; i < rounds; i++) {
		uint64_t columns = rng_below(&r, 50) ? 18 : rng_below(&r, 21);
		char spaces[1024] = "", *tabs = spaces + 512;

		tabs[0] = '\0';
		for (uint64_t n = 0; n < columns; n++) {
			make_field(&r, field, sizeof(field));
			snprintf(spaces + strlen(spaces), 40, "%s%s ", n ? "" : " ", field);
			snprintf(tabs + strlen(tabs), 40, "%s%s\t", n ? "" : " ", field);
		}
		fprintf(f, "%s\n%s\n", spaces, tabs);
	}
	assert_int_equal(fclose(f), 0);
	file = swf_open(path, NULL, why, sizeof(why));
	assert_non_null(file);
	for (uint64_t i = 0; i < rounds; i++) {
		enum swf_kind kind = swf_next(file, &first);

		snprintf(wrong, sizeof(wrong), "%s", first.wrong ? first.wrong : "");
		kinds[kind]++;
		assert_int_equal(swf_next(file, &line), kind);
		assert_int_equal(line.column, first.column);
		assert_string_equal(line.wrong ? line.wrong : "", wrong);
		for (int n = 1; kind == SWF_JOB && n <= SWF_FIELDS; n++)
			assert_int_equal(line.field[n], first.field[n]);
	}
	assert_int_equal(swf_next(file, &line), SWF_END);
	swf_close(file);
	assert_true(kinds[SWF_JOB] > 5000 && kinds[SWF_MALFORMED] > 1000);
}

static void test_odd_bytes(void **state)
{
	static const char zero[] = GOOD "1 0\0 -1\n" GOOD_8;
	struct swf_stats stats;
	struct workload w;
	char why[256], *text = malloc(20000);

	(void)state;
	assert_non_null(text);
	write_bytes(zero, sizeof(zero) - 1);
	workload_init(&w);
	assert_int_equal(swf_read(path, &w, &stats, &hooks, why, 256), PACT_OK);
	assert_int_equal(w.count, 2);
	assert_non_null(strstr(complaint, ":2: line holds a zero byte"));
	workload_release(&w);
	memset(text, '1', 10000);
	strcpy(text + 10000, "\n" GOOD);
	assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
	assert_int_equal(w.count, 1);
	assert_non_null(strstr(complaint, ":1: line is too long"));
	workload_release(&w);
	free(text);
}

/* A byte order mark is skipped before the first line, and nowhere else. */
static void test_byte_order_mark(void **state)
{
	struct swf_stats stats;
	struct workload w;
	char why[256];

	(void)state;
	assert_int_equal(read_text("\xef\xbb\xbf" GOOD "\xef\xbb\xbf" GOOD_8, &w, &stats, why),
			 PACT_OK);
	assert_int_equal(w.count, 1);
	assert_int_equal(stats.malformed, 1);
	workload_release(&w);
	assert_int_equal(read_text("\xef\xbb\xbf; MaxProcs: 24\n" GOOD, &w, &stats, why), PACT_OK);
	assert_int_equal(stats.max_procs, 24);
	assert_int_equal(stats.malformed, 0);
	workload_release(&w);
	assert_int_equal(read_text("\xef\xbb\xbf", &w, &stats, why), PACT_EINVAL);
	assert_int_equal(read_text("\xef\xbb" GOOD GOOD_8, &w, &stats, why), PACT_OK);
	assert_int_equal(stats.malformed, 1);
	workload_release(&w);
}

static void test_order(void **state)
{
	static const char text[] = "3 50 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "2 10 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "1 50 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n"
				   "9 5 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 -1 -1 -1 -1\n";
	static const uint64_t ids[] = { 9, 2, 1, 3 };
	struct swf_stats stats;
	struct workload w;
	char why[256];

	(void)state;
	assert_int_equal(read_text(text, &w, &stats, why), PACT_OK);
	assert_int_equal(stats.out_of_order, 2);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(w.job[i].id, ids[i]);
	workload_slice(&w, 2, 2);
	assert_int_equal(w.count, 2);
	assert_int_equal(w.job[0].id, 2);
	workload_slice(&w, 9, 2);
	assert_int_equal(w.count, 0);
	workload_release(&w);
}

/* The merge sort against insertion, on many small orders. */
static void test_sort(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 1, RNG_TEST);
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)rng_below(&r, 40);
		struct workload w;

		workload_init(&w);
		for (size_t i = 0; i < n; i++) {
			struct sim_job j = { .id = rng_below(&r, 4),
					     .submit = rng_range(&r, 0, 9) };

			j.width = (int32_t)i;
			assert_int_equal(workload_add(&w, &j), PACT_OK);
		}
		workload_sort(&w);
		for (size_t i = 1; i < n; i++) {
			const struct sim_job *a = &w.job[i - 1], *b = &w.job[i];

			assert_true(a->submit < b->submit ||
				    (a->submit == b->submit &&
				     (a->id < b->id || (a->id == b->id && a->width < b->width))));
		}
		workload_release(&w);
	}
}

static void test_refused(void **state)
{
	struct swf_stats stats;
	struct workload w;
	char why[256];

	(void)state;
	assert_int_equal(read_text("; only a header\n", &w, &stats, why), PACT_EINVAL);
	assert_non_null(strstr(why, "no job in 1 line"));
	assert_null(strstr(why, "lines"));
	assert_int_equal(w.count, 0);
	assert_int_equal(swf_read("/nonexistent/log", &w, &stats, NULL, why, sizeof(why)),
			 PACT_EINVAL);
	assert_non_null(strstr(why, "/nonexistent/log: No such file"));
}

/* A log of its own into the file, compressed; its size. */
static size_t write_compressed(size_t jobs, char *plain, size_t room)
{
	gzFile f = gzopen(path, "wb9");
	size_t used = 0;
	struct rng r;

	assert_non_null(f);
	rng_seed(&r, 7, RNG_TEST);
	for (size_t i = 0; i < jobs; i++)
		used += (size_t)snprintf(
			plain + used, room - used,
			"%zu %zu -1 %d %d -1 -1 %d 9000 -1 1 1 -1 -1 -1 -1 -1 -1\n", i + 1, 10 * i,
			(int)rng_range(&r, 0, 9000), (int)rng_range(&r, 1, 64),
			(int)rng_range(&r, 1, 64));
	assert_int_equal(gzwrite(f, plain, (unsigned int)used), used);
	assert_int_equal(gzclose(f), Z_OK);
	return used;
}

struct read_so_far {
	size_t calls;
	double bytes, of;
};

/* Never less than before, never more than all. */
static void read_more(void *arg, double bytes, double of)
{
	struct read_so_far *r = arg;

	assert_true(bytes >= r->bytes && bytes <= of);
	assert_true(!r->calls || of == r->of);
	*r = (struct read_so_far){ r->calls + 1, bytes, of };
}

static void test_compressed(void **state)
{
	struct read_so_far r = { 0 };
	const struct swf_hooks watch = { .progress = read_more, .arg = &r };
	struct swf_stats a, b;
	struct workload v, w;
	char why[256], *plain = malloc(1 << 20);

	(void)state;
	assert_non_null(plain);
	workload_init(&v);
	write_compressed(5000, plain, 1 << 20);
	assert_int_equal(swf_read(path, &v, &a, &watch, why, sizeof(why)), PACT_OK);
	/* Of the compressed file, all. */
	assert_true(r.calls > 1 && r.bytes == r.of && r.of < (double)strlen(plain));
	assert_int_equal(read_text(plain, &w, &b, why), PACT_OK);
	assert_int_equal(v.count, 5000);
	assert_int_equal(w.count, 5000);
	assert_memory_equal(v.job, w.job, w.count * sizeof(*w.job));
	assert_memory_equal(&a, &b, sizeof(a));
	workload_release(&v);
	workload_release(&w);
	free(plain);
}

/* Where a member ends, within a line or not, in the byte order mark, at a zero byte, does not matter. */
static void test_members(void **state)
{
	static const char odd[] =
		"\xef\xbb\xbf; MaxProcs: 24\n" GOOD "1 0\0 -1\n" GOOD_8 "\r\n" GOOD_9;
	const struct swf_hooks alone = { .complain = complain, .alone = true };

	(void)state;
	for (size_t cut = 0; cut < sizeof(odd); cut++) {
		struct swf_stats stats;
		struct workload w;
		char why[256];
		gzFile f = gzopen(path, "wb");

		assert_true(!cut || gzwrite(f, odd, (unsigned int)cut) > 0);
		assert_int_equal(gzclose(f), Z_OK);
		f = gzopen(path, "ab");
		assert_true(cut == sizeof(odd) - 1 ||
			    gzwrite(f, odd + cut, (unsigned int)(sizeof(odd) - 1 - cut)) > 0);
		assert_int_equal(gzclose(f), Z_OK);
		workload_init(&w);
		assert_int_equal(swf_read(path, &w, &stats, cut % 2 ? &hooks : &alone, why, 256),
				 PACT_OK);
		assert_int_equal(w.count, 3);
		assert_int_equal(stats.max_procs, 24);
		assert_int_equal(stats.malformed, 1);
		assert_int_equal(stats.lines, 6);
		workload_release(&w);
	}
}

/* What stands behind the compressed log may be jobs: it is not read over. */
static void test_behind(void **state)
{
	char why[256], expected[256], *plain = malloc(1 << 16);
	struct swf_stats stats;
	struct workload w;
	FILE *f;
	long at;

	(void)state;
	assert_non_null(plain);
	write_compressed(100, plain, 1 << 16);
	f = fopen(path, "a");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	at = ftell(f);
	assert_true(fputs(GOOD, f) >= 0);
	assert_int_equal(fclose(f), 0);
	workload_init(&w);
	assert_int_equal(swf_read(path, &w, &stats, &hooks, why, 256), PACT_EINVAL);
	snprintf(expected, sizeof(expected),
		 "%s:100: what follows the compressed data, at byte %ld, is no gzip member", path,
		 at);
	assert_string_equal(why, expected);
	free(plain);
}

static void test_truncated(void **state)
{
	char why[256], *plain = malloc(1 << 16), *packed = malloc(1 << 16);
	struct swf_stats stats;
	struct workload w;
	size_t size;
	FILE *f;

	(void)state;
	assert_true(plain && packed);
	write_compressed(200, plain, 1 << 16);
	f = fopen(path, "r");
	assert_non_null(f);
	size = fread(packed, 1, 1 << 16, f);
	fclose(f);
	/* cut inside the first ten bytes it is no gzip file any more, and holds no job either */
	for (size_t cut = 1; cut < size; cut++) {
		write_bytes(packed, cut);
		workload_init(&w);
		assert_int_equal(swf_read(path, &w, &stats, NULL, why, sizeof(why)), PACT_EINVAL);
		assert_int_equal(w.count, 0);
	}
	assert_non_null(strstr(why, "truncated"));
	/* a damaged byte in the middle */
	packed[size / 2] = (char)(packed[size / 2] ^ 0x5a);
	write_bytes(packed, size);
	assert_int_equal(swf_read(path, &w, &stats, NULL, why, sizeof(why)), PACT_EINVAL);
	free(plain);
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),	       cmocka_unit_test(test_lines),
		cmocka_unit_test(test_malformed),      cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_parts),	       cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_random_numbers), cmocka_unit_test(test_quick_and_general),
		cmocka_unit_test(test_odd_bytes),      cmocka_unit_test(test_byte_order_mark),
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_sort),
		cmocka_unit_test(test_refused),	       cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_members),	       cmocka_unit_test(test_behind),
		cmocka_unit_test(test_truncated),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
