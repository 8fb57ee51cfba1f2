/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shorten: a job that may run shorter than its limit, if it starts now for that (slurm's --time-min).
 *
 * Only in slurm mode, and only for jobs without a promise: with its whole limit it is placed like any
 * other; when that is later than now, it is tried with its least, in what the promised jobs and those
 * before it in order leave free. If that fits it gets as much as does, in whole minutes. So no other
 * job's place is touched, and a start that fails leaves no trace.
 */
#include "core/planning/arrange/arrange.h"

#define MINUTE 60
/* What a job without a limit gets at most, if it may run shorter. */
#define LONGEST (366LL * 24 * 60 * MINUTE)

static void grant(struct planner *s, struct job *j, int64_t limit)
{
	j->granted = limit;
	j->req.duration = plan_end(limit, s->config.guard);
}

void shorten_undo(struct job *j)
{
	if (!j->granted)
		return;
	j->granted = 0;
	j->req.duration = j->whole;
}

/* Is there a place now with so much time? plan_earliest()'s answer. */
static int try_limit(struct planner *s, struct job *j, int64_t limit, struct placement *at)
{
	grant(s, j, limit);
	return plan_earliest(s->plan, &j->req, s->now, s->now, at);
}

/* The most that fits, by bisection: what fits longer fits shorter. `at` has the place for the least. */
static int most(struct planner *s, struct job *j, struct placement *at)
{
	int64_t limit = j->limit < LONGEST ? j->limit : LONGEST;
	int64_t fits = 0, fails = (limit - j->least + MINUTE - 1) / MINUTE;
	struct placement more;
	int rc = 0;

	placement_init(&more);
	while (rc >= 0 && fails - fits > 1) {
		int64_t mid = fits + (fails - fits) / 2;

		rc = try_limit(s, j, j->least + mid * MINUTE, &more);
		if (rc == 0)
			placement_move(at, &more);
		if (rc == 0)
			fits = mid;
		else
			fails = mid;
	}
	placement_clear(&more);
	grant(s, j, j->least + fits * MINUTE);
	return rc < 0 ? -1 : 0;
}

int shorten_fit(struct planner *s, struct job *j)
{
	struct placement at;
	int rc;

	if (!j->least || j->opaque || j->place.start <= s->now || j->req.not_before > s->now)
		return 0;
	placement_init(&at);
	if (plan_take(s->plan, &j->place) < 0)
		return -1;
	rc = try_limit(s, j, j->least, &at);
	if (rc == 0)
		rc = most(s, j, &at);
	if (rc == 0)
		placement_move(&j->place, &at);
	else
		shorten_undo(j);
	placement_clear(&at);
	if (plan_put(s->plan, &j->place) == 0)
		return rc < 0 ? -1 : 0;
	placement_clear(&j->place);
	shorten_undo(j);
	return -1;
}

bool shorten_retry(struct planner *s, struct job *j, bool reserve)
{
	if (!j->least || !j->opaque || !reserve || j->retried || !s->in_pass || !s->cursor ||
	    s->list[s->cursor - 1] != j)
		return false;
	j->retried = true;
	s->cursor--;
	return true;
}

void shorten_retried(struct planner *s, struct job *j)
{
	if (j->retried)
		grant(s, j, j->least);
}
