/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * board: the waiting jobs in one policy's order, and where its full schedule puts each. Internal to core.
 *
 * The order is kept, not made anew: who comes is added behind, and board_settle() merges the new ones in.
 * Keys are taken when a job comes; who changes what they are made of (a priority, an id) asks for
 * board_resort().
 */
#ifndef PACT_CORE_BOARD_H
#define PACT_CORE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dynp.h"
#include "plan.h"

struct job;

struct seat {
	struct job *job;
	int64_t first, key, last; /* compared in this order, then submission, then id */
	struct placement at;
	/* of the job, so that a walk over all seats need not go to all jobs */
	int64_t submit, limit, duration, not_before;
	int32_t width;
	int32_t alt; /* its first alternative with nodes enough, required ones among them; or -1 */
};

struct board {
	enum dynp_order order;
	enum dynp_priority priority;
	struct seat *v;
	size_t n, room;
	size_t sorted; /* those behind have come since the last board_settle() */
};

void board_init(struct board *b, enum dynp_order order, enum dynp_priority priority);
void board_release(struct board *b);

/* A seat without a placement, behind all others. 0, or -1: no memory, no effect. */
int board_add(struct board *b, struct job *j);
/* Bring all seats into order; the index of the first that moved or is new, or n. O(n) for many new. */
size_t board_settle(struct board *b);
/* Its index, or -1. O(log n) while keys are as they were, and it is not new. */
ptrdiff_t board_find(const struct board *b, const struct job *j);
/* Free the placement and close the gap. */
void board_remove(struct board *b, size_t i);
/* Settled: take all keys anew and sort. True: that moved somebody. O(n), O(n log n) then. */
bool board_resort(struct board *b);

#endif
