/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypererlang: see hypererlang.h. */
#include "sim/models/hypererlang.h"

#include <math.h>
#include <stdbool.h>

#include "core/sched.h"
#include "common/why.h"

__extension__ typedef unsigned __int128 uint128;

/* Squares of all that follows from it can still be told. */
#define MOST_OVER 1e30

/* By how much m2 is over m1^2, and m1 m3 over m2^2, as shares of these. fma() keeps all digits of a small one. */
struct over {
	double square, cube;
};

static struct over over(const double m[HYPERERLANG_MOMENTS])
{
	double square = m[1] * m[1], error = fma(-m[1], m[1], square);

	return (struct over){ fma(-m[0], m[0], m[1]) / m[0] / m[0],
			      (fma(m[0], m[2], -square) + error) / m[1] / m[1] };
}

static bool has_order(struct over o, double n)
{
	return fma(n, o.square, -1) > 0 && fma(n + 1, o.cube, -1) > 0;
}

/*
 * With r_k = m_k / (n ... (n + k - 1)), the moments of the scale as a quantity of two values, and lengths
 * in units of r1: u = r2 - r1^2 and v = r1 r3 - r2^2.
 */
struct excess {
	double u, v;
};

static struct excess excess_at(struct over o, double n)
{
	double u = fma(n, o.square, -1) / (n + 1);

	return (struct excess){ u, (1 + u) * (1 + u) * (fma(n + 1, o.cube, -1) / (n + 2)) };
}

/*
 * The two values are the roots of u z^2 - w z + v, w = r3 - r1 r2. Written by the book, differences of
 * nearly equal numbers would cost all digits where u is small. u and v have all of theirs, and what follows
 * can be had from them without such a difference, but for d, whose error is as one in v's last digit.
 */
static void solve(struct excess e, double r1, struct hypererlang *h)
{
	double u = e.u, v = e.v;
	double w = v + u * (1 + u);
	double d = v - u + u * u;
	double root = sqrt(d * d + 4 * u * u * u); /* of w^2 - 4 u v, which is this sum */
	double above = d > 0 ? (d + root) / (2 * u) : 2 * u * u / (root - d); /* y - 1 */
	double below = u / above; /* 1 - x: together they make the variance, u */

	h->scale[0] = r1 * (2 * v / (w + root));
	h->scale[1] = r1 * ((w + root) / (2 * u));
	h->share[0] = above / (above + below);
	h->share[1] = below / (above + below);
}

static int check(const double m[HYPERERLANG_MOMENTS], char *why, size_t size)
{
	struct over o;

	for (int k = 0; k < HYPERERLANG_MOMENTS; k++)
		if (!isfinite(m[k]) || m[k] <= 0)
			return why_set(why, size, PACT_EINVAL, "m%d = %g: not above 0", k + 1,
				       m[k]);
	o = over(m);
	if (o.square < 0)
		return why_set(why, size, PACT_EINVAL,
			       "m2 is less than m1^2: no quantity has such moments");
	if (o.square == 0)
		return why_set(why, size, PACT_EINVAL,
			       "m2 = m1^2: always the same, no order has that");
	if (o.cube < 0)
		return why_set(why, size, PACT_EINVAL,
			       "m1 m3 is less than m2^2: no quantity above 0 has such moments");
	if (o.cube == 0)
		return why_set(why, size, PACT_EINVAL,
			       "m1 m3 = m2^2: either 0 or always the same, no order has that");
	if (!(o.square <= MOST_OVER && o.cube <= MOST_OVER))
		return why_set(why, size, PACT_EINVAL,
			       "m2 / m1^2 or m1 m3 / m2^2 is more than 10^30");
	return PACT_OK;
}

/* A greater order has all moments that a lesser one has, so the least is found by halving. */
static int64_t least_order(struct over o)
{
	int64_t lo = 1, hi = HYPERERLANG_MAX_ORDER;

	if (!has_order(o, (double)hi))
		return 0;
	while (lo < hi) {
		int64_t mid = lo + (hi - lo) / 2;

		if (has_order(o, (double)mid))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

int hypererlang_fit(const double moment[HYPERERLANG_MOMENTS], struct hypererlang *h, char *why,
		    size_t size)
{
	int err = check(moment, why, size);

	*h = (struct hypererlang){ 0 };
	if (err)
		return err;
	h->order = least_order(over(moment));
	if (!h->order)
		return why_set(why, size, PACT_EINVAL, "no order up to %lld has these moments",
			       (long long)HYPERERLANG_MAX_ORDER);
	solve(excess_at(over(moment), (double)h->order), moment[0] / (double)h->order, h);
	return PACT_OK;
}

void hypererlang_moments(const struct hypererlang *h, double moment[HYPERERLANG_MOMENTS])
{
	double n = (double)h->order, rising = 1, power[2] = { 1, 1 };

	for (int k = 0; k < HYPERERLANG_MOMENTS; k++) {
		rising *= n + k;
		for (int i = 0; i < 2; i++)
			power[i] *= h->scale[i];
		moment[k] = rising * (h->share[0] * power[0] + h->share[1] * power[1]);
	}
}

/* So far above what an order has at least, moments that are raised come to stand. */
#define ABOVE 1.001

void hypererlang_raise(double moment[HYPERERLANG_MOMENTS], int64_t order)
{
	double n = (double)order;
	double square = (1 + ABOVE / n) * moment[0] * moment[0], cube;

	if (has_order(over(moment), n))
		return;
	if (moment[1] < square)
		moment[1] = square;
	cube = (1 + ABOVE / (n + 1)) * (moment[1] / moment[0]) * moment[1];
	if (moment[2] < cube)
		moment[2] = cube;
}

/* value x 2^bits, rounded down, at most `most`. */
static uint64_t scaled(double value, int bits, uint64_t most)
{
	double v = ldexp(value, bits);

	return v >= (double)most ? most : (uint64_t)v;
}

void hypererlang_prepare(const struct hypererlang *h, struct hypererlang_draw *d)
{
	d->order = (uint32_t)h->order;
	for (int i = 0; i < 2; i++)
		d->scale_q16[i] = scaled(h->scale[i], 16, UINT64_C(1) << 56);
	d->second = scaled(h->share[1], 64, UINT64_MAX);
}

uint64_t hypererlang_draw_q16(const struct hypererlang_draw *d, struct rng *r)
{
	const uint64_t most = (UINT64_C(1) << 60) - 1;
	uint64_t scale = d->scale_q16[rng_next(r) < d->second], stages = 0;
	uint128 v;

	for (uint32_t i = 0; i < d->order; i++)
		stages += rng_exponential_q32(r);
	v = ((uint128)stages * scale) >> 32;
	return v > most ? most : (uint64_t)v;
}
