/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.c - many texts of which few differ, each kept once
 */
#include "slurm/base/texts.h"

#include "core/base/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct text {
	struct text *next; /* of the same hash */
	char words[];
};

struct texts {
	struct table *by_hash;
};

struct texts *texts_create(void)
{
	struct texts *texts = calloc(1, sizeof(*texts));

	if (texts && !(texts->by_hash = table_create())) {
		free(texts);
		return NULL;
	}
	return texts;
}

void texts_destroy(struct texts *texts)
{
	struct text *text, *next;
	size_t i = 0;

	if (!texts)
		return;
	while ((text = table_next(texts->by_hash, &i)))
		for (; text; text = next) {
			next = text->next;
			free(text);
		}
	table_destroy(texts->by_hash);
	free(texts);
}

/* FNV-1a; then spread, since the table takes its slots from the low bits. */
static uint64_t hash_of(const char *text, size_t *length)
{
	uint64_t hash = 0xcbf29ce484222325ULL;
	const char *at;

	for (at = text; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3ULL;
	*length = (size_t)(at - text);
	return hash ^ (hash >> 32);
}

const char *texts_keep(struct texts *texts, const char *text)
{
	size_t length;
	uint64_t hash = hash_of(text, &length);
	struct text *first = table_find(texts->by_hash, hash), *new;

	for (struct text *at = first; at; at = at->next)
		if (!strcmp(at->words, text))
			return at->words;
	new = malloc(sizeof(*new) + length + 1);
	if (!new)
		return NULL;
	memcpy(new->words, text, length + 1);
	new->next = NULL;
	if (first) {
		new->next = first->next;
		first->next = new;
	} else if (table_insert(texts->by_hash, hash, new)) {
		free(new);
		return NULL;
	}
	return new->words;
}
