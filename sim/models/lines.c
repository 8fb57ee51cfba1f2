/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: see lines.h. */
#include "sim/models/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"

#define MAX_FILE ((size_t)64 << 20)
#define MAX_REAL 1e99

int lines_wrong(struct lines *r, const char *format, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return why_set(r->why, r->size, PACT_EINVAL, "%s:%" PRIu64 ": %s", r->name, r->line, text);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

const char *lines_word(struct lines *r)
{
	size_t n = 0;

	while (r->at < r->line_end && blank(*r->at))
		r->at++;
	for (; r->at < r->line_end && !blank(*r->at); r->at++)
		if (n < LINES_MAX_WORD)
			r->word[n++] = *r->at;
	r->word[n] = '\0';
	return r->word;
}

int lines_int(struct lines *r, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
	const char *word = lines_word(r);

	if (number_int(word, out) && *out >= lo && *out <= hi)
		return PACT_OK;
	return lines_wrong(r, "%s '%s': a whole number from %" PRId64 " to %" PRId64 " wanted",
			   what, word, lo, hi);
}

int lines_decimal(struct lines *r, const char *what, int64_t lo_micro, int64_t hi_micro,
		  int64_t *out)
{
	const char *word = lines_word(r);

	if (number_micro(word, out) && *out >= lo_micro && *out <= hi_micro)
		return PACT_OK;
	return lines_wrong(r, "%s '%s': a number from %g to %g wanted", what, word,
			   (double)lo_micro / 1e6, (double)hi_micro / 1e6);
}

int lines_real(struct lines *r, const char *what, double *out)
{
	const char *word = lines_word(r);
	char *end;

	/* strtod() would take blanks, hexadecimal digits, "inf" and "nan", too. */
	*out = strspn(word, "0123456789.eE+-") == strlen(word) ? strtod(word, &end) : 0;
	if (*out > 0 && *out <= MAX_REAL && !*end)
		return PACT_OK;
	*out = 0;
	return lines_wrong(r, "%s '%s': a number above 0 wanted", what, word);
}

int lines_rest(struct lines *r, char **out)
{
	char *text;

	while (r->at < r->line_end && blank(*r->at))
		r->at++;
	text = strndup(r->at, (size_t)(r->line_end - r->at));
	if (!text)
		return PACT_ENOMEM;
	free(*out);
	*out = text;
	r->at = r->line_end;
	return PACT_OK;
}

/* Is it the first line, as it must be? */
static int take_header(struct lines *r, const char *key)
{
	int64_t version;

	if (strncmp(key, "pact-", 5) != 0 || strcmp(key + 5, r->kind) != 0)
		return lines_wrong(r, "not a %s: the first line must be 'pact-%s 1'", r->kind,
				   r->kind);
	return lines_int(r, "version", 1, 1, &version);
}

static int take_line(struct lines *r, lines_take take, void *arg, bool *header)
{
	const char *key = lines_word(r);
	char copy[LINES_MAX_WORD + 1];
	int err;

	if (!*key || *key == '#') {
		r->at = r->line_end;
		return PACT_OK;
	}
	memcpy(copy, r->word, sizeof(copy));
	err = *header ? take(r, copy, arg) : take_header(r, copy);
	*header = true;
	if (!err && *lines_word(r))
		err = lines_wrong(r, "'%s' is more than this line can hold", r->word);
	return err;
}

int lines_each(struct lines *r, lines_take take, void *arg)
{
	bool header = false;
	int err = PACT_OK;

	while (!err && r->at < r->end) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));

		r->line++;
		r->line_end = newline ? newline : r->end;
		if (memchr(r->at, '\0', (size_t)(r->line_end - r->at)))
			return lines_wrong(r, "the line holds a zero byte");
		err = take_line(r, take, arg, &header);
		r->at = newline ? newline + 1 : r->end;
	}
	if (!err && !header)
		err = lines_wrong(r, "not a %s: the file is empty", r->kind);
	return err;
}

static int slurp(const char *path, const char *what, FILE *f, char **text, size_t *length,
		 char *why, size_t size)
{
	size_t room = 0, n;

	for (;;) {
		if (*length == room) {
			char *grown = realloc(*text, room = room ? 2 * room : 65536);

			if (!grown)
				return why_set(why, size, PACT_ENOMEM, "%s: out of memory", path);
			*text = grown;
		}
		n = fread(*text + *length, 1, room - *length, f);
		*length += n;
		if (*length > MAX_FILE)
			return why_set(why, size, PACT_EINVAL, "%s: larger than 64 MiB, not %s",
				       path, what);
		if (n)
			continue;
		if (ferror(f))
			return why_set(why, size, PACT_EINVAL, "%s: %s", path, strerror(errno));
		return PACT_OK;
	}
}

int lines_slurp(const char *path, const char *what, char **text, size_t *length, char *why,
		size_t size)
{
	FILE *f = fopen(path, "r");
	int err;

	*text = NULL;
	*length = 0;
	if (!f)
		return why_set(why, size, PACT_EINVAL, "%s: %s", path, strerror(errno));
	err = slurp(path, what, f, text, length, why, size);
	fclose(f);
	return err;
}
