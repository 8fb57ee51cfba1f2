/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk: see risk.h.
 *
 * Why the cases of risk_zero_on() are all, on one processor. Let part i have a deadline in D_i and claim c_i =
 * left_i / D_i, T their sum.
 *
 * T <= 1: each part is given at least its claim, now and at each later end, so all are in time and all deadline
 * delays are 1. T > 1: shares are c_i / T, so that i would end at T x D_i. The first one to end has the least
 * D_i and ends at T x D_i: its deadline delay is T, over 1. (A part with nothing left ends now, with 1:
 * then the risk is not 0.) If all are equal, i ends at T x D_i, and the last one at T x D_max. The processor is
 * never idle till then, so T x D_max = sum of left_i = sum of c_i x D_i. With T = sum of c_i this is the sum of
 * c_i x (D_max - D_i) = 0: all D_i are the same. And if they are the same, all end at once, at T x D.
 *
 * On several processors the first case holds in the same way. In the second, shares are c_i x (processors /
 * total) as long as no part is over a whole by that; all end at once. A part that is over a whole ends later
 * than the others.
 */
#include "core/sharing/shares/risk.h"

#include <math.h>

int64_t risk_delay(int64_t end, int64_t deadline)
{
	if (end == SHARE_NEVER)
		return SHARE_NEVER;
	return end > deadline ? end - deadline : 0;
}

struct risk_ratio risk_deadline_delay(int64_t delay, int64_t deadline, int64_t now)
{
	share_work remaining = deadline > now ? (share_work)(deadline - now) : 0;

	if (!remaining || delay == SHARE_NEVER)
		return (struct risk_ratio){ 1, 0 };
	return (struct risk_ratio){ (share_work)delay + remaining, remaining };
}

static double value_of(const struct risk_ratio *r)
{
	return r->under ? (double)r->over / (double)r->under : (double)INFINITY;
}

double risk_mean(const struct risk_ratio *r, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value_of(&r[i]);
	return n ? sum / (double)n : 0;
}

/* By Newton's way down: core links nothing but libc. */
static double root(double x)
{
	double r = x > 1 ? x : 1, next = (r + x / r) / 2;

	while (next < r) {
		r = next;
		next = (r + x / r) / 2;
	}
	return r;
}

double risk_sigma(const struct risk_ratio *r, size_t n)
{
	double mean = risk_mean(r, n), squares = 0, variance;

	if (isinf(mean))
		return (double)INFINITY;
	for (size_t i = 0; i < n; i++)
		squares += value_of(&r[i]) * value_of(&r[i]);
	variance = n ? squares / (double)n - mean * mean : 0;
	return variance > 0 ? root(variance) : 0;
}

static bool is_equal(const struct risk_ratio *a, const struct risk_ratio *b)
{
	return a->under && b->under && a->over * b->under == b->over * a->under;
}

bool risk_is_zero(const struct risk_ratio *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_equal(&r[0], &r[i]))
			return false;
	}
	return true;
}

/* Do all end together, with one deadline and no part at a whole share before? */
static bool end_together(const struct share_part *part, size_t n, uint32_t processors)
{
	share_work all = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		if (part[i].deadline != part[0].deadline)
			return false;
		all += part[i].left * part[i].processors;
		most = part[i].left > most ? part[i].left : most;
	}
	return most * processors <= all;
}

/* Has each all its processors all the time, and do all end late by the same ratio? */
static bool run_alike(const struct share_part *part, size_t n, uint32_t processors, int64_t now)
{
	uint64_t used = 0;

	for (size_t i = 0; i < n; i++) {
		share_work here = (share_work)(part[i].deadline - now);
		share_work first = (share_work)(part[0].deadline - now);

		used += part[i].processors;
		if (used > processors || part[i].left * first != part[0].left * here)
			return false;
	}
	return true;
}

bool risk_zero_on(const struct share_part *part, size_t n, uint32_t processors, int64_t now)
{
	share_work total = 0;
	bool fits = true, all_left = true;

	for (size_t i = 0; i < n; i++) {
		uint64_t claim = share_claim(&part[i], now);

		if (part[i].deadline <= now || part[i].suspended)
			return false;
		total += (share_work)claim * part[i].processors;
		fits &= claim <= SHARE_WHOLE;
		all_left &= part[i].left > 0;
	}
	fits &= total <= (share_work)SHARE_WHOLE * processors;
	if (fits || !all_left)
		return fits;
	return end_together(part, n, processors) || run_alike(part, n, processors, now);
}

bool risk_in_time(const struct share_part *part, size_t n, uint32_t processors, int64_t now)
{
	share_work total = 0;

	for (size_t i = 0; i < n; i++) {
		if (part[i].deadline <= now || part[i].suspended || part[i].claim > SHARE_WHOLE)
			return false;
		total += (share_work)part[i].claim * part[i].processors;
	}
	return total <= (share_work)SHARE_WHOLE * processors;
}
