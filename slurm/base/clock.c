/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c - a clock that nothing sets
 */
#include "slurm/base/clock.h"

#include <time.h>

int64_t clock_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}
