/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clean.c - see clean.h
 */
#include "contrib/pact/terminal/clean.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

static int clean_string(json_object *string)
{
	char *text = utf8_harmless(json_object_get_string(string));
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
			fputs(UTF8_REPLACEMENT, out);
		else if (utf8_harms(code))
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

int clean_length(const char *text)
{
	int n = 0;

	for (; *text; n++) {
		uint32_t code;
		size_t bytes = utf8_character(text, &code);

		text += bytes ? bytes : 1;
	}
	return n;
}
