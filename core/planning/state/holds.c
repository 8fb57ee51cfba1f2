/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds: see holds.h. A hold on nodes that have no other hold (nearly all) costs one profile operation
 * per class; where holds overlap on a node, the node's covered time is taken out and put back whole.
 * Ends are in a binary heap, so that overdue holds are found without looking at the others.
 */
#include "core/planning/state/holds.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/freelist.h"
#include "core/base/table.h"

struct node {
	struct hold **v;
	uint32_t n, room;
};

struct holds {
	struct machine *machine;
	struct plan *base, *mirror;
	struct table *table;
	struct node *node;  /* per node, its named holds */
	int32_t *per_class; /* scratch, one per node at most */
	struct hold **heap;
	size_t heap_n, heap_room;
	size_t unnamed;
	int64_t last_start;  /* of all that ever were */
	uint64_t generation; /* of the machine, for which the base counts */
	bool named;
	struct freelist freed; /* holds that ended */
};

struct holds *holds_create(struct machine *m, int64_t origin)
{
	struct holds *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->machine = m;
	h->generation = machine_generation(m);
	h->base = plan_create(m, origin);
	h->table = table_create();
	h->node = calloc(machine_nodes(m), sizeof(*h->node));
	h->per_class = calloc(machine_nodes(m), sizeof(*h->per_class));
	if (!h->base || !h->table || !h->node || !h->per_class) {
		holds_destroy(h);
		return NULL;
	}
	return h;
}

void holds_destroy(struct holds *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->heap_n; i++) {
		nodeset_destroy(h->heap[i]->nodes);
		free(h->heap[i]);
	}
	for (uint32_t n = 0; h->node && n < machine_nodes(h->machine); n++)
		free(h->node[n].v);
	freelist_release(&h->freed);
	free(h->heap);
	free(h->node);
	free(h->per_class);
	table_destroy(h->table);
	plan_destroy(h->base);
	free(h);
}

struct plan *holds_base(const struct holds *h)
{
	return h->base;
}

void holds_mirror(struct holds *h, struct plan *p)
{
	h->mirror = p;
}

struct hold *holds_find(const struct holds *h, uint64_t id)
{
	return table_find(h->table, id);
}

bool holds_only_end(const struct holds *h, int64_t now)
{
	return h->last_start <= now;
}

bool holds_named(const struct holds *h)
{
	return h->named;
}

/* ---- the queue of ends ---- */

static void heap_set(struct holds *h, size_t i, struct hold *x)
{
	h->heap[i] = x;
	x->heap = i;
}

static void heap_fix(struct holds *h, size_t i)
{
	struct hold *x = h->heap[i];

	while (i && h->heap[(i - 1) / 2]->end > x->end) {
		heap_set(h, i, h->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	for (;;) {
		size_t c = 2 * i + 1;

		if (c + 1 < h->heap_n && h->heap[c + 1]->end < h->heap[c]->end)
			c++;
		if (c >= h->heap_n || h->heap[c]->end >= x->end)
			break;
		heap_set(h, i, h->heap[c]);
		i = c;
	}
	heap_set(h, i, x);
}

static int heap_push(struct holds *h, struct hold *x)
{
	if (h->heap_n == h->heap_room) {
		size_t room = h->heap_room ? h->heap_room * 2 : 64;
		struct hold **heap = realloc(h->heap, room * sizeof(*heap));

		if (!heap)
			return -1;
		h->heap = heap;
		h->heap_room = room;
	}
	heap_set(h, h->heap_n++, x);
	heap_fix(h, h->heap_n - 1);
	return 0;
}

static void heap_remove(struct holds *h, struct hold *x)
{
	struct hold *last = h->heap[--h->heap_n];

	if (last == x)
		return;
	heap_set(h, x->heap, last);
	heap_fix(h, last->heap);
}

/* ---- counts ---- */

/*
 * What a hold covers is known by its nodes and times; the counts follow from that. So a change of them
 * does not fail: without memory, or while the machine has classes that have not been counted yet, the base is
 * stale, and holds_rebuild() makes it from the holds.
 */
static void add_both(struct holds *h, uint32_t cls, int64_t start, int64_t end, int32_t delta)
{
	if (h->generation != machine_generation(h->machine))
		plan_make_stale(h->base);
	if (plan_add(h->base, cls, start, end, delta) < 0 && h->mirror)
		plan_make_stale(h->mirror);
	if (h->mirror)
		plan_add(h->mirror, cls, start, end, delta);
}

static int by_start(const void *a, const void *b)
{
	const struct hold *x = *(struct hold *const *)a, *y = *(struct hold *const *)b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Add delta over the union of the node's holds. */
static void add_union(struct holds *h, uint32_t n, int32_t delta)
{
	struct node *node = &h->node[n];
	uint32_t cls = machine_class_of(h->machine, n);

	if (!node->n)
		return;
	qsort(node->v, node->n, sizeof(*node->v), by_start);
	int64_t start = node->v[0]->start, end = node->v[0]->end;

	for (uint32_t i = 1; i < node->n; i++) {
		if (node->v[i]->start > end) {
			add_both(h, cls, start, end, delta);
			start = node->v[i]->start;
			end = node->v[i]->end;
		} else if (node->v[i]->end > end) {
			end = node->v[i]->end;
		}
	}
	add_both(h, cls, start, end, delta);
}

static int node_push(struct node *node, struct hold *x)
{
	if (node->n == node->room) {
		uint32_t room = node->room ? node->room * 2 : 2;
		struct hold **v = realloc(node->v, room * sizeof(*v));

		if (!v)
			return -1;
		node->v = v;
		node->room = room;
	}
	node->v[node->n++] = x;
	return 0;
}

static void node_pull(struct node *node, const struct hold *x)
{
	for (uint32_t i = 0; i < node->n; i++) {
		if (node->v[i] == x) {
			node->v[i] = node->v[--node->n];
			return;
		}
	}
}

/* Apply the counts gathered in per_class over the hold's time, and clear them. */
static void flush_classes(struct holds *h, const struct hold *x, int sign)
{
	for (uint32_t c = 0; c < machine_classes(h->machine); c++) {
		if (h->per_class[c])
			add_both(h, c, x->start, x->end, sign * h->per_class[c]);
		h->per_class[c] = 0;
	}
}

/* Put a named hold onto its nodes. 0; -1: no memory, it may be on some of them. */
static int occupy(struct holds *h, struct hold *x)
{
	uint32_t nodes = machine_nodes(h->machine);
	int rc = 0;

	for (uint32_t n = nodeset_next(x->nodes, 0); n < nodes; n = nodeset_next(x->nodes, n + 1)) {
		struct node *node = &h->node[n];

		if (!node->n) {
			rc |= node_push(node, x);
			h->per_class[machine_class_of(h->machine, n)]++;
			continue;
		}
		add_union(h, n, +1);
		rc |= node_push(node, x);
		add_union(h, n, -1);
	}
	flush_classes(h, x, -1);
	return rc;
}

static void vacate(struct holds *h, struct hold *x)
{
	uint32_t nodes = machine_nodes(h->machine);

	for (uint32_t n = nodeset_next(x->nodes, 0); n < nodes; n = nodeset_next(x->nodes, n + 1)) {
		struct node *node = &h->node[n];

		if (node->n == 1) {
			node->n = 0;
			h->per_class[machine_class_of(h->machine, n)]++;
			continue;
		}
		add_union(h, n, +1);
		node_pull(node, x);
		add_union(h, n, -1);
	}
	flush_classes(h, x, +1);
}

/* A hold that has its nodes gives up its time; and takes it, after its end has changed. */
static void count_out(struct holds *h, struct hold *x)
{
	if (x->nodes)
		vacate(h, x);
	else
		add_both(h, 0, x->start, x->end, x->count);
}

static int count_in(struct holds *h, struct hold *x)
{
	if (x->nodes)
		return occupy(h, x);
	add_both(h, 0, x->start, x->end, -x->count);
	return 0;
}

/* It leaves the lists of its nodes, whichever it is in; what was counted for it is lost count of. */
static void pull_nodes(struct holds *h, const struct hold *x)
{
	for (uint32_t n = 0; n < machine_nodes(h->machine); n++)
		node_pull(&h->node[n], x);
	plan_make_stale(h->base);
	if (h->mirror)
		plan_make_stale(h->mirror);
}

/* `count` nodes of class cls (UINT32_MAX: any) that no named hold covers at `now`, into set. */
static int32_t pick_free(struct holds *h, uint32_t cls, int32_t count, int64_t start, int64_t end,
			 struct nodeset *set)
{
	for (uint32_t n = 0; n < machine_nodes(h->machine) && count > 0; n++) {
		if (cls != UINT32_MAX && machine_class_of(h->machine, n) != cls)
			continue;
		if (nodeset_test(set, n) || !holds_node_free(h, n, start, end))
			continue;
		nodeset_set(set, n);
		count--;
	}
	return count;
}

static struct nodeset *pick_by_shares(struct holds *h, const struct placement *counts,
				      int64_t start, int64_t end)
{
	struct nodeset *set = nodeset_create(machine_nodes(h->machine));
	const struct share *s = placement_shares(counts);

	if (!set)
		return NULL;
	for (uint32_t i = 0; i < counts->nshare; i++) {
		int32_t missing = pick_free(h, s[i].cls, s[i].n, start, end, set);

		/* where a later hold is in the way for part of the time, any node free now will do */
		if (missing)
			pick_free(h, s[i].cls, missing, start, start + 1, set);
	}
	return set;
}

static void hold_free(struct holds *h, struct hold *x)
{
	nodeset_destroy(x->nodes);
	freelist_give(&h->freed, x);
}

/* A new hold takes its nodes, unless it has them. 0; -1: no memory, it is freed. */
static int hold_enter(struct holds *h, struct hold *x, bool has)
{
	if (heap_push(h, x) < 0) {
		hold_free(h, x);
		return -1;
	}
	if (table_insert(h->table, x->id, x) < 0) {
		heap_remove(h, x);
		hold_free(h, x);
		return -1;
	}
	if (!has && count_in(h, x) < 0) {
		pull_nodes(h, x);
		table_remove(h->table, x->id);
		heap_remove(h, x);
		hold_free(h, x);
		return -1;
	}
	h->unnamed += !x->nodes;
	if (x->start > h->last_start)
		h->last_start = x->start;
	return 0;
}

struct hold *holds_add(struct holds *h, uint64_t id, const struct nodeset *nodes,
		       const struct placement *counts, int64_t start, int64_t end, bool block)
{
	struct hold *x = freelist_take(&h->freed, sizeof(*x));

	if (!x)
		return NULL;
	*x = (struct hold){ .id = id, .start = start, .end = end, .block = block };
	if (nodes)
		x->nodes = nodeset_dup(nodes);
	else if (machine_classes(h->machine) > 1 || h->named)
		x->nodes = pick_by_shares(h, counts, start, end);
	else
		x->count = placement_shares(counts)->n;
	if (!x->nodes && (nodes || !x->count)) {
		hold_free(h, x);
		return NULL;
	}
	if (x->nodes)
		x->count = (int32_t)nodeset_count(x->nodes);
	if (hold_enter(h, x, false) < 0)
		return NULL;
	h->named |= nodes != NULL;
	return x;
}

struct hold *holds_take_over(struct holds *h, uint64_t id, const struct placement *place)
{
	struct hold *x = freelist_take(&h->freed, sizeof(*x));

	if (!x)
		return NULL;
	*x = (struct hold){ .id = id,
			    .start = place->start,
			    .end = place->end,
			    .count = placement_shares(place)->n };
	return hold_enter(h, x, true) < 0 ? NULL : x;
}

struct hold *holds_restore(struct holds *h, const struct hold *like)
{
	struct hold *x = freelist_take(&h->freed, sizeof(*x));

	if (!x)
		return NULL;
	*x = *like;
	if (like->nodes) {
		x->nodes = nodeset_dup(like->nodes);
		if (!x->nodes) {
			freelist_give(&h->freed, x);
			return NULL;
		}
	}
	return hold_enter(h, x, false) < 0 ? NULL : x;
}

void holds_set_named(struct holds *h)
{
	h->named = true;
}

/* Of nodes that it alone has only the time between the ends changes. */
static void move_end(struct holds *h, struct hold *x, int64_t end)
{
	uint32_t nodes = machine_nodes(h->machine);
	int64_t was = x->end;
	struct hold between = { .start = end < was ? end : was, .end = end < was ? was : end };

	for (uint32_t n = nodeset_next(x->nodes, 0); n < nodes; n = nodeset_next(x->nodes, n + 1)) {
		if (h->node[n].n == 1) {
			h->per_class[machine_class_of(h->machine, n)]++;
			continue;
		}
		add_union(h, n, +1);
		x->end = end;
		add_union(h, n, -1);
		x->end = was;
	}
	x->end = end;
	flush_classes(h, &between, end < was ? +1 : -1);
}

void holds_set_end(struct holds *h, struct hold *x, int64_t end)
{
	end = end > x->start ? end : x->start;
	if (end == x->end)
		return;
	if (x->nodes) {
		move_end(h, x, end);
	} else if (end > x->end) {
		add_both(h, 0, x->end, end, -x->count);
		x->end = end;
	} else {
		count_out(h, x);
		x->end = end;
		count_in(h, x);
	}
	heap_fix(h, x->heap);
}

/* It is on no nodes of `gone` any more (NULL: it had no names), and on those of `come`. 0; -1: no memory, it is on none. */
static int move(struct holds *h, struct hold *x, struct nodeset *gone, struct nodeset *come)
{
	if (gone) {
		x->nodes = gone;
		vacate(h, x);
	} else {
		count_out(h, x);
	}
	x->nodes = come;
	if (occupy(h, x) == 0)
		return 0;
	pull_nodes(h, x);
	return -1;
}

/* What it keeps is left alone. */
int holds_set_nodes(struct holds *h, struct hold *x, const struct nodeset *nodes)
{
	struct nodeset *old = x->nodes, *set = nodeset_dup(nodes), *come = nodeset_dup(nodes);
	struct nodeset *gone = old ? nodeset_dup(old) : NULL;
	int rc = set && come && (!old || gone) ? 0 : -1;

	if (rc == 0 && old) {
		nodeset_and_not(gone, nodes);
		nodeset_and_not(come, old);
	}
	if (rc == 0) {
		rc = move(h, x, gone, come);
		x->nodes = rc == 0 ? set : old;
		if (rc < 0)
			count_in(h, x); /* there was room in the lists */
	}
	nodeset_destroy(gone);
	nodeset_destroy(come);
	nodeset_destroy(rc == 0 ? old : set);
	if (rc < 0)
		return -1;
	h->unnamed -= !old;
	h->named = true;
	x->count = (int32_t)nodeset_count(nodes);
	return 0;
}

void holds_remove(struct holds *h, struct hold *x)
{
	count_out(h, x);
	table_remove(h->table, x->id);
	heap_remove(h, x);
	h->unnamed -= !x->nodes;
	hold_free(h, x);
}

void holds_advance(struct holds *h, int64_t now)
{
	plan_advance(h->base, now);
}

bool holds_prolong(struct holds *h, int64_t due, int64_t now, int64_t first, int64_t most)
{
	bool any = false;

	while (h->heap_n && h->heap[0]->end <= due) {
		struct hold *x = h->heap[0];

		any = true;
		x->prolonged = x->prolonged ? 2 * x->prolonged : first;
		if (x->prolonged > most)
			x->prolonged = most;
		holds_set_end(h, x, plan_end(now, x->prolonged));
	}
	return any;
}

int64_t holds_next_end(const struct holds *h)
{
	return h->heap_n ? h->heap[0]->end : PACT_FOREVER;
}

/* Any nodes that are free while it lasts. 0; -1: no memory, it has none. */
static int name_one(struct holds *h, struct hold *x, int64_t now)
{
	int rc = 0;

	x->nodes = nodeset_create(machine_nodes(h->machine));
	if (!x->nodes)
		return -1;
	if (pick_free(h, UINT32_MAX, x->count, now, x->end, x->nodes))
		pick_free(h, UINT32_MAX, x->count - (int32_t)nodeset_count(x->nodes), now, now + 1,
			  x->nodes);
	for (uint32_t n = nodeset_next(x->nodes, 0); n < machine_nodes(h->machine);
	     n = nodeset_next(x->nodes, n + 1))
		rc |= node_push(&h->node[n], x);
	if (rc < 0) {
		pull_nodes(h, x);
		nodeset_destroy(x->nodes);
		x->nodes = NULL;
	}
	return rc;
}

/* Names for the unnamed holds. */
static int name_all(struct holds *h, int64_t now)
{
	for (size_t i = 0; i < h->heap_n; i++) {
		if (h->heap[i]->nodes)
			continue;
		if (name_one(h, h->heap[i], now) < 0)
			return -1;
		h->unnamed--;
	}
	return 0;
}

int holds_rebuild(struct holds *h, int64_t now)
{
	struct plan *mirror = h->mirror;

	if (plan_reset(h->base, now) < 0)
		return -1;
	h->generation = machine_generation(h->machine);
	if (machine_classes(h->machine) > 1 && h->unnamed && name_all(h, now) < 0) {
		plan_make_stale(h->base);
		return -1;
	}
	h->mirror = NULL;
	for (uint32_t n = 0; n < machine_nodes(h->machine); n++)
		add_union(h, n, -1);
	for (size_t i = 0; h->unnamed && i < h->heap_n; i++) {
		if (!h->heap[i]->nodes)
			count_in(h, h->heap[i]);
	}
	h->mirror = mirror;
	return plan_stale(h->base) ? -1 : 0;
}

bool holds_node_free(const struct holds *h, uint32_t n, int64_t start, int64_t end)
{
	const struct node *node = &h->node[n];

	for (uint32_t i = 0; i < node->n; i++) {
		const struct hold *x = node->v[i];

		if (x->start < end && x->end > start && x->end > x->start)
			return false;
	}
	return true;
}

int64_t holds_node_until(const struct holds *h, uint32_t n, int64_t now)
{
	const struct node *node = &h->node[n];
	int64_t until = 0;

	for (uint32_t i = 0; i < node->n; i++) {
		const struct hold *x = node->v[i];

		if (x->start <= now && x->end > until)
			until = x->end;
	}
	return until;
}

int holds_node_gaps(const struct holds *h, uint32_t n, int64_t start, int64_t end,
		    int64_t gaps[][2], int room)
{
	struct node *node = &h->node[n];
	int count = 0;

	if (node->n > 1)
		qsort(node->v, node->n, sizeof(*node->v), by_start);
	for (uint32_t i = 0; i <= node->n && start < end; i++) {
		int64_t until = i < node->n ? node->v[i]->start : end;

		if (until > end)
			until = end;
		if (until > start) {
			if (count < room) {
				gaps[count][0] = start;
				gaps[count][1] = until;
			}
			count++;
		}
		if (i < node->n && node->v[i]->end > start)
			start = node->v[i]->end;
	}
	return count;
}

struct hold *holds_next(const struct holds *h, size_t *i)
{
	return *i < h->heap_n ? h->heap[(*i)++] : NULL;
}

size_t holds_bytes(const struct holds *h)
{
	size_t bytes = sizeof(*h) + plan_bytes(h->base) + table_bytes(h->table);

	bytes += machine_nodes(h->machine) * (sizeof(*h->node) + sizeof(*h->per_class));
	bytes += h->heap_room * sizeof(*h->heap) + (h->heap_n + h->freed.n) * sizeof(struct hold);
	return bytes;
}
