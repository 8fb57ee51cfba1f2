/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_output: a subcommand's results on their way into a file. See cmd.h. */
#include "sim/commands/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sched.h"

bool cmd_is_standard(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Both are there, and are one file with contents of its own; /dev/null may be named twice. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (cmd_is_standard(a) || cmd_is_standard(b))
		return cmd_is_standard(a) && cmd_is_standard(b);
	if (stat(a, &x) || stat(b, &y))
		return !strcmp(a, b);
	return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What will keep it from being written, as far as that can be seen; 0: nothing. */
static int cannot_write(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat is;
	char *dir;
	int err = 0;

	if (cmd_is_standard(path))
		return 0;
	if (stat(path, &is) == 0)
		return S_ISDIR(is.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
	if (errno != ENOENT || !*path)
		return errno;
	dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	if (!dir)
		return ENOMEM;
	if (access(dir, W_OK | X_OK))
		err = errno;
	free(dir);
	return err;
}

static int clash(const char *name, const struct cmd_output *a, const struct cmd_output *b)
{
	char why[512];

	snprintf(why, sizeof(why), "--%s %.128s, --%s %.128s: %s", a->option, a->path, b->option,
		 b->path,
		 cmd_is_standard(a->path) ? "only one of them can go to standard output"
					  : "they are the same file");
	return cmd_usage_error(name, why);
}

int cmd_check_outputs(const char *name, const char *input, const struct cmd_output *v, size_t n)
{
	char why[512];
	int err;

	for (size_t i = 0; i < n; i++) {
		if (!v[i].path)
			continue;
		for (size_t k = 0; k < i; k++) {
			if (v[k].path && same_file(v[k].path, v[i].path))
				return clash(name, &v[k], &v[i]);
		}
		if (input && strcmp(input, "-") != 0 && same_file(input, v[i].path)) {
			snprintf(why, sizeof(why), "--%s %.256s: that is the file to be read",
				 v[i].option, v[i].path);
			return cmd_usage_error(name, why);
		}
		err = cannot_write(v[i].path);
		if (err) {
			fprintf(stderr, "pact-sim: cannot write %s: %s\n", v[i].path,
				strerror(err));
			return EXIT_OUTPUT;
		}
	}
	return EXIT_OK;
}

int cmd_finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	/* a result that was told by name has said so already */
	if (code == EXIT_OK)
		fprintf(stderr, "pact-sim: cannot write standard output: %s\n",
			strerror(errno ? errno : EIO));
	return code == EXIT_OK ? EXIT_OUTPUT : code;
}

int cmd_check_run_outputs(const char *name, const struct run_options *o, const struct cmd_output *v,
			  size_t n)
{
	int err = cmd_check_outputs(name, o->trace, v, n);

	return err || !o->deadlines.file ? err : cmd_check_outputs(name, o->deadlines.file, v, n);
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
