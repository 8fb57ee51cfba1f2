/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd: the subcommands of pact-sim and its exit codes.
 */
#ifndef PACT_SIM_CMD_H
#define PACT_SIM_CMD_H

/* Beside these a failure inside the scheduler or the loop exits with its enum pact_err (10 up). */
enum cmd_exit {
	EXIT_OK = 0,
	EXIT_USAGE = 1, /* unknown option, malformed value */
	EXIT_INPUT = 2, /* a file that cannot be read, or holds what it should not */
	EXIT_INVALID =
		3, /* the validator found a violation, a scenario or a replay went otherwise */
	EXIT_OUTPUT = 4, /* a result could not be written */
};

/* argv[0] is the subcommand's name. Each returns the exit code. */
int cmd_bound(int argc, char **argv);
int cmd_gantt(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_scenario(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_trace(int argc, char **argv);

struct option; /* getopt.h */

#define CMD_MAX_OPTIONS 64

/*
 * For getopt_long(): all of run_options_names(), each with a value and with 'o' for its letter, then the
 * command's own, which end with an empty one, as the table of CMD_MAX_OPTIONS will.
 */
void cmd_options(struct option *table, const struct option *own);

#endif
