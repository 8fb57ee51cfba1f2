/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spread: see spread.h. Whole numbers: 2^12 squares of at most 2^50 stay within 2^62, and so do those that
 * are weighted by shares of at most 1, 2^12 areas within 2^57. All products are of 128 bits.
 */
#include "core/policies/dynp/spread.h"

#define LONGEST (INT64_C(1) << 25) /* seconds, a year */

__extension__ typedef __int128 int128;

static int64_t share_of(int64_t width, int64_t nodes)
{
	if (width >= nodes)
		return SPREAD_WHOLE;
	return (width * SPREAD_WHOLE + nodes - 1) / nodes;
}

void spread_add(struct spread *x, int64_t limit, int64_t width, int64_t nodes)
{
	int64_t share = share_of(width, nodes);

	limit = limit < LONGEST ? limit : LONGEST;
	x->n++;
	x->sum += limit;
	x->squares += limit * limit;
	x->shares += share;
	x->shared += share * limit;
	x->shared_squares += share * limit * limit / SPREAD_WHOLE;
	x->areas += share * share * limit;
	if (x->n >= SPREAD_MOST)
		*x = (struct spread){ x->n / 2,	     x->sum / 2,    x->squares / 2,
				      x->shares / 2, x->shared / 2, x->shared_squares / 2,
				      x->areas / 2 };
}

bool spread_at_most(const struct spread *x, int64_t percent)
{
	int128 square = (int128)x->sum * x->sum;

	return x->n >= SPREAD_LEAST &&
	       ((int128)x->n * x->squares - square) * 100 <= square * percent;
}

/* (shares shared_squares WHOLE / shared^2 - 1) / (areas / (shared WHOLE)) < percent / 100 */
bool spread_gain_below(const struct spread *x, int64_t percent)
{
	int128 variance = (int128)x->shares * x->shared_squares * SPREAD_WHOLE -
			  (int128)x->shared * x->shared;

	return x->n >= SPREAD_LEAST &&
	       variance * SPREAD_WHOLE * 100 < (int128)x->shared * x->areas * percent;
}

static bool sum_valid(int64_t sum, int64_t n, int64_t most)
{
	return sum >= 0 && sum <= n * most;
}

bool spread_valid(const struct spread *x)
{
	return x->n >= 0 && x->n < SPREAD_MOST && sum_valid(x->sum, x->n, LONGEST) &&
	       sum_valid(x->squares, x->n, LONGEST * LONGEST) &&
	       sum_valid(x->shares, x->n, SPREAD_WHOLE) &&
	       sum_valid(x->shared, x->n, SPREAD_WHOLE * LONGEST) &&
	       sum_valid(x->shared_squares, x->n, LONGEST * LONGEST) &&
	       sum_valid(x->areas, x->n, SPREAD_WHOLE * SPREAD_WHOLE * LONGEST);
}
