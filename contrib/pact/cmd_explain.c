/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_explain.c - pact explain
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "contrib/pact/command.h"

enum { OPT_LAST = 1 };

static const struct option options[] = {
	{ "last", no_argument, NULL, OPT_LAST },
	{ "user", required_argument, NULL, 'u' },
	{ NULL, 0, NULL, 0 },
};

/* "4711", "4711_3", or a reference.  RET false: none of them */
static bool parse(struct session *s, const char *what)
{
	unsigned long long id, task;
	char *end;

	if (what[0] == 'R') {
		json_object_object_add(s->args, "reference", json_object_new_string(what));
		return true;
	}
	errno = 0;
	id = strtoull(what, &end, 10);
	if (!isdigit((unsigned char)what[0]) || errno || id < 1 || id > UINT32_MAX)
		return false;
	json_object_object_add(s->args, "job", json_object_new_int64((int64_t)id));
	if (!*end)
		return true;
	if (*end != '_' || !isdigit((unsigned char)end[1]))
		return false;
	task = strtoull(end + 1, &end, 10);
	if (errno || *end || task > UINT32_MAX - 2)
		return false;
	json_object_object_add(s->args, "task", json_object_new_int64((int64_t)task));
	return true;
}

static int option(struct session *s, int opt, const char *value)
{
	if (opt == 'u')
		return take_user(s, value);
	json_object_object_add(s->args, "last", json_object_new_boolean(true));
	return STATUS_OK;
}

static int finish(struct session *s, int argc, char **argv)
{
	bool last = get_bool(s->args, "last");

	if (get_member(s->args, "user") && !last)
		return tell_error(STATUS_USAGE, "--user: only with --last");
	if (last ? !argc : argc == 1 && parse(s, argv[0]))
		return STATUS_OK;
	fprintf(stderr,
		"pact: explain takes one job (4711, 4711_3), or a reference (Rbcdfg), or "
		"--last%s%s\n",
		argc == 1 ? ", not " : "", argc == 1 ? argv[0] : "");
	return STATUS_USAGE;
}

const struct command command_explain = {
	.name = "explain",
	.what = "why a job waits or was refused, and whether its promise was kept",
	.usage = "JOBID[_TASK]|REFERENCE|--last [-u USER] [--json]\n"
		 "      --last       what was decided last about a deadline that you asked for\n"
		 "  -u, --user USER  that this user asked for; for Slurm's operators",
	.examples = "  pact explain 4711     why it waits, or whether its promise was kept\n"
		    "  pact explain 4711_3   a task of an array\n"
		    "  pact explain Rbcdfg   a refused submission, by what its message says\n"
		    "  pact explain --last   the latest submission, whose message a portal has not "
		    "shown\n",
	.letters = "u:",
	.options = options,
	.option = option,
	.finish = finish,
	.show = show_explain,
};
