/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine: the nodes, grouped into classes of interchangeable ones.
 *
 * Classes are not declared. They follow from the node sets that were named: partitions, features,
 * excluded and required nodes, reservations. Two nodes are in one class when no named set tells them
 * apart. A named set is a region: it is interned (equal sets are one region), counted by reference, and
 * always a union of whole classes. Naming a new set may split classes; machine_generation() then
 * changes, and what keeps counts per class must count anew.
 *
 * Invariants: the classes are a partition of the nodes; classes are numbered 0 .. classes-1 without
 * holes; every region's class list is sorted by demand (how many regions contain the class), least
 * wanted first, then by number: jobs take the nodes that the fewest others could use.
 */
#ifndef PACT_CORE_MACHINE_H
#define PACT_CORE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/nodeset.h"

struct machine;

struct region {
	const struct nodeset *nodes;
	uint32_t count;	  /* nodes in it */
	uint32_t classes; /* length of cls */
	const uint32_t *cls;
};

/* All nodes in one class. NULL: no memory, or no nodes. */
struct machine *machine_create(uint32_t nodes);
void machine_destroy(struct machine *m);

uint32_t machine_nodes(const struct machine *m);
uint32_t machine_classes(const struct machine *m);
uint32_t machine_class_of(const struct machine *m, uint32_t node);
int32_t machine_class_size(const struct machine *m, uint32_t cls);
uint64_t machine_generation(const struct machine *m);
/* Grows whenever any region's list of classes, or its order, may have changed. */
uint64_t machine_listing(const struct machine *m);
/* How many live regions contain the node. */
uint32_t machine_demand(const struct machine *m, uint32_t node);

/*
 * The region of exactly these nodes (NULL: all), with one more reference. NULL: no memory.
 * Cost: O(nodes) for a set not yet known, a hash look-up else.
 */
struct region *machine_region(struct machine *m, const struct nodeset *nodes);

/* Is there a region of exactly these nodes (NULL: all)? Naming it again then splits nothing. */
bool machine_knows(const struct machine *m, const struct nodeset *nodes);

/* One more reference; one less. A region without any is forgotten (its classes stay split for now). */
struct region *region_get(struct region *r);
void region_put(struct machine *m, struct region *r);

/* For what is told of the state (planning/told.h). */

/*
 * Walk the live regions: *i starts at 0, NULL at the end. In an order in which machine_restore_region()
 * makes of an empty machine one that computes the same classes, numbered alike. O(regions).
 */
const struct region *machine_region_next(const struct machine *m, size_t *i);
/* Has the region of all nodes been asked for? How many were forgotten since the last partition? */
bool machine_has_all(const struct machine *m);
uint32_t machine_forgotten(const struct machine *m);
/* Add a region that nothing refers to yet, and compute nothing. 0; 1: it is there already; -1: no memory. */
int machine_restore_region(struct machine *m, const struct nodeset *nodes);
/*
 * Set the partition instead of computing it: classes, the class of each node, the demand of each class,
 * and what machine_has_all() and machine_forgotten() said. 0; 1: not a partition into these regions, or
 * all without a region of all nodes (nothing changed); -1: no memory.
 */
int machine_restore(struct machine *m, uint32_t classes, const uint32_t *class_of,
		    const uint32_t *demand, bool all, uint32_t forgotten);

/*
 * Merge classes that no live region tells apart any more. Changes the generation if it merges any.
 * Cheap when nothing was forgotten since. 0, or -1 when memory is short (nothing merged).
 */
int machine_tidy(struct machine *m);

#endif
