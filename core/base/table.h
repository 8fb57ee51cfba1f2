/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: from a 64-bit id to a pointer. Open addressing, at most two thirds full, linear probing with
 * backward shift on removal (no tombstones). O(1) expected.
 */
#ifndef PACT_CORE_TABLE_H
#define PACT_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table;

struct table *table_create(void);
void table_destroy(struct table *t);		      /* the pointers are not touched */
void *table_find(const struct table *t, uint64_t id); /* NULL: not there */
int table_insert(struct table *t, uint64_t id,
		 void *p);			  /* p not NULL, id not there yet; -1: no memory */
void *table_remove(struct table *t, uint64_t id); /* what was there, or NULL */
size_t table_count(const struct table *t);
/* Walk: *i starts at 0; NULL at the end. The table must not change meanwhile. */
void *table_next(const struct table *t, size_t *i);
size_t table_bytes(const struct table *t);

#endif
