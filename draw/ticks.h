/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks: where an axis has its marks, and what stands beside them.
 */
#ifndef PACT_DRAW_TICKS_H
#define PACT_DRAW_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a time axis is read. */
enum ticks_clock {
	TICKS_ELAPSED, /* time since `origin` */
	TICKS_DAYTIME, /* times are seconds since the epoch, read as local time of day */
};

/*
 * The seconds between two marks such that at most `most` (>= 1) of them lie in a span of that many
 * seconds (>= 1): a step that people read easily, such as 15 minutes, 3 hours, 2 days.
 */
int64_t ticks_step(int64_t span, int most);

/*
 * The first mark at or after `from`: at a multiple of the step from `origin`, or from the local
 * midnight before `from`.
 */
int64_t ticks_first(enum ticks_clock clock, int64_t origin, int64_t from, int64_t step);

/* What stands beside the mark at `t`: "6 h", "0:45", "14:30", ... Cut to fit `size`. */
void ticks_label(enum ticks_clock clock, int64_t origin, int64_t t, int64_t step, char *text,
		 size_t size);

/* The date of `t` by local time, as 2026-11-21. */
void ticks_date(int64_t t, char *text, size_t size);

/* The same for counted things: 1, 2, 5, 10, 20, 50, ... */
uint32_t ticks_count_step(uint32_t count, int most);

#endif
