/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit: submissions and changes, and the questions about them: whose a job is, and what may be promised. */
#include <stdlib.h>

#include "core/beside/state.h"
#include "core/kernel/decision.h"

bool is_promised(const struct sched_job *job)
{
	return job->deadline && !(job->flags & JOB_PROMISED && job->flags & JOB_EXPECTED);
}

/* ---- jobs as the plan is to know them ---- */

struct local_jobs {
	struct sched_job *v;
	struct nodeset **set; /* SCHED_MAX_ALT for each */
	size_t n;
};

static void local_jobs_release(struct local_jobs *l)
{
	for (size_t i = 0; l->set && i < l->n * SCHED_MAX_ALT; i++)
		nodeset_destroy(l->set[i]);
	free(l->set);
	free(l->v);
}

/* Of these nodes (NULL: all) those that have enough memory for it. NULL: no memory. */
static struct nodeset *roomy(const struct beside *s, const struct nodeset *from, int64_t memory)
{
	struct nodeset *set = from ? nodeset_dup(from) : nodeset_create(s->nodes);

	if (set && !from)
		nodeset_fill(set);
	for (uint32_t n = 0; set && n < s->nodes; n++) {
		if (s->memory[n] && s->memory[n] < memory)
			nodeset_unset(set, n);
	}
	return set;
}

/* Nodes that have too little memory are none for it. 0 or -1. */
static int limit_job(const struct beside *s, struct sched_job *job, struct nodeset **set)
{
	if (!s->limited || job->memory <= 0 || job->nalt > SCHED_MAX_ALT)
		return 0;
	job->nalt = job->nalt ? job->nalt : 1;
	for (uint32_t i = 0; i < job->nalt; i++) {
		if (job->alt[i] && nodeset_size(job->alt[i]) != s->nodes)
			continue; /* the plan says what is wrong with it */
		set[i] = roomy(s, job->alt[i], job->memory);
		if (!set[i])
			return -1;
		job->alt[i] = set[i];
	}
	return 0;
}

/* To be released in either case. enum pact_err. */
static int local_jobs_make(struct beside *s, struct local_jobs *l, const struct sched_job *jobs,
			   size_t n)
{
	int rc = 0;

	*l = (struct local_jobs){ .v = calloc(n, sizeof(*l->v)),
				  .set = calloc(n * SCHED_MAX_ALT, sizeof(struct nodeset *)),
				  .n = n };
	for (size_t i = 0; l->v && l->set && rc == 0 && i < n; i++) {
		l->v[i] = jobs[i];
		if (!jobs[i].nalt)
			l->v[i].alt[0] = NULL;
		rc = limit_job(s, &l->v[i], &l->set[i * SCHED_MAX_ALT]);
	}
	return l->v && l->set && rc == 0
		       ? PACT_OK
		       : call_fail(&s->call, PACT_ENOMEM, "out of memory", jobs->id);
}

/* ---- what is refused here ---- */

/* The plan is to be asked. It may be another one afterwards: names of nodes are not kept by a question. */
static void plan_is_asked(struct beside *s)
{
	struct side *x = &s->side[PLAN];

	x->touched = s->used = true;
	x->now = s->now;
	x->wake = PACT_FOREVER;
}

/*
 * Something that waits for turns would be starved: nothing is promised now. What else speaks against a promise comes
 * before that. enum pact_err; d->accepted: there is nothing in the way here.
 */
static int check_starving(struct beside *s, const struct local_jobs *l, bool asked_to,
			  struct sched_decision *d)
{
	const struct side *x = &s->side[PLAN];
	const struct member *starving;
	struct sched_job *first = l->v;
	int64_t late;
	int rc;

	*d = (struct sched_decision){ .accepted = true };
	starving = asked_to ? members_starving(s, &late) : NULL;
	if (!starving)
		return PACT_OK;
	plan_is_asked(s);
	first->flags |= JOB_PROBE;
	rc = x->engine->ask(x->own, s->now, l->v, l->n, d);
	first->flags &= ~(uint32_t)JOB_PROBE;
	if (rc != PACT_OK)
		return side_failed(s, PLAN, rc);
	d->offer_start = d->offer_end = PACT_FOREVER;
	if (!d->accepted)
		return PACT_OK;
	*d = decision_never(REFUSE_STARVES);
	d->critical = starving->id;
	d->critical_late = late;
	return PACT_OK;
}

static int push_refusal(struct beside *s, uint64_t id, const struct sched_decision *d)
{
	struct sched_action a = decided_answer(id, d);

	return decided_push(&s->decided, &a) < 0
		       ? call_fail(&s->call, PACT_ENOMEM, "out of memory", id)
		       : PACT_OK;
}

/* ---- to the plan ---- */

/*
 * The plan decides, unless others can be set aside for a single one that it would refuse, or that was promised earlier and
 * for which it has no room now. *refused: it is not promised. NULL `alone`: none may be.
 */
static int decide(struct beside *s, const struct sched_event *ev, struct member *alone,
		  bool *refused)
{
	struct sched_decision d = { .accepted = false };
	struct side *x = &s->side[PLAN];
	int rc = alone ? aside_choose(s, ev->jobs, &d) : PACT_OK;

	if (rc == PACT_OK && d.accepted)
		return apart_decide(s, alone, ev->jobs, &d);
	if (rc == PACT_OK)
		rc = side_event(s, PLAN, ev);
	*refused = rc == PACT_OK && decision_wanted(ev->jobs) &&
		   decided_join(&s->decided, x->engine, x->own, ev->jobs->id);
	return rc;
}

/*
 * One or more jobs to be promised, which the plan does not know yet. *refused: they are not. `alone`: the single one for
 * which others may be set aside; NULL: there is none.
 */
static int to_plan(struct beside *s, const struct sched_event *ev, struct member *alone,
		   bool *refused)
{
	bool decides = decision_wanted(ev->jobs);
	struct sched_event local = *ev;
	struct sched_decision d;
	struct local_jobs l;
	int rc;

	*refused = false;
	rc = local_jobs_make(s, &l, ev->jobs, ev->njobs);
	if (rc == PACT_OK)
		rc = sync_claims(s, TURNS);
	if (rc == PACT_OK)
		rc = check_starving(s, &l, decides, &d);
	if (rc == PACT_OK && !d.accepted) {
		*refused = true;
		rc = push_refusal(s, ev->jobs->id, &d);
	} else if (rc == PACT_OK) {
		local.jobs = l.v;
		rc = decide(s, &local, alone, refused);
	}
	local_jobs_release(&l);
	return rc;
}

/* ---- submissions ---- */

static void remove_members(struct beside *s, const struct sched_event *ev, size_t n)
{
	while (n-- > 0)
		beside_remove(s, beside_find(s, ev->jobs[n].id));
}

/* All of them are members, or none. */
static int add_members(struct beside *s, const struct sched_event *ev, int side)
{
	for (size_t i = 0; i < ev->njobs; i++) {
		uint64_t id = ev->jobs[i].id;
		bool known = beside_find(s, id);
		struct member *m = known ? NULL : beside_add(s, id, BIT(side));

		if (m)
			m->memory = ev->jobs[i].memory;
		if (m && side == TURNS)
			member_patience(s, m, &ev->jobs[i]);
		if (m)
			continue;
		remove_members(s, ev, i);
		return known ? call_fail(&s->call, PACT_EEXIST, "id already known", id)
			     : call_fail(&s->call, PACT_ENOMEM, "out of memory", id);
	}
	return PACT_OK;
}

static int submit_promised(struct beside *s, const struct sched_event *ev)
{
	bool refused = false;
	int rc = add_members(s, ev, PLAN);

	if (rc != PACT_OK)
		return rc;
	rc = to_plan(s, ev, ev->njobs == 1 ? beside_find(s, ev->jobs->id) : NULL, &refused);
	if (rc != PACT_OK || refused)
		remove_members(s, ev, ev->njobs);
	return rc;
}

int beside_submit(struct beside *s, const struct sched_event *ev)
{
	int rc;

	if (!ev->njobs)
		return call_fail(&s->call, PACT_EINVAL, "no job", 0);
	for (size_t i = 1; i < ev->njobs; i++) {
		if (is_promised(&ev->jobs[i]) != is_promised(&ev->jobs[0]))
			return call_fail(&s->call, PACT_EINVAL,
					 "a group with and without deadlines", ev->jobs[i].id);
	}
	if (is_promised(ev->jobs))
		return submit_promised(s, ev);
	rc = add_members(s, ev, TURNS);
	if (rc != PACT_OK)
		return rc;
	rc = side_event(s, TURNS, ev);
	if (rc != PACT_OK)
		remove_members(s, ev, ev->njobs);
	return rc;
}

/* ---- changes ---- */

static int change_in_turn(struct beside *s, struct member *m, const struct sched_event *ev)
{
	int rc = side_event(s, TURNS, ev);

	if (rc == PACT_OK)
		member_patience(s, m, ev->jobs);
	return rc;
}

/* It is the same engine's as before. */
static int change_in_place(struct beside *s, struct member *m, const struct sched_event *ev)
{
	struct sched_event local = *ev;
	struct sched_decision d;
	struct local_jobs l;
	int rc;

	if (m->in == BIT(TURNS))
		return change_in_turn(s, m, ev);
	rc = local_jobs_make(s, &l, ev->jobs, 1);
	if (rc == PACT_OK)
		rc = sync_claims(s, TURNS);
	if (rc == PACT_OK)
		rc = check_starving(s, &l, decision_wanted(ev->jobs), &d);
	local.jobs = l.v;
	if (rc == PACT_OK)
		rc = d.accepted ? side_event(s, PLAN, &local) : push_refusal(s, m->id, &d);
	local_jobs_release(&l);
	return rc;
}

/* Its record may not have shown up yet. */
static bool is_unconfirmed(const struct beside *s, const struct member *m)
{
	const struct side *x = &s->side[member_side(m)];
	struct sched_view v;

	return x->engine->view(x->own, m->id, &v) == PACT_OK && v.unconfirmed;
}

/* It is to be the other engine's: it is submitted there, and leaves here if it is taken. */
static int change_side(struct beside *s, struct member *m, const struct sched_event *ev, int to)
{
	struct sched_event leave = { .type = EV_WITHDRAW, .now = ev->now, .id = m->id };
	struct sched_job job = *ev->jobs;
	struct sched_event come = { .type = EV_SUBMIT, .now = ev->now, .jobs = &job, .njobs = 1 };
	int from = member_side(m), rc;
	bool refused = false;

	if (s->starting && s->starting_id == m->id)
		return call_fail(&s->call, PACT_EPROTO, "a change while it is being started",
				 m->id);
	if (is_unconfirmed(s, m))
		job.flags |= JOB_UNCONFIRMED;
	/* what it holds for the other one is in nothing's way any more */
	rc = sync_claims(s, from);
	if (rc == PACT_OK)
		rc = beside_untell(s, m);
	s->stale[from] = false; /* it is to stay untold while that is decided */
	if (rc == PACT_OK && to == PLAN)
		rc = to_plan(s, &come, NULL, &refused);
	else if (rc == PACT_OK)
		rc = side_event(s, TURNS, &come);
	s->stale[from] = true;
	if (rc != PACT_OK || refused)
		return rc;
	rc = side_event(s, from, &leave);
	if (rc != PACT_OK) {
		leave.id = m->id;
		side_event(s, to, &leave);
		return rc;
	}
	beside_move(s, m, BIT(to));
	if (to == TURNS)
		member_patience(s, m, &job);
	return rc;
}

int beside_change(struct beside *s, const struct sched_event *ev)
{
	struct member *m = ev->njobs == 1 ? beside_find(s, ev->jobs->id) : NULL;
	int to, rc;

	if (!m || !m->waiting || m->in == (BIT(PLAN) | BIT(TURNS)))
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 ev->njobs ? ev->jobs->id : 0);
	rc = m->terms ? apart_to_plan(s, m) : PACT_OK;
	if (rc != PACT_OK)
		return rc;
	to = is_promised(ev->jobs) ? PLAN : TURNS;
	return m->in == BIT(to) ? change_in_place(s, m, ev) : change_side(s, m, ev, to);
}

/* ---- questions ---- */

/* Of the plan, about new jobs, or about one that it has (`change`); may others be set aside for it (`alone`)? */
static int ask_plan(struct beside *s, int64_t now, const struct sched_job *jobs, size_t n,
		    bool change, bool alone, struct sched_decision *d)
{
	struct sched_decision apart = { .accepted = false };
	struct side *x = &s->side[PLAN];
	struct local_jobs l;
	int rc = local_jobs_make(s, &l, jobs, n);

	plan_is_asked(s);
	if (rc == PACT_OK)
		rc = sync_claims(s, TURNS);
	if (rc == PACT_OK)
		rc = check_starving(s, &l, decision_wanted(jobs), d);
	if (rc == PACT_OK && d->accepted && alone && decision_wanted(jobs))
		rc = aside_choose(s, l.v, &apart);
	if (rc == PACT_OK && apart.accepted) {
		*d = apart;
	} else if (rc == PACT_OK && d->accepted) {
		rc = change ? x->engine->ask_change(x->own, now, l.v, d)
			    : x->engine->ask(x->own, now, l.v, n, d);
		if (rc != PACT_OK)
			side_failed(s, PLAN, rc);
	}
	local_jobs_release(&l);
	return rc;
}

int beside_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
	       struct sched_decision *d)
{
	struct beside *s = own;
	struct side *x = &s->side[TURNS];
	int rc;

	*d = decision_refused(REFUSE_DISABLED);
	if (!beside_called(s, now))
		return PACT_EINVAL;
	if (!njobs)
		return call_fail(&s->call, PACT_EINVAL, "no job", 0);
	if (is_promised(jobs))
		return ask_plan(s, now, jobs, njobs, false, njobs == 1, d);
	rc = x->engine->ask(x->own, now, jobs, njobs, d);
	return rc == PACT_OK ? rc : side_failed(s, TURNS, rc);
}

int beside_ask_change(void *own, int64_t now, const struct sched_job *job, struct sched_decision *d)
{
	struct beside *s = own;
	struct side *x = &s->side[TURNS];
	struct member *m;
	int rc;

	*d = decision_refused(REFUSE_DISABLED);
	if (!beside_called(s, now))
		return PACT_EINVAL;
	m = beside_find(s, job->id);
	if (!m || !m->waiting || m->in == (BIT(PLAN) | BIT(TURNS)))
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 job->id);
	if (m->terms) { /* it is about to start */
		d->reason = REFUSE_BUDGET;
		return PACT_OK;
	}
	if (m->in == BIT(PLAN))
		return ask_plan(s, now, job, 1, true, false, d);
	if (!is_promised(job)) {
		rc = x->engine->ask_change(x->own, now, job, d);
		return rc == PACT_OK ? rc : side_failed(s, TURNS, rc);
	}
	rc = sync_claims(s, TURNS);
	if (rc == PACT_OK)
		rc = beside_untell(s, m);
	s->stale[TURNS] = false; /* as in change_side() */
	if (rc == PACT_OK)
		rc = ask_plan(s, now, job, 1, false, false, d);
	s->stale[TURNS] = true;
	return rc;
}
