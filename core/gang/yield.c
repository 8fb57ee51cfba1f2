/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yield: setting jobs aside (preemption, section 5.1). A job some of whose nodes a job of an engine beside this one has
 * is in no row until that has ended: it has no turn and no replica, and its columns in its home row are kept for it. It
 * comes back with a pass, as if it had just been placed, with what it has done already.
 */
#include "core/gang/state.h"

/* A hold of a job of the engine beside this one, whose time has come. */
static bool is_there(const struct gang *s, const struct held *x)
{
	return !x->block && x->start <= s->now;
}

/* All nodes that such jobs have, into s->columns; false: none. */
static bool find_held(struct gang *s)
{
	const struct held *x;
	bool any = false;

	nodeset_clear(s->columns);
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (!is_there(s, x))
			continue;
		nodeset_or(s->columns, x->nodes);
		any = true;
	}
	return any;
}

/* Until when they have one of these; one that should have ended ends at any time. */
static int64_t held_until(const struct gang *s, const struct nodeset *nodes)
{
	int64_t until = s->now;
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (is_there(s, x) && x->end > until && nodeset_overlap(x->nodes, nodes))
			until = x->end;
	}
	return until;
}

/* ---- by when it has ended ---- */

/*
 * Being set aside costs a job that takes turns two cycles. What it had of the cycle under way may be no whole slice,
 * and the first one when it is back may come only at the end of a cycle; both may lose a switch more than they gain.
 * Before that it waits for the pass that it comes back with.
 */
static int64_t rest_least(const struct gang *s, const struct job *j)
{
	int64_t slices = slices_of(s, 2 * switch_cost(s)), wait = back_wait(s);

	if (runs_on(s, j))
		return switch_cost(s) + wait;
	return slices == PACT_FOREVER ? slices : time_after(cycles_time(s, slices + 2), wait);
}

/* What was left when it was set aside the last time has not become more. */
static int64_t rest_most(const struct job *j, int64_t least)
{
	return j->in.yields ? j->rest : j->rest ? time_after(j->rest, least) : PACT_FOREVER;
}

/* By its bound it ends so much after it is back, if it is set aside now; PACT_FOREVER: it has no bound. */
static int64_t job_rest(const struct gang *s, const struct job *j)
{
	int64_t left = j->bound > s->now ? j->bound - s->now : 0, least = rest_least(s, j);
	int64_t most = rest_most(j, least);

	if (j->bound == PACT_FOREVER || least == PACT_FOREVER)
		return PACT_FOREVER;
	left = time_after(left, least);
	return left < most ? left : most;
}

void job_may_yield(const struct gang *s, const struct job *j, struct engine_claim *c)
{
	int64_t least = rest_least(s, j);

	/* one that is about to be migrated is on other nodes then */
	if (!s->config.aside || !j->in.placed || j->in.moved || j->stopped ||
	    j->bound == PACT_FOREVER || least == PACT_FOREVER ||
	    (!j->in.yields && j->bound <= s->now))
		return;
	c->extra = least;
	c->most = rest_most(j, least);
}

/* ---- out and in ---- */

static void set_yields(struct gang *s, struct job *j, int64_t until)
{
	if (!j->in.yields) {
		j->rest = job_rest(s, j);
		j->foreseen = j->until > s->now ? j->until - s->now : 0;
		matrix_yield(s->matrix, &j->in);
		s->unsettled |= j->runs;
	}
	j->yields_until = until;
	job_bind_back(j, until);
}

/* RET has it to wait again? It has not started, and now it would end too late for what begins there. */
static bool come_back(struct gang *s, struct job *j)
{
	int64_t wait = back_wait(s);

	matrix_come_back(&j->in, first_whole(s) - 1);
	/* what it was to wait for has come */
	if (j->rest != PACT_FOREVER)
		j->rest = j->rest > wait ? j->rest - wait : 0;
	if (j->start < 0)
		j->foreseen = job_time(s, j);
	job_bind_back(j, s->now);
	if (j->start >= 0 || job_has_way(s, j))
		return false;
	job_withdraw(s, j);
	gang_enqueue(s, j);
	return true;
}

/*
 * One whose bound has just come ends at this very instant. One that is stopped already was set aside by a setting of before,
 * which is not known here any more: it must not run beside what has its nodes.
 */
static bool may_be_set_aside(const struct gang *s, const struct job *j)
{
	return j->in.yields || (s->config.aside && j->bound != s->now) ||
	       (j->start >= 0 && !j->runs);
}

void yields_anew(struct gang *s, bool back)
{
	bool any = find_held(s);

	for (size_t i = 0; i < matrix_jobs(s->matrix);) {
		struct job *j = job_of(matrix_job(s->matrix, i++));
		bool held = any && nodeset_overlap(s->columns, j->in.columns);

		if (held && may_be_set_aside(s, j))
			set_yields(s, j, held_until(s, j->in.columns));
		else if (!held && j->in.yields && back)
			i -= come_back(s, j);
	}
}
