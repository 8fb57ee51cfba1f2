/* SPDX-License-Identifier: GPL-2.0-or-later */
/* margin: see margin.h. Two heaps, of which one is in use at a time: by the least loss, or by the largest gain. */
#include "core/malleable/margin.h"

#include "core/base/heap.h"
#include "core/malleable/allot.h"

int64_t margin_worth(const struct malleable *s, const struct job *j, int32_t n)
{
	int64_t rate;

	if (n <= 0 || !j->payoff.value || !j->deadline)
		return 0;
	rate = n == j->n ? j->rate : speedup_rate(&j->speedup, n);
	return payoff_at(&j->payoff, progress_end(j->done.left, rate, s->now));
}

/* ---- the heap ---- */

static bool comes_first(const struct margin_entry *a, const struct margin_entry *b)
{
	return a->key != b->key ? a->key < b->key : job_older(a->job, b->job);
}

HEAP_FUNCTIONS(entries, struct margin_entry, comes_first)

/* ---- the cheapest ---- */

void margin_changed(struct malleable *s)
{
	s->margin.fresh = false;
}

/* Its next node costs it so much. */
static void set_loss(const struct malleable *s, struct margin_entry *e)
{
	int64_t less = margin_worth(s, e->job, e->n - 1);

	e->key = e->worth - less;
	e->less = less;
}

int32_t margin_begin(struct malleable *s, struct job *to)
{
	struct margin *m = &s->margin;
	bool picky = to->picky || s->closings;

	if (m->fresh && !picky)
		return m->all;
	m->n = 0;
	m->found = 0;
	m->all = m->idle = allot_can(s, to);
	for (size_t i = 0; i < s->running_n; i++) {
		struct job *j = s->running[i];
		int32_t spare = j == to ? 0 : allot_spare(s, j, to);

		if (spare <= 0)
			continue;
		m->all += spare;
		m->heap[m->n] = (struct margin_entry){
			.job = j, .n = j->n, .left = spare, .worth = margin_worth(s, j, j->n)
		};
		set_loss(s, &m->heap[m->n++]);
	}
	entries_make(m->heap, m->n);
	m->fresh = !picky;
	return m->all;
}

int64_t margin_cost(struct malleable *s, int32_t n, int64_t most)
{
	struct margin *m = &s->margin;
	int32_t from_others = n - m->idle;

	if (from_others <= 0)
		return 0;
	while (m->found < from_others && (!m->found || m->cost[m->found - 1] <= most)) {
		struct margin_entry *e = &m->heap[0];

		m->from[m->found] = e->job;
		m->cost[m->found] = (m->found ? m->cost[m->found - 1] : 0) + e->key;
		m->found++;
		e->n--;
		e->worth = e->less;
		if (--e->left)
			set_loss(s, e);
		m->n = entries_again(m->heap, m->n, e->left > 0);
	}
	return m->cost[(m->found < from_others ? m->found : from_others) - 1];
}

void margin_take(struct malleable *s, struct job *to, int32_t n)
{
	struct margin *m = &s->margin;
	int32_t others = n - m->idle;

	allot_take(s, to, n < m->idle ? n : m->idle);
	for (int32_t i = 0; i < others; i++)
		m->from[i]->gives++;
	for (int32_t i = 0; i < others; i++) {
		struct job *j = m->from[i];

		if (j->gives)
			allot_pass(s, j, to, j->gives);
		j->gives = 0;
	}
	m->fresh &= others <= 0;
	m->idle -= n;
	m->all -= n;
}

/* ---- the best ---- */

/* Its next node brings it so much; the heap wants the largest first. */
static void set_gain(const struct malleable *s, struct margin_entry *e)
{
	int64_t more = margin_worth(s, e->job, e->n + 1);

	e->key = e->worth - more;
	e->less = more;
}

void margin_give_out(struct malleable *s)
{
	struct margin *m = &s->margin;

	m->fresh = false;
	m->n = 0;
	for (size_t i = 0; s->idle_n && i < s->running_n; i++) {
		struct job *j = s->running[i];

		if (j->stuck || j->n >= j->most)
			continue;
		m->heap[m->n] = (struct margin_entry){ .job = j,
						       .n = j->n,
						       .worth = margin_worth(s, j, j->n) };
		set_gain(s, &m->heap[m->n++]);
	}
	entries_make(m->heap, m->n);
	while (m->n && s->idle_n) {
		struct margin_entry *e = &m->heap[0];
		bool got = allot_take(s, e->job, 1);

		e->worth = e->less;
		got &= ++e->n < e->job->most;
		if (got)
			set_gain(s, e);
		m->n = entries_again(m->heap, m->n, got);
	}
}
