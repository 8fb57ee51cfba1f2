/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lend: from a survey, what is called in and what is lent, and when time alone changes that.
 *
 * What is called in is what a claim wants that begins within a job's notice. What is lent goes node by node to the job
 * whose turn it is (turn.c).
 */
#include "core/loans/state.h"

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---- what is called in ---- */

/* Of each job, when what it has on loan is wanted first. */
static void find_firsts(struct loans *s)
{
	for (size_t i = 0; i < s->running_n; i++) {
		s->running[i]->first = PACT_FOREVER;
		s->running[i]->first_by = 0;
		s->running[i]->firm = false;
	}
	for (uint32_t n = 0; n < s->nodes; n++) {
		struct borrower *b = s->lender[n];

		if (!b || s->wanted[n] >= b->first)
			continue;
		b->first = s->wanted[n];
		b->first_by = s->wanted_by[n];
	}
	/* it matters only where the driver is too late for a whole notice */
	for (size_t i = 0; i < s->running_n; i++) {
		struct borrower *b = s->running[i];

		if (b->first < s->now + borrower_lead(s, b))
			b->firm = loans_promised(s, b->first_by);
	}
}

/* Is what it has on loan to be called in now? */
static bool is_due(const struct loans *s, const struct borrower *b)
{
	return b->lent && b->again <= s->now && b->first <= s->now + borrower_lead(s, b);
}

/* What claims want within its notice, as of now, and by when the first of that is to be back. */
static bool call(struct loans *s, struct borrower *b, struct sched_action *a)
{
	int64_t lead = borrower_lead(s, b), least = s->now + borrower_notice(s, b);

	nodeset_clear(s->taken);
	for (uint32_t n = nodeset_next(b->lent, 0); n < s->nodes;
	     n = nodeset_next(b->lent, n + 1)) {
		if (s->wanted[n] <= s->now + lead)
			nodeset_set(s->taken, n);
	}
	s->call_end = b->first - s->config.lateness;
	s->call_end = s->call_end > least || b->firm ? s->call_end : least;
	s->call_end = loans_then(s, s->call_end); /* firm, and late */
	nodeset_copy(s->allowed, b->at);
	nodeset_and_not(s->allowed, s->taken);
	for (size_t i = 0; i < b->calls; i++)
		nodeset_and_not(s->allowed, b->call[i].nodes);
	s->asked = b;
	s->calling = true;
	*a = (struct sched_action){ .type = ACT_RESIZE,
				    .id = b->id,
				    .width = (int32_t)nodeset_count(s->allowed),
				    .exact = true,
				    .allowed = s->allowed,
				    .end = s->call_end,
				    .cause = b->first_by };
	return true;
}

/* ---- what is lent ---- */

/* When it may be given nodes again; PACT_FOREVER: it can use no more, or would not have them for long. */
static int64_t may_grow(const struct loans *s, const struct borrower *b)
{
	int64_t least = progress_end(b->done.left, b->done.rate, s->now), at;

	if (b->calls || b->again > s->now || borrower_has(b) >= b->most ||
	    least <= s->now + s->config.loan_time)
		return PACT_FOREVER;
	at = b->changed < 0 ? s->now : b->changed + s->config.resize_interval;
	return at > b->more_at ? at : b->more_at;
}

static bool may_have(const struct loans *s, const struct borrower *b, uint32_t n)
{
	const struct nodeset *set = b->nalt ? b->alt[b->chosen] : NULL;

	return (!set || nodeset_test(set, n)) &&
	       s->wanted[n] >= s->now + borrower_lead(s, b) + s->config.loan_time;
}

/* It gets the lowest one that it may have, which is idle no more. False: there is none. */
static bool give_one(struct loans *s, struct borrower *b)
{
	for (uint32_t n = nodeset_next(s->idle, b->below); n < s->nodes;
	     n = nodeset_next(s->idle, n + 1)) {
		if (!may_have(s, b, n))
			continue;
		nodeset_unset(s->idle, n);
		s->after[n] = b->got;
		b->got = n;
		b->below = n + 1;
		return true;
	}
	b->below = s->nodes;
	return false;
}

/* What the plan wants so soon that no job may have it is idle for none. */
static void keep_for_plan(struct loans *s)
{
	int64_t least = PACT_FOREVER;

	for (size_t i = 0; i < s->running_n; i++)
		least = sooner(least, borrower_lead(s, s->running[i]));
	for (uint32_t n = nodeset_next(s->idle, 0); n < s->nodes;
	     n = nodeset_next(s->idle, n + 1)) {
		if (s->wanted[n] < s->now + least + s->config.loan_time)
			nodeset_unset(s->idle, n);
	}
}

/* Those that may be given nodes now. */
static void list_growing(struct loans *s)
{
	s->heap_n = 0;
	for (size_t i = 0; i < s->running_n; i++) {
		const struct borrower *b = s->running[i];

		if (may_grow(s, b) <= s->now) {
			int32_t n = borrower_has(b);

			s->heap[s->heap_n++] =
				(struct lend_entry){ turn_more(s, b, n), i, n, b->most - n };
		}
	}
	turn_heapify(s);
}

static void give_out(struct loans *s)
{
	for (size_t i = 0; i < s->running_n; i++) {
		s->running[i]->below = 0;
		s->running[i]->got = s->nodes;
	}
	if (nodeset_empty(s->idle))
		return;
	list_growing(s);
	while (s->heap_n && !nodeset_empty(s->idle)) {
		struct lend_entry *e = &s->heap[0];
		struct borrower *b = s->running[e->at];
		bool got = give_one(s, b);

		e->key = turn_more(s, b, ++e->n);
		turn_again(s, got && --e->left > 0);
	}
}

/* More nodes, for one that some were found for. */
static bool grow(struct loans *s, struct borrower *b, struct sched_action *a)
{
	if (b->got == s->nodes)
		return false;
	nodeset_clear(s->taken);
	for (uint32_t n = b->got; n < s->nodes; n = s->after[n])
		nodeset_set(s->taken, n);
	nodeset_copy(s->allowed, b->at);
	nodeset_or(s->allowed, s->taken);
	s->asked = b;
	s->calling = false;
	*a = (struct sched_action){ .type = ACT_RESIZE,
				    .id = b->id,
				    .width = (int32_t)nodeset_count(s->allowed),
				    .exact = true,
				    .allowed = s->allowed };
	return true;
}

/* ---- all of it ---- */

/* Is a node left that it may have? */
static bool more_for(struct loans *s, struct borrower *b)
{
	for (uint32_t n = nodeset_next(s->idle, 0); n < s->nodes;
	     n = nodeset_next(s->idle, n + 1)) {
		if (may_have(s, b, n))
			return true;
	}
	return false;
}

/* When what was found is to be looked at again, if nothing happens before. */
static int64_t find_wake(struct loans *s)
{
	int64_t at = PACT_FOREVER, lead = loans_lead(s);
	bool idle = !nodeset_empty(s->idle);

	for (size_t i = 0; i < s->running_n; i++) {
		struct borrower *b = s->running[i];
		int64_t grows = idle ? may_grow(s, b) : s->now;

		if (b->again > s->now)
			at = sooner(at, b->again);
		else if (b->lent && b->first != PACT_FOREVER && !is_due(s, b))
			at = sooner(at, b->first - borrower_lead(s, b));
		if (grows > s->now && grows < at && more_for(s, b))
			at = grows;
	}
	if (s->next_claim != PACT_FOREVER)
		at = sooner(at, s->next_claim - lead);
	return loans_then(s, at);
}

void lend_plan(struct loans *s)
{
	find_firsts(s);
	keep_for_plan(s);
	give_out(s);
	s->wake = find_wake(s);
	s->planned = true;
	s->todo = 0;
}

/* A driver that comes late must not put off what begins meanwhile: what that is has to be known first. */
int lend_time(struct loans *s)
{
	if (s->running_n && s->now > s->wake) {
		/* names are for those that can have their notice still */
		if (s->now <= s->wake + s->config.lateness && tell_notices(s) != PACT_OK)
			return PACT_ENOMEM;
		if (survey(s) < 0)
			return PACT_ENOMEM;
		find_firsts(s);
	}
	return tell_time(s);
}

/* Calls first: a notice is running already. */
bool lend_next(struct loans *s, struct sched_action *a)
{
	size_t n = s->running_n;

	while (s->todo < 2 * n) {
		struct borrower *b = s->running[s->todo < n ? s->todo : s->todo - n];
		bool calls = s->todo++ < n;

		if (calls ? is_due(s, b) && call(s, b, a) : grow(s, b, a))
			return true;
	}
	s->planned = false;
	return false;
}
