/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - a clock that nothing sets
 */
#ifndef PACT_SLURM_CLOCK_H
#define PACT_SLURM_CLOCK_H

#include <stdint.h>

/* Monotonic time in microseconds. */
int64_t clock_us(void);

#endif /* PACT_SLURM_CLOCK_H */
