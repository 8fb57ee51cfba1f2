/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * speedup: how fast a job is on so many nodes, from the few widths for which that is known.
 *
 * A table is pairs of a width and the speed on so many nodes in millionths of one node's: 1, 1000000, 2, 1800000.
 * Between two of its widths the speed is linear in log2 of the nodes; below the first it is in proportion to
 * the nodes; above the last it grows no more. An empty table: n nodes are n times as fast. All in integers, rounded
 * down, so that it is the same everywhere: log2 n is taken in 2^-32, as lg() of doc/formats.md, "Random numbers".
 */
#ifndef PACT_CORE_SPEEDUP_H
#define PACT_CORE_SPEEDUP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernel/record.h"

/* The speed of one node. */
#define SPEEDUP_WHOLE 1000000

/* A table has at most so many numbers, and no speed is more than so many nodes'. */
#define SPEEDUP_NUMBERS 128
#define SPEEDUP_MOST 10000000

/* log2(n) x 2^32, rounded down; n >= 1. */
uint64_t speedup_log2(uint32_t n);

/* Is it a table: widths that rise from at least 1, and speeds from at least 1 that never fall? An empty one is. */
bool speedup_valid(const struct list64 *s);

/* The speed on n >= 1 nodes, in millionths of one node's; at least 1. O(log widths), and a logarithm. */
int64_t speedup_rate(const struct list64 *s, int32_t n);

/* The fewest of least to most nodes that are at least so fast, or most + 1: none is. O(log nodes) of the former. */
int32_t speedup_fewest(const struct list64 *s, int32_t least, int32_t most, int64_t rate);

#endif
