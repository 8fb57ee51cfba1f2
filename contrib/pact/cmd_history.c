/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_history.c - pact history
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/pact/command.h"
#include "contrib/pact/show/sum.h"
#include "slurm/history/history.h"

enum { OPT_CSV = 1, OPT_OUTCOME, OPT_LIMIT, OPT_SUMMARY, OPT_RESIZES };

static const struct option options[] = {
	{ "user", required_argument, NULL, 'u' },
	{ "account", required_argument, NULL, 'A' },
	{ "since", required_argument, NULL, 'S' },
	{ "until", required_argument, NULL, 'E' },
	{ "job", required_argument, NULL, 'j' },
	{ "outcome", required_argument, NULL, OPT_OUTCOME },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "summary", no_argument, NULL, OPT_SUMMARY },
	{ "resizes", no_argument, NULL, OPT_RESIZES },
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

static int option(struct session *s, int opt, const char *value)
{
	switch (opt) {
	case 'u':
		return take_user(s, value);
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
	case OPT_RESIZES:
		s->resizes = true;
		json_object_object_add(s->args, "resizes", json_object_new_boolean(true));
		return STATUS_OK;
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
	static const char *const rows[] = { "job", "outcome", "limit", "resizes" };
	char why[80];

	for (size_t i = 0; s->summary && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (get_member(s->args, rows[i])) {
			snprintf(why, sizeof(why), "--summary and --%s: only one of them", rows[i]);
			return tell_error(STATUS_USAGE, why);
		}
	return STATUS_OK;
}

#define LIMIT 100

/* What has been read so far. */
struct pages {
	json_object *rows;
	bool more;     /* there may be others */
	bool complete; /* the last answer was not cut off by time */
};

/* The next rows, no more than `most`.  RET an exit code, told */
static int ask_page(struct session *s, struct pages *p, int64_t most)
{
	json_object *answer, *rows;
	char why[CLIENT_WHY];
	size_t have = get_count(p->rows);
	enum status status;

	json_object_object_add(s->args, "limit", json_object_new_int64(most));
	if (have)
		json_object_object_add(
			s->args, "before",
			json_object_new_int64(
				get_number(json_object_array_get_idx(p->rows, have - 1), "row")));
	status = client_ask(s->socket, s->command->name, json_object_get(s->args), &answer, why);
	if (status != STATUS_OK)
		return tell_error(status, why);
	rows = get_member(answer, "entries");
	for (size_t i = 0; i < get_count(rows); i++)
		json_object_array_add(p->rows, json_object_get(json_object_array_get_idx(rows, i)));
	p->complete = get_bool(answer, "complete");
	/* one that was cut off is asked for again, from its last row on */
	p->more = (int64_t)get_count(rows) == most || (!p->complete && get_count(rows));
	json_object_put(answer);
	return STATUS_OK;
}

static void tell_progress(const struct pages *p, const char *end)
{
	if (get_count(p->rows) > HISTORY_PAGE && isatty(STDERR_FILENO))
		fprintf(stderr, "\rpact: %zu entries%s", get_count(p->rows), end);
}

/* Page by page, until there are as many as were asked for, or no more. */
static int run_list(struct session *s)
{
	json_object *given = get_member(s->args, "limit"), *answer = json_object_new_object();
	int64_t limit = given ? json_object_get_int64(given) : LIMIT;
	struct pages p = { .rows = json_object_new_array(), .more = true };
	int status = STATUS_OK;

	json_object_object_add(answer, "entries", p.rows);
	while (status == STATUS_OK && p.more && (!limit || (int64_t)get_count(p.rows) < limit)) {
		int64_t left = limit ? limit - (int64_t)get_count(p.rows) : HISTORY_PAGE;

		status = ask_page(s, &p, left < HISTORY_PAGE ? left : HISTORY_PAGE);
		tell_progress(&p, "");
	}
	tell_progress(&p, "\n");
	json_object_object_add(answer, "complete", json_object_new_boolean(p.complete));
	if (status == STATUS_OK)
		status = (int)show_answer(s, answer, stdout);
	json_object_put(answer);
	return status;
}

/* The next part.  OUT more - there are others.  RET an exit code, told */
static int ask_part(struct session *s, struct sum *sum, bool *more)
{
	static const char *const next[][2] = { { "next", "after" }, { "next_when", "after_when" } };
	json_object *answer, *value;
	char why[CLIENT_WHY];
	enum status status =
		client_ask(s->socket, s->command->name, json_object_get(s->args), &answer, why);

	if (status != STATUS_OK)
		return tell_error(status, why);
	for (size_t i = 0; i < 2; i++) {
		value = json_object_get(get_member(answer, next[i][0]));
		*more = value != NULL;
		json_object_object_add(s->args, next[i][1], value);
	}
	if (!sum_add(sum, get_member(answer, "lines")))
		status = tell_error(STATUS_NOMEM, "out of memory");
	json_object_put(answer);
	return (int)status;
}

/* Part by part, to the end. */
static int run_summary(struct session *s)
{
	struct sum *sum = sum_create();
	json_object *answer = NULL;
	int status = sum ? STATUS_OK : tell_error(STATUS_NOMEM, "out of memory");
	bool more = true;

	for (size_t n = 0; status == STATUS_OK && more; n++) {
		if (n && isatty(STDERR_FILENO))
			fprintf(stderr, "\rpact: %zu entries", n * HISTORY_PAGE);
		status = ask_part(s, sum, &more);
		if (n && !more && isatty(STDERR_FILENO))
			fputc('\n', stderr);
	}
	if (status == STATUS_OK && !(answer = sum_finish(sum)))
		status = tell_error(STATUS_NOMEM, "out of memory");
	if (status == STATUS_OK)
		status = (int)show_answer(s, answer, stdout);
	json_object_put(answer);
	sum_destroy(sum);
	return status;
}

static int run(struct session *s)
{
	static struct command other;

	if (check_summary(s))
		return STATUS_USAGE;
	other = *s->command;
	if (s->summary)
		other.show = s->csv ? show_summary_csv : show_summary;
	else if (s->resizes)
		other.show = s->csv ? show_history_resizes_csv : show_history_resizes;
	else if (s->csv)
		other.show = show_history_csv;
	s->command = &other;
	return s->summary ? run_summary(s) : run_list(s);
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
		 "      --outcome WORD     accepted, expected, refused, observed, void; kept, "
		 "at_limit,\n"
		 "                         broken, cancelled, withdrawn, unknown\n"
		 "      --resizes              instead, of running jobs: what became of their "
		 "nodes, and what\n"
		 "                         that cost; WORD: grown, given_back, taken, lost, "
		 "revoked, refused\n"
		 "      --limit NUMBER     the latest so many (default 100; 0: all)\n"
		 "      --summary          by month, user and account: how many\n"
		 "      --csv              as comma-separated values",
	.examples = "  pact history --outcome broken --since now-7days\n"
		    "  pact history --limit 0 --csv >history.csv\n"
		    "  pact history --resizes --job 4711\n"
		    "  pact history --summary --since 2026-01-01\n",
	.letters = "u:A:S:E:j:",
	.options = options,
	.option = option,
	.run = run,
	.show = show_history,
};
