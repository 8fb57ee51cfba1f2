/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.c: see answer.h.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/replay/answer.h"
#include "contrib/replay/clock.h"

/* The time that `at` begins with, with its offset from UTC; NULL if there is none, else its end. */
static const char *read_time(const char *at, int64_t *when)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *end = strptime(at, "%Y-%m-%dT%H:%M:%S%z", &tm);
	int64_t east = tm.tm_gmtoff;

	if (end)
		*when = timegm(&tm) - east;
	return end;
}

static int64_t time_after(const char *text, const char *words)
{
	const char *at = strstr(text, words);
	int64_t when = 0;

	if (at)
		read_time(at + strlen(words), &when);
	return when;
}

/* The deadline on offer; 0: none. */
static int64_t offer_in(const char *text)
{
	static const char option[] = "--deadline=uts";
	const char *at = strstr(text, option);

	return at ? strtoll(at + strlen(option), NULL, 10) : 0;
}

static bool cut(char *text, const char *words)
{
	char *at = strstr(text, words);

	if (at)
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
	return at != NULL;
}

/* What stands at the left of it already: the request and its deadline. */
static void cut_known(char *why, int32_t width, int64_t limit)
{
	char span[32], words[80];
	const char *end;
	char *before;
	int64_t when;

	clock_span(limit, span, sizeof(span));
	snprintf(words, sizeof(words), " for %d node%s for %s", width, width == 1 ? "" : "s", span);
	if (!cut(why, words)) {
		snprintf(words, sizeof(words), "%d node%s for %s ", width, width == 1 ? "" : "s",
			 span);
		cut(why, words);
	}
	before = strstr(why, " before ");
	end = before ? read_time(before + strlen(" before "), &when) : NULL;
	if (end)
		memmove(before, end, strlen(end) + 1);
}

/* Where jobs share nodes there is no planned start: they start now. */
static bool read_shared(const char *text, struct answer *a)
{
	static const char words[] = "starts now with ";
	const char *at = strstr(text, words);

	a->expected = !strncmp(text, "accepted: expected by ", strlen("accepted: expected by "));
	if (at)
		a->share = atoi(at + strlen(words));
	if (a->expected)
		snprintf(a->why, sizeof(a->why), "%s", text + strlen("accepted: "));
	return at || a->expected;
}

void answer_read(const char *text, int32_t width, int64_t limit, struct answer *a)
{
	static const char refused[] = "deadline: refused: ";
	char *end;

	*a = (struct answer){ .start = 0 };
	if (!strncmp(text, "deadline: accepted: ", strlen("deadline: accepted: "))) {
		a->start = time_after(text, "planned start ");
		if (a->start || read_shared(text + strlen("deadline: "), a))
			return;
	}
	a->offer = offer_in(text);
	snprintf(a->why, sizeof(a->why), "%s",
		 strncmp(text, refused, strlen(refused)) ? text : text + strlen(refused));
	end = strstr(a->why, "; earliest that can be promised");
	if (end && a->offer)
		*end = '\0';
	/* Of one decision only, and so no reason. */
	end = strstr(a->why, "; pact explain ");
	if (end)
		*end = '\0';
	cut_known(a->why, width, limit);
}
