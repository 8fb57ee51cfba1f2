/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exits: the exit codes of pact-sim. */
#ifndef PACT_COMMON_EXITS_H
#define PACT_COMMON_EXITS_H

/* Beside these a failure inside the scheduler or the loop exits with its enum pact_err (10 up). */
enum cmd_exit {
	EXIT_OK = 0,
	EXIT_USAGE = 1, /* unknown option, malformed value */
	EXIT_INPUT = 2, /* a file that cannot be read, or holds what it should not */
	EXIT_INVALID =
		3, /* the validator found a violation, a scenario or a replay went otherwise */
	EXIT_OUTPUT = 4, /* a result could not be written */
};

#endif
