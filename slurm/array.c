/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.c - how many tasks a --array text asks for
 */
#include "slurm/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No range is longer: with `most` below 2^31 no sum wraps. */
#define RANGE_MOST 100000000

/* One range, up to its end: "4", "0-9", "0-9:2".  RET 0: not understood. */
static uint32_t count_range(const char *text, const char *end)
{
	unsigned long first, last, step = 1;
	char *at;

	if (!isdigit((unsigned char)*text))
		return 0;
	first = last = strtoul(text, &at, 10);
	if (*at == '-' && isdigit((unsigned char)at[1]))
		last = strtoul(at + 1, &at, 10);
	if (*at == ':' && isdigit((unsigned char)at[1]))
		step = strtoul(at + 1, &at, 10);
	if (at != end || last < first || !step || last - first > RANGE_MOST)
		return 0;
	return (uint32_t)((last - first) / step) + 1;
}

uint32_t array_count(const char *text, uint32_t most)
{
	uint32_t n = 0;

	while (*text && n <= most) {
		size_t len = strcspn(text, ",");
		uint32_t more = len ? count_range(text, text + len) : 0;

		if (len && !more)
			return 0;
		n += more;
		text += len + (text[len] == ',');
	}
	return n <= most ? n : 0;
}
