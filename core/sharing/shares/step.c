/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step: see step.h. Shares are found by filling: the node that could give the least of what is claimed of it settles
 * the pace of its jobs; what they leave elsewhere is there for the others, so that no other node can come to give
 * less than that one.
 */
#include "core/sharing/shares/step.h"

share_work step_work(uint64_t pace, int64_t microseconds, int32_t rating)
{
	return (share_work)pace * (uint64_t)microseconds / (uint32_t)rating;
}

uint64_t step_pace(uint32_t share, int32_t rating)
{
	return (uint64_t)share * (uint32_t)rating;
}

/* ---- claims ---- */

/* A job has nothing left when a part has: but for rounding all have the same left. */
static bool claims(const struct step *m, const struct step_job *j)
{
	for (uint32_t i = 0; i < j->n; i++) {
		if (!m->part[j->first + i].at.claim)
			return false;
	}
	return j->n > 0;
}

/* One weight of pace on any node; a rating is at most a million. */
static uint64_t even_claim(const struct step_node *x)
{
	return UINT64_C(1000000000000) / (uint32_t)x->rating;
}

static void find_claims(struct step *m, int64_t now)
{
	for (uint32_t i = 0; i < m->parts; i++) {
		m->part[i].at.share = 0;
		m->part[i].at.claim = share_claim(&m->part[i].at, now);
	}
	for (uint32_t i = 0; i < m->nodes; i++) {
		struct step_node *x = &m->node[i];

		x->room = x->lost ? 0 : (share_work)SHARE_WHOLE * x->processors;
	}
}

/* The jobs that claim something, or those that do not, are to get what is left. */
static void open_jobs(struct step *m, bool claiming)
{
	for (uint32_t i = 0; i < m->nodes; i++)
		m->node[i].claimed = 0;
	for (uint32_t i = 0; i < m->jobs; i++) {
		struct step_job *j = &m->job[i];

		j->open = j->n && !m->part[j->first].at.suspended && claims(m, j) == claiming;
		for (uint32_t k = j->first; j->open && k < j->first + j->n; k++) {
			struct step_part *p = &m->part[k];
			struct step_node *x = &m->node[p->node];

			if (!claiming)
				p->at.claim = even_claim(x);
			x->claimed += (share_work)p->at.claim * p->at.processors;
		}
	}
}

/* ---- filling ---- */

/* What the node could give the part, if all its jobs that are open got the same multiple of their claims. */
static uint32_t most_of(const struct step_node *x, const struct step_part *p, bool idle)
{
	share_work most = p->at.claim * x->room / x->claimed;

	if (idle && most > p->at.claim)
		most = p->at.claim;
	return most < SHARE_WHOLE ? (uint32_t)most : SHARE_WHOLE;
}

/* The node that could give the least multiple; m->nodes: no job is open. */
static uint32_t find_least(const struct step *m)
{
	uint32_t least = m->nodes;

	for (uint32_t i = 0; i < m->nodes; i++) {
		const struct step_node *x = &m->node[i];

		if (x->claimed && (least == m->nodes || x->room * m->node[least].claimed <
								m->node[least].room * x->claimed))
			least = i;
	}
	return least;
}

/* Of the paces of its parts a job has the least. */
static void pace_here(struct step_job *j, uint32_t share, int32_t rating)
{
	uint64_t here = step_pace(share, rating);

	j->pace = here < j->pace ? here : j->pace;
}

/* The greatest pace that the job's nodes could give it. */
static uint64_t pace_of(const struct step *m, const struct step_job *j, bool idle)
{
	uint64_t pace = UINT64_MAX;

	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		const struct step_node *x = &m->node[m->part[k].node];
		uint64_t here = step_pace(most_of(x, &m->part[k], idle), x->rating);

		pace = here < pace ? here : pace;
	}
	return pace;
}

/* The job gets that pace, which all its nodes can give: what it needs is taken from them. */
static void settle(struct step *m, struct step_job *j, uint64_t pace)
{
	j->pace = UINT64_MAX;
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		struct step_part *p = &m->part[k];
		struct step_node *x = &m->node[p->node];

		p->at.share = (uint32_t)((pace + (uint32_t)x->rating - 1) / (uint32_t)x->rating);
		x->room -= (share_work)p->at.share * p->at.processors;
		x->claimed -= (share_work)p->at.claim * p->at.processors;
		pace_here(j, p->at.share, x->rating);
	}
	j->open = false;
}

/* What it can use at most, with whole processors or all that it claims. */
static uint64_t limit_of(const struct step *m, const struct step_job *j, bool idle)
{
	uint64_t limit = UINT64_MAX;

	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		const struct step_part *p = &m->part[k];
		bool less = idle && p->at.claim < SHARE_WHOLE;
		uint64_t here = step_pace(less ? (uint32_t)p->at.claim : SHARE_WHOLE,
					  m->node[p->node].rating);

		limit = here < limit ? here : limit;
	}
	return limit;
}

/*
 * A job that can use no more than a whole processor, here or elsewhere, leaves of its proportion to the others, and the
 * node may then no longer be the one that gives the least. False: there is none. (That another node gives a hair less by
 * rounding is no such limit: the job would be settled before others have left it theirs.)
 */
static bool settle_limited(struct step *m, const struct step_node *x, bool idle)
{
	for (uint32_t i = x->first; i < x->first + x->n; i++) {
		const struct step_part *p = &m->part[m->on[i]];
		struct step_job *j = &m->job[p->job];

		if (!j->open ||
		    (share_work)p->at.claim * x->room / x->claimed * (uint32_t)x->rating <
			    limit_of(m, j, idle))
			continue;
		settle(m, j, pace_of(m, j, idle));
		return true;
	}
	return false;
}

/* By what the node that gives the least gives it, and no more than rounding leaves on the others. */
static void settle_at(struct step *m, struct step_job *j, uint64_t pace, bool idle)
{
	uint64_t most = pace_of(m, j, idle);

	settle(m, j, pace < most ? pace : most);
}

static void fill(struct step *m, bool idle)
{
	uint32_t least;

	while ((least = find_least(m)) < m->nodes) {
		const struct step_node *x = &m->node[least];

		if (settle_limited(m, x, idle))
			continue;
		/* all by what there is now: each that is settled takes from it */
		for (uint32_t i = x->first; i < x->first + x->n; i++) {
			struct step_part *p = &m->part[m->on[i]];

			if (m->job[p->job].open)
				p->at.share = most_of(x, p, idle);
		}
		for (uint32_t i = x->first; i < x->first + x->n; i++) {
			const struct step_part *p = &m->part[m->on[i]];

			if (m->job[p->job].open)
				settle_at(m, &m->job[p->job], step_pace(p->at.share, x->rating),
					  idle);
		}
	}
}

void step_out(struct step *m, int64_t now, enum share_rule rule)
{
	find_claims(m, now);
	for (uint32_t i = 0; i < m->jobs; i++)
		m->job[i].pace = 0;
	open_jobs(m, true);
	fill(m, rule == SHARE_IDLE);
	open_jobs(m, false);
	fill(m, false);
	for (uint32_t i = 0; i < m->parts; i++)
		m->part[i].at.claim = share_claim(&m->part[i].at, now);
}

/* ---- predicted ends ---- */

static bool is_done(const struct step *m, const struct step_job *j)
{
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		if (!m->part[k].at.left)
			return true;
	}
	return !j->n;
}

/* When it will have done all that is left, at its present pace. */
static int64_t end_of(const struct step *m, const struct step_job *j, int64_t now)
{
	share_work time = 0;

	if (!j->pace)
		return SHARE_NEVER;
	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		const struct step_part *p = &m->part[k];
		share_work work = p->at.left * (uint32_t)m->node[p->node].rating;

		work = (work + j->pace - 1) / j->pace;
		time = work > time ? work : time;
	}
	return time < (share_work)(SHARE_NEVER - now) ? now + (int64_t)time : SHARE_NEVER;
}

/* Those that have nothing left leave. */
static void leave(struct step *m, int64_t now)
{
	for (uint32_t i = 0; i < m->jobs; i++) {
		struct step_job *j = &m->job[i];

		if (!j->n || m->part[j->first].at.suspended || !is_done(m, j))
			continue;
		j->end = now;
		for (uint32_t k = j->first; k < j->first + j->n; k++)
			m->part[k].at.suspended = true;
	}
}

static void advance(struct step *m, int64_t microseconds)
{
	for (uint32_t i = 0; i < m->parts; i++) {
		struct step_part *p = &m->part[i];
		share_work done =
			step_work(m->job[p->job].pace, microseconds, m->node[p->node].rating);

		p->at.left = done < p->at.left ? p->at.left - done : 0;
	}
}

void step_predict(struct step *m, int64_t now, enum share_rule rule, uint32_t last)
{
	for (uint32_t i = 0; i < m->jobs; i++)
		m->job[i].end = SHARE_NEVER;
	while (now != SHARE_NEVER) {
		int64_t next = SHARE_NEVER;

		leave(m, now);
		if (last < m->jobs && m->job[last].end != SHARE_NEVER)
			return;
		step_out(m, now, rule);
		for (uint32_t i = 0; i < m->jobs; i++) {
			int64_t end = end_of(m, &m->job[i], now);

			next = end < next ? end : next;
		}
		if (next != SHARE_NEVER)
			advance(m, next - now);
		now = next;
	}
}
