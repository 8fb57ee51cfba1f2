/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to nodes and to jobs that have started; submissions and changes are in submit.c. */
#include "core/gang/state.h"

static int64_t end_of(const struct sched_event *ev)
{
	return ev->end > 0 && ev->end < PACT_END_OF_TIME ? ev->end : PACT_FOREVER;
}

static struct job *find_started(struct gang *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start >= 0 ? j : NULL;
}

/* Was this answer asked for? Then it is no news that wants a pass. */
static bool is_answer(struct gang *s, const struct job *j, enum sched_action_type type)
{
	if (s->asked != j || s->asked_for != type)
		return false;
	s->asked = NULL;
	return true;
}

/* ---- nodes that others hold ---- */

int gang_hold(struct gang *s, const struct sched_event *ev)
{
	struct held *x;
	int rc =
		held_add(&s->call, s->jobs, s->holds, &s->walk, ev, s->nodes, PACT_END_OF_TIME, &x);

	if (rc == PACT_OK)
		x->end = end_of(ev);
	return rc;
}

/* Is it to be migrated there by a pass whose turns are still to be taken? What was asked to leave does. */
static bool goes_there(const struct gang *s, const struct job *j, const struct held *x)
{
	return j->in.moved && j->start >= 0 && !j->leaving && s->asked != j &&
	       !job_ends_before(s, j, x) && nodeset_overlap(j->in.columns, x->nodes);
}

/*
 * What was to be migrated there stays where it is, in a row that has its nodes free, or is cleared of what has come there
 * since, or aside until there is one.
 */
static void call_back(struct gang *s, const struct held *x)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix);) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (!goes_there(s, j, x)) {
			i++;
			continue;
		}
		/* it leaves its place in the list, and others may, too */
		job_found(s, j, j->at);
		gang_news(s);
		i = 0;
	}
}

/*
 * What is in the matrix there and has not started waits again, unless it would end before. Where jobs are set aside for
 * another one's, it keeps its place.
 */
static void make_way(struct gang *s, const struct held *x)
{
	if (hold_overdue(s, x))
		return;
	call_back(s, x);
	if (!x->block && s->config.aside) {
		yields_anew(s, false);
		s->due = true;
		return;
	}
	for (size_t i = 0; i < matrix_jobs(s->matrix);) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (!job_in_the_way(s, j, x)) {
			i++;
			continue;
		}
		job_withdraw(s, j);
		gang_enqueue(s, j);
		gang_news(s);
	}
}

/* Time goes on: what was to have ended before a hold begins, and has not even started by then, makes way now. */
static void begin_holds(struct gang *s, int64_t since)
{
	struct held *x;

	walk_begin(&s->walk);
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (x->start > since && x->start <= s->now)
			walk_add(&s->walk, x->start, x->id, x);
	}
	while ((x = walk_next(&s->walk)))
		make_way(s, x);
}

static int on_block(struct gang *s, const struct sched_event *ev)
{
	int rc = gang_hold(s, ev);

	if (rc != PACT_OK)
		return rc;
	make_way(s, table_find(s->holds, ev->id));
	gang_news(s);
	return PACT_OK;
}

/* ---- starts ---- */

static int on_started(struct gang *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);
	bool asked;

	if (!j)
		return on_block(s, ev);
	if (j->start >= 0)
		return call_fail(&s->call, PACT_EPROTO, "started, but it runs", ev->id);
	if (!gang_is_time(ev->start))
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	if ((ev->nodes || !j->in.placed) && call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	asked = is_answer(s, j, ACT_START);
	if (!asked)
		gang_news(s);
	gang_dequeue(s, j);
	j->reserved_row = -1;
	j->start = ev->start;
	j->done = asked ? -s->asked_lost : 0;
	j->unconfirmed = false;
	j->fails = 0;
	if (!j->in.placed)
		j->until = time_after(ev->start, job_time(s, j));
	job_settle(s, j);
	job_pay(s, j);
	if (ev->nodes && j->in.placed && !nodeset_equal(ev->nodes, j->in.columns))
		gang_news(s);
	job_found(s, j, ev->nodes ? ev->nodes : j->in.columns);
	job_set_runs(s, j, true);
	return PACT_OK;
}

/* It waits again. */
static int on_start_failed(struct gang *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (!j || !is_answer(s, j, ACT_START))
		return call_fail(&s->call, PACT_EPROTO, "is not being started", ev->id);
	job_withdraw(s, j);
	gang_put_off(s, j, ev->reserve);
	gang_enqueue(s, j);
	s->due = true; /* once the turns are over */
	/* what was stopped for it is not to go on before it has stopped: messages overtake each other */
	s->later |= s->stopped;
	return PACT_OK;
}

/* ---- jobs that have started ---- */

static int on_finish(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_started(s, ev->id);
	struct held *x = j ? NULL : table_find(s->holds, ev->id);

	if (!j && !x)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	/* what takes no turns ends no slice */
	s->cut |= j || x->block;
	if (j || !x->block)
		gang_hope(s);
	if (x) {
		held_remove(s->holds, x);
	} else {
		job_remove(s, j);
	}
	gang_news(s);
	return PACT_OK;
}

static int on_suspended(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_started(s, ev->id);
	bool answered;

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	answered = is_answer(s, j, ACT_SUSPEND) || ev->reserve;
	/* by hand no more: it has its turns again */
	if (ev->reserve && j->stopped) {
		j->stopped = false;
		gang_news(s);
	}
	/* a turn is taken at one instant, however long the answers take */
	if (j->runs)
		j->ran_until = answered ? s->settled_at : s->now;
	job_set_runs(s, j, false);
	if (answered) {
		s->stopped = true;
		job_outlasts(s, j);
		return PACT_OK;
	}
	j->stopped = true;
	gang_news(s);
	return PACT_OK;
}

static int on_resumed(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_started(s, ev->id);
	bool asked;

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (ev->nodes && call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	asked = is_answer(s, j, ACT_RESUME);
	if (asked) {
		j->done -= s->asked_lost;
		job_pay(s, j);
	} else {
		gang_news(s);
	}
	j->stopped = false;
	if (ev->nodes && !nodeset_equal(ev->nodes, j->at)) {
		gang_news(s);
		job_found(s, j, ev->nodes);
	}
	job_set_runs(s, j, true);
	return PACT_OK;
}

/* Of its limit so much is left as there would be until then, if it ran on from now on; its bound is to follow. */
static void limit_anew(struct gang *s, struct job *j, int64_t end)
{
	j->limit = j->left = end == PACT_FOREVER ? end : end > s->now ? end - s->now : 1;
	j->done = 0;
	j->runs_since = s->now;
	j->until = time_after(s->now, job_time(s, j));
	if (j->in.yields)
		j->foreseen = job_time(s, j);
}

static struct job *find_leaver(struct gang *s, uint64_t id)
{
	struct job *j = find_started(s, id);

	return j && j->flags & JOB_LEAVES ? j : NULL;
}

static int on_leaving(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_leaver(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs that may leave", ev->id);
	(void)is_answer(s, j, ACT_MIGRATE);
	j->leaving = true;
	return PACT_OK;
}

/* It waits for its turn where it was to go; without a place it is in the queue again, as of its submission. */
static int on_vacated(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_leaver(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs that may leave", ev->id);
	if (ev->migration < 0 || ev->migration > MIGRATION_MOST)
		return call_fail(&s->call, PACT_EINVAL, "no migration takes that long", ev->id);
	job_set_runs(s, j, false);
	job_set_aside(s, j, false);
	if (s->asked == j)
		s->asked = NULL;
	j->start = j->ran_until = -1;
	j->done = 0;
	job_settle(s, j);
	j->in.moved = j->leaving = j->stopped = false;
	if (ev->migration)
		j->in.cost = ev->migration;
	if (ev->end) {
		limit_anew(s, j, end_of(ev));
		job_bind(s, j);
	}
	if (j->in.placed && !job_has_way(s, j))
		job_withdraw(s, j);
	if (!j->in.placed)
		gang_enqueue(s, j);
	gang_news(s);
	return PACT_OK;
}

static int on_migrated(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_started(s, ev->id);
	bool answered;

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	answered = is_answer(s, j, ACT_MIGRATE) && nodeset_equal(ev->nodes, j->in.columns);
	if (!answered)
		gang_news(s);
	job_settle(s, j);
	if (answered)
		j->in.moved = false;
	job_found(s, j, ev->nodes);
	return PACT_OK;
}

/* It is where it was, a row is found for it there, and it is not migrated any more. */
static void stays(struct gang *s, struct job *j)
{
	s->due = true; /* once the turns are over */
	j->in.fixed = true;
	j->leaving = false;
	job_found(s, j, j->at);
}

/* All is as it was. */
static int on_refused(struct gang *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);

	if (j && s->asked != j && j->leaving) {
		/* others have waited for it meanwhile, and do not get that back; it has lost nothing */
		job_settle(s, j);
		fares_waive(s->fares, &j->in);
		job_charged(s, j);
		stays(s, j);
		gang_news(s);
		return PACT_OK;
	}
	if (!j || s->asked != j || s->asked_for == ACT_START)
		return call_fail(&s->call, PACT_EPROTO,
				 "nothing was asked of it that can be refused", ev->id);
	s->asked = NULL;
	if (s->asked_for == ACT_MIGRATE)
		stays(s, j);
	return PACT_OK;
}

static int on_end_changed(struct gang *s, const struct sched_event *ev)
{
	struct job *j = find_started(s, ev->id);
	struct held *x = table_find(s->holds, ev->id);
	int64_t end = end_of(ev);

	if (!j && !x)
		return call_fail(&s->call, PACT_ENOENT, "no such job or hold", ev->id);
	if (x) {
		x->end = end;
		yields_anew(s, false);
	} else {
		limit_anew(s, j, end);
		job_bind_left(s, j);
	}
	gang_news(s);
	return PACT_OK;
}

/* ---- nodes ---- */

/* All nodes are as fast as each other here, and a job has them with all their processors. */
static int on_nodes(struct gang *s, const struct sched_event *ev)
{
	int rc = call_nodes(&s->call, ev, s->nodes);

	if (rc != PACT_OK || ev->most < 0 || ev->memory < 0 || ev->memory > PACT_END_OF_TIME ||
	    ev->rating < 0 || ev->processors < 0)
		return call_fail(&s->call, PACT_EINVAL, "no node is like that", ev->id);
	for (uint32_t i = nodeset_next(ev->nodes, 0); i < s->nodes;
	     i = nodeset_next(ev->nodes, i + 1))
		matrix_node(s->matrix, i, (uint32_t)ev->most, ev->memory);
	gang_news(s);
	return PACT_OK;
}

/* ---- all of them ---- */

/* Has a job's begin time come since the last pass? */
static bool has_begun(const struct gang *s)
{
	for (size_t i = 0; s->last_begin > s->passed_at && i < s->queue_n; i++) {
		if (s->queue[i]->begin > s->passed_at && s->queue[i]->begin <= s->now)
			return true;
	}
	return false;
}

/* The instant is over: a slice may end with it, and turns are taken. */
static int on_time(struct gang *s)
{
	s->due |= has_begun(s);
	if (s->slicing && has_slices(s) && s->now >= s->slice_end) {
		if (slice_stays(s))
			slice_prolong(s);
		else
			slice_begin(s);
		s->advanced = s->config.discrete;
		gang_forget_failures(s);
	}
	s->settling = false;
	s->over = true;
	return PACT_OK;
}

static int go_on(struct gang *s, const struct sched_event *ev)
{
	int64_t since;

	if (!gang_is_time(ev->now))
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	s->told = false;
	if (ev->now <= s->now)
		return PACT_OK;
	since = s->now;
	s->now = ev->now;
	gang_forget_failures(s);
	begin_holds(s, since);
	return PACT_OK;
}

/* Of jobs that wait. */
static int apply_waiting(struct gang *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return gang_submit(s, ev);
	case EV_CONFIRM:
		return gang_confirm(s, ev);
	case EV_CHANGE:
		return gang_change(s, ev);
	case EV_PRIORITY:
		return gang_priority(s, ev);
	default:
		return gang_withdraw(s, ev);
	}
}

static int apply(struct gang *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
	case EV_CONFIRM:
	case EV_CHANGE:
	case EV_PRIORITY:
	case EV_WITHDRAW:
		return apply_waiting(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_START_FAILED:
		return on_start_failed(s, ev);
	case EV_END_CHANGED:
		return on_end_changed(s, ev);
	case EV_FINISH:
		return on_finish(s, ev);
	case EV_BLOCK:
		return on_block(s, ev);
	case EV_TIME:
		return on_time(s);
	case EV_SUSPENDED:
		return on_suspended(s, ev);
	case EV_RESUMED:
		return on_resumed(s, ev);
	case EV_MIGRATED:
		return ev->nodes ? on_migrated(s, ev) : on_vacated(s, ev);
	case EV_LEAVING:
		return on_leaving(s, ev);
	case EV_REFUSED:
		return on_refused(s, ev);
	case EV_NODES:
		return on_nodes(s, ev);
	case EV_POLICY:
	case EV_RESIZED:
	case EV_SHARED:
	case EV_LEFT:
	case EV_PROGRESS:
	case EV_PAST:
		break;
	}
	return call_fail(&s->call, PACT_EINVAL, "shared, resized or of a policy: not by turns",
			 ev->id);
}

int gang_event(void *own, const struct sched_event *ev)
{
	struct gang *s = own;
	int rc;

	call_begin(&s->call);
	rc = go_on(s, ev);
	return rc == PACT_OK ? apply(s, ev) : rc;
}
