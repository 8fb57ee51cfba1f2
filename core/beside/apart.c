/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart: a job that was promised to start at once where jobs are set aside for it (aside.c), until it has. Both engines
 * hear at its decision that it runs there: the plan as of a promised job of its own, which plans nothing where it is, and
 * those that take turns as of a job that is not theirs, so that what has its nodes has no turn any more.
 *
 * Before the driver starts it, what still runs there is suspended, one by one, as by a driver for another job's turn. If
 * something is in its way longer than it may be late, or its terms change, it is the plan's, as one that waits.
 */
#include <stdlib.h>

#include "core/beside/state.h"

int apart_keep(struct beside *s, struct member *m, const struct sched_job *job,
	       const struct nodeset *at, int64_t from, int64_t to)
{
	struct terms *terms = terms_make(job);
	struct nodeset *nodes = at ? nodeset_dup(at) : m->at;

	if (!terms || !nodes) {
		terms_destroy(terms);
		nodeset_destroy(at ? nodes : NULL);
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", m->id);
	}
	m->terms = terms;
	m->at = nodes;
	m->from = from;
	m->to = to;
	s->apart_n++;
	return PACT_OK;
}

/* ---- what the plan knows ---- */

static int plan_ends(struct beside *s, uint64_t id)
{
	struct sched_event ev = { .type = EV_FINISH, .now = s->now, .id = id };

	return side_event(s, PLAN, &ev);
}

/* To the plan it runs there, since then. */
static int plan_starts(struct beside *s, const struct member *m, uint64_t id, int64_t start,
		       const struct nodeset *nodes)
{
	struct sched_job job = m->terms->job;
	struct sched_event submit = { .type = EV_SUBMIT, .now = s->now, .jobs = &job, .njobs = 1 };
	struct sched_event started = { .type = EV_STARTED,
				       .now = s->now,
				       .id = id,
				       .nodes = nodes,
				       .start = start,
				       .end = m->to };
	int rc;

	job.id = id;
	job.nalt = 0;
	job.required = NULL;
	job.planned = start;
	job.flags = (job.flags | JOB_PROMISED) & ~(uint32_t)JOB_UNCONFIRMED;
	rc = side_event(s, PLAN, &submit);
	if (rc != PACT_OK)
		return rc;
	rc = side_event(s, PLAN, &started);
	if (rc != PACT_OK) {
		submit.type = EV_WITHDRAW;
		submit.id = id;
		side_event(s, PLAN, &submit);
	}
	return rc;
}

int apart_decide(struct beside *s, struct member *m, const struct sched_job *job,
		 const struct sched_decision *d)
{
	struct sched_action accept = decided_answer(m->id, d);
	bool restored = job->flags & JOB_PROMISED;
	int rc = decided_reserve(&s->decided, 1) < 0
			 ? call_fail(&s->call, PACT_ENOMEM, "out of memory", m->id)
			 : PACT_OK;

	if (rc == PACT_OK)
		rc = apart_keep(s, m, job, s->aside.nodes, d->start, d->end);
	if (rc != PACT_OK)
		return rc;
	rc = plan_starts(s, m, m->id, d->start, m->at);
	if (rc != PACT_OK) {
		member_forget_terms(s, m);
		return rc;
	}
	if (!restored)
		decided_add(&s->decided, &accept);
	/* what is set aside has another bound, before the plan has its say: what cannot be told now is told then */
	if (sync_claims(s, PLAN) == PACT_OK)
		sync_claims(s, TURNS);
	return PACT_OK;
}

int apart_confirm(struct beside *s, struct member *m, uint64_t new_id)
{
	int rc = PACT_OK;

	if (new_id != m->id) {
		rc = plan_ends(s, m->id);
		if (rc == PACT_OK)
			rc = plan_starts(s, m, new_id, m->from, m->at);
	}
	if (rc == PACT_OK) {
		m->terms->job.id = new_id;
		m->terms->job.flags &= ~(uint32_t)JOB_UNCONFIRMED;
	}
	return rc;
}

int apart_started(struct beside *s, struct member *m, const struct sched_event *ev)
{
	const struct nodeset *nodes = ev->nodes ? ev->nodes : m->at;
	int rc = PACT_OK;

	if (ev->start != m->from || !nodeset_equal(nodes, m->at)) {
		rc = plan_ends(s, m->id);
		if (rc == PACT_OK)
			rc = plan_starts(s, m, m->id, ev->start, nodes);
	}
	if (rc == PACT_OK)
		member_forget_terms(s, m);
	return rc;
}

int apart_to_plan(struct beside *s, struct member *m)
{
	struct sched_event submit = {
		.type = EV_SUBMIT, .now = s->now, .jobs = &m->terms->job, .njobs = 1
	};
	int rc = plan_ends(s, m->id);

	m->terms->job.flags |= JOB_PROMISED;
	m->terms->job.planned = -1;
	if (rc == PACT_OK)
		rc = side_event(s, PLAN, &submit);
	if (rc == PACT_OK)
		member_forget_terms(s, m);
	return rc;
}

/* All of them, by id. */
static void walk_aparts(struct beside *s)
{
	struct member *m;

	walk_begin(&s->walk);
	for (size_t i = 0; s->apart_n && (m = table_next(s->members, &i));) {
		if (m->terms)
			walk_add(&s->walk, 0, m->id, m);
	}
}

void aparts_block(struct beside *s, const struct nodeset *nodes, int64_t from, int64_t to)
{
	struct member *m;

	walk_aparts(s);
	while ((m = walk_next(&s->walk))) {
		if (from < m->to && to > s->now && nodeset_overlap(m->at, nodes))
			apart_to_plan(s, m);
	}
}

/* ---- its start ---- */

/* By when it has to have started. */
static int64_t latest_start(const struct beside *s, const struct member *m)
{
	return m->from + s->config.lateness;
}

int64_t aparts_wake(const struct beside *s)
{
	int64_t at = PACT_FOREVER;
	const struct member *m;

	for (size_t i = 0; s->apart_n && (m = table_next(s->members, &i));) {
		if (m->terms && latest_start(s, m) + 1 < at)
			at = latest_start(s, m) + 1;
	}
	return at;
}

static bool is_ready(const struct beside *s, const struct member *m)
{
	return m->terms && !(m->terms->job.flags & JOB_UNCONFIRMED) &&
	       (!m->failed || m->failed_at < s->now);
}

/* The lowest id first; what is too late is the plan's. NULL: there is none to start now. */
static struct member *find_ready(struct beside *s)
{
	struct member *m, *first = NULL;

	walk_aparts(s);
	while ((m = walk_next(&s->walk))) {
		if (s->now > latest_start(s, m))
			apart_to_plan(s, m);
		else if (!first && is_ready(s, m))
			first = m;
	}
	return first;
}

static uint32_t alternative_of(const struct member *m)
{
	const struct sched_job *job = &m->terms->job;
	uint32_t i = 0;

	while (i + 1 < job->nalt && job->alt[i] && !nodeset_subset(m->at, job->alt[i]))
		i++;
	return i;
}

/* One that runs where it is to start, the lowest id first; NULL: none. `other`: there are more. */
static struct member *find_running(const struct beside *s, const struct member *start, bool *other)
{
	struct member *m, *first = NULL;

	*other = false;
	for (size_t i = 0; (m = table_next(s->members, &i));) {
		if (m->in != BIT(TURNS) || !m->runs || !m->told ||
		    !nodeset_overlap(m->told, start->at))
			continue;
		*other |= first != NULL;
		if (!first || m->id < first->id)
			first = m;
	}
	return first;
}

static void fail_start(const struct beside *s, struct member *m)
{
	m->failed = true;
	m->failed_at = s->now;
}

bool apart_next(struct beside *s, struct sched_action *a)
{
	struct member *m, *running;
	bool other;

	while (!s->starting && (m = find_ready(s))) {
		/* what takes turns knows that it is there, or is in its way; and all that runs there is known here */
		if ((!m->told && sync_claims(s, PLAN) != PACT_OK) ||
		    sync_claims(s, TURNS) != PACT_OK)
			return false;
		running = m->told ? find_running(s, m, &other) : NULL;
		if (!m->told) {
			fail_start(s, m);
			continue;
		}
		s->suspending = running ? running->id : 0;
		s->suspending_for = m->id;
		if (running) {
			*a = (struct sched_action){ .type = ACT_SUSPEND,
						    .id = running->id,
						    .follows = other };
			return true;
		}
		nodeset_copy(s->allowed, m->at);
		*a = (struct sched_action){ .type = ACT_START,
					    .id = m->id,
					    .width = m->terms->job.width,
					    .allowed = s->allowed,
					    .exact = true,
					    .limit = m->terms->job.limit,
					    .alt = alternative_of(m) };
		s->starting = true;
		s->starting_id = m->id;
		return true;
	}
	return false;
}

int apart_event(struct beside *s, struct member *m, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_START_FAILED:
		if (!s->starting || s->starting_id != m->id)
			return call_fail(&s->call, PACT_EPROTO, "is not being started", m->id);
		fail_start(s, m);
		return PACT_OK;
	case EV_PRIORITY:
		m->terms->job.priority = ev->priority;
		return PACT_OK;
	default:
		return call_fail(&s->call, PACT_EPROTO, "it has not started", m->id);
	}
}

bool apart_answer(struct beside *s, const struct sched_event *ev, int *rc)
{
	struct sched_event suspended = *ev;
	struct member *m = s->suspending ? beside_find(s, s->suspending) : NULL;
	struct member *start = beside_find(s, s->suspending_for);

	if (!m || ev->id != m->id || (ev->type != EV_SUSPENDED && ev->type != EV_REFUSED))
		return false;
	s->suspending = 0;
	*rc = PACT_OK;
	if (ev->type == EV_SUSPENDED) {
		suspended.reserve = true; /* for another one, not by hand */
		*rc = side_event(s, TURNS, &suspended);
		m->runs = *rc != PACT_OK;
	}
	/* it may just have ended: then that is told next, and the start is tried again */
	if (m->runs && start && start->terms)
		fail_start(s, start);
	return true;
}
