/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit: submissions and changes, and the questions about them. A domain that refuses keeps nothing of a
 * submission, so that the domains are simply asked in turn.
 */
#include <string.h>

#include "core/domains/state.h"
#include "core/kernel/decision.h"

/* ---- refusals ---- */

/* Which of two refusals without an offer says more: to be asked again soon, the load, the domain itself. */
static int rank(const struct sched_decision *d)
{
	switch (d->reason) {
	case REFUSE_BUDGET:
		return 0;
	case REFUSE_NEVER_FITS:
		return 2;
	case REFUSE_DISABLED:
		return 3;
	default:
		return 1;
	}
}

/* One more domain refuses; `best` is what the ones before said (the first: nothing yet). */
static void refused_too(struct sched_decision *best, const struct sched_decision *d, bool first)
{
	int64_t most_limit = best->most_limit;
	int32_t most_width = best->most_width;
	bool both = !first && rank(best) <= 1 && rank(d) <= 1;

	if (first || d->offer_end < best->offer_end ||
	    (d->offer_end == best->offer_end && rank(d) < rank(best)))
		*best = *d;
	if (!both)
		return;
	/* what could be asked instead could be asked of either */
	best->most_limit = most_limit > d->most_limit ? most_limit : d->most_limit;
	best->most_width = most_width > d->most_width ? most_width : d->most_width;
}

/* ---- the way to one domain ---- */

/* Say it to a domain in its own words. *alts: see struct member. */
static int say(struct domains *s, struct domain *d, const struct sched_event *ev, uint32_t *alts)
{
	struct sched_event local = *ev;
	struct local_jobs l;
	int rc = PACT_ENOMEM;

	if (local_jobs_make(&l, d, ev->jobs, ev->njobs)) {
		local.jobs = l.v;
		*alts = l.alts;
		rc = domain_event(s, d, &local);
	} else {
		domains_fail(s, rc, "out of memory", ev->jobs[0].id);
	}
	local_jobs_release(&l);
	return rc;
}

/*
 * The answer to a submission or change of that id, which the domain was just told; what else it has decided
 * joins the engine's actions, and there is room for the answer, too. False: no memory for those, the answer comes when
 * the domain's actions do.
 */
static bool take_answer(struct domains *s, struct domain *d, uint64_t id, struct sched_action *a)
{
	while (decided_reserve(&s->decided, 1) == 0 && d->of->engine->poll(d->own, a)) {
		if ((a->type == ACT_ACCEPT || a->type == ACT_REFUSE) && a->id == id)
			return true;
		decided_add(&s->decided, a);
	}
	return false;
}

/* ---- submissions ---- */

/* All of them are members, or none. */
static int add_members(struct domains *s, const struct sched_event *ev, uint32_t domain)
{
	for (size_t i = 0; i < ev->njobs; i++) {
		int code = member_find(s, ev->jobs[i].id) ? PACT_EEXIST : PACT_OK;
		struct member *m = code ? NULL
					: member_add(s, ev->jobs[i].id, UINT64_C(1) << domain,
						     ev->jobs[i].width);

		if (m) {
			m->waiting = true;
			continue;
		}
		while (i > 0)
			member_remove(s, member_find(s, ev->jobs[--i].id));
		return code ? domains_fail(s, code, "id already known", ev->jobs[0].id)
			    : domains_fail(s, PACT_ENOMEM, "out of memory", ev->jobs[0].id);
	}
	return PACT_OK;
}

static void remove_members(struct domains *s, const struct sched_event *ev)
{
	for (size_t i = 0; i < ev->njobs; i++)
		member_remove(s, member_find(s, ev->jobs[i].id));
}

/* They go to this domain, without a word about it or with one in *a (`decides`; type ACT_WAKE: none yet). */
static int submit_to(struct domains *s, uint32_t domain, const struct sched_event *ev, bool decides,
		     struct sched_action *a)
{
	uint32_t alts = 0;
	int rc = add_members(s, ev, domain);

	*a = (struct sched_action){ .type = ACT_WAKE };
	if (rc != PACT_OK)
		return rc;
	rc = say(s, &s->v[domain], ev, &alts);
	if (rc == PACT_OK && decides && !take_answer(s, &s->v[domain], ev->jobs[0].id, a))
		a->type = ACT_WAKE;
	if (rc != PACT_OK || a->type == ACT_REFUSE) {
		remove_members(s, ev);
		return rc;
	}
	for (size_t i = 0; i < ev->njobs; i++)
		member_find(s, ev->jobs[i].id)->alts = alts;
	return PACT_OK;
}

/* The first of these that accepts takes them; else they are refused. */
static int submit_in_turn(struct domains *s, const struct sched_event *ev, const uint32_t *order,
			  uint32_t n)
{
	struct sched_action a, best = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		int rc = submit_to(s, order[i], ev, true, &a);

		if (rc != PACT_OK)
			return rc;
		if (a.type == ACT_WAKE)
			return PACT_OK;
		if (a.type == ACT_ACCEPT) {
			decided_add(&s->decided, &a);
			return PACT_OK;
		}
		refused_too(&best.decision, &a.decision, i == 0);
	}
	a.decision = best.decision;
	a.end = best.decision.end;
	decided_add(&s->decided, &a);
	return PACT_OK;
}

/* What a domain would answer. */
static int ask_one(struct domains *s, uint32_t domain, int64_t now, const struct sched_job *jobs,
		   size_t n, struct sched_decision *d)
{
	struct domain *part = &s->v[domain];
	struct local_jobs l;
	int rc = PACT_ENOMEM;

	*d = decision_never(REFUSE_DISABLED);
	domain_touch(s, part);
	if (local_jobs_make(&l, part, jobs, n)) {
		rc = part->of->engine->ask(part->own, now, l.v, n, d);
		if (rc != PACT_OK)
			domains_fail(s, rc, part->of->engine->error(part->own), 0);
	} else {
		domains_fail(s, rc, "out of memory", jobs[0].id);
	}
	local_jobs_release(&l);
	return rc;
}

/* The first that could make this promise now; else the first that makes any. */
static uint32_t find_promiser(struct domains *s, int64_t now, const struct sched_job *job,
			      const uint32_t *order, uint32_t n)
{
	uint32_t any = NO_DOMAIN;
	struct sched_job asked = *job;

	asked.flags = (asked.flags & ~(uint32_t)JOB_PROMISED) | JOB_PROBE;
	for (uint32_t i = 0; i < n; i++) {
		struct sched_decision d;

		if (ask_one(s, order[i], now, &asked, 1, &d) != PACT_OK)
			continue;
		if (d.accepted)
			return order[i];
		if (any == NO_DOMAIN && d.reason != REFUSE_DISABLED)
			any = order[i];
	}
	return any == NO_DOMAIN ? order[0] : any;
}

static uint32_t pick(struct domains *s, int64_t now, const struct sched_job *job,
		     const uint32_t *order, uint32_t n)
{
	if (n > 1 && job->deadline && (job->flags & JOB_PROMISED))
		return find_promiser(s, now, job, order, n);
	return route_least(s, job, order, n);
}

int domains_submit(struct domains *s, const struct sched_event *ev)
{
	uint32_t order[DOMAINS_MOST], n;
	struct sched_action a;

	if (!ev->njobs)
		return domains_fail(s, PACT_EINVAL, "a submission without jobs", 0);
	n = route(s, ev->jobs, ev->njobs, order);
	if (!n)
		return PACT_EINVAL;
	if (decision_wanted(&ev->jobs[0]))
		return submit_in_turn(s, ev, order, n);
	return submit_to(s, pick(s, ev->now, &ev->jobs[0], order, n), ev, false, &a);
}

/* ---- changes ---- */

/* It stays in its domain. */
static int change_in_place(struct domains *s, struct member *m, const struct sched_event *ev)
{
	struct domain *d = member_domain(s, m);
	bool decides = decision_wanted(ev->jobs);
	struct sched_action a = { .type = ACT_ACCEPT };
	uint32_t alts = m->alts;
	int rc = say(s, d, ev, &alts);

	if (rc != PACT_OK)
		return rc;
	if (decides && take_answer(s, d, m->id, &a))
		decided_add(&s->decided, &a);
	if (a.type == ACT_REFUSE)
		return PACT_OK;
	m->alts = alts;
	member_move(s, m, m->in, ev->jobs->width);
	return PACT_OK;
}

/* Its new terms want another domain: it is submitted there, and leaves here if it is taken. */
static int change_domain(struct domains *s, struct member *m, const struct sched_event *ev,
			 const uint32_t *order, uint32_t n)
{
	struct domain *from = member_domain(s, m);
	struct sched_event leave = { .type = EV_WITHDRAW, .now = ev->now, .id = m->id };
	struct sched_job job = *ev->jobs;
	struct sched_event come = { .type = EV_SUBMIT, .now = ev->now, .jobs = &job, .njobs = 1 };
	struct member old = *m, *new;
	struct sched_view v;
	int rc;

	if (s->starting && s->starting_id == m->id)
		return domains_fail(s, PACT_EPROTO, "a change while a job is being started", m->id);
	if (from->of->engine->view(from->own, m->id, &v) == PACT_OK && v.unconfirmed)
		job.flags |= JOB_UNCONFIRMED;
	/* there it is new, and this is its only mention until it is taken */
	member_remove(s, m);
	if (decision_wanted(&job)) {
		rc = submit_in_turn(s, &come, order, n);
	} else {
		struct sched_action a;

		rc = submit_to(s, pick(s, ev->now, &job, order, n), &come, false, &a);
	}
	new = member_find(s, old.id);
	if (new)
		return domain_event(s, from, &leave);
	new = member_add(s, old.id, old.in, old.width); /* the memory that was just freed */
	if (!new)
		return domains_fail(s, PACT_ENOMEM, "out of memory", old.id);
	new->alts = old.alts;
	new->waiting = true;
	return rc;
}

int domains_change(struct domains *s, const struct sched_event *ev)
{
	struct member *m = ev->njobs == 1 ? member_find(s, ev->jobs->id) : NULL;
	uint32_t order[DOMAINS_MOST], n;

	if (!m || !m->waiting)
		return domains_fail(s, PACT_ENOENT, "a change of a job that does not wait",
				    ev->njobs ? ev->jobs->id : 0);
	n = route(s, ev->jobs, 1, order);
	if (!n)
		return PACT_EINVAL;
	for (uint32_t i = 0; i < n; i++) {
		if (m->in & UINT64_C(1) << order[i])
			return change_in_place(s, m, ev);
	}
	return change_domain(s, m, ev, order, n);
}

/* ---- questions ---- */

static int ask_in_turn(struct domains *s, int64_t now, const struct sched_job *jobs, size_t njobs,
		       const uint32_t *order, uint32_t n, struct sched_decision *d)
{
	struct sched_decision answer;

	for (uint32_t i = 0; i < n; i++) {
		int rc = ask_one(s, order[i], now, jobs, njobs, &answer);

		if (rc != PACT_OK || answer.accepted) {
			*d = answer;
			return rc;
		}
		refused_too(d, &answer, i == 0);
	}
	return PACT_OK;
}

int domains_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
		struct sched_decision *d)
{
	struct domains *s = own;
	uint32_t order[DOMAINS_MOST], n;

	*d = decision_never(REFUSE_DISABLED);
	if (!domains_called(s, now) || !njobs)
		return PACT_EINVAL;
	n = route(s, jobs, njobs, order);
	if (!n)
		return PACT_EINVAL;
	if (!decision_wanted(&jobs[0])) {
		order[0] = pick(s, now, &jobs[0], order, n);
		n = 1;
	}
	return ask_in_turn(s, now, jobs, njobs, order, n, d);
}

int domains_ask_change(void *own, int64_t now, const struct sched_job *job,
		       struct sched_decision *d)
{
	struct domains *s = own;
	struct member *m = member_find(s, job->id);
	uint32_t order[DOMAINS_MOST], n;
	struct local_jobs l;
	struct domain *part;
	int rc = PACT_ENOMEM;

	*d = decision_never(REFUSE_DISABLED);
	if (!domains_called(s, now))
		return PACT_EINVAL;
	if (!m || !m->waiting)
		return domains_fail(s, PACT_ENOENT, "a change of a job that does not wait",
				    job->id);
	n = route(s, job, 1, order);
	if (!n)
		return PACT_EINVAL;
	for (uint32_t i = 0; i < n; i++) {
		if (!(m->in & UINT64_C(1) << order[i]))
			continue;
		part = &s->v[order[i]];
		domain_touch(s, part);
		if (local_jobs_make(&l, part, job, 1))
			rc = part->of->engine->ask_change(part->own, now, l.v, d);
		if (rc != PACT_OK)
			domains_fail(s, rc, part->of->engine->error(part->own), job->id);
		local_jobs_release(&l);
		return rc;
	}
	return ask_in_turn(s, now, job, 1, order, n, d);
}
