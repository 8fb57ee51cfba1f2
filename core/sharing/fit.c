/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit: the kinds of the sharing engine: which nodes suit a job, and which of them are taken first. */
#include <string.h>

#include "core/kernel/protocol.h"
#include "core/sharing/shares/demand.h"
#include "core/sharing/shares/risk.h"
#include "core/sharing/state.h"

/* What it would be on that node. */
static struct share_part part_of(const struct sharing *s, uint32_t node, const struct want *w)
{
	const struct node *x = &s->node[node];

	return (struct share_part){
		.left = share_work_of(w->runtime, x->rating, RATING_WHOLE),
		.deadline = w->due,
		.processors = w->processors ? w->processors : x->processors,
		.capped = s->config.risk_limit > 0,
	};
}

static bool is_longer(const struct share_part *p, int64_t now)
{
	return p->left > (share_work)(p->deadline - now) * SHARE_WHOLE;
}

bool fit_is_over(const struct sharing *s, uint32_t node, const struct want *w)
{
	struct share_part p = part_of(s, node, w);

	return p.deadline <= s->now || is_longer(&p, s->now);
}

/* Its runtime does not fit; does so much of it that it may be let in? It is due later than now. */
static bool is_likely(const struct sharing *s, uint32_t node, const struct want *w)
{
	struct share_part p = part_of(s, node, w);

	if (w->likely == SHARE_NEVER)
		return false;
	p.left = share_work_of(w->likely, s->node[node].rating, RATING_WHOLE);
	return !is_longer(&p, s->now);
}

uint64_t fit_claim(const struct sharing *s, uint32_t node, const struct want *w,
		   uint32_t *processors)
{
	struct share_part p = part_of(s, node, w);

	*processors = p.processors;
	return p.deadline > s->now ? share_claim(&p, s->now) : UINT64_MAX;
}

/*
 * The node's total share is worked out, and what can be said of it later. Its room less the total; *sound:
 * no part claims more than a whole, is past its deadline or is suspended.
 */
static int64_t find_left(struct sharing *s, uint32_t node, bool *sound)
{
	struct node *x = &s->node[node];
	struct room *r = &s->room[node];
	share_work room = (share_work)SHARE_WHOLE * x->processors, total = 0;
	uint32_t processors = 0;
	bool lasts = true;

	node_advance(s, node);
	*sound = true;
	for (uint32_t i = 0; i < x->n; i++) {
		const struct share_part *p = &x->part[i];
		uint64_t claim = share_claim(p, s->now);

		total += (share_work)claim * p->processors;
		processors += p->processors;
		*sound &= claim <= SHARE_WHOLE && p->deadline > s->now && !p->suspended;
		lasts &= p->share >= claim && !p->idle;
	}
	r->at = SHARE_NEVER;
	if (total > room)
		return -1;
	if (*sound && lasts) {
		r->at = s->now;
		r->first = x->n ? x->part[0].deadline : SHARE_NEVER;
		r->left = (int64_t)(room - total);
		r->most = r->left + processors;
	}
	return (int64_t)(room - total);
}

/* ---- libra ---- */

/* Section 3.1: at least total_share, the new job's included, is available. By RiskLimit one may be a whole, and late. */
static enum fit fit_libra(struct sharing *s, uint32_t node, const struct want *w, int64_t *left)
{
	uint32_t processors;
	uint64_t claim = fit_claim(s, node, w, &processors);
	bool sound, over = fit_is_over(s, node, w);
	int64_t here;

	if (claim > SHARE_WHOLE || (over && !is_likely(s, node, w)))
		return FIT_NOT;
	here = find_left(s, node, &sound);
	*left = here - (int64_t)(claim * processors);
	if (*left < 0)
		return FIT_NOT;
	return over ? FIT_LATE : FIT;
}

/* The least time in which the work claims no more than what is left. */
static int64_t least_shared(struct sharing *s, uint32_t node, const struct want *w)
{
	struct share_part p = part_of(s, node, w);
	bool sound;
	int64_t left = find_left(s, node, &sound) / p.processors;
	share_work time;

	if (left <= 0 || (s->kind->late_alike && !sound))
		return SHARE_NEVER;
	left = left < (int64_t)SHARE_WHOLE ? left : (int64_t)SHARE_WHOLE;
	time = (p.left + (share_work)left - 1) / (share_work)left;
	return time < PACT_END_OF_TIME ? s->now + (int64_t)time : SHARE_NEVER;
}

/* ---- librarisk ---- */

/* The node's parts with this one among them into scratch; how many. */
static size_t join_scratch(struct sharing *s, uint32_t node, const struct share_part *p)
{
	const struct node *x = &s->node[node];
	size_t at = x->n;

	while (at > 0 && x->part[at - 1].deadline > p->deadline)
		at--;
	for (size_t i = 0; i < at; i++)
		s->part[i] = x->part[i];
	s->part[at] = *p;
	for (size_t i = at; i < x->n; i++)
		s->part[i + 1] = x->part[i];
	return x->n + (size_t)1;
}

static bool has_promised(const struct node *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		if (((const struct job *)x->part[i].of)->promised)
			return true;
	}
	return false;
}

/*
 * Where parts go on in step, one that the others here make late holds its job up on all its nodes, and would claim more
 * there, of what others were promised. One that no node could have in time gets no more of any than it claimed first.
 */
static bool holds_up_none(const struct sharing *s, const struct node *x, const struct share_part *p)
{
	bool all = share_claim(p, s->now) > SHARE_WHOLE;

	for (uint32_t i = 0; i < x->n; i++)
		all &= ((const struct job *)x->part[i].of)->expected;
	return all;
}

/* Is the risk zero with this job, though parts are late? */
static bool is_late_alike(struct sharing *s, uint32_t node, const struct want *w)
{
	const struct node *x = &s->node[node];
	struct share_part p = part_of(s, node, w);

	/* what is promised to people is never given up for another job, which the paper's algorithm would */
	if (s->config.mode == SCHED_MODE_SLURM && has_promised(x))
		return false;
	if (s->in_step && !holds_up_none(s, x, &p))
		return false;
	if (x->processors == 1 && x->n && x->part[0].deadline != w->due)
		return false;
	return risk_zero_on(s->part, join_scratch(s, node, &p), x->processors, s->now);
}

/* Algorithm 1, lines 2 to 8: zero risk with the new job on the node. */
static enum fit fit_librarisk(struct sharing *s, uint32_t node, const struct want *w, int64_t *left)
{
	const struct node *x = &s->node[node];
	uint32_t processors;
	uint64_t claim;
	bool sound, over = fit_is_over(s, node, w);
	int64_t here;

	if (w->due <= s->now || (over && !is_likely(s, node, w)))
		return FIT_NOT;
	claim = fit_claim(s, node, w, &processors);
	here = find_left(s, node, &sound);
	if (x->n && x->part[0].deadline <= s->now)
		return FIT_NOT;
	if (sound && claim <= SHARE_WHOLE && here >= (int64_t)(claim * processors)) {
		*left = here - (int64_t)(claim * processors);
		return over ? FIT_LATE : FIT;
	}
	*left = SHARE_NEVER; /* behind those that can promise */
	if (s->config.risk_limit)
		return FIT_NOT; /* what it would share the time with was told a chance without it */
	return is_late_alike(s, node, w) ? FIT_LATE : FIT_NOT;
}

/* ---- demand ---- */

static enum fit fit_demand(struct sharing *s, uint32_t node, const struct want *w, int64_t *left)
{
	struct share_part p = part_of(s, node, w);
	const struct node *x = &s->node[node];
	share_work total;
	bool over = fit_is_over(s, node, w);
	size_t n;

	if (w->due <= s->now || (over && !is_likely(s, node, w)))
		return FIT_NOT;
	node_advance(s, node);
	n = join_scratch(s, node, &p);
	total = share_total(s->part, n, s->now);
	*left = total < PACT_END_OF_TIME
			? (int64_t)((uint64_t)SHARE_WHOLE * x->processors) - (int64_t)total
			: -PACT_END_OF_TIME;
	if (!demand_fits(s->part, n, x->processors, s->now, s->part + n))
		return FIT_NOT;
	return over ? FIT_LATE : FIT;
}

static int64_t least_demand(struct sharing *s, uint32_t node, const struct want *w)
{
	struct share_part p = part_of(s, node, w);
	const struct node *x = &s->node[node];

	node_advance(s, node);
	return demand_earliest(x->part, x->n, x->processors, s->now, &p, s->part);
}

/* ---- edf ---- */

/* A node that is free, and fast enough; the fastest first. */
static enum fit fit_edf(struct sharing *s, uint32_t node, const struct want *w, int64_t *left)
{
	struct share_part p = part_of(s, node, w);

	*left = -(int64_t)s->node[node].rating;
	if (s->node[node].n)
		return FIT_NOT;
	if (w->promise &&
	    (w->due <= s->now || p.left > (share_work)(w->due - s->now) * SHARE_WHOLE))
		return FIT_NOT;
	return FIT;
}

/* ---- the kinds ---- */

const struct sharing_kind sharing_libra = {
	.name = "libra",
	.best = true,
	.lasts = true,
	.late_never = true,
	.fit = fit_libra,
	.least = least_shared,
};

const struct sharing_kind sharing_librarisk = {
	.name = "librarisk",
	.lasts = true,
	.late_alike = true,
	.fit = fit_librarisk,
	.least = least_shared,
};

const struct sharing_kind sharing_demand = {
	.name = "demand",
	.fit = fit_demand,
	.least = least_demand,
};

const struct sharing_kind sharing_edf = {
	.name = "edf",
	.whole = true,
	.best = true,
	.fit = fit_edf,
};
