/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_listener.c - the socket's file: its mode, what is in its way, and who tampers with it
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "slurm/base/listener.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "testsuite/unit/seed.h"

static char dir[32], path[64], temp[72], victim[64];
static bool tampers;

/* In place of libc's: between bind() and what follows somebody puts a link there. */
int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	const char *name = ((const struct sockaddr_un *)addr)->sun_path;

	if (syscall(SYS_bind, fd, addr, len))
		return -1;
	if (tampers)
		assert_true(!unlink(name) && !symlink(victim, name));
	return 0;
}

static unsigned mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	return st.st_mode & 07777;
}

static int set_up(void **state)
{
	FILE *file;

	(void)state;
	tampers = false;
	strcpy(dir, "/tmp/pact-listener-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/sock", dir);
	snprintf(temp, sizeof(temp), "%s.new", path);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	file = fopen(victim, "w");
	assert_non_null(file);
	fclose(file);
	return chmod(victim, 0600);
}

static int tear_down(void **state)
{
	(void)state;
	unlink(victim);
	unlink(temp);
	unlink(path);
	return rmdir(dir);
}

static void test_open(void **state)
{
	static const uint32_t modes[] = { 0777, 0660, 0600 };
	struct listener l, other;
	char why[160];

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_true(listener_open(&l, path, modes[i], why, sizeof(why)));
		assert_int_equal(mode_of(path), modes[i]);
		assert_false(listener_open(&other, path, modes[i], why, sizeof(why)));
		assert_string_equal(why, "another process serves it");
		listener_close(&l);
		assert_int_equal(access(path, F_OK), -1);
	}
}

static void test_in_the_way(void **state)
{
	struct listener l;
	char why[160], longer[200], said[160];

	(void)state;
	assert_false(listener_open(&l, victim, 0777, why, sizeof(why)));
	assert_int_equal(mode_of(victim), 0600);
	memset(longer, 'x', sizeof(longer) - 1);
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	assert_false(listener_open(&l, longer, 0777, why, sizeof(why)));
	assert_string_equal(why, "the path is too long");
	snprintf(longer, sizeof(longer), "%s/no/such/sock", dir);
	assert_false(listener_open(&l, longer, 0777, why, sizeof(why)));
	snprintf(said, sizeof(said),
		 "cannot make the directory %s/no/such: No such file or directory", dir);
	assert_string_equal(why, said);
}

static void test_tampered(void **state)
{
	struct listener l;
	char why[160] = "";

	(void)state;
	tampers = true;
	assert_false(listener_open(&l, path, 0777, why, sizeof(why)));
	assert_int_not_equal(why[0], '\0');
	assert_int_equal(l.fd, -1);
	assert_int_equal(mode_of(victim), 0600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_open, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_the_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tampered, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
