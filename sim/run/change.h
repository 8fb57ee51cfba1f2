/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change: what changes at a time, for sums over a whole schedule: a list is made in any order, sorted by
 * time, and gone through once.
 */
#ifndef PACT_SIM_CHANGE_H
#define PACT_SIM_CHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/run/simulate.h"
#include "sim/workload/workload.h"

struct change {
	int64_t at;
	int32_t used;  /* so many nodes more are in use */
	uint32_t mark; /* the caller's own */
};

/*
 * Room for n changes, and as much again as scratch. NULL: no memory, or more changes than a mark can
 * tell apart; free() it.
 */
struct change *change_list(size_t n);

/*
 * Sort the first n by time, equal times in the order in which they stand; `room` is what change_list()
 * was asked for. O(n) for the times of a schedule.
 */
void change_sort(struct change *v, size_t n, size_t room);

/*
 * A schedule's starts and ends (used < 0) by time, ends before starts at one instant, then in job order;
 * marks are job numbers from 0. A job that ended as it started has a start only, which uses no node.
 * A job that was moved, resized or suspended has one of each for every span; one that shares its nodes has a
 * start only, which uses none.
 * *n: how many. NULL: no memory; free() it.
 */
struct change *change_schedule(const struct workload *w, const struct sim_outcome *out, size_t *n);

#endif
