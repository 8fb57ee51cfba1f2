/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: how far a long command has come and how long it will still take, in one line on standard
 * error that is written over and over. Nothing is shown in the first second, nor unless standard error
 * is a terminal.
 */
#ifndef PACT_SIM_PROGRESS_H
#define PACT_SIM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	bool shown;
	int64_t began; /* nanoseconds */
	int64_t last;
};

/* Nanoseconds of a clock that never goes back. */
int64_t progress_clock(void);

/* Begin to count time. quiet: show nothing in any case. */
void progress_begin(struct progress *p, bool quiet);

/*
 * "34 % of 54006 jobs, 12 s left": done of count, in units of `what`. The time left follows from the
 * time that the part already done took. At most four times a second.
 */
void progress_show(struct progress *p, const char *what, double done, double count);

/* Wipe the line, before other output; it comes back when there is progress to show. */
void progress_wipe(struct progress *p);

#endif
