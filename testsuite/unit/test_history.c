/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_history.c - decisions and outcomes come back from the database; it stays within its bounds, and
 * what is corrupt, read-only, full, locked or cut off by a kill -9 costs entries at most
 */
#include "slurm/history/history.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/eventually.h"
#include "testsuite/unit/hanging_disk.h"
#include "testsuite/unit/seed.h"

#define DAY 86400
/* Slurm's NO_VAL. */
#define NONE 0xfffffffe

static char dir[64], file[128];
static _Atomic int bad_lines, good_lines;

static void count_lines(bool bad, const char *text)
{
	assert_non_null(strstr(text, "History="));
	if (bad)
		bad_lines++;
	else
		good_lines++;
}

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/pact-history-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/history.db", dir);
	bad_lines = good_lines = 0;
	return 0;
}

static int tear_down(void **state)
{
	static const char *const ends[] = { "",		"-wal",		"-shm",
					    ".corrupt", ".corrupt-wal", ".corrupt-shm" };
	char name[160];

	(void)state;
	history_stop();
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", file, ends[i]);
		unlink(name);
	}
	return rmdir(dir);
}

static void configure(int64_t age, int64_t size)
{
	history_configure(&(struct history_settings){ .file = file,
						      .age = age,
						      .size = size,
						      .retry = 0,
						      .hangs = 3600,
						      .say = count_lines });
}

/* Number i: its deadline says which one it is. */
static void decide(int64_t i, int64_t when)
{
	static const char *const accounts[] = { "physics", "bio" };
	struct ledger_decision d = {
		.when = when,
		.uid = (uint32_t)(1000 + i % 3),
		.promised = i % 4 == 0,
		.observed = i % 4 == 1,
		.why = i % 4 ? "late" : "",
		.deadline = i,
		.limit = 600,
		.width = 4,
		.tasks = 1,
	};

	snprintf(d.ref, sizeof(d.ref), "R%05d", (int)(i % 100000));
	snprintf(d.account, sizeof(d.account), "%s", accounts[i % 2]);
	memset(d.text, 'x', 300);
	history_decided(&d);
}

static void end(uint32_t job, uint32_t base, uint32_t task, const char *how)
{
	struct ledger_outcome o = {
		.job = { .job_id = job, .uid = 1001, .account = "bio", .partition = "main" },
		.base_id = base,
		.task = task,
		.deadline = 5000,
		.start = 4000,
		.end = 5100,
		.how = how,
	};

	history_ended(&o, time(NULL));
}

/* An acceptance of so many tasks; number: of the promise, and its deadline. */
static void accept_promise(uint64_t promise, uint32_t tasks)
{
	history_decided(&(struct ledger_decision){ .when = time(NULL),
						   .promised = true,
						   .promise = promise,
						   .uid = 1001,
						   .deadline = (int64_t)promise,
						   .tasks = tasks });
}

/* What became of that. */
static void over(uint64_t promise, uint32_t task, uint32_t tasks, const char *how)
{
	history_ended(&(struct ledger_outcome){ .job = { .job_id = (uint32_t)promise * 10,
							 .account = "bio" },
						.base_id = (uint32_t)promise * 10,
						.task = task,
						.tasks = tasks,
						.promise = promise,
						.deadline = (int64_t)promise,
						.end = (int64_t)promise + 5,
						.how = how },
		      time(NULL));
}

static void over_list(uint64_t promise, const char *list)
{
	struct ledger_outcome o = { .base_id = (uint32_t)promise * 10,
				    .task = NONE,
				    .promise = promise,
				    .how = "cancelled" };

	snprintf(o.list, sizeof(o.list), "%s", list);
	history_ended(&o, time(NULL));
}

static void bind_job(uint64_t promise)
{
	const struct ledger_job job = { .job_id = (uint32_t)promise * 10,
					.account = "bio",
					.partition = "main" };

	history_bound(promise, &job, job.job_id, NONE);
}

struct found {
	size_t n;
	int64_t first, last; /* deadlines */
	bool broken_order;
	struct history_entry entry; /* numbers of the latest */
};

static bool take(void *arg, const struct history_entry *entry)
{
	struct found *f = arg;

	if (!f->n) {
		f->last = entry->deadline;
		f->entry = *entry;
	} else {
		f->broken_order |= entry->deadline >= f->first;
	}
	f->first = entry->deadline;
	f->n++;
	return true;
}

static struct found find(struct history_filter filter)
{
	struct found f = { 0 };
	char why[HISTORY_WHY] = "";
	bool complete;

	if (!history_find(&filter, 60000, take, &f, &complete, why))
		fail_msg("%s", why);
	assert_true(complete);
	return f;
}

static struct found find_all(void)
{
	return find((struct history_filter){ .uid = -1 });
}

static struct history_status look(void)
{
	struct history_status now;

	history_look(&now);
	return now;
}

/* ---- a disk that hangs ---- */

#define eventually(truth) eventually_within(60, truth)

static _Atomic bool stopped;

static void *stop(void *arg)
{
	history_stop();
	stopped = true;
	return arg;
}

static bool taken(int64_t i, int64_t when)
{
	uint64_t lost = look().lost;

	decide(i, when);
	return look().lost == lost;
}

/* No thread waits for a disk that hangs; what does not fit into the queue is counted, and told once. */
static void test_hang(void **state)
{
	struct history_filter any = { .uid = -1 };
	int64_t now = time(NULL), more = 50;
	uint64_t lost = look().lost, written = look().written;
	char why[HISTORY_WHY] = "";
	struct found f = { 0 };
	pthread_t thread;
	bool complete;

	(void)state;
	history_configure(&(struct history_settings){
		.file = file, .age = DAY, .size = 100 << 20, .say = count_lines });
	hangs = true;
	decide(0, now);
	eventually(hung);
	for (int i = 1; i <= HISTORY_QUEUE + more; i++)
		decide(i, now);
	assert_int_equal(look().lost, lost + more);
	assert_non_null(strstr(look().trouble, "its queue is full"));
	assert_int_equal(bad_lines, 1);
	assert_false(history_find(&any, 60000, take, &f, &complete, why));
	assert_non_null(strstr(why, "does not answer"));
	assert_int_equal(pthread_create(&thread, NULL, stop, NULL), 0);
	eventually(stopped);
	pthread_join(thread, NULL);
	assert_int_equal(bad_lines, 2);
	decide(1, now); /* no second thread hangs beside the first */
	assert_int_equal(look().lost, lost + more + 1);

	hangs = false;
	eventually(look().written == written + HISTORY_QUEUE + 1);
	assert_string_equal(look().trouble, "");
	assert_int_equal(good_lines, 1);
	eventually(taken(5000, now)); /* by another thread */
	history_stop();
	f = find_all();
	assert_int_equal(f.n, HISTORY_QUEUE + 2);
	assert_int_equal(f.first, 0);
}

static void test_filters(void **state)
{
	int64_t now = time(NULL);
	struct found f;

	(void)state;
	configure(DAY, 1 << 20);
	assert_int_equal(find_all().n, 0);
	for (int i = 0; i < 24; i++)
		decide(i, now - 100 + i);
	history_stop();
	f = find_all();
	assert_int_equal(f.n, 24);
	assert_false(f.broken_order);
	assert_int_equal(f.last, 23);
	assert_int_equal(f.entry.limit, 600);
	assert_int_equal(f.entry.nodes, 4);
	assert_int_equal(find((struct history_filter){ .uid = 1001 }).n, 8);
	assert_int_equal(find((struct history_filter){ .uid = -1, .account = "bio" }).n, 12);
	assert_int_equal(find((struct history_filter){ .uid = -1, .what = "accepted" }).n, 6);
	assert_int_equal(find((struct history_filter){ .uid = -1, .what = "observed" }).n, 6);
	assert_int_equal(find((struct history_filter){ .uid = -1, .what = "refused" }).n, 12);
	f = find((struct history_filter){ .uid = -1, .reference = "R00017" });
	assert_int_equal(f.n, 1);
	assert_int_equal(f.last, 17);
	f = find((struct history_filter){ .uid = -1, .since = now - 90, .until = now - 81 });
	assert_int_equal(f.n, 10);
	assert_int_equal(f.first, 10);
	assert_int_equal(f.last, 19);
	end(71, 71, 0xfffffffe, "kept");
	end(73, 72, 1, "broken");
	end(72, 72, 2, "cancelled");
	history_stop();
	assert_int_equal(find((struct history_filter){ .uid = -1, .job = 71 }).n, 1);
	assert_int_equal(find((struct history_filter){ .uid = -1, .job = 72 }).n, 2);
	f = find((struct history_filter){ .uid = -1, .what = "broken" });
	assert_int_equal(f.n, 1);
	assert_int_equal(f.entry.late, 100);
	assert_int_equal(f.entry.task, 1);
	assert_true(history_word("at_limit"));
	assert_false(history_word("late"));
	assert_int_equal(bad_lines, 0);
	history_configure(&(struct history_settings){ .file = NULL });
	decide(1, now);
	assert_false(look().on);
}

static size_t count(const char *what)
{
	history_stop();
	return find((struct history_filter){ .uid = -1, .what = what }).n;
}

/* Told again by the next life an outcome is there once; promised again the job has another. */
static void test_once(void **state)
{
	struct found f;

	(void)state;
	configure(DAY, 1 << 20);
	accept_promise(1, 1);
	bind_job(1);
	for (int i = 0; i < 3; i++)
		over(1, NONE, 1, "withdrawn");
	assert_int_equal(count("withdrawn"), 1);
	f = find((struct history_filter){ .uid = -1, .job = 10, .what = "accepted" });
	assert_int_equal(f.n, 1);
	assert_int_equal(f.entry.job, 10);
	assert_int_equal(find((struct history_filter){ .uid = -1, .account = "bio" }).n, 2);
	accept_promise(1, 1);
	bind_job(1);
	over(1, NONE, 1, "kept");
	over(1, NONE, 1, "kept");
	assert_int_equal(count("kept"), 1);
	/* Tasks of one promise are told apart. */
	accept_promise(2, 3);
	bind_job(2);
	for (uint32_t i = 0; i < 6; i++)
		over(2, i % 3, 1, "broken");
	assert_int_equal(count("broken"), 3);
	/* So are those that share a record, by their lists. */
	over_list(2, "0,2");
	over_list(2, "0,2");
	over_list(2, "5-9");
	assert_int_equal(count("cancelled"), 2);
	/* Without a number nobody knows. */
	end(71, 71, NONE, "cancelled");
	end(71, 71, NONE, "cancelled");
	assert_int_equal(count("cancelled"), 4);
	assert_int_equal(bad_lines, 0);
}

/* What was accepted is over, live, or unknown after the first look; what left no job is void. */
static void test_check(void **state)
{
	static const struct history_live live[] = { { 2, 1 }, { 3, 3 }, { 3, 2 }, { 99, 1 } };
	struct found f;

	(void)state;
	configure(DAY, 1 << 20);
	for (uint64_t i = 1; i <= 5; i++) {
		accept_promise(i, i == 3 ? 8 : 1);
		if (i != 4)
			bind_job(i);
	}
	over(1, NONE, 1, "kept");
	over(3, 0, 1, "kept");
	history_void(5);
	for (int i = 0; i < 2; i++) {
		history_check(live, sizeof(live) / sizeof(live[0]));
		assert_int_equal(count("unknown"), 2); /* two tasks of 3, and 4 */
		f = find((struct history_filter){ .uid = -1, .what = "unknown", .job = 30 });
		assert_int_equal(f.n, 1);
		assert_int_equal(f.entry.tasks, 2);
		assert_int_equal(f.entry.uid, 1001);
	}
	assert_int_equal(count("void"), 1);
	assert_int_equal(count("accepted"), 4);
	/* The next look finds that one has gone. */
	history_check(live + 1, 2);
	assert_int_equal(count("unknown"), 3);
	assert_int_equal(bad_lines, 0);
}

/* What was told, and killed before it was saved, is taken back; not what came before a new promise. */
static void test_untold(void **state)
{
	static const struct history_live live[] = { { 1, 5 }, { 2, 1 }, { 3, 2 }, { 4, 1 } };

	(void)state;
	configure(DAY, 1 << 20);
	accept_promise(1, 5);
	bind_job(1);
	over(1, 1, 1, "cancelled");
	over(1, NONE, 2, "cancelled");
	accept_promise(2, 1);
	bind_job(2);
	over(2, NONE, 1, "withdrawn");
	accept_promise(2, 1);
	bind_job(2);
	over(2, NONE, 1, "kept");
	accept_promise(3, 4);
	over(3, 0, 1, "kept");
	over(3, 1, 1, "broken");
	over(3, 2, 1, "at_limit");
	over(4, NONE, 1, "broken"); /* its acceptance is gone */
	for (int i = 0; i < 2; i++) {
		history_check(live, sizeof(live) / sizeof(live[0]));
		assert_int_equal(count("cancelled"), 0);
		assert_int_equal(count("kept"), 1);
		assert_int_equal(count("withdrawn"), 1);
		assert_int_equal(count("broken"), 2);
		assert_int_equal(count("at_limit"), 0);
		assert_int_equal(count("unknown"), 0);
	}
	/* And told anew, as it is then. */
	over(1, NONE, 5, "cancelled");
	over(2, NONE, 1, "broken");
	assert_int_equal(count("cancelled"), 1);
	assert_int_equal(count("broken"), 3);
	assert_int_equal(bad_lines, 0);
}

/* A database of version 1 is read as it is, and written on. */
static void test_upgrade(void **state)
{
	static const char *const old =
		"PRAGMA journal_mode=WAL;"
		"CREATE TABLE event(id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
		" what TEXT NOT NULL, job INTEGER, base INTEGER, task INTEGER, uid INTEGER,"
		" account TEXT, partition TEXT, deadline INTEGER, lim INTEGER, began INTEGER,"
		" ended INTEGER, late INTEGER, nodes INTEGER, tasks INTEGER, reference TEXT,"
		" reason TEXT, text TEXT);"
		"CREATE INDEX event_at ON event(at);"
		"INSERT INTO event VALUES(NULL,strftime('%s'),'accepted',0,0,0,1001,'','',7,600,"
		"5,6,0,2,1,'','','deadline: accepted'),(NULL,strftime('%s'),'kept',70,70,"
		"4294967294,1001,'bio','main',7,0,5,6,-1,0,0,'','','');"
		"PRAGMA user_version=1;";
	struct found f;
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, old, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	configure(DAY, 1 << 20);
	assert_int_equal(find_all().n, 2);
	accept_promise(8, 1);
	over(7, NONE, 1, "kept"); /* told again by the next version: it is there */
	over(8, NONE, 1, "kept");
	history_check(NULL, 0); /* what has no number is not looked for */
	history_stop();
	f = find_all();
	assert_int_equal(f.n, 4);
	assert_int_equal(f.first, 7);
	assert_int_equal(f.last, 8);
	assert_int_equal(bad_lines, 0);
	assert_string_equal(look().trouble, "");
}

static int64_t number(const char *sql)
{
	sqlite3_stmt *s = NULL;
	sqlite3 *db = NULL;
	int64_t n = -1;

	assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return n;
}

/*
 * One of a newer version is left as it is, however it looks; what is in it is told, as far as its tables
 * are as ours.
 */
static void test_newer(void **state)
{
	static const char *const like_ours =
		"PRAGMA journal_mode=WAL;"
		"CREATE TABLE event(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT "
		"NULL,"
		" job INTEGER, base INTEGER, task INTEGER, uid INTEGER, account TEXT, partition "
		"TEXT,"
		" deadline INTEGER, lim INTEGER, began INTEGER, ended INTEGER, late INTEGER,"
		" nodes INTEGER, tasks INTEGER, reference TEXT, reason TEXT, text TEXT,"
		" promise INTEGER NOT NULL DEFAULT 0, more TEXT);"
		"INSERT INTO event VALUES(NULL,1,'accepted',7,7,0,1001,'','',7,600,5,6,0,2,1,'','',"
		"'deadline: accepted',9,'x');"
		"PRAGMA user_version=3;";
	static const char *const unlike =
		"CREATE TABLE decision(id INTEGER PRIMARY KEY); INSERT INTO decision VALUES(1);"
		"PRAGMA user_version=40;";
	const struct {
		const char *sql, *count;
		int64_t version;
		size_t found;
	} rows[] = {
		{ like_ours, "SELECT count(*) FROM event WHERE more='x'", 3, 1 },
		{ unlike, "SELECT count(*) FROM decision", 40, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int before = bad_lines;
		char aside[160];
		sqlite3 *db;

		unlink(file);
		assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, rows[i].sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		configure(DAY, 1 << 20);
		accept_promise(8, 1);
		over(8, NONE, 1, "kept");
		history_check(NULL, 0);
		history_stop();
		assert_non_null(strstr(look().trouble, "made by another version of Pact"));
		assert_int_equal(bad_lines, before + 1);
		assert_int_equal(number("PRAGMA user_version"), rows[i].version);
		assert_int_equal(number(rows[i].count), 1);
		snprintf(aside, sizeof(aside), "%s.corrupt", file);
		assert_int_equal(access(aside, F_OK), -1);
		if (rows[i].found)
			assert_int_equal(find_all().n, rows[i].found);
	}
	unlink(file);
}

/* There is no file, and there will be none. */
static void test_nowhere(void **state)
{
	struct history_filter any = { .uid = -1 };
	char missing[160], why[HISTORY_WHY] = "";
	struct found f = { 0 };
	bool complete;

	(void)state;
	snprintf(missing, sizeof(missing), "%s/no/such.db", dir);
	history_configure(&(struct history_settings){
		.file = missing, .age = DAY, .size = 1 << 20, .hangs = 3600, .say = count_lines });
	assert_false(history_find(&any, 60000, take, &f, &complete, why));
	assert_non_null(strstr(why, "No such file"));
	decide(1, time(NULL));
	history_stop();
	assert_false(history_find(&any, 60000, take, &f, &complete, why));
	assert_non_null(strstr(why, "cannot be written: No such file"));
}

static off_t size_of(const char *name)
{
	struct stat st;

	return stat(name, &st) ? -1 : st.st_size;
}

static void test_size(void **state)
{
	uint64_t before = look().lost;
	int64_t now = time(NULL), n = 0;
	struct found f;

	(void)state;
	configure(DAY, 1 << 20);
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 1500; i++)
			decide(n++, now);
		history_stop();
		assert_true(size_of(file) <= 1 << 20);
		f = find_all();
		assert_false(f.broken_order);
		assert_int_equal(f.last, n - 1);
		assert_int_equal(f.last - f.first + 1, f.n); /* the oldest are gone */
	}
	assert_in_range(f.n, 1000, 4000);
	assert_int_equal(look().lost, before);
	assert_int_equal(bad_lines, 0);
	assert_int_equal(look().bytes <= 1 << 20, 1);
}

static void test_age(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	configure(365 * DAY, 1 << 20);
	for (int i = 0; i < 10; i++)
		decide(i, now - (10 - i) * DAY);
	history_stop();
	assert_int_equal(find_all().n, 10);
	configure(5 * DAY + DAY / 2, 1 << 20);
	decide(10, now);
	history_stop();
	assert_int_equal(find_all().n, 6);
	assert_int_equal(find_all().first, 5);
}

/* Bytes of the file become others. */
static void spoil(off_t from, size_t n)
{
	int fd = open(file, O_WRONLY);
	char noise[512];

	assert_true(fd >= 0);
	for (size_t done = 0; done < n; done += sizeof(noise)) {
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (char)seed_below(256);
		assert_int_equal(pwrite(fd, noise, sizeof(noise), from + (off_t)done),
				 sizeof(noise));
	}
	close(fd);
}

static void test_corrupt(void **state)
{
	char aside[160];

	(void)state;
	snprintf(aside, sizeof(aside), "%s.corrupt", file);
	for (int head = 0; head < 2; head++) {
		configure(DAY, 1 << 20);
		for (int i = 0; i < 500; i++)
			decide(i, time(NULL));
		history_stop();
		spoil(head ? 0 : 4096, 16384);
		bad_lines = 0;
		decide(1000, time(NULL));
		history_stop();
		assert_true(size_of(aside) > 0);
		assert_int_equal(find_all().n, 1);
		assert_int_equal(find_all().last, 1000);
		assert_int_equal(bad_lines, 1);
		assert_string_equal(look().trouble, "");
		unlink(file);
		unlink(aside);
	}
}

/* Nothing can be written, and then it can. */
static void expect_trouble(const char *text)
{
	uint64_t before = look().lost;

	for (int i = 0; i < 100; i++)
		decide(i, time(NULL));
	history_stop();
	decide(100, time(NULL));
	history_stop();
	assert_int_equal(look().lost, before + 101);
	if (!strstr(look().trouble, text))
		fail_msg("trouble is \"%s\", not %s", look().trouble, text);
	assert_int_equal(bad_lines, 1); /* told once */
}

static void expect_recovery(void)
{
	uint64_t before = look().written;

	decide(200, time(NULL));
	history_stop();
	assert_int_equal(look().written, before + 1);
	assert_string_equal(look().trouble, "");
	assert_int_equal(find_all().last, 200);
	assert_int_equal(good_lines, 1);
}

static void test_read_only(void **state)
{
	bool root = !geteuid();

	(void)state;
	configure(DAY, 1 << 20);
	decide(1, time(NULL));
	history_stop();
	assert_int_equal(chmod(file, 0400), 0);
	assert_int_equal(chmod(dir, 0555), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	expect_trouble("Permission denied");
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(file, 0600), 0);
	assert_int_equal(chmod(dir, 0700), 0);
	expect_recovery();
}

/* What is wrong with a file is told before anything is to be written, and so is that it is not any more. */
static void test_opened(void **state)
{
	uint64_t lost = look().lost;
	char missing[96], inside[128];

	(void)state;
	snprintf(missing, sizeof(missing), "%s/missing", dir);
	snprintf(inside, sizeof(inside), "%s/history.db", missing);
	history_configure(&(struct history_settings){ .file = inside,
						      .age = DAY,
						      .size = 1 << 20,
						      .retry = 0,
						      .hangs = 3600,
						      .say = count_lines });
	history_open();
	eventually_within(60, strstr(look().trouble, "No such file"));
	eventually_within(60, bad_lines == 1);
	for (int i = 0; i < 20; i++) {
		history_open();
		nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	}
	assert_int_equal(bad_lines, 1); /* told once */
	assert_int_equal(mkdir(missing, 0700), 0);
	history_open();
	eventually_within(60, !look().trouble[0]);
	eventually_within(60, good_lines == 1);
	assert_int_equal(look().lost, lost);
	history_stop();
	assert_int_equal(access(inside, F_OK), 0);
	assert_int_equal(unlink(inside), 0);
	assert_int_equal(rmdir(missing), 0);
}

/* A disk that takes no more looks like this limit. */
static void test_full(void **state)
{
	struct rlimit old, little = { 24 << 10, RLIM_INFINITY };

	(void)state;
	configure(DAY, 1 << 20);
	decide(1, time(NULL));
	history_stop();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	little.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	expect_trouble(":");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	expect_recovery();
}

/* The thread that decides does not wait for a database that another has locked. */
static void test_locked(void **state)
{
	struct history_status before = look(), now;
	int64_t n = HISTORY_QUEUE + 2000;
	sqlite3 *db;

	(void)state;
	configure(DAY, 16 << 20);
	decide(1, time(NULL));
	history_stop();
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	for (int64_t i = 0; i < n; i++)
		decide(i, time(NULL));
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(db);
	history_stop();
	now = look();
	assert_int_equal(now.written - before.written + now.lost - before.lost, n + 1);
	assert_true(now.lost > before.lost);
}

/* Writes until it is killed, and tells how much is committed. */
static void write_on(int tell)
{
	int64_t i = find_all().last, start = i;
	uint64_t before = look().written;

	configure(DAY, 16 << 20);
	for (;;) {
		uint64_t written;

		decide(++i, time(NULL));
		do {
			written = look().written;
			if (write(tell, &written, sizeof(written)) != sizeof(written))
				_exit(1);
			/* Nothing is to be lost for a full queue. */
		} while (i - start > (int64_t)(written - before) + HISTORY_QUEUE / 2 &&
			 !usleep(1000));
	}
}

static void test_cut(void **state)
{
	uint64_t all = 0;

	(void)state;
	configure(DAY, 16 << 20);
	for (int round = 0; round < 6; round++) {
		uint64_t first = look().written, written = 0,
			 most = 200 + (uint64_t)seed_below(800);
		int tell[2];
		pid_t child;
		struct found f;

		assert_int_equal(pipe(tell), 0);
		child = fork();
		if (!child) {
			close(tell[0]);
			write_on(tell[1]);
		}
		assert_true(child > 0);
		close(tell[1]);
		while (read(tell[0], &written, sizeof(written)) == sizeof(written) &&
		       written - first < most)
			;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		close(tell[0]);
		f = find_all();
		assert_false(f.broken_order);
		assert_true(f.n >= all + (written - first)); /* what was committed is there */
		all = f.n;
		assert_int_equal(f.last - f.first + 1, f.n);
	}
	decide(1 << 20, time(NULL));
	history_stop();
	assert_int_equal(find_all().n, all + 1);
	assert_int_equal(bad_lines, 0);
}

/* ---- what jobs needed ---- */

/* What is kept, the earliest first; the caller's to free. */
static struct history_pasts read_past(void)
{
	enum history_reading how;
	struct history_pasts p;

	history_past_ask();
	eventually_within(30, (how = history_past_take(&p)) != HISTORY_READING);
	assert_int_equal(how, HISTORY_READ);
	assert_int_equal(history_past_take(&(struct history_pasts){ 0 }), HISTORY_UNREAD);
	return p;
}

static void check_past(int64_t now)
{
	struct history_pasts p = read_past();

	assert_int_equal(p.n, 100);
	for (size_t i = 0; i < p.n; i++) {
		assert_int_equal(p.v[i].when, now);
		assert_int_equal(p.v[i].uid, i % 2 ? NONE : 1000 + i);
		assert_int_equal(p.v[i].limit, INT64_C(1) << 40);
		assert_int_equal(p.v[i].part, i * 10000);
		assert_int_equal(p.v[i].cut, i % 3 == 0);
		assert_int_equal(p.v[i].life, INT64_MAX - (int64_t)i);
		assert_string_equal(p.v[i].partition, i % 5 ? "shared" : "other");
	}
	free(p.v);
}

/*
 * All that was told before it is asked for, over a restart, too. To an older Pact the file is as it was: the version and
 * the columns of the table that it writes.
 */
static void test_past(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	configure(DAY, 1 << 20);
	for (size_t i = 0; i < 100; i++) {
		struct history_past one = { .when = now,
					    .uid = i % 2 ? NONE : 1000 + (uint32_t)i,
					    .limit = INT64_C(1) << 40,
					    .part = (int32_t)i * 10000,
					    .cut = i % 3 == 0,
					    .life = INT64_MAX - (int64_t)i };

		snprintf(one.partition, sizeof(one.partition), "%s", i % 5 ? "shared" : "other");
		history_learned(&one);
	}
	check_past(now);
	history_stop();
	configure(DAY, 1 << 20);
	check_past(now);
	history_stop();
	assert_int_equal(find_all().n, 0);
	assert_int_equal(number("PRAGMA user_version"), 2);
	assert_int_equal(number("SELECT count(*) FROM pragma_table_info('event')"), 20);
	assert_int_equal(bad_lines, 0);
}

static void run_sql(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* The latest are kept, no older than all else; and no more than the file may have. */
static void test_past_bounds(void **state)
{
	struct history_pasts p;

	(void)state;
	configure(DAY, 64 << 20);
	free(read_past().v);
	history_stop();
	run_sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<70000)"
		"INSERT INTO past SELECT i,strftime('%s'),'shared',1,60,i,0,7 FROM n");
	configure(DAY, 64 << 20);
	p = read_past();
	assert_int_equal(p.n, HISTORY_PAST_MOST);
	assert_int_equal(p.v[0].part, 70000 - HISTORY_PAST_MOST + 1);
	assert_int_equal(p.v[p.n - 1].part, 70000);
	free(p.v);
	history_stop();
	assert_int_equal(number("SELECT count(*) FROM past"), HISTORY_PAST_MOST);
	configure(DAY, 1 << 20);
	p = read_past();
	assert_in_range(p.n, 1000, HISTORY_PAST_MOST / 2);
	assert_int_equal(p.v[p.n - 1].part, 70000);
	free(p.v);
	history_stop();
	run_sql("UPDATE past SET at=at-2*86400 WHERE part<69990");
	configure(DAY, 1 << 20);
	p = read_past();
	assert_int_equal(p.n, 11);
	free(p.v);
	assert_int_equal(bad_lines, 0);
}

/* Where nothing is kept, or the file cannot be read, that is the answer. */
static void test_past_unread(void **state)
{
	enum history_reading how;
	struct history_pasts p;

	(void)state;
	history_configure(&(struct history_settings){ .say = count_lines });
	history_past_ask();
	assert_int_equal(history_past_take(&p), HISTORY_UNREAD);
	history_learned(&(struct history_past){ .limit = 60 }); /* goes nowhere */
	history_configure(&(struct history_settings){ .file = "/nonexistent/history.db",
						      .age = DAY,
						      .size = 1 << 20,
						      .say = count_lines });
	history_past_ask();
	eventually_within(30, (how = history_past_take(&p)) != HISTORY_READING);
	assert_int_equal(how, HISTORY_UNREAD);
	assert_int_equal(p.n, 0);
	assert_int_equal(bad_lines, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_filters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_untold, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_upgrade, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_newer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nowhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hang, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_size, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_age, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_corrupt, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_opened, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_locked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_past, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_past_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_past_unread, set_up, tear_down),
	};

	return seed_run("test_history", tests);
}
