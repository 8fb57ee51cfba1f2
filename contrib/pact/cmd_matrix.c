/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_matrix.c - pact matrix
 */
#include "contrib/pact/command.h"

static const struct option options[] = {
	{ "partition", required_argument, NULL, 'p' },
	{ "watch", optional_argument, NULL, WATCH_AGAIN },
	{ "svg", required_argument, NULL, WATCH_SVG },
	{ NULL, 0, NULL, 0 },
};

static int option(struct session *s, int opt, const char *value)
{
	if (opt != 'p')
		return watch_option(s, opt, value);
	json_object_object_add(s->args, "partition", json_object_new_string(value));
	return STATUS_OK;
}

const struct command command_matrix = {
	.name = "matrix",
	.what = "jobs that take turns: rows by nodes, the row that runs, shares got and due",
	.usage =
		"[-p PARTITION] [--watch[=SECONDS]] [--svg FILE | --json]\n"
		"  -p, --partition PARTITION  that one's; else those of all whose jobs take turns\n"
		"  --watch     again every 2 seconds, or as many as are given\n"
		"  --svg FILE  a picture of it; with --watch drawn again and again",
	.examples =
		"  pact matrix --watch\n"
		"  pact matrix -p slice --svg matrix.svg\n"
		"  pact matrix --json | jq '.matrices[].jobs[] | [.job, .turns.got, .turns.due]'\n",
	.letters = "p:",
	.options = options,
	.option = option,
	.run = watch_run,
	.show = show_matrix,
	.draw = show_matrix_svg,
};
