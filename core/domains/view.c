/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the domains show of their jobs, as one. */
#include <stdlib.h>

#include "core/base/array.h"
#include "core/domains/state.h"

static const struct nodeset *show_nodes(struct domains *s, const struct domain *d,
					const struct nodeset *local)
{
	if (!local)
		return NULL;
	to_machine(d, local, s->shown);
	return s->shown;
}

/* A job that runs in several domains is shown by the first of them, with all its nodes. */
int domains_view(const void *own, uint64_t id, struct sched_view *v)
{
	struct domains *s = (struct domains *)own;
	const struct member *m = member_find(s, id);
	struct sched_view more;
	int32_t width = 0;

	if (!m)
		return PACT_ENOENT;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct domain *d = &s->v[i];

		if ((m->in >> i & 1) && d->of->engine->view(d->own, id, &more) == PACT_OK) {
			if (!width) {
				*v = more;
				v->turns.nodes = show_nodes(s, d, more.turns.nodes);
			}
			width += more.width;
		}
	}
	v->width = width;
	return width ? PACT_OK : PACT_ENOENT;
}

enum sched_wait domains_why(const void *own, uint64_t id)
{
	struct domains *s = (struct domains *)own;
	const struct member *m = member_find(s, id);
	const struct domain *d = m ? member_domain(s, m) : NULL;

	return d ? d->of->engine->why(d->own, id) : WAIT_NONE;
}

enum sched_lack domains_lack(void *own, uint64_t id)
{
	struct domains *s = own;
	const struct member *m = member_find(s, id);
	const struct domain *d = m ? member_domain(s, m) : NULL;

	return d && d->of->engine->lack ? d->of->engine->lack(d->own, id) : LACK_NONE;
}

/* By planned start, then submission, then id: as each domain has its own ones. */
static int compare(const void *a, const void *b)
{
	const struct waiting_at *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

size_t domains_waiting(void *own)
{
	struct domains *s = own;
	struct sched_view v;
	size_t all = 0;

	s->waiting_n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		struct domain *d = &s->v[i];
		size_t n = d->of->engine->waiting(d->own);

		all += n;
		if (all && array_grow(&s->waiting, all, sizeof(*s->waiting)) < 0)
			return s->waiting_n;
		for (size_t k = 0; k < n; k++) {
			if (d->of->engine->view_waiting(d->own, k, &v) == PACT_OK)
				s->waiting[s->waiting_n++] =
					(struct waiting_at){ v.start, v.submit, v.id, i, k };
		}
	}
	if (s->waiting_n)
		qsort(s->waiting, s->waiting_n, sizeof(*s->waiting), compare);
	return s->waiting_n;
}

int domains_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct domains *s = own;
	const struct domain *d;

	if (i >= s->waiting_n)
		return PACT_ENOENT;
	d = &s->v[s->waiting[i].domain];
	return d->of->engine->view_waiting(d->own, s->waiting[i].at, v);
}

/* The number in its domain of a node of the machine that it has. */
static uint32_t number_in(const struct domain *d, uint32_t node)
{
	uint32_t low = 0, high = d->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (d->node[middle] <= node)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int domains_node(const void *own, uint32_t node, struct sched_part *part, uint32_t room,
		 struct sched_node_view *v)
{
	const struct domains *s = own;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct domain *d = &s->v[i];

		if (node < nodeset_size(d->nodes) && nodeset_test(d->nodes, node))
			return d->of->engine->node ? d->of->engine->node(d->own, number_in(d, node),
									 part, room, v)
						   : PACT_ENOENT;
	}
	return PACT_ENOENT;
}
