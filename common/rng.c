/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng: see rng.h. */
#include "common/rng.h"

__extension__ typedef unsigned __int128 uint128;

/* ln 2 in Q64. */
#define LN2_Q64 UINT64_C(0xb17217f7d1cf79ab)

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed + stream * UINT64_C(0x9e3779b97f4a7c15);

	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix64(&x);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	/* The 2^64 mod n lowest draws would make some answers likelier: draw again. */
	uint64_t reject = -n % n;
	uint64_t x;

	do
		x = rng_next(r);
	while (x < reject);
	return x % n;
}

int64_t rng_range(struct rng *r, int64_t lo, int64_t hi)
{
	return lo + (int64_t)rng_below(r, (uint64_t)(hi - lo) + 1);
}

uint64_t rng_log2_q32(uint64_t x)
{
	int whole = 63 - __builtin_clzll(x);
	uint64_t m = x << (63 - whole); /* 1 <= m < 2 in Q63 */
	uint64_t log = (uint64_t)whole;

	/* Squaring doubles the logarithm: its next binary digit is whether the square reaches 2. */
	for (int i = 0; i < 32; i++) {
		uint128 square = ((uint128)m * m) >> 63;

		log <<= 1;
		if (square >> 64) {
			log |= 1;
			square >>= 1;
		}
		m = (uint64_t)square;
	}
	return log;
}

/* 2^(1/2), 2^(1/4), ... in Q62, each the square root of the one before, rounded down. */
static const uint64_t root[32] = {
	0x5a827999fcef3242, 0x4c1bf828c6dc54b7, 0x45cae0f1f545eb73, 0x42d561b3e6243d8a,
	0x4166c34c5615d0eb, 0x40b268f9de0183b9, 0x4058f6a7ecccd5b5, 0x402c6be96af2fb57,
	0x4016321b687027a7, 0x400b18178ba33b13, 0x40058bce410147e7, 0x4002c5d7bff71dad,
	0x400162e807ee7e5a, 0x4000b1730df6a523, 0x400058b9497b8151, 0x40002c5c955dd700,
	0x4000162e46d6f26b, 0x40000b1722757b1a, 0x4000058b90fd3e0b, 0x400002c5c86f3f25,
	0x40000162e433c79a, 0x400000b17218edcf, 0x40000058b90c3968, 0x4000002c5c860d54,
	0x400000162e4302d2, 0x4000000b17218073, 0x400000058b90bffc, 0x40000002c5c85fee,
	0x4000000162e42ff3, 0x40000000b17217f8, 0x4000000058b90bfb, 0x400000002c5c85fd,
};

uint64_t rng_exp2_q16(uint64_t y)
{
	int whole = (int)(y >> 32);
	uint128 value = (uint128)1 << 62;

	/* The product of 2^(1/2), 2^(1/4), ... over the binary digits of the fraction. */
	for (int i = 31; i >= 0; i--) {
		if (y >> i & 1)
			value = (value * root[31 - i]) >> 62;
	}
	return whole >= 46 ? (uint64_t)(value << (whole - 46)) : (uint64_t)(value >> (46 - whole));
}

uint64_t rng_exponential_q32(struct rng *r)
{
	uint64_t x = rng_next(r);
	uint64_t minus_log2;

	/* -ln(u) for u = x / 2^64, x in 1 .. 2^64 - 1; a draw of 0 is taken as 1. */
	minus_log2 = (UINT64_C(64) << 32) - rng_log2_q32(x ? x : 1);
	return (uint64_t)(((uint128)minus_log2 * LN2_Q64) >> 64);
}

int64_t rng_normal_q32(struct rng *r)
{
	const uint64_t one = UINT64_C(1) << 32;
	uint64_t e, other, from_one;

	do {
		e = rng_exponential_q32(r);
		other = rng_exponential_q32(r);
		from_one = e > one ? e - one : one - e;
	} while (((uint128)other << 33) < (uint128)from_one * from_one);
	return rng_next(r) & 1 ? -(int64_t)e : (int64_t)e;
}

uint64_t rng_weibull_q16(struct rng *r, int64_t alpha_micro, int64_t beta_micro)
{
	uint64_t e = rng_exponential_q32(r);
	int64_t log; /* log2 of the value in Q32 */

	/* x = beta e^(1/alpha), by logarithms. */
	log = (int64_t)rng_log2_q32(e ? e : 1) - (INT64_C(32) << 32);
	log = (int64_t)((__extension__(__int128) log) * 1000000 / alpha_micro);
	log += (int64_t)rng_log2_q32((uint64_t)beta_micro) - (int64_t)rng_log2_q32(1000000);
	if (log <= -(INT64_C(16) << 32))
		return 0;
	if (log >= INT64_C(31) << 32)
		log = (INT64_C(31) << 32) - 1;
	return rng_exp2_q16((uint64_t)(log + (INT64_C(16) << 32))) >> 16;
}

int64_t rng_log_uniform(struct rng *r, int64_t lo, int64_t hi)
{
	uint64_t from = rng_log2_q32((uint64_t)lo);
	uint64_t to = rng_log2_q32((uint64_t)hi + 1);
	int64_t v;

	v = (int64_t)(rng_exp2_q16(from + rng_below(r, to - from)) >> 16);
	return v < lo ? lo : v > hi ? hi : v;
}
