/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng: the project's random numbers, the same on every machine.
 *
 * The generator is xoshiro256** 1.0 (Blackman and Vigna, 2018); its state is filled by four steps
 * of splitmix64 from seed + stream * 0x9e3779b97f4a7c15. Streams are independent uses of one seed:
 * the choice of deadlines does not move when the workload model draws one number more.
 *
 * Everything is integer arithmetic: logarithms and powers are computed here in fixed point and not
 * by libm, whose last digits differ from machine to machine. "Q32" means scaled by 2^32.
 */
#ifndef PACT_SIM_RNG_H
#define PACT_SIM_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

enum rng_stream {
	RNG_MODEL = 1,	   /* arrivals, widths, runtimes, estimates of a workload model */
	RNG_DEADLINES = 2, /* which jobs have a deadline */
	RNG_LOAD = 3,	   /* which jobs are duplicated, and when they come again */
	RNG_ESTIMATES = 4, /* overestimation */
	RNG_RANGES = 5,	   /* which jobs are malleable, and what they are worth */
	RNG_ANSWERS = 6,   /* what malleable jobs do when they are asked for nodes */
	RNG_TEST = 100,	   /* tests */
};

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream);

/* 64 uniform bits. */
uint64_t rng_next(struct rng *r);

/* Uniform in [0, n), without bias; n >= 1. */
uint64_t rng_below(struct rng *r, uint64_t n);

/* Uniform in [lo, hi]; lo <= hi. */
int64_t rng_range(struct rng *r, int64_t lo, int64_t hi);

/* Exponential with mean 1, in Q32. */
uint64_t rng_exponential_q32(struct rng *r);

/*
 * Standard normal, in Q32: |z| is one exponential e of several, taken when another one is at least
 * (e - 1)^2 / 2 (von Neumann's rejection); the lowest bit of one more word, if set, makes it negative.
 */
int64_t rng_normal_q32(struct rng *r);

/*
 * Weibull, scaled by 2^16: F(x) = 1 - exp(-(x / beta)^alpha), alpha and beta in millionths, alpha
 * from 10^5 to 10^8, beta from 1 to 10^15. Cut to below 2^31; precise to about 2^-16 of its value.
 */
uint64_t rng_weibull_q16(struct rng *r, int64_t alpha_micro, int64_t beta_micro);

/*
 * Log-uniform integer in [lo, hi], 1 <= lo <= hi < 2^40: the floor of a real whose logarithm is
 * uniform between log(lo) and log(hi + 1).
 */
int64_t rng_log_uniform(struct rng *r, int64_t lo, int64_t hi);

/* log2(x) in Q32, rounded down, x >= 1. */
uint64_t rng_log2_q32(uint64_t x);

/* 2^(y / 2^32) in Q16, rounded down to about 40 bits, y < 47 * 2^32. */
uint64_t rng_exp2_q16(uint64_t y);

#endif
