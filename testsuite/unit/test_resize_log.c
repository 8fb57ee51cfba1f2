/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resize_log.c - what became of running jobs' nodes: what was asked for is put together with what shows in the record,
 * and comes back from the database
 */
#include "slurm/history/history.h"
#include "slurm/state/resize_log.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/seed.h"

#define DAY 86400
#define MOST 32

static char dir[64], file[128];
static int64_t start; /* of each test: what is told is so many seconds later */

static void say(bool bad, const char *text)
{
	if (bad)
		fail_msg("%s", text);
}

static void configure(void)
{
	history_configure(&(struct history_settings){
		.file = file, .age = DAY, .size = 1 << 20, .hangs = 3600, .say = say });
}

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/pact-resizes-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/history.db", dir);
	start = time(NULL) - 1000;
	configure();
	return 0;
}

static int tear_down(void **state)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char name[160];

	(void)state;
	history_stop();
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", file, ends[i]);
		unlink(name);
	}
	return rmdir(dir);
}

/* ---- what the history has, each as a line, the latest first ---- */

struct lines {
	size_t n;
	int64_t row[MOST];
	char line[MOST][160];
};

static bool take(void *arg, const struct history_resize *r)
{
	struct lines *l = arg;
	char *line;

	assert_true(l->n < MOST);
	line = l->line[l->n];
	assert_int_equal(r->uid, 1000);
	assert_string_equal(r->account, "physics");
	assert_string_equal(r->partition, "batch");
	snprintf(line, 160,
		 "%d job %u %s %u->%u by %s wanted %u for %u asked %d notice %d%s held %d",
		 (int)(r->when - start), r->job, r->what, r->was, r->has, r->by[0] ? r->by : "-",
		 r->wanted, r->for_job, r->asked ? (int)(r->asked - start) : 0, (int)r->notice,
		 r->not_now ? " not now" : "", (int)r->held);
	l->row[l->n++] = r->row;
	return true;
}

static struct lines find(struct history_filter filter)
{
	struct lines l = { 0 };
	char why[HISTORY_WHY] = "";
	bool complete;

	history_stop(); /* all of it is written */
	if (!history_find_resizes(&filter, 60000, take, &l, &complete, why))
		fail_msg("%s", why);
	assert_true(complete);
	configure();
	return l;
}

static void has(const char *const *want, size_t n)
{
	struct lines l = find((struct history_filter){ .uid = -1 });

	assert_int_equal(l.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(l.line[n - 1 - i], want[i]);
}

#define HAS(...) \
	do { \
		static const char *const want[] = { __VA_ARGS__ }; \
		has(want, sizeof(want) / sizeof(want[0])); \
	} while (0)

static struct resize_change change(uint32_t job, uint32_t was, uint32_t width, int64_t at)
{
	return (struct resize_change){ .job = job,
				       .uid = 1000,
				       .account = "physics",
				       .partition = "batch",
				       .was = was,
				       .has = width,
				       .now = start + at };
}

static void shows(uint32_t job, uint32_t was, uint32_t width, int64_t at)
{
	struct resize_change c = change(job, was, width, at);

	resize_log_shown(&c);
}

/* It is to have so many by then, and nothing else is wanted of it. */
static void called(uint32_t job, uint32_t wanted, int64_t at, int64_t by, uint32_t for_job,
		   int64_t held)
{
	const struct resize_call call = { .by = start + by, .wanted = wanted };

	resize_log_called(job, &call, 1, start + at, for_job, held);
}

/* The same by two times. */
static void called_twice(uint32_t job, int64_t at, int64_t by, uint32_t wanted, int64_t by2,
			 uint32_t wanted2, uint32_t for_job, int64_t held)
{
	const struct resize_call calls[] = { { .by = start + by, .wanted = wanted },
					     { .by = start + by2, .wanted = wanted2 } };

	resize_log_called(job, calls, 2, start + at, for_job, held);
}

/* It is called in: given back within its notice, taken when that is over, or left where it is. */
static void test_called(void **state)
{
	struct resize_change c;

	(void)state;
	called(1, 4, 10, 70, 9, 150);
	resize_log_by_hand(1, false, start + 30);
	shows(1, 8, 4, 31);
	called(2, 4, 10, 70, 9, 150);
	resize_log_not_now(2);
	resize_log_taken(2, 4, start + 70, 0, 200);
	shows(2, 8, 4, 72);
	called(3, 4, 10, 70, 9, 150);
	c = change(3, 8, 8, 20);
	resize_log_given(&c, 50);
	/* nothing of that is left: what comes is its own */
	shows(1, 4, 3, 500);
	shows(2, 4, 3, 501);
	shows(3, 8, 7, 502);
	HAS("31 job 1 given_back 8->4 by scheduler wanted 4 for 9 asked 10 notice 60 held 150",
	    "72 job 2 taken 8->4 by scheduler wanted 4 for 9 asked 10 notice 60 not now held 350",
	    "20 job 3 revoked 8->8 by scheduler wanted 8 for 9 asked 10 notice 60 held 200",
	    "500 job 1 lost 4->3 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "501 job 2 lost 4->3 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "502 job 3 lost 8->7 by - wanted 0 for 0 asked 0 notice 0 held 0");
}

/* A part of it is given back, and one of the others fails; the rest is taken. Each call is told as it was. */
static void test_parts(void **state)
{
	(void)state;
	called(1, 6, 10, 70, 8, 1);
	called_twice(1, 40, 70, 6, 100, 2, 9, 1);
	resize_log_by_hand(1, false, start + 50);
	shows(1, 8, 6, 50);
	shows(1, 6, 5, 60);
	resize_log_taken(1, 2, start + 100, 0, 1);
	shows(1, 5, 2, 100);
	shows(1, 2, 1, 110);
	HAS("50 job 1 given_back 8->6 by scheduler wanted 6 for 8 asked 10 notice 60 held 1",
	    "60 job 1 lost 6->5 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "100 job 1 taken 5->2 by scheduler wanted 2 for 9 asked 40 notice 60 held 2",
	    "110 job 1 lost 2->1 by - wanted 0 for 0 asked 0 notice 0 held 0");
}

/* What is called in second is due first, and taken; the first call stays, and is answered by the job. */
static void test_firm(void **state)
{
	(void)state;
	called(1, 6, 10, 300, 8, 1);
	resize_log_not_now(1);
	called_twice(1, 40, 41, 6, 300, 4, 9, 1);
	resize_log_taken(1, 6, start + 41, 0, 2);
	called(1, 4, 41, 300, 0, 0);
	shows(1, 8, 6, 42);
	resize_log_by_hand(1, false, start + 100);
	shows(1, 6, 4, 101);
	HAS("42 job 1 taken 8->6 by scheduler wanted 6 for 9 asked 40 notice 1 held 3",
	    "101 job 1 given_back 6->4 by scheduler wanted 4 for 8 asked 10 notice 290 not now "
	    "held 1");
}

/* Nor is the first call touched by what is taken at once, without notice; both at a time are told as the first. */
static void test_at_once(void **state)
{
	(void)state;
	called(1, 6, 10, 70, 8, 1);
	resize_log_taken(1, 6, start + 40, 9, 2);
	called(1, 4, 40, 70, 9, 0);
	shows(1, 8, 6, 41);
	resize_log_taken(1, 4, start + 70, 0, 3);
	shows(1, 6, 4, 71);
	called_twice(2, 10, 70, 6, 71, 4, 8, 1);
	resize_log_taken(2, 4, start + 75, 0, 2);
	shows(2, 8, 4, 76);
	HAS("41 job 1 taken 8->6 by scheduler wanted 6 for 9 asked 0 notice 0 held 2",
	    "71 job 1 taken 6->4 by scheduler wanted 4 for 8 asked 10 notice 60 held 4",
	    "76 job 2 taken 8->4 by scheduler wanted 4 for 8 asked 10 notice 60 held 3");
}

/* It may keep what it was asked for second, or both. */
static void test_kept(void **state)
{
	struct resize_change c = change(2, 8, 8, 60);

	(void)state;
	called_twice(1, 10, 70, 6, 100, 2, 9, 1);
	called(1, 6, 20, 70, 9, 1);
	resize_log_by_hand(1, false, start + 50);
	shows(1, 8, 6, 50);
	shows(1, 6, 2, 60);
	called_twice(2, 10, 70, 6, 100, 2, 9, 1);
	resize_log_given(&c, 5);
	shows(2, 8, 2, 70);
	HAS("50 job 1 given_back 8->6 by scheduler wanted 6 for 9 asked 10 notice 60 held 1",
	    "60 job 1 lost 6->2 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "60 job 2 revoked 8->8 by scheduler wanted 8 for 9 asked 10 notice 60 held 6",
	    "70 job 2 lost 8->2 by - wanted 0 for 0 asked 0 notice 0 held 0");
}

/* What the planner did not ask for, and what is done at once. */
static void test_others(void **state)
{
	struct resize_change c = change(1, 2, 8, 5);

	(void)state;
	resize_log_given(&c, 700);
	resize_log_by_hand(1, false, start + 20);
	shows(1, 8, 7, 21);
	resize_log_by_hand(1, true, start + 30);
	shows(1, 7, 6, 31);
	resize_log_by_hand(1, true, start + 40); /* which came to nothing */
	shows(1, 6, 5, 140);
	resize_log_by_hand(1, true, start + 150);
	shows(1, 5, 6, 151);
	shows(1, 6, 7, 160);
	c = change(1, 7, 7, 170);
	resize_log_refused(&c, 9, 40);
	resize_log_taken(1, 3, start + 180, 9, 60);
	shows(1, 7, 3, 181);
	HAS("5 job 1 grown 2->8 by scheduler wanted 8 for 0 asked 0 notice 0 held 700",
	    "21 job 1 given_back 8->7 by job wanted 0 for 0 asked 0 notice 0 held 0",
	    "31 job 1 given_back 7->6 by operator wanted 0 for 0 asked 0 notice 0 held 0",
	    "140 job 1 lost 6->5 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "151 job 1 grown 5->6 by operator wanted 0 for 0 asked 0 notice 0 held 0",
	    "160 job 1 grown 6->7 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "170 job 1 refused 7->7 by scheduler wanted 9 for 0 asked 0 notice 0 held 40",
	    "181 job 1 taken 7->3 by scheduler wanted 3 for 9 asked 0 notice 0 held 60");
}

/* More jobs than are noted: the oldest is forgotten, and what shows of it is told without. */
static void test_full(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= RESIZE_LOG + 1; i++)
		called(i, 4, i, 2000, 9, 1);
	shows(1, 8, 4, 2000);
	resize_log_by_hand(2, false, start + 2000);
	shows(2, 8, 4, 2001);
	HAS("2000 job 1 lost 8->4 by - wanted 0 for 0 asked 0 notice 0 held 0",
	    "2001 job 2 given_back 8->4 by scheduler wanted 4 for 9 asked 2 notice 1998 held 1");
}

/* Which are found; those of other tables, and of a database that has no such table, are none of them. */
static void test_found(void **state)
{
	struct lines l;
	sqlite3 *db;

	(void)state;
	for (uint32_t i = 0; i < 6; i++)
		shows(4000 + i % 2, 8, 7 + 2 * (i % 3 == 0), 10 * i);
	history_decided(&(struct ledger_decision){ .when = start, .uid = 1000, .promised = true });
	l = find((struct history_filter){ .uid = -1 });
	assert_int_equal(l.n, 6);
	assert_int_equal(find((struct history_filter){ .uid = -1, .before = l.row[2] }).n, 3);
	assert_int_equal(find((struct history_filter){ .uid = -1, .job = 4001 }).n, 3);
	assert_int_equal(find((struct history_filter){ .uid = -1, .what = "grown" }).n, 2);
	assert_int_equal(find((struct history_filter){ .uid = 1000, .account = "physics" }).n, 6);
	assert_int_equal(find((struct history_filter){ .uid = 1001 }).n, 0);
	assert_int_equal(find((struct history_filter){ .uid = -1, .account = "bio" }).n, 0);
	assert_int_equal(find((struct history_filter){ .uid = -1, .since = start + 20 }).n, 4);
	assert_int_equal(find((struct history_filter){ .uid = -1, .until = start + 20 }).n, 3);
	history_stop();
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "DROP TABLE resize", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	assert_int_equal(find((struct history_filter){ .uid = -1 }).n, 0);
}

/* What is older than the history is to be goes with the rest of it. */
static void test_old(void **state)
{
	(void)state;
	shows(5000, 8, 7, 1000 - 2 * DAY);
	shows(5000, 7, 6, 990);
	assert_int_equal(find((struct history_filter){ .uid = -1 }).n, 2);
	shows(5000, 6, 5, 995); /* opened again, it is pruned */
	assert_int_equal(find((struct history_filter){ .uid = -1 }).n, 2);
}

static void test_words(void **state)
{
	static const char *const words[] = { "grown", "given_back", "taken",
					     "lost",  "revoked",    "refused" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_true(history_resize_word(words[i]));
	assert_false(history_resize_word("kept"));
	assert_false(history_resize_word(""));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_called), TEST(test_parts),  TEST(test_firm), TEST(test_at_once),
		TEST(test_kept),   TEST(test_others), TEST(test_full), TEST(test_found),
		TEST(test_old),	   TEST(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
