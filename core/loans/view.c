/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the engine inside shows of its jobs, with what they have on loan. */
#include "core/loans/state.h"

int loans_view(const void *own, uint64_t id, struct sched_view *v)
{
	const struct loans *s = own;
	const struct borrower *b = borrower_find(s, id);
	int rc = s->kind->engine->view(s->own, id, v);

	if (rc != PACT_OK || !b || !b->at || b->start < 0)
		return rc;
	v->width = borrower_has(b);
	v->lent = v->width - (int32_t)nodeset_count(b->own);
	v->own = b->own;
	v->lost = borrower_lost(b);
	v->work_end = borrower_work_end(s, b);
	v->own_end = borrower_own_end(s, b);
	v->left = progress_limit(&b->done, speedup_rate(&b->speedup, b->width), s->now);
	for (size_t i = 0; i < b->calls; i++) {
		const struct hold *x = &b->call[i];

		v->called += (int32_t)nodeset_count(x->nodes);
		v->call_by = !v->call_by || x->end < v->call_by ? x->end : v->call_by;
	}
	return rc;
}

enum sched_wait loans_why(const void *own, uint64_t id)
{
	const struct loans *s = own;

	return s->kind->engine->why(s->own, id);
}

size_t loans_waiting(void *own)
{
	struct loans *s = own;

	return s->kind->engine->waiting(s->own);
}

int loans_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct loans *s = own;

	return s->kind->engine->view_waiting(s->own, i, v);
}
