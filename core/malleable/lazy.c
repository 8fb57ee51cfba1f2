/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lazy: the lazy schedule strategy (section 3.2.5). A job that is not to start at once is accepted all the same if it can
 * be started at the lookahead, the deadline of the job that is due first; it is started before that as soon as it pays.
 *
 * That it can is seen in a plan, which has the floors of what runs until their deadlines, and of what is deferred those
 * that it will have at its latest start, from then to its deadline. Whatever is accepted or started leaves the plan with
 * nodes at all times. As floors of what runs only fall, at its latest start a job finds its nodes; where these are asked for
 * with notice it starts after that, and what it needs is counted from then on.
 */
#include "core/malleable/accept.h"
#include "core/malleable/margin.h"

/* ---- the plan ---- */

/* Until then it holds its floor. */
static int64_t holds_until(const struct malleable *s, const struct job *j)
{
	int64_t until = j->deadline && !j->broken ? j->deadline
						  : accept_end(s, j, j->least, job_from(s, j));

	if (until > s->now)
		return until;
	return s->now + (s->config.lateness > 0 ? s->config.lateness : 1);
}

static size_t add(struct profile_change *c, size_t n, int64_t from, int64_t until, int32_t nodes)
{
	c[n++] = (struct profile_change){ from, -nodes };
	if (until < PACT_END_OF_TIME)
		c[n++] = (struct profile_change){ until, nodes };
	return n;
}

static int32_t deferred_floor(const struct malleable *s, const struct job *j)
{
	int32_t floor = accept_floor(s, j, accept_latest(s, j));

	return floor > j->most ? 0 : floor; /* its promise is broken: it waits for what is left */
}

static size_t list_changes(const struct malleable *s, struct profile_change *c)
{
	const struct held *x;
	size_t n = 0;

	for (size_t i = 0; i < s->running_n; i++)
		n = add(c, n, s->now, holds_until(s, s->running[i]), s->running[i]->floor);
	for (size_t i = 0; i < s->accepted_n; i++) {
		const struct job *j = s->accepted[i];
		int32_t floor = deferred_floor(s, j);

		if (floor)
			n = add(c, n, j->latest > s->now ? j->latest : s->now, j->deadline, floor);
	}
	for (size_t i = 0; s->closings && (x = table_next(s->holds, &i));) {
		if (!x->begun && x->end > x->start)
			n = add(c, n, x->start, x->end, (int32_t)nodeset_count(x->nodes));
	}
	return n;
}

/* What is lost now is not counted as coming back. Without memory nothing is accepted or started early until later. */
static void make_plan(struct malleable *s)
{
	struct profile_step step = { s->now, s->idle_n };
	size_t n = list_changes(s, s->change);

	/* lost nodes are the last that its floor gives up, and are no other job's */
	for (size_t i = 0; i < s->running_n; i++) {
		const struct job *j = s->running[i];

		step.free += j->n - (j->lost > j->floor ? j->lost - j->floor : 0);
	}
	s->plan_good = profile_set(s->flat, s->flat, &step, 1) == 0 &&
		       profile_build(s->plan, s->flat, s->change, n, s->change + n) == 0;
}

/* n less nodes are free in the plan. */
static void put(struct malleable *s, int64_t from, int64_t until, int32_t n)
{
	if (s->plan_good)
		s->plan_good = profile_add(s->plan, from, until, -n) == 0;
}

static bool is_free(const struct malleable *s, int64_t from, int64_t until, int32_t n)
{
	return s->plan_good && profile_min(s->plan, from, until) >= n;
}

/* ---- the lookahead ---- */

/* Which of them is due first, ties the older. best may be NULL; a job that is promised nothing does not count. */
static const struct job *due_first(const struct job *best, const struct job *j)
{
	if (!j->deadline || !j->promised)
		return best;
	if (!best || j->deadline < best->deadline)
		return j;
	return j->deadline == best->deadline && job_older(j, best) ? j : best;
}

/* It is kept until its job has ended: so it matters whose it is. */
static void look_ahead(struct malleable *s)
{
	const struct job *best = NULL;

	if (s->has_ahead)
		return;
	for (size_t i = 0; i < s->running_n; i++)
		best = due_first(best, s->running[i]);
	for (size_t i = 0; i < s->accepted_n; i++)
		best = due_first(best, s->accepted[i]);
	if (!best)
		return;
	s->has_ahead = true;
	s->ahead_id = best->id;
	s->ahead = best->deadline;
}

static void look(struct malleable *s)
{
	set_floors(s);
	margin_changed(s);
	look_ahead(s);
	make_plan(s);
}

/* ---- decisions ---- */

static void start(struct malleable *s, struct job *j, int32_t floor)
{
	accept_start(s, j, floor);
	put(s, s->now, holds_until(s, j), floor);
}

/* Its place in the plan is taken out while it is tried. */
static bool retry_one(struct malleable *s, struct job *j)
{
	bool forced = j->latest <= s->now;
	int64_t latest = forced ? s->now : j->latest;
	int32_t later = deferred_floor(s, j), floor;

	if (!job_ready(s, j) || accept_try(s, j, forced, &floor) != REFUSE_NONE)
		return false;
	put(s, latest, j->deadline, -later);
	if (!forced && !is_free(s, s->now, j->deadline, floor)) {
		put(s, latest, j->deadline, later);
		return false;
	}
	accepted_remove(s, j);
	start(s, j, floor);
	return true;
}

static void retry(struct malleable *s)
{
	accept_widen(s);
	for (size_t i = 0; i < s->accepted_n;) {
		if (!retry_one(s, s->accepted[i]))
			i++;
	}
}

/* At once; or at the lookahead. */
static bool judge_once(struct malleable *s, struct job *j, struct sched_decision *d)
{
	int32_t floor;

	d->reason = accept_try(s, j, false, &floor);
	if (d->reason == REFUSE_NONE && !is_free(s, s->now, j->deadline, floor))
		d->reason = REFUSE_FULL;
	d->start = j->ready;
	j->latest = s->now;
	if (d->reason != REFUSE_NONE && s->has_ahead && s->ahead > s->now &&
	    s->ahead < j->deadline) {
		j->latest = s->ahead;
		d->start = accept_latest(s, j);
		floor = accept_floor(s, j, d->start);
		if (floor <= j->most && is_free(s, s->ahead, j->deadline, floor))
			d->reason = REFUSE_NONE;
	}
	d->accepted = d->reason == REFUSE_NONE;
	if (!d->accepted) {
		d->start = PACT_FOREVER;
		return false;
	}
	d->end = j->latest > s->now ? j->deadline : accept_end(s, j, floor, j->ready);
	d->own = accept_own(j, floor);
	return true;
}

static void judge(struct malleable *s, struct job *j, struct sched_decision *d)
{
	if (!judge_once(s, j, d) && !(j->flags & JOB_PROBE))
		accept_offer(s, j, d, judge_once);
}

static void admit(struct malleable *s, struct job *j, const struct sched_decision *d)
{
	int32_t floor = accept_floor(s, j, d->start);

	if (j->latest <= s->now) {
		start(s, j, floor);
		return;
	}
	accepted_add(s, j, j->latest);
	put(s, j->latest, j->deadline, floor);
}

static bool undated_fits(struct malleable *s, const struct job *j)
{
	return is_free(s, s->now, holds_until(s, j), j->least);
}

static void started_undated(struct malleable *s, const struct job *j)
{
	put(s, s->now, holds_until(s, j), j->floor);
}

static void give_out(struct malleable *s)
{
	accept_undated(s, undated_fits, started_undated);
	margin_give_out(s);
}

/* The first latest start to come. */
static int64_t wake(const struct malleable *s)
{
	int64_t at = accept_wake(s);
	size_t low = 0, high = s->accepted_n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->accepted[mid]->latest > s->now)
			high = mid;
		else
			low = mid + 1;
	}
	if (low < s->accepted_n && s->accepted[low]->latest < at)
		at = s->accepted[low]->latest;
	return at;
}

const struct malleable_kind malleable_lazy = {
	.decide = accept_decide,
	.look = look,
	.retry = retry,
	.judge = judge,
	.admit = admit,
	.give_out = give_out,
	.wake = wake,
};
