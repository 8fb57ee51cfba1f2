/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: see progress.h. */
#include "common/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

int64_t progress_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

void progress_begin(struct progress *p, bool quiet)
{
	p->on = !quiet && isatty(STDERR_FILENO);
	p->shown = false;
	p->began = p->last = progress_clock();
}

static void print_left(double seconds)
{
	if (seconds < 100)
		fprintf(stderr, "%.0f s left", seconds);
	else if (seconds < 100 * 60)
		fprintf(stderr, "%.0f min left", seconds / 60);
	else
		fprintf(stderr, "%.1f h left", seconds / 3600);
}

void progress_show(struct progress *p, const char *what, double done, double count)
{
	int64_t now;

	if (!p->on)
		return;
	now = progress_clock();
	if (now - p->began < SECOND || now - p->last < SECOND / 4)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\rpact-sim: %.0f %% of %.0f %s, ", count > 0 ? 100 * done / count : 100,
		count, what);
	if (done > 0)
		print_left((double)(now - p->began) / 1e9 * (count - done) / done);
	fprintf(stderr, "    ");
	fflush(stderr);
}

void progress_wipe(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r%60s\r", "");
	p->shown = false;
}
