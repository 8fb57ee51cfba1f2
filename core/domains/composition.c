/* SPDX-License-Identifier: GPL-2.0-or-later */
/* composition: see composition.h. */
#include "core/domains/composition.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/settings/settings.h"

/* The longest "KEY=VALUE" of a domain. */
#define SETTING_MOST 128

/* A domain's name: so many letters, its settings, each after a colon, then its ranges. */
struct text {
	const char *name, *settings, *ranges, *end;
	int name_length, settings_length, length; /* the last: of it all */
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
	size_t length = strcspn(at, "+"), head = strcspn(at, "@+"), name = strcspn(at, ":@+");

	return (struct text){ .name = at,
			      .settings = at + name,
			      .ranges = at + head + (head < length),
			      .end = at + length,
			      .name_length = (int)name,
			      .settings_length = (int)(head - name),
			      .length = (int)length };
}

/* ---- settings of a domain's own ---- */

/* "KEY=VALUE" into the configuration, for that scheduler. */
static bool set_one(struct sched_config *config, char *one, const char *scheduler, char *why,
		    size_t size)
{
	char *value = strchr(one, '='), text[256];
	const struct setting *s;

	if (!value)
		return wrong(why, size, "'%s': not KEY=VALUE", one);
	*value++ = '\0';
	if (!settings_apply(config, one, value, why, size))
		return false;
	s = setting_find(sched_settings, one);
	if (!s->apart)
		return wrong(why, size, "%s=%s: all domains have it in common", s->key, value);
	if (!settings_used(config, scheduler, one, text, sizeof(text)))
		return wrong(why, size, "%s=%s: %s", s->key, value, text);
	return true;
}

static bool set_all(struct sched_config *config, const char *settings, const char *scheduler,
		    char *why, size_t size)
{
	char one[SETTING_MOST];

	while (*settings == ':') {
		size_t n = strcspn(++settings, ":");

		if (n >= sizeof(one))
			return wrong(why, size, "'%.20s...': too long", settings);
		memcpy(one, settings, n);
		one[n] = '\0';
		if (!set_one(config, one, scheduler, why, size))
			return false;
		settings += n;
	}
	return true;
}

void composition_configure(const struct composition *c, uint32_t i, struct sched_config *config)
{
	/* each was tried when it was made */
	set_all(config, c->part[i].settings, c->part[i].of->name, NULL, 0);
}

/* A text of their own; NULL: no memory. */
static char *copy_settings(const struct text *t)
{
	char *copy = malloc((size_t)t->settings_length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, t->settings, (size_t)t->settings_length);
	copy[t->settings_length] = '\0';
	return copy;
}

static bool settings_ok(const struct text *t, const char *scheduler, char *why, size_t size)
{
	char *settings = copy_settings(t);
	struct sched_config scratch;
	bool ok;

	sched_config_init(&scratch);
	ok = settings ? set_all(&scratch, settings, scheduler, why, size)
		      : wrong(why, size, "out of memory");
	free(settings);
	return ok;
}

/* ---- names ---- */

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
	const struct scheduler *of = find_part(t, find);
	const char *at = t->ranges;
	uint32_t first, last;

	if (!of)
		return wrong(why, size, "'%.*s': no scheduler named '%.*s'", t->length, t->name,
			     t->name_length, t->name);
	if (!settings_ok(t, of->name, why, size))
		return false;
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
			return wrong(why, size, "'%.*s': more than %d domains", t.length, t.name,
				     DOMAINS_MOST);
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
		c->part[c->n].settings = copy_settings(&t);
		c->part[c->n++].nodes = nodes;
		if (!c->part[c->n - 1].settings)
			return wrong(why, size, "out of memory");
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
	for (uint32_t i = 0; c && i < c->n; i++) {
		nodeset_destroy(c->part[i].nodes);
		free(c->part[i].settings);
	}
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
