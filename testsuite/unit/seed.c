/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed: see seed.h
 */
#include "testsuite/unit/seed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Odd, without a pattern: neighbouring numbers come far apart, and none is met twice. */
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

#define MANY 200 /* rounds that are worth a part of them under the sanitizers */

/* Does the address sanitizer look on, gcc's or clang's? */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

static uint64_t first, state = 1, rounds;

uint64_t seed_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x >> 16;
}

uint64_t seed_draw(void)
{
	return seed_next(&state);
}

int64_t seed_below(int64_t n)
{
	return (int64_t)(seed_draw() % (uint64_t)n);
}

uint64_t seed_first(void)
{
	return first;
}

uint64_t seed_of_round(uint64_t round)
{
	return first + round * SPREAD;
}

uint64_t seed_rounds(uint64_t otherwise)
{
	if (SANITIZED && otherwise >= MANY)
		otherwise /= 4;
	return rounds ? rounds : otherwise;
}

/* A number from the environment; left alone when there is none.  False: it is no number above 0. */
static bool from_environment(const char *name, uint64_t *value)
{
	const char *text = getenv(name);
	char *end;

	if (!text)
		return true;
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (!errno && end != text && !*end && *text != '-' && *value)
		return true;
	fprintf(stderr, "%s=%s: not a whole number above 0\n", name, text);
	return false;
}

int seed_run_tests(const char *name, const struct CMUnitTest *tests, size_t n)
{
	int failed;

	/* Spread, so that runs of neighbouring seconds have no seeds in common. */
	first = (uint64_t)time(NULL) * SPREAD;
	if (!from_environment("PACT_SEED", &first) || !from_environment("PACT_ROUNDS", &rounds))
		return 2;
	state = first;
	print_message("# PACT_SEED=%" PRIu64 "\n", first);
	failed = _cmocka_run_group_tests(name, tests, n, NULL, NULL);
	if (failed)
		print_message("# to repeat: PACT_SEED=%" PRIu64 " %s\n", first, name);
	return failed;
}
