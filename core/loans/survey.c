/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey: what is idle, and what the plan wants when, from the claims of the engine inside. Claims are looked at as far
 * ahead as matters: a notice and LoanTime.
 */
#include <stdlib.h>

#include "core/loans/state.h"

static int64_t horizon(const struct loans *s)
{
	return s->now + loans_lead(s) + s->config.loan_time + 1;
}

/* A driver may have told that two have a node: it is that of the younger one then. */
static void find_lenders(struct loans *s)
{
	if (!s->crossed)
		return;
	s->crossed = false;
	for (uint32_t n = 0; n < s->nodes; n++)
		s->lender[n] = NULL;
	for (size_t i = 0; i < s->running_n; i++) {
		struct borrower *b = s->running[i];

		b->lends = 0;
		for (uint32_t n = b->lent ? nodeset_next(b->lent, 0) : s->nodes; n < s->nodes;
		     n = nodeset_next(b->lent, n + 1)) {
			if (s->lender[n]) {
				s->lender[n]->lends--;
				s->crossed = true;
			}
			s->lender[n] = b;
			b->lends++;
		}
	}
}

/* What is yet to begin wants its nodes. */
static void note_claim(struct loans *s, const struct engine_claim *c)
{
	for (uint32_t n = nodeset_next(c->nodes, 0); n < s->nodes;
	     n = nodeset_next(c->nodes, n + 1)) {
		if (c->start >= s->wanted[n])
			continue;
		s->wanted[n] = c->start;
		s->wanted_by[n] = c->id;
	}
}

/* The claims of the engine inside, by names that leave what is on loan for last. SIZE_MAX: no memory, s->call.error says so. */
static size_t ask_claims(struct loans *s, struct engine_claims *how)
{
	size_t n;

	find_lenders(s);
	for (size_t i = 0; i < s->running_n; i++)
		progress_advance(&s->running[i]->done, s->now);
	turn_begin(s);
	how->order = turn_node;
	how->arg = s;
	how->blocks = true;
	how->idle = s->idle;
	n = s->kind->engine->claims(s->own, how);
	if (n == SIZE_MAX)
		call_fail(&s->call, PACT_ENOMEM, "out of memory", 0);
	return n;
}

int survey(struct loans *s)
{
	struct engine_claims how = { .before = horizon(s) };
	size_t n = ask_claims(s, &how);
	struct engine_claim c;

	if (n == SIZE_MAX)
		return -1;
	for (uint32_t i = 0; i < s->nodes; i++)
		s->wanted[i] = PACT_FOREVER;
	for (size_t i = 0; i < n; i++) {
		s->kind->engine->claim(s->own, i, &c);
		note_claim(s, &c);
	}
	s->next_claim = how.next;
	return 0;
}

int survey_spare(struct loans *s, int64_t until, bool promises, struct nodeset *out)
{
	struct engine_claims how = { .before = until };
	size_t n = ask_claims(s, &how);
	struct engine_claim c;

	if (n == SIZE_MAX)
		return -1;
	nodeset_fill(out);
	for (size_t i = 0; i < n; i++) {
		s->kind->engine->claim(s->own, i, &c);
		if (!promises || !c.waits || loans_promised(s, c.id))
			nodeset_and_not(out, c.nodes);
	}
	return 0;
}
