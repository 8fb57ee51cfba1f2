/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass: slices go by, the matrix is computed anew, and what the engine has to say. */
#include "core/gang/state.h"

/* ---- which phases ---- */

#define BIT(phase) (1 << (phase))

/* The four of section 5.2, and the table of section 6.4: a bit each. */
static int32_t phases_of(const struct gang *s)
{
	int32_t four =
		BIT(PHASE_CLEAN) | BIT(PHASE_COMPACT) | BIT(PHASE_SCHEDULE) | BIT(PHASE_FILL);

	if (s->config.phases)
		return s->config.phases;
	return s->kind->migrates ? BIT(PHASES) - 1 : four;
}

/* ---- the pass ---- */

static int compact(struct gang *s, struct matrix_pass *p, bool migrate)
{
	s->starved = false;
	if (migrate)
		collapse_matrix_2(s->matrix, p);
	else
		compact_matrix(s->matrix, p);
	return s->starved ? -1 : 0;
}

/*
 * The phases that migrate also change rows without that, as Compact and Fill do, but later and in another order. Where no job
 * can be migrated they are left out, and what is scheduled is what it is without migration.
 */
static bool may_migrate(const struct gang *s)
{
	if (!s->kind->migrates || s->config.migration_quota <= 0)
		return false;
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct matrix_job *j = matrix_job(s->matrix, i);

		if (!j->whole && !j->fixed)
			return true;
	}
	return false;
}

static int run_phase(struct gang *s, enum gang_phase phase, struct matrix_pass *p)
{
	switch (phase) {
	case PHASE_CLEAN:
		clean_matrix(s->matrix);
		return 0;
	case PHASE_COMPACT:
		return compact(s, p, false);
	case PHASE_SCHEDULE:
		return schedule(s, p);
	case PHASE_COLLAPSE_2:
		p->closed = nodes_closed(s, PACT_FOREVER, PACT_FOREVER,
					 true); /* Schedule asked for others */
		return may_migrate(s) ? compact(s, p, true) : 0;
	case PHASE_SCHEDULE_2:
		leavers_mark(s);
		/* What found no place in Schedule finds none where that has only filled the matrix more. */
		return may_migrate(s) && p->collapsed ? schedule(s, p) : 0;
	case PHASE_FILL:
		fill_matrix(s->matrix);
		return 0;
	case PHASE_FILL_2:
		leavers_mark(s);
		p->closed = nodes_closed(s, PACT_FOREVER, PACT_FOREVER, true);
		if (may_migrate(s))
			fill_matrix_2(s->matrix, p);
		return 0;
	case PHASES:
		break;
	}
	return 0;
}

static bool may_be_in(void *arg, const struct matrix_job *j, uint32_t row)
{
	return row < rows_for(arg, job_of(j));
}

/* Others go to other rows for that: a driver that comes up tells which job runs where, and not in which row. */
static bool readmit_by_force(struct gang *s, struct job *j)
{
	struct matrix_change change = { first_whole(s), may_be_in, s };

	return !j->in.whole && !reaches_promise(s, j->at, job_bound(s, j)) &&
	       matrix_make_room(s->matrix, j->at, &change) && job_readmit(s, j);
}

/* Jobs that started and lost their row get one as soon as there is one, in turn. */
static void readmit(struct gang *s)
{
	size_t n = list_aside(s);

	/* replicas are in no job's way */
	if (n)
		clean_matrix(s->matrix);
	for (size_t i = 0; i < n; i++) {
		if (!job_readmit(s, s->list[i]))
			readmit_by_force(s, s->list[i]);
	}
}

static int pass(struct gang *s)
{
	struct matrix_pass p = { .arg = s };
	int rc = 0;

	if (!matrix_jobs(s->matrix)) {
		s->slicing = false;
		gang_forget_failures(s); /* no slice is waited for */
	}
	if (!s->slicing)
		s->quota = s->config.migration_quota;
	/* discrete: a slice is at its end, and no longer under way */
	if (s->config.cut == CUT_NEXT && !s->config.discrete && s->cut && s->slicing &&
	    s->slice_start != s->now)
		slice_begin(s);
	s->counted = false;
	p.number = ++s->pass;
	p.first = first_whole(s);
	p.quota = s->quota;
	p.cost = s->config.migration_cost;
	p.leave_time = s->config.leave_time;
	p.fares = s->fares;
	if (s->kind->backfills) {
		p.may_move = capacity_may_move;
		p.moved = capacity_moved;
	}
	if (s->kind->migrates)
		p.promised = nodes_promised(s);
	leavers_mark(s);
	readmit(s);
	yields_anew(s, true);
	for (int phase = 0; phase < PHASES && rc == 0; phase++) {
		if (phases_of(s) & BIT(phase))
			rc = run_phase(s, (enum gang_phase)phase, &p);
	}
	/* what is migrated has to be paid */
	for (size_t i = 0; p.quota < s->quota && i < matrix_jobs(s->matrix); i++)
		job_charged(s, job_of(matrix_job(s->matrix, i)));
	s->quota = p.quota;
	if (!s->slicing && matrix_jobs(s->matrix))
		slice_begin(s);
	return rc;
}

/* Is one wanted now? */
static bool wants_pass(const struct gang *s)
{
	if (!s->config.discrete)
		return s->due;
	return s->advanced || (s->due && !matrix_jobs(s->matrix));
}

/* False: no memory. */
static bool make_pass(struct gang *s)
{
	/* what fails while turns are taken is seen to when all have been */
	if (s->settling || is_settled(s) || !wants_pass(s))
		return true;
	if (pass(s) < 0) {
		call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
		return false;
	}
	s->due = s->later = s->advanced = s->cut = false;
	s->passed_at = s->now;
	s->unsettled = true;
	return true;
}

/* ---- actions ---- */

/* What is to be done for the row whose turn it is; false: nothing, or no memory (s->call.error). */
static bool take_turn(struct gang *s, struct sched_action *a)
{
	if (s->over && turns_list(s) < 0) {
		call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
		return false;
	}
	s->settling |= s->over;
	s->over = false;
	if (!s->settling)
		return false;
	if (turns_next(s, a))
		return true;
	turns_done(s);
	return false;
}

/* Is there one that has its place on these nodes, and has not started? It makes way when they are held. */
static bool has_to_go(const struct gang *s, const struct nodeset *nodes)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->start < 0 && nodeset_overlap(j->in.columns, nodes))
			return true;
	}
	return false;
}

/*
 * When a hold next begins, before `at`, that wants a pass, or one that lingers is waited for no longer; `at`: there is none.
 */
static int64_t next_hold(const struct gang *s, int64_t at)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		int64_t when = hold_lingers(s, x) ? hold_lingers_until(s, x) : x->start;

		if (when > s->now && when < at && has_to_go(s, x->nodes))
			at = when;
	}
	return at;
}

/* When time alone changes something. */
static int64_t find_wake(const struct gang *s)
{
	int64_t at;

	if (s->unsettled)
		return s->now;
	at = gang_next_try(s);
	if (s->slicing && has_slices(s) && s->slice_end < at)
		at = s->slice_end;
	if (is_settled(s) && wants_pass(s) && s->now + 1 < at)
		at = s->now + 1;
	for (size_t i = 0; s->last_begin > s->now && i < s->queue_n; i++) {
		if (s->queue[i]->begin > s->now && s->queue[i]->begin < at)
			at = s->queue[i]->begin;
	}
	return next_hold(s, at);
}

static bool take_wake(struct gang *s, struct sched_action *a)
{
	if (s->told)
		return false;
	s->told = true;
	*a = (struct sched_action){ .type = ACT_WAKE, .end = find_wake(s) };
	return a->end != PACT_FOREVER;
}

bool gang_poll(void *own, struct sched_action *a)
{
	return decided_take(&((struct gang *)own)->decided, a);
}

bool gang_next(void *own, struct sched_action *a)
{
	struct gang *s = own;

	call_begin(&s->call);
	if (decided_take(&s->decided, a))
		return true;
	if (s->asked) {
		call_fail(&s->call, PACT_EPROTO, "an action is not answered", s->asked->in.id);
		return false;
	}
	if (!make_pass(s))
		return false;
	if (take_turn(s, a))
		return true;
	/* a refusal among the turns may want a pass */
	return !s->call.error[0] && make_pass(s) && take_wake(s, a);
}
