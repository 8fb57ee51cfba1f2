/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decider: see decider.h. Table 1 of dynP is the table below, and nothing else decides over FCFS,
 * SJF and LJF. For other lists of policies its rule is: the simple decider takes the first of the best in
 * the list's order, the advanced one stays where that is among the best. What the preferred one does is
 * ours.
 */
#include "core/policies/dynp/decider.h"

#include "core/planning/state/job.h"

enum { F = DYNP_FCFS, S = DYNP_SJF, L = DYNP_LJF, CURRENT, ANY };

/* FCFS against SJF, FCFS against LJF, SJF against LJF. DYNP_QUEUE may stand in for FCFS. */
struct row {
	const char *name;
	char fs, fl, sl; /* '<', '=', '>', or '.': whatever it is */
	char current;	 /* the running policy, or ANY */
	char simple, advanced;
};

/* The first that matches. Cases 5, 7 and 9 say the same as 4b and parts of 2 and 3 (Table 6). */
static const struct row table1[DYNP_CASES] = {
	{ "1", '=', '=', '=', ANY, F, CURRENT },
	{ "2 & 7", '>', '.', '<', ANY, S, S },
	{ "3 & 9", '<', '<', '.', ANY, F, F },
	{ "4b & 5", '=', '>', '>', ANY, L, L },
	{ "4a", '<', '>', '>', ANY, L, L },
	{ "4c", '>', '>', '>', ANY, L, L },
	{ "6a", '=', '<', '<', F, CURRENT, CURRENT },
	{ "6b", '=', '<', '<', S, F, CURRENT },
	{ "6c", '=', '<', '<', L, F, F },
	{ "8a", '<', '=', '>', F, CURRENT, CURRENT },
	{ "8b", '<', '=', '>', S, F, F },
	{ "8c", '<', '=', '>', L, F, CURRENT },
	{ "10a", '>', '>', '=', F, S, S },
	{ "10b", '>', '>', '=', S, CURRENT, CURRENT },
	{ "10c", '>', '>', '=', L, S, CURRENT },
};

const char *dynp_case_name(int row)
{
	return table1[row].name;
}

/* What is not eligible is worse than all that is. */
static int compare(const struct fraction *q, const bool *eligible, int a, int b)
{
	if (!eligible[a] || !eligible[b])
		return eligible[b] - eligible[a];
	return fraction_compare(&q[a], &q[b]);
}

static bool matches(char wanted, int found)
{
	return wanted == '.' || (found < 0 ? '<' : found > 0 ? '>' : '=') == wanted;
}

static int find_row(const struct fraction *q, const bool *eligible, int current)
{
	int fs = compare(q, eligible, F, S), fl = compare(q, eligible, F, L);
	int sl = compare(q, eligible, S, L);

	for (int i = 0; i < DYNP_CASES; i++) {
		const struct row *r = &table1[i];

		if (matches(r->fs, fs) && matches(r->fl, fl) && matches(r->sl, sl) &&
		    (r->current == ANY || r->current == current))
			return i;
	}
	return -1; /* three relations that cannot be together */
}

static bool is_papers(const struct dynp_config *c)
{
	return c->npolicies == 3 && ((int)c->policy[0] == F || c->policy[0] == DYNP_QUEUE) &&
	       (int)c->policy[1] == S && (int)c->policy[2] == L;
}

/* The first of the best; `stay`: the running one if it is among them. */
static int best_of(const struct dynp_config *c, const struct fraction *q, const bool *eligible,
		   int current, bool stay)
{
	int best = 0;

	for (int i = 1; i < (int)c->npolicies; i++) {
		if (compare(q, eligible, i, best) < 0)
			best = i;
	}
	return stay && compare(q, eligible, current, best) == 0 ? current : best;
}

/* Slackness (section 6): the running policy's quality counts as better than it is. */
static bool worth_it(const struct dynp_config *c, const struct fraction *q, const bool *eligible,
		     int from, int to)
{
	if (from == to || !c->slackness_ppm || !eligible[from])
		return true;
	return fraction_below(&q[to], &q[from], c->slackness_ppm);
}

/* Ours: the preferred one unless the best is better by the slackness, see DYNP_PREFERRED. */
static int prefer(const struct dynp_config *c, const struct fraction *q, const bool *eligible,
		  int preferred, int best)
{
	if (compare(q, eligible, preferred, best) == 0)
		return preferred;
	return worth_it(c, q, eligible, preferred, best) ? best : preferred;
}

struct decision decider_choose_preferring(const struct dynp_config *c, const struct fraction *q,
					  const bool *eligible, int current, int preferred)
{
	struct decision d = { .row = -1 };
	int simple, advanced;

	if (is_papers(c) && (d.row = find_row(q, eligible, current)) >= 0) {
		const struct row *r = &table1[d.row];

		simple = r->simple == CURRENT ? current : r->simple;
		advanced = r->advanced == CURRENT ? current : r->advanced;
	} else {
		simple = best_of(c, q, eligible, current, false);
		advanced = best_of(c, q, eligible, current, true);
	}
	d.chosen = c->decider == DYNP_SIMPLE ? simple : advanced;
	if (c->decider == DYNP_PREFERRED)
		d.chosen =
			prefer(c, q, eligible, preferred, best_of(c, q, eligible, current, true));
	else if (!worth_it(c, q, eligible, current, d.chosen))
		d.chosen = current;
	d.differs = d.chosen != simple;
	/* then there is nothing to choose from: no row holds, and the simple decider would take none either */
	if (!eligible[d.chosen])
		d = (struct decision){ .chosen = -1, .row = -1 };
	return d;
}

struct decision decider_choose(const struct dynp_config *c, const struct fraction *q,
			       const bool *eligible, int current)
{
	return decider_choose_preferring(c, q, eligible, current, 0);
}

static int index_of(const struct dynp_config *c, enum dynp_order order)
{
	for (int i = 0; i < (int)c->npolicies; i++) {
		if (c->policy[i] == order)
			return i;
	}
	return -1;
}

int decider_basic(const struct dynp_config *c, const struct assignment *v, size_t n)
{
	int128 sum = 0;

	if (!n || n < (size_t)c->threshold)
		return -1;
	for (size_t i = 0; i < n; i++)
		sum += v[i].job->limit;
	if (sum <= (int128)c->lower_bound * (int64_t)n)
		return index_of(c, DYNP_SJF);
	if (sum <= (int128)c->upper_bound * (int64_t)n)
		return index_of(c, DYNP_FCFS);
	return index_of(c, DYNP_LJF);
}
