/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_explain.c - pact explain
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "contrib/pact/command.h"

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

static int finish(struct session *s, int argc, char **argv)
{
	if (argc == 1 && parse(s, argv[0]))
		return STATUS_OK;
	fprintf(stderr, "pact: explain takes one job (4711, 4711_3) or reference (Rbcdfg)%s%s\n",
		argc == 1 ? ", not " : "", argc == 1 ? argv[0] : "");
	return STATUS_USAGE;
}

const struct command command_explain = {
	.name = "explain",
	.what = "why a job waits or was refused, and whether its promise was kept",
	.usage = "JOBID[_TASK]|REFERENCE [--json]",
	.examples = "  pact explain 4711     why it waits, or whether its promise was kept\n"
		    "  pact explain 4711_3   a task of an array\n"
		    "  pact explain Rbcdfg   a refused submission, by what its message says\n",
	.finish = finish,
	.show = show_explain,
};
