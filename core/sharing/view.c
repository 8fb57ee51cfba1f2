/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the sharing engine shows of its jobs (sched.h), and why those that wait do so. */
#include <string.h>

#include "core/sharing/state.h"

/* Of a job that runs on whole nodes: they are as fast as their rating. */
static int64_t end_of(struct sharing *s, const struct job *j)
{
	int64_t end = sharing_predict(s, j, NULL);

	if (j->start >= 0 && !j->n)
		return seconds_of(
			s->now); /* all its parts have left, and that is about to be told */
	return end;
}

static void view_job(struct sharing *s, const struct job *j, struct sched_view *v)
{
	bool placed = j->n > 0 || j->start >= 0;

	*v = (struct sched_view){
		.id = j->id,
		.submit = j->submit,
		.start = j->start >= 0 ? j->start : (placed ? seconds_of(s->now) : PACT_FOREVER),
		.end = placed ? end_of(s, j) : PACT_FOREVER,
		.deadline = j->deadline,
		.width = j->width,
		.running = j->start >= 0,
		.promised = j->promised,
		.broken = j->broken,
		.unconfirmed = j->unconfirmed,
	};
	if (j->n && !s->kind->whole) {
		v->due = sharing_due_by(s, j);
		v->rule = share_rule_name(s->rule);
	}
	if (!j->deadline && j->start < 0)
		v->artificial = seconds_of(due_of(s, j));
}

int sharing_view(const void *own, uint64_t id, struct sched_view *v)
{
	/* a look brings nodes up to now and uses scratch, which changes nothing that can be seen */
	struct sharing *s = (struct sharing *)(uintptr_t)own;
	const struct job *j = table_find(s->jobs, id);

	if (j) {
		view_job(s, j, v);
		return PACT_OK;
	}
	return held_view(s->holds, id, v);
}

enum sched_wait sharing_why(const void *own, uint64_t id)
{
	const struct sharing *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (!j || j->start >= 0 || j->n)
		return WAIT_NONE;
	if (j->terms->begin > s->now / SHARE_SECOND)
		return WAIT_BEGIN;
	return j->terms->failed ? WAIT_FAILED : WAIT_RESOURCES;
}

size_t sharing_waiting(void *own)
{
	return ((const struct sharing *)own)->queue_n;
}

int sharing_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct sharing *s = own;

	return i < s->queue_n ? sharing_view(own, s->queue[i]->id, v) : PACT_ENOENT;
}

/* Of all processors of the node. */
static uint32_t of_node(const struct node *x, share_work share)
{
	return (uint32_t)(share / x->processors);
}

/* When its parts end, into s->end. */
static void predict(struct sharing *s, uint32_t node)
{
	struct node *x = &s->node[node];

	memcpy(s->part, x->part, x->n * sizeof(*x->part));
	if (!s->in_step) {
		share_predict(s->part, x->n, x->processors, s->now, s->rule, x->n, s->end);
		return;
	}
	in_step_predict(s, NULL, NULL);
	for (uint32_t i = 0; i < x->n; i++)
		s->end[i] = s->step.job[((const struct job *)x->part[i].of)->at].end;
}

int sharing_node(const void *own, uint32_t node, struct sched_part *part, uint32_t room,
		 struct sched_node_view *v)
{
	/* as sharing_view() */
	struct sharing *s = (struct sharing *)(uintptr_t)own;
	share_work claimed, whole;
	struct node *x;

	if (node >= s->nodes || s->kind->whole)
		return PACT_ENOENT;
	x = &s->node[node];
	node_advance(s, node);
	whole = (share_work)SHARE_WHOLE * x->processors;
	claimed = share_total(x->part, x->n, s->now);
	v->parts = x->n;
	v->spare = claimed < whole ? of_node(x, whole - claimed) : 0;
	if (!x->n || !room)
		return PACT_OK;
	predict(s, node);
	for (uint32_t i = 0; i < x->n && i < room; i++) {
		const struct share_part *p = &x->part[i];

		part[i] = (struct sched_part){
			.id = ((const struct job *)p->of)->id,
			.share = of_node(x, (share_work)p->share * p->processors),
			.end = node_lost(s, node) ? PACT_FOREVER : seconds_of(s->end[i]),
		};
	}
	return PACT_OK;
}
