/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.c - the tasks of an array as a text
 */
#include "slurm/base/array.h"

#include <ctype.h>
#include <stdio.h>
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
	if (*at == '-' && isdigit((unsigned char)at[1])) {
		last = strtoul(at + 1, &at, 10);
		if (*at == ':' && isdigit((unsigned char)at[1]))
			step = strtoul(at + 1, &at, 10);
	}
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

void array_write(const uint32_t *tasks, size_t n, char *out, size_t size)
{
	size_t used = 0, last;
	char range[32];

	out[0] = '\0';
	for (size_t i = 0; i < n; i = last + 1) {
		for (last = i; last + 1 < n && tasks[last + 1] == tasks[last] + 1;)
			last++;
		if (last > i)
			snprintf(range, sizeof(range), "%s%u-%u", i ? "," : "", tasks[i],
				 tasks[last]);
		else
			snprintf(range, sizeof(range), "%s%u", i ? "," : "", tasks[i]);
		if (used + strlen(range) + sizeof(",...") > size) {
			strcpy(out + used, ",...");
			return;
		}
		strcpy(out + used, range);
		used += strlen(range);
	}
}

bool array_has(const char *list, uint32_t task)
{
	unsigned long first, last;
	char *at;

	while (isdigit((unsigned char)*list)) {
		first = last = strtoul(list, &at, 10);
		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		if (task >= first && task <= last)
			return true;
		list = at + (*at == ',');
	}
	return *list != '\0';
}

unsigned long array_highest(const char *text)
{
	unsigned long highest = 0, n;
	char *at;

	for (; *text; text += strcspn(text, ","), text += *text == ',') {
		n = strtoul(text, &at, 10);
		if (*at == '-')
			n = strtoul(at + 1, &at, 10);
		if (n > highest)
			highest = n;
	}
	return highest;
}

unsigned long array_widest(const char *text)
{
	unsigned long widest = 0, step;

	while ((text = strchr(text, ':'))) {
		step = strtoul(++text, NULL, 10);
		if (step > widest)
			widest = step;
	}
	return widest;
}
