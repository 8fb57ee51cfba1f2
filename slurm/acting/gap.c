/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gap.c - SwitchGap: time between the stops and the resumes of a switch
 */
#include "slurm/acting/gap.h"

#include <time.h>

#include "slurm/base/clock.h"

/* As it is slept in pieces, a thread that is to end does. */
#define PIECE_US 50000

static int64_t until; /* clock_us() */
static int64_t waited;

void gap_stopped(int64_t gap_ms)
{
	if (gap_ms)
		until = clock_us() + gap_ms * 1000;
}

bool gap_left(void)
{
	return until && clock_us() < until;
}

void gap_wait(const _Atomic bool *stop)
{
	int64_t began = clock_us();

	while (gap_left() && !*stop) {
		int64_t left = until - clock_us();

		if (left > PIECE_US)
			left = PIECE_US;
		if (left > 0)
			nanosleep(&(struct timespec){ 0, left * 1000 }, NULL);
	}
	waited += clock_us() - began;
	if (!gap_left())
		gap_over();
}

int64_t gap_waited(void)
{
	return waited;
}

void gap_over(void)
{
	until = 0;
}
