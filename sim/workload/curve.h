/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * curve: the speed-ups that jobs of models and options have, by name. What one is at some number of nodes is said by
 * core/kernel/speedup.h.
 */
#ifndef PACT_SIM_CURVE_H
#define PACT_SIM_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernel/speedup.h"

/* Twice the nodes, twice the speed. */
extern const struct list64 curve_linear;

/* malleable, Table 4.1: the benchmark of section 4.1 on 1, 2, 4, ... 64 processors. */
extern const struct list64 curve_table41;

/* "linear" or "table". NULL: there is no such curve. */
const struct list64 *curve_by_name(const char *name);

/*
 * "1:1,4:3.5": so many times as fast as on one node, as a new table; its numbers are the caller's to free. False: it is none, or
 * there is no memory.
 */
bool curve_parse(const char *text, struct list64 *curve);

/*
 * How long what takes `time` on `from` nodes takes on `to`, rounded up; time >= 0, both at least 1. Beyond INT64_MAX:
 * that.
 */
int64_t curve_time(const struct list64 *curve, int64_t time, int32_t from, int32_t to);

#endif
