/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speedup: see speedup.h. */
#include "core/kernel/speedup.h"

__extension__ typedef unsigned __int128 wide;

/* A pair of the table. */
struct point {
	int64_t width, rate;
};

static struct point point_of(const struct list64 *s, uint32_t i)
{
	return (struct point){ s->v[2 * (size_t)i], s->v[2 * (size_t)i + 1] };
}

/* A digit for each squaring: the square of a number from 1 to 2 is 2 or more where its logarithm's next digit is 1. */
uint64_t speedup_log2(uint32_t n)
{
	int whole = 31 - __builtin_clz(n);
	uint64_t m = (uint64_t)n << (63 - whole), fraction = 0;

	/* as most widths of tables are */
	if (!(n & (n - 1)))
		return (uint64_t)whole << 32;
	for (int i = 0; i < 32; i++) {
		wide square = (wide)m * m >> 63;
		bool digit = square >> 64;

		m = (uint64_t)(digit ? square >> 1 : square);
		fraction = fraction << 1 | digit;
	}
	return (uint64_t)whole << 32 | fraction;
}

bool speedup_valid(const struct list64 *s)
{
	struct point last = { 0, 1 };

	if (s->n % 2 || s->n > SPEEDUP_NUMBERS || (s->n && !s->v))
		return false;
	for (uint32_t i = 0; i < s->n / 2; i++) {
		struct point p = point_of(s, i);

		if (p.width <= last.width || p.width > INT32_MAX || p.rate < last.rate ||
		    p.rate > (int64_t)SPEEDUP_MOST * SPEEDUP_WHOLE)
			return false;
		last = p;
	}
	return true;
}

static int64_t between(const struct point *a, const struct point *b, int32_t n)
{
	uint64_t from = speedup_log2((uint32_t)a->width);
	uint64_t part = speedup_log2((uint32_t)n) - from;
	uint64_t all = speedup_log2((uint32_t)b->width) - from;

	return a->rate + (int64_t)((wide)(uint64_t)(b->rate - a->rate) * part / all);
}

int64_t speedup_rate(const struct list64 *s, int32_t n)
{
	uint32_t low = 0, high = s->n / 2;
	struct point a, b;

	if (!high)
		return (int64_t)n * SPEEDUP_WHOLE;
	/* the first that is wider */
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (s->v[2 * (size_t)mid] > n)
			high = mid;
		else
			low = mid + 1;
	}
	b = point_of(s, low < s->n / 2 ? low : low - 1);
	if (low == s->n / 2)
		return b.rate;
	if (!low) {
		int64_t rate = (int64_t)((wide)(uint64_t)b.rate * (uint32_t)n / (uint64_t)b.width);

		return rate > 0 ? rate : 1;
	}
	a = point_of(s, low - 1);
	return a.width == n ? a.rate : between(&a, &b, n);
}

int32_t speedup_fewest(const struct list64 *s, int32_t least, int32_t most, int64_t rate)
{
	int32_t low = least, high = most + 1;

	while (low < high) {
		int32_t mid = low + (high - low) / 2;

		if (speedup_rate(s, mid) >= rate)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}
