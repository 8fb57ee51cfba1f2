/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.c - nodes that look free and that Slurm does not give, see refused_nodes.h */
#include "slurm/records/refused_nodes.h"

/* Seconds before one is tried again. */
#define REFUSED_FOR 120

struct refused {
	int node;
	time_t until;
	struct refused *next;
};

static struct refused *all; /* under slurmctld's node lock; no node is in it twice */

void refused_nodes_add(int node, time_t now)
{
	struct refused *r = all;

	while (r && r->node != node)
		r = r->next;
	if (!r) {
		r = xmalloc(sizeof(*r));
		r->node = node;
		r->next = all;
		all = r;
	}
	r->until = now + REFUSED_FOR;
}

/* The table of nodes may have become shorter. */
static bool holds(const struct refused *r, uint32_t nodes, time_t now)
{
	return r->until > now && (uint32_t)r->node < nodes;
}

void refused_nodes_leave_out(bitstr_t *set, time_t now)
{
	for (const struct refused *r = all; r; r = r->next) {
		if (holds(r, (uint32_t)bit_size(set), now))
			bit_clear(set, r->node);
	}
}

void refused_nodes_put_in(struct nodeset *set, time_t now)
{
	for (const struct refused *r = all; r; r = r->next) {
		if (holds(r, nodeset_size(set), now))
			nodeset_set(set, (uint32_t)r->node);
	}
}
