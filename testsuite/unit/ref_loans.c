/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ref_loans: see ref_loans.h. */
#include "testsuite/unit/ref_loans.h"

/* ---- what a job is worth on so many nodes ---- */

static int64_t end_on(const struct loans *s, const struct borrower *b, int32_t n)
{
	int64_t rate = speedup_rate(&b->speedup, n);

	return b->done.left == PACT_FOREVER ? PACT_FOREVER
					    : s->now + (b->done.left + rate - 1) / rate;
}

/* All until half of the time to its deadline, then in proportion to what is left of it, rounded down. */
static int64_t worth(const struct loans *s, const struct borrower *b, int32_t n)
{
	int64_t end, all = b->deadline - b->submit;

	if (!b->deadline || !b->value)
		return 0;
	end = end_on(s, b, n);
	if (end >= b->deadline)
		return 0;
	return end - b->submit <= all / 2 ? b->value : b->value * 2 * (b->deadline - end) / all;
}

static bool is_older(const struct borrower *a, const struct borrower *b)
{
	return a->submit != b->submit ? a->submit < b->submit : a->id < b->id;
}

/* ---- which job gets the next node ---- */

static int64_t lead_of(const struct loans *s, const struct borrower *b)
{
	int64_t notice = b->grace ? b->grace : s->config.resize_grace;

	return (notice ? notice : 1) + 2 * s->config.lateness;
}

/* Its nodes are not just changed, none are being called in, and it is to run for a while. */
static bool may_grow(const struct loans *s, const struct borrower *b, int32_t n)
{
	if (b->calls || b->again > s->now || b->more_at > s->now || n >= b->most)
		return false;
	if (b->changed >= 0 && s->now < b->changed + s->config.resize_interval)
		return false;
	return end_on(s, b, (int32_t)nodeset_count(b->at)) > s->now + s->config.loan_time;
}

static bool may_have(const struct loans *s, const struct borrower *b, uint32_t n)
{
	if (b->nalt && b->alt[b->chosen] && !nodeset_test(b->alt[b->chosen], n))
		return false;
	return s->wanted[n] - lead_of(s, b) - s->config.loan_time >= s->now;
}

/* The first node that no job is to get yet, and this one may; s->nodes: none. */
static uint32_t first_for(const struct loans *s, const struct borrower *b, const int32_t *to)
{
	uint32_t n = 0;

	while (n < s->nodes && (!nodeset_test(s->idle, n) || to[n] >= 0 || !may_have(s, b, n)))
		n++;
	return n;
}

static int32_t count_of(const struct loans *s, const int32_t *to, size_t job)
{
	int32_t n = (int32_t)nodeset_count(s->running[job]->at);

	for (uint32_t i = 0; i < s->nodes; i++)
		n += to[i] == (int32_t)job;
	return n;
}

/* Is a node better with a, which has na so far, than with b? */
static bool is_better(const struct loans *s, const struct borrower *a, int32_t na,
		      const struct borrower *b, int32_t nb)
{
	int64_t x = nb - b->floor, y = na - a->floor; /* the one that has less on loan */

	if (s->config.loans == LOANS_PROFIT) {
		x = worth(s, a, na + 1) - worth(s, a, na);
		y = worth(s, b, nb + 1) - worth(s, b, nb);
	}
	return x != y ? x > y : is_older(a, b);
}

void ref_loans_lend(const struct loans *s, int32_t *to)
{
	for (uint32_t n = 0; n < s->nodes; n++)
		to[n] = -1;
	for (;;) {
		int32_t best = -1, best_n = 0;

		for (size_t i = 0; i < s->running_n; i++) {
			const struct borrower *b = s->running[i];
			int32_t n = b->at ? count_of(s, to, i) : 0;

			if (!b->at || !may_grow(s, b, n) || first_for(s, b, to) == s->nodes)
				continue;
			if (best >= 0 && !is_better(s, b, n, s->running[best], best_n))
				continue;
			best = (int32_t)i;
			best_n = n;
		}
		if (best < 0)
			return;
		to[first_for(s, s->running[best], to)] = best;
	}
}

/* ---- which job gives the next node back ---- */

/* Does it cost less to have one of a's, which has na, than one of b's? */
static bool is_cheaper(const struct loans *s, const struct borrower *a, int32_t na,
		       const struct borrower *b, int32_t nb)
{
	int64_t x = nb - b->floor, y = na - a->floor; /* the one that has more on loan */

	if (s->config.loans != LOANS_PROFIT)
		return x != y ? x < y : is_older(b, a);
	x = worth(s, a, na) - worth(s, a, na - 1);
	y = worth(s, b, nb) - worth(s, b, nb - 1);
	return x != y ? x < y : is_older(a, b);
}

/* The highest node that it has on loan still; s->nodes: none. */
static uint32_t last_of(const struct loans *s, const struct borrower *b, const bool *back)
{
	for (uint32_t n = s->nodes; b->lent && n-- > 0;) {
		if (nodeset_test(b->lent, n) && !back[n])
			return n;
	}
	return s->nodes;
}

static int32_t left_of(const struct loans *s, const struct borrower *b, const bool *back)
{
	int32_t n = (int32_t)nodeset_count(b->at);

	for (uint32_t i = 0; i < s->nodes; i++)
		n -= back[i] && nodeset_test(b->at, i);
	return n;
}

uint32_t ref_loans_back(const struct loans *s, uint32_t *order)
{
	bool back[REF_LOANS_NODES] = { false };
	uint32_t count = 0;

	for (;;) {
		const struct borrower *best = NULL;

		for (size_t i = 0; i < s->running_n; i++) {
			const struct borrower *b = s->running[i];

			if (last_of(s, b, back) == s->nodes)
				continue;
			if (!best ||
			    is_cheaper(s, b, left_of(s, b, back), best, left_of(s, best, back)))
				best = b;
		}
		if (!best)
			break;
		order[count] = last_of(s, best, back);
		back[order[count++]] = true;
	}
	return count;
}
