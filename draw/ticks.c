/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ticks: see ticks.h. */
#include "draw/ticks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MINUTE 60
#define HOUR 3600
#define DAY 86400

int64_t ticks_step(int64_t span, int most)
{
	static const int64_t steps[] = {
		1,	 2,	     5,		 10,	      15,	   30,
		MINUTE,	 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
		HOUR,	 2 * HOUR,   3 * HOUR,	 6 * HOUR,    12 * HOUR,   DAY,
		2 * DAY, 7 * DAY,    14 * DAY,	 28 * DAY,
	};
	size_t n = sizeof(steps) / sizeof(*steps);
	int64_t step;

	for (size_t i = 0; i < n; i++)
		if (span / steps[i] < most)
			return steps[i];
	step = steps[n - 1];
	while (span / step >= most && step < INT64_MAX / 2)
		step *= 2;
	return step;
}

/* Seconds that local time is ahead of the epoch's, at t. */
static int64_t offset(int64_t t)
{
	time_t at = (time_t)t;
	struct tm tm;

	return localtime_r(&at, &tm) ? tm.tm_gmtoff : 0;
}

/* The multiple of step at or after t, from zero. */
static int64_t ceiling(int64_t t, int64_t step)
{
	int64_t rest = t % step;

	return rest > 0 ? t + step - rest : t - rest;
}

int64_t ticks_first(enum ticks_clock clock, int64_t origin, int64_t from, int64_t step)
{
	int64_t zero = clock == TICKS_DAYTIME ? -offset(from) : origin;

	return zero + ceiling(from - zero, step);
}

void ticks_date(int64_t t, char *text, size_t size)
{
	time_t at = (time_t)t;
	struct tm tm;

	if (!localtime_r(&at, &tm) || !strftime(text, size, "%Y-%m-%d", &tm))
		snprintf(text, size, "%" PRId64, t);
}

static void time_of_day(int64_t t, int64_t step, char *text, size_t size)
{
	time_t at = (time_t)t;
	struct tm tm;

	if (step >= DAY) {
		ticks_date(t, text, size);
		return;
	}
	if (!localtime_r(&at, &tm) || !strftime(text, size, step % MINUTE ? "%T" : "%H:%M", &tm))
		snprintf(text, size, "%" PRId64, t);
}

void ticks_label(enum ticks_clock clock, int64_t origin, int64_t t, int64_t step, char *text,
		 size_t size)
{
	int64_t since = t - origin, s = llabs(since);
	const char *sign = since < 0 ? "-" : "";

	if (clock == TICKS_DAYTIME)
		time_of_day(t, step, text, size);
	else if (step % DAY == 0)
		snprintf(text, size, "%s%" PRId64 " d", sign, s / DAY);
	else if (step % HOUR == 0)
		snprintf(text, size, "%s%" PRId64 " h", sign, s / HOUR);
	else if (step % MINUTE == 0)
		snprintf(text, size, "%s%" PRId64 ":%02d", sign, s / HOUR,
			 (int)(s % HOUR / MINUTE));
	else
		snprintf(text, size, "%s%" PRId64 ":%02d:%02d", sign, s / HOUR,
			 (int)(s % HOUR / MINUTE), (int)(s % MINUTE));
}

uint32_t ticks_count_step(uint32_t count, int most)
{
	static const uint32_t digit[] = { 1, 2, 5 };

	for (uint32_t ten = 1; ten <= 100000000; ten *= 10)
		for (int i = 0; i < 3; i++)
			if (count / (digit[i] * ten) < (uint32_t)most)
				return digit[i] * ten;
	return 1000000000;
}
