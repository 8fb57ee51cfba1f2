/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_blocks.c - nodes that are lost or reserved, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_blocks.h"
#include "slurm/sync/sync_job.h"
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
