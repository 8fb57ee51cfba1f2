/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the cluster's time, which libfaketime may make run fast, and the time of the wall.
 *
 * Every time in a replay is the cluster's; the wall's serves only to pace what a person sees and
 * how often a failing controller is tried again. It is read from /proc/uptime, which no preload
 * changes.
 */
#ifndef PACT_REPLAY_CLOCK_H
#define PACT_REPLAY_CLOCK_H

#include <stdint.h>

/* Seconds since the epoch on the cluster's clock, with their fraction. */
double clock_now(void);

/* Seconds of the wall since the machine came up; where that cannot be read, the cluster's clock. */
double clock_wall(void);

/* How many times faster than the wall the cluster's clock runs, since clock_start(); at first 1. */
double clock_speed(void);
void clock_start(void);
/* Waits, a fifth of a second of the wall at most, until clock_speed() is known. */
void clock_settle(void);

/* Sleeps that many seconds of the cluster's clock, less when a signal comes. <= 0: not at all. */
void clock_sleep(double seconds);
/* The same in seconds of the wall, as far as the speed is known. */
void clock_sleep_wall(double seconds);

/* "1-02:03:04", "02:03:04" for less than a day; a minus sign before it if negative. */
void clock_span(int64_t seconds, char *buf, unsigned long size);

#endif /* PACT_REPLAY_CLOCK_H */
