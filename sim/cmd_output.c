/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_output: a subcommand's results on their way into a file. See cmd.h. */
#include "sim/cmd.h"

#include <errno.h>
#include <string.h>

#include "core/sched.h"

bool cmd_is_standard(const char *path)
{
	return path && !strcmp(path, "-");
}

int cmd_write(const char *path, int (*writer)(const void *what, FILE *out), const void *what)
{
	bool standard = cmd_is_standard(path);
	FILE *out = standard ? stdout : fopen(path, "w");
	int err = out ? writer(what, out) : errno;

	if (out && !standard && fclose(out) && !err)
		err = errno;
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", standard ? "standard output" : path,
		strerror(err));
	return err == ENOMEM ? PACT_ENOMEM : EXIT_OUTPUT;
}
