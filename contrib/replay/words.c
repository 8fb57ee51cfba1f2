/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c: see words.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contrib/replay/words.h"

/* What every refusal by the plugin starts with. */
static const char refused_prefix[] = "deadline: refused";
static const char observed_prefix[] = "deadline: observed";

struct words {
	int memory; /* the memory file */
	int saved;  /* the real standard error */
	char text[4096];
};

struct words *words_create(void)
{
	struct words *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->memory = memfd_create("pact-replay", MFD_CLOEXEC);
	w->saved = dup(STDERR_FILENO);
	if (w->memory < 0 || w->saved < 0) {
		words_destroy(w);
		return NULL;
	}
	return w;
}

void words_destroy(struct words *w)
{
	if (!w)
		return;
	if (w->memory >= 0)
		close(w->memory);
	if (w->saved >= 0)
		close(w->saved);
	free(w);
}

void words_begin(struct words *w)
{
	fflush(stderr);
	w->text[0] = '\0';
	if (ftruncate(w->memory, 0) == 0 && lseek(w->memory, 0, SEEK_SET) == 0)
		dup2(w->memory, STDERR_FILENO);
}

/* One line of libslurm's log without its "pact-replay: error: ". */
static const char *strip_prefix(const char *line)
{
	static const char *const levels[] = { "error: ", "fatal: ", "debug: ", "debug2: " };
	const char *colon = strstr(line, ": ");

	if (colon && !strncmp(line, program_invocation_short_name, (size_t)(colon - line)))
		line = colon + 2;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (!strncmp(line, levels[i], strlen(levels[i])))
			return line + strlen(levels[i]);
	return line;
}

const char *words_end(struct words *w)
{
	char raw[sizeof(w->text)];
	char *line, *rest = NULL;
	size_t used = 0;
	ssize_t got;

	fflush(stderr);
	dup2(w->saved, STDERR_FILENO);
	got = pread(w->memory, raw, sizeof(raw) - 1, 0);
	raw[got > 0 ? got : 0] = '\0';
	w->text[0] = '\0';
	for (line = strtok_r(raw, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
		int n = snprintf(w->text + used, sizeof(w->text) - used, "%s%s", used ? "; " : "",
				 strip_prefix(line));

		if (n < 0 || (size_t)n >= sizeof(w->text) - used)
			break;
		used += (size_t)n;
	}
	return w->text;
}

bool words_refused(const char *text)
{
	return strstr(text, refused_prefix) != NULL;
}

bool words_observed(const char *text)
{
	return strstr(text, observed_prefix) != NULL;
}

/* Nouns that follow a number: "1 node" and "2 nodes" are one kind. */
static bool counted(const char *word, size_t len)
{
	static const char *const nouns[] = { "node",   "job",	 "task", "cpu",
					     "second", "minute", "hour" };

	for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]); i++)
		if (len == strlen(nouns[i]) && !strncmp(word, nouns[i], len))
			return true;
	return false;
}

static bool has_digit(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (isdigit((unsigned char)word[i]))
			return true;
	return false;
}

void words_kind(const char *text, char *buf, size_t size)
{
	const char *p = strstr(text, refused_prefix), *end;
	bool number = false;
	size_t used = 0;

	p = p ? p + strlen(refused_prefix) : text;
	p += strspn(p, ":,; ");
	end = p + strcspn(p, ";(");
	buf[0] = '\0';
	while (p < end && used + 1 < size) {
		size_t len = strcspn(p, " ;(");
		const char *plural = number && counted(p, len) ? "s" : "";
		bool digits = has_digit(p, len);
		int n = snprintf(buf + used, size - used, "%s%.*s%s", used ? " " : "",
				 digits ? 1 : (int)len, digits ? "N" : p, plural);

		/* "12 planned jobs": the noun may come a word later. */
		number = digits || (number && len == 7 && !strncmp(p, "planned", 7));
		used += n > 0 ? (size_t)n : 0;
		p += len;
		p += strspn(p, " ");
	}
	used = strlen(buf);
	while (used > 0 && strchr(" ,.:", buf[used - 1]))
		buf[--used] = '\0';
}
