/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curve: how much faster a job runs on several nodes than on one. All in integers, the same on every machine.
 */
#ifndef PACT_SIM_CURVE_H
#define PACT_SIM_CURVE_H

#include <stdint.h>

/* One curve. There are only those of this module; they live as long as the program. */
struct curve;

/* Twice the nodes, twice the speed. */
extern const struct curve curve_linear;

/*
 * malleable, Table 4.1: the benchmark of section 4.1 on 1, 2, 4, ... 64 processors. Between two of them it is linear in
 * log2 of the processors; beyond the last a job gets no faster.
 */
extern const struct curve curve_table41;

/* "linear" or "table". NULL: there is no such curve. */
const struct curve *curve_by_name(const char *name);

/* The speed on so many nodes (1 or more), in millionths of that on one; rounded down. It never falls with the nodes. */
int64_t curve_micro(const struct curve *s, int32_t nodes);

/*
 * How long what takes `time` on `from` nodes takes on `to`, rounded up; time >= 0. Beyond INT64_MAX: that.
 */
int64_t curve_time(const struct curve *s, int64_t time, int32_t from, int32_t to);

#endif
