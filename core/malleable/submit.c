/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit: submissions and changes, questions about them, and what else happens to jobs that wait. */
#include <stdlib.h>

#include "core/kernel/decision.h"
#include "core/malleable/accept.h"
#include "core/malleable/allot.h"

/* Is it decided now, or does it wait? */
static bool wants_decision(const struct job *j)
{
	return j->deadline && !(j->flags & JOB_PROMISED);
}

/* What stands against it whatever runs. */
static enum refuse_reason find_obstacle(const struct malleable *s, const struct job *j)
{
	if (!s->config.admission || !s->kind->judge || j->begin > s->now)
		return REFUSE_DISABLED;
	if (j->limit == PACT_FOREVER)
		return REFUSE_NO_LIMIT;
	if (j->least > j->most || j->least > (int32_t)s->nodes)
		return REFUSE_NEVER_FITS;
	return REFUSE_NONE;
}

/* Of a job that is in no list. Several at a time are promised nothing. */
static void judge(struct malleable *s, struct job *j, size_t n, struct sched_decision *d)
{
	enum refuse_reason reason = n == 1 ? find_obstacle(s, j) : REFUSE_DISABLED;

	*d = decision_never(reason);
	if (reason != REFUSE_NONE)
		return;
	s->kind->judge(s, j, d);
}

/* ---- jobs made ---- */

static void destroy_jobs(struct job **jobs, size_t n)
{
	for (size_t i = 0; jobs && i < n; i++)
		malleable_job_destroy(jobs[i]);
	free(jobs);
}

/* Copies of all of them; NULL: *rc says why. */
static struct job **make_jobs(struct malleable *s, const struct sched_job *from, size_t n, int *rc)
{
	struct job **jobs = n ? calloc(n, sizeof(*jobs)) : NULL;

	*rc = n ? PACT_OK : call_fail(&s->call, PACT_EINVAL, "no job", 0);
	for (size_t i = 0; *rc == PACT_OK && i < n; i++) {
		if (!malleable_job_is_sane(s, &from[i]))
			*rc = call_fail(&s->call, PACT_EINVAL, "malformed job", from[i].id);
		else if (!jobs || !(jobs[i] = malleable_job_make(s, &from[i])))
			*rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", from[i].id);
	}
	if (*rc == PACT_OK)
		return jobs;
	destroy_jobs(jobs, n);
	return NULL;
}

static void answer(struct malleable *s, uint64_t id, const struct sched_decision *d)
{
	struct sched_action a = decided_answer(id, d);

	decided_add(&s->decided, &a);
}

/* Of a promise of an earlier time: the lookahead that it was accepted under, or now. */
static int64_t latest_of(const struct malleable *s, const struct job *j)
{
	int64_t latest = s->now;

	if (j->ready > s->now && j->ready < j->deadline)
		latest = j->ready - s->config.resize_grace;
	return latest > s->now ? latest : s->now;
}

/* A promise of an earlier time; where none can be made, it is told as broken. */
static void restore(struct malleable *s, struct job *j)
{
	j->promised = true;
	if (s->kind->judge) {
		if (!accept_called(s, j))
			accepted_add(s, j, latest_of(s, j));
		return;
	}
	j->broken = true;
	decided_add(&s->decided,
		    &(struct sched_action){ .type = ACT_BROKEN, .id = j->id, .end = PACT_FOREVER });
	job_wait(s, j);
}

/* Without a decision it waits for its turn, which may have come. */
static void settle(struct malleable *s, struct job *j)
{
	s->begins_by = j->begin > s->begins_by ? j->begin : s->begins_by;
	if (j->deadline && j->flags & JOB_PROMISED)
		restore(s, j);
	else
		job_wait(s, j);
	/* a driver that has just come up tells all of them first: none gets what another one was promised */
	if (s->kind->judge)
		s->dirty = true;
	else
		malleable_decide(s, j, false);
}

/* ---- submissions ---- */

/* What waits has its turn before the new one. */
static void decide(struct malleable *s, struct job *j, size_t n, struct sched_decision *d)
{
	if (s->kind->look) {
		s->dirty = s->todo_fresh = false;
		s->kind->look(s);
		s->kind->retry(s);
	}
	judge(s, j, n, d);
	answer(s, j->id, d);
	if (d->accepted) {
		j->promised = true;
		s->kind->admit(s, j, d);
	}
	if (s->kind->give_out)
		s->kind->give_out(s);
	s->news = true;
}

int malleable_submit(struct malleable *s, const struct sched_event *ev)
{
	struct sched_decision d = { .accepted = true };
	bool decides = false;
	int rc;
	size_t n = ev->njobs;
	struct job **jobs = make_jobs(s, ev->jobs, n, &rc);

	if (!jobs)
		return rc;
	if (malleable_reserve(s, n) < 0)
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", jobs[0]->id);
	if (rc == PACT_OK)
		rc = held_let_in(&s->call, s->jobs, s->holds, ev->jobs, (void **)jobs, n);
	if (rc != PACT_OK) {
		destroy_jobs(jobs, n);
		return rc;
	}
	for (size_t i = 0; i < n; i++)
		decides |= wants_decision(jobs[i]);
	if (decides)
		decide(s, jobs[0], n, &d);
	for (size_t i = 0; i < n; i++) {
		if (!d.accepted)
			table_remove(s->jobs, jobs[i]->id);
		else if (!decides)
			settle(s, jobs[i]);
	}
	if (d.accepted)
		free(jobs);
	else
		destroy_jobs(jobs, n);
	return PACT_OK;
}

/* ---- jobs that wait ---- */

static struct job *find_waiting(struct malleable *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start < 0 ? j : NULL;
}

int malleable_withdraw(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	s->dirty |= j->listed || j->owed;
	malleable_leave(s, j);
	table_remove(s->jobs, j->id);
	malleable_job_destroy(j);
	return PACT_OK;
}

int malleable_confirm(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);
	bool waits = j && j->waits, owed = j && j->owed;
	int rc;

	if (!j || !j->unconfirmed)
		return call_fail(&s->call, PACT_ENOENT, "no such job to confirm", ev->id);
	rc = held_rename(&s->call, s->jobs, s->holds, ev, j);
	if (rc != PACT_OK)
		return rc;
	held_renamed(s->jobs, ev, true);
	/* ties are broken by its new id */
	job_wait_no_more(s, j);
	accepted_remove(s, j);
	if (s->has_ahead && s->ahead_id == j->id)
		s->ahead_id = ev->new_id;
	j->id = ev->new_id;
	j->unconfirmed = false;
	if (waits)
		job_wait(s, j);
	if (owed)
		accepted_add(s, j, j->latest);
	if (j->listed) {
		running_remove(s, j);
		running_add(s, j);
	}
	s->dirty |= !j->listed;
	return PACT_OK;
}

int malleable_priority(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);
	bool waits = j && j->waits;

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	job_wait_no_more(s, j);
	j->priority = ev->priority;
	if (waits)
		job_wait(s, j);
	return PACT_OK;
}

/* ---- changes ---- */

/* The new job as if the old one were not. */
static void judge_instead(struct malleable *s, struct job *new, struct sched_decision *d)
{
	if (s->kind->look)
		s->kind->look(s);
	judge(s, new, 1, d);
}

int malleable_change(struct malleable *s, const struct sched_event *ev)
{
	struct job *old = ev->njobs == 1 ? find_waiting(s, ev->jobs->id) : NULL, *new, **made;
	struct sched_decision d = { .accepted = true };
	struct stand at;
	int rc;

	if (!old)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait", 0);
	if (s->asked == old)
		return call_fail(&s->call, PACT_EPROTO, "a change while it is being started",
				 old->id);
	made = make_jobs(s, ev->jobs, 1, &rc);
	if (!made)
		return rc;
	new = made[0];
	free(made);
	if (s->dirty && s->kind->judge)
		malleable_decide(s, NULL, true);
	at = malleable_step_out(s, old);
	if (wants_decision(new)) {
		judge_instead(s, new, &d);
		answer(s, new->id, &d);
	}
	if (!d.accepted) {
		malleable_step_in(s, old, &at);
		malleable_job_destroy(new);
		return PACT_OK;
	}
	new->unconfirmed |= old->unconfirmed;
	table_remove(s->jobs, old->id);
	malleable_job_destroy(old);
	table_insert(s->jobs, new->id, new); /* into the room of the old one */
	s->dirty = true;
	if (!wants_decision(new)) {
		settle(s, new);
		return PACT_OK;
	}
	new->promised = true;
	s->kind->admit(s, new, &d);
	return PACT_OK;
}

/* ---- questions ---- */

int malleable_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
		  struct sched_decision *d)
{
	struct malleable *s = own;
	struct job **made;
	int rc;

	call_begin(&s->call);
	*d = decision_never(REFUSE_DISABLED);
	if (!malleable_is_time(now))
		return call_fail(&s->call, PACT_EINVAL, "time is none", 0);
	made = make_jobs(s, jobs, n, &rc);
	if (!made)
		return rc;
	if (malleable_reserve(s, 1) < 0)
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", jobs->id);
	s->now = now > s->now ? now : s->now;
	if (rc == PACT_OK && wants_decision(made[0])) {
		if (s->kind->look)
			s->kind->look(s);
		judge(s, made[0], n, d);
	}
	destroy_jobs(made, n);
	return rc;
}

int malleable_ask_change(void *own, int64_t now, const struct sched_job *job,
			 struct sched_decision *d)
{
	struct malleable *s = own;
	struct job *old = find_waiting(s, job->id), **made;
	struct stand at;
	int rc;

	call_begin(&s->call);
	*d = decision_never(REFUSE_DISABLED);
	if (!malleable_is_time(now))
		return call_fail(&s->call, PACT_EINVAL, "time is none", 0);
	if (!old)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 job->id);
	made = make_jobs(s, job, 1, &rc);
	if (!made)
		return rc;
	if (malleable_reserve(s, 1) < 0)
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", job->id);
	if (rc == PACT_OK && wants_decision(made[0]) && s->asked != old) {
		s->now = now > s->now ? now : s->now;
		at = malleable_step_out(s, old);
		judge_instead(s, made[0], d);
		malleable_step_in(s, old, &at);
	}
	destroy_jobs(made, 1);
	return rc;
}
