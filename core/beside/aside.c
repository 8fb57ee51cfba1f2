/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aside: a deadline that the plan would refuse is promised on nodes of jobs that take turns, which are set aside while
 * the promised job runs (the preemption of section 5.1 of the gang scheduling paper): here these nodes are chosen.
 *
 * It has to start at once, on nodes that nothing else has, is planned to have, or loses before it has ended. Of what
 * takes turns on them each can be set aside so long and has ended by its artificial deadline then, as far as it has a
 * bound; and nothing that is promised begins before that on any node that it has. So whatever has a place in the plan
 * keeps it, node by node. Where memory is counted, a node has enough for all of them at once.
 *
 * The free nodes are taken first; then, one after the other, those on which fewest jobs are, the highest numbers first,
 * and with each what its jobs leave elsewhere.
 */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/beside/state.h"
#include "core/kernel/decision.h"

/* ---- what each node is ---- */

static void close_nodes(struct aside *x, const struct nodeset *nodes)
{
	uint32_t n = nodeset_list(nodes, x->list);

	for (uint32_t i = 0; i < n; i++)
		x->node[x->list[i]].closed = true;
}

/* What others hold: lost, reserved, or with jobs that were never submitted. */
static void look_at_holds(struct beside *s, int64_t until)
{
	const struct member *m;

	for (size_t i = 0; (m = table_next(s->members, &i));) {
		if (m->at && m->from < until)
			close_nodes(&s->aside, m->at);
	}
}

/* What is promised runs there, or begins then; not the new one itself. False: it is not known for all. */
static bool look_at_plan(struct beside *s, uint64_t new_id, int64_t until)
{
	const struct side *x = &s->side[PLAN];
	size_t n = x->engine->claims(x->own, NULL), named = 0, waiting = 0;
	struct aside *a = &s->aside;
	const struct member *m;
	struct engine_claim c;

	for (size_t i = 0; n != SIZE_MAX && i < n; i++) {
		uint32_t k;

		x->engine->claim(x->own, i, &c);
		m = beside_find(s, c.id);
		if (!m || m->in != BIT(PLAN))
			continue;
		named += m->waiting && !m->terms;
		k = nodeset_list(c.nodes, a->list);
		while (k--) {
			struct aside_node *node = &a->node[a->list[k]];

			node->closed |= c.start < until;
			node->promised = c.start < node->promised ? c.start : node->promised;
		}
	}
	for (size_t i = 0; (m = table_next(s->members, &i));)
		waiting += m->in == BIT(PLAN) && m->waiting && !m->terms && m->id != new_id;
	return n != SIZE_MAX && named == waiting;
}

/* By when it has ended if it is set aside until then; PACT_FOREVER: it cannot be. */
static int64_t end_aside(const struct beside *s, const struct engine_claim *c, int64_t until)
{
	int64_t rest;

	if (!c->most || c->end >= PACT_END_OF_TIME || c->extra >= PACT_END_OF_TIME)
		return PACT_FOREVER;
	rest = (c->end > s->now ? c->end - s->now : 0) + c->extra;
	rest = rest < c->most ? rest : c->most;
	return rest < PACT_END_OF_TIME ? until + rest : PACT_FOREVER;
}

/* Can it be set aside until then, and nothing that is promised is in its way? */
static bool can_wait(const struct beside *s, const struct member *m, const struct engine_claim *c,
		     int64_t until)
{
	int64_t end = end_aside(s, c, until);

	if (end == PACT_FOREVER || !m->due || end > m->due || c->end <= s->now)
		return false;
	for (uint32_t n = nodeset_next(m->told, 0); n < s->nodes;
	     n = nodeset_next(m->told, n + 1)) {
		if (s->aside.node[n].promised < end)
			return false;
	}
	return true;
}

/* The jobs that take turns, each with its nodes. 0 or enum pact_err. */
static int look_at_turns(struct beside *s, int64_t until)
{
	const struct side *x = &s->side[TURNS];
	size_t n = x->engine->claims(x->own, NULL);
	struct aside *a = &s->aside;
	struct engine_claim c;

	a->n = 0;
	if (n == SIZE_MAX || (n > a->room && array_grow(&a->job, 2 * n, sizeof(*a->job)) < 0))
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
	a->room = n > a->room ? 2 * n : a->room;
	for (size_t i = 0; i < n; i++) {
		struct member *m;

		x->engine->claim(x->own, i, &c);
		m = beside_find(s, c.id);
		if (!m || m->in != BIT(TURNS) || !m->told)
			close_nodes(a, c.nodes);
		else if (!can_wait(s, m, &c, until))
			close_nodes(a, m->told);
		else
			a->job[a->n++] = (struct aside_job){ m, false };
	}
	return PACT_OK;
}

/* How many they are on each node, and what memory they need there. */
static void count_jobs(struct beside *s)
{
	struct aside *a = &s->aside;

	for (size_t i = 0; i < a->n; i++) {
		const struct member *m = a->job[i].m;
		uint32_t k = nodeset_list(m->told, a->list);

		while (k--) {
			a->node[a->list[k]].jobs++;
			a->node[a->list[k]].memory += m->memory;
		}
	}
}

static int look(struct beside *s, uint64_t new_id, int64_t until, bool *known)
{
	for (uint32_t n = 0; n < s->nodes; n++)
		s->aside.node[n] = (struct aside_node){ .promised = PACT_FOREVER };
	look_at_holds(s, until);
	*known = look_at_plan(s, new_id, until);
	if (!*known)
		return PACT_OK;
	/* a driver that comes up tells what runs, and what is promised, before anything was predicted */
	members_predict(s);
	return look_at_turns(s, until);
}

/* ---- the choice ---- */

/* May it have the node, after all that is known? */
static bool may_have(const struct beside *s, const struct sched_job *job,
		     const struct nodeset *allowed, uint32_t n)
{
	const struct aside_node *x = &s->aside.node[n];

	return !x->closed && (!allowed || nodeset_test(allowed, n)) &&
	       (!s->memory[n] || x->memory + job->memory <= s->memory[n]);
}

/* The jobs of the node are set aside; each leaves a job less on all that it has. */
static void take_node(struct beside *s, uint32_t node)
{
	struct aside *a = &s->aside;

	for (size_t i = 0; i < a->n; i++) {
		uint32_t k;

		if (a->job[i].chosen || !nodeset_test(a->job[i].m->told, node))
			continue;
		a->job[i].chosen = true;
		k = nodeset_list(a->job[i].m->told, a->list);
		while (k--)
			a->node[a->list[k]].jobs--;
	}
	nodeset_set(a->nodes, node);
}

/* Of those that it may have and has not the one with fewest jobs; s->nodes: there is none. */
static uint32_t next_node(const struct beside *s, const struct sched_job *job,
			  const struct nodeset *allowed)
{
	const struct aside *a = &s->aside;
	uint32_t best = s->nodes;

	for (uint32_t n = s->nodes; n--;) {
		if (nodeset_test(a->nodes, n) || !may_have(s, job, allowed, n))
			continue;
		if (best == s->nodes || a->node[n].jobs < a->node[best].jobs)
			best = n;
	}
	return best;
}

static bool take_required(struct beside *s, const struct sched_job *job,
			  const struct nodeset *allowed)
{
	for (uint32_t n = job->required ? nodeset_next(job->required, 0) : s->nodes; n < s->nodes;
	     n = nodeset_next(job->required, n + 1)) {
		if (!may_have(s, job, allowed, n))
			return false;
		take_node(s, n);
	}
	return true;
}

/* Of these nodes (NULL: all), into s->aside.nodes. False: they are too few. */
static bool choose(struct beside *s, const struct sched_job *job, const struct nodeset *allowed)
{
	struct aside *a = &s->aside;
	int32_t missing;

	for (uint32_t n = 0; n < s->nodes; n++)
		a->node[n].jobs = 0, a->node[n].memory = 0;
	for (size_t i = 0; i < a->n; i++)
		a->job[i].chosen = false;
	count_jobs(s);
	nodeset_clear(a->nodes);
	if (!take_required(s, job, allowed))
		return false;
	for (missing = job->width - (int32_t)nodeset_count(a->nodes); missing > 0; missing--) {
		uint32_t n = next_node(s, job, allowed);

		if (n == s->nodes)
			return false;
		take_node(s, n);
	}
	return missing == 0;
}

/* Would the plan promise it? *worth: if not, other nodes could make it. enum pact_err */
static int ask(struct beside *s, const struct sched_job *job, bool *worth)
{
	struct side *x = &s->side[PLAN];
	struct sched_job probe = *job;
	struct sched_decision d;
	int rc;

	probe.flags = (probe.flags & ~(uint32_t)JOB_PROMISED) | JOB_PROBE;
	rc = x->engine->ask(x->own, s->now, &probe, 1, &d);
	*worth = rc == PACT_OK && !d.accepted &&
		 (d.reason == REFUSE_FULL || d.reason == REFUSE_BLOCKED ||
		  (d.reason == REFUSE_TOO_LATE && job->flags & JOB_PROMISED));
	return rc == PACT_OK ? rc : side_failed(s, PLAN, rc);
}

/* Can it start at once, and be in time? What was promised earlier may have used up a part of its guard. */
static bool is_due_at_once(const struct beside *s, const struct sched_job *job, int64_t *until)
{
	if (!s->config.aside || job->begin > s->now || job->limit >= PACT_END_OF_TIME ||
	    job->flags & (JOB_NEEDED | JOB_OPAQUE) || job->nalt > SCHED_MAX_ALT)
		return false;
	*until = s->now + job->limit + s->config.guard;
	if (job->flags & JOB_PROMISED && *until > job->deadline &&
	    s->now + job->limit <= job->deadline)
		*until = job->deadline;
	return *until <= job->deadline;
}

int aside_choose(struct beside *s, const struct sched_job *job, struct sched_decision *d)
{
	bool worth, known;
	int64_t until;
	int rc;

	*d = decision_refused(REFUSE_NONE);
	if (!is_due_at_once(s, job, &until))
		return PACT_OK;
	rc = ask(s, job, &worth);
	if (rc == PACT_OK && worth)
		rc = look(s, job->id, until, &known);
	if (rc != PACT_OK || !worth || !known)
		return rc;
	for (uint32_t i = 0; i < (job->nalt ? job->nalt : 1) && !d->accepted; i++)
		d->accepted = choose(s, job, job->nalt ? job->alt[i] : NULL);
	d->start = s->now;
	d->end = until;
	return rc;
}
