/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order: in which order jobs are taken. Comparators, nothing more; ties break by submission, then id
 * (doc/papers.md, "Everywhere"), so that every order is total and every run repeatable.
 */
#ifndef PACT_CORE_ORDER_H
#define PACT_CORE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

struct job;

/* What an order compares; smaller keys come first. LLF's laxity is deadline - now - estimate. */
int64_t order_key(enum order_kind kind, const struct job *j, int64_t now);

/*
 * Sort jobs[0 .. n) by kind. Stable, O(n log n), O(n) on runs already in order. `scratch` has room for
 * 2 n elements of struct order_item.
 */
struct order_item {
	int64_t key;
	int64_t submit;
	uint64_t id;
	struct job *job;
};

void order_sort(struct job **jobs, size_t n, enum order_kind kind, int64_t now,
		struct order_item *scratch);

/* Does a come before b, or are they alike? */
bool order_precedes(const struct job *a, const struct job *b, enum order_kind kind, int64_t now);

static inline bool order_item_before(const struct order_item *a, const struct order_item *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (a->submit != b->submit)
		return a->submit < b->submit;
	return a->id < b->id;
}

/* items[0 .. n) are in order: so become items[0 .. n + more). Room for n + 2 more elements. */
void order_merge(struct order_item *items, size_t n, size_t more);

/*
 * Sort the items filled into scratch[0 .. n) and give their jobs. Keys are the caller's.
 */
void order_items(struct job **jobs, size_t n, struct order_item *scratch);

/*
 * Move the k smallest of n items to the front, in no order among themselves. O(n) expected; which item
 * is the pivot depends on nothing but the items.
 */
void order_select(struct order_item *items, size_t n, size_t k);

/* By planned start, then submission, then id. */
void order_by_start(struct job **jobs, size_t n, struct order_item *scratch);

#endif
