/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd: the subcommands of pact-sim; its exit codes are those of common/exits.h.
 */
#ifndef PACT_SIM_CMD_H
#define PACT_SIM_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "common/exits.h"
#include "sim/commands/run_options.h"

/* argv[0] is the subcommand's name. Each returns the exit code. */
int cmd_bound(int argc, char **argv);
int cmd_gantt(int argc, char **argv);
int cmd_matrix(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_scenario(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_trace(int argc, char **argv);

struct option; /* getopt.h */

/* A command line of the options of run and a command's own. */
struct cmd_line {
	const char *help; /* for --help and -h */
	const struct option
		*own; /* ends with an empty one; help has 'h', the others other letters */
	struct run_options *run; /* initialised; gets the options of run */
	int repeated; /* the letter of the own option that may be given more than once; 0: none */
	/* One of the command's own, by its letter; value: NULL if it has none. An exit code. */
	int (*take)(void *arg, int letter, const char *value);
	/* An option of run was taken: NULL, or what else is to be done with it. An exit code. */
	int (*taken)(void *arg, const char *name, const char *value);
	void *arg;
};

/*
 * Take them; words that follow an option's value are more of --set. argv[0] is the command's name in
 * messages. An exit code; *done: --help was asked for and given, nothing is left to do.
 */
int cmd_take_run_options(const struct cmd_line *line, int argc, char **argv, bool *done);

/* Whether the options of run can be run together and all have a part in it. An exit code, the reason told. */
int cmd_check_run_options(const struct run_options *o, const char *name);

/* Tell what is wrong with the command line, as a command of this name. EXIT_USAGE. */
int cmd_usage_error(const char *name, const char *why);

/* A time as the value of an option, "90", "90s", "15m", "12h" or "2d". An exit code, the reason told. */
int cmd_take_time(const char *name, const char *option, const char *value, int64_t *out);

/* At the end: did all that was said arrive? The exit code: `code`, or EXIT_OUTPUT, the reason told. */
int cmd_finish(int code);

/* Whether a file's name (NULL: none) is "-", standard output: then no text for people goes there. */
bool cmd_is_standard(const char *path);

/* An option that names a file to be written, and that name; NULL: it was not given. */
struct cmd_output {
	const char *option, *path;
};

/*
 * Before any work: can all these be written, each into a file of its own, none of them the one that is
 * read (`input`, NULL: none)? EXIT_OK; EXIT_USAGE or EXIT_OUTPUT, the reason told as that of the command
 * `name`.
 */
int cmd_check_outputs(const char *name, const char *input, const struct cmd_output *v, size_t n);

/* The same against both files that the options of run name to be read: the log and the deadlines. */
int cmd_check_run_outputs(const char *name, const struct run_options *o, const struct cmd_output *v,
			  size_t n);

/*
 * Write something into a file, or standard output for "-"; the writer returns 0 or an errno. EXIT_OK;
 * EXIT_OUTPUT or PACT_ENOMEM, the reason told.
 */
int cmd_write(const char *path, int (*writer)(const void *what, FILE *out), const void *what);

#endif
