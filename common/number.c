/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number: see number.h. */
#include "common/number.h"

#include <stddef.h>

/* Digits up to the first that is none; false when there is none or it overflows. */
static bool digits(const char **text, uint64_t *out)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v))
			return false;
	if (p == *text)
		return false;
	*text = p;
	*out = v;
	return true;
}

bool number_unsigned(const char *text, uint64_t *out)
{
	uint64_t v;

	*out = 0;
	if (!digits(&text, &v) || *text)
		return false;
	*out = v;
	return true;
}

bool number_int(const char *text, int64_t *out)
{
	bool minus = *text == '-';
	uint64_t v;

	*out = 0;
	if (*text == '-' || *text == '+')
		text++;
	if (!number_unsigned(text, &v) || v > INT64_MAX)
		return false;
	*out = minus ? -(int64_t)v : (int64_t)v;
	return true;
}

bool number_micro(const char *text, int64_t *out)
{
	uint64_t whole, fraction = 0;
	size_t places = 0;

	*out = 0;
	if (!digits(&text, &whole) || whole > INT64_MAX / 2000000)
		return false;
	if (*text == '.') {
		const char *from = ++text;

		if (!digits(&text, &fraction))
			return false;
		places = (size_t)(text - from);
	}
	if (*text || places > 6)
		return false;
	for (; places < 6; places++)
		fraction *= 10;
	*out = (int64_t)(whole * 1000000 + fraction);
	return true;
}
