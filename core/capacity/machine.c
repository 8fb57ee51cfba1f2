/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine: see machine.h. Regions hang in a small hash table; splitting and merging recompute the
 * partition from the list of live regions in O(regions x nodes), which is rare (a set that no job or
 * reservation had named before), while the answers in between are array look-ups.
 */
#include "core/capacity/machine.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

struct region_impl {
	struct region pub; /* first: a region is known outside by this part */
	struct nodeset *set;
	uint32_t *list;
	uint32_t refs;
	uint64_t hash;
	struct region_impl *next;
};

struct machine {
	uint32_t nodes;
	uint32_t classes;
	uint32_t *class_of;
	int32_t *size;
	uint32_t *demand;
	uint64_t generation;
	uint64_t listing;
	uint32_t forgotten; /* regions gone since the partition was last computed */
	uint32_t regions;
	/* the region of all nodes, once asked for: kept, most jobs use it */
	struct region_impl *all;
	struct region_impl *bucket[BUCKETS];
};

static void region_free(struct region_impl *r)
{
	if (!r)
		return;
	nodeset_destroy(r->set);
	free(r->list);
	free(r);
}

struct machine *machine_create(uint32_t nodes)
{
	struct machine *m = nodes ? calloc(1, sizeof(*m)) : NULL;

	if (!m)
		return NULL;
	m->nodes = nodes;
	m->classes = 1;
	m->class_of = calloc(nodes, sizeof(*m->class_of));
	m->size = calloc(nodes, sizeof(*m->size));
	m->demand = calloc(nodes, sizeof(*m->demand));
	if (!m->class_of || !m->size || !m->demand) {
		machine_destroy(m);
		return NULL;
	}
	m->size[0] = (int32_t)nodes;
	m->generation = 1;
	return m;
}

void machine_destroy(struct machine *m)
{
	if (!m)
		return;
	for (int b = 0; b < BUCKETS; b++) {
		while (m->bucket[b]) {
			struct region_impl *r = m->bucket[b];

			m->bucket[b] = r->next;
			region_free(r);
		}
	}
	free(m->class_of);
	free(m->size);
	free(m->demand);
	free(m);
}

uint32_t machine_nodes(const struct machine *m)
{
	return m->nodes;
}

uint32_t machine_classes(const struct machine *m)
{
	return m->classes;
}

uint32_t machine_class_of(const struct machine *m, uint32_t node)
{
	return m->class_of[node];
}

int32_t machine_class_size(const struct machine *m, uint32_t cls)
{
	return m->size[cls];
}

uint32_t machine_demand(const struct machine *m, uint32_t node)
{
	return m->demand[m->class_of[node]];
}

uint64_t machine_listing(const struct machine *m)
{
	return m->listing;
}

uint64_t machine_generation(const struct machine *m)
{
	return m->generation;
}

/*
 * Split class_of/size (with `classes` classes) by one set. `moved` has room for one number per class:
 * the class that the members of the set go to, or UINT32_MAX. Returns the new number of classes.
 */
static uint32_t split(uint32_t *class_of, int32_t *size, uint32_t classes, uint32_t *moved,
		      int32_t *inside, const struct nodeset *set, uint32_t nodes)
{
	uint32_t before = classes;

	memset(inside, 0, before * sizeof(*inside));
	for (uint32_t n = nodeset_next(set, 0); n < nodes; n = nodeset_next(set, n + 1))
		inside[class_of[n]]++;
	for (uint32_t c = 0; c < before; c++) {
		moved[c] = UINT32_MAX;
		if (inside[c] && inside[c] < size[c]) {
			moved[c] = classes;
			size[classes++] = inside[c];
			size[c] -= inside[c];
		}
	}
	if (classes == before)
		return classes;
	for (uint32_t n = nodeset_next(set, 0); n < nodes; n = nodeset_next(set, n + 1)) {
		if (moved[class_of[n]] != UINT32_MAX)
			class_of[n] = moved[class_of[n]];
	}
	return classes;
}

static int by_demand(const struct machine *m, uint32_t a, uint32_t b)
{
	if (m->demand[a] != m->demand[b])
		return m->demand[a] < m->demand[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void sort_lists(struct machine *m)
{
	for (int b = 0; b < BUCKETS; b++) {
		for (struct region_impl *r = m->bucket[b]; r; r = r->next) {
			for (uint32_t i = 1; i < r->pub.classes; i++) {
				uint32_t c = r->list[i], j = i;

				for (; j && by_demand(m, c, r->list[j - 1]) < 0; j--)
					r->list[j] = r->list[j - 1];
				r->list[j] = c;
			}
		}
	}
}

/* The classes of every region anew, by demand. Lists have room for as many classes as nodes. */
static void list_classes(struct machine *m)
{
	memset(m->demand, 0, m->classes * sizeof(*m->demand));
	for (int b = 0; b < BUCKETS; b++) {
		for (struct region_impl *r = m->bucket[b]; r; r = r->next) {
			uint32_t n = 0;

			for (uint32_t i = nodeset_next(r->set, 0); i < m->nodes;
			     i = nodeset_next(r->set, i + 1)) {
				uint32_t c = m->class_of[i];

				/* demand doubles as a mark: its top bit says "seen in this region" */
				if (m->demand[c] & UINT32_C(0x80000000))
					continue;
				m->demand[c] |= UINT32_C(0x80000000);
				r->list[n++] = c;
			}
			r->pub.classes = n;
			for (uint32_t i = 0; i < n; i++)
				m->demand[r->list[i]] = (m->demand[r->list[i]] & 0x7fffffff) + 1;
		}
	}
	sort_lists(m);
}

/* The partition from nothing, by all live regions. -1: no memory, nothing changed. */
static int repartition(struct machine *m)
{
	uint32_t *class_of = calloc(m->nodes, sizeof(*class_of));
	int32_t *size = calloc(m->nodes, sizeof(*size));
	uint32_t *moved = calloc(m->nodes, sizeof(*moved));
	int32_t *inside = calloc(m->nodes, sizeof(*inside));
	int rc = -1;

	if (class_of && size && moved && inside) {
		uint32_t classes = 1;

		size[0] = (int32_t)m->nodes;
		for (int b = 0; b < BUCKETS; b++) {
			for (struct region_impl *r = m->bucket[b]; r; r = r->next)
				classes = split(class_of, size, classes, moved, inside, r->set,
						m->nodes);
		}
		if (classes != m->classes ||
		    memcmp(class_of, m->class_of, m->nodes * sizeof(*class_of)))
			m->generation++;
		m->classes = classes;
		memcpy(m->class_of, class_of, m->nodes * sizeof(*class_of));
		memcpy(m->size, size, m->nodes * sizeof(*size));
		m->forgotten = 0;
		m->listing++;
		list_classes(m);
		rc = 0;
	}
	free(class_of);
	free(size);
	free(moved);
	free(inside);
	return rc;
}

static struct region_impl *region_new(struct machine *m, struct nodeset *set, uint64_t hash)
{
	struct region_impl *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	/* as many as there could ever be classes in it: it never has to grow */
	r->pub.count = nodeset_count(set);
	r->list = calloc(r->pub.count ? r->pub.count : 1, sizeof(*r->list));
	if (!r->list) {
		free(r);
		return NULL;
	}
	r->set = set;
	r->pub.nodes = set;
	r->pub.cls = r->list;
	r->hash = hash;
	r->next = m->bucket[hash % BUCKETS];
	m->bucket[hash % BUCKETS] = r;
	m->regions++;
	return r;
}

static void region_unlink(struct machine *m, struct region_impl *r)
{
	struct region_impl **at = &m->bucket[r->hash % BUCKETS];

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	m->regions--;
}

bool machine_knows(const struct machine *m, const struct nodeset *nodes)
{
	uint64_t hash = nodes ? nodeset_hash(nodes) : 0;

	if (!nodes) /* it tells no two nodes apart */
		return true;
	for (const struct region_impl *r = m->bucket[hash % BUCKETS]; r; r = r->next) {
		if (r->hash == hash && nodeset_equal(r->set, nodes))
			return true;
	}
	return false;
}

struct region *machine_region(struct machine *m, const struct nodeset *nodes)
{
	if (!nodes && m->all)
		return region_get(&m->all->pub);

	struct nodeset *set = nodes ? nodeset_dup(nodes) : nodeset_create(m->nodes);

	if (!set)
		return NULL;
	if (!nodes)
		nodeset_fill(set);
	uint64_t hash = nodeset_hash(set);

	for (struct region_impl *r = m->bucket[hash % BUCKETS]; r; r = r->next) {
		if (r->hash == hash && nodeset_equal(r->set, set)) {
			nodeset_destroy(set);
			r->refs += nodes ? 1 : 2;
			m->all = nodes ? m->all : r;
			return &r->pub;
		}
	}
	struct region_impl *r = region_new(m, set, hash);

	if (!r) {
		nodeset_destroy(set);
		return NULL;
	}
	if (repartition(m) < 0) {
		region_unlink(m, r);
		region_free(r);
		return NULL;
	}
	r->refs = nodes ? 1 : 2;
	if (!nodes)
		m->all = r;
	return &r->pub;
}

struct region *region_get(struct region *r)
{
	if (r)
		((struct region_impl *)r)->refs++;
	return r;
}

void region_put(struct machine *m, struct region *r)
{
	struct region_impl *ri = (struct region_impl *)r;

	if (!ri || --ri->refs)
		return;
	region_unlink(m, ri);
	region_free(ri);
	m->forgotten++;
}

int machine_tidy(struct machine *m)
{
	/* a lone forgotten set is likely to be named again; merging costs all counts anew */
	return m->forgotten > 16 ? repartition(m) : 0;
}

/* ---- telling and restoring ---- */

const struct region *machine_region_next(const struct machine *m, size_t *i)
{
	size_t before = 0;

	for (int b = 0; b < BUCKETS; b++) {
		size_t n = 0;

		for (const struct region_impl *r = m->bucket[b]; r; r = r->next)
			n++;
		if (*i < before + n) {
			const struct region_impl *r = m->bucket[b];

			/* new ones come to the front: the last is the oldest */
			for (size_t left = n - 1 - (*i - before); left > 0; left--)
				r = r->next;
			(*i)++;
			return &r->pub;
		}
		before += n;
	}
	return NULL;
}

bool machine_has_all(const struct machine *m)
{
	return m->all;
}

uint32_t machine_forgotten(const struct machine *m)
{
	return m->forgotten;
}

int machine_restore_region(struct machine *m, const struct nodeset *nodes)
{
	struct nodeset *set;

	if (machine_knows(m, nodes))
		return 1;
	set = nodeset_dup(nodes);
	if (set && region_new(m, set, nodeset_hash(set)))
		return 0;
	nodeset_destroy(set);
	return -1;
}

/* Are the classes numbered without holes, and is every region a union of whole ones? */
static bool is_partition(const struct machine *m, const uint32_t *class_of, uint32_t classes,
			 int32_t *size, int32_t *inside)
{
	for (uint32_t n = 0; n < m->nodes; n++) {
		if (class_of[n] >= classes)
			return false;
		size[class_of[n]]++;
	}
	for (uint32_t c = 0; c < classes; c++) {
		if (!size[c])
			return false;
	}
	for (int b = 0; b < BUCKETS; b++) {
		for (const struct region_impl *r = m->bucket[b]; r; r = r->next) {
			memset(inside, 0, classes * sizeof(*inside));
			for (uint32_t n = nodeset_next(r->set, 0); n < m->nodes;
			     n = nodeset_next(r->set, n + 1))
				inside[class_of[n]]++;
			for (uint32_t c = 0; c < classes; c++) {
				if (inside[c] && inside[c] != size[c])
					return false;
			}
		}
	}
	return true;
}

/* The region of all nodes, if there is one. */
static struct region_impl *find_all(struct machine *m)
{
	for (int b = 0; b < BUCKETS; b++) {
		for (struct region_impl *r = m->bucket[b]; r; r = r->next) {
			if (r->pub.count == m->nodes)
				return r;
		}
	}
	return NULL;
}

int machine_restore(struct machine *m, uint32_t classes, const uint32_t *class_of,
		    const uint32_t *demand, bool all, uint32_t forgotten)
{
	int32_t *size = calloc(m->nodes, sizeof(*size));
	int32_t *inside = calloc(m->nodes, sizeof(*inside));
	struct region_impl *whole = all ? find_all(m) : NULL;
	int rc = size && inside ? 0 : -1;

	if (rc == 0 && (!classes || classes > m->nodes || (all && !whole) ||
			!is_partition(m, class_of, classes, size, inside)))
		rc = 1;
	if (rc == 0) {
		m->classes = classes;
		memcpy(m->class_of, class_of, m->nodes * sizeof(*class_of));
		memcpy(m->size, size, m->nodes * sizeof(*size));
		m->generation++;
		m->forgotten = forgotten;
		list_classes(m);
		for (uint32_t c = 0; c < classes; c++)
			m->demand[c] = demand[c] & 0x7fffffff; /* see list_classes() */
		sort_lists(m);
		m->all = whole;
		if (whole)
			whole->refs++;
	}
	free(size);
	free(inside);
	return rc;
}
