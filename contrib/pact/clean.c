/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.c - see clean.h
 */
#include "contrib/pact/clean.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"
/* What a byte grows to at most: \xNN. */
#define GROWTH 4

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Bidirectional controls (UAX #9), what has no width, and separators of lines and paragraphs. */
static bool is_mark(uint32_t code)
{
	return code == 0x61c || code == 0xfeff || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f);
}

char *clean_text(const char *text)
{
	char *copy = malloc(GROWTH * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*text) {
		uint32_t code;
		size_t n = utf8_character(text, &code);

		if (!n || is_control(code)) {
			to += sprintf(to, "\\x%02x", (unsigned)code);
		} else if (is_mark(code)) {
			to = stpcpy(to, REPLACEMENT);
		} else {
			memcpy(to, text, n);
			to += n;
		}
		text += n ? n : 1;
	}
	*to = '\0';
	return copy;
}

static int clean_string(json_object *string)
{
	char *text = clean_text(json_object_get_string(string));
	bool done = text && json_object_set_string(string, text);

	free(text);
	return done ? 0 : ENOMEM;
}

static int clean_array(json_object *array)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < json_object_array_length(array); i++)
		rc = clean_answer(json_object_array_get_idx(array, i));
	return rc;
}

/* Names of members come from the protocol, but for those of reasons, which are a table's. */
int clean_answer(json_object *answer)
{
	int rc = 0;

	switch (json_object_get_type(answer)) {
	case json_type_string:
		return clean_string(answer);
	case json_type_array:
		return clean_array(answer);
	case json_type_object: {
		json_object_object_foreach(answer, key, value)
		{
			(void)key;
			rc = rc ? rc : clean_answer(value);
		}
		return rc;
	}
	default:
		return 0;
	}
}

void clean_json(const char *json, FILE *out)
{
	while (*json) {
		uint32_t code;
		size_t n = utf8_character(json, &code);

		if (!n)
			fputs(REPLACEMENT, out);
		else if (is_control(code) || is_mark(code))
			fprintf(out, "\\u%04x", (unsigned)code);
		else
			fwrite(json, 1, n, out);
		json += n ? n : 1;
	}
}

void clean_column(const char *text, int width, FILE *out)
{
	for (; *text && width > 0; width--) {
		uint32_t code;
		size_t n = utf8_character(text, &code);

		n = n ? n : 1;
		fwrite(text, 1, n, out);
		text += n;
	}
	fprintf(out, "%*s", width, "");
}
