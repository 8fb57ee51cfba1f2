/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_report: a node's reports and their answers as JSON, what is hostile, and how credentials are judged. */
#include "node/report/report.h"
#include "node/report/sealed.h"
#include "testsuite/unit/own_munged.h"
#include "testsuite/unit/seed.h"

#include <errno.h>
#include <munge.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char why[300];

static void test_report(void **state)
{
	struct report_job job[2] = {
		{ .id = 7,
		  .submit = 100,
		  .work = 1234567,
		  .share = 500000,
		  .processes = 3,
		  .deadline = 900,
		  .estimate = 60,
		  .rule = "idle",
		  .takes = 2 },
		{ .id = UINT32_MAX, .submit = 101, .deadline = 1 },
	};
	struct node_report r = { .node = "n1",
				 .boot = "ab12",
				 .count = 9,
				 .rating = 1000,
				 .processors = 4,
				 .cgroup = "v1",
				 .n = 2,
				 .job = job },
			   got;
	char *text = report_write(&r);

	(void)state;
	assert_string_equal(
		text, "{\"pact\":1,\"node\":\"n1\",\"boot\":\"ab12\",\"count\":9,\"rating\":1000,"
		      "\"processors\":4,\"cgroup\":\"v1\",\"lacks\":\"\",\"jobs\":["
		      "{\"id\":7,\"submit\":100,\"work\":1234567,\"share\":500000,\"processes\":3,"
		      "\"deadline\":900,\"estimate\":60,\"takes\":2,\"rule\":\"idle\"},"
		      "{\"id\":4294967295,\"submit\":101,\"work\":0,\"share\":0,\"processes\":0,"
		      "\"deadline\":1,\"estimate\":0,\"takes\":0,\"rule\":\"\"}]}");
	assert_true(report_read(text, strlen(text), &got, why, sizeof(why)));
	assert_string_equal(got.node, "n1");
	assert_int_equal(got.count, 9);
	assert_int_equal(got.n, 2);
	assert_memory_equal(&got.job[0], &job[0], sizeof(job[0]));
	assert_memory_equal(&got.job[1], &job[1], sizeof(job[1]));
	report_release(&got);
	assert_null(got.job);
	free(text);
}

static void test_answer(void **state)
{
	struct answer_job job = { .id = 7, .submit = 100, .terms = "1:100:60:900:1:share" };
	uint32_t gone[2] = { 9, 10 };
	struct node_answer a = { .interval = 30, .n = 1, .n_gone = 2, .job = &job, .gone = gone },
			   got;
	char *text = answer_write(&a);

	(void)state;
	assert_string_equal(text, "{\"pact\":1,\"interval\":30,\"jobs\":[{\"id\":7,\"submit\":100,"
				  "\"terms\":\"1:100:60:900:1:share\"}],\"gone\":[9,10]}");
	assert_true(answer_read(text, strlen(text), &got, why, sizeof(why)));
	assert_int_equal(got.interval, 30);
	assert_int_equal(got.n, 1);
	assert_string_equal(got.job[0].terms, job.terms);
	assert_int_equal(got.n_gone, 2);
	assert_int_equal(got.gone[1], 10);
	answer_release(&got);
	free(text);
}

/* Each is refused, with what is wrong, and leaves nothing behind. */
static void test_hostile_answers(void **state)
{
	static const char *const cases[][2] = {
		{ "", "JSON: " },
		{ "[]", "JSON: is no object" },
		{ "7", "JSON: " },
		{ "{\"pact\":1", "JSON: " },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[],\"gone\":[]}{}", "JSON: " },
		{ "{\"pact\":2,\"interval\":30,\"jobs\":[],\"gone\":[]}", "pact: is out of range" },
		{ "{\"interval\":30,\"jobs\":[],\"gone\":[]}", "pact: is missing" },
		{ "{\"pact\":1,\"interval\":0,\"jobs\":[],\"gone\":[]}",
		  "interval: is out of range" },
		{ "{\"pact\":1,\"interval\":3601,\"jobs\":[],\"gone\":[]}",
		  "interval: is out of range" },
		{ "{\"pact\":1,\"interval\":\"30\",\"jobs\":[],\"gone\":[]}",
		  "interval: is no integer" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":{},\"gone\":[]}", "jobs: is no array" },
		{ "{\"pact\":1,\"interval\":30,\"gone\":[]}", "jobs: is missing" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[7],\"gone\":[]}",
		  "jobs: has an element that is no object" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[null],\"gone\":[]}",
		  "jobs: has an element that is no object" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[{\"id\":0}],\"gone\":[]}",
		  "id: is out of range" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[{\"id\":4294967296}],\"gone\":[]}",
		  "id: is out of range" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[{\"id\":1,\"submit\":1,\"terms\":"
		  "\"a\\u0000b\"}],"
		  "\"gone\":[]}",
		  "terms: has a character that is not printable" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[],\"gone\":[-1]}",
		  "gone: is out of range" },
		{ "{\"pact\":1,\"interval\":30,\"jobs\":[],\"gone\":[1,\"2\"]}",
		  "gone: is no integer" },
		{ "[[[[[[[[[[[[[[[[[[", "JSON: " },
	};
	struct node_answer got;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_false(answer_read(cases[i][0], strlen(cases[i][0]), &got, why, sizeof(why)));
		if (strncmp(why, cases[i][1], strlen(cases[i][1])))
			fail_msg("%s: said '%s', not '%s'", cases[i][0], why, cases[i][1]);
		assert_null(got.job);
		assert_null(got.gone);
	}
}

static void test_hostile_strings(void **state)
{
	char text[2000], node[300];
	struct node_report got;

	(void)state;
	memset(node, 'n', sizeof(node));
	node[REPORT_NODE] = '\0'; /* one too long */
	snprintf(text, sizeof(text),
		 "{\"pact\":1,\"node\":\"%s\",\"boot\":\"b\",\"count\":1,\"rating\":1,"
		 "\"processors\":1,\"cgroup\":\"v1\",\"lacks\":\"\",\"jobs\":[]}",
		 node);
	assert_false(report_read(text, strlen(text), &got, why, sizeof(why)));
	assert_string_equal(why, "node: is too long");
	node[REPORT_NODE - 1] = '\0';
	snprintf(text, sizeof(text),
		 "{\"pact\":1,\"node\":\"%s\",\"boot\":\"b\",\"count\":1,\"rating\":1,"
		 "\"processors\":1,\"cgroup\":\"v1\",\"lacks\":\"\",\"jobs\":[],\"new\":{}}",
		 node);
	assert_true(report_read(text, strlen(text), &got, why, sizeof(why)));
	assert_int_equal(strlen(got.node), REPORT_NODE - 1);
	report_release(&got);
}

/* Broken anywhere, a report is refused or read, and neither crashes nor leaks. */
static void test_mutations(void **state)
{
	static const char good[] =
		"{\"pact\":1,\"node\":\"n1\",\"boot\":\"b\",\"count\":1,\"rating\":1000,"
		"\"processors\":1,\"cgroup\":\"v1\",\"lacks\":\"\",\"jobs\":[{\"id\":7,\"submit\":"
		"1,"
		"\"work\":1,\"share\":1,\"processes\":1,\"deadline\":1,\"estimate\":1}]}";
	struct node_report got;
	char text[sizeof(good)];
	size_t refused = 0;

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(20000); round++) {
		memcpy(text, good, sizeof(good));
		for (int64_t n = 1 + seed_below(3); n; n--)
			text[seed_below(sizeof(good) - 1)] = (char)seed_below(256);
		if (!report_read(text, (size_t)seed_below(sizeof(good)), &got, why, sizeof(why)))
			refused++;
		report_release(&got);
	}
	assert_true(refused > 0);
}

/* ---- credentials, of a munged of our own; without one they are skipped ---- */

static void test_sealed(void **state)
{
	char *cred, *text;
	size_t len;

	(void)state;
	if (!own_munged_is_there())
		skip();
	assert_int_equal(sealed_make("hello", 5, own_munged(), &cred, why, sizeof(why)), SEALED_OK);
	assert_int_equal(sealed_open(cred, getuid(), own_munged(), &text, &len, why, sizeof(why)),
			 SEALED_OK);
	assert_int_equal(len, 5);
	assert_string_equal(text, "hello");
	free(text);
	assert_int_equal(sealed_open(cred, getuid(), own_munged(), &text, &len, why, sizeof(why)),
			 SEALED_REPLAYED);
	assert_null(text);
	free(cred);
	assert_int_equal(sealed_make("hello", 5, own_munged(), &cred, why, sizeof(why)), SEALED_OK);
	cred[strlen(cred) / 2] ^= 1;
	assert_int_equal(sealed_open(cred, getuid(), own_munged(), &text, &len, why, sizeof(why)),
			 SEALED_FORGED);
	free(cred);
	assert_int_equal(sealed_open("MUNGE:AAAA:", 0, own_munged(), &text, &len, why, sizeof(why)),
			 SEALED_FORGED);
}

static void test_expired(void **state)
{
	munge_ctx_t ctx = munge_ctx_create();
	char *cred, *text;
	size_t len;

	(void)state;
	munge_ctx_set(ctx, MUNGE_OPT_SOCKET, own_munged());
	munge_ctx_set(ctx, MUNGE_OPT_TTL, 1);
	if (!own_munged_is_there() || munge_encode(&cred, ctx, "late", 4) != EMUNGE_SUCCESS) {
		munge_ctx_destroy(ctx);
		skip();
	}
	munge_ctx_destroy(ctx);
	sleep(3); /* munge counts whole seconds, and nothing tells when it is over */
	assert_int_equal(sealed_open(cred, getuid(), own_munged(), &text, &len, why, sizeof(why)),
			 SEALED_EXPIRED);
	assert_null(text);
	free(cred);
}

static void test_strangers(void **state)
{
	char *cred, *text;
	size_t len;
	uid_t me = getuid();

	(void)state;
	if (!own_munged_is_there() || me)
		skip();
	for (int i = 0; i < 2; i++) {
		enum sealed rc;

		assert_int_equal(seteuid(65534), 0);
		rc = sealed_make("x", 1, own_munged(), &cred, why, sizeof(why));
		assert_int_equal(seteuid(0), 0);
		assert_int_equal(rc, SEALED_OK);
		rc = sealed_open(cred, i ? 65534 : 0, own_munged(), &text, &len, why, sizeof(why));
		assert_int_equal(rc, i ? SEALED_OK : SEALED_STRANGER);
		free(text);
		free(cred);
	}
}

/* What comes over a connection before anybody is asked who made it. */
static void test_connection(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool close;
		enum sealed rc;
	} cases[] = {
		{ "", 0, true, SEALED_CLOSED },
		{ "\0\0", 2, true, SEALED_BROKEN },
		{ "\0\0\0\0", 4, false, SEALED_TOO_LONG },
		{ "\0\x10\0\1", 4, false, SEALED_TOO_LONG },
		{ "\xff\xff\xff\xff", 4, false, SEALED_TOO_LONG },
		{ "\0\0\0\5ab", 6, true, SEALED_BROKEN },
		{ "\0\0\0\5ab", 6, false, SEALED_TIMEOUT },
		{ "", 0, false, SEALED_TIMEOUT },
		{ "\0\0\0\3a\0b", 7, false, SEALED_FORGED },
	};
	char *text;
	size_t len;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int fd[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
		assert_int_equal(send(fd[0], cases[i].bytes, cases[i].n, 0), cases[i].n);
		if (cases[i].close)
			close(fd[0]);
		assert_int_equal(
			sealed_read(fd[1], 0, own_munged(), 50, &text, &len, why, sizeof(why)),
			cases[i].rc);
		assert_null(text);
		if (!cases[i].close)
			close(fd[0]);
		close(fd[1]);
	}
}

static void test_exchange(void **state)
{
	char *text;
	size_t len;
	int fd[2];

	(void)state;
	if (!own_munged_is_there())
		skip();
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(sealed_write(fd[0], "one", 3, own_munged(), 1000, why, sizeof(why)),
			 SEALED_OK);
	assert_int_equal(sealed_write(fd[0], "two", 3, own_munged(), 1000, why, sizeof(why)),
			 SEALED_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(sealed_read(fd[1], getuid(), own_munged(), 1000, &text, &len, why,
					     sizeof(why)),
				 SEALED_OK);
		assert_string_equal(text, i ? "two" : "one");
		free(text);
	}
	close(fd[0]);
	close(fd[1]);
}

/* Nobody is at the socket: that is told, and no fault of the message. */
static void test_no_munged(void **state)
{
	char *cred;

	(void)state;
	assert_int_equal(sealed_make("x", 1, "/nonexistent/munge", &cred, why, sizeof(why)),
			 SEALED_MUNGE);
	assert_null(cred);
	assert_true(why[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_hostile_answers), cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_mutations),	cmocka_unit_test(test_sealed),
		cmocka_unit_test(test_expired),		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_connection),	cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_no_munged),
	};

	int rc;

	own_munged_start();
	rc = seed_run("node_report", tests);
	own_munged_stop();
	return rc;
}
