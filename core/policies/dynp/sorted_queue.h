/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sorted_queue: the waiting jobs in one policy's order, and where its full schedule puts each. Internal to core.
 *
 * The order is kept, not made anew: a job that comes is added behind, and sorted_queue_arrange() merges the new
 * ones in. Keys are taken when a job comes; code that changes what they are made of (a priority, an id) calls
 * sorted_queue_resort().
 */
#ifndef PACT_CORE_SORTED_QUEUE_H
#define PACT_CORE_SORTED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/policies/dynp/dynp.h"
#include "core/capacity/plan.h"

struct job;

struct assignment {
	struct job *job;
	int64_t first, key, last; /* compared in this order, then submission, then id */
	struct placement at;
	/* of the job, so that a walk over all assignments need not go to all jobs */
	int64_t submit, limit, duration, not_before;
	int32_t width;
	int32_t alt; /* its first alternative with nodes enough, required ones among them; or -1 */
};

struct sorted_queue {
	enum dynp_order order;
	enum dynp_priority priority;
	struct assignment *v;
	size_t n, room;
	size_t sorted; /* those behind have come since the last sorted_queue_arrange() */
};

void sorted_queue_init(struct sorted_queue *b, enum dynp_order order, enum dynp_priority priority);
void sorted_queue_release(struct sorted_queue *b);

/* An assignment without a placement, behind all others. 0, or -1: no memory, no effect. */
int sorted_queue_add(struct sorted_queue *b, struct job *j);
/* Bring all assignments into order; the index of the first that moved or is new, or n. O(n) for many new. */
size_t sorted_queue_arrange(struct sorted_queue *b);
/* Its index, or -1. O(log n) while keys are as they were, and it is not new. */
ptrdiff_t sorted_queue_find(const struct sorted_queue *b, const struct job *j);
/* Free the placement and close the gap. */
void sorted_queue_remove(struct sorted_queue *b, size_t i);
/* Take all keys anew and sort. True: that moved a job. O(n), O(n log n) then. */
bool sorted_queue_resort(struct sorted_queue *b);

#endif
