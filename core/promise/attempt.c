/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attempt: see attempt.h. What is done with a trial before and after Figure 3's steps (figure3.c). */
#include "core/promise/attempt.h"

#include <string.h>

#include "core/planning/arrange/arrange.h"

bool attempt_expired(struct attempt *a)
{
	if (!a->unbounded && call_expired(&a->s->call))
		a->report.expired = true;
	return a->report.expired;
}

/* The jobs in the trial are the attempt's. */
void attempt_drop(struct attempt *a)
{
	struct trial *d = a->trial;
	size_t slots = a->s->queue.n + a->fresh_n;

	if (slots > d->room) /* a new job that is in the queue already counts twice */
		slots = d->room;
	for (size_t i = 0; i < slots; i++) {
		if (d->touched[i])
			placement_clear(&d->at[i]);
	}
	memset(d->touched, 0, slots * sizeof(*d->touched));
}

int attempt_empty(struct planner *s, struct trial *d)
{
	if (plan_copy(d->plan, holds_base(s->holds)) < 0)
		return -1;
	return start_apply(s, d->plan, -1);
}

static void commit(struct planner *s, struct trial *d, struct job **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!d->touched[v[i]->slot])
			continue;
		trial_move(d, v[i]);
		if (v[i]->broken) /* it may have become better; it cannot become worse */
			report_job(s, v[i]);
	}
}

void attempt_commit(struct attempt *a)
{
	struct planner *s = a->s;
	struct plan *t = s->plan;

	commit(s, a->trial, a->prefix, a->ts);
	commit(s, a->trial, a->list, a->list_n);
	commit(s, a->trial, a->fresh, a->fresh_n);
	agenda_spoil(s);
	if (a->list_n || a->report.violations)
		s->news.places++; /* not only those of the new ones */
	s->plan = a->trial->plan;
	a->trial->plan = t;
	holds_mirror(s->holds, s->plan);
}

void attempt_number(struct planner *s, struct job *const *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		order[i]->rank = (uint32_t)i;
		s->sorted[i]->urgency = (uint32_t)i + 1;
	}
}
