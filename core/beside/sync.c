/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync: each of the two engines is told what the jobs of the other one have of the nodes: as what is held by jobs that
 * it does not know. Only what has changed since is told.
 */
#include <string.h>

#include "core/beside/state.h"

static int other(int side)
{
	return side == PLAN ? TURNS : PLAN;
}

/* A hold that is over, but is there still: it is told as what should have ended just now. */
static void bound_claim(const struct beside *s, struct engine_claim *c)
{
	if (c->end <= s->now && c->start >= c->end)
		c->start = c->end > 0 ? c->end - 1 : 0;
}

/* Told already, but for its end. */
static int tell_end(struct beside *s, struct member *m, int to, const struct engine_claim *c)
{
	struct sched_event ev = {
		.type = EV_END_CHANGED, .now = s->now, .id = m->id, .end = c->end
	};
	int rc = c->end == m->told_end ? PACT_OK : side_event(s, to, &ev);

	if (rc == PACT_OK)
		m->told_end = c->end;
	return rc;
}

static int tell_claim(struct beside *s, struct member *m, int to, struct engine_claim *c)
{
	struct sched_event ev = { .type = EV_STARTED, .now = s->now, .id = m->id };
	struct nodeset *nodes;
	int rc;

	if (m->told && m->told_start == c->start && nodeset_equal(m->told, c->nodes))
		return tell_end(s, m, to, c);
	nodes = nodeset_dup(c->nodes);
	rc = nodes ? beside_untell(s, m) : call_fail(&s->call, PACT_ENOMEM, "out of memory", m->id);
	if (rc == PACT_OK) { /* else it is told still what it was told before */
		m->told_start = c->start;
		m->told_end = c->end;
	}
	bound_claim(s, c);
	ev.nodes = nodes;
	ev.start = c->start;
	ev.end = c->end;
	if (rc == PACT_OK)
		rc = side_event(s, to, &ev);
	if (rc == PACT_OK)
		m->told = nodes;
	else
		nodeset_destroy(nodes);
	return rc;
}

/* What was told and is claimed no more, by id. */
static int untell_others(struct beside *s, int from)
{
	struct member *m;
	int rc = PACT_OK;

	walk_begin(&s->walk);
	for (size_t i = 0; (m = table_next(s->members, &i));) {
		if (m->told && m->in == BIT(from) && m->seen != s->round)
			walk_add(&s->walk, 0, m->id, m);
	}
	while (rc == PACT_OK && (m = walk_next(&s->walk)))
		rc = beside_untell(s, m);
	return rc;
}

int sync_claims(struct beside *s, int from)
{
	const struct side *x = &s->side[from];
	struct engine_claim c;
	int rc = PACT_OK;
	size_t n;

	if (!s->stale[from])
		return rc;
	n = x->engine->claims(x->own, NULL);
	if (n == SIZE_MAX)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
	s->round++;
	for (size_t i = 0; i < n; i++) {
		struct member *m;

		x->engine->claim(x->own, i, &c);
		m = beside_find(s, c.id);
		if (m && m->in == BIT(from))
			m->seen = s->round;
	}
	/* what goes makes room for what comes */
	rc = untell_others(s, from);
	for (size_t i = 0; rc == PACT_OK && i < n; i++) {
		struct member *m;

		x->engine->claim(x->own, i, &c);
		m = beside_find(s, c.id);
		if (m && m->in == BIT(from))
			rc = tell_claim(s, m, other(from), &c);
	}
	s->stale[from] = rc != PACT_OK;
	return rc;
}

/* The nodes that the plan has for it, as they were told to the turns. enum pact_err: it has no names, or not all are allowed. */
static int find_names(struct beside *s, const struct sched_action *a)
{
	const struct side *x = &s->side[PLAN];
	size_t n = x->engine->claims(x->own, NULL);
	struct engine_claim c;

	if (n == SIZE_MAX)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", a->id);
	for (size_t i = 0; i < n; i++) {
		x->engine->claim(x->own, i, &c);
		if (c.id != a->id)
			continue;
		nodeset_copy(s->allowed, c.nodes);
		if (nodeset_count(c.nodes) == (uint32_t)a->width &&
		    (!a->allowed || nodeset_subset(c.nodes, a->allowed)))
			return PACT_OK;
	}
	return call_fail(&s->call, PACT_EPROTO, "starts without known nodes", a->id);
}

/* What the plan allows is free for as long as the job has it: the lowest ones. */
static void take_lowest(struct beside *s, const struct sched_action *a)
{
	int32_t missing = a->width;

	nodeset_clear(s->allowed);
	for (uint32_t n = nodeset_next(a->allowed, 0); n < s->nodes && missing;
	     n = nodeset_next(a->allowed, n + 1), missing--)
		nodeset_set(s->allowed, n);
}

int sync_start(struct beside *s, struct sched_action *a)
{
	struct sched_event failed = { .type = EV_START_FAILED, .now = s->now, .id = a->id };
	char why[sizeof(s->call.error)];
	int rc = find_names(s, a);

	if (rc != PACT_OK && !a->allowed) {
		memcpy(why, s->call.error, sizeof(why));
		side_event(s, PLAN, &failed);
		memcpy(s->call.error, why, sizeof(why));
		return rc;
	}
	if (rc != PACT_OK)
		take_lowest(s, a);
	s->call.error[0] = '\0';
	a->allowed = s->allowed;
	a->exact = true;
	a->spare = 0;
	return PACT_OK;
}
