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

/* So much of its limit has it done, on the node where that is most: millionths, rounded down. */
static int64_t part_done(struct sharing *s, const struct job *j)
{
	struct want w = want_of(s, j, 0);
	int64_t most = 0;

	for (uint32_t i = 0; i < j->n; i++) {
		struct node *x = &s->node[j->node[i]];
		share_work all = share_work_of(w.runtime, x->rating, RATING_WHOLE), left;
		int64_t part = CHANCE_WHOLE;

		node_advance(s, j->node[i]);
		left = node_part(x, j)->left;
		if (left)
			part = left < all ? (int64_t)((all - left) / (all / CHANCE_WHOLE + 1)) : 0;
		most = part > most ? part : most;
	}
	return most;
}

int chance_ended(struct sharing *s, const struct job *j, const struct nodeset *nodes, bool cut)
{
	struct sched_past past = { .user = j->user, .limit = j->limit, .cut = cut };

	if (!s->config.risk_limit || j->limit == PACT_FOREVER || !j->n)
		return 0;
	for (uint32_t i = 0; nodes && i < j->n; i++) {
		if (!nodeset_test(nodes, j->node[i]))
			return 0; /* it goes on there */
	}
	past.part = (int32_t)part_done(s, j);
	if (decided_reserve(&s->learned, 1) < 0 || chance_learn(s->past, &past, 1) < 0)
		return -1;
	decided_add(&s->learned,
		    &(struct sched_action){
			    .type = ACT_LEARNED, .id = j->id, .node = j->node[0], .past = past });
	return 0;
}

int chance_past(struct sharing *s, const struct sched_event *ev)
{
	for (size_t i = 0; i < ev->npast; i++) {
		const struct sched_past *p = &ev->past[i];

		if (p->limit < 1 || p->limit >= PACT_FOREVER || p->part < 0 ||
		    p->part > CHANCE_WHOLE)
			return call_fail(&s->call, PACT_EINVAL, "past that is none", ev->id);
	}
	if (chance_learn(s->past, ev->past, ev->npast) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	return PACT_OK;
}
