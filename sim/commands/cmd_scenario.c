/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-sim scenario: runs worked examples, prints TAP. See pact-sim(1) and doc/scenarios.md. */
#include "sim/commands/cmd.h"

#include <stdio.h>
#include <string.h>

#include "sim/check/scenario.h"

static const char help[] =
	"usage: pact-sim scenario FILE...\n"
	"\n"
	"Runs worked examples: small files that list a few jobs, and for each what a scheduler\n"
	"must decide and when the job must start. Prints one line of TAP (Test Anything\n"
	"Protocol) for each decision, each start, and the validator's word on the schedule.\n"
	"\n"
	"Example\n"
	"  pact-sim scenario testsuite/scenarios/*.scn\n"
	"\n"
	"Exit: 0 all as expected, 1 usage, 2 a file is malformed, 3 something went otherwise.\n";

struct tap {
	const char *file;
	unsigned int number;
};

static void tell(void *arg, bool ok, const char *what)
{
	struct tap *tap = arg;

	printf("%s %u - %s: %s\n", ok ? "ok" : "not ok", ++tap->number, tap->file, what);
}

static int run_file(struct tap *tap, const char *path)
{
	char why[512];
	const char *slash = strrchr(path, '/');
	struct scenario *sc = scenario_read(path, why, sizeof(why));
	int failures;

	tap->file = slash ? slash + 1 : path;
	if (!sc) {
		tell(tap, false, why);
		fprintf(stderr, "pact-sim: %s\n", why);
		return EXIT_INPUT;
	}
	failures = scenario_run(sc, tell, tap, why, sizeof(why));
	scenario_destroy(sc);
	if (failures < 0)
		tell(tap, false, why);
	return failures ? EXIT_INVALID : EXIT_OK;
}

int cmd_scenario(int argc, char **argv)
{
	struct tap tap = { 0 };
	int worst = EXIT_OK;

	if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return EXIT_OK;
	}
	if (argc < 2 || argv[1][0] == '-') {
		fprintf(stderr,
			"pact-sim scenario: a FILE is needed; see pact-sim scenario --help\n");
		return EXIT_USAGE;
	}
	for (int i = 1; i < argc; i++) {
		int err = run_file(&tap, argv[i]);

		/* A malformed file outranks a result that is otherwise. */
		if (err && worst != EXIT_INPUT)
			worst = err;
	}
	printf("1..%u\n", tap.number);
	return worst;
}
