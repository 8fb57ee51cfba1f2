/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_answerer: questions are answered in a thread of its own, users by turns; and one that hangs on the
 * history's disk keeps no thread from stopping, nor from serving again.
 */
#include "slurm/base/compat.h"

#include <sys/eventfd.h>

#include "slurm/serving/answerer.h"
#include "slurm/history/history.h"
#include "slurm/serving/identity.h"
#include "slurm/queries/query.h"
#include "slurm/serving/munge_socket.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/hanging_disk.h"
#include "testsuite/unit/seed.h"

#define eventually(truth) eventually_within(60, truth)

static char dir[] = "/tmp/pact-answerer-XXXXXX", file[64];

/* ---- what the answerer asks for ---- */

bool munge_socket(char *out, size_t size)
{
	(void)size;
	out[0] = '\0';
	return false;
}

bool identity_check(const char *cred, uid_t uid, const char *socket, char *why, size_t size)
{
	(void)cred, (void)uid, (void)socket, (void)why, (void)size;
	return true;
}

static bool visit(void *arg, const struct history_entry *entry)
{
	(void)entry;
	++*(int *)arg;
	return true;
}

/* One that reads the history, and one that does not. */
const char *query_run(const char *name, struct query *q)
{
	const struct history_filter any = { .uid = -1 };
	char why[HISTORY_WHY];
	bool complete;
	int n = 0;

	if (!strcmp(name, "history")) {
		assert_true(history_find(&any, 60000, visit, &n, &complete, why));
		json_object_object_add(q->answer, "n", json_object_new_int(n));
	}
	q->cost = 1;
	return NULL;
}

/* ---- helpers ---- */

static void post(uint64_t conn, uid_t uid, const char *name)
{
	struct exchange *exchange = calloc(1, sizeof(*exchange));
	char line[128];

	assert_non_null(exchange);
	snprintf(line, sizeof(line), "{\"pact\":1,\"cred\":\"x\",\"id\":%d,\"request\":\"%s\"}",
		 (int)conn, name);
	exchange->conn = conn;
	exchange->uid = uid;
	exchange->line = strdup(line);
	exchange->len = strlen(line);
	answerer_post(exchange);
}

/* The next answer, awaited: whose it is; *text is the caller's. */
static uint64_t next_answer(char **text)
{
	struct exchange *exchange = NULL;
	uint64_t conn;

	eventually((exchange = answerer_take()) != NULL);
	conn = exchange->conn;
	assert_non_null(exchange->answer);
	if (text)
		*text = strndup(exchange->answer, exchange->answer_len);
	exchange_destroy(exchange);
	return conn;
}

static void expect_answer(uint64_t conn, const char *part)
{
	char *text;

	assert_int_equal(next_answer(&text), conn);
	if (!strstr(text, part))
		fail_msg("no %s in %s", part, text);
	free(text);
}

static int open_wake(void)
{
	int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	assert_true(wake >= 0);
	return wake;
}

static _Atomic bool stopped, gave_up;

static void *stop(void *arg)
{
	gave_up = !answerer_stop();
	stopped = true;
	return arg;
}

/* ---- tests ---- */

static void test_answers(void **state)
{
	int wake = open_wake();
	uint64_t count;

	(void)state;
	assert_true(answerer_start(wake));
	post(1, 1000, "status");
	expect_answer(1, "\"id\":1");
	assert_int_equal(read(wake, &count, sizeof(count)), sizeof(count));
	post(2, 1000, "history");
	expect_answer(2, "\"n\":1");
	assert_true(answerer_stop());
	assert_true(answerer_stop()); /* twice is no harm */
	close(wake);
}

static void test_hang(void **state)
{
	int wake = open_wake(), next;
	pthread_t thread;
	uint64_t count;
	char *text = NULL;

	(void)state;
	assert_true(answerer_start(wake));
	hangs = true;
	hung = false;
	post(1, 1000, "history");
	post(2, 1000, "status");
	eventually(hung);
	assert_int_equal(pthread_create(&thread, NULL, stop, NULL), 0);
	eventually(stopped);
	pthread_join(thread, NULL);
	assert_true(gave_up);
	assert_null(answerer_take());

	/* the next life: nothing waits behind the one that hangs */
	next = open_wake();
	assert_true(answerer_start(next));
	post(3, 1000, "status");
	expect_answer(3, "busy");
	assert_int_equal(read(next, &count, sizeof(count)), sizeof(count));

	hangs = false;
	for (uint64_t conn = 4; !text || strstr(text, "busy"); conn++) {
		free(text);
		post(conn, 1000, "history");
		assert_int_equal(next_answer(&text), conn);
	}
	assert_non_null(strstr(text, "\"n\":1"));
	free(text);
	assert_int_equal(read(wake, &count, sizeof(count)), -1); /* the old one is left alone */
	assert_true(answerer_stop());
	close(next);
	close(wake);
}

/* Who asks and goes away, and again, while one hangs: what waits has a bound. */
static void test_crowd(void **state)
{
	int wake = open_wake();

	(void)state;
	assert_true(answerer_start(wake));
	hangs = true;
	hung = false;
	post(1, 1000, "history");
	eventually(hung);
	for (uint64_t conn = 2; conn < 2 + 64; conn++)
		post(conn, 1000, "status");
	assert_null(answerer_take());
	post(99, 1000, "status");
	expect_answer(99, "too many questions wait");
	hangs = false;
	for (uint64_t conn = 1; conn < 2 + 64; conn++)
		assert_int_equal(next_answer(NULL), conn);
	post(100, 1000, "status");
	expect_answer(100, "\"id\":100");
	assert_true(answerer_stop());
	close(wake);
}

/* A history of one entry. */
static int open_all(void **state)
{
	const struct ledger_decision d = { .when = time(NULL), .ref = "AAAAAA" };

	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/history.db", dir);
	history_configure(&(struct history_settings){
		.file = file, .age = 86400, .size = 1 << 20, .hangs = 3600 });
	history_decided(&d);
	history_stop();
	return access(file, F_OK);
}

static int close_all(void **state)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char name[80];

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		snprintf(name, sizeof(name), "%s%s", file, ends[i]);
		unlink(name);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_hang),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_FATAL;
	log_init("test_answerer", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return cmocka_run_group_tests_name("test_answerer", tests, open_all, close_all);
}
