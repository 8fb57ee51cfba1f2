/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search: a question to a policy, see search.h. */
#include "core/promise/search.h"

#include <string.h>

/* What the new promise must not break. A job that is late already must not become later by it. */
void search_due(struct job *j)
{
	int64_t promised = j->promised ? j->deadline : j->artificial;

	if (j->place.end > promised)
		promised = j->place.end;
	j->due = promised;
}

void search_failed(struct search *q, const struct attempt_report *r)
{
	q->attempts++;
	q->violations = r->violations;
	q->missed = r->critical;
	q->best.expired |= r->expired;
	if (r->critical && (!q->best.critical || r->late < q->best.late)) {
		bool expired = q->best.expired;

		q->best = *r;
		q->best.expired = expired;
	}
}

/* Where a job stood in an order of the last admission, from 1; 0: nowhere. */
static size_t last_rank(const struct job *j)
{
	return (size_t)j->rank + 1;
}

static size_t last_urgency(const struct job *j)
{
	return j->urgency;
}

/*
 * The waiting jobs as they stood in the last admission into v (may be q->order), those it did not know
 * behind. A new job that says it was the first yields to the job that comes before it.
 */
static void recall(struct search *q, size_t (*last)(const struct job *j), struct job **v)
{
	struct planner *s = q->s;
	struct job **at = s->trial.todo, **unknown = s->trial.placed;
	size_t most = 0, n = 0, new = 0;

	for (size_t i = 0; i < q->n; i++)
		most = last(q->order[i]) > most ? last(q->order[i]) : most;
	if (most)
		memset(at, 0, most * sizeof(*at));
	for (size_t i = 0; i < q->n; i++) {
		size_t k = last(q->order[i]);

		if (k && !at[k - 1])
			at[k - 1] = q->order[i];
		else
			unknown[new ++] = q->order[i];
	}
	for (size_t i = 0; n + new < q->n; i++) {
		v[n] = at[i];
		n += at[i] != NULL;
	}
	if (new)
		memcpy(v + n, unknown, new * sizeof(*v));
}

void search_init(struct search *q, struct planner *s, struct job **jobs, size_t n,
		 const struct job *except)
{
	*q = (struct search){ .s = s, .order = s->order, .fresh = jobs, .fresh_n = n };
	for (size_t i = 0; i < s->queue.n; i++) {
		struct job *j = s->queue.v[i];

		if (!j || j == except || j->starting || j->unreserved)
			continue;
		search_due(j);
		q->order[q->n++] = j;
	}
	for (size_t i = 0; i < n; i++) {
		if (jobs[i] != except)
			jobs[i]->slot = s->queue.n + i;
	}
}

struct job **search_fresh(struct search *q)
{
	struct planner *s = q->s;

	if (q->fresh_n)
		memcpy(s->fresh, q->fresh, q->fresh_n * sizeof(*s->fresh));
	order_sort(s->fresh, q->fresh_n, s->config.order, s->now, s->trial.items);
	for (size_t i = 0; i < q->fresh_n; i++) {
		s->fresh[i]->urgency = 0;
		s->fresh[i]->rank = (uint32_t)i;
	}
	return s->fresh;
}

void search_sort(struct search *q)
{
	struct planner *s = q->s;

	if (q->ranked)
		return;
	q->ranked = true;
	recall(q, last_urgency, s->sorted);
	recall(q, last_rank, q->order);
	order_by_start(q->order, q->n, s->trial.items);
	order_sort(s->sorted, q->n, s->config.order, s->now, s->trial.items);
	attempt_number(s, q->order, q->n);
}
