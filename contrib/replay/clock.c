/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c: see clock.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "contrib/replay/clock.h"

static double first_now, first_wall;

double clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

double clock_wall(void)
{
	double up = 0;
	FILE *f = fopen("/proc/uptime", "r");

	if (!f)
		return clock_now();
	if (fscanf(f, "%lf", &up) != 1)
		up = clock_now();
	fclose(f);
	return up;
}

void clock_start(void)
{
	first_now = clock_now();
	first_wall = clock_wall();
}

void clock_settle(void)
{
	while (clock_wall() - first_wall < 0.2)
		clock_sleep(0.05);
}

double clock_speed(void)
{
	double wall = clock_wall() - first_wall;

	/* /proc/uptime counts hundredths: before a tenth has passed the quotient says nothing. */
	if (wall < 0.1)
		return 1;
	return (clock_now() - first_now) / wall;
}

void clock_sleep(double seconds)
{
	struct timespec ts;

	if (seconds <= 0)
		return;
	ts.tv_sec = (time_t)seconds;
	ts.tv_nsec = (long)((seconds - (double)ts.tv_sec) * 1e9);
	nanosleep(&ts, NULL);
}

void clock_sleep_wall(double seconds)
{
	clock_sleep(seconds * clock_speed());
}

void clock_span(int64_t seconds, char *buf, unsigned long size)
{
	int64_t s = seconds < 0 ? -seconds : seconds;
	const char *sign = seconds < 0 ? "-" : "";
	int64_t days = s / 86400;

	s %= 86400;
	if (days > 0)
		snprintf(buf, size, "%s%" PRId64 "-%02d:%02d:%02d", sign, days, (int)(s / 3600),
			 (int)(s / 60 % 60), (int)(s % 60));
	else
		snprintf(buf, size, "%s%02d:%02d:%02d", sign, (int)(s / 3600), (int)(s / 60 % 60),
			 (int)(s % 60));
}
