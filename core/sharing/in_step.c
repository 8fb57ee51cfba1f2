/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in_step: the machine laid out for step.h, where a job's parts go on in step; see state.h. What happens on one
 * node may change the pace of jobs on all, so that all shares are given out anew, once for an event.
 */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/kernel/protocol.h"
#include "core/sharing/shares/risk.h"
#include "core/sharing/state.h"

int in_step_reserve(struct sharing *s, size_t n)
{
	struct step *m = &s->step;
	size_t room = s->parts + n;

	if (!s->in_step || room <= s->step_room)
		return 0;
	room = 2 * room + 16;
	if (room > UINT32_MAX)
		return -1;
	if (!m->node && !(m->node = calloc(s->nodes, sizeof(*m->node))))
		return -1;
	m->nodes = s->nodes;
	if (array_grow(&m->job, room, sizeof(*m->job)) < 0 ||
	    array_grow(&m->part, room, sizeof(*m->part)) < 0 ||
	    array_grow(&m->on, room, sizeof(*m->on)) < 0)
		return -1;
	s->step_room = (uint32_t)room;
	return 0;
}

void in_step_destroy(struct sharing *s)
{
	free(s->step.node);
	free(s->step.job);
	free(s->step.part);
	free(s->step.on);
}

/* All nodes up to now. A job comes with the first of its nodes, which all are in ascending order. */
static void lay_out(struct sharing *s)
{
	struct step *m = &s->step;
	uint32_t on = 0;

	m->jobs = m->parts = 0;
	for (uint32_t i = 0; i < s->nodes && m->node; i++) {
		const struct node *x = &s->node[i];

		node_advance(s, i);
		m->node[i] = (struct step_node){ .first = on,
						 .n = x->n,
						 .rating = x->rating,
						 .processors = x->processors,
						 .lost = node_lost(s, i) };
		for (uint32_t k = 0; k < x->n; k++) {
			struct job *j = x->part[k].of;
			uint32_t at;

			if (j->node[0] == i) {
				j->at = m->jobs++;
				m->job[j->at] = (struct step_job){ .first = m->parts };
				m->parts += j->n;
			}
			at = m->job[j->at].first + m->job[j->at].n++;
			m->part[at] = (struct step_part){ x->part[k], i, j->at };
			m->on[on++] = at;
		}
	}
}

static const struct step_part *laid_out(const struct sharing *s, uint32_t node, uint32_t k)
{
	return &s->step.part[s->step.on[s->step.node[node].first + k]];
}

/* ---- which jobs are late ---- */

/* Jobs that a node does not bear by their claims; does any of them matter? On its other nodes a job is as late. */
static bool find_doubted(struct sharing *s)
{
	bool any = false;

	for (uint32_t i = 0; i < s->nodes; i++) {
		const struct node *x = &s->node[i];
		bool in_time =
			!node_lost(s, i) && risk_in_time(x->part, x->n, x->processors, s->now);

		for (uint32_t k = 0; !in_time && k < x->n; k++) {
			const struct job *j = x->part[k].of;

			s->step.job[j->at].doubted = true;
			any |= j->promised;
		}
	}
	return any;
}

/* Of jobs that nothing was promised it is not asked. */
static void find_late(struct sharing *s)
{
	int64_t guard = s->config.guard * SHARE_SECOND;

	if (find_doubted(s))
		step_predict(&s->step, s->now, s->rule, s->step.jobs);
	for (uint32_t i = 0; i < s->nodes; i++) {
		for (uint32_t k = 0; k < s->node[i].n; k++) {
			struct share_part *p = &s->node[i].part[k];
			const struct job *j = p->of;
			const struct step_job *at = &s->step.job[j->at];

			node_set_late(s, p,
				      j->promised && at->doubted &&
					      risk_delay(at->end, p->deadline + guard) > 0);
		}
	}
}

/* ---- shares ---- */

/* Shares that are others than they were are told, and nothing is known of that node any more. */
static void take_shares(struct sharing *s, uint32_t node)
{
	struct node *x = &s->node[node];

	for (uint32_t k = 0; k < x->n; k++) {
		const struct step_part *p = laid_out(s, node, k);
		struct share_part *to = &x->part[k];

		((struct job *)to->of)->pace = s->step.job[p->job].pace;
		to->claim = p->at.claim;
		if (to->share == p->at.share)
			continue;
		to->share = p->at.share;
		node_unsure(s, node);
		node_touch(s, node);
	}
}

void in_step_settle(struct sharing *s)
{
	if (!s->unsettled)
		return;
	s->unsettled = false;
	if (!s->step.node)
		return; /* there was never a part */
	lay_out(s);
	step_out(&s->step, s->now, s->rule);
	for (uint32_t i = 0; i < s->nodes; i++)
		take_shares(s, i);
	find_late(s);
}

void in_step_recall(struct sharing *s)
{
	for (uint32_t i = 0; i < s->nodes; i++) {
		const struct node *x = &s->node[i];

		for (uint32_t k = 0; k < x->n; k++) {
			struct job *j = x->part[k].of;
			uint64_t here = step_pace(x->part[k].share, x->rating);

			if (j->node[0] == i || here < j->pace)
				j->pace = here;
		}
	}
}

/* ---- predicted ends ---- */

/* The least share that it would have. */
static uint32_t share_of(const struct sharing *s, const struct job *j)
{
	const struct step_job *at = &s->step.job[j->at];
	uint32_t share = SHARE_WHOLE;

	for (uint32_t k = at->first; k < at->first + at->n; k++)
		share = s->step.part[k].at.share < share ? s->step.part[k].at.share : share;
	return share;
}

int64_t in_step_predict(struct sharing *s, const struct job *j, uint32_t *share)
{
	lay_out(s);
	if (share) {
		step_out(&s->step, s->now, s->rule);
		*share = share_of(s, j);
	}
	step_predict(&s->step, s->now, s->rule, j ? j->at : s->step.jobs);
	return j ? s->step.job[j->at].end : SHARE_NEVER;
}
