/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_summary.c - pact history --summary as a table, and as comma-separated values
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/terminal/clean.h"
#include "contrib/pact/show/show.h"

/* Of the table; seldom: only shown where there is any. */
static const struct {
	const char *key, *head;
	bool seldom;
} counts[] = {
	{ "asked", "ASKED", false },
	{ "accepted", "ACCEPTED", false },
	{ "refused", "REFUSED", false },
	{ "observed", "OBSERVED", true },
	{ "void", "VOID", true },
	{ "kept", "KEPT", false },
	{ "at_limit", "AT_LIMIT", true },
	{ "broken", "BROKEN", false },
	{ "cancelled", "CANCELLED", false },
	{ "withdrawn", "WITHDRAWN", true },
	{ "unknown", "UNKNOWN", true },
	{ "open", "OPEN", false },
};
#define NCOUNTS (sizeof(counts) / sizeof(counts[0]))

static int64_t count_of(json_object *line, const char *key)
{
	return strcmp(key, "asked") ? get_number(line, key)
				    : get_number(line, "accepted") + get_number(line, "refused");
}

/* "late 3, size 1"; for a cell of CSV with other signs */
static void show_reasons(json_object *line, const char *between, const char *and, FILE *out)
{
	const struct counts reasons = {
		.before = "", .between = and, .tell = show_count, .word = between
	};

	show_counts(get_member(line, "reasons"), &reasons, out);
}

static void show_line(json_object *line, json_object *all, FILE *out)
{
	const char *month = get_text(line, "month"), *account = get_text(line, "account");
	char text[64];

	fprintf(out, "%-7s ", month[0] ? month : "all");
	clean_column(get_member(line, "user") ? show_user(get_number(line, "user"), text) : "all",
		     10, out);
	fputc(' ', out);
	clean_column(!get_member(line, "user") ? "all" : account[0] ? account : "-", 10, out);
	for (size_t i = 0; i < NCOUNTS; i++)
		if (!counts[i].seldom || count_of(all, counts[i].key))
			fprintf(out, " %*" PRId64, (int)strlen(counts[i].head) + 1,
				count_of(line, counts[i].key));
	fprintf(out, " %13s  ",
		get_member(line, "slack") ? show_duration(get_number(line, "slack"), text) : "-");
	show_reasons(line, " ", ", ", out);
	fputc('\n', out);
}

static void show_total(json_object *line, json_object *all, const struct style *style, FILE *out)
{
	fputs(style_on(style, STYLE_BOLD), out);
	show_line(line, all, out);
	fputs(style_off(style), out);
}

void show_summary(json_object *answer, const struct style *style, FILE *out)
{
	json_object *lines = get_member(answer, "lines"), *months = get_member(answer, "months");
	json_object *whole = get_member(answer, "all");
	json_object *all = get_count(whole) ? json_object_array_get_idx(whole, 0) : NULL;
	size_t at = 0;

	fprintf(out, "%s%-7s %-10s %-10s", style_on(style, STYLE_BOLD), "MONTH", "USER", "ACCOUNT");
	for (size_t i = 0; i < NCOUNTS; i++)
		if (!counts[i].seldom || count_of(all, counts[i].key))
			fprintf(out, "  %s", counts[i].head);
	fprintf(out, " %13s  REFUSED FOR%s\n", "MEDIAN SLACK", style_off(style));
	for (size_t m = 0; m < get_count(months); m++) {
		json_object *month = json_object_array_get_idx(months, m), *line;

		for (; at < get_count(lines); at++) {
			line = json_object_array_get_idx(lines, at);
			if (strcmp(get_text(line, "month"), get_text(month, "month")) != 0)
				break;
			show_line(line, all, out);
		}
		show_total(month, all, style, out);
	}
	if (all)
		show_total(all, all, style, out);
}

/* Totals can be summed up from it, and are left out; but for the median. */
void show_summary_csv(json_object *answer, const struct style *style, FILE *out)
{
	json_object *lines = get_member(answer, "lines");

	(void)style;
	fputs("month,user,account", out);
	for (size_t i = 0; i < NCOUNTS; i++)
		fprintf(out, ",%s", counts[i].key);
	fputs(",slack,reasons\r\n", out);
	for (size_t l = 0; l < get_count(lines); l++) {
		json_object *line = json_object_array_get_idx(lines, l);

		fprintf(out, "%s,%" PRId64 ",", get_text(line, "month"), get_number(line, "user"));
		show_csv_text(get_text(line, "account"), out);
		for (size_t i = 0; i < NCOUNTS; i++)
			fprintf(out, ",%" PRId64, count_of(line, counts[i].key));
		if (get_member(line, "slack"))
			fprintf(out, ",%" PRId64 ",", get_number(line, "slack"));
		else
			fputs(",,", out);
		show_reasons(line, "=", " ", out);
		fputs("\r\n", out);
	}
}
