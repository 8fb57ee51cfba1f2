/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed: the random numbers of the unit tests, and how a run is repeated.
 *
 * The generator is xorshift64 (Marsaglia, 2003; shifts 13, 7, 17): a state of 64 bits that is never
 * 0, one for the whole program unless a test keeps its own. A draw is the state's upper 48 bits: the
 * lower ones are the weak ones. It is not sim/rng, which is itself tested here.
 *
 * The environment: PACT_SEED is where the program's state begins (decimal, or hexadecimal after 0x);
 * without it the time decides. PACT_ROUNDS is how many worlds, workloads or the like a test makes that
 * has rounds. The seed is printed before the first test, and again with how to repeat it when one has
 * failed; the tests of a program draw from one state, so that a repetition runs all of them.
 */
#ifndef PACT_TEST_SEED_H
#define PACT_TEST_SEED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A draw from a state of the caller's, which must not be 0: uniform in [0, 2^48). */
uint64_t seed_next(uint64_t *state);

/* A draw from the program's state. */
uint64_t seed_draw(void);

/* Uniform in [0, n), but for a bias of n / 2^48; n >= 1. */
int64_t seed_below(int64_t n);

/* Where the program's state began. */
uint64_t seed_first(void);

/* The seed of a round of its own, counted from 0: PACT_SEED of that makes this round the first. */
uint64_t seed_of_round(uint64_t round);

/*
 * PACT_ROUNDS, or otherwise. With the address sanitizer a fourth of otherwise, if that is 200 or more: the
 * build without it plays all of them and compares what came out, and what the sanitizers look for, the ways
 * through the code, a fourth has, too.
 */
uint64_t seed_rounds(uint64_t otherwise);

/*
 * Read the environment, print the seed, run the tests.
 * RET what main() returns: failed tests, or 2 for an environment that is no number
 */
#define seed_run(name, tests) seed_run_tests((name), (tests), sizeof(tests) / sizeof(*(tests)))
int seed_run_tests(const char *name, const struct CMUnitTest *tests, size_t n);

#endif
