/* SPDX-License-Identifier: GPL-2.0-or-later */
/* composition: see composition.h. */
#include "core/domains/composition.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A domain's name: so many letters, then its ranges. */
struct text {
	const char *name, *ranges, *end;
	int name_length, length; /* of its scheduler's name; of it all */
};

__attribute__((format(printf, 3, 4))) static bool wrong(char *why, size_t size, const char *fmt,
							...)
{
	va_list args;

	va_start(args, fmt);
	if (why)
		vsnprintf(why, size, fmt, args);
	va_end(args);
	return false;
}

bool composition_is(const char *name)
{
	return strpbrk(name, "@+") != NULL;
}

static struct text text_at(const char *at)
{
	size_t length = strcspn(at, "+"), name = strcspn(at, "@+");

	return (struct text){ .name = at,
			      .ranges = at + name + (name < length),
			      .end = at + length,
			      .name_length = (int)name,
			      .length = (int)length };
}

/* A number of digits only; *at moves behind it. */
static bool read_number(const char **at, uint32_t *out)
{
	unsigned long v;
	char *end;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	v = strtoul(*at, &end, 10);
	*at = end;
	*out = (uint32_t)v;
	return !errno && v < UINT32_MAX;
}

/* The next range, "3" or "3-7"; *at moves behind it and its comma. */
static bool read_range(const char **at, const char *end, uint32_t *first, uint32_t *last)
{
	if (!read_number(at, first))
		return false;
	*last = *first;
	if (**at == '-') {
		++*at;
		if (!read_number(at, last) || *last < *first)
			return false;
	}
	if (**at == ',' && *at + 1 < end)
		++*at;
	else if (*at != end)
		return false;
	return true;
}

static const struct scheduler *find_part(const struct text *t, find_scheduler_fn *find)
{
	char name[64];

	if ((size_t)t->name_length >= sizeof(name))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", t->name_length, t->name);
	return find(name);
}

/* One domain by itself. */
static bool is_valid(const struct text *t, find_scheduler_fn *find, char *why, size_t size)
{
	const char *at = t->ranges;
	uint32_t first, last;

	if (!find_part(t, find))
		return wrong(why, size, "'%.*s': no scheduler named '%.*s'", t->length, t->name,
			     t->name_length, t->name);
	do {
		if (!read_range(&at, t->end, &first, &last))
			return wrong(why, size, "'%.*s': not SCHEDULER@NODES, as qops@0-3,8",
				     t->length, t->name);
	} while (at < t->end);
	return true;
}

bool composition_valid(const char *name, find_scheduler_fn *find, char *why, size_t size)
{
	uint32_t n = 0;

	for (const char *at = name;;) {
		struct text t = text_at(at);

		if (!is_valid(&t, find, why, size))
			return false;
		if (++n > DOMAINS_MOST)
			return wrong(why, size, "more than %d domains", DOMAINS_MOST);
		if (!*t.end)
			return true;
		at = t.end + 1;
	}
}

/* Its nodes into its set; `taken` has those of the domains before it. */
static bool take_nodes(const struct text *t, struct nodeset *nodes, struct nodeset *taken,
		       char *why, size_t size)
{
	const char *at = t->ranges;
	uint32_t first, last, all = nodeset_size(nodes);

	while (at < t->end && read_range(&at, t->end, &first, &last)) {
		if (last >= all)
			return wrong(why, size, "'%.*s': node %u, but the machine has %u (0-%u)",
				     t->length, t->name, last, all, all - 1);
		for (uint32_t node = first; node <= last; node++) {
			if (nodeset_test(taken, node))
				return wrong(why, size, "'%.*s': node %u is in two domains",
					     t->length, t->name, node);
			nodeset_set(nodes, node);
			nodeset_set(taken, node);
		}
	}
	return true;
}

static bool take_parts(struct composition *c, const char *name, struct nodeset *taken,
		       find_scheduler_fn *find, char *why, size_t size)
{
	uint32_t node = 0;

	for (const char *at = name;;) {
		struct text t = text_at(at);
		struct nodeset *nodes = nodeset_create(c->nodes);

		if (!nodes)
			return wrong(why, size, "out of memory");
		c->part[c->n].of = find_part(&t, find);
		c->part[c->n++].nodes = nodes;
		if (!take_nodes(&t, nodes, taken, why, size))
			return false;
		if (!*t.end)
			break;
		at = t.end + 1;
	}
	while (node < c->nodes && nodeset_test(taken, node))
		node++;
	return node == c->nodes || wrong(why, size, "node %u is in no domain", node);
}

struct composition *composition_create(const char *name, uint32_t nodes, find_scheduler_fn *find,
				       char *why, size_t size)
{
	struct composition *c;
	struct nodeset *taken;
	bool good;

	if (!composition_valid(name, find, why, size))
		return NULL;
	c = calloc(1, sizeof(*c));
	taken = nodeset_create(nodes);
	if (c)
		c->nodes = nodes;
	good = c && taken ? take_parts(c, name, taken, find, why, size)
			  : wrong(why, size, "out of memory");
	nodeset_destroy(taken);
	if (good)
		return c;
	composition_destroy(c);
	return NULL;
}

void composition_destroy(struct composition *c)
{
	for (uint32_t i = 0; c && i < c->n; i++)
		nodeset_destroy(c->part[i].nodes);
	free(c);
}

uint32_t composition_widest(const struct composition *c)
{
	uint32_t widest = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t n = nodeset_count(c->part[i].nodes);

		widest = n > widest ? n : widest;
	}
	return widest;
}

bool composition_part(const char *name, uint32_t i, char *part, size_t size)
{
	struct text t = text_at(name);

	for (; i; i--) {
		if (!*t.end)
			return false;
		t = text_at(t.end + 1);
	}
	snprintf(part, size, "%.*s", t.name_length, t.name);
	return true;
}
