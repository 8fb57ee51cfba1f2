/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change: other terms for a waiting job, or the question what would become of them; see event.h. */
#include "core/kernel/decision.h"
#include "core/planning/event.h"

/* The new terms stand: j replaces old, which is out of all lists. */
static int replace_job(struct planner *s, struct job *old, struct job *j)
{
	int64_t artificial = old->artificial;

	j->unconfirmed |= old->unconfirmed;
	job_destroy(s, old);
	if (waiting_adopt(s, j) < 0) {
		plan_take(s->plan, &j->place);
		job_destroy(s, j);
		return PACT_ENOMEM;
	}
	/* patience does not start anew because of a change */
	if (artificial && artificial != PACT_FOREVER)
		j->artificial = artificial;
	s->loosened = true;
	s->news.order++;
	return PACT_OK;
}

/* A change at work: the old terms are out of all lists while the new ones are tried. */
struct change {
	struct job *old, *j;
	struct placement place; /* of the old terms */
};

/* Begin one; checked. enum pact_err: no effect. *wait: it cannot be decided now (jobs_must_wait). */
static int change_open(struct planner *s, const struct sched_job *d, struct change *c, bool *wait)
{
	struct job *old = d ? table_find(s->jobs, d->id) : NULL;
	int code;

	*wait = false;
	if (!old)
		return planner_fail(s, PACT_ENOENT, "a change of a job that does not wait",
				    d ? d->id : 0);
	if (old->starting)
		return planner_fail(s, PACT_EPROTO, "a change while the job is being started",
				    d->id);
	code = jobs_check(s, d, 1);
	if (code != PACT_OK)
		return code;
	*wait = decision_wanted(d) && jobs_must_wait(s, d, 1);
	if (*wait)
		return PACT_OK;
	struct job **v = jobs_build(s, d, 1, &code);

	if (!v)
		return code;
	*c = (struct change){ .old = old, .j = v[0] };
	freelist_give(&s->freed_lists, v);
	if (planner_scratch(s, s->queue.n + 1) < 0 ||
	    repair_for_decision(s, decision_wanted(d)) < 0) {
		job_destroy(s, c->j);
		return PACT_ENOMEM;
	}
	placement_init(&c->place);
	placement_move(&c->place, &old->place);
	plan_take(s->plan, &c->place);
	waiting_forget(s, old, NULL);
	return PACT_OK;
}

/* The old terms stand. */
static int change_undo(struct planner *s, struct change *c)
{
	if (s->policy->keeps)
		placement_move(&c->old->place, &c->place);
	placement_clear(&c->place);
	plan_put(s->plan, &c->old->place);
	job_destroy(s, c->j);
	return waiting_adopt(s, c->old) < 0 ? PACT_ENOMEM : PACT_OK;
}

int change_ask(struct planner *s, const struct sched_job *d, struct sched_decision *out)
{
	struct change c;
	bool wait;
	int code, undone;

	*out = decision_never(REFUSE_BUDGET);
	if (!decision_wanted(d))
		return planner_fail(s, PACT_EINVAL, "a question without a deadline", d->id);
	code = change_open(s, d, &c, &wait);
	if (code != PACT_OK || wait)
		return code;
	code = submission_decide(s, &c.j, 1, true, out) < 0 ? PACT_ENOMEM : PACT_OK;
	undone = change_undo(s, &c);
	return code == PACT_OK ? undone : code;
}

/* It simply holds from now on. */
static int change_stands(struct planner *s, const struct sched_job *d, struct change *c)
{
	int64_t planned = c->place.start == PACT_FOREVER ? -1 : c->place.start;
	int code;

	if (d->planned >= 0)
		planned = d->planned;
	placement_clear(&c->place);
	code = replace_job(s, c->old, c->j);
	if (code != PACT_OK)
		return code;
	if (s->policy->promises && (d->flags & JOB_PROMISED) && d->deadline) {
		waiting_restore(s, c->j, planned);
		return PACT_OK;
	}
	if (s->policy->arrive && s->policy->arrive(s, c->j) < 0)
		s->stale = true;
	return PACT_OK;
}

int change_take(struct planner *s, const struct sched_event *ev)
{
	const struct sched_job *d = ev->njobs == 1 ? ev->jobs : NULL;
	struct sched_decision answer_d;
	struct change c;
	bool wait;
	int code = change_open(s, d, &c, &wait);

	if (code != PACT_OK)
		return code;
	if (wait) {
		answer_d = decision_never(REFUSE_BUDGET);
		return submission_answer(s, d->id, &answer_d) < 0 ? PACT_ENOMEM : PACT_OK;
	}
	if (!decision_wanted(d))
		return change_stands(s, d, &c);
	if (submission_decide(s, &c.j, 1, false, &answer_d) < 0 ||
	    submission_answer(s, d->id, &answer_d) < 0) {
		plan_take(s->plan, &c.j->place);
		change_undo(s, &c);
		return PACT_ENOMEM;
	}
	if (!answer_d.accepted)
		return change_undo(s, &c);
	placement_clear(&c.place);
	return replace_job(s, c.old, c.j);
}
