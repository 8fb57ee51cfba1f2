/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: what a job with a range of nodes has still to do, how fast it is, when it will be done, and how many
 * nodes it needs for that.
 *
 * Work is in millionths of what one node does in a second, and nothing of it is rounded: d seconds on n nodes do
 * d x speedup_rate(n), in whatever pieces that time is counted, and a job is done at the first second by which all
 * of it is. PACT_FOREVER is work without end, of a job without a limit.
 */
#ifndef PACT_CORE_PROGRESS_H
#define PACT_CORE_PROGRESS_H

#include <stdint.h>

#include "core/base/time.h"
#include "core/kernel/speedup.h"

struct progress {
	int64_t left;  /* work, as of */
	int64_t since; /* then */
	int64_t rate;  /* from then on, in a second; 0: it does not run */
};

/* All the work of a job that takes `limit` seconds at that rate. */
int64_t progress_work(int64_t limit, int64_t rate);

/* It goes on until `now`, not before `since`, at its rate. */
void progress_advance(struct progress *p, int64_t now);

/* What is left of a job that is done at that rate, from now on, by `end`, the guard apart. PACT_FOREVER: it has no end. */
int64_t progress_left(int64_t end, int64_t guard, int64_t rate, int64_t now);
/* The other way round: when it will be done if it goes on at that rate from now on, the guard in it. PACT_FOREVER: never. */
int64_t progress_end_at(const struct progress *p, int64_t guard, int64_t rate, int64_t now);

/* What is left now, in seconds at that rate, rounded up; PACT_FOREVER: it is without end. */
int64_t progress_limit(const struct progress *p, int64_t rate, int64_t now);

/* It did nothing in `time` seconds for which it was taken to go on. */
void progress_stood(struct progress *p, int64_t time);

/* When so much is done from `from` on at that rate; PACT_FOREVER: never. */
int64_t progress_end(int64_t left, int64_t rate, int64_t from);

/*
 * The fewest of least to most nodes that do `left` within `time` seconds; most + 1: not even most do. least, if nothing
 * is left; else none if time <= 0.
 */
int32_t progress_floor(int64_t left, const struct list64 *speedup, int32_t least, int32_t most,
		       int64_t time);

#endif
