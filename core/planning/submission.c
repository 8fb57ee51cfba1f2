/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submission: jobs as a driver describes them are checked, decided about if they have a deadline, and wait from
 * then on; see event.h.
 */
#include "core/kernel/decision.h"
#include "core/planning/event.h"

#include <stdlib.h>

#include "core/promise/admission.h"

int submission_decide(struct planner *s, struct job **jobs, size_t n, bool dry,
		      struct sched_decision *d)
{
	*d = decision_never(REFUSE_DISABLED);
	if (!s->policy->promises || !s->config.admission)
		return 0;
	d->reason = REFUSE_NONE;
	return admission_admit(s, jobs, n, dry ? ADMIT_ASK : ADMIT_TAKE, d);
}

/* 0 or -1: no memory. */
int submission_answer(struct planner *s, uint64_t id, const struct sched_decision *d)
{
	struct sched_action a = decided_answer(id, d);

	return decided_push(&s->decided, &a);
}

/* ---- the jobs of one ---- */

void jobs_destroy(struct planner *s, struct job **v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		job_destroy(s, v[i]);
	if (n == 1)
		freelist_give(&s->freed_lists, v);
	else
		free(v);
}

/* An id twice in one submission. */
static int check_distinct(struct planner *s, const struct sched_job *d, size_t n)
{
	struct table *seen = n > 1 ? table_create() : NULL;
	int code = n > 1 && !seen ? PACT_ENOMEM : PACT_OK;

	for (size_t i = 0; seen && code == PACT_OK && i < n; i++) {
		if (table_find(seen, d[i].id))
			code = planner_fail(s, PACT_EEXIST, "an id twice in one submission",
					    d[i].id);
		else if (table_insert(seen, d[i].id, s) < 0)
			code = PACT_ENOMEM;
	}
	table_destroy(seen);
	return code;
}

int jobs_check(struct planner *s, const struct sched_job *d, size_t n)
{
	int code = check_distinct(s, d, n);

	for (size_t i = 0; code == PACT_OK && i < n; i++) {
		if (!job_valid(s, &d[i]))
			code = PACT_EINVAL;
		else if (decision_wanted(&d[i]) != decision_wanted(&d[0]))
			code = planner_fail(s, PACT_EINVAL, "a group with and without deadlines",
					    d[i].id);
	}
	return code;
}

bool jobs_must_wait(const struct planner *s, const struct sched_job *d, size_t n)
{
	bool known = true;

	if (!s->starting || s->starting->opaque)
		return false;
	for (size_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < d[i].nalt; k++)
			known &= machine_knows(s->machine, d[i].alt[k]);
		known &= machine_knows(s->machine, d[i].required);
	}
	return !known;
}

struct job **jobs_build(struct planner *s, const struct sched_job *d, size_t n, int *code)
{
	struct job **v =
		n == 1 ? freelist_take(&s->freed_lists, sizeof(*v)) : malloc(n * sizeof(*v));
	size_t built = 0;

	*code = v ? PACT_OK : PACT_ENOMEM;
	for (; v && built < n; built++) {
		v[built] = job_create(s, &d[built]);
		if (!v[built])
			break;
	}
	if (v && built == n)
		return v;
	*code = PACT_ENOMEM;
	while (built > 0)
		job_destroy(s, v[--built]);
	free(v);
	return NULL;
}

/* ---- it is taken in ---- */

static int stand_one(struct planner *s, struct job *j, const struct sched_job *d)
{
	s->news.order++;
	if (s->policy->promises && (d->flags & JOB_PROMISED) && d->deadline) {
		waiting_restore(s, j, d->planned);
		return 0;
	}
	return s->policy->arrive ? s->policy->arrive(s, j) : 0;
}

/* The first n of a submission were in the queue; as if they had not been. */
static void turn_out(struct planner *s, const struct sched_event *ev, struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		waiting_forget(s, v[i], NULL);
	/* the others have a place, if they were accepted, and are nowhere else */
	for (size_t i = n; i < ev->njobs; i++)
		plan_take(s->plan, &v[i]->place);
}

/* They wait from now on: all, or none. 0 or -1. */
static int take_in(struct planner *s, const struct sched_event *ev, struct job **v)
{
	for (size_t i = 0; i < ev->njobs; i++) {
		if (waiting_adopt(s, v[i]) < 0) {
			turn_out(s, ev, v, i);
			return -1;
		}
		/* a job that found no place for lack of memory gets one at the next pass */
		if (!decision_wanted(&ev->jobs[i]) && stand_one(s, v[i], &ev->jobs[i]) < 0)
			s->stale = true;
	}
	return 0;
}

int submission_take(struct planner *s, const struct sched_event *ev)
{
	struct sched_decision d;
	int code;

	if (!ev->njobs)
		return planner_fail(s, PACT_EINVAL, "a submission without jobs", 0);
	for (size_t i = 0; i < ev->njobs; i++) {
		if (table_find(s->jobs, ev->jobs[i].id) || holds_find(s->holds, ev->jobs[i].id))
			return planner_fail(s, PACT_EEXIST, "id already known", ev->jobs[i].id);
	}
	code = jobs_check(s, ev->jobs, ev->njobs);
	if (code != PACT_OK)
		return code;
	if (decision_wanted(&ev->jobs[0]) && jobs_must_wait(s, ev->jobs, ev->njobs)) {
		d = decision_never(REFUSE_BUDGET);
		return submission_answer(s, ev->jobs[0].id, &d) < 0 ? PACT_ENOMEM : PACT_OK;
	}
	struct job **v = jobs_build(s, ev->jobs, ev->njobs, &code);

	if (!v)
		return code;
	code = PACT_ENOMEM;
	if (planner_scratch(s, s->queue.n + ev->njobs) < 0 ||
	    repair_for_decision(s, decision_wanted(&ev->jobs[0])) < 0)
		goto out;
	d.accepted = true;
	if (decision_wanted(&ev->jobs[0]) && submission_decide(s, v, ev->njobs, false, &d) < 0)
		goto out;
	if (d.accepted && take_in(s, ev, v) < 0)
		goto out;
	if (decision_wanted(&ev->jobs[0]) && submission_answer(s, ev->jobs[0].id, &d) < 0) {
		if (d.accepted)
			turn_out(s, ev, v, ev->njobs);
		goto out;
	}
	for (size_t i = 0; d.accepted && i < ev->njobs; i++) {
		v[i]->came = true;
		v[i] = NULL;
	}
	code = PACT_OK;
out:
	jobs_destroy(s, v, ev->njobs);
	return code;
}
