/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_munged: see own_munged.h. */
#include "testsuite/unit/own_munged.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "node/report/sealed.h"
#include "testsuite/unit/seed.h"

static char top[32], munge_socket[64];
static pid_t munged_pid;

const char *own_munged(void)
{
	return munge_socket;
}

static void write_key(const char *path)
{
	FILE *f = fopen(path, "w");

	for (int i = 0; f && i < 1024; i++)
		fputc((int)seed_below(256), f);
	if (f)
		fclose(f);
	chmod(path, 0400);
}

bool own_munged_is_there(void)
{
	char *cred, why[300];

	if (munged_pid <= 0 ||
	    sealed_make("x", 1, own_munged(), &cred, why, sizeof(why)) != SEALED_OK)
		return false;
	free(cred);
	return true;
}

void own_munged_start(void)
{
	char option[5][96];

	strcpy(top, "/tmp/pact-munge-XXXXXX");
	if (!mkdtemp(top) || chmod(top, 0755))
		return;
	snprintf(munge_socket, sizeof(munge_socket), "%s/socket", top);
	snprintf(option[0], sizeof(option[0]), "--socket=%s", munge_socket);
	snprintf(option[1], sizeof(option[1]), "--key-file=%s/key", top);
	snprintf(option[2], sizeof(option[2]), "--pid-file=%s/pid", top);
	snprintf(option[3], sizeof(option[3]), "--seed-file=%s/seed", top);
	snprintf(option[4], sizeof(option[4]), "--log-file=%s/log", top);
	write_key(option[1] + strlen("--key-file="));
	munged_pid = fork();
	if (!munged_pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(127);
		execlp("munged", "munged", "--foreground", option[0], option[1], option[2],
		       option[3], option[4], NULL);
		execl("/usr/sbin/munged", "munged", "--foreground", option[0], option[1], option[2],
		      option[3], option[4], NULL);
		_exit(127);
	}
	for (int i = 0; i < 200 && !waitpid(munged_pid, NULL, WNOHANG); i++) {
		if (!access(munge_socket, F_OK) && own_munged_is_there())
			return;
		usleep(50000);
	}
}

void own_munged_stop(void)
{
	char command[64];

	if (munged_pid > 0) {
		kill(munged_pid, SIGTERM);
		waitpid(munged_pid, NULL, 0);
	}
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	if (top[0] && system(command))
		fprintf(stderr, "%s is left\n", top);
}
