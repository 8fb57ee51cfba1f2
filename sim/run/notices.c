/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notices: see notices.h. */
#include "sim/run/notices.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nodeset.h"
#include "core/base/time.h"
#include "core/sched.h"

/* Promises of profit and lazy count on the setting. Loans are called in with a job's own notice whatever it is. */
static int64_t longest_of(const char *scheduler, int64_t setting)
{
	if (!strcmp(scheduler, "profit") || !strcmp(scheduler, "lazy"))
		return setting;
	return setting || strcmp(scheduler, "uniform") != 0 ? PACT_FOREVER : 0;
}

int64_t notices_longest(const char *scheduler, const struct sched_config *config)
{
	int64_t least = PACT_FOREVER;
	char part[64];

	for (uint32_t i = 0; sched_name_part(scheduler, i, part, sizeof(part)); i++) {
		int64_t longest = longest_of(part, config->resize_grace);

		least = longest < least ? longest : least;
	}
	return least;
}

void notices_destroy(struct sim_notices *x)
{
	for (size_t i = 0; x && i < x->n; i++)
		nodeset_destroy(x->v[i].nodes);
	free(x ? x->v : NULL);
	free(x);
}

static struct sim_notices *make(struct sim_notices *x)
{
	struct sim_notices *to = x ? x : calloc(1, sizeof(*to));
	struct sim_notice *grown;
	size_t room;

	if (!to || to->n < to->room)
		return to;
	room = to->room ? 2 * to->room : 4;
	grown = realloc(to->v, room * sizeof(*grown));
	if (grown) {
		to->v = grown;
		to->room = room;
		return to;
	}
	if (!x)
		notices_destroy(to);
	return NULL;
}

struct sim_notices *notices_add(struct sim_notices *x, const struct sim_notice *notice)
{
	struct sim_notices *to = make(x);
	struct nodeset *nodes = to ? nodeset_dup(notice->nodes) : NULL;

	if (nodes) {
		to->v[to->n] = *notice;
		to->v[to->n++].nodes = nodes;
		return to;
	}
	if (to != x)
		notices_destroy(to);
	return NULL;
}

void notices_keep(struct sim_notices *x, const struct nodeset *nodes)
{
	size_t kept = x ? x->over : 0;

	for (size_t i = kept; x && i < x->n; i++) {
		if (x->v[i].left < 0)
			nodeset_and_not(x->v[i].nodes, nodes);
		if (nodeset_empty(x->v[i].nodes))
			nodeset_destroy(x->v[i].nodes);
		else
			x->v[kept++] = x->v[i];
	}
	if (x)
		x->n = kept;
}

void notices_skip(const struct sim_notices *x, struct nodeset *nodes)
{
	for (size_t i = x ? x->over : 0; x && i < x->n; i++) {
		if (x->v[i].left < 0)
			nodeset_and_not(nodes, x->v[i].nodes);
	}
}

static int64_t leaves(const struct sim_notice *n)
{
	return n->gives < n->due ? n->gives : n->due;
}

int64_t notices_next(const struct sim_notices *x)
{
	int64_t next = PACT_FOREVER;

	for (size_t i = x ? x->over : 0; x && i < x->n; i++) {
		if (x->v[i].left < 0 && leaves(&x->v[i]) < next)
			next = leaves(&x->v[i]);
	}
	return next;
}

void notices_leave(struct sim_notices *x, int64_t now, struct nodeset *nodes)
{
	for (size_t i = x ? x->over : 0; x && i < x->n; i++) {
		if (x->v[i].left >= 0 || leaves(&x->v[i]) > now)
			continue;
		nodeset_and_not(nodes, x->v[i].nodes);
		x->v[i].left = now;
	}
	while (x && x->over < x->n && x->v[x->over].left >= 0)
		x->over++;
}
