/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room: what the holds alone leave of the machine, whatever waits. See admission.h.
 */
#include "core/promise/admission.h"

/* Where a request ends in the trial, which has the holds alone; PACT_FOREVER: nowhere. 0 or -1. */
static int end_alone(const struct planner *s, const struct request *r, int64_t *end)
{
	struct placement at;

	placement_init(&at);
	int rc = plan_earliest(s->trial.plan, r, s->now, PACT_FOREVER, &at);

	*end = at.end;
	placement_clear(&at);
	return rc < 0 ? -1 : 0;
}

int room_bound(struct search *q)
{
	if (attempt_empty(q->s, &q->s->trial) < 0)
		return -1;
	for (size_t i = 0; i < q->fresh_n; i++) {
		struct job *j = q->fresh[i];
		int64_t end;

		if (end_alone(q->s, &j->req, &end) < 0)
			return -1;
		if (end > q->bound)
			q->bound = end;
		if (end <= j->due || (q->best.critical && end - j->due <= q->best.late))
			continue;
		q->best.critical = j;
		q->best.late = end == PACT_FOREVER ? PACT_FOREVER : end - j->due;
	}
	q->shut = q->best.critical;
	return !q->shut;
}

int room_left(struct planner *s, const struct job *j, struct sched_decision *d)
{
	struct request r = j->req;
	int64_t end, longest = j->deadline > s->now ? j->deadline - s->now - s->config.guard : 0;
	int32_t widest = (int32_t)machine_nodes(s->machine);

	if (attempt_empty(s, &s->trial) < 0)
		return -1;
	d->most_limit = j->limit == PACT_FOREVER ? PACT_FOREVER : 0;
	d->most_width = 0;
	if (longest < 0) /* the guard is longer */
		longest = 0;
	if (longest > j->limit)
		longest = j->limit;
	if (widest > j->req.width)
		widest = j->req.width;
	for (int64_t high = longest < PACT_FOREVER ? longest + 1 : 0; high - d->most_limit > 1;) {
		int64_t mid = d->most_limit + (high - d->most_limit) / 2;

		r.duration = plan_end(mid, s->config.guard);
		if (end_alone(s, &r, &end) < 0)
			return -1;
		if (end != PACT_FOREVER && end <= j->deadline)
			d->most_limit = mid;
		else
			high = mid;
	}
	r.duration = j->req.duration;
	for (int32_t high = widest + 1; high - d->most_width > 1;) {
		r.width = d->most_width + (high - d->most_width) / 2;
		if (end_alone(s, &r, &end) < 0)
			return -1;
		if (end != PACT_FOREVER && end <= j->deadline)
			d->most_width = r.width;
		else
			high = r.width;
	}
	return 0;
}

/* Does it hold a node that the request may have? Such without names are of the only class. */
static bool in_reach(const struct hold *x, const struct request *r)
{
	for (uint32_t i = 0; x->nodes && i < r->nalt; i++) {
		if (nodeset_overlap(x->nodes, r->alt[i]->nodes))
			return true;
	}
	return !x->nodes;
}

void room_taken(const struct search *q, struct sched_decision *d)
{
	const struct job *j = q->shut ? q->best.critical : q->fresh[0];
	int64_t after = q->s->now;
	const struct hold *x;

	if (q->shut && q->best.late < PACT_FOREVER) {
		d->room_at = j->due + q->best.late - j->req.duration;
		after = j->due - j->req.duration;
	} else if (q->shut) {
		after = PACT_FOREVER - 1;
	}
	for (size_t i = 0; (x = holds_next(q->s->holds, &i));) {
		if (x->end <= after || !in_reach(x, &j->req))
			continue;
		if (x->block)
			d->blocked = true;
		else
			d->running++;
	}
}
