/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plain_worth: the jobs with a range of nodes that benchmarks run, and their reference: one plain pass over flat arrays that
 * computes of each node what the end of its job is worth with it and without it. `now` is the benchmark's clock.
 */
#ifndef PACT_BENCH_PLAIN_WORTH_H
#define PACT_BENCH_PLAIN_WORTH_H

#include "bench/bench.h"
#include "core/kernel/speedup.h"
#include "core/sched.h"

#define PER_JOB 10 /* nodes */
#define ROUNDS 9
#define DAY INT64_C(86400)

static int64_t now;

/* A sub-linear speedup. */
static const int64_t table[] = {
	1, 1000000, 2, 1800000, 4, 3400000, 8, 6300000, 16, 11200000, 32, 18100000, 64, 26300000,
};

static uint64_t state;

static int64_t below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state >> 16) % n;
}

/* What the plain pass knows of each job. */
static struct flat {
	int64_t left, value, submit, deadline;
	int64_t rate[PER_JOB + 1];
} * flat;

static void keep(const struct sched_job *d)
{
	struct flat *j = &flat[d->id - 1];

	j->left = d->limit * speedup_rate(&d->speedup, d->width);
	j->value = 1000000;
	j->submit = d->submit;
	j->deadline = d->submit + 2 * DAY;
	for (int32_t n = 1; n <= PER_JOB; n++)
		j->rate[n] = speedup_rate(&d->speedup, n);
}

static int64_t worth(const struct flat *j, int32_t n)
{
	int64_t end = now + j->left / j->rate[n], all = j->deadline - j->submit;

	if (end >= j->deadline)
		return 0;
	if (end - j->submit <= all / 2)
		return j->value;
	return (int64_t)((double)j->value * 2 * (double)(j->deadline - end) / (double)all);
}

/* Microseconds: the best of ROUNDS passes. */
static double plain(uint32_t jobs)
{
	static volatile int64_t sum;
	double best = 1e30;

	for (int round = 0; round < ROUNDS; round++) {
		double begin = now_us(), time;
		int64_t least = 0;

		for (uint32_t i = 0; i < jobs; i++) {
			for (int32_t n = 1; n <= PER_JOB; n++)
				least += worth(&flat[i], n) - (n > 1 ? worth(&flat[i], n - 1) : 0);
		}
		sum = least;
		time = now_us() - begin;
		best = time < best ? time : best;
	}
	(void)sum;
	return best;
}

#endif
