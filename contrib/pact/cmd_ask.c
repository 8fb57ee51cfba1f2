/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_ask.c - pact ask
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/pact/command.h"

enum {
	OPT_DEADLINE = 1,
	OPT_TIME_MIN,
	OPT_MEM,
	OPT_EXCLUSIVE,
	OPT_PER_NODE,
	OPT_WCKEY,
	OPT_MCS_LABEL,
	OPT_ACCTG_FREQ,
	OPT_MALLEABLE,
	OPT_VALUE,
};

/* As sbatch has them. */
static const struct option options[] = {
	{ "nodes", required_argument, NULL, 'N' },
	{ "ntasks", required_argument, NULL, 'n' },
	{ "cpus-per-task", required_argument, NULL, 'c' },
	{ "ntasks-per-node", required_argument, NULL, OPT_PER_NODE },
	{ "mem", required_argument, NULL, OPT_MEM },
	{ "exclusive", no_argument, NULL, OPT_EXCLUSIVE },
	{ "time", required_argument, NULL, 't' },
	{ "time-min", required_argument, NULL, OPT_TIME_MIN },
	{ "begin", required_argument, NULL, 'b' },
	{ "deadline", required_argument, NULL, OPT_DEADLINE },
	{ "partition", required_argument, NULL, 'p' },
	{ "constraint", required_argument, NULL, 'C' },
	{ "exclude", required_argument, NULL, 'x' },
	{ "nodelist", required_argument, NULL, 'w' },
	{ "account", required_argument, NULL, 'A' },
	{ "qos", required_argument, NULL, 'q' },
	{ "dependency", required_argument, NULL, 'd' },
	{ "array", required_argument, NULL, 'a' },
	{ "wckey", required_argument, NULL, OPT_WCKEY },
	{ "mcs-label", required_argument, NULL, OPT_MCS_LABEL },
	{ "acctg-freq", required_argument, NULL, OPT_ACCTG_FREQ },
	{ "malleable", optional_argument, NULL, OPT_MALLEABLE },
	{ "value", required_argument, NULL, OPT_VALUE },
	{ NULL, 0, NULL, 0 },
};

static int add_text(struct session *s, const char *key, const char *value)
{
	json_object_object_add(s->args, key, json_object_new_string(value));
	return STATUS_OK;
}

/* A count, with a unit of 1024 where there may be one.  RET the rest; NULL: no number */
static const char *read_count(const char *text, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	return isdigit((unsigned char)text[0]) && !errno ? end : NULL;
}

static int wrong(const char *option, const char *value, const char *what)
{
	fprintf(stderr, "pact: --%s=%s: must be %s\n", option, value, what);
	return STATUS_USAGE;
}

static int add_count(struct session *s, const char *key, const char *option, const char *value)
{
	long long n;
	const char *end = read_count(value, &n);

	if (!end || *end)
		return wrong(option, value, "a whole number");
	json_object_object_add(s->args, key, json_object_new_int64(n));
	return STATUS_OK;
}

/* "4" or "2-4". */
static int add_nodes(struct session *s, const char *value)
{
	long long least, most;
	const char *end = read_count(value, &least);

	if (end && *end == '-') {
		end = read_count(end + 1, &most);
		if (end && !*end)
			json_object_object_add(s->args, "max_nodes", json_object_new_int64(most));
	}
	if (!end || *end)
		return wrong("nodes", value, "a number, or two such as 2-4");
	json_object_object_add(s->args, "nodes", json_object_new_int64(least));
	return STATUS_OK;
}

/* MiB, or with K, M, G, T. */
static int add_memory(struct session *s, const char *value)
{
	long long n;
	const char *end = read_count(value, &n), *units = "KMGT", *unit;

	unit = end && *end ? strchr(units, toupper((unsigned char)*end)) : units + 1;
	if (!end || !unit || (*end && end[1]) || n > (1LL << 30))
		return wrong("mem", value, "MiB, or a number with K, M, G or T");
	n = unit == units ? (n + 1023) / 1024 : n << (10 * (unit - units - 1));
	json_object_object_add(s->args, "mem", json_object_new_int64(n));
	return STATUS_OK;
}

static int option(struct session *s, int opt, const char *value)
{
	switch (opt) {
	case 'N':
		return add_nodes(s, value);
	case 'n':
		return add_count(s, "tasks", "ntasks", value);
	case 'c':
		return add_count(s, "cpus_per_task", "cpus-per-task", value);
	case OPT_PER_NODE:
		return add_count(s, "tasks_per_node", "ntasks-per-node", value);
	case OPT_MEM:
		return add_memory(s, value);
	case OPT_EXCLUSIVE:
		json_object_object_add(s->args, "exclusive", json_object_new_boolean(true));
		return STATUS_OK;
	case 't':
		return add_text(s, "time", value);
	case OPT_TIME_MIN:
		return add_text(s, "time_min", value);
	case 'b':
		return add_text(s, "begin", value);
	case OPT_DEADLINE:
		return add_text(s, "deadline", value);
	case 'p':
		return add_text(s, "partition", value);
	case 'C':
		return add_text(s, "constraint", value);
	case 'x':
		return add_text(s, "exclude", value);
	case 'w':
		return add_text(s, "nodelist", value);
	case 'A':
		return add_text(s, "account", value);
	case 'q':
		return add_text(s, "qos", value);
	case 'd':
		return add_text(s, "dependency", value);
	case OPT_WCKEY:
		return add_text(s, "wckey", value);
	case OPT_MCS_LABEL:
		return add_text(s, "mcs_label", value);
	case OPT_ACCTG_FREQ:
		return add_text(s, "acctg_freq", value);
	case OPT_MALLEABLE:
		return add_text(s, "malleable", value ? value : "");
	case OPT_VALUE:
		return add_text(s, "value", value);
	default:
		return add_text(s, "array", value);
	}
}

static enum status verdict(json_object *answer)
{
	return get_bool(answer, "promised") ? STATUS_OK : STATUS_NO;
}

const struct command command_ask = {
	.name = "ask",
	.what = "could this be promised, when at the earliest, and what would help?",
	.usage = "[-N NODES] [-n TASKS] [-t TIME] [--deadline TIME] [...] [--json]\n"
		 "  sbatch's options, of the same meaning:\n"
		 "  -N --nodes, -n --ntasks, -c --cpus-per-task, --ntasks-per-node, --mem, "
		 "--exclusive,\n"
		 "  -t --time, --time-min, -b --begin, --deadline, -p --partition, -C "
		 "--constraint,\n"
		 "  -x --exclude, -w --nodelist, -A --account, -q --qos, -d --dependency, -a "
		 "--array,\n"
		 "  --wckey, --mcs-label, --acctg-freq, --malleable, --value",
	.examples = "  pact ask -N16 -t 30 --deadline=18:00\n"
		    "  pact ask -N16 -t 30 && sbatch -N16 -t 30 --deadline=18:00 job.sh\n"
		    "  pact ask -N4 -t 2:00:00 --json | jq .earliest\n",
	.letters = "N:n:c:t:b:p:C:x:w:A:q:d:a:",
	.options = options,
	.option = option,
	.show = show_ask,
	.verdict = verdict,
};
