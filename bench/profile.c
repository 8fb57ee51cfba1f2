/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/profile N [SEED]: place N jobs one after another at their earliest fit from time 0 on 430
 * free nodes. Prints one line: N, the sum of the start times, microseconds per job.
 *
 * bench/profile --vs-plain N [SEED]: the same jobs on the plain sorted array of the unit tests too,
 * in turns, best of five of each; the two sums must agree. Prints N, the sum, microseconds per job,
 * those of the plain one, and how many times slower the plain one is.
 *
 * bench/profile --undo N [SEED]: after N jobs, takes each out and places it anew. Prints N, the
 * least start seen (so that the work is not optimised away), microseconds per take-and-place.
 *
 * Microseconds are of this process's processor time: what else runs on the machine counts less.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "profile"
#include "bench/bench.h"
#include "core/capacity/profile.h"
#include "testsuite/unit/ref_profile.h"

#define NODES 430
#define SEED UINT64_C(88172645463325252)
#define ROUNDS 5

struct job {
	int32_t width;
	int64_t duration;
	int64_t start;
};

static uint32_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (uint32_t)(*x >> 32);
}

static struct job *make_jobs(size_t n, uint64_t seed)
{
	struct job *jobs = calloc(n ? n : 1, sizeof(*jobs));

	if (!jobs) {
		fprintf(stderr, "profile: no memory for %zu jobs\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++) {
		jobs[i].width = 1 + (int32_t)(draw(&seed) % 64);
		jobs[i].duration = 60 + draw(&seed) % 64800;
	}
	return jobs;
}

static void place(struct profile *p, struct job *job)
{
	job->start = profile_earliest(p, 0, job->duration, job->width);
	if (profile_add(p, job->start, job->start + job->duration, -job->width))
		die("out of memory");
}

/* Microseconds for all jobs; *sum is the sum of the starts. */
static double run_fast(struct job *jobs, size_t n, int64_t *sum)
{
	struct profile *p;
	double begin = now_us(), took;

	*sum = 0;
	p = profile_create(0, NODES);
	if (!p)
		die("out of memory");
	for (size_t i = 0; i < n; i++) {
		place(p, &jobs[i]);
		*sum += jobs[i].start;
	}
	took = now_us() - begin;
	profile_destroy(p);
	return took;
}

static double run_plain(const struct job *jobs, size_t n, int64_t *sum)
{
	struct ref_profile *p;
	double begin = now_us(), took;

	*sum = 0;
	p = ref_profile_create(0, NODES);
	if (!p)
		die("out of memory");
	for (size_t i = 0; i < n; i++) {
		int64_t start = ref_profile_earliest(p, 0, jobs[i].duration, jobs[i].width);

		if (ref_profile_add(p, start, start + jobs[i].duration, -jobs[i].width))
			die("out of memory");
		*sum += start;
	}
	took = now_us() - begin;
	ref_profile_destroy(p);
	return took;
}

static void compare(struct job *jobs, size_t n)
{
	double fast = 0, plain = 0;
	int64_t sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t fast_sum, plain_sum;
		double fast_us = run_fast(jobs, n, &fast_sum);
		double plain_us = run_plain(jobs, n, &plain_sum);

		if (fast_sum != plain_sum)
			die("the plain profile has other start times");
		if (round == 0 || fast_us < fast)
			fast = fast_us;
		if (round == 0 || plain_us < plain)
			plain = plain_us;
		sum = fast_sum;
	}
	printf("%zu %" PRId64 " %.3f plain %.3f ratio %.1f\n", n, sum, fast / (double)n,
	       plain / (double)n, plain / fast);
}

static void undo(struct job *jobs, size_t n)
{
	struct profile *p = profile_create(0, NODES);
	int64_t least = PACT_FOREVER;
	double begin;

	if (!p)
		die("out of memory");
	for (size_t i = 0; i < n; i++)
		place(p, &jobs[i]);
	begin = now_us();
	for (size_t i = 0; i < n; i++) {
		struct job *job = &jobs[i];

		if (profile_add(p, job->start, job->start + job->duration, job->width))
			die("out of memory");
		place(p, job);
		if (job->start < least)
			least = job->start;
	}
	printf("%zu %" PRId64 " %.3f\n", n, least, (now_us() - begin) / (double)n);
	profile_destroy(p);
}

static uint64_t number(const char *what, const char *text)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-') {
		fprintf(stderr, "profile: %s=%s is not a whole number\n", what, text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	const char *mode = "";
	struct job *jobs;
	uint64_t seed;
	size_t n;

	if (argc > 1 && argv[1][0] == '-') {
		mode = argv[1];
		argc--;
		argv++;
	}
	if (argc < 2 || argc > 3 ||
	    (*mode && strcmp(mode, "--vs-plain") && strcmp(mode, "--undo"))) {
		fprintf(stderr, "usage: profile [--vs-plain | --undo] N [SEED]\n");
		return 2;
	}
	n = (size_t)number("N", argv[1]);
	seed = argc == 3 ? number("SEED", argv[2]) : SEED;
	if (n == 0 || seed == 0)
		die("N and SEED must not be 0");
	jobs = make_jobs(n, seed);
	if (!strcmp(mode, "--vs-plain")) {
		compare(jobs, n);
	} else if (!strcmp(mode, "--undo")) {
		undo(jobs, n);
	} else {
		int64_t sum;
		double took = run_fast(jobs, n, &sum);

		printf("%zu %" PRId64 " %.3f\n", n, sum, took / (double)n);
	}
	free(jobs);
	return 0;
}
