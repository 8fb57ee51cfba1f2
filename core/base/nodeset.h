/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodeset: a set of nodes of one machine, a bitmap over 0 .. size-1.
 *
 * All sets that meet in one call have the same size. Bits beyond the size are always zero.
 */
#ifndef PACT_CORE_NODESET_H
#define PACT_CORE_NODESET_H

#include <stdbool.h>
#include <stdint.h>

struct nodeset;

/* An empty set over `size` nodes; NULL when memory is short. The caller owns it. */
struct nodeset *nodeset_create(uint32_t size);
struct nodeset *nodeset_dup(const struct nodeset *s);
void nodeset_destroy(struct nodeset *s);

uint32_t nodeset_size(const struct nodeset *s);
uint32_t nodeset_count(const struct nodeset *s);
bool nodeset_empty(const struct nodeset *s);

/* A node beyond the size is not in the set; setting it has no effect. */
bool nodeset_test(const struct nodeset *s, uint32_t node);
void nodeset_set(struct nodeset *s, uint32_t node);
void nodeset_unset(struct nodeset *s, uint32_t node);
void nodeset_fill(struct nodeset *s);
void nodeset_clear(struct nodeset *s);

/* dst = src; dst |= src; dst &= src; dst &= ~src. */
void nodeset_copy(struct nodeset *dst, const struct nodeset *src);
void nodeset_or(struct nodeset *dst, const struct nodeset *src);
void nodeset_and(struct nodeset *dst, const struct nodeset *src);
void nodeset_and_not(struct nodeset *dst, const struct nodeset *src);

bool nodeset_equal(const struct nodeset *a, const struct nodeset *b);
bool nodeset_subset(const struct nodeset *a, const struct nodeset *b); /* a is within b */
bool nodeset_overlap(const struct nodeset *a, const struct nodeset *b);

/* The first node of the set that is >= from, or nodeset_size() when there is none. */
uint32_t nodeset_next(const struct nodeset *s, uint32_t from);

/* All of them, ascending, into `out`, which has room. How many. Less for each than nodeset_next(). */
uint32_t nodeset_list(const struct nodeset *s, uint32_t *out);

/* The lowest n of `from` join `to`; all of them if there are fewer. How many are missing. */
uint32_t nodeset_lowest(struct nodeset *to, const struct nodeset *from, uint32_t n);

uint64_t nodeset_hash(const struct nodeset *s);

#endif
