/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim: the simulator's command. Its subcommands are cmd_*.c. */
#include <stdio.h>
#include <string.h>

#include "pactconfig.h"
#include "sim/commands/cmd.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "run", cmd_run, "run a workload through a scheduler, check the schedule, print figures" },
	{ "sweep", cmd_sweep, "many runs over lists of values, on all cores, a CSV row for each" },
	{ "bound", cmd_bound, "say how much of a workload any method could promise at most" },
	{ "trace", cmd_trace, "say what a log contains; cut and convert it" },
	{ "gantt", cmd_gantt, "draw a schedule as SVG, nodes over time" },
	{ "matrix", cmd_matrix, "show the matrix of jobs that take turns, at a time" },
	{ "replay", cmd_replay, "play a recording, stop at the first decision that differs" },
	{ "scenario", cmd_scenario, "run worked examples and compare them with what they expect" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *out)
{
	fprintf(out, "pact-sim: the schedulers of Pact in virtual time\n\n"
		     "usage: pact-sim COMMAND [OPTIONS]\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
	fprintf(out,
		"\nA first run, no log needed:\n"
		"  pact-sim run --model poisson --nodes 128 --scheduler qops \\\n"
		"      --deadlines stringency:0.2,fraction:0.5\n\n"
		"'pact-sim COMMAND --help' teaches each; the whole story is in pact-sim(1).\n");
}

int main(int argc, char **argv)
{
	static char name[32];

	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return cmd_finish(EXIT_OK);
	}
	if (!strcmp(argv[1], "--version")) {
		printf("pact-sim %s\n", PACKAGE_VERSION);
		return cmd_finish(EXIT_OK);
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name)) {
			/* As getopt's messages name it. */
			snprintf(name, sizeof(name), "pact-sim %s", commands[i].name);
			argv[1] = name;
			return cmd_finish(commands[i].run(argc - 1, argv + 1));
		}
	fprintf(stderr, "pact-sim: unknown command '%s'; see pact-sim --help\n", argv[1]);
	return EXIT_USAGE;
}
