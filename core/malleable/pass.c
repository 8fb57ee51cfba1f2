/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass: what was decided is carried out: decided answers, then those that shrink, starts, those that grow, the wake-up. */
#include "core/malleable/accept.h"
#include "core/malleable/allot.h"

/* Is it not to be done by its deadline, as far as is decided? */
static bool is_late(const struct malleable *s, const struct job *j)
{
	if (!j->listed)
		return accept_floor(s, j, accept_latest(s, j)) > j->most;
	return malleable_ends(s, j) > j->deadline - s->config.guard;
}

static bool tell(struct malleable *s, struct job *j, struct sched_action *a)
{
	if (!j->promised || is_late(s, j) == j->broken)
		return false;
	j->broken = !j->broken;
	*a = (struct sched_action){ .type = j->broken ? ACT_BROKEN : ACT_MENDED,
				    .id = j->id,
				    .end = malleable_ends(s, j) };
	return true;
}

/* What has become of promises, one at a time. Where none are made, none holds again. */
static bool find_news(struct malleable *s, struct sched_action *a)
{
	if (!s->kind->judge || !s->news)
		return false;
	for (size_t i = 0; i < s->running_n; i++) {
		progress_advance(&s->running[i]->done, s->now);
		if (tell(s, s->running[i], a))
			return true;
	}
	for (size_t i = 0; i < s->accepted_n; i++) {
		if (tell(s, s->accepted[i], a))
			return true;
	}
	return false;
}

/* There is none, until something happens. */
static bool take_news(struct malleable *s, struct sched_action *a)
{
	if (find_news(s, a))
		return true;
	s->news = false;
	return false;
}

static void find_todo(struct malleable *s)
{
	s->todo_n = s->todo_next = 0;
	s->held_up = false;
	s->step = STEP_SHRINK;
	s->todo_fresh = true;
	for (size_t i = 0; i < s->running_n; i++) {
		struct job *j = s->running[i];

		/* one that is short of nodes to start on waits for the next decision */
		if (j->changed && (j->start >= 0 || j->n >= j->least))
			s->todo[s->todo_n++] = j;
	}
}

/* The job that is to have the first of those that are not in s->allowed; 0: none. */
static uint64_t next_owner(const struct malleable *s, const struct job *j)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if (!nodeset_test(s->allowed, i))
			return s->owner[i] ? s->owner[i]->id : 0;
	}
	return 0;
}

/*
 * Of what it is to have, the nodes that it has, into s->allowed; more: and those that no other job has. How many. A job that
 * waits for others is held up.
 */
static int32_t list(struct malleable *s, const struct job *j, bool more)
{
	int32_t n = 0;

	nodeset_clear(s->allowed);
	for (uint32_t i = j->first; i != NO_NODE; i = s->next[i]) {
		if (more ? !notice_there(s, j, i) : !nodeset_test(j->at, i))
			continue;
		nodeset_set(s->allowed, i);
		n++;
	}
	s->held_up |= more && n < j->n;
	return n;
}

static bool resize(struct malleable *s, struct job *j, int32_t width, int64_t notice,
		   struct sched_action *a)
{
	*a = (struct sched_action){ .type = ACT_RESIZE,
				    .id = j->id,
				    .width = width,
				    .exact = true,
				    .allowed = s->allowed,
				    .end = notice ? s->now + notice : 0 };
	s->asked = j;
	s->asked_by = a->end;
	s->starting = false;
	return true;
}

static bool shrink(struct malleable *s, struct job *j, struct sched_action *a)
{
	int32_t keeps = j->start >= 0 ? list(s, j, false) : 0;

	/* none of them: it gets others in the same step, later */
	if (!keeps || (!j->leaving && keeps == j->has) || !notice_is_due(s, j))
		return false;
	resize(s, j, keeps, notice_of(s, j), a);
	a->cause = next_owner(s, j);
	return true;
}

/* Does any job wait that may be started before then? */
static bool any_waits(const struct malleable *s, int64_t until)
{
	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i].job;

		if (j && j->begin < until)
			return true;
	}
	return s->accepted_n;
}

/* By then at the latest it has ended, started now on any number of nodes; its limit is its time on these. */
static int64_t moldable_end(const struct malleable *s, const struct job *j)
{
	return j->limit < PACT_END_OF_TIME ? s->now + j->limit + s->config.guard : PACT_FOREVER;
}

/*
 * Nodes beside its own that a job whose range is for its start only may keep until its end: those that no job is to have
 * by what is decided, as long as none waits, for which they might be before that. They are in s->allowed from then on.
 */
static int32_t add_spare(struct malleable *s, const struct job *j)
{
	int32_t n = 0;

	if (j->widest <= j->n || any_waits(s, moldable_end(s, j)))
		return 0;
	for (uint32_t i = nodeset_next(s->idle, 0); n < j->widest - j->n && i < s->nodes;
	     i = nodeset_next(s->idle, i + 1)) {
		if (!notice_there(s, j, i) || !allot_may(s, j, i))
			continue;
		nodeset_set(s->allowed, i);
		n++;
	}
	return n;
}

static bool start(struct malleable *s, struct job *j, struct sched_action *a)
{
	int32_t n;

	if (j->start >= 0 || j->unconfirmed || j->failed || j->begin > s->now)
		return false;
	n = list(s, j, true);
	if (n < j->least || n < j->floor ||
	    (j->required && !nodeset_subset(j->required, s->allowed)))
		return false;
	*a = (struct sched_action){ .type = ACT_START,
				    .id = j->id,
				    .alt = j->chosen,
				    .width = n,
				    .spare = add_spare(s, j),
				    .exact = true,
				    .allowed = s->allowed,
				    .limit = j->limit,
				    .end = j->promised && !j->broken ? j->deadline - s->config.guard
								     : 0 };
	s->asked = j;
	s->starting = true;
	return true;
}

/* What is there; the rest later. It gives back first what it is to. */
static bool grow(struct malleable *s, struct job *j, struct sched_action *a)
{
	int32_t n;

	if (j->start < 0)
		return false;
	n = list(s, j, true);
	s->held_up |= j->leaving > 0;
	if (j->leaving || !n)
		return false;
	if (n == j->has && nodeset_equal(s->allowed, j->at)) {
		j->changed &= n < j->n;
		return false;
	}
	return resize(s, j, n, 0, a);
}

static bool take_todo(struct malleable *s, struct sched_action *a)
{
	static bool (*const steps[])(struct malleable *, struct job *, struct sched_action *) = {
		[STEP_SHRINK] = shrink,
		[STEP_START] = start,
		[STEP_GROW] = grow,
	};

	if (!s->todo_fresh)
		find_todo(s);
	for (; s->step < STEP_DONE; s->step++, s->todo_next = 0) {
		while (s->todo_next < s->todo_n) {
			if (steps[s->step](s, s->todo[s->todo_next++], a))
				return true;
		}
	}
	return false;
}

/* ---- time ---- */

/* When time alone changes something. */
static int64_t find_wake(const struct malleable *s)
{
	int64_t at = s->kind->wake ? s->kind->wake(s) : PACT_FOREVER;
	const struct held *x;

	for (size_t i = 0; s->begins_by > s->now && i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i].job;

		if (j && j->begin > s->now && j->begin < at)
			at = j->begin;
	}
	for (size_t i = 0; s->closings && (x = table_next(s->holds, &i));) {
		if (!x->begun && x->start < at)
			at = x->start;
	}
	return at;
}

static bool take_wake(struct malleable *s, struct sched_action *a)
{
	if (s->told)
		return false;
	s->told = true;
	s->wake = find_wake(s);
	*a = (struct sched_action){ .type = ACT_WAKE, .end = s->wake };
	return s->wake != PACT_FOREVER;
}

bool malleable_poll(void *own, struct sched_action *a)
{
	struct malleable *s = own;

	/* no recording has that it was asked in vain: that changes nothing */
	return decided_take(&s->decided, a) || (!s->dirty && find_news(s, a));
}

bool malleable_next(void *own, struct sched_action *a)
{
	struct malleable *s = own;

	call_begin(&s->call);
	/* what has become of promises is not known before what is to be decided is */
	if (decided_take(&s->decided, a) || (!s->dirty && take_news(s, a)))
		return true;
	if (s->asked) {
		call_fail(&s->call, PACT_EPROTO, "an action is not answered", s->asked->id);
		return false;
	}
	if (s->dirty) {
		if (malleable_reserve(s, 0) < 0) {
			call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
			return false;
		}
		malleable_decide(s, NULL, true);
	}
	return decided_take(&s->decided, a) || take_news(s, a) || take_todo(s, a) ||
	       take_wake(s, a);
}
