/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aways: see aways.h. */
#include "sim/check/aways.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/nodeset.h"

static bool add(struct aways *v, int64_t from, int64_t to)
{
	if (v->n == v->room) {
		if (array_grow(&v->away, 2 * v->room + 8, sizeof(*v->away)) < 0)
			return false;
		v->room = 2 * v->room + 8;
	}
	v->away[v->n++] = (struct away){ from, to };
	return true;
}

/* What of that time it had nodes of the promised one. */
static bool add_common(struct aways *v, const struct sim_outcome *o, const struct sim_outcome *p)
{
	const struct sim_history *h = o->history;
	bool ok = true;

	if (!h && nodeset_overlap(o->nodes, p->nodes))
		return add(v, p->start > o->start ? p->start : o->start,
			   p->end < o->end ? p->end : o->end);
	for (size_t k = 0; h && k < h->n && ok; k++) {
		const struct sim_span *x = &h->span[k];

		if (x->nodes && x->from < p->end && x->to > p->start &&
		    nodeset_overlap(x->nodes, p->nodes))
			ok = add(v, p->start > x->from ? p->start : x->from,
				 p->end < x->to ? p->end : x->to);
	}
	return ok;
}

static int by_begin(const void *a, const void *b)
{
	const struct away *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* In order, none touches the next. */
static void merge(struct aways *v)
{
	size_t n = 0;

	if (v->n > 1)
		qsort(v->away, v->n, sizeof(*v->away), by_begin);
	for (size_t i = 0; i < v->n; i++) {
		if (!n || v->away[i].from > v->away[n - 1].to)
			v->away[n++] = v->away[i];
		else if (v->away[i].to > v->away[n - 1].to)
			v->away[n - 1].to = v->away[i].to;
	}
	v->n = n;
}

bool find_aways(const struct sim_outcome *out, const size_t *promised, size_t n, size_t job,
		struct aways *v)
{
	const struct sim_outcome *o = &out[job];

	v->n = 0;
	for (size_t i = 0; i < n && o->nodes; i++) {
		const struct sim_outcome *p = &out[promised[i]];

		if (p->nodes && p->start < o->end && p->end > o->start && !add_common(v, o, p))
			return false;
	}
	merge(v);
	return true;
}

bool note_aways(struct sim_outcome *out, size_t n)
{
	size_t *promised = malloc((n + 1) * sizeof(*promised)), count = 0;
	struct aways v = { .n = 0 };
	bool ok = promised;

	for (size_t i = 0; i < n && ok; i++)
		if (out[i].promised && out[i].end >= 0)
			promised[count++] = i;
	for (size_t i = 0; i < n && ok; i++) {
		if (out[i].promised || out[i].end < 0)
			continue;
		ok = find_aways(out, promised, count, i, &v);
		for (size_t k = 0; k < v.n; k++)
			out[i].aside += v.away[k].to - v.away[k].from;
	}
	free(promised);
	free(v.away);
	return ok;
}
