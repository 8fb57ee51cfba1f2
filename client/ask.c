/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask.c - see ask.h */
#include "client/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Where the program is; another one for tests of a tree that is not installed. */
static const char *program(void)
{
	const char *other = secure_getenv("PACT_MALLEABLE_CALL");

	return other && *other ? other : PACT_CALL;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Whatever the caller does with signals, the program has them as usual. */
static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	posix_spawnattr_setsigmask(attr, &none);
	posix_spawnattr_setsigdefault(attr, &all);
	return posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int start(const char **argv, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc)
		return rc;
	rc = posix_spawnattr_init(&attr);
	if (!rc) {
		argv[0] = program();
		rc = set_signals(&attr);
		if (!rc)
			rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
							      O_RDONLY, 0);
		if (!rc)
			rc = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
		if (!rc)
			rc = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
							      O_WRONLY, 0);
		if (!rc)
			rc = posix_spawn(pid, argv[0], &files, &attr, (char *const *)argv, environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* Does a text end with the line "end"? */
static bool is_whole(const char *text, size_t length)
{
	return length >= 4 && !memcmp(text + length - 4, "end\n", 4) &&
	       (length == 4 || text[length - 5] == '\n');
}

/* All that comes until the other side closes. */
static int read_all(int fd, int patience, char **out)
{
	int64_t end = now_ms() + (int64_t)patience * 1000;
	size_t used = 0, size = 4096;
	char *text = malloc(size);
	int rc = text ? 0 : ENOMEM;

	while (!rc) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - now_ms();
		ssize_t got = -1;

		if (left <= 0 || used >= ASK_MAX) {
			rc = left <= 0 ? ETIMEDOUT : EMSGSIZE;
		} else if (poll(&p, 1, (int)left) > 0 &&
			   (got = read(fd, text + used, size - used - 1)) > 0) {
			used += (size_t)got;
		} else if (got == 0) {
			break;
		}
		if (!rc && used + 1 == size) {
			char *more = realloc(text, size *= 2);

			rc = more ? 0 : ENOMEM;
			text = more ? more : text;
		}
	}
	if (!rc && !is_whole(text, used))
		rc = EPROTO;
	if (rc) {
		free(text);
		return rc;
	}
	text[used] = '\0';
	*out = text;
	return 0;
}

static const char *reason(int rc)
{
	switch (rc) {
	case ETIMEDOUT:
		return "Slurm did not answer in time";
	case EPROTO:
		return "pact-malleable-call ended without an answer";
	case ENOENT:
	case EACCES:
		return "there is no pact-malleable-call that can be run";
	default:
		return strerrordesc_np(rc);
	}
}

int ask_call(const char **argv, int patience, char **answer, const char **why)
{
	int ends[2], rc;
	pid_t pid;

	*answer = NULL;
	*why = "";
	if (pipe2(ends, O_CLOEXEC)) {
		*why = reason(errno);
		return errno;
	}
	rc = start(argv, ends[1], &pid);
	close(ends[1]);
	if (!rc) {
		rc = read_all(ends[0], patience, answer);
		if (rc)
			kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
	if (rc)
		*why = reason(rc);
	return rc;
}
