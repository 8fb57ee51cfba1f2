/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: what the manuals, the sample of pact.conf, pact-sim's help and the shell's completion say of the settings, made of
 * their tables (core/settings, slurm/config/site.def).
 *
 *	settings update DIR	rewrites those files of the source tree DIR that differ (make update-docs)
 *	settings check DIR	names them, and exits with 1 if there are any
 *
 * In a file, what stands between a line with "settings: LIST" and one with "settings: end" is such a list; the
 * sample is made as a whole.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/config/site.h"

#define WIDTH 110

/* Which settings a list has. */
enum list { LIST_SET, LIST_CONF, LIST_DYNP, LIST_SITE };

static const char *const list_names[] = { "set", "conf", "dynp", "site", NULL };

static const struct setting *table_of(enum list list)
{
	return list == LIST_SITE ? site_settings : sched_settings;
}

static bool is_in(const struct setting *s, enum list list)
{
	if (list == LIST_SET)
		return s->by & SETTING_BY_SET;
	if (!(s->by & SETTING_BY_CONF))
		return false;
	return list == LIST_SITE || (list == LIST_DYNP) == !strcmp(s->users, "dynp");
}

static enum setting_by by_of(enum list list)
{
	return list == LIST_SET ? SETTING_BY_SET : SETTING_BY_CONF;
}

static bool is_number(const struct setting *s)
{
	return s->type == SETTING_I32 || s->type == SETTING_I64;
}

/* ---- man pages ---- */

/* One word in troff, after a blank or at the beginning of a line; RET the column then. */
static size_t man_word(FILE *out, const char *word, size_t n, size_t column)
{
	if (column && column + 1 + n > WIDTH) {
		fputc('\n', out);
		column = 0;
	}
	if (column)
		fputc(' ', out);
	else if (word[0] == '.' || word[0] == '\'')
		fputs("\\&", out);
	for (size_t i = 0; i < n; i++) {
		if (word[i] == '-')
			fputs("\\-", out);
		else
			fputc(word[i], out);
	}
	return column + (column ? 1 : 0) + n;
}

/* `bold` and {italic} into troff's escapes. To be freed. */
static char *with_fonts(const char *text)
{
	char *out = NULL;
	size_t size = 0;
	bool bold = false;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		exit(2);
	for (; *text; text++) {
		if (*text == '`')
			fputs((bold = !bold) ? "\\fB" : "\\fR", to);
		else if (*text == '{')
			fputs("\\fI", to);
		else if (*text == '}')
			fputs("\\fR", to);
		else
			fputc(*text, to);
	}
	fclose(to);
	return out;
}

static void man_text(FILE *out, const char *text)
{
	char *marked = with_fonts(text);
	size_t column = 0;

	for (const char *at = marked; *at;) {
		size_t n = strcspn(at, " \n");

		if (n)
			column = man_word(out, at, n, column);
		at += n;
		if (!strncmp(at, "\n\n", 2)) {
			fputs("\n.IP\n", out);
			column = 0;
		}
		at += strspn(at, " \n");
	}
	fputc('\n', out);
	free(marked);
}

/* "Key=value" as the title of an entry. */
static void man_title(FILE *out, const struct setting *s)
{
	const char *word;

	fputs(".TP\n", out);
	if (s->type != SETTING_WORD && s->type != SETTING_BOOL) {
		fprintf(out, ".BI %s= %s%s\n", s->key, s->unit, s->none ? " \" | none\"" : "");
		return;
	}
	fprintf(out, ".BR %s =", s->key);
	for (size_t i = 0; (word = setting_choice(s, i)); i++)
		fprintf(out, "%s %s", i ? " |" : "", word);
	fputc('\n', out);
}

/* Bounds and default, as a sentence. */
static void add_default(FILE *out, const struct setting *s, enum setting_by by)
{
	const char *initial = setting_initial(s, by);
	char least[32], most[32];

	fputc(' ', out);
	if (is_number(s) && !s->octal) {
		setting_bounds(s, by, least, most, sizeof(least));
		fprintf(out, "From %s to %s; d", least, most);
	} else {
		fputc('D', out);
	}
	if (s->usually)
		fprintf(out, "efault: %s.", s->usually);
	else
		fprintf(out, "efault `%s`.", initial);
}

/* Which schedulers use it, and when. */
static void add_users(FILE *out, const struct setting *s)
{
	fprintf(out, " Used by %s", s->users);
	for (size_t i = 0; i < sizeof(s->needs) / sizeof(s->needs[0]); i++) {
		const struct setting_need *need = &s->needs[i];

		if (!need->key)
			continue;
		fputs(i ? " and" : "; ", out);
		if (need->scheduler)
			fprintf(out, "%s ", need->scheduler);
		fprintf(out, "%s `%s%s%s`", i ? "" : "only with", need->key,
			need->values ? "=" : "", need->values ? need->values : "");
	}
	fputc('.', out);
}

static void man_entry(FILE *out, const struct setting *s, enum list list)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		exit(2);
	fputs(s->text, to);
	add_default(to, s, by_of(list));
	if (list == LIST_SET)
		add_users(to, s);
	fclose(to);
	man_title(out, s);
	man_text(out, text);
	free(text);
}

static void man_list(FILE *out, enum list list)
{
	for (const struct setting *s = table_of(list); s->key; s++) {
		if (is_in(s, list))
			man_entry(out, s, list);
	}
}

/* ---- completion ---- */

static void completion_list(FILE *out, enum list list)
{
	size_t column = (size_t)fprintf(out, "\tlocal settings='");
	const char *between = "";

	for (const struct setting *s = table_of(list); s->key; s++) {
		if (!is_in(s, list))
			continue;
		if (column + strlen(s->key) > WIDTH - 10) {
			between = "\n\t\t";
			column = 16;
		}
		column += (size_t)fprintf(out, "%s%s=", between, s->key);
		between = " ";
	}
	fputs("'\n", out);
}

/* ---- help ---- */

#define HELP_FROM 24
#define HELP_TO 84

/* The text of pact-sim's --help, as a string of C. */
static void help_list(FILE *out, enum list list)
{
	size_t column = 0;
	char syntax[128];

	for (const struct setting *s = table_of(list); s->key; s++) {
		size_t n;

		if (!is_in(s, list))
			continue;
		setting_syntax(s, syntax, sizeof(syntax));
		n = strlen(s->key) + 1 + strlen(syntax);
		if (column && column + 1 + n > HELP_TO) {
			fputs("\\n\"\n", out);
			column = 0;
		}
		if (!column)
			column = (size_t)fprintf(out, "\t\"%*s", HELP_FROM, "");
		else
			column += (size_t)fprintf(out, " ");
		column += (size_t)fprintf(out, "%s=%s", s->key, syntax);
	}
	fputs("\\n\"\n", out);
}

/* ---- the sample ---- */

static const char sample_head[] =
	"# SPDX-License-Identifier: GPL-2.0-or-later\n"
	"# pact.conf: a copy belongs beside slurm.conf. Every line here is a comment. A line shows "
	"the default, if\n"
	"# not said otherwise. pact.conf(5) explains them all, guide.md the way to them.\n";

static void sample_list(FILE *out, const char *title, enum list list)
{
	fprintf(out, "\n# ---- %s ----\n\n", title);
	for (const struct setting *s = table_of(list); s->key; s++) {
		if (!is_in(s, list))
			continue;
		if (s->remark)
			fprintf(out, "# %s\n", s->remark);
		fprintf(out, "#%s=%s\n", s->key,
			s->sample ? s->sample : setting_initial(s, SETTING_BY_CONF));
	}
}

static void sample(FILE *out)
{
	fputs(sample_head, out);
	sample_list(out, "what a site decides", LIST_SITE);
	sample_list(out, "how promises are made", LIST_CONF);
	fputs("# Partitions in which nothing is promised (none).\n#PartitionName=debug "
	      "Admission=none\n\n"
	      "# Partitions with a scheduler of their own, on nodes that are in no other partition "
	      "(none).\n#PartitionName=gpu Scheduler=easy\n",
	      out);
	sample_list(out, "sched/dynp alone", LIST_DYNP);
}

/* ---- files ---- */

enum kind { KIND_MAN, KIND_COMPLETION, KIND_SAMPLE, KIND_HELP };

static const struct {
	const char *path;
	enum kind kind;
} files[] = {
	{ "doc/pact-sim.1", KIND_MAN },
	{ "doc/pact.conf.5", KIND_MAN },
	{ "doc/pact.conf", KIND_SAMPLE },
	{ "contrib/completions/pact-sim", KIND_COMPLETION },
	{ "sim/commands/cmd_run.c", KIND_HELP },
};

/* The whole file, to be freed. */
static char *slurp(const char *path)
{
	FILE *in = fopen(path, "r"), *to;
	char line[4096], *text = NULL;
	size_t size = 0;

	to = in ? open_memstream(&text, &size) : NULL;
	if (!to) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), in))
		fputs(line, to);
	fclose(in);
	fclose(to);
	return text;
}

/* The list that a line begins; -1: none. */
static int list_of(const char *line, size_t n)
{
	const char *at = strstr(line, "settings: ");

	if (!at || at >= line + n)
		return -1;
	at += strlen("settings: ");
	for (int i = 0; list_names[i]; i++) {
		size_t length = strlen(list_names[i]);

		if (!strncmp(at, list_names[i], length) &&
		    (at[length] == '\n' || at[length] == ' '))
			return i;
	}
	return -1;
}

/* A file's text with its lists made anew. To be freed. */
static char *renewed(const char *old, enum kind kind)
{
	char *text = NULL;
	size_t size = 0;
	bool within = false;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		exit(2);
	if (kind == KIND_SAMPLE)
		sample(out);
	for (const char *at = old; kind != KIND_SAMPLE && *at;) {
		size_t n = strcspn(at, "\n") + 1;
		const char *end = strstr(at, "settings: end");
		int list = list_of(at, n);

		within = within && !(end && end < at + n);
		if (!within)
			fwrite(at, 1, n, out);
		if (list >= 0) {
			within = true;
			if (kind == KIND_MAN)
				man_list(out, (enum list)list);
			else if (kind == KIND_HELP)
				help_list(out, (enum list)list);
			else
				completion_list(out, (enum list)list);
		}
		at += n;
	}
	fclose(out);
	return text;
}

/* RET whether the file differed */
static bool renew(const char *dir, size_t i, bool update)
{
	char path[4096], *old, *new;
	bool differs;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", dir, files[i].path);
	old = slurp(path);
	new = renewed(old, files[i].kind);
	differs = strcmp(old, new) != 0;
	if (differs)
		printf("%s %s\n", files[i].path, update ? "is written" : "differs");
	if (differs && update) {
		out = fopen(path, "w");
		if (!out || fputs(new, out) < 0 || fclose(out)) {
			perror(path);
			exit(2);
		}
	}
	free(old);
	free(new);
	return differs;
}

int main(int argc, char **argv)
{
	bool update = argc == 3 && !strcmp(argv[1], "update"), differs = false;

	if (argc != 3 || (!update && strcmp(argv[1], "check") != 0)) {
		fprintf(stderr, "usage: settings update|check DIR\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		differs |= renew(argv[2], i, update);
	return differs && !update;
}
