/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hypererlang: the Hyper-Erlang distribution of common order with two branches (gang, section 2.1): Erlang of
 * n stages, each exponential with the mean scale[0] or, in share[1] of the draws, scale[1]. It is found from
 * the first three moments (means of x, x^2 and x^3) and drawn from.
 *
 * The fit uses nothing of floating point but + - * /, square root and fma(), which IEEE 754 rounds the same way
 * everywhere; the draws are integers.
 */
#ifndef PACT_SIM_HYPERERLANG_H
#define PACT_SIM_HYPERERLANG_H

#include <stddef.h>
#include <stdint.h>

#include "common/rng.h"

#define HYPERERLANG_MOMENTS 3

/* The greatest order that is fitted. */
#define HYPERERLANG_MAX_ORDER INT64_C(1000000000)

struct hypererlang {
	int64_t order;
	/* scale[0] <= scale[1]. Of the shares, whose sum is 1, the lesser one keeps all its digits. */
	double scale[2], share[2];
};

/*
 * The distribution of the least order that has these moments. 0, or PACT_EINVAL with the reason in why: no
 * positive quantity has such moments, or it can only be one that is always the same (m2 = m1^2), or one that
 * is either 0 or always the same (m1 m3 = m2^2); or the order would be greater than HYPERERLANG_MAX_ORDER; or m2 / m1^2
 * or m1 m3 / m2^2 is above 10^30.
 */
int hypererlang_fit(const double moment[HYPERERLANG_MOMENTS], struct hypererlang *h, char *why,
		    size_t size);

void hypererlang_moments(const struct hypererlang *h, double moment[HYPERERLANG_MOMENTS]);

/*
 * The nearest moments that an order up to `order` has, if these have none: the mean stays, then the second is
 * raised as far as it must be, then the third. All are above 0 and finite, and so is what comes out.
 */
void hypererlang_raise(double moment[HYPERERLANG_MOMENTS], int64_t order);

/* The same for drawing: a stage's means in 2^-16, and the chance of the second branch in 2^-64. */
struct hypererlang_draw {
	uint32_t order;
	uint64_t scale_q16[2], second;
};

/* No more stages than this are drawn. */
#define HYPERERLANG_MAX_DRAWN 1000

/* h->order is at most HYPERERLANG_MAX_DRAWN. Scales are cut to 2^40. */
void hypererlang_prepare(const struct hypererlang *h, struct hypererlang_draw *d);

/* A draw in 2^-16, below 2^60: a word for the branch, then an exponential per stage. */
uint64_t hypererlang_draw_q16(const struct hypererlang_draw *d, struct rng *r);

#endif
