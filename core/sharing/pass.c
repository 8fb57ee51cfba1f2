/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass: what the sharing engine has to say: decided actions, starts of what waits, shares, the next wake-up. */
#include <stdlib.h>
#include <string.h>

#include "core/kernel/decision.h"
#include "core/sharing/state.h"

/* ---- jobs that wait ---- */

static bool is_ready(const struct sharing *s, const struct job *j)
{
	return !j->unconfirmed && !j->terms->failed && j->terms->begin <= s->now / SHARE_SECOND;
}

/* edf: started now, on whatever nodes, it would miss its deadline by its limit. */
static bool is_hopeless(struct sharing *s, const struct job *j)
{
	int64_t runtime;

	if (!j->deadline || j->promised)
		return false;
	return !choose_ever(s, j, &runtime) || runtime > due_of(s, j) - s->now;
}

static void reject(struct sharing *s, struct job *j)
{
	struct sched_decision d;
	struct sched_action a;
	int64_t runtime;

	d = decision_never(choose_ever(s, j, &runtime) ? REFUSE_TOO_LATE : REFUSE_NEVER_FITS);
	a = decided_answer(j->id, &d);
	decided_add(&s->decided, &a);
	waiting_remove(s, j);
	table_remove(s->jobs, j->id);
	sharer_destroy(s, j);
}

/* A promise made earlier that cannot be kept any more: from now on the job is one without a deadline. */
static void give_up(struct sharing *s, struct job *j)
{
	j->late += !j->given_up;
	j->given_up = true;
	note_news(s, j);
}

/* As long as a job waits that has no deadline, at most. */
static int64_t patience(const struct sharing *s, const struct job *j)
{
	int64_t due = due_of(s, j);

	return due >= PACT_END_OF_TIME ? PACT_FOREVER : (due - s->now) / SHARE_SECOND;
}

/* From then on nodes are kept for it. */
static int64_t keep_at(const struct sharing *s, const struct job *j)
{
	int64_t time = j->deadline ? PACT_FOREVER : patience(s, j);

	return time == PACT_FOREVER ? time : j->terms->eligible + time;
}

/* When it is to be due, of a job that waits; restored promises whose time is over as if they had none. */
static int64_t due_of_waiting(struct sharing *s, const struct job *j)
{
	int64_t runtime;

	if (!j->deadline || (due_of(s, j) > s->now && choose_ever(s, j, &runtime) &&
			     runtime <= due_of(s, j) - s->now))
		return due_of(s, j);
	return PACT_END_OF_TIME;
}

/* It gets its nodes if they suit: 1; 0: it waits; -1: no memory. */
static int try_one(struct sharing *s, struct job *j)
{
	int64_t due = due_of_waiting(s, j);
	enum fit fits;
	uint32_t alt;

	if (choose(s, j, due, &alt, &fits) < j->width) {
		if (!s->kind->whole && !s->first && s->now / SHARE_SECOND >= keep_at(s, j))
			choose_kept(s, j);
		return 0;
	}
	if (sharing_due_reserve(s, 1) < 0 ||
	    sharing_place(s, j, s->pick, (uint32_t)j->width, due) < 0)
		return -1;
	if (j->deadline && due == PACT_END_OF_TIME && j->promised)
		give_up(s, j);
	j->terms->chosen = alt;
	waiting_remove(s, j);
	sharing_share_all(s, j);
	in_step_settle(s);
	s->due[s->due_n++] = j;
	return 1;
}

/* A job that waited is in s->due now, or was rejected. False: neither, or no memory (s->call.error). */
static bool pass(struct sharing *s)
{
	for (size_t i = 0; s->dirty && i < s->queue_n;) {
		struct job *j = s->queue[i];
		int rc;

		if (decided_reserve(&s->decided, 1) < 0) {
			call_fail(&s->call, PACT_ENOMEM, "out of memory", j->id);
			return false;
		}
		if (!is_ready(s, j)) {
			i++;
			continue;
		}
		if (s->kind->whole && is_hopeless(s, j)) {
			reject(s, j);
			return true;
		}
		rc = try_one(s, j);
		if (rc < 0)
			call_fail(&s->call, PACT_ENOMEM, "out of memory", j->id);
		if (rc != 0)
			return rc > 0;
		break; /* all wait for it */
	}
	s->dirty = false;
	return false;
}

/* ---- actions ---- */

/* The last of the news, if it is any; false: there is none. */
static bool take_news(struct sharing *s, struct sched_action *a)
{
	while (s->news) {
		struct job *j = s->news;

		s->news = j->news;
		j->has_news = false;
		if (!j->promised || j->broken == (j->late > 0))
			continue;
		j->broken = j->late > 0;
		*a = (struct sched_action){ .type = j->broken ? ACT_BROKEN : ACT_MENDED,
					    .id = j->id,
					    .end = sharing_predict(s, j, NULL) };
		return true;
	}
	return false;
}

/* The shares that the job has on its nodes. */
static void list_shares(struct sharing *s, const struct job *j, struct sched_action *a)
{
	a->nshares = j->n;
	a->shares = s->shares;
	for (uint32_t i = 0; i < j->n; i++)
		s->shares[i] = node_part(&s->node[j->node[i]], j)->share;
}

static void start(struct sharing *s, struct job *j, struct sched_action *a)
{
	nodeset_clear(s->allowed);
	for (uint32_t i = 0; i < j->n; i++)
		nodeset_set(s->allowed, j->node[i]);
	*a = (struct sched_action){ .type = ACT_START,
				    .id = j->id,
				    .alt = j->terms->chosen,
				    .width = j->width,
				    .exact = true,
				    .allowed = s->allowed,
				    .limit = j->limit,
				    .end = sharing_due_by(s, j) };
	if (!s->kind->whole) {
		a->rule = share_rule_name(s->rule);
		list_shares(s, j, a);
	}
	s->starting = j;
}

/* The next job that is to be started, if any. */
static bool take_start(struct sharing *s, struct sched_action *a)
{
	struct job *j;

	if (!s->due_n && pass(s) && decided_take(&s->decided, a))
		return true; /* edf: rejected */
	if (!s->due_n)
		return false;
	j = s->due[0];
	s->due_n--;
	memmove(s->due, s->due + 1, s->due_n * sizeof(*s->due));
	start(s, j, a);
	return true;
}

/* The shares of a node that were given out anew. */
static bool take_shares(struct sharing *s, struct sched_action *a)
{
	while (s->touched_n) {
		uint32_t node = s->touched[--s->touched_n], n = 0;
		const struct node *x = &s->node[node];

		s->node[node].touched = false;
		for (uint32_t i = 0; i < x->n; i++) {
			const struct job *j = x->part[i].of;

			if (j->start < 0)
				continue;
			s->ids[n] = j->id;
			s->shares[n++] = x->part[i].share;
		}
		if (!n)
			continue;
		*a = (struct sched_action){ .type = ACT_SHARES,
					    .node = node,
					    .nshares = n,
					    .ids = s->ids,
					    .shares = s->shares };
		return true;
	}
	return false;
}

/* When time alone changes something. */
static int64_t find_wake(const struct sharing *s)
{
	int64_t at = SHARE_NEVER;
	const struct held *x;

	for (size_t i = 0; i < s->queue_n; i++) {
		const struct job *j = s->queue[i];
		int64_t begin = j->terms->begin,
			keep = s->kind->whole ? PACT_FOREVER : keep_at(s, j);

		if (begin > s->now / SHARE_SECOND && begin * SHARE_SECOND < at)
			at = begin * SHARE_SECOND;
		if (keep > s->now / SHARE_SECOND && keep < at / SHARE_SECOND)
			at = keep * SHARE_SECOND;
	}
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		if (!x->begun && x->start * SHARE_SECOND < at)
			at = x->start * SHARE_SECOND;
	}
	for (uint32_t i = 0; s->rule == SHARE_NEAREST && i < s->nodes; i++)
		at = s->until[i] < at ? s->until[i] : at;
	return at;
}

static bool take_wake(struct sharing *s, struct sched_action *a)
{
	int64_t at;

	if (s->told)
		return false;
	s->told = true;
	at = find_wake(s);
	*a = (struct sched_action){ .type = ACT_WAKE,
				    .end = at / SHARE_SECOND,
				    .fine = (int32_t)(at % SHARE_SECOND) };
	return at != SHARE_NEVER;
}

bool sharing_poll(void *own, struct sched_action *a)
{
	struct sharing *s = own;

	return decided_take(&s->decided, a) || take_news(s, a);
}

bool sharing_next(void *own, struct sched_action *a)
{
	struct sharing *s = own;

	call_begin(&s->call);
	if (decided_take(&s->decided, a) || take_news(s, a))
		return true;
	if (s->starting) {
		call_fail(&s->call, PACT_EPROTO, "a start is not answered", s->starting->id);
		return false;
	}
	if (take_start(s, a))
		return true;
	if (s->call.error[0])
		return false;
	return take_news(s, a) || decided_take(&s->learned, a) || take_shares(s, a) ||
	       take_wake(s, a);
}
