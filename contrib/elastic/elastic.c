/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elastic: see elastic.h. */
#include "contrib/elastic/elastic.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

int64_t elastic_now(void)
{
	return (int64_t)time(NULL);
}

static int64_t milliseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t elastic_clock(void)
{
	return milliseconds(CLOCK_MONOTONIC);
}

int64_t elastic_until(int64_t by)
{
	return elastic_clock() + by * 1000 - milliseconds(CLOCK_REALTIME);
}

/* Of any length: the reason stands behind a list of nodes. */
static void say(const char *format, va_list args)
{
	char *line;

	if (vasprintf(&line, format, args) < 0)
		return;
	fprintf(stderr, "pact-elastic: %s\n", line);
	free(line);
}

void elastic_tell(const struct elastic *e, const char *format, ...)
{
	va_list args;

	if (e->options->quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void elastic_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

bool elastic_has(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

void elastic_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGHUP);
}

pid_t elastic_spawn(const char *const *argv, char **environment)
{
	posix_spawnattr_t attr;
	sigset_t none, all;
	pid_t pid = -1;
	int rc = posix_spawnattr_init(&attr);

	if (!rc) {
		sigemptyset(&none);
		elastic_signals(&all);
		posix_spawnattr_setsigmask(&attr, &none);
		posix_spawnattr_setsigdefault(&attr, &all);
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawnp(&pid, argv[0], NULL, &attr, (char *const *)argv,
				  environment ? environment : environ);
		posix_spawnattr_destroy(&attr);
	}
	if (rc)
		elastic_error("%s: %s", argv[0], strerror(rc));
	return rc ? -1 : pid;
}

static void reap(struct elastic *e)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (e->way->ended)
			e->way->ended(e, pid, status);
}

void elastic_wait(struct elastic *e, int64_t milliseconds)
{
	int64_t wait = milliseconds > 0 ? milliseconds : 0;
	struct timespec most = { .tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1000000 };
	sigset_t set;
	int got;

	elastic_signals(&set);
	got = sigtimedwait(&set, NULL, &most);
	if (got > 0 && got != SIGCHLD)
		e->signal = got;
	/* Several children that end are one signal, and one that ended under a question of the library's may be none. */
	reap(e);
}
