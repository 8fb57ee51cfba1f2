/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_msb: QoPS, Figure 1, transcribed step by step as doc/papers.md reads it: every slot is laid
 * out to its end and priced then. The letters in the comments are the figure's.
 */
#include "testsuite/unit/ref_sched.h"

#define MAX_NUMBER INT64_MAX

/* d: infinity when any job is late. */
static int64_t price(const struct ref *r)
{
	int64_t sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct ref_job *j = &r->job[i];
		int64_t wait = j->planned - j->submit, slack = j->due - j->submit - j->estimate;

		if (!j->submitted || j->running || j->done || j->planned < 0)
			continue;
		if (j->planned + j->estimate > j->due)
			return MAX_NUMBER;
		if (r->c->cost == 0)
			sum += wait ? wait * (1 << 20) / slack : 0;
		else
			sum += r->c->cost == 1 ? wait : wait * j->width;
	}
	return sum;
}

/* a to c. */
static void lay_out(struct ref *r, size_t fresh, const size_t *slots, size_t ts, size_t n)
{
	for (size_t i = ts; i < n; i++)
		r->job[slots[i]].planned = -1;
	r->job[fresh].planned = ref_earliest(r, &r->job[fresh]);
	for (size_t i = ts; i < n; i++)
		r->job[slots[i]].planned = ref_earliest(r, &r->job[slots[i]]);
}

static void restore(struct ref *r, const int64_t *planned)
{
	for (size_t i = 0; i < r->n; i++)
		r->job[i].planned = planned[i];
}

bool ref_figure1(struct ref *r, size_t fresh)
{
	size_t slots[r->n];
	size_t n = ref_by_planned(r, slots);
	int64_t before[r->n], cheap_schedule[r->n];
	int64_t cheap_price = MAX_NUMBER; /* A */

	if (r->c->slots_order)
		ref_sort(r, slots, n);
	for (size_t i = 0; i < r->n; i++) /* B */
		before[i] = cheap_schedule[i] = r->job[i].planned;
	for (size_t ts = 0; ts <= n; ts++) { /* C */
		lay_out(r, fresh, slots, ts, n);
		int64_t p = price(r);

		if (p < cheap_price) { /* e */
			cheap_price = p;
			for (size_t i = 0; i < r->n; i++)
				cheap_schedule[i] = r->job[i].planned;
		}
		restore(r, before);
	}
	restore(r, cheap_schedule);
	return cheap_price != MAX_NUMBER; /* D */
}
