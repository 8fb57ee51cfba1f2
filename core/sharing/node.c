/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node: a node's parts; see state.h. */
#include <string.h>

#include "core/base/array.h"
#include "core/kernel/protocol.h"
#include "core/sharing/shares/demand.h"
#include "core/sharing/shares/risk.h"
#include "core/sharing/state.h"

/* In step a part does what its job's pace is, which may be less than its share by rounding. */
static void advance_in_step(struct node *x, int64_t microseconds)
{
	for (uint32_t i = 0; i < x->n; i++) {
		struct share_part *p = &x->part[i];
		const struct job *j = p->of;
		share_work done = step_work(j->pace, microseconds, x->rating);

		if (!p->idle)
			p->left = done < p->left ? p->left - done : 0;
	}
}

void node_advance(struct sharing *s, uint32_t node)
{
	struct node *x = &s->node[node];

	if (x->since < s->now && x->n) {
		if (s->in_step)
			advance_in_step(x, s->now - x->since);
		else
			share_advance(x->part, x->n, s->now - x->since);
	}
	x->since = s->now;
}

int node_reserve(struct node *x)
{
	uint32_t room = x->room + x->room / 2 + 4;

	if (x->n < x->room)
		return 0;
	if (array_grow(&x->part, room, sizeof(*x->part)) < 0)
		return -1;
	x->room = room;
	return 0;
}

void node_unsure(struct sharing *s, uint32_t node)
{
	s->room[node].at = SHARE_NEVER;
}

void node_join(struct sharing *s, uint32_t node, struct job *j, int64_t due)
{
	struct node *x = &s->node[node];
	struct want w = want_of(s, j, due);
	uint32_t at = x->n;

	node_advance(s, node);
	while (at > 0 && x->part[at - 1].deadline > due)
		at--;
	memmove(&x->part[at + 1], &x->part[at], (x->n - at) * sizeof(*x->part));
	x->part[at] = (struct share_part){
		.left = share_work_of(w.runtime, x->rating, RATING_WHOLE),
		.deadline = due,
		.of = j,
		.processors = j->processors && !s->kind->whole ? j->processors : x->processors,
		.idle = true,
		.capped = s->config.risk_limit > 0,
	};
	x->n++;
	s->parts++;
	x->used += j->memory;
	node_unsure(s, node);
}

struct share_part *node_part(struct node *x, const struct job *j)
{
	for (uint32_t i = 0; i < x->n; i++) {
		if (x->part[i].of == j)
			return &x->part[i];
	}
	return NULL;
}

void node_leave(struct sharing *s, uint32_t node, const struct job *j)
{
	struct node *x = &s->node[node];
	struct share_part *p = node_part(x, j);

	if (!p)
		return;
	node_advance(s, node);
	x->n--;
	s->parts--;
	memmove(p, p + 1, (size_t)(x->part + x->n - p) * sizeof(*p));
	x->used -= j->memory;
	node_unsure(s, node);
}

/* The part at that place among others is due then, and stands where parts of that deadline do. */
static void move_due(struct share_part *part, uint32_t n, uint32_t at, int64_t due)
{
	struct share_part moved = part[at];

	moved.deadline = due;
	for (; at > 0 && part[at - 1].deadline > due; at--)
		part[at] = part[at - 1];
	for (; at + 1 < n && part[at + 1].deadline < due; at++)
		part[at] = part[at + 1];
	part[at] = moved;
}

void node_due(struct sharing *s, uint32_t node, const struct job *j, int64_t due)
{
	struct node *x = &s->node[node];

	node_advance(s, node);
	move_due(x->part, x->n, (uint32_t)(node_part(x, j) - x->part), due);
	node_unsure(s, node);
}

bool node_lost(const struct sharing *s, uint32_t node)
{
	return s->node[node].holds > 0;
}

/* ---- which parts are late ---- */

/* By the rule's own test: is each part in time that has a deadline and an estimate which fit each other? */
static bool is_in_time(struct sharing *s, const struct node *x)
{
	if (s->rule == SHARE_NEAREST)
		return demand_fits(x->part, x->n, x->processors, s->now, s->part);
	return risk_in_time(x->part, x->n, x->processors, s->now);
}

void node_set_late(struct sharing *s, struct share_part *p, bool late)
{
	struct job *j = p->of;

	if (p->late == late)
		return;
	p->late = late;
	j->late += late ? 1 : -1u;
	if (j->promised)
		note_news(s, j);
}

/* Each part by its predicted end. */
static void find_late(struct sharing *s, uint32_t node)
{
	struct node *x = &s->node[node];
	int64_t guard = s->config.guard * SHARE_SECOND;

	for (uint32_t i = 0; i < x->n; i++)
		s->part[i] = x->part[i];
	share_predict(s->part, x->n, x->processors, s->now, s->rule, x->n, s->end);
	for (uint32_t i = 0; i < x->n; i++)
		node_set_late(s, &x->part[i],
			      node_lost(s, node) ||
				      risk_delay(s->end[i], x->part[i].deadline + guard) > 0);
}

/* Where all demands are met, a part is late only if its own estimate does not fit, or its deadline is past. */
static bool is_too_long(const struct share_part *p, int64_t now)
{
	return p->deadline < now || p->left > (share_work)(p->deadline - now) * SHARE_WHOLE;
}

bool node_suits_due(struct sharing *s, uint32_t node, const struct job *j, int64_t due)
{
	struct node *x = &s->node[node];
	struct share_part own;

	node_advance(s, node);
	own = *node_part(x, j);
	own.deadline = due;
	if (is_too_long(&own, s->now))
		return false;
	memcpy(s->part, x->part, x->n * sizeof(*x->part));
	move_due(s->part, x->n, (uint32_t)(node_part(x, j) - x->part), due);
	if (s->rule == SHARE_NEAREST)
		return demand_fits(s->part, x->n, x->processors, s->now, s->part + x->n);
	return share_total(s->part, x->n, s->now) <= (share_work)SHARE_WHOLE * x->processors;
}

void node_touch(struct sharing *s, uint32_t node)
{
	if (s->node[node].touched)
		return;
	s->node[node].touched = true;
	s->touched[s->touched_n++] = node;
}

void node_share(struct sharing *s, uint32_t node)
{
	struct node *x = &s->node[node];

	node_advance(s, node);
	node_unsure(s, node);
	if (s->kind->whole) {
		for (uint32_t i = 0; i < x->n; i++)
			x->part[i].share = x->part[i].suspended ? 0 : SHARE_WHOLE;
		return;
	}
	node_touch(s, node);
	if (s->in_step) {
		s->unsettled = true; /* and so may be those of other nodes */
		return;
	}
	share_out(x->part, x->n, x->processors, s->now, s->rule);
	for (uint32_t i = 0; node_lost(s, node) && i < x->n; i++)
		x->part[i].share = 0;
	s->until[node] = share_until(x->part, x->n, s->now, s->rule);
	if (!node_lost(s, node) && is_in_time(s, x)) {
		for (uint32_t i = 0; i < x->n; i++)
			node_set_late(s, &x->part[i], is_too_long(&x->part[i], s->now));
	} else {
		find_late(s, node);
	}
}

int64_t node_predict(struct sharing *s, uint32_t node, const struct job *j, uint32_t *share)
{
	struct node *x = &s->node[node];
	struct share_part *p = node_part(x, j);
	size_t at = (size_t)(p - x->part);

	if (!p || node_lost(s, node))
		return SHARE_NEVER;
	node_advance(s, node);
	memcpy(s->part, x->part, x->n * sizeof(*x->part));
	if (share) {
		share_out(s->part, x->n, x->processors, s->now, s->rule);
		*share = s->part[at].share;
	}
	share_predict(s->part, x->n, x->processors, s->now, s->rule, at, s->end);
	return s->end[at];
}
