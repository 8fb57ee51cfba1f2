/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds: what occupies nodes and is not a waiting job: running jobs, lost nodes, reservations.
 *
 * A hold covers named nodes during [start, end); holds may overlap, and a node counts as occupied while
 * at least one covers it. From them follows the base plan: what is free when no job waits. Every change
 * is mirrored into a second plan, the one that also has the waiting jobs.
 *
 * A driver that knows no node names (the simulator) may hold mere counts of the machine's only class,
 * which is much cheaper on big machines; such holds are given names when the machine splits into more
 * classes.
 *
 * Invariant: base = all nodes - union per node of its holds - counts of the unnamed holds.
 */
#ifndef PACT_CORE_HOLDS_H
#define PACT_CORE_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/capacity/machine.h"
#include "core/capacity/plan.h"

struct holds;

/* A member that is added here and counts for decisions has to be told by save.c. */
struct hold {
	uint64_t id;
	int64_t start, end;
	struct nodeset *nodes;	  /* NULL: unnamed */
	int32_t count;		  /* nodes it has */
	bool block;		  /* lost or reserved nodes; else a running job */
	int64_t submit, deadline; /* of the running job, for views */
	bool promised, broken;
	int64_t prolonged; /* by how much at last; 0: not */
	/* keeps the nodes of a later block in classes of their own; or NULL */
	struct region *region;
	size_t heap; /* its place in the queue of ends */
};

struct holds *holds_create(struct machine *m, int64_t origin);
void holds_destroy(struct holds *h);

/* The free nodes when no job waits. Changes with every call below. */
struct plan *holds_base(const struct holds *h);

/* Mirror every change into this plan too (NULL: none). */
void holds_mirror(struct holds *h, struct plan *p);

struct hold *holds_find(const struct holds *h, uint64_t id);

/*
 * A new hold. nodes NULL: `count` nodes of the only class or, when there are several classes, nodes
 * that are free now are chosen by the placement's shares. The id must be new. NULL: no memory.
 */
struct hold *holds_add(struct holds *h, uint64_t id, const struct nodeset *nodes,
		       const struct placement *counts, int64_t start, int64_t end, bool block);
/*
 * A running job's hold of `place`, with names for no nodes: the machine has one class, and the place is in
 * the base plan already. The id must be new. NULL: no memory.
 */
struct hold *holds_take_over(struct holds *h, uint64_t id, const struct placement *place);

/*
 * It ends at another time; it goes. Neither can fail: where memory is short the base and the mirror are
 * stale (plan.h), until holds_rebuild().
 */
void holds_set_end(struct holds *h, struct hold *hold, int64_t end);
void holds_remove(struct holds *h, struct hold *hold);

/* It has other nodes from now on, none of which it need have had. 0; -1: no memory, it has what it had. */
int holds_set_nodes(struct holds *h, struct hold *hold, const struct nodeset *nodes);

/*
 * A hold as another of that id was (told.h): its nodes are copied, `region` is taken over as it is.
 * NULL: no memory.
 */
struct hold *holds_restore(struct holds *h, const struct hold *like);
/* Node names are known from now on. */
void holds_set_named(struct holds *h);

/* Forget what lies before now in the base plan. */
void holds_advance(struct holds *h, int64_t now);

/*
 * Prolong every hold whose end is not after due: it is still there, and will be for some time after now.
 * For first seconds, then twice as long each time, at most `most`. True when there was one (the plan got
 * tighter).
 */
bool holds_prolong(struct holds *h, int64_t due, int64_t now, int64_t first, int64_t most);

/* The next end of a running job's hold, or PACT_FOREVER. */
int64_t holds_next_end(const struct holds *h);

/*
 * Count anew after the machine's classes changed, or the base was stale; the mirror is not touched. 0 or -1:
 * no memory.
 */
int holds_rebuild(struct holds *h, int64_t now);

/* Does none begin after now? Then they only end: what is free grows as time goes on. */
bool holds_only_end(const struct holds *h, int64_t now);

/* True when node names are known (any named hold was ever given). */
bool holds_named(const struct holds *h);

/* Is the node covered by no hold at any time of [start, end)? */
bool holds_node_free(const struct holds *h, uint32_t node, int64_t start, int64_t end);

/* Until when what has begun holds it; 0: nothing does. */
int64_t holds_node_until(const struct holds *h, uint32_t node, int64_t now);

/*
 * The parts of [start, end) in which no hold covers the node: up to `room` of them into gaps[][2], in
 * order. Returns how many there are (may exceed room).
 */
int holds_node_gaps(const struct holds *h, uint32_t node, int64_t start, int64_t end,
		    int64_t gaps[][2], int room);

/* Walk: *i starts at 0; NULL at the end. */
struct hold *holds_next(const struct holds *h, size_t *i);

size_t holds_bytes(const struct holds *h);

#endif
