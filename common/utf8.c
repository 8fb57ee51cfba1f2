/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8: see utf8.h. */
#include "common/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a byte grows to at most: \xNN. */
#define GROWTH 4

/* The bytes of the character that begins here; 0: none does. Table 3-7 of the Unicode standard. */
static size_t character(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t more;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	more = s[0] < 0xe0 ? 1 : s[0] < 0xf0 ? 2 : 3;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i <= more; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return more + 1;
}

size_t utf8_character(const char *text, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = character(s);

	*code = n > 1 ? s[0] & (0x7fu >> n) : s[0];
	for (size_t i = 1; i < n; i++)
		*code = *code << 6 | (s[i] & 0x3f);
	return n;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

bool utf8_harms(uint32_t code)
{
	return is_control(code) || code == 0x61c || code == 0xfeff ||
	       (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f);
}

char *utf8_harmless(const char *text)
{
	char *copy = malloc(GROWTH * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	for (size_t n; *text; text += n ? n : 1) {
		uint32_t code;

		n = utf8_character(text, &code);
		if (!n || is_control(code)) {
			to += snprintf(to, GROWTH + 1, "\\x%02x", (unsigned int)code);
		} else {
			size_t length = utf8_harms(code) ? strlen(UTF8_REPLACEMENT) : n;

			memcpy(to, utf8_harms(code) ? UTF8_REPLACEMENT : text, length);
			to += length;
		}
	}
	*to = '\0';
	return copy;
}

char *utf8_valid(const char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	/* At worst every byte grows to three. */
	char *copy = malloc(3 * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*from) {
		size_t n = character(from);

		memcpy(to, n ? (const char *)from : UTF8_REPLACEMENT, n ? n : 3);
		to += n ? n : 3;
		from += n ? n : 1;
	}
	*to = '\0';
	return copy;
}
