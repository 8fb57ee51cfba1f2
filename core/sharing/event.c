/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to nodes and running jobs; submissions and changes are in submit.c. */
#include <stdlib.h>
#include <string.h>

#include "core/sharing/state.h"

static struct job *find_running(struct sharing *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start >= 0 ? j : NULL;
}

/* ---- nodes that others hold ---- */

static void share_nodes(struct sharing *s, const struct nodeset *nodes)
{
	for (uint32_t i = nodeset_next(nodes, 0); i < s->nodes; i = nodeset_next(nodes, i + 1))
		node_share(s, i);
}

/* Its nodes are held from its start on, if they are not before that. */
static void close_nodes(struct sharing *s, const struct held *x)
{
	for (uint32_t n = nodeset_next(x->nodes, 0); n < s->nodes;
	     n = nodeset_next(x->nodes, n + 1)) {
		struct node *node = &s->node[n];

		node->held++;
		if (x->start * SHARE_SECOND < node->closed)
			node->closed = x->start * SHARE_SECOND;
	}
}

/* The first start of the holds on a node, of which there are some. */
static int64_t first_start(const struct sharing *s, uint32_t node)
{
	const struct held *x;
	int64_t first = SHARE_NEVER;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (x->start * SHARE_SECOND < first && nodeset_test(x->nodes, node))
			first = x->start * SHARE_SECOND;
	}
	return first;
}

/* A hold has gone. Only where it was the first of several the others are asked: that is rare. */
static void open_nodes(struct sharing *s, const struct held *x)
{
	for (uint32_t n = nodeset_next(x->nodes, 0); n < s->nodes;
	     n = nodeset_next(x->nodes, n + 1)) {
		struct node *node = &s->node[n];

		if (!--node->held)
			node->closed = SHARE_NEVER;
		else if (node->closed == x->start * SHARE_SECOND)
			node->closed = first_start(s, n);
	}
}

static void hold_begun(struct sharing *s, struct held *x)
{
	x->begun = true;
	for (uint32_t n = nodeset_next(x->nodes, 0); n < s->nodes && !x->spares;
	     n = nodeset_next(x->nodes, n + 1))
		s->node[n].holds++;
}

/* Holds begin when their start has come. */
static void begin_holds(struct sharing *s)
{
	struct held *x;

	walk_begin(&s->walk);
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (!x->begun && x->start <= s->now / SHARE_SECOND)
			walk_add(&s->walk, x->start, x->id, x);
	}
	while ((x = walk_next(&s->walk))) {
		hold_begun(s, x);
		share_nodes(s, x->nodes);
	}
}

int sharing_hold(struct sharing *s, const struct sched_event *ev, bool begun)
{
	struct held *x;
	int rc = held_add(&s->call, s->jobs, s->holds, &s->walk, ev, s->nodes,
			  PACT_END_OF_TIME / SHARE_SECOND / 4, &x);

	if (rc != PACT_OK)
		return rc;
	close_nodes(s, x);
	if (begun)
		hold_begun(s, x);
	else
		begin_holds(s);
	return PACT_OK;
}

static void remove_hold(struct sharing *s, struct held *x)
{
	table_remove(s->holds, x->id);
	for (uint32_t n = nodeset_next(x->nodes, 0); x->begun && !x->spares && n < s->nodes;
	     n = nodeset_next(x->nodes, n + 1))
		s->node[n].holds--;
	open_nodes(s, x);
	share_nodes(s, x->nodes);
	held_free(x);
}

/* ---- starts ---- */

static uint32_t list_nodes(const struct nodeset *nodes, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t i = nodeset_next(nodes, 0); i < nodeset_size(nodes);
	     i = nodeset_next(nodes, i + 1))
		out[n++] = i;
	return n;
}

/* The job is on other nodes than were chosen for it, or had none. */
static int place_on(struct sharing *s, struct job *j, const struct nodeset *nodes)
{
	struct job old = *j;
	int64_t due = j->n ? node_part(&s->node[j->node[0]], j)->deadline : due_of(s, j);
	uint32_t n = list_nodes(nodes, s->pick);

	j->node = NULL;
	j->n = 0;
	/* the parts that it has are the first to be found while it has two on a node: they leave first */
	for (uint32_t i = 0; i < old.n; i++)
		node_leave(s, old.node[i], j);
	/* Those that come are counted as late when shares are given out, which may be at once. */
	j->late = j->given_up;
	if (sharing_place(s, j, s->pick, n, due) < 0) {
		j->node = old.node;
		j->n = old.n;
		for (uint32_t i = 0; i < j->n; i++)
			node_join(s, j->node[i], j, due);
		return -1;
	}
	for (uint32_t i = 0; i < old.n; i++)
		node_share(s, old.node[i]);
	free(old.node);
	return 0;
}

static bool is_on(const struct job *j, const struct nodeset *nodes)
{
	for (uint32_t i = 0; i < j->n; i++) {
		if (!nodeset_test(nodes, j->node[i]))
			return false;
	}
	return j->n && j->n == nodeset_count(nodes);
}

/* By when it is due if it ends then, the guard behind it: never after its own deadline. */
static int64_t due_by_end(const struct sharing *s, const struct job *j, int64_t end)
{
	int64_t by = j->deadline && j->deadline < end ? j->deadline : end;

	if (by > PACT_END_OF_TIME / SHARE_SECOND)
		return PACT_END_OF_TIME;
	/* one that ended before all time is as late as any */
	return ((by > 0 ? by : 0) - s->config.guard) * SHARE_SECOND;
}

/* All its parts are due then; shares are not given out. */
static void set_due(struct sharing *s, const struct job *j, int64_t due)
{
	for (uint32_t i = 0; i < j->n; i++)
		node_due(s, j->node[i], j, due);
}

/* It was decided earlier; what it was due by may have been changed since. */
static void restored(struct sharing *s, struct job *j, int64_t end)
{
	sharer_restored(s, j);
	if (end > 0 && !s->kind->whole && !j->given_up)
		set_due(s, j, due_by_end(s, j, end));
}

static int on_started(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j)
		return sharing_hold(s, ev, false);
	if (j->start >= 0)
		return call_fail(&s->call, PACT_EPROTO, "started, but it runs", ev->id);
	if (ev->start < 0 || ev->start > PACT_END_OF_TIME / SHARE_SECOND / 4)
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	if ((ev->nodes || !j->n) && call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	if (ev->nodes && !is_on(j, ev->nodes) && place_on(s, j, ev->nodes) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	waiting_remove(s, j);
	sharing_due_remove(s, j);
	if (s->starting == j)
		s->starting = NULL;
	if (j->terms->flags & JOB_PROMISED)
		restored(s, j, ev->end);
	j->width = (int32_t)j->n;
	j->start = ev->start;
	j->unconfirmed = false;
	sharer_started(j);
	for (uint32_t i = 0; i < j->n; i++) {
		node_advance(s, j->node[i]); /* until now it did nothing there */
		node_part(&s->node[j->node[i]], j)->idle = false;
	}
	sharing_share_all(s, j);
	return PACT_OK;
}

/* It waits again; what was promised is decided no more. */
static int on_start_failed(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = s->starting;

	if (!j || j->id != ev->id)
		return call_fail(&s->call, PACT_EPROTO, "is not being started", ev->id);
	if (waiting_add(s, j) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	j->terms->failed = true;
	s->starting = NULL;
	for (uint32_t i = 0; i < j->n; i++) {
		node_leave(s, j->node[i], j);
		node_share(s, j->node[i]);
	}
	sharing_unplace(s, j);
	return PACT_OK;
}

/* ---- running jobs ---- */

/* Its parts on these nodes (NULL: on all) end. */
static void end_parts(struct sharing *s, struct job *j, const struct nodeset *nodes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < j->n; i++) {
		struct share_part *p = node_part(&s->node[j->node[i]], j);

		if (nodes && !nodeset_test(nodes, j->node[i])) {
			j->node[n++] = j->node[i];
			continue;
		}
		if (p->late) {
			j->late--;
			note_news(s, j);
		}
		node_leave(s, j->node[i], j);
		node_share(s, j->node[i]);
	}
	j->n = n;
}

static int on_finish(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);
	struct held *x = j ? NULL : table_find(s->holds, ev->id);

	if (x)
		remove_hold(s, x);
	if (x)
		return PACT_OK;
	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (chance_ended(s, j, NULL, ev->cut) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	end_parts(s, j, NULL);
	table_remove(s->jobs, j->id);
	sharer_destroy(s, j);
	return PACT_OK;
}

static int on_left(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	if (chance_ended(s, j, ev->nodes, false) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	end_parts(s, j, ev->nodes);
	return PACT_OK;
}

static int on_suspension(struct sharing *s, const struct sched_event *ev, bool suspended)
{
	struct job *j = find_running(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	j->suspended = suspended;
	for (uint32_t i = 0; i < j->n; i++) {
		node_advance(s, j->node[i]);
		node_part(&s->node[j->node[i]], j)->suspended = suspended;
		node_share(s, j->node[i]);
	}
	return PACT_OK;
}

/* What was measured replaces what was worked out from the shares. */
static int on_progress(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (call_nodes(&s->call, ev, s->nodes) != PACT_OK || ev->work < 0)
		return call_fail(&s->call, PACT_EINVAL, "progress without nodes, or below 0",
				 ev->id);
	for (uint32_t i = 0; i < j->n; i++) {
		struct node *x = &s->node[j->node[i]];
		struct want w = want_of(s, j, 0);
		share_work done = (share_work)(uint64_t)ev->work * SHARE_WHOLE, all;

		if (!s->in_step && !nodeset_test(ev->nodes, j->node[i]))
			continue; /* in step, what one has done they all have */
		node_advance(s, j->node[i]);
		all = share_work_of(w.runtime, x->rating, RATING_WHOLE);
		node_part(x, j)->left = done < all ? all - done : 0;
		node_share(s, j->node[i]);
	}
	return PACT_OK;
}

/*
 * A job that has to be done earlier takes more of its nodes: only where that is free does it get it. Else it keeps what
 * it has, and its end finds it unfinished. To be due later takes nothing from others.
 */
static int on_end_changed(struct sharing *s, const struct sched_event *ev)
{
	struct held *x = table_find(s->holds, ev->id);
	struct job *j = find_running(s, ev->id);
	int64_t due;

	if (x)
		x->end = ev->end;
	if (!x && !j)
		return call_fail(&s->call, PACT_ENOENT, "no such job or hold", ev->id);
	if (x || s->kind->whole || !j->n || j->given_up)
		return PACT_OK;
	due = due_by_end(s, j, ev->end);
	for (uint32_t i = 0; due < node_part(&s->node[j->node[0]], j)->deadline && i < j->n; i++) {
		if (!node_suits_due(s, j->node[i], j, due))
			return PACT_OK;
	}
	set_due(s, j, due);
	sharing_share_all(s, j);
	return PACT_OK;
}

/* ---- what nodes are ---- */

static bool is_sane(const struct sched_event *ev)
{
	return ev->rating >= 0 && ev->rating <= 1000 * RATING_WHOLE && ev->processors >= 0 &&
	       ev->processors <= UINT16_MAX && ev->memory >= 0 && ev->memory < PACT_END_OF_TIME &&
	       ev->most >= 0;
}

/* Parts keep what they have done of their estimates; one of all processors stays one of all. */
static void set_node(struct sharing *s, uint32_t node, int32_t rating, uint16_t processors,
		     int64_t memory)
{
	struct node *x = &s->node[node];

	node_advance(s, node);
	for (uint32_t i = 0; i < x->n; i++) {
		struct share_part *p = &x->part[i];

		p->left = (p->left * (uint32_t)x->rating + (uint32_t)rating - 1) / (uint32_t)rating;
		if (p->processors == x->processors || p->processors > processors)
			p->processors = processors;
	}
	x->rating = rating;
	x->processors = processors;
	x->memory = memory;
	node_share(s, node);
}

void find_uniform(struct sharing *s)
{
	s->uniform = true;
	for (uint32_t i = 1; i < s->nodes; i++)
		s->uniform &= s->node[i].rating == s->node[0].rating &&
			      s->node[i].processors == s->node[0].processors &&
			      s->node[i].memory == s->node[0].memory;
}

static int on_nodes(struct sharing *s, const struct sched_event *ev)
{
	int rc = call_nodes(&s->call, ev, s->nodes);

	if (rc != PACT_OK || !is_sane(ev))
		return call_fail(&s->call, PACT_EINVAL, "no node is like that", ev->id);
	for (uint32_t i = nodeset_next(ev->nodes, 0); i < s->nodes;
	     i = nodeset_next(ev->nodes, i + 1)) {
		set_node(s, i, ev->rating ? ev->rating : RATING_WHOLE,
			 ev->processors ? (uint16_t)ev->processors : 1, ev->memory);
		s->node[i].most = (uint32_t)ev->most;
	}
	find_uniform(s);
	return PACT_OK;
}

/* ---- all of them ---- */

/* Time goes on to the event: holds begin, and shares that change by themselves do. */
static int go_on(struct sharing *s, const struct sched_event *ev)
{
	int64_t now;

	if (ev->now < 0 || ev->now > PACT_END_OF_TIME / SHARE_SECOND / 4 || ev->fine < 0 ||
	    ev->fine >= SHARE_SECOND)
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	now = ev->now * SHARE_SECOND + ev->fine;
	s->now = now > s->now ? now : s->now;
	s->dirty = true;
	s->told = false;
	for (size_t i = 0; ev->type != EV_START_FAILED && i < s->queue_n; i++)
		s->queue[i]->terms->failed = false;
	begin_holds(s);
	for (uint32_t i = 0; s->rule == SHARE_NEAREST && i < s->nodes; i++) {
		if (s->until[i] <= s->now && s->until[i] > 0)
			node_share(s, i);
	}
	return PACT_OK;
}

static int apply(struct sharing *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return sharing_submit(s, ev);
	case EV_CONFIRM:
		return sharing_confirm(s, ev);
	case EV_CHANGE:
		return sharing_change(s, ev);
	case EV_PRIORITY:
		return sharing_priority(s, ev);
	case EV_WITHDRAW:
		return sharing_withdraw(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_START_FAILED:
		return on_start_failed(s, ev);
	case EV_END_CHANGED:
		return on_end_changed(s, ev);
	case EV_FINISH:
		return on_finish(s, ev);
	case EV_BLOCK:
		return sharing_hold(s, ev, false);
	case EV_TIME:
		return PACT_OK;
	case EV_SUSPENDED:
		return on_suspension(s, ev, true);
	case EV_RESUMED:
		return on_suspension(s, ev, false);
	case EV_LEFT:
		return on_left(s, ev);
	case EV_NODES:
		return on_nodes(s, ev);
	case EV_PROGRESS:
		return on_progress(s, ev);
	case EV_PAST:
		if (call_nodes(&s->call, ev, s->nodes) != PACT_OK)
			return PACT_EINVAL;
		return chance_past(s, ev);
	case EV_POLICY:
	case EV_MIGRATED:
	case EV_LEAVING:
	case EV_RESIZED:
	case EV_SHARED:
	case EV_REFUSED:
		break;
	}
	return call_fail(&s->call, PACT_EINVAL,
			 "moved, resized or of a policy: not on shared nodes", ev->id);
}

int sharing_event(void *own, const struct sched_event *ev)
{
	struct sharing *s = own;
	int rc;

	call_begin(&s->call);
	rc = go_on(s, ev);
	if (rc == PACT_OK)
		rc = apply(s, ev);
	in_step_settle(s);
	return rc;
}
