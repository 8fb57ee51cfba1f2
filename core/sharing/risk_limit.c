/* SPDX-License-Identifier: GPL-2.0-or-later */
/* risk_limit: RiskLimit in the sharing engine: what is learned, and what follows from it; see state.h. */
#include "core/kernel/protocol.h"
#include "core/sharing/state.h"

/* How much of a work fits into so many microseconds, as a part of CHANCE_WHOLE, rounded down. */
static int64_t part_within(share_work work, int64_t time)
{
	share_work all = (share_work)(uint64_t)time * SHARE_WHOLE;

	if (time <= 0)
		return 0;
	return all >= work ? CHANCE_WHOLE : (int64_t)(all / (work / CHANCE_WHOLE + 1));
}

static int32_t chance_within(const struct sharing *s, const struct job *j, share_work work)
{
	return chance_over(s->past, j->user, j->limit, part_within(work, due_of(s, j) - s->now));
}

int64_t likely_of(const struct sharing *s, const struct job *j, const struct want *w)
{
	int64_t part;

	if (!s->config.risk_limit || !j->deadline || j->limit == PACT_FOREVER)
		return w->likely;
	part = chance_part(s->past, j->user, j->limit, s->config.risk_limit);
	/* rounded up, and by as much more as part_within() rounds down */
	return (int64_t)(((share_work)(uint64_t)w->runtime + 1) * (uint64_t)part / CHANCE_WHOLE) +
	       1;
}

int32_t chance_at_best(const struct sharing *s, const struct job *j, int64_t runtime)
{
	if (!s->config.risk_limit)
		return 0;
	return chance_within(s, j, (share_work)(uint64_t)runtime * SHARE_WHOLE);
}

int32_t chance_of_pick(const struct sharing *s, const struct job *j)
{
	struct want w = want_of(s, j, due_of(s, j));
	int32_t most = 0;

	for (int32_t i = 0; s->config.risk_limit && i < j->width; i++) {
		int32_t here = chance_within(
			s, j, share_work_of(w.runtime, s->node[s->pick[i]].rating, RATING_WHOLE));

		most = here > most ? here : most;
	}
	return most;
}

/*
 * In Slurm an expected job is ended at its deadline. One that ends from then on with work left may have been, and is
 * taken to have: else what was cut would be learned as if it had been enough.
 */
static bool is_cut(const struct sharing *s, const struct job *j, const struct share_part *p)
{
	return s->config.mode == SCHED_MODE_SLURM && j->expected && p->left > 0 &&
	       p->deadline <= s->now;
}

int chance_ended(struct sharing *s, const struct job *j, const struct nodeset *nodes)
{
	struct want w = want_of(s, j, 0);
	int64_t most = 0;
	bool cut = false;

	if (!s->config.risk_limit || j->limit == PACT_FOREVER || !j->n)
		return 0;
	for (uint32_t i = 0; i < j->n; i++) {
		struct node *x = &s->node[j->node[i]];
		share_work all = share_work_of(w.runtime, x->rating, RATING_WHOLE);
		const struct share_part *p = node_part(x, j);
		int64_t part;

		if (nodes && !nodeset_test(nodes, j->node[i]))
			return 0; /* it goes on there */
		node_advance(s, j->node[i]);
		part = p->left < all ? (int64_t)((all - p->left) / (all / CHANCE_WHOLE + 1)) : 0;
		part = p->left ? part : CHANCE_WHOLE;
		most = part > most ? part : most;
		cut |= is_cut(s, j, p);
	}
	return chance_learn(s->past, j->user, j->limit, (uint32_t)most, cut);
}
