/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell: what the engine inside hears of loans: for each job what it has on loan, as nodes that are lost until a notice
 * from now, and what it was called in for, until that is due. The ids of these holds are chosen so that they are no
 * driver's.
 *
 * Nodes that are held anew are so before those that were held are let go, so that for want of memory they stay held.
 */
#include "core/loans/state.h"

static int out_of_memory(struct loans *s, const struct borrower *b)
{
	return call_fail(&s->call, PACT_ENOMEM, "out of memory", b->id);
}

static int let_go(struct loans *s, struct hold *h)
{
	int rc;

	if (!h->id)
		return PACT_OK;
	rc = inner_event(s, &(struct sched_event){ .type = EV_FINISH, .now = s->now, .id = h->id });
	if (rc != PACT_OK)
		return rc;
	table_remove(s->holds, h->id);
	nodeset_destroy(h->nodes);
	*h = (struct hold){ .id = 0 };
	return rc;
}

/* `nodes` is the hold's, if that succeeds. What was to be over by now is not. */
static int take(struct loans *s, struct borrower *b, struct hold *h, struct nodeset *nodes,
		int64_t end)
{
	uint64_t id;
	int rc;

	end = loans_then(s, end);
	rc = block_make(s, nodes, end, &id);
	if (rc != PACT_OK)
		return rc;
	if (table_insert(s->holds, id, b) < 0) {
		inner_event(s, &(struct sched_event){ .type = EV_FINISH, .now = s->now, .id = id });
		return out_of_memory(s, b);
	}
	*h = (struct hold){ id, end, nodes };
	return rc;
}

static int set_end(struct loans *s, struct hold *h, int64_t end)
{
	struct sched_event ev = { .type = EV_END_CHANGED, .now = s->now, .id = h->id, .end = end };
	int rc = h->id && h->end != end ? inner_event(s, &ev) : PACT_OK;

	if (rc == PACT_OK)
		h->end = end;
	return rc;
}

/* Just these are held until then. */
static int hold(struct loans *s, struct borrower *b, struct hold *h, const struct nodeset *nodes,
		int64_t end)
{
	struct hold fresh = { .id = 0 };
	struct nodeset *set;
	int rc;

	if (nodeset_empty(nodes))
		return let_go(s, h);
	if (h->id && nodeset_equal(h->nodes, nodes))
		return set_end(s, h, end);
	set = nodeset_dup(nodes);
	if (!set)
		return out_of_memory(s, b);
	rc = take(s, b, &fresh, set, end);
	if (rc != PACT_OK) {
		nodeset_destroy(set);
		return rc;
	}
	rc = let_go(s, h);
	if (rc == PACT_OK)
		*h = fresh;
	else
		let_go(s, &fresh);
	return rc;
}

/*
 * Until when the plan has to hold what is on loan: it is back one notice from now. What a driver may be late is for what
 * begins before that: it is not put off as long as there is a notice left; what is promised not even then.
 */
static int64_t back_by(const struct loans *s, const struct borrower *b)
{
	int64_t end = s->now + borrower_lead(s, b), least = end - s->config.lateness;

	if (b->first >= end)
		return end;
	if (b->firm)
		least = s->now + 1;
	end = b->first > least ? b->first : least;
	return loans_then(s, end);
}

/* ---- what it has ---- */

/* Until it has so many, the lowest of these are its own, too. */
static void add_own(struct nodeset *own, const struct nodeset *from, int32_t width)
{
	int32_t missing = width - (int32_t)nodeset_count(own);

	for (uint32_t n = nodeset_next(from, 0); n < nodeset_size(from) && missing > 0;
	     n = nodeset_next(from, n + 1)) {
		missing -= !nodeset_test(own, n);
		nodeset_set(own, n);
	}
}

/*
 * Its own ones of these, at least one; fill: as many as its floor. NULL: no memory.
 */
static struct nodeset *find_own(const struct borrower *b, const struct nodeset *at, bool fill)
{
	struct nodeset *own = b->own ? nodeset_dup(b->own) : nodeset_create(nodeset_size(at));

	if (!own)
		return NULL;
	nodeset_and(own, at);
	add_own(own, at, fill ? b->floor : 1);
	return own;
}

/* To the plan it has just these. */
static int tell_own(struct loans *s, struct borrower *b, struct nodeset *own)
{
	struct sched_event ev = { .type = EV_RESIZED, .now = s->now, .id = b->id, .nodes = own };
	int rc = b->start >= 0 && !nodeset_equal(own, b->own) ? inner_event(s, &ev) : PACT_OK;

	if (rc != PACT_OK) {
		nodeset_destroy(own);
		return rc;
	}
	nodeset_destroy(b->own);
	b->own = own;
	return rc;
}

/* What it was called in for, as far as it has that still and it is not its own; it is taken out of `rest`. */
static int tell_calls(struct loans *s, struct borrower *b, const struct nodeset *at,
		      struct nodeset *rest)
{
	size_t kept = 0;
	int rc = PACT_OK;

	for (size_t i = 0; rc == PACT_OK && i < b->calls; i++) {
		struct nodeset *nodes = nodeset_dup(b->call[i].nodes);

		if (!nodes) {
			rc = out_of_memory(s, b);
			break;
		}
		nodeset_and(nodes, at);
		nodeset_and_not(nodes, b->own);
		nodeset_and_not(rest, nodes);
		rc = hold(s, b, &b->call[i], nodes, b->call[i].end);
		nodeset_destroy(nodes);
	}
	for (size_t i = 0; i < b->calls; i++) {
		if (b->call[i].id)
			b->call[kept++] = b->call[i];
	}
	b->calls = kept;
	return rc;
}

int tell_nodes(struct loans *s, struct borrower *b, const struct nodeset *at, bool fill)
{
	struct nodeset *own = find_own(b, at, fill), *rest = nodeset_dup(at),
		       *all = nodeset_dup(at);
	int rc = own && rest && all ? PACT_OK : out_of_memory(s, b);

	if (rc == PACT_OK) {
		rc = tell_own(s, b, own);
		own = NULL;
	}
	if (rc == PACT_OK) {
		nodeset_and_not(rest, b->own);
		rc = tell_calls(s, b, at, rest);
	}
	if (rc == PACT_OK)
		rc = pool_lend(s, b, rest, back_by(s, b));
	if (rc == PACT_OK) {
		nodeset_destroy(b->at);
		b->at = all;
		b->has = (int32_t)nodeset_count(all);
		all = NULL;
		progress_advance(&b->done, s->now);
		b->done.rate = borrower_rate(b);
	}
	nodeset_destroy(own);
	nodeset_destroy(rest);
	nodeset_destroy(all);
	return rc;
}

/* ---- calls ---- */

/*
 * Until when the plan has to hold what is due by then: a driver may be late to tell. What is promised does not wait for
 * that: where the notice is short already it begins when it was to.
 */
static int64_t held_until(const struct loans *s, const struct borrower *b, int64_t end)
{
	end = (end < PACT_END_OF_TIME ? end : PACT_END_OF_TIME) + s->config.lateness;
	if (b->firm && b->first < end)
		end = b->first;
	return loans_then(s, end);
}

int tell_called(struct loans *s, struct borrower *b, const struct nodeset *nodes, int64_t end)
{
	struct nodeset *called, *rest;
	struct hold fresh = { .id = 0 };
	int rc = PACT_OK;

	if (!b->lent || !nodeset_overlap(b->lent, nodes))
		return rc;
	called = nodeset_dup(b->lent);
	rest = nodeset_dup(b->lent);
	if (!called || !rest || borrower_call_room(b) < 0)
		rc = out_of_memory(s, b);
	if (rc == PACT_OK) {
		nodeset_and(called, nodes);
		nodeset_and_not(rest, nodes);
		rc = hold(s, b, &fresh, called, held_until(s, b, end));
	}
	if (rc == PACT_OK)
		rc = pool_lend(s, b, rest, back_by(s, b));
	if (rc == PACT_OK)
		b->call[b->calls++] = fresh;
	else
		let_go(s, &fresh);
	nodeset_destroy(called);
	nodeset_destroy(rest);
	return rc;
}

int tell_refused(struct loans *s, struct borrower *b)
{
	struct nodeset *all = nodeset_dup(b->at);
	int rc = all ? PACT_OK : out_of_memory(s, b);

	if (rc == PACT_OK) {
		nodeset_and_not(all, b->own);
		rc = pool_lend(s, b, all, back_by(s, b));
	}
	while (rc == PACT_OK && b->calls) {
		rc = let_go(s, &b->call[b->calls - 1]);
		b->calls -= rc == PACT_OK;
	}
	nodeset_destroy(all);
	return rc;
}

int tell_gone(struct loans *s, struct borrower *b)
{
	int rc = pool_lend(s, b, NULL, 0);

	while (rc == PACT_OK && b->calls) {
		rc = let_go(s, &b->call[b->calls - 1]);
		b->calls -= rc == PACT_OK;
	}
	return rc;
}

/*
 * The lowest are kept, and the one that stays: Slurm's batch script runs there, and lower ones can have become its own for
 * some that were lost. They are held as lent first, so that for want of memory nothing is free.
 */
int tell_floor(struct loans *s, struct borrower *b, int32_t floor)
{
	struct nodeset *own = nodeset_dup(b->own), *rest = nodeset_dup(b->at);
	int rc = own && rest ? PACT_OK : out_of_memory(s, b);

	if (rc == PACT_OK) {
		int32_t kept = nodeset_test(own, b->stays);

		for (uint32_t n = nodeset_next(own, 0); n < s->nodes;
		     n = nodeset_next(own, n + 1)) {
			if (n != b->stays && ++kept > floor)
				nodeset_unset(own, n);
		}
		nodeset_and_not(rest, own);
		for (size_t i = 0; i < b->calls; i++)
			nodeset_and_not(rest, b->call[i].nodes);
		rc = pool_lend(s, b, rest, back_by(s, b));
	}
	if (rc == PACT_OK) {
		rc = tell_own(s, b, own);
		own = NULL;
	}
	if (rc == PACT_OK)
		b->floor = floor;
	nodeset_destroy(own);
	nodeset_destroy(rest);
	return rc;
}

int tell_made_good(struct loans *s, struct borrower *b, const struct nodeset *spare)
{
	struct nodeset *own = nodeset_dup(b->own), *rest = nodeset_dup(b->lent);
	int rc = own && rest ? PACT_OK : out_of_memory(s, b);

	if (rc == PACT_OK) {
		nodeset_and(rest, spare);
		add_own(own, rest, b->floor);
		nodeset_copy(rest, b->lent);
		nodeset_and_not(rest, own);
		rc = pool_lend(s, b, rest, back_by(s, b));
	}
	if (rc == PACT_OK) {
		rc = tell_own(s, b, own);
		own = NULL;
	}
	nodeset_destroy(own);
	nodeset_destroy(rest);
	return rc;
}

/* ---- time and names ---- */

static int64_t notice_end(const struct loans *s, const struct borrower *b)
{
	int64_t end = s->now + borrower_lead(s, b) - s->config.lateness, is = pool_end(s, b);

	return end > is ? end : is;
}

int tell_notices(struct loans *s)
{
	return pools_time(s, notice_end);
}

int tell_time(struct loans *s)
{
	return pools_time(s, back_by);
}

/* Held under another id. */
static int rename_hold(struct loans *s, struct borrower *b, struct hold *h)
{
	struct nodeset *set = nodeset_dup(h->nodes);
	struct hold fresh = { .id = 0 };
	int rc = set ? take(s, b, &fresh, set, h->end) : out_of_memory(s, b);

	if (rc != PACT_OK) {
		nodeset_destroy(set);
		return rc;
	}
	rc = let_go(s, h);
	if (rc == PACT_OK)
		*h = fresh;
	else
		let_go(s, &fresh);
	return rc;
}

int tell_evade(struct loans *s, uint64_t id)
{
	struct borrower *b;

	if (pool_is(s, id))
		return pool_rename(s, id);
	b = table_find(s->holds, id);
	if (!b)
		return PACT_OK;
	for (size_t i = 0; i < b->calls; i++) {
		if (b->call[i].id == id)
			return rename_hold(s, b, &b->call[i]);
	}
	return PACT_OK;
}
