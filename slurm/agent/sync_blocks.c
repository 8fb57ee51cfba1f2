/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_blocks.c - what nodes are, and which are lost or reserved, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/agent/sync_blocks.h"
#include "slurm/agent/sync_job.h"
#include "slurm/history/history.h"

static uint64_t block(struct sync *s, const struct nodeset *nodes, int64_t start, int64_t end,
		      const char *what)
{
	uint64_t id = ++s->b->next_core;

	return sync_event(s,
			  &(struct sched_event){ .type = EV_BLOCK,
						 .id = id,
						 .nodes = nodes,
						 .start = start,
						 .end = end },
			  what)
		       ? id
		       : 0;
}

/* ---- what they are ---- */

/* Those among the realms' that are like this one and that the core takes for others. */
static bool like(const struct sync *s, uint32_t first, struct nodeset *out)
{
	const struct snap_node *has = s->snap->has, *told = s->b->told;

	for (uint32_t i = first; i < s->snap->nodes; i++)
		if (nodeset_test(s->b->realm, i) && !memcmp(&has[i], &has[first], sizeof(*has)) &&
		    memcmp(&has[i], &told[i], sizeof(*has)))
			nodeset_set(out, i);
	return !nodeset_empty(out);
}

static bool tell_alike(struct sync *s, const struct nodeset *nodes, const struct snap_node *has)
{
	return sync_event(s,
			  &(struct sched_event){ .type = EV_NODES,
						 .nodes = nodes,
						 .processors = has->processors,
						 .memory = has->memory },
			  "what nodes have");
}

void sync_nodes(struct sync *s)
{
	struct bridge *b = s->b;
	struct nodeset *nodes;

	if (!b->realm || nodeset_size(b->realm) != s->snap->nodes)
		return;
	if (!b->told)
		b->told = calloc((size_t)s->snap->nodes + 1, sizeof(*b->told));
	nodes = nodeset_create(s->snap->nodes);
	for (uint32_t i = 0; b->told && nodes && i < s->snap->nodes; i++) {
		nodeset_clear(nodes);
		if (!nodeset_test(b->realm, i) ||
		    !memcmp(&s->snap->has[i], &b->told[i], sizeof(*b->told)) ||
		    !like(s, i, nodes) || !tell_alike(s, nodes, &s->snap->has[i]))
			continue;
		for (uint32_t k = nodeset_next(nodes, 0); k < s->snap->nodes;
		     k = nodeset_next(nodes, k + 1))
			b->told[k] = s->snap->has[k];
	}
	nodeset_destroy(nodes);
}

/* ---- lost and reserved ones ---- */

void sync_down(struct sync *s)
{
	struct bridge *b = s->b;

	if (b->down && nodeset_equal(b->down, s->snap->down))
		return;
	if (b->down_core)
		sync_simple(s, EV_FINISH, b->down_core, "nodes are back");
	b->down_core = 0;
	if (!nodeset_empty(s->snap->down))
		b->down_core =
			block(s, s->snap->down, s->snap->now, PACT_FOREVER, "nodes are lost");
	nodeset_destroy(b->down);
	b->down = nodeset_dup(s->snap->down);
}

/* A reservation's number says nothing: a repeated one gets another each time. */
static bool same_resv(const struct snap_resv *r, const struct block *have)
{
	return r->start == have->start && r->end == have->end &&
	       nodeset_equal(r->nodes, have->nodes);
}

static bool find_resv(const struct snapshot *snap, const struct block *have)
{
	for (size_t i = 0; i < snap->nresvs; i++)
		if (same_resv(&snap->resvs[i], have))
			return true;
	return false;
}

static bool have_resv(const struct bridge *b, const struct snap_resv *r)
{
	for (size_t i = 0; i < b->nblocks; i++)
		if (same_resv(r, &b->blocks[i]))
			return true;
	return false;
}

void sync_resvs(struct sync *s)
{
	struct bridge *b = s->b;
	size_t kept = 0;

	for (size_t i = 0; i < b->nblocks; i++) {
		if (find_resv(s->snap, &b->blocks[i])) {
			b->blocks[kept++] = b->blocks[i];
			continue;
		}
		if (b->blocks[i].core)
			sync_simple(s, EV_FINISH, b->blocks[i].core, "a reservation ended");
		nodeset_destroy(b->blocks[i].nodes);
	}
	b->nblocks = kept;
	for (size_t i = 0; i < s->snap->nresvs; i++) {
		const struct snap_resv *r = &s->snap->resvs[i];
		struct block *more;

		if (have_resv(b, r))
			continue;
		more = realloc(b->blocks, (b->nblocks + 1) * sizeof(*more));
		if (!more)
			return;
		b->blocks = more;
		more[b->nblocks++] = (struct block){
			.start = r->start,
			.end = r->end,
			.nodes = nodeset_dup(r->nodes),
			.core = block(s, r->nodes, r->start, r->end, "a reservation"),
		};
	}
}
