/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn: whose turn it is to have one node more, and to give one back. With Loans=uniform more is for the one that has the
 * least on loan, the older first, which gives all equal parts; with Loans=profit for the one that gains most by it. To give back
 * is for the one that has most on loan, the younger first; or that loses least.
 */
#include "core/base/heap.h"
#include "core/loans/state.h"

/* ---- whose turn it is ---- */

static int64_t worth(const struct loans *s, const struct borrower *b, int32_t n)
{
	int64_t rate = speedup_rate(&b->speedup, n);

	if (!b->value || !b->deadline)
		return 0;
	return payoff_at(&b->payoff, progress_end(b->done.left, rate, s->now));
}

int64_t turn_more(const struct loans *s, const struct borrower *b, int32_t n)
{
	if (s->config.loans == LOANS_PROFIT)
		return worth(s, b, n) - worth(s, b, n + 1);
	return n - b->floor;
}

/* Likewise, for it to have one less. */
static int64_t key_less(const struct loans *s, const struct borrower *b, int32_t n)
{
	if (s->config.loans == LOANS_PROFIT)
		return worth(s, b, n) - worth(s, b, n - 1);
	return b->floor - n;
}

static bool comes_first(const struct lend_entry *a, const struct lend_entry *b)
{
	return a->key != b->key ? a->key < b->key : a->at < b->at;
}

HEAP_FUNCTIONS(entries, struct lend_entry, comes_first)

void turn_heapify(struct loans *s)
{
	entries_make(s->heap, s->heap_n);
}

void turn_again(struct loans *s, bool more)
{
	s->heap_n = entries_again(s->heap, s->heap_n, more);
}

/* ---- which job gives back first ---- */

/* What is left over when parts are equal was given to the older ones, and is the younger ones' to give back. */
static size_t turn_back(const struct loans *s, size_t i)
{
	return s->config.loans == LOANS_PROFIT ? i : s->running_n - 1 - i;
}

/* Of each job the highest node that it has on loan, and from each of these the next lower one. */
static void chain_loans(struct loans *s)
{
	for (size_t i = 0; i < s->running_n; i++)
		s->running[i]->below = s->nodes;
	for (uint32_t n = 0; n < s->nodes; n++) {
		struct borrower *b = s->lender[n];

		if (!b)
			continue;
		s->after[n] = b->below;
		b->below = n;
	}
}

static void heap_loans(struct loans *s)
{
	chain_loans(s);
	s->heap_n = 0;
	for (size_t i = 0; i < s->running_n; i++) {
		struct borrower *b = s->running[i];
		int32_t n = borrower_has(b);

		if (!b->lends)
			continue;
		s->heap[s->heap_n++] =
			(struct lend_entry){ key_less(s, b, n), turn_back(s, i), n, b->lends };
	}
	turn_heapify(s);
	s->loans_chained = true;
}

void turn_begin(struct loans *s)
{
	s->order_n = 0;
	s->loans_chained = false;
	for (uint32_t n = 0; n < s->nodes; n++) {
		if (!s->lender[n])
			s->order[s->order_n++] = n;
	}
}

/* One more. */
static void order_next(struct loans *s)
{
	struct lend_entry *e;
	struct borrower *b;

	if (!s->loans_chained)
		heap_loans(s);
	e = &s->heap[0];
	b = s->running[turn_back(s, e->at)];
	s->order[s->order_n++] = b->below;
	b->below = s->after[b->below];
	e->key = key_less(s, b, --e->n);
	turn_again(s, --e->left > 0);
}

uint32_t turn_node(void *arg, uint32_t i)
{
	struct loans *s = arg;

	while (i >= s->order_n)
		order_next(s);
	return s->order[i];
}
