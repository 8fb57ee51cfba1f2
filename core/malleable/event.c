/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to nodes and running jobs; submissions and changes are in submit.c. */
#include "core/malleable/allot.h"

static struct job *find_running(struct malleable *s, uint64_t id)
{
	struct job *j = table_find(s->jobs, id);

	return j && j->start >= 0 ? j : NULL;
}

/* A promise is due at once then. */
static void wait_again(struct malleable *s, struct job *j)
{
	if (j->promised && s->kind->judge)
		accepted_add(s, j, s->now);
	else
		job_wait(s, j);
}

void malleable_drop(struct malleable *s)
{
	for (size_t i = s->running_n; i-- > 0;) {
		struct job *j = s->running[i];

		if (j->start >= 0 || j->n >= j->least)
			continue;
		allot_clear(s, j);
		running_remove(s, j);
		j->kept = false;
		wait_again(s, j);
	}
	s->dirty = true;
}

/* ---- nodes that others hold ---- */

static void find_closed(struct malleable *s)
{
	const struct held *x;

	s->closings = 0;
	for (uint32_t n = 0; n < s->nodes; n++)
		s->closed[n] = PACT_FOREVER;
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		s->closings += !x->begun;
		for (uint32_t n = nodeset_next(x->nodes, 0); !x->begun && n < s->nodes;
		     n = nodeset_next(x->nodes, n + 1)) {
			if (x->start < s->closed[n])
				s->closed[n] = x->start;
		}
	}
}

static void begin(struct malleable *s, struct held *x)
{
	x->begun = true;
	for (uint32_t n = nodeset_next(x->nodes, 0); n < s->nodes;
	     n = nodeset_next(x->nodes, n + 1))
		allot_hold(s, n);
	malleable_drop(s);
}

/* Holds begin when their start has come. */
static void begin_holds(struct malleable *s)
{
	bool any = false;
	struct held *x;

	walk_begin(&s->walk);
	for (size_t i = 0; s->closings && (x = table_next(s->holds, &i));) {
		if (!x->begun && x->start <= s->now)
			walk_add(&s->walk, x->start, x->id, x);
	}
	for (; (x = walk_next(&s->walk)); any = true)
		begin(s, x);
	if (any)
		find_closed(s);
}

int malleable_hold(struct malleable *s, const struct sched_event *ev, bool begun)
{
	struct held *x;
	int rc = held_add(&s->call, s->jobs, s->holds, &s->walk, ev, s->nodes, PACT_END_OF_TIME / 4,
			  &x);

	if (rc != PACT_OK)
		return rc;
	if (begun || x->start <= s->now)
		begin(s, x);
	else
		find_closed(s);
	malleable_decide(s, NULL, true);
	return PACT_OK;
}

static void end_hold(struct malleable *s, struct held *x)
{
	for (uint32_t n = nodeset_next(x->nodes, 0); x->begun && n < s->nodes;
	     n = nodeset_next(x->nodes, n + 1))
		allot_unhold(s, n);
	held_remove(s->holds, x);
	find_closed(s);
	malleable_decide(s, NULL, true);
}

/* ---- starts ---- */

/* Is it to have just these? */
static bool is_decided(const struct malleable *s, const struct job *j, const struct nodeset *nodes)
{
	if (j->n != (int32_t)nodeset_count(nodes))
		return false;
	for (uint32_t i = j->first; i != NO_NODE; i = s->next[i]) {
		if (!nodeset_test(nodes, i))
			return false;
	}
	return true;
}

/* What was decided gives way to what is. */
static void accept_facts(struct malleable *s, struct job *j)
{
	uint32_t first = j->first;

	allot_set(s, j, j->at);
	if (j->first != first)
		allot_lead(s, j, nodeset_next(j->at, 0));
	malleable_drop(s);
}

/* It keeps what it was started on, and its limit is its time on that. */
static void settle_width(struct job *j)
{
	if (!j->widest)
		return;
	j->least = j->most = j->widest = j->has;
	j->done.left = progress_work(j->limit, speedup_rate(&j->speedup, j->least));
}

/*
 * What it has left is told in whole seconds on its fewest nodes, rounded up as it was written down and once more since: those that are
 * its own are enough for a promised job, as they were before that.
 */
static int64_t left_of(const struct malleable *s, const struct job *j, const struct sched_event *ev)
{
	int32_t own = ev->width < j->most ? ev->width : j->most;
	int64_t second = speedup_rate(&j->speedup, j->least),
		left = progress_work(ev->left, second);
	int64_t time = j->deadline - s->config.guard - s->now, fits;

	if (!j->promised || own < 1 || time < 0 ||
	    __builtin_mul_overflow(time, speedup_rate(&j->speedup, own), &fits))
		return left;
	return left > fits && left - fits < 2 * second ? fits : left;
}

static int on_started(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = table_find(s->jobs, ev->id);
	bool answer = j && s->asked == j && s->starting;
	bool spare = answer && (int32_t)nodeset_count(s->allowed) > j->n;
	const struct nodeset *nodes = ev->nodes || !answer ? ev->nodes : s->allowed;
	uint32_t stays;

	if (!j)
		return malleable_hold(s, ev, false);
	if (j->start >= 0)
		return call_fail(&s->call, PACT_EPROTO, "started, but it runs", ev->id);
	if (!malleable_is_time(ev->start))
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	if (ev->nodes || !answer || spare) {
		if (call_nodes(&s->call, ev, s->nodes) != PACT_OK)
			return PACT_EINVAL;
	}
	if (call_stays(&s->call, ev, nodes, &stays) != PACT_OK)
		return PACT_EINVAL;
	if (answer)
		s->asked = NULL;
	job_wait_no_more(s, j);
	accepted_remove(s, j);
	if (!j->listed)
		running_add(s, j);
	j->start = ev->start;
	j->done.since = ev->start;
	j->unconfirmed = j->failed = j->kept = false;
	j->cleans = 0;
	job_set_at(s, j, nodes, ev->start);
	settle_width(j);
	if (ev->left > 0) {
		j->done.left = left_of(s, j, ev);
		j->done.since = s->now;
	}
	if (answer && !spare ? !nodeset_equal(j->at, s->allowed) : !is_decided(s, j, j->at))
		accept_facts(s, j);
	if (j->has < j->n)
		allot_order(s, j);
	allot_lead(s, j, stays);
	return PACT_OK;
}

static int on_start_failed(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = s->asked;

	if (!j || !s->starting || j->id != ev->id)
		return call_fail(&s->call, PACT_EPROTO, "is not being started", ev->id);
	j->failed = s->odd = true;
	if (ev->reserve) {
		/* its fewest are no other job's until it is tried again */
		j->kept = true;
		s->asked = NULL;
		return PACT_OK;
	}
	malleable_leave(s, j);
	wait_again(s, j);
	s->dirty = true;
	return PACT_OK;
}

/* ---- running jobs ---- */

/* What it was asked for is what is decided already: what waits for it goes on. */
static int give_back(struct malleable *s, struct job *j, const struct nodeset *nodes)
{
	uint32_t first = j->first;
	bool more = allot_follow(s, j, nodes);

	job_set_at(s, j, nodes, s->now);
	if (j->first != first)
		allot_lead(s, j, nodeset_next(j->at, 0));
	if (!more)
		return PACT_OK;
	malleable_drop(s);
	malleable_decide(s, NULL, true);
	return PACT_OK;
}

/* Did it give some back just now, or are they clean and it has them again? False: what it has been told to have has changed, too. */
static bool only_works(struct malleable *s, struct job *j, const struct sched_event *ev)
{
	if (s->asked == j || ev->cleans == j->cleans || !nodeset_equal(j->at, ev->nodes))
		return false;
	j->cleans = ev->cleans;
	job_set_at(s, j, ev->nodes, s->now);
	return true;
}

static int on_resized(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);
	bool answer = j && s->asked == j && !s->starting;

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (call_works(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	if (only_works(s, j, ev))
		return PACT_OK;
	j->cleans = ev->cleans;
	if (!answer && j->leaving)
		return give_back(s, j, ev->nodes);
	job_set_at(s, j, ev->nodes, s->now);
	if (answer) {
		s->asked = NULL;
		notice_keep(s, j, s->allowed);
	}
	if (answer && notice_is_kept(s, j, s->allowed))
		return PACT_OK;
	accept_facts(s, j);
	if (!answer)
		malleable_decide(s, NULL, true);
	return PACT_OK;
}

/* It was told; or, of a driver that has just come up, it was by an earlier one to keep ev->nodes. */
static int on_leaving(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);

	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	if (s->asked == j && !s->starting) {
		if (nodeset_subset(j->at, s->allowed))
			return call_fail(&s->call, PACT_EPROTO, "has nothing to give back", ev->id);
		s->asked = NULL;
		notice_give(s, j, s->allowed, s->asked_by);
		return PACT_OK;
	}
	if (!ev->nodes)
		return call_fail(&s->call, PACT_EPROTO, "nothing was asked for", ev->id);
	if (!malleable_is_time(ev->end))
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	if (call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	notice_give(s, j, ev->nodes, ev->end > 0 ? ev->end : s->now + notice_of(s, j));
	accept_facts(s, j);
	malleable_decide(s, NULL, true);
	return PACT_OK;
}

/* The answer to what is asked for; or, what it was told to give back stays its. */
static int on_refused(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = s->asked;

	if (!j || s->starting || j->id != ev->id) {
		j = find_running(s, ev->id);
		if (!j || !j->leaving)
			return call_fail(&s->call, PACT_EPROTO, "nothing was asked for", ev->id);
		notice_keep(s, j, NULL);
	} else {
		s->asked = NULL;
	}
	j->stuck = s->odd = true;
	accept_facts(s, j);
	return PACT_OK;
}

static int on_finish(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);
	struct held *x = j ? NULL : table_find(s->holds, ev->id);

	if (x)
		end_hold(s, x);
	if (x)
		return PACT_OK;
	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job runs", ev->id);
	malleable_leave(s, j);
	table_remove(s->jobs, j->id);
	malleable_job_destroy(j);
	malleable_decide(s, NULL, true);
	return PACT_OK;
}

static int on_end_changed(struct malleable *s, const struct sched_event *ev)
{
	struct job *j = find_running(s, ev->id);
	struct held *x = j ? NULL : table_find(s->holds, ev->id);
	int64_t own;

	if (x)
		x->end = ev->end;
	if (x)
		return PACT_OK;
	if (!j)
		return call_fail(&s->call, PACT_ENOENT, "no such job or hold", ev->id);
	own = malleable_own_end(s, j);
	progress_advance(&j->done, s->now);
	if (ev->reserve && own < ev->end && ev->end < PACT_END_OF_TIME)
		progress_stood(&j->done, ev->end - own);
	else
		j->done.left = progress_left(ev->end, s->config.guard,
					     speedup_rate(&j->speedup, j->least), s->now);
	malleable_decide(s, NULL, true);
	return PACT_OK;
}

/* ---- all of them ---- */

static bool is_answer(enum sched_event_type type)
{
	return type == EV_STARTED || type == EV_START_FAILED || type == EV_RESIZED ||
	       type == EV_LEAVING || type == EV_REFUSED;
}

/* What was refused may be tried again. */
static void forget_odd(struct malleable *s)
{
	struct job *j;

	for (size_t i = 0; (j = table_next(s->jobs, &i));)
		j->stuck = j->failed = false;
	s->odd = false;
	s->dirty = true;
}

static int apply(struct malleable *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return malleable_submit(s, ev);
	case EV_CONFIRM:
		return malleable_confirm(s, ev);
	case EV_CHANGE:
		return malleable_change(s, ev);
	case EV_PRIORITY:
		return malleable_priority(s, ev);
	case EV_WITHDRAW:
		return malleable_withdraw(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_START_FAILED:
		return on_start_failed(s, ev);
	case EV_END_CHANGED:
		return on_end_changed(s, ev);
	case EV_FINISH:
		return on_finish(s, ev);
	case EV_BLOCK:
		return malleable_hold(s, ev, false);
	case EV_TIME:
		if (s->now >= s->wake)
			malleable_decide(s, NULL, true);
		return PACT_OK;
	case EV_RESIZED:
		return on_resized(s, ev);
	case EV_LEAVING:
		return on_leaving(s, ev);
	case EV_REFUSED:
		return on_refused(s, ev);
	default:
		break;
	}
	return call_fail(&s->call, PACT_EINVAL, "suspended, moved, shared or of a policy: not here",
			 ev->id);
}

int malleable_event(void *own, const struct sched_event *ev)
{
	struct malleable *s = own;

	call_begin(&s->call);
	if (!malleable_is_time(ev->now))
		return call_fail(&s->call, PACT_EINVAL, "time is none", ev->id);
	if (malleable_reserve(s, 0) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	s->now = ev->now > s->now ? ev->now : s->now;
	s->told = false;
	if (s->odd && !is_answer(ev->type))
		forget_odd(s);
	begin_holds(s);
	return apply(s, ev);
}
