/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.c - nodes that look free and that Slurm does not give, see refused_nodes.h */
#include "slurm/records/refused_nodes.h"

/* Seconds before one is tried again. */
#define REFUSED_FOR 120

struct refused {
	int node;
	char *name; /* which it had then */
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
	xfree(r->name);
	r->name = xstrdup(node_record_table_ptr[node]->name);
	r->until = now + REFUSED_FOR;
}

/* The table of nodes may have been read anew: it has become shorter, or that number is another node's. */
static bool holds(const struct refused *r, uint32_t nodes, time_t now)
{
	const node_record_t *node =
		(uint32_t)r->node < nodes ? node_record_table_ptr[r->node] : NULL;

	return r->until > now && node && !xstrcmp(node->name, r->name);
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
