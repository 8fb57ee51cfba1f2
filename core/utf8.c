/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8: see utf8.h. */
#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

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

char *utf8_valid(const char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	/* At worst every byte grows to three. */
	char *copy = malloc(3 * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*from) {
		size_t n = character(from);

		memcpy(to, n ? (const char *)from : REPLACEMENT, n ? n : 3);
		to += n ? n : 3;
		from += n ? n : 1;
	}
	*to = '\0';
	return copy;
}
