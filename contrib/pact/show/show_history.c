/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_history.c - pact history as tables, and as comma-separated values
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/show/show.h"

/* The latest come last, where a terminal shows them. */
static json_object *entry_at(json_object *entries, size_t i)
{
	return json_object_array_get_idx(entries, get_count(entries) - 1 - i);
}

static void job_name(json_object *entry, char out[32])
{
	if (!get_number(entry, "job"))
		strcpy(out, "-");
	else if (get_member(entry, "task"))
		snprintf(out, 32, "%" PRId64 "_%" PRId64, get_number(entry, "array"),
			 get_number(entry, "task"));
	else
		snprintf(out, 32, "%" PRId64, get_number(entry, "job"));
}

static void show_entry(json_object *entry, FILE *out)
{
	char when[32], by[32], end[32], user[64], job[32];
	const char *reference = get_text(entry, "reference"), *account = get_text(entry, "account");

	job_name(entry, job);
	fprintf(out, "%-25s %-9s %-10s %-10s ", show_time(get_number(entry, "when"), when),
		get_text(entry, "what"), job, show_user(get_number(entry, "user"), user));
	clean_column(account[0] ? account : "-", 10, out);
	fprintf(out, " %-25s %-25s %s\n", show_time(get_number(entry, "deadline"), by),
		show_time(get_number(entry, "end"), end),
		reference[0] ? reference : get_text(entry, "reason"));
}

void show_history(json_object *answer, const struct style *style, FILE *out)
{
	json_object *entries = get_member(answer, "entries");

	fprintf(out, "%s%-25s %-9s %-10s %-10s %-10s %-25s %-25s %s%s\n",
		style_on(style, STYLE_BOLD), "WHEN", "WHAT", "JOB", "USER", "ACCOUNT", "DEADLINE",
		"END", "WHY", style_off(style));
	for (size_t i = 0; i < get_count(entries); i++)
		show_entry(entry_at(entries, i), out);
	if (!get_bool(answer, "complete"))
		fprintf(out, "not all was read in time: ask for less\n");
}

/* ---- resizes ---- */

/* How long it took: from when it was asked for, or under slurmctld's locks. */
static void took_name(json_object *entry, char out[32])
{
	int64_t held = get_number(entry, "held_us");

	strcpy(out, "-");
	if (get_member(entry, "took"))
		snprintf(out, 32, "%" PRId64 " s", get_number(entry, "took"));
	else if (held)
		snprintf(out, 32, "%" PRId64 ".%01" PRId64 " ms", held / 1000, held % 1000 / 100);
}

/* What else there is to say, or "". */
static void remark_name(json_object *entry, char out[48])
{
	int64_t wanted = get_number(entry, "wanted"), to = get_number(entry, "to");

	out[0] = '\0';
	if (get_bool(entry, "not_now"))
		strcpy(out, "it said not now");
	else if (wanted && wanted != to)
		snprintf(out, 48, "wanted: %" PRId64, wanted);
}

static void show_resize(json_object *entry, FILE *out)
{
	const char *by = get_text(entry, "by");
	char when[32], user[64], nodes[48], asks[32] = "-", notice[32] = "-", took[32], more[48];

	snprintf(nodes, sizeof(nodes), "%" PRId64 "->%" PRId64, get_number(entry, "from"),
		 get_number(entry, "to"));
	if (get_number(entry, "for"))
		snprintf(asks, sizeof(asks), "job %" PRId64, get_number(entry, "for"));
	if (get_number(entry, "notice"))
		snprintf(notice, sizeof(notice), "%" PRId64 " s", get_number(entry, "notice"));
	fprintf(out, "%-25s %-10s %-10" PRId64 " %-10s %-11s %-9s %-11s %-7s",
		show_time(get_number(entry, "when"), when), get_text(entry, "what"),
		get_number(entry, "job"), show_user(get_number(entry, "user"), user), nodes,
		by[0] ? by : "-", asks, notice);
	took_name(entry, took);
	remark_name(entry, more);
	fprintf(out, more[0] ? " %-9s %s\n" : " %s%s\n", took, more);
}

void show_history_resizes(json_object *answer, const struct style *style, FILE *out)
{
	json_object *entries = get_member(answer, "entries");

	fprintf(out, "%s%-25s %-10s %-10s %-10s %-11s %-9s %-11s %-7s %s%s\n",
		style_on(style, STYLE_BOLD), "WHEN", "WHAT", "JOB", "USER", "NODES", "BY", "FOR",
		"NOTICE", "TOOK", style_off(style));
	for (size_t i = 0; i < get_count(entries); i++)
		show_resize(entry_at(entries, i), out);
	if (!get_bool(answer, "complete"))
		fprintf(out, "not all was read in time: ask for less\n");
}

/* ---- as comma-separated values ---- */

void show_csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_cell(json_object *entry, const char *key, FILE *out)
{
	json_object *value = get_member(entry, key);

	if (json_object_is_type(value, json_type_string))
		show_csv_text(json_object_get_string(value), out);
	else if (value)
		fprintf(out, "%" PRId64, json_object_get_int64(value));
}

static void show_columns(json_object *answer, const char *const *columns, size_t n, FILE *out)
{
	json_object *entries = get_member(answer, "entries");

	for (size_t c = 0; c < n; c++)
		fprintf(out, "%s%s", columns[c], c + 1 < n ? "," : "\r\n");
	for (size_t i = 0; i < get_count(entries); i++)
		for (size_t c = 0; c < n; c++) {
			csv_cell(entry_at(entries, i), columns[c], out);
			fputs(c + 1 < n ? "," : "\r\n", out);
		}
	if (!get_bool(answer, "complete"))
		fprintf(stderr, "pact: not all was read in time: ask for less\n");
}

void show_history_csv(json_object *answer, const struct style *style, FILE *out)
{
	static const char *const columns[] = {
		"when",	   "what",	"job",	 "array",  "task",	"user",
		"account", "partition", "nodes", "limit",  "deadline",	"tasks",
		"start",   "end",	"late",	 "reason", "reference", "text",
	};

	(void)style;
	show_columns(answer, columns, sizeof(columns) / sizeof(columns[0]), out);
}

void show_history_resizes_csv(json_object *answer, const struct style *style, FILE *out)
{
	static const char *const columns[] = {
		"when", "what",	  "job", "user",  "account", "partition", "by",	  "from",
		"to",	"wanted", "for", "asked", "notice",  "not_now",	  "took", "held_us",
	};

	(void)style;
	show_columns(answer, columns, sizeof(columns) / sizeof(columns[0]), out);
}
