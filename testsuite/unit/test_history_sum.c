/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_history_sum.c - the history's summary, read in random parts and put together again, against a plain
 * computation over the same random entries
 */
#include "contrib/pact/show/show.h"
#include "contrib/pact/show/sum.h"
#include "slurm/history/history_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/seed.h"

#define ROWS 12000
#define KEYS 400
/* Slurm's NO_VAL. */
#define NONE 0xfffffffe
#define FIRST_OF_2026 1767222000

static const char *const words[] = { "accepted", "refused", "observed",	 "void",      "kept",
				     "at_limit", "broken",  "cancelled", "withdrawn", "unknown" };
#define NWORDS (sizeof(words) / sizeof(words[0]))
static const char *const accounts[] = { "", "bio", "physics" };
static const char *const reasons[] = { "", "late", "size" };

enum level { BY_USER, BY_MONTH, OF_ALL };

/* What is expected of a line. */
struct expected {
	enum level level;
	int month;
	uint32_t uid;
	const char *account;
	int64_t count[NWORDS], refused[3], open;
	int64_t *slack;
	size_t n;
};

static bool one_second; /* most rows are as old as the one before */
static char dir[64], file[128];
static struct history_entry rows[ROWS];
static size_t nrows;
static struct expected lines[KEYS];
static size_t nlines, nparts;

static void forget(void)
{
	for (size_t i = 0; i < nlines; i++)
		free(lines[i].slack);
	nlines = nparts = 0;
}

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/pact-history-XXXXXX");
	nrows = 0;
	return mkdtemp(dir) ? snprintf(file, sizeof(file), "%s/history.db", dir) < 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char name[160];

	(void)state;
	forget();
	history_stop();
	unsetenv("TZ");
	tzset();
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", file, ends[i]);
		unlink(name);
	}
	return rmdir(dir);
}

static bool is(const struct history_entry *e, const char *what)
{
	return !strcmp(e->what, what);
}

static bool is_refused(const char *what)
{
	return !strcmp(what, "refused");
}

static bool decision_only(const struct history_entry *e)
{
	return is(e, "refused") || is(e, "observed") || is(e, "void");
}

/* One more, some time after the last one; all of them are about a year. */
static struct history_entry *add(const char *what, uint64_t promise)
{
	struct history_entry *e = &rows[nrows];
	int64_t before = nrows ? rows[nrows - 1].when : FIRST_OF_2026;

	*e = (struct history_entry){
		.when = before + (one_second && nrows % 3000 ? 0 : seed_below(6000)),
		.what = what,
		.task = NONE,
		.uid = (uint32_t)(1000 + seed_below(3)),
		.account = accounts[seed_below(3)],
		.partition = seed_below(5) ? "main" : "hidden",
		.late = seed_below(2000) - 1500,
		.tasks = seed_below(3) ? seed_below(2) : seed_below(6),
		.reason = strcmp(what, "refused") ? "" : reasons[seed_below(3)],
		.promise = promise,
		.reference = "",
		.text = "",
	};
	e->base = e->job = (uint32_t)nrows + 1; /* so that no outcome is told twice */
	nrows++;
	return e;
}

static void make_rows(void)
{
	uint64_t promise = 0, some;

	while (nrows < ROWS) {
		some = promise ? 1 + (uint64_t)seed_below((int64_t)promise) : 0;
		switch (seed_below(8)) {
		case 0:
		case 1:
		case 2:
			add("accepted", ++promise);
			break;
		case 3:
			add(words[1 + seed_below(3)], 0);
			break;
		case 4: /* of version 1; or released and promised again */
			add("accepted", seed_below(2) ? 0 : some);
			break;
		case 5: /* of version 1; or its acceptance is not kept any more */
			add(words[4 + seed_below(6)], seed_below(2) ? 0 : (uint64_t)1 << 40);
			break;
		default:
			add(words[4 + seed_below(6)], some);
		}
	}
}

static struct expected *line_of(enum level level, const struct history_entry *first)
{
	struct expected want = { .level = level, .account = "" };
	time_t when = first->when;
	struct tm tm;

	localtime_r(&when, &tm);
	if (level != OF_ALL)
		want.month = (tm.tm_year + 1900) * 100 + tm.tm_mon + 1;
	if (level == BY_USER) {
		want.uid = first->uid;
		want.account = first->account;
	}
	for (size_t i = 0; i < nlines; i++)
		if (lines[i].level == level && lines[i].month == want.month &&
		    lines[i].uid == want.uid && !strcmp(lines[i].account, want.account))
			return &lines[i];
	assert_true(nlines < KEYS);
	lines[nlines] = want;
	return &lines[nlines++];
}

static void enter(struct expected *l, const struct history_entry *e)
{
	int64_t n = e->tasks > 1 ? e->tasks : 1;

	for (size_t i = 0; i < NWORDS; i++)
		l->count[i] += is(e, words[i]) ? n : 0;
	for (size_t i = 0; i < 3 && is(e, "refused"); i++)
		l->refused[i] += strcmp(e->reason, reasons[i]) ? 0 : n;
	if (e->promise && !decision_only(e))
		l->open += is(e, "accepted") ? n : -n;
	if (!is(e, "kept") && !is(e, "at_limit") && !is(e, "broken"))
		return;
	l->slack = realloc(l->slack, (l->n + (size_t)n) * sizeof(*l->slack));
	assert_non_null(l->slack);
	for (int64_t i = 0; i < n; i++)
		l->slack[l->n++] = -e->late;
}

static bool sees(void *arg, uint32_t uid, const char *account, const char *partition)
{
	(void)arg;
	(void)uid;
	(void)account;
	return strcmp(partition, "hidden") != 0;
}

static bool fits(const struct history_filter *f, bool some, const struct history_entry *first)
{
	return (!f->since || first->when >= f->since) && (!f->until || first->when <= f->until) &&
	       (f->uid < 0 || first->uid == f->uid) &&
	       (!f->account || !strcmp(first->account, f->account)) &&
	       (!some || sees(NULL, 0, "", first->partition));
}

static void expect(const struct history_filter *f, bool some)
{
	static const struct history_entry *firsts[ROWS + 1];

	forget();
	memset(firsts, 0, sizeof(firsts));
	for (size_t i = 0; i < nrows; i++) {
		const struct history_entry *e = &rows[i], *first = e;

		if (e->promise > ROWS)
			continue;
		if (e->promise && is(e, "accepted") && !firsts[e->promise])
			firsts[e->promise] = e;
		if (e->promise && !decision_only(e))
			first = firsts[e->promise];
		for (int level = 0; first && fits(f, some, first) && level <= OF_ALL; level++)
			enter(line_of((enum level)level, first), e);
	}
}

static int order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* A share as a line of its own: what the socket's answers have many of. */
static void collect(void *arg, const struct history_share *share)
{
	json_object *line = json_object_new_object(), *counts = json_object_new_object();
	char name[32];

	snprintf(name, sizeof(name), "%04d-%02d", share->month / 100, share->month % 100);
	json_object_object_add(line, "month", json_object_new_string(name));
	json_object_object_add(line, "user", json_object_new_int64(share->uid));
	json_object_object_add(line, "account", json_object_new_string(share->account));
	json_object_object_add(line, share->what, json_object_new_int64(share->tasks));
	json_object_object_add(line, "open", json_object_new_int64(share->open));
	snprintf(name, sizeof(name), "%lld", (long long)share->slack);
	json_object_object_add(counts, share->ran ? name : share->reason,
			       json_object_new_int64(share->tasks));
	if (share->ran || is_refused(share->what))
		json_object_object_add(line, share->ran ? "slacks" : "reasons", counts);
	else
		json_object_put(counts);
	json_object_array_add(arg, line);
}

static void check_line(json_object *line, enum level level)
{
	const char *account = get_text(line, "account");
	struct expected *l = NULL;
	int year = 0, month = 0;

	sscanf(get_text(line, "month"), "%d-%d", &year, &month);
	for (size_t i = 0; i < nlines && !l; i++)
		if (lines[i].level == level && lines[i].month == year * 100 + month &&
		    lines[i].uid == get_number(line, "user") && !strcmp(lines[i].account, account))
			l = &lines[i];
	assert_non_null(l);
	assert_int_equal(get_number(line, "open"), l->open);
	for (size_t i = 0; i < NWORDS; i++)
		assert_int_equal(get_number(line, words[i]), l->count[i]);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(get_number(get_member(line, "reasons"), reasons[i]),
				 l->refused[i]);
	assert_int_equal(get_member(line, "slack") != NULL, l->n > 0);
	if (!l->n)
		return;
	qsort(l->slack, l->n, sizeof(*l->slack), order);
	assert_int_equal(get_number(line, "slack"),
			 (l->slack[(l->n - 1) / 2] + l->slack[l->n / 2]) / 2);
}

/* Read in parts of at most so many rows. */
static json_object *sum_up(const struct history_filter *f, bool some, int64_t most)
{
	struct history_part part = { .row = 0 };
	struct sum *sum = sum_create();
	char why[HISTORY_WHY] = "";
	json_object *out, *shares;
	bool complete = false;

	for (nparts = 0; !complete; nparts++) {
		int64_t rows = 1 + seed_below(most);

		shares = json_object_new_array();
		assert_true(history_sum(f, &part, rows, 600000, some ? sees : NULL, collect, shares,
					&complete, why));
		assert_string_equal(why, "");
		assert_true(get_count(shares) <= (size_t)rows);
		assert_true(sum_add(sum, shares));
		json_object_put(shares);
	}
	out = sum_finish(sum);
	sum_destroy(sum);
	assert_non_null(out);
	return out;
}

static void compare(struct history_filter f, bool some)
{
	static const char *const names[] = { "lines", "months", "all" };
	json_object *sum;
	size_t n = 0;

	expect(&f, some);
	assert_true(nlines > 0);
	sum = sum_up(&f, some, seed_below(2) ? 300 : 5000);
	assert_true(nparts > 1);
	for (int level = BY_USER; level <= OF_ALL; level++) {
		json_object *array = get_member(sum, names[level]);

		n += get_count(array);
		for (size_t i = 0; i < get_count(array); i++)
			check_line(json_object_array_get_idx(array, i), (enum level)level);
	}
	assert_int_equal(n, nlines);
	json_object_put(sum);
}

static void quiet(bool bad, const char *text)
{
	(void)bad;
	(void)text;
}

/* The zone is one where the year's clock changes lie within months, on a first, or nowhere. */
static void check_zone(const char *zone)
{
	char why[HISTORY_WHY] = "";
	bool moved;
	struct history_db *db = history_db_open(file, 64 << 20, &moved, why);

	assert_non_null(db);
	setenv("TZ", zone, 1);
	tzset();
	make_rows();
	assert_int_equal(history_db_write(db, rows, nrows, why), SQLITE_OK);
	history_db_close(db);
	history_configure(&(struct history_settings){ .file = file,
						      .age = INT64_C(1) << 40,
						      .size = 64 << 20,
						      .retry = 0,
						      .hangs = 3600,
						      .say = quiet });
	compare((struct history_filter){ .uid = -1 }, false);
	assert_true(one_second || nlines > 60);
	compare((struct history_filter){ .uid = -1 }, true);
	compare((struct history_filter){ .uid = 1001, .account = "bio" }, false);
	compare((struct history_filter){ .uid = -1,
					 .since = rows[ROWS / 3].when,
					 .until = rows[ROWS / 2].when },
		false);
}

static void test_within_months(void **state)
{
	(void)state;
	check_zone("CET-1CEST,M3.5.0,M10.5.0/3");
}

/* Forward in the first hour of April, back in the first hours of September. */
static void test_on_a_first(void **state)
{
	(void)state;
	check_zone("AAA5BBB,J91/0,J244/2");
}

static void test_far_east(void **state)
{
	(void)state;
	check_zone("FAR-14");
}

/* What takes too long gives nothing, or not all, says so, and goes on where it was. */
static void test_too_long(void **state)
{
	const struct history_filter f = { .uid = -1 };
	char why[HISTORY_WHY] = "";
	json_object *shares = json_object_new_array(), *all = json_object_new_array();
	struct history_part part = { .row = 0 }, whole = { .row = 0 };
	bool complete = true;

	(void)state;
	check_zone("UTC0");
	assert_true(history_sum(&f, &part, ROWS, -1, NULL, collect, shares, &complete, why));
	assert_false(complete);
	assert_true(get_count(shares) < 100);
	assert_true(
		history_sum(&f, &part, ROWS + 1, 600000, NULL, collect, shares, &complete, why));
	assert_true(complete);
	assert_true(history_sum(&f, &whole, ROWS + 1, 600000, NULL, collect, all, &complete, why));
	assert_int_equal(get_count(shares), get_count(all));
	json_object_put(shares);
	json_object_put(all);
}

/* Many rows of one second are in several parts, too; and nothing is nothing. */
static void test_one_second(void **state)
{
	(void)state;
	one_second = true;
	check_zone("UTC0");
	one_second = false;
	json_object_put(sum_up(&(struct history_filter){ .uid = 7 }, false, 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_within_months, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_on_a_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_far_east, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_second, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_long, set_up, tear_down),
	};

	return seed_run("test_history_sum", tests);
}
