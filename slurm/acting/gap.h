/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gap.h - SwitchGap: time between the stops and the resumes of a switch
 *
 * A program that catches SIGTSTP runs on for two seconds, until it is stopped for good.  The planning thread waits for
 * that before it resumes or starts what has its turn next.  Of that thread alone.
 */
#ifndef PACT_SLURM_GAP_H
#define PACT_SLURM_GAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A job was stopped just now; the gap that follows it, in milliseconds. */
void gap_stopped(int64_t gap_ms);

/* Is it not over yet? */
bool gap_left(void);

/* Wait until it is, with no lock held; not longer than *stop is false: then gap_left() tells that it is not. */
void gap_wait(const _Atomic bool *stop);

/* Microseconds for which gap_wait() has waited, in all. */
int64_t gap_waited(void);

/* There is none: what was stopped is none of this switch's. */
void gap_over(void);

#endif /* PACT_SLURM_GAP_H */
