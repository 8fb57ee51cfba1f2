/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: the engine inside has its say first; when it has no more, what it left is lent, and what it wants back called in.
 * What is given back may be what it waited for: so again, until neither has more to say.
 */
#include "core/loans/state.h"

/* What its action is to a borrower. */
static void note(struct loans *s, struct sched_action *a)
{
	struct borrower *b =
		a->type == ACT_START || a->type == ACT_REFUSE ? borrower_find(s, a->id) : NULL;
	struct sched_view v;

	if (b && a->type == ACT_START) {
		b->chosen = a->alt < b->nalt ? a->alt : 0;
		b->granted = a->limit;
		b->starting = true;
		if (b->floor > b->width) { /* a limit is one on its width */
			a->end = s->now + a->limit;
			b->granted = a->limit = b->limit;
		}
	}
	/* an answer that came late, for lack of memory: it is known nowhere */
	if (b && a->type == ACT_REFUSE && s->kind->engine->view(s->own, a->id, &v) != PACT_OK)
		borrower_remove(s, b);
}

/* False: it has none, or s->call.error says why not. */
static bool next_inside(struct loans *s, struct sched_action *a)
{
	const struct engine *inside = s->kind->engine;

	while (inside->next(s->own, a)) {
		s->stale = true;
		if (a->type != ACT_WAKE) {
			note(s, a);
			return true;
		}
		s->inner_wake = a->end;
	}
	if (*inside->error(s->own))
		inner_failed(s, PACT_ENOMEM);
	else
		s->touched = false;
	return false;
}

/* What it left; false: nothing is to be done, or s->call.error says why not. */
static bool next_loan(struct loans *s, struct sched_action *a)
{
	if (!s->running_n) {
		s->stale = false;
		s->wake = PACT_FOREVER;
		return false;
	}
	if (!s->planned) {
		if (!s->stale)
			return false;
		/* what falls is the plan's first */
		if (floors_fall(s) != PACT_OK || s->touched || floors_make_good(s) != PACT_OK ||
		    s->touched || survey(s) < 0)
			return false;
		s->stale = false;
		lend_plan(s);
	}
	return lend_next(s, a);
}

static bool next_wake(struct loans *s, struct sched_action *a)
{
	int64_t at = s->inner_wake < s->wake ? s->inner_wake : s->wake;

	if (s->told)
		return false;
	s->told = true;
	*a = (struct sched_action){ .type = ACT_WAKE, .end = at };
	return at != PACT_FOREVER;
}

bool loans_next(void *own, struct sched_action *a)
{
	struct loans *s = own;

	call_begin(&s->call);
	if (decided_take(&s->decided, a))
		return true;
	if (s->asked) {
		call_fail(&s->call, PACT_EPROTO, "an action is not answered", s->asked->id);
		return false;
	}
	while (!s->call.error[0] && (s->planned || s->touched || s->stale)) {
		if (s->planned && next_loan(s, a))
			return true;
		if (s->touched && next_inside(s, a))
			return true;
		if (!s->call.error[0] && !s->touched && !s->planned && next_loan(s, a))
			return true;
	}
	return !s->call.error[0] && next_wake(s, a);
}

bool loans_poll(void *own, struct sched_action *a)
{
	struct loans *s = own;

	if (decided_take(&s->decided, a))
		return true;
	return s->touched && s->kind->engine->poll(s->own, a);
}
