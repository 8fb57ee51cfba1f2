/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_record.c - pact record
 */
#include <string.h>

#include "contrib/pact/command.h"

static int finish(struct session *s, int argc, char **argv)
{
	const char *what = argc == 1 ? argv[0] : "";

	if (!strcmp(what, "on") || !strcmp(what, "off"))
		json_object_object_add(s->args, "set", json_object_new_string(what));
	else if (strcmp(what, "status")) {
		fprintf(stderr, "pact: record takes one of on, off and status%s%s\n",
			argc == 1 ? ", not " : "", what);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

const struct command command_record = {
	.name = "record",
	.what = "write down what the planner is told, for pact-sim replay",
	.usage = "on|off|status [--json]\n"
		 "  on, off  until pact.conf has another Record=, or a restart; for operators",
	.examples = "  pact record on\n"
		    "  pact record status --json | jq -r .file\n",
	.finish = finish,
	.show = show_record,
};
