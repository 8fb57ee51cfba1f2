/* SPDX-License-Identifier: GPL-2.0-or-later */
/* held: see held.h. */
#include "sim/report/held.h"

bool held_ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

int64_t held_nodes(const struct sim_span *x)
{
	return x->suspended ? 0 : x->width;
}

static int64_t part_of_node(const struct metrics *m, const struct sim_share *e)
{
	int64_t has = m->node && m->node[e->node].processors ? m->node[e->node].processors : 1;
	int64_t takes = m->w->job[e->job].processors;

	return takes ? takes * HELD_NODE_WHOLE / has : HELD_NODE_WHOLE;
}

held_parts held_more(const struct metrics *m, const struct sim_share *e)
{
	int64_t now = e->share == SIM_SHARE_NONE ? 0 : e->share;
	int64_t was = e->was == SIM_SHARE_NONE ? 0 : e->was;

	return (held_parts)(now - was) * part_of_node(m, e);
}

double held_seconds(held_parts parts)
{
	return (double)parts / ((double)SHARE_WHOLE * (double)HELD_NODE_WHOLE * SIM_SECOND);
}
