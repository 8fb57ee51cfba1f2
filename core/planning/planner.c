/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planner: the planning engine (kernel/engine.h), as a state machine: creation, passes and actions. Jobs
 * hold nodes from a planned start to a planned end; a policy orders the plan.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/kernel/decision.h"
#include "core/planning/arrange/arrange.h"
#include "core/planning/planning.h"
#include "core/promise/admission.h"

/* ---- creation ---- */

static bool make_parts(struct planner *s, uint32_t nodes)
{
	s->machine = machine_create(nodes);
	if (!s->machine)
		return false;
	s->holds = holds_create(s->machine, 0);
	s->jobs = table_create();
	s->allowed = nodeset_create(nodes);
	s->standing = standing_create();
	if (!s->holds || !s->jobs || !s->allowed || !s->standing ||
	    trial_fit(&s->trial, s->machine, 1) < 0)
		return false;
	/* a policy that keeps no places has nothing but the holds in the plan between passes */
	s->plan = s->policy->keeps ? plan_create(s->machine, 0) : holds_base(s->holds);
	if (!s->plan)
		return false;
	if (s->policy->keeps)
		holds_mirror(s->holds, s->plan);
	return remap_note(s) == 0;
}

/* What the policy keeps, for the jobs that wait. 0 or -1. */
static int open_policy(struct planner *s)
{
	const struct plan_policy *policy = s->policy;
	int rc = policy->create ? policy->create(s) : 0;

	for (size_t i = 0; rc == 0 && policy->joined && i < s->queue.n; i++) {
		if (s->queue.v[i])
			rc = policy->joined(s, s->queue.v[i]);
	}
	return rc;
}

static void close_policy(const struct plan_policy *policy, void *own)
{
	if (policy->destroy)
		policy->destroy(own);
}

static void planner_destroy(void *own);

static void *planner_create(const void *kind, uint32_t nodes, const struct sched_config *config,
			    char *why, size_t why_size)
{
	const struct plan_policy *policy = kind;
	struct planner *s;

	s = calloc(1, sizeof(*s));
	if (s) {
		s->policy = policy;
		s->config = *config;
		s->call.config = &s->config;
	}
	if (!s || !make_parts(s, nodes) || open_policy(s) < 0) {
		if (why)
			snprintf(why, why_size, "out of memory");
		planner_destroy(s);
		return NULL;
	}
	return s;
}

static void planner_destroy(void *own)
{
	struct planner *s = own;

	if (!s)
		return;
	close_policy(s->policy, s->own);
	for (size_t i = 0; i < s->queue.n; i++)
		job_destroy(s, s->queue.v[i]);
	freelist_release(&s->freed_jobs);
	freelist_release(&s->freed_lists);
	free(s->queue.v);
	free(s->agenda.v);
	free(s->list);
	free(s->order);
	free(s->sorted);
	free(s->fresh);
	trial_release(&s->trial);
	free(s->start_reserve);
	decided_release(&s->decided);
	free(s->class_of);
	standing_destroy(s->standing);
	claims_destroy(s->claims);
	nodeset_destroy(s->allowed);
	table_destroy(s->jobs);
	if (s->policy->keeps)
		plan_destroy(s->plan);
	holds_destroy(s->holds);
	machine_destroy(s->machine);
	free(s);
}

/* Another policy decides from now on, about the same jobs. 0 or -1: no memory, the old one goes on. */
static int change_permitted(struct planner *s, const struct plan_policy *policy)
{
	const struct plan_policy *old = s->policy;
	void *own = s->own;
	size_t bytes = s->own_bytes;

	s->policy = policy;
	s->own = NULL;
	s->own_bytes = 0;
	if (open_policy(s) == 0) {
		close_policy(old, own);
		return 0;
	}
	close_policy(policy, s->own);
	s->policy = old;
	s->own = own;
	s->own_bytes = bytes;
	return -1;
}

static int planner_configure(void *own, const void *kind, const struct sched_config *config,
			     char *why, size_t why_size)
{
	struct planner *s = own;

	if (kind != s->policy && change_permitted(s, kind) < 0) {
		if (why)
			snprintf(why, why_size, "out of memory");
		return PACT_ENOMEM;
	}
	/* the other mode has another order: begin the pass anew, and let every job have a place */
	s->in_pass = s->in_pass && s->config.mode == config->mode;
	s->config = *config;
	s->dirty = s->loosened = true;
	s->news.order++;
	s->news.places++;
	compress_forget(s);
	agenda_spoil(s);
	return s->policy->configure && s->policy->configure(s) < 0 ? PACT_ENOMEM : PACT_OK;
}

static int64_t planner_spent(const void *own)
{
	const struct planner *s = own;

	return s->call.spent;
}

/* ---- events and actions ---- */

/* Something may change from here on. */
static void planner_called(struct planner *s)
{
	call_begin(&s->call);
	standing_forget(s->standing);
}

static bool take_time(struct planner *s, int64_t now)
{
	if (now > PACT_END_OF_TIME) {
		snprintf(s->call.error, sizeof(s->call.error), "now: %lld is no time",
			 (long long)now);
		return false;
	}
	if (now > s->now)
		s->now = now;
	return true;
}

/* Naming nodes may have changed the classes even if the jobs were not to stay. */
static int count_anew(struct planner *s)
{
	return s->generation == machine_generation(s->machine) ? 0 : repair(s);
}

static int out_of_memory(struct planner *s)
{
	s->stale = true;
	return call_fail_as(&s->call, PACT_ENOMEM, "out of memory");
}

static int one_event(struct planner *s, const struct sched_event *ev)
{
	if (!take_time(s, ev->now))
		return PACT_EINVAL;
	s->told = false;
	int rc = event_apply(s, ev);

	/* that it took place stands, whatever becomes of the plan */
	if (count_anew(s) < 0)
		s->stale = true;
	return rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

static int planner_event(void *own, const struct sched_event *ev)
{
	planner_called(own);
	return one_event(own, ev);
}

static const char *planner_error(const void *own)
{
	const struct planner *s = own;

	return s->call.error;
}

static bool planner_poll(void *own, struct sched_action *action)
{
	struct planner *s = own;

	return decided_take(&s->decided, action);
}

/* The first time after the pass began at which a job is planned, or may begin. */
static int64_t first_later(struct planner *s)
{
	int64_t at = PACT_FOREVER;
	bool any = s->policy->keeps || s->queue.begins;
	size_t n;

	if (agenda_rules(s) && planner_scratch(s, s->queue.n) == 0 &&
	    agenda_until(s, s->pass_now, s->trial.todo, &n, &at) == 0)
		return at;
	at = PACT_FOREVER;

	for (size_t i = 0; any && i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];

		if (!j)
			continue;
		int64_t t = s->policy->keeps ? j->place.start : j->req.not_before;

		/* what became due while the pass went on was not tried by it */
		if (t > s->pass_now && t < at)
			at = t;
	}
	return at;
}

/* Nothing is left to do now: when is there? */
static bool next_wake(struct planner *s, struct sched_action *action)
{
	int64_t at = first_later(s);

	s->told = true;
	if (at == PACT_FOREVER)
		return false;
	*action = (struct sched_action){ .type = ACT_WAKE, .end = at };
	return true;
}

/* Let the driver try to start j; false: it cannot go anywhere now. */
static bool try_start(struct planner *s, struct job *j, struct sched_action *action)
{
	/* the pass took so long that the place is lost: the next one gives it another */
	if (s->policy->keeps && !j->opaque && j->place.start < s->now - s->config.lateness) {
		s->dirty = true;
		return false;
	}
	if (start_open(s, j, action))
		return true;
	start_failed(s, j, true);
	return false;
}

static bool next_action(struct planner *s, struct sched_action *action)
{
	if (decided_take(&s->decided, action))
		return true;
	if (s->starting) {
		snprintf(s->call.error, sizeof(s->call.error),
			 "the start of job %llu was not answered",
			 (unsigned long long)s->starting->id);
		return false;
	}
	/* the plan lost room in the middle of a pass: repair before anything else is started */
	if ((s->in_pass && overdue(s)) || (s->tightened && s->policy->keeps) || stale(s)) {
		s->in_pass = false;
		s->dirty = true;
	}
	for (;;) {
		if (!s->in_pass) {
			if (!s->dirty)
				return !s->told && next_wake(s, action);
			s->dirty = s->told = false;
			s->pass_now = s->now;
			if (repair(s) < 0 || s->policy->begin(s) < 0) {
				out_of_memory(s);
				return false;
			}
			s->in_pass = true;
			if (decided_take(&s->decided, action))
				return true;
		}
		struct job *j = s->policy->step(s);

		if (j && try_start(s, j, action))
			return true;
		if (!j) {
			s->in_pass = false;
			if (stale(s)) { /* not all had their turn */
				out_of_memory(s);
				return false;
			}
			if (decided_take(&s->decided, action))
				return true;
		}
	}
}

static bool planner_next(void *own, struct sched_action *action)
{
	struct planner *s = own;

	planner_called(s);
	return next_action(s, action);
}

static int ask(struct planner *s, int64_t now, const struct sched_job *jobs, size_t njobs,
	       struct sched_decision *d)
{
	*d = decision_never(REFUSE_DISABLED);
	if (!take_time(s, now) || !njobs)
		return PACT_EINVAL;
	int rc = jobs_check(s, jobs, njobs);

	if (rc != PACT_OK || !s->policy->promises || !s->config.admission)
		return rc;
	if (jobs_must_wait(s, jobs, njobs)) {
		*d = decision_never(REFUSE_BUDGET);
		return PACT_OK;
	}
	enum admit how = jobs[0].flags & JOB_PROBE ? ADMIT_PROBE : ADMIT_ASK;
	struct job **v = jobs_build(s, jobs, njobs, &rc);

	s->told = false; /* what was late may have moved */
	if (v) {
		d->reason = REFUSE_NONE;
		if (planner_scratch(s, s->queue.n + njobs) < 0 ||
		    repair_for_decision(s, true) < 0 || admission_admit(s, v, njobs, how, d) < 0)
			rc = PACT_ENOMEM;
		jobs_destroy(s, v, njobs);
	}
	return count_anew(s) < 0 || rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

static int ask_change(struct planner *s, int64_t now, const struct sched_job *job,
		      struct sched_decision *d)
{
	*d = decision_never(REFUSE_DISABLED);
	if (!take_time(s, now))
		return PACT_EINVAL;
	s->told = false;
	int rc = change_ask(s, job, d);

	return count_anew(s) < 0 || rc == PACT_ENOMEM ? out_of_memory(s) : rc;
}

static int planner_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
		       struct sched_decision *d)
{
	planner_called(own);
	return ask(own, now, jobs, njobs, d);
}

static int planner_ask_change(void *own, int64_t now, const struct sched_job *job,
			      struct sched_decision *d)
{
	planner_called(own);
	return ask_change(own, now, job, d);
}

static size_t planner_bytes(const void *own)
{
	const struct planner *s = own;
	size_t bytes = sizeof(*s) + holds_bytes(s->holds) + table_bytes(s->jobs);

	bytes += s->policy->keeps ? plan_bytes(s->plan) : 0;
	bytes += trial_bytes(&s->trial);
	bytes += s->agenda.room * sizeof(*s->agenda.v);
	bytes += s->own_bytes;
	bytes += s->standing ? standing_bytes(s->standing) : 0;
	bytes += s->claims ? claims_bytes(s->claims) : 0;
	bytes += s->queue.room * sizeof(*s->queue.v) + decided_bytes(&s->decided);
	bytes += s->scratch_room * 4 * sizeof(struct job *);
	return bytes + (table_count(s->jobs) + s->freed_jobs.n) * sizeof(struct job);
}

const struct engine engine_planning = {
	.name = "planning",
	.create = planner_create,
	.destroy = planner_destroy,
	.configure = planner_configure,
	.event = planner_event,
	.next = planner_next,
	.poll = planner_poll,
	.ask = planner_ask,
	.ask_change = planner_ask_change,
	.view = planner_view,
	.why = planner_why,
	.waiting = planner_waiting,
	.view_waiting = planner_view_waiting,
	.claims = planner_claims,
	.claim = planner_claim,
	.save = planner_save,
	.form = planner_form,
	.load = planner_load,
	.error = planner_error,
	.spent = planner_spent,
	.bytes = planner_bytes,
};
