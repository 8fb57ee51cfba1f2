/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit: submissions and changes, and the questions about them. To the engine inside a range is its fewest nodes. */
#include <stdlib.h>

#include "core/kernel/decision.h"
#include "core/loans/state.h"

/* What it says of its range can be understood. */
static bool is_sound(const struct loans *s, const struct sched_job *job)
{
	bool good = speedup_valid(&job->speedup) && job->value >= 0 && job->value <= PAYOFF_MOST &&
		    job->grace >= 0 && job->grace < PACT_END_OF_TIME && job->submit >= 0 &&
		    job->submit < PACT_END_OF_TIME && job->deadline >= 0 &&
		    job->deadline < PACT_END_OF_TIME && job->limit >= 1 && job->width >= 1 &&
		    job->nalt <= SCHED_MAX_ALT;

	for (uint32_t i = 0; good && i < job->nalt; i++)
		good = !job->alt[i] || nodeset_size(job->alt[i]) == s->nodes;
	return good;
}

static int check_job(struct loans *s, const struct sched_job *job)
{
	if (is_sound(s, job))
		return PACT_OK;
	return call_fail(&s->call, PACT_EINVAL, "malformed range, speed-up, value or notice",
			 job->id);
}

/* ---- submissions ---- */

/* Those of the first n that were added. */
static void forget(struct loans *s, const struct sched_event *ev, size_t n)
{
	while (n-- > 0) {
		if (has_range(s, &ev->jobs[n]))
			borrower_remove(s, borrower_find(s, ev->jobs[n].id));
	}
}

/* It is a borrower, and waits. */
static int add(struct loans *s, const struct sched_job *job)
{
	int rc = check_job(s, job);
	struct borrower *b;

	if (rc != PACT_OK)
		return rc;
	if (borrower_find(s, job->id))
		return call_fail(&s->call, PACT_EEXIST, "id already known", job->id);
	b = borrower_make(s, job);
	if (b && table_insert(s->members, job->id, b) == 0)
		return PACT_OK;
	borrower_destroy(b);
	return call_fail(&s->call, PACT_ENOMEM, "out of memory", job->id);
}

/* Does the engine inside refuse it? Then that is the last of the decided actions; all else that it says joins these, too. */
static bool take_refusal(struct loans *s, uint64_t id)
{
	return decided_join(&s->decided, s->kind->engine, s->own, id);
}

/* What was refused on any number of nodes: what could be had on the best one. */
static void offer_more(struct loans *s, const struct sched_job *job, bool change,
		       struct sched_decision *d)
{
	if (!(job->flags & JOB_PROBE))
		floor_offer(s, job, change, d);
}

/* If the last thing that was said is that it is accepted, then on so many. */
static void note_own(struct loans *s, uint64_t id, int32_t floor)
{
	struct sched_action *last = decided_last(&s->decided);

	if (last && last->type == ACT_ACCEPT && last->id == id)
		last->decision.own = floor;
}

/*
 * The only job of the event, which is in the table or to be there as b, on as many nodes of its own as its promise takes.
 * *refused: it is not given.
 */
static int decide(struct loans *s, const struct sched_event *ev, struct borrower *b, bool *refused)
{
	bool change = ev->type == EV_CHANGE;
	struct sched_event told = *ev;
	struct sched_job terms;
	struct sched_decision d;
	int32_t floor = floor_restore(s, ev->jobs, change);
	int rc;

	for (;;) {
		b->floor = floor;
		terms = floor_terms(ev->jobs, floor);
		told.jobs = &terms;
		rc = inner_event(s, &told);
		*refused =
			rc == PACT_OK && decision_wanted(ev->jobs) && take_refusal(s, ev->jobs->id);
		if (!*refused)
			note_own(s, ev->jobs->id, floor);
		if (!*refused || floor != ev->jobs->width)
			return rc;
		d = decided_last(&s->decided)->decision;
		floor = floor_find(s, ev->jobs, change, &d);
		if (!floor) {
			offer_more(s, ev->jobs, change, &decided_last(&s->decided)->decision);
			return rc;
		}
		decided_undo(&s->decided);
	}
}

int loans_submit(struct loans *s, const struct sched_event *ev)
{
	bool any = false, refused = false;
	int rc = PACT_OK;
	size_t n = 0;

	for (; rc == PACT_OK && n < ev->njobs; n++) {
		if (!has_range(s, &ev->jobs[n]))
			continue;
		rc = add(s, &ev->jobs[n]);
		any |= rc == PACT_OK;
	}
	if (rc != PACT_OK) {
		forget(s, ev, n - 1);
		return rc;
	}
	if (any && ev->njobs == 1) {
		rc = decide(s, ev, borrower_find(s, ev->jobs->id), &refused);
	} else {
		rc = inner_event(s, ev);
		refused = any && rc == PACT_OK && decision_wanted(ev->jobs) &&
			  take_refusal(s, ev->jobs->id);
	}
	if (any && (rc != PACT_OK || refused))
		forget(s, ev, ev->njobs);
	return rc;
}

/* ---- changes ---- */

int loans_change(struct loans *s, const struct sched_event *ev)
{
	const struct sched_job *job = ev->njobs == 1 ? ev->jobs : NULL;
	struct borrower *old = job ? borrower_find(s, job->id) : NULL, *b = NULL;
	bool refused = false;
	int rc = PACT_OK;

	if (!job || (!old && !has_range(s, job)))
		return inner_event(s, ev);
	if (old && old->start >= 0)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 job->id);
	if (old) /* a start that failed for lack of memory may have left something */
		rc = tell_gone(s, old);
	if (rc == PACT_OK && has_range(s, job)) {
		rc = check_job(s, job);
		b = rc == PACT_OK ? borrower_make(s, job) : NULL;
		if (rc == PACT_OK && (!b || (!old && table_insert(s->members, job->id, b) < 0)))
			rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", job->id);
	}
	if (rc != PACT_OK) {
		borrower_destroy(b);
		return rc;
	}
	if (b) {
		rc = decide(s, ev, b, &refused);
	} else {
		rc = inner_event(s, ev);
		refused = rc == PACT_OK && decision_wanted(job) && take_refusal(s, job->id);
	}
	if (rc != PACT_OK || refused) {
		if (!old)
			table_remove(s->members, job->id);
		borrower_destroy(b);
		return rc;
	}
	if (old)
		borrower_remove(s, old);
	if (old && b)
		table_insert(s->members, job->id, b); /* there is room */
	return rc;
}

/* ---- questions ---- */

/* May it be promised on more nodes than its width, where that was refused? */
static bool may_widen(const struct loans *s, const struct sched_job *job,
		      const struct sched_decision *d)
{
	return !d->accepted && job->deadline && has_range(s, job) && is_sound(s, job);
}

/* More nodes than its width are tried, and what is on offer on these. */
static void widen(struct loans *s, const struct sched_job *job, bool change,
		  struct sched_decision *d)
{
	if (d->accepted && job->deadline && has_range(s, job))
		d->own = job->width;
	if (may_widen(s, job, d) && !floor_find(s, job, change, d))
		offer_more(s, job, change, d);
}

/* The engine inside may move places and wake-ups. */
static int before_question(struct loans *s, int64_t now)
{
	bool later = now > s->now;

	if (!loans_called(s, now))
		return PACT_EINVAL;
	s->touched = s->stale = true;
	s->planned = false;
	s->inner_wake = PACT_FOREVER;
	return later ? lend_time(s) : PACT_OK;
}

int loans_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
	      struct sched_decision *d)
{
	struct loans *s = own;
	int rc = before_question(s, now);

	if (rc != PACT_OK)
		*d = decision_refused(REFUSE_DISABLED);
	else
		rc = s->kind->engine->ask(s->own, now, jobs, njobs, d);
	if (rc == PACT_OK && njobs == 1)
		widen(s, jobs, false, d);
	return rc == PACT_OK || s->call.error[0] ? rc : inner_failed(s, rc);
}

int loans_ask_change(void *own, int64_t now, const struct sched_job *job, struct sched_decision *d)
{
	struct loans *s = own;
	int rc = before_question(s, now);

	if (rc != PACT_OK)
		*d = decision_refused(REFUSE_DISABLED);
	else
		rc = s->kind->engine->ask_change(s->own, now, job, d);
	if (rc == PACT_OK)
		widen(s, job, true, d);
	return rc == PACT_OK || s->call.error[0] ? rc : inner_failed(s, rc);
}
