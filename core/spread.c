/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread: see spread.h. Whole numbers: 2^12 squares of less than 2^50 stay below 2^62. */
#include "spread.h"

#define LONGEST (INT64_C(1) << 25) /* seconds, a year */

__extension__ typedef __int128 int128;

void spread_add(struct spread *x, int64_t limit)
{
	limit = limit < LONGEST ? limit : LONGEST;
	x->n++;
	x->sum += limit;
	x->squares += limit * limit;
	if (x->n >= SPREAD_MOST)
		*x = (struct spread){ x->n / 2, x->sum / 2, x->squares / 2 };
}

bool spread_at_most(const struct spread *x, int64_t percent)
{
	int128 square = (int128)x->sum * x->sum;

	return x->n >= SPREAD_LEAST &&
	       ((int128)x->n * x->squares - square) * 100 <= square * percent;
}

bool spread_valid(const struct spread *x)
{
	return x->n >= 0 && x->n < SPREAD_MOST && x->sum >= 0 && x->sum <= x->n * LONGEST &&
	       x->squares >= 0 && x->squares <= x->n * LONGEST * LONGEST;
}
