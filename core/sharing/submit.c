/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit: submissions and changes, questions about them, and what else happens to jobs that wait. */
#include <stdlib.h>
#include <string.h>

#include "core/kernel/decision.h"
#include "core/sharing/state.h"

/* ---- what was submitted ---- */

static bool is_time(int64_t t)
{
	return t >= 0 && t <= PACT_END_OF_TIME / SHARE_SECOND / 4;
}

static bool is_set(const struct sharing *s, const struct nodeset *set)
{
	return !set || nodeset_size(set) == s->nodes;
}

bool sharer_is_sane(const struct sharing *s, const struct sched_job *d)
{
	bool sane = d->width >= 1 && d->limit >= 1 && is_time(d->submit) && is_time(d->eligible) &&
		    is_time(d->begin) && is_time(d->deadline) && d->processors >= 0 &&
		    d->processors <= UINT16_MAX && d->memory >= 0 && d->memory < PACT_END_OF_TIME &&
		    d->nalt <= SCHED_MAX_ALT && is_set(s, d->required) &&
		    (d->limit == PACT_FOREVER || is_time(d->limit));

	for (uint32_t i = 0; sane && i < d->nalt; i++)
		sane = is_set(s, d->alt[i]);
	return sane;
}

static void destroy_jobs(struct sharing *s, struct job **jobs, size_t n)
{
	for (size_t i = 0; jobs && i < n; i++)
		sharer_destroy(s, jobs[i]);
	free(jobs);
}

/* Copies of all of them; NULL: *rc says why. */
static struct job **make_jobs(struct sharing *s, const struct sched_job *from, size_t n, int *rc)
{
	struct job **jobs = n ? calloc(n, sizeof(*jobs)) : NULL;

	*rc = n ? PACT_OK : call_fail(&s->call, PACT_EINVAL, "no job", 0);
	for (size_t i = 0; *rc == PACT_OK && i < n; i++) {
		if (!sharer_is_sane(s, &from[i]))
			*rc = call_fail(&s->call, PACT_EINVAL, "malformed job", from[i].id);
		else if (!jobs || !(jobs[i] = sharer_make(&from[i])))
			*rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", from[i].id);
	}
	if (*rc == PACT_OK)
		return jobs;
	destroy_jobs(s, jobs, n);
	return NULL;
}

/* Is it decided now, or does it wait? */
static bool wants_decision(const struct sharing *s, const struct job *j)
{
	return !s->kind->whole && j->deadline && !(j->terms->flags & JOB_PROMISED);
}

static bool any_wants(const struct sharing *s, struct job **jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (wants_decision(s, jobs[i]))
			return true;
	}
	return false;
}

/* Those that have places are started next, the others wait; there is room. */
static void settle(struct sharing *s, struct job **jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct job *j = jobs[i];

		if (!j->n) {
			sharer_restored(s, j);
			waiting_add(s, j);
			continue;
		}
		sharing_share_all(s, j);
		if (!j->unconfirmed)
			s->due[s->due_n++] = j;
	}
}

/* Room for all that settle() may do. 0 or -1. */
static int reserve(struct sharing *s, size_t n)
{
	return decided_reserve(&s->decided, 1) < 0 || sharing_due_reserve(s, n) < 0 ||
			       waiting_reserve(s, n) < 0
		       ? -1
		       : 0;
}

static void answer(struct sharing *s, uint64_t id, const struct sched_decision *d)
{
	struct sched_action a = decided_answer(id, d);

	decided_add(&s->decided, &a);
}

static int take(struct sharing *s, const struct sched_event *ev, struct job **jobs, bool *kept)
{
	struct sched_decision d = { .accepted = true };
	size_t n = ev->njobs;
	bool decides = any_wants(s, jobs, n);
	int rc = reserve(s, n) < 0
			 ? call_fail(&s->call, PACT_ENOMEM, "out of memory", jobs[0]->id)
			 : held_let_in(&s->call, s->jobs, s->holds, ev->jobs, (void **)jobs, n);

	*kept = false;
	if (rc != PACT_OK)
		return rc;
	if (decides)
		rc = sharing_decide(s, jobs, n, &d);
	*kept = rc == PACT_OK && d.accepted;
	if (rc == PACT_OK && decides)
		answer(s, jobs[0]->id, &d);
	if (*kept)
		settle(s, jobs, n);
	for (size_t i = 0; !*kept && i < n; i++)
		table_remove(s->jobs, jobs[i]->id);
	return rc == PACT_OK ? rc : call_fail(&s->call, rc, "out of memory", jobs[0]->id);
}

int sharing_submit(struct sharing *s, const struct sched_event *ev)
{
	bool kept;
	int rc;
	struct job **jobs = make_jobs(s, ev->jobs, ev->njobs, &rc);

	if (!jobs)
		return rc;
	rc = take(s, ev, jobs, &kept);
	if (kept)
		free(jobs);
	else
		destroy_jobs(s, jobs, ev->njobs);
	return rc;
}

/* ---- jobs that wait ---- */

static struct job *find_waiting(struct sharing *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start < 0 ? j : NULL;
}

/* It leaves the queue, and its nodes; it is known still. */
static void withdraw(struct sharing *s, struct job *j)
{
	waiting_remove(s, j);
	sharing_due_remove(s, j);
	if (s->starting == j)
		s->starting = NULL;
	for (uint32_t i = 0; i < j->n; i++) {
		node_leave(s, j->node[i], j);
		node_share(s, j->node[i]);
	}
	sharing_unplace(s, j);
}

int sharing_withdraw(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	withdraw(s, j);
	table_remove(s->jobs, j->id);
	sharer_destroy(s, j);
	return PACT_OK;
}

int sharing_confirm(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);
	int rc;

	if (!j || !j->unconfirmed)
		return call_fail(&s->call, PACT_ENOENT, "no such job to confirm", ev->id);
	rc = held_rename(&s->call, s->jobs, s->holds, ev, j);
	if (rc == PACT_OK && sharing_due_reserve(s, 1) < 0) {
		rc = call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
		held_renamed(s->jobs, ev, false);
	}
	if (rc != PACT_OK)
		return rc;
	held_renamed(s->jobs, ev, true);
	if (!j->n)
		waiting_remove(s, j);
	j->id = ev->new_id;
	j->unconfirmed = false;
	if (j->n)
		s->due[s->due_n++] = j;
	else
		waiting_add(s, j); /* ties are broken by its new id; into the room that it had */
	return PACT_OK;
}

int sharing_priority(struct sharing *s, const struct sched_event *ev)
{
	struct job *j = find_waiting(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job waits", ev->id);
	j->terms->priority = ev->priority;
	if (j->n || s->starting == j)
		return PACT_OK;
	waiting_remove(s, j);
	waiting_add(s, j); /* into the room that it had */
	return PACT_OK;
}

/* ---- changes ---- */

/* Its parts as they were, after they were taken away without a share being given out. */
struct taken {
	struct share_part part;
	uint32_t node;
};

/* The job's parts leave, to come back or not. NULL: no memory, and they are there. */
static struct taken *take_parts(struct sharing *s, const struct job *j)
{
	struct taken *t = malloc((j->n ? j->n : 1) * sizeof(*t));

	for (uint32_t i = 0; t && i < j->n; i++) {
		node_advance(s, j->node[i]);
		t[i] = (struct taken){ *node_part(&s->node[j->node[i]], j), j->node[i] };
		node_leave(s, j->node[i], j);
	}
	return t;
}

/* In its place among those of one deadline, as far as that matters: it may come behind others now. */
static void give_back(struct sharing *s, struct job *j, const struct taken *t)
{
	for (uint32_t i = 0; i < j->n; i++) {
		node_join(s, t[i].node, j, t[i].part.deadline);
		*node_part(&s->node[t[i].node], j) = t[i].part;
	}
}

/* The new job, with an id that is known, is decided; `old` has no parts meanwhile. keep: else it was only asked. */
static int decide_change(struct sharing *s, struct job *old, struct job *new,
			 struct sched_decision *d, bool keep)
{
	struct taken *t = take_parts(s, old);
	int rc = t ? sharing_decide(s, &new, 1, d) : PACT_ENOMEM;

	/* Nodes have room for one of the two. */
	if (t && !keep)
		sharing_unplace(s, new);
	if (t && (rc != PACT_OK || !d->accepted || !keep))
		give_back(s, old, t);
	free(t);
	return rc;
}

/* It takes the place of the old one. */
static void replace(struct sharing *s, struct job *old, struct job *new)
{
	new->unconfirmed |= old->unconfirmed;
	for (uint32_t i = 0; i < old->n; i++)
		node_share(s, old->node[i]);
	old->n = 0;
	withdraw(s, old);
	table_remove(s->jobs, old->id);
	sharer_destroy(s, old);
	table_insert(s->jobs, new->id, new); /* into the room of the old one */
	settle(s, &new, 1);
}

int sharing_change(struct sharing *s, const struct sched_event *ev)
{
	struct job *old = ev->njobs == 1 ? find_waiting(s, ev->jobs->id) : NULL, *new, **made;
	struct sched_decision d = { .accepted = true };
	bool decides;
	int rc;

	if (!old)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait", 0);
	if (s->starting == old)
		return call_fail(&s->call, PACT_EPROTO, "a change while it is being started",
				 old->id);
	made = make_jobs(s, ev->jobs, 1, &rc);
	if (!made)
		return rc;
	new = made[0];
	free(made);
	decides = wants_decision(s, new);
	rc = reserve(s, 1) < 0 ? PACT_ENOMEM : PACT_OK;
	if (rc == PACT_OK && decides)
		rc = decide_change(s, old, new, &d, true);
	if (rc == PACT_OK && decides)
		answer(s, new->id, &d);
	if (rc == PACT_OK && d.accepted) {
		if (!decides)
			withdraw(s, old);
		replace(s, old, new);
		return PACT_OK;
	}
	sharer_destroy(s, new);
	return rc == PACT_OK ? rc : call_fail(&s->call, rc, "out of memory", ev->jobs->id);
}

/* ---- questions ---- */

/* Time goes on for the answer, and nothing else: shares stay as they are. */
static bool ask_at(struct sharing *s, int64_t now)
{
	call_begin(&s->call);
	if (!is_time(now)) {
		call_fail(&s->call, PACT_EINVAL, "time is none", 0);
		return false;
	}
	if (now * SHARE_SECOND > s->now)
		s->now = now * SHARE_SECOND;
	return true;
}

int sharing_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
		struct sched_decision *d)
{
	struct sharing *s = own;
	struct job **made;
	int rc;

	*d = decision_never(REFUSE_DISABLED);
	if (!ask_at(s, now))
		return PACT_EINVAL;
	made = make_jobs(s, jobs, n, &rc);
	if (!made)
		return rc;
	if (any_wants(s, made, n)) {
		rc = sharing_decide(s, made, n, d);
		for (size_t i = 0; rc == PACT_OK && i < n; i++) {
			if (n == 1)
				sharing_take_back(s, made[i]);
			else
				sharing_unplace(s, made[i]);
		}
	}
	destroy_jobs(s, made, n);
	return rc == PACT_OK ? rc : call_fail(&s->call, rc, "out of memory", jobs->id);
}

int sharing_ask_change(void *own, int64_t now, const struct sched_job *job,
		       struct sched_decision *d)
{
	struct sharing *s = own;
	struct job *old = find_waiting(s, job->id), **made;
	int rc;

	*d = decision_never(REFUSE_DISABLED);
	if (!ask_at(s, now))
		return PACT_EINVAL;
	if (!old)
		return call_fail(&s->call, PACT_ENOENT, "a change of a job that does not wait",
				 job->id);
	made = make_jobs(s, job, 1, &rc);
	if (!made)
		return rc;
	if (wants_decision(s, made[0]))
		rc = decide_change(s, old, made[0], d, false);
	destroy_jobs(s, made, 1);
	return rc == PACT_OK ? rc : call_fail(&s->call, rc, "out of memory", job->id);
}
