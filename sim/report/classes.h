/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes: medians and percentiles of wait and bounded slowdown, over all jobs and by classes of width and
 * runtime.
 *
 * The p-th percentile of n values is by nearest rank: in ascending order the one at place ceil(p n / 100),
 * counted from 1, so always a value that some job had; the median is the 50th. Jobs are those of a mean
 * (metrics.h): completed or killed. wait = start - submit; bounded slowdown = max(1, response / max(run, 10
 * s)), as figures.slowdown_bounded10_mean; run = its runtime, on nodes
 * that it has for itself.
 *
 * Width class k has the widths above 2^(k-1), up to 2^k: 1, 2, 3 to 4, 5 to 8, ... Runtime classes are below
 * one minute, ten minutes, one hour, six hours, and longer, by run.
 */
#ifndef PACT_SIM_CLASSES_H
#define PACT_SIM_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/report/metrics.h"

#define CLASSES_WIDTH 32
#define CLASSES_RUNTIME 5
#define CLASSES_ALL SIZE_MAX

enum percentile { MEDIAN, P90, P99, PERCENTILES };

/* Of one group of jobs; all 0 where there is none. */
struct quantiles {
	uint64_t jobs;
	int64_t wait[PERCENTILES];    /* seconds */
	double slowdown[PERCENTILES]; /* bounded by 10 s */
};

struct classes {
	struct quantiles all;
	struct quantiles width[CLASSES_WIDTH];
	struct quantiles runtime[CLASSES_RUNTIME];
	struct quantiles both[CLASSES_WIDTH][CLASSES_RUNTIME];
};

/*
 * Find them: O(n) for n jobs, 18 bytes of memory for each. False: memory is short; the counts of jobs are
 * right then, and all else is -1.
 */
bool classes_find(const struct metrics *m, struct classes *c);

/* The least and the greatest width of a class. */
int64_t classes_width_from(size_t class);
int64_t classes_width_to(size_t class);

/* A runtime class: from so many seconds on, below so many; INT64_MAX: without end. And words for it. */
int64_t classes_runtime_from(size_t class);
int64_t classes_runtime_below(size_t class);
const char *classes_runtime_name(size_t class);

#endif
