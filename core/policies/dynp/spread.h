/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spread: how widely the limits of the jobs that came of late differ, and how wide those are that make the
 * work. Internal to core.
 *
 * The squared coefficient of variation, variance / mean^2: 0 where all are alike, 1 for an exponential
 * distribution. The same with each job counted by its width is what short jobs first can gain in a mean
 * that is weighted by width: little where most of the width is in long jobs. What it costs grows with the
 * width of the work, its mean over width x limit, as a share of the machine: long wide jobs that wait for
 * the end of the short ones leave nodes idle. The gain is the one divided by the other.
 * Number and sums are halved as soon as they are of SPREAD_MOST jobs, so older ones fade.
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
	/* with s for a job's share of the machine, in SPREAD_WHOLEths, and l for its limit: */
	int64_t shares;		/* s */
	int64_t shared;		/* s l */
	int64_t shared_squares; /* s l^2 / SPREAD_WHOLE */
	int64_t areas;		/* s^2 l */
};

/* In these parts of the machine is a share counted, rounded up. */
#define SPREAD_WHOLE 1024

/*
 * A job came, with this limit and so many of the machine's nodes, or more than it has; a limit of more than
 * a year counts as that.
 */
void spread_add(struct spread *x, int64_t limit, int64_t width, int64_t nodes);

/* Is it known, from SPREAD_LEAST jobs or more, to be at most so many percent? */
bool spread_at_most(const struct spread *x, int64_t percent);

/* Is the gain of short jobs first known, from as many, to be below so many percent? */
bool spread_gain_below(const struct spread *x, int64_t percent);

/* Can jobs have made these sums? */
bool spread_valid(const struct spread *x);

#endif
