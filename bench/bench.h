/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: what the benchmarks share. BENCH is the program's name, defined before this is included.
 */
#ifndef PACT_BENCH_BENCH_H
#define PACT_BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this process, in milliseconds and in microseconds. */
static inline double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static inline double now_ms(void)
{
	return now_us() / 1e3;
}

/* It could not be measured: say why, exit 1. */
static inline _Noreturn void die(const char *what)
{
	fprintf(stderr, BENCH ": %s\n", what);
	exit(1);
}

#endif
