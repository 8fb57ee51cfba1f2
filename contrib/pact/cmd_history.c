/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_history.c - pact history
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/pact/command.h"

enum { OPT_CSV = 1, OPT_OUTCOME, OPT_LIMIT, OPT_SUMMARY };

static const struct option options[] = {
	{ "user", required_argument, NULL, 'u' },
	{ "account", required_argument, NULL, 'A' },
	{ "since", required_argument, NULL, 'S' },
	{ "until", required_argument, NULL, 'E' },
	{ "job", required_argument, NULL, 'j' },
	{ "outcome", required_argument, NULL, OPT_OUTCOME },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "summary", no_argument, NULL, OPT_SUMMARY },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ NULL, 0, NULL, 0 },
};

static int add_text(struct session *s, const char *key, const char *value)
{
	json_object_object_add(s->args, key, json_object_new_string(value));
	return STATUS_OK;
}

/* RET false: no whole number from 0 */
static bool read_number(const char *value, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(value, &end, 10);
	return !errno && end != value && !*end && *out >= 0;
}

static int add_number(struct session *s, const char *key, const char *value)
{
	long long number;

	if (!read_number(value, &number)) {
		fprintf(stderr, "pact: --%s=%s: must be a whole number\n", key, value);
		return STATUS_USAGE;
	}
	json_object_object_add(s->args, key, json_object_new_int64(number));
	return STATUS_OK;
}

/* By name, else by number. */
static int add_user(struct session *s, const char *value)
{
	const struct passwd *pw = getpwnam(value);
	long long number;

	if (!pw && !read_number(value, &number)) {
		fprintf(stderr, "pact: --user=%s: no such user\n", value);
		return STATUS_USAGE;
	}
	json_object_object_add(s->args, "user",
			       json_object_new_int64(pw ? (long long)pw->pw_uid : number));
	return STATUS_OK;
}

static int option(struct session *s, int opt, const char *value)
{
	switch (opt) {
	case 'u':
		return add_user(s, value);
	case 'A':
		return add_text(s, "account", value);
	case 'S':
		return add_text(s, "since", value);
	case 'E':
		return add_text(s, "until", value);
	case 'j':
		return add_number(s, "job", value);
	case OPT_OUTCOME:
		return add_text(s, "outcome", value);
	case OPT_LIMIT:
		return add_number(s, "limit", value);
	case OPT_SUMMARY:
		s->summary = true;
		json_object_object_add(s->args, "summary", json_object_new_boolean(true));
		return STATUS_OK;
	default:
		s->csv = true;
		return STATUS_OK;
	}
}

/* What chooses rows has no place where they are summed up.  RET STATUS_OK, or it is told */
static int check_summary(const struct session *s)
{
	static const char *const rows[] = { "job", "outcome", "limit" };
	char why[80];

	for (size_t i = 0; s->summary && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (get_member(s->args, rows[i])) {
			snprintf(why, sizeof(why), "--summary and --%s: only one of them", rows[i]);
			return tell_error(STATUS_USAGE, why);
		}
	return STATUS_OK;
}

static int run(struct session *s)
{
	static struct command other;

	if (check_summary(s))
		return STATUS_USAGE;
	if (s->csv || s->summary) {
		other = *s->command;
		if (!s->summary)
			other.show = show_history_csv;
		else
			other.show = s->csv ? show_summary_csv : show_summary;
		s->command = &other;
	}
	return ask_and_show(s, stdout);
}

const struct command command_history = {
	.name = "history",
	.what = "what was promised and refused, and what became of it",
	.usage = "[OPTION...] [--csv|--json]\n"
		 "  -u, --user USER        of this user, by name or number\n"
		 "  -A, --account ACCOUNT  of this account\n"
		 "  -S, --since TIME       not older (18:00, 2026-11-01, now-2days)\n"
		 "  -E, --until TIME       not younger\n"
		 "  -j, --job JOBID        of this job or array\n"
		 "      --outcome WORD     accepted, refused, observed, void; kept, at_limit,\n"
		 "                         broken, cancelled, withdrawn, unknown\n"
		 "      --limit NUMBER     the latest so many (default 100, at most 10000)\n"
		 "      --summary          by month, user and account: how many\n"
		 "      --csv              as comma-separated values",
	.examples = "  pact history --outcome broken --since now-7days\n"
		    "  pact history --limit 10000 --csv >history.csv\n"
		    "  pact history --summary --since 2026-01-01\n",
	.letters = "u:A:S:E:j:",
	.options = options,
	.option = option,
	.run = run,
	.show = show_history,
};
