/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodeset: see nodeset.h. 64 nodes a word; the words follow the size in one allocation. */
#include "core/base/nodeset.h"

#include <stdlib.h>
#include <string.h>

struct nodeset {
	uint32_t size;
	uint32_t words;
	uint64_t word[];
};

struct nodeset *nodeset_create(uint32_t size)
{
	uint32_t words = (size + 63) / 64;
	struct nodeset *s = calloc(1, sizeof(*s) + words * sizeof(uint64_t));

	if (!s)
		return NULL;
	s->size = size;
	s->words = words;
	return s;
}

struct nodeset *nodeset_dup(const struct nodeset *s)
{
	struct nodeset *d = nodeset_create(s->size);

	if (d)
		nodeset_copy(d, s);
	return d;
}

void nodeset_destroy(struct nodeset *s)
{
	free(s);
}

uint32_t nodeset_size(const struct nodeset *s)
{
	return s->size;
}

uint32_t nodeset_count(const struct nodeset *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->words; i++)
		n += (uint32_t)__builtin_popcountll(s->word[i]);
	return n;
}

bool nodeset_empty(const struct nodeset *s)
{
	for (uint32_t i = 0; i < s->words; i++) {
		if (s->word[i])
			return false;
	}
	return true;
}

bool nodeset_test(const struct nodeset *s, uint32_t node)
{
	return node < s->size && (s->word[node / 64] >> (node % 64) & 1);
}

void nodeset_set(struct nodeset *s, uint32_t node)
{
	if (node < s->size)
		s->word[node / 64] |= UINT64_C(1) << (node % 64);
}

void nodeset_unset(struct nodeset *s, uint32_t node)
{
	if (node < s->size)
		s->word[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

void nodeset_fill(struct nodeset *s)
{
	memset(s->word, 0xff, s->words * sizeof(uint64_t));
	if (s->size % 64)
		s->word[s->words - 1] = (UINT64_C(1) << (s->size % 64)) - 1;
}

void nodeset_clear(struct nodeset *s)
{
	memset(s->word, 0, s->words * sizeof(uint64_t));
}

void nodeset_copy(struct nodeset *dst, const struct nodeset *src)
{
	memcpy(dst->word, src->word, dst->words * sizeof(uint64_t));
}

void nodeset_or(struct nodeset *dst, const struct nodeset *src)
{
	for (uint32_t i = 0; i < dst->words; i++)
		dst->word[i] |= src->word[i];
}

void nodeset_and(struct nodeset *dst, const struct nodeset *src)
{
	for (uint32_t i = 0; i < dst->words; i++)
		dst->word[i] &= src->word[i];
}

void nodeset_and_not(struct nodeset *dst, const struct nodeset *src)
{
	for (uint32_t i = 0; i < dst->words; i++)
		dst->word[i] &= ~src->word[i];
}

bool nodeset_equal(const struct nodeset *a, const struct nodeset *b)
{
	return a->size == b->size && !memcmp(a->word, b->word, a->words * sizeof(uint64_t));
}

bool nodeset_subset(const struct nodeset *a, const struct nodeset *b)
{
	for (uint32_t i = 0; i < a->words; i++) {
		if (a->word[i] & ~b->word[i])
			return false;
	}
	return true;
}

bool nodeset_overlap(const struct nodeset *a, const struct nodeset *b)
{
	for (uint32_t i = 0; i < a->words; i++) {
		if (a->word[i] & b->word[i])
			return true;
	}
	return false;
}

uint32_t nodeset_next(const struct nodeset *s, uint32_t from)
{
	if (from >= s->size)
		return s->size;
	uint32_t i = from / 64;
	uint64_t w = s->word[i] & (~UINT64_C(0) << (from % 64));

	while (!w) {
		if (++i == s->words)
			return s->size;
		w = s->word[i];
	}
	return i * 64 + (uint32_t)__builtin_ctzll(w);
}

uint32_t nodeset_list(const struct nodeset *s, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->words; i++) {
		for (uint64_t w = s->word[i]; w; w &= w - 1)
			out[n++] = i * 64 + (uint32_t)__builtin_ctzll(w);
	}
	return n;
}

uint32_t nodeset_lowest(struct nodeset *to, const struct nodeset *from, uint32_t n)
{
	for (uint32_t i = 0; i < from->words && n; i++) {
		uint64_t rest = from->word[i];
		uint32_t here = (uint32_t)__builtin_popcountll(rest);

		if (here <= n) {
			to->word[i] |= rest;
			n -= here;
			continue;
		}
		for (; n; n--, rest &= rest - 1)
			to->word[i] |= rest & -rest;
	}
	return n;
}

/* FNV-1a over words, with a final mix: sets differ in few bits. */
uint64_t nodeset_hash(const struct nodeset *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (uint32_t i = 0; i < s->words; i++)
		h = (h ^ s->word[i]) * UINT64_C(0x100000001b3);
	return h ^ (h >> 29);
}
