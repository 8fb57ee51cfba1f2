/* SPDX-License-Identifier: GPL-2.0-or-later */
/* malleable_option: see malleable_option.h. */
#define _GNU_SOURCE
#include "common/malleable_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

#define WIDTH_MOST 10000000
#define MICRO 1000000

static bool says_nothing(const char *text)
{
	return !text || !text[0] || !strcasecmp(text, "(null)");
}

static bool read_grace(const char *value, struct malleable_option *out, const char **wanted)
{
	*wanted = "seconds from 1 to 86400 wanted";
	return number_int(value, &out->grace) && out->grace >= 1 &&
	       out->grace <= MALLEABLE_GRACE_MOST;
}

/* One pair, W=S. */
static bool read_pair(char *pair, struct malleable_option *out, const char **wanted)
{
	char *speed = strchr(pair, '=');
	int64_t *at = &out->speedup[out->n], w, s;

	*wanted = "pairs NODES=SPEED wanted, with a / between them";
	if (!speed)
		return false;
	*speed++ = '\0';
	if (!number_int(pair, &w) || !number_micro(speed, &s))
		return false;
	*wanted = "at most 16 pairs";
	if (out->n == 2 * MALLEABLE_PAIRS)
		return false;
	*wanted = "nodes from 1 on that rise, and speeds above 0 that do not fall";
	if (w < 1 || w > WIDTH_MOST || s < 1 || s > INT64_C(1) * WIDTH_MOST * MICRO ||
	    (out->n && (w <= at[-2] || s < at[-1])))
		return false;
	at[0] = w;
	at[1] = s;
	out->n += 2;
	return true;
}

static bool read_speedup(const char *value, struct malleable_option *out, const char **wanted)
{
	char *copy = strdup(value), *rest = copy, *pair;
	bool ok = copy;

	*wanted = "out of memory";
	while (ok && (pair = strsep(&rest, "/")))
		ok = read_pair(pair, out, wanted);
	free(copy);
	return ok;
}

static bool read_key(char *word, struct malleable_option *out, char *why, size_t size)
{
	char *value = strchr(word, ':');
	const char *wanted = "unknown (" MALLEABLE_KEYS ")";
	bool ok = false;

	if (value)
		*value++ = '\0';
	if (!value)
		wanted = "KEY:VALUE wanted (" MALLEABLE_KEYS ")";
	else if ((!strcasecmp(word, "grace") && out->grace) ||
		 (!strcasecmp(word, "speedup") && out->n))
		wanted = "given twice";
	else if (!strcasecmp(word, "grace"))
		ok = read_grace(value, out, &wanted);
	else if (!strcasecmp(word, "speedup"))
		ok = read_speedup(value, out, &wanted);
	if (!ok)
		snprintf(why, size, "--malleable=%.40s%s%.100s: %s", word, value ? ":" : "",
			 value ? value : "", wanted);
	return ok;
}

bool malleable_option_read(const char *text, struct malleable_option *out, char *why, size_t size)
{
	char *copy, *rest, *word;
	bool ok;

	*out = (struct malleable_option){ 0 };
	if (says_nothing(text))
		return true;
	rest = copy = strdup(text);
	ok = copy;
	if (!ok)
		snprintf(why, size, "--malleable: out of memory");
	while (ok && (word = strsep(&rest, ",")))
		ok = read_key(word, out, why, size);
	free(copy);
	if (!ok)
		*out = (struct malleable_option){ 0 };
	return ok;
}

bool malleable_value_read(const char *text, int64_t *out, char *why, size_t size)
{
	if (!says_nothing(text) && number_micro(text, out) && *out <= MALLEABLE_VALUE_MOST)
		return true;
	*out = 0;
	snprintf(why, size, "--value=%.100s: a number from 0 to 1000000000 wanted",
		 says_nothing(text) ? "" : text);
	return false;
}
