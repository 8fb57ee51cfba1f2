/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spread: how widely the limits of the jobs that came of late differ. Internal to core.
 *
 * The squared coefficient of variation, variance / mean^2: 0 where all are alike, 1 for an exponential
 * distribution. Number and sums are halved as soon as they are of SPREAD_MOST jobs, so older ones fade.
 */
#ifndef PACT_CORE_SPREAD_H
#define PACT_CORE_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#define SPREAD_LEAST 256
#define SPREAD_MOST 4096

/* {0}: of no jobs. */
struct spread {
	int64_t n, sum, squares;
};

/* A job came, with this limit; one of more than a year counts as that. */
void spread_add(struct spread *x, int64_t limit);

/* Is it known, from SPREAD_LEAST jobs or more, to be at most so many percent? */
bool spread_at_most(const struct spread *x, int64_t percent);

/* Can jobs have made these sums? */
bool spread_valid(const struct spread *x);

#endif
