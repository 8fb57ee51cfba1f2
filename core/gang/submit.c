/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit: submissions and changes, questions about them, and what else happens to jobs that wait. */
#include <string.h>

#include "core/gang/state.h"
#include "core/kernel/decision.h"

static bool is_set(const struct gang *s, const struct nodeset *set)
{
	return !set || nodeset_size(set) == s->nodes;
}

bool gang_job_is_sane(const struct gang *s, const struct sched_job *d)
{
	bool sane = d->width >= 1 && d->limit >= 1 && gang_is_time(d->submit) &&
		    gang_is_time(d->eligible) && gang_is_time(d->begin) &&
		    gang_is_time(d->deadline) && d->memory >= 0 &&
		    d->memory < PACT_END_OF_TIME / MATRIX_ROWS && d->nalt <= SCHED_MAX_ALT &&
		    is_set(s, d->required) && d->migration >= 0 && d->migration <= MIGRATION_MOST;

	for (uint32_t i = 0; sane && i < d->nalt; i++)
		sane = is_set(s, d->alt[i]);
	return sane;
}

static void push_refusal(struct gang *s, uint64_t id)
{
	struct sched_action a = { .type = ACT_REFUSE,
				  .id = id,
				  .end = PACT_FOREVER,
				  .decision = decision_refused(REFUSE_DISABLED) };

	decided_add(&s->decided, &a);
}

/* It waits. A promise that was made elsewhere is none here, which is said. */
static void enter(struct gang *s, struct job *j)
{
	gang_enqueue(s, j);
	j->promised = j->deadline && j->flags & JOB_PROMISED && !(j->flags & JOB_EXPECTED);
	j->broken = j->promised;
	if (j->broken)
		decided_add(&s->decided, &(struct sched_action){ .type = ACT_BROKEN,
								 .id = j->in.id,
								 .end = PACT_FOREVER });
}

static int add_one(struct gang *s, const struct sched_job *d)
{
	struct job *j;
	int rc = held_is_new(&s->call, s->jobs, s->holds, d->id);

	if (rc != PACT_OK)
		return rc;
	j = gang_job_make(s, d);
	if (!j || table_insert(s->jobs, d->id, j) < 0) {
		gang_job_destroy(j);
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", d->id);
	}
	return PACT_OK;
}

int gang_submit(struct gang *s, const struct sched_event *ev)
{
	bool refused = false;
	size_t n = 0;
	int rc = ev->njobs ? PACT_OK : call_fail(&s->call, PACT_EINVAL, "no job", 0);

	for (size_t i = 0; rc == PACT_OK && i < ev->njobs; i++) {
		refused |= decision_wanted(&ev->jobs[i]);
		if (!gang_job_is_sane(s, &ev->jobs[i]))
			rc = call_fail(&s->call, PACT_EINVAL, "malformed job", ev->jobs[i].id);
	}
	if (rc == PACT_OK &&
	    (decided_reserve(&s->decided, ev->njobs) < 0 || gang_room(s, ev->njobs) < 0))
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->jobs[0].id);
	for (; rc == PACT_OK && n < ev->njobs; n++)
		rc = add_one(s, &ev->jobs[n]);
	for (size_t i = 0; rc == PACT_OK && !refused && i < n; i++)
		enter(s, table_find(s->jobs, ev->jobs[i].id));
	if (rc == PACT_OK && refused)
		push_refusal(s, ev->jobs[0].id);
	if (rc == PACT_OK && !refused) {
		s->cut = true;
		gang_news(s);
	}
	/* those that came before the one that failed */
	for (size_t i = 0; (rc != PACT_OK || refused) && i + (rc != PACT_OK) < n; i++)
		gang_job_destroy(table_remove(s->jobs, ev->jobs[i].id));
	return rc;
}

/* ---- jobs that wait ---- */

static struct job *find_waiting(struct gang *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start < 0 ? j : NULL;
}

int gang_withdraw(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	job_remove(s, j);
	gang_news(s);
	return PACT_OK;
}

int gang_confirm(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);
	int rc;

	if (!j || !j->unconfirmed)
		return call_fail(&s->call, PACT_ENOENT, "no such job to confirm", ev->id);
	rc = held_rename(&s->call, s->jobs, s->holds, ev, j);
	if (rc != PACT_OK)
		return rc;
	held_renamed(s->jobs, ev, true);
	gang_dequeue(s, j);
	j->in.id = ev->new_id;
	j->unconfirmed = false;
	gang_enqueue(s, j); /* ids are part of the order */
	gang_news(s);
	return PACT_OK;
}

int gang_priority(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	if (!j->in.placed)
		gang_dequeue(s, j);
	j->priority = ev->priority;
	if (!j->in.placed)
		gang_enqueue(s, j); /* into the room that it had */
	gang_news(s);
	return PACT_OK;
}

/* The new terms take the place of the old ones; a place in the matrix was for those. */
int gang_change(struct gang *s, const struct sched_event *ev)
{
	struct job *old = ev->njobs == 1 ? find_waiting(s, ev->jobs->id) : NULL, *new;

	if (!old)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait", 0);
	if (s->asked == old)
		return call_fail(&s->call, PACT_EPROTO, "a change while it is being started",
				 old->in.id);
	if (!gang_job_is_sane(s, ev->jobs))
		return call_fail(&s->call, PACT_EINVAL, "malformed job", old->in.id);
	if (decided_reserve(&s->decided, 1) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", old->in.id);
	if (decision_wanted(ev->jobs)) {
		push_refusal(s, old->in.id);
		return PACT_OK;
	}
	new = gang_job_make(s, ev->jobs);
	if (!new)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", old->in.id);
	new->unconfirmed |= old->unconfirmed;
	job_remove(s, old);
	table_insert(s->jobs, new->in.id, new); /* into the room of the old one */
	enter(s, new);
	gang_news(s);
	return PACT_OK;
}

/* ---- questions ---- */

/* One without a deadline always may wait for its turns: when do they begin? */
static int ask_begin(struct gang *s, int64_t now, const struct sched_job *job,
		     struct sched_decision *d)
{
	struct job *j = gang_job_make(s, job);

	if (!j)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", job->id);
	d->accepted = d->expected = true;
	d->reason = REFUSE_NONE;
	d->start = schedule_begin(s, j, now);
	d->start = d->start > now ? d->start : now;
	d->end = d->start == PACT_FOREVER ? d->start : time_after(d->start, job_time(s, j));
	gang_job_destroy(j);
	return PACT_OK;
}

static int ask(struct gang *s, int64_t now, const struct sched_job *jobs, size_t n,
	       struct sched_decision *d)
{
	call_begin(&s->call);
	*d = decision_refused(REFUSE_DISABLED);
	if (!gang_is_time(now))
		return call_fail(&s->call, PACT_EINVAL, "time is none", 0);
	if (!n)
		return call_fail(&s->call, PACT_EINVAL, "no job", 0);
	for (size_t i = 0; i < n; i++) {
		if (!gang_job_is_sane(s, &jobs[i]))
			return call_fail(&s->call, PACT_EINVAL, "malformed job", jobs[i].id);
	}
	return PACT_OK;
}

int gang_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
	     struct sched_decision *d)
{
	int rc = ask(own, now, jobs, n, d);

	return rc == PACT_OK && !jobs->deadline ? ask_begin(own, now, jobs, d) : rc;
}

int gang_ask_change(void *own, int64_t now, const struct sched_job *job, struct sched_decision *d)
{
	struct gang *s = own;
	int rc = ask(s, now, job, 1, d);

	if (rc == PACT_OK && !find_waiting(s, job->id))
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 job->id);
	return rc;
}
