/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report_port: connections that say nothing, half a message or nonsense keep no node's report from being taken.
 */
#include "slurm/base/compat.h"

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "node/report/sealed.h"
#include "slurm/nodes/reports.h"
#include "testsuite/unit/own_munged.h"
#include "testsuite/unit/seed.h"

/* More than are held, and so many that two seconds for each would take minutes. */
#define IDLE 700
#define PATIENCE 30000

static uint16_t number;
static char why[256];

static struct sockaddr_in address(uint16_t at)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons(at),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* A port that nothing uses now. */
static uint16_t free_port(void)
{
	struct sockaddr_in at = address(0);
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	close(fd);
	return ntohs(at.sin_port);
}

static int dial(void)
{
	struct sockaddr_in at = address(number);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

/* As pactd does it. */
static enum sealed report(const char *node, uint64_t count)
{
	struct node_report r = { .count = count, .rating = 1000, .processors = 1 };
	enum sealed rc = SEALED_OK;
	char *text, *back = NULL;
	int fd = dial();
	size_t len;

	snprintf(r.node, sizeof(r.node), "%s", node);
	snprintf(r.boot, sizeof(r.boot), "boot");
	text = report_write(&r);
	assert_non_null(text);
	rc = sealed_write(fd, text, strlen(text), own_munged(), PATIENCE, why, sizeof(why));
	if (!rc)
		rc = sealed_read(fd, getuid(), own_munged(), PATIENCE, &back, &len, why,
				 sizeof(why));
	close(fd);
	free(text);
	free(back);
	return rc;
}

static bool heard(const char *node)
{
	struct reports_node out;

	reports_take(node, false, &out);
	free(out.jobs);
	return out.heard;
}

static int port_begin(void **state)
{
	struct reports_settings settings = { .interval = 30, .user = getuid() };

	(void)state;
	if (!own_munged_is_there())
		return 0;
	settings.port = number = free_port();
	snprintf(settings.munge, sizeof(settings.munge), "%s", own_munged());
	reports_configure(&settings);
	return 0;
}

static int port_end(void **state)
{
	(void)state;
	reports_stop();
	return 0;
}

static void test_report(void **state)
{
	(void)state;
	if (!own_munged_is_there())
		skip();
	assert_int_equal(report("n1", 1), SEALED_OK);
	assert_true(heard("n1"));
	assert_false(heard("n2"));
}

/* Connections that are open, and what each of them has said. */
static void hold(int *fd, const char *bytes, size_t n)
{
	for (int i = 0; i < IDLE; i++) {
		fd[i] = dial();
		if (n)
			assert_int_equal(send(fd[i], bytes, n, MSG_NOSIGNAL), n);
	}
}

static void test_held(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
	} says[] = {
		{ "", 0 },
		{ "\0", 1 },
		{ "\0\x10\0\0MUNGE:", 10 }, /* and a mebibyte is to follow */
	};
	static int fd[IDLE];

	(void)state;
	if (!own_munged_is_there())
		skip();
	for (size_t k = 0; k < sizeof(says) / sizeof(*says); k++) {
		char name[16];

		hold(fd, says[k].bytes, says[k].n);
		snprintf(name, sizeof(name), "held%zu", k);
		assert_int_equal(report(name, 1), SEALED_OK);
		assert_true(heard(name));
		for (int i = 0; i < IDLE; i++)
			close(fd[i]);
	}
}

/* There is an end to each, and the oldest goes first. */
static void test_dropped(void **state)
{
	static int fd[IDLE];
	char byte;

	(void)state;
	if (!own_munged_is_there())
		skip();
	hold(fd, "", 0);
	for (int i = 0; i < IDLE; i++) {
		assert_int_equal(recv(fd[i], &byte, 1, 0), 0);
		close(fd[i]);
	}
}

/* A message in many pieces is one. */
static void test_pieces(void **state)
{
	struct node_report r = { .count = 1, .rating = 1000, .processors = 1 };
	unsigned char head[4];
	char *text, *cred, *back;
	size_t len, n;
	int fd;

	(void)state;
	if (!own_munged_is_there())
		skip();
	strcpy(r.node, "slow");
	strcpy(r.boot, "boot");
	text = report_write(&r);
	assert_int_equal(sealed_make(text, strlen(text), own_munged(), &cred, why, sizeof(why)),
			 SEALED_OK);
	n = strlen(cred);
	for (int i = 0; i < 4; i++)
		head[i] = (unsigned char)(n >> (24 - 8 * i));
	fd = dial();
	for (size_t i = 0; i < sizeof(head); i++)
		assert_int_equal(send(fd, head + i, 1, MSG_NOSIGNAL), 1);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(send(fd, cred + i, 1, MSG_NOSIGNAL), 1);
	assert_int_equal(
		sealed_read(fd, getuid(), own_munged(), PATIENCE, &back, &len, why, sizeof(why)),
		SEALED_OK);
	assert_true(heard("slow"));
	close(fd);
	free(back);
	free(cred);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_report, port_begin, port_end),
		cmocka_unit_test_setup_teardown(test_held, port_begin, port_end),
		cmocka_unit_test_setup_teardown(test_dropped, port_begin, port_end),
		cmocka_unit_test_setup_teardown(test_pieces, port_begin, port_end),
	};
	struct rlimit files;
	int rc;

	/* both ends of all connections are ours */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	own_munged_start();
	rc = seed_run("report_port", tests);
	own_munged_stop();
	return rc;
}
