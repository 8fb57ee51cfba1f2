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
	static const char *const levels[] = {"error: ", "fatal: ", "debug: ", "debug2: "};
	const char *colon = strstr(line, ": ");

	if (colon && !strncmp(line, program_invocation_short_name,
			      (size_t)(colon - line)))
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

void words_kind(const char *text, char *buf, size_t size)
{
	const char *p = strstr(text, refused_prefix);
	size_t used = 0, word = 0;
	bool digit = false;

	if (p)
		p += strlen(refused_prefix);
	else
		p = text;
	p += strspn(p, ":,; ");
	for (;; p++) {
		bool stop = *p == '\0' || *p == ';' || *p == '(';

		if (stop || *p == ' ') {
			if (digit && used > word) {
				used = word;
				buf[used++] = 'N';
			}
			if (stop || used + 2 >= size)
				break;
			if (used > 0)
				buf[used++] = ' ';
			word = used;
			digit = false;
			continue;
		}
		digit = digit || isdigit((unsigned char)*p);
		if (used + 2 < size)
			buf[used++] = *p;
	}
	while (used > 0 && strchr(" ,.:", buf[used - 1]))
		used--;
	buf[used] = '\0';
}
