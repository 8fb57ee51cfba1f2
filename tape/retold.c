/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retold: see retold.h. Parts lie one behind the other in pieces of memory that are freed as a whole.
 * Jobs share the sets of nodes that they name, by the thousand: a set is copied once, and known again
 * by where it lies in the scheduler.
 */
#include "tape/retold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel/retell.h"
#include "core/base/table.h"
#include "core/kernel/watch.h"
#include "tape/layout.h"

#define PIECE (256 << 10)

struct piece {
	struct piece *next;
	size_t used, room;
	_Alignas(max_align_t) char data[];
};

struct part {
	struct part *next;
	const struct record_form *form;
	void *record;
};

struct retold {
	uint32_t nodes;
	const char *scheduler; /* the core's own text */
	char *at;
	struct sched_config config;
	struct part *first, **last;
	struct piece *pieces;
	struct nodeset **set;
	size_t nsets, room;
	size_t bytes, most;
	struct table *copies; /* of sets, while it is taken */
	bool failed;
};

/* ---- taking ---- */

/* NULL: r->failed */
static void *get(struct retold *r, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct piece *p = r->pieces;
	size_t room;
	void *at;

	size = (size + align - 1) / align * align;
	if (r->failed)
		return NULL;
	if (!p || p->room - p->used < size) {
		room = size > PIECE ? size : PIECE;
		p = r->bytes + sizeof(*p) + room <= r->most ? malloc(sizeof(*p) + room) : NULL;
		if (!p) {
			r->failed = true;
			return NULL;
		}
		*p = (struct piece){ .next = r->pieces, .room = room };
		r->pieces = p;
		r->bytes += sizeof(*p) + room;
	}
	at = p->data + p->used;
	p->used += size;
	return at;
}

static const void *copy(struct retold *r, const void *from, size_t size)
{
	void *to = get(r, size);

	return to && size ? memcpy(to, from, size) : to;
}

/* NULL for NULL, and when r->failed. */
static const struct nodeset *copy_set(struct retold *r, const struct nodeset *set)
{
	size_t bytes = r->nodes / 8 + 3 * sizeof(*r->set), room;
	struct nodeset *new, **more;

	if (!set || r->failed)
		return NULL;
	new = table_find(r->copies, (uintptr_t)set);
	if (new)
		return new;
	if (r->nsets == r->room) {
		room = r->room ? 2 * r->room : 64;
		more = realloc(r->set, room * sizeof(*more));
		if (!more) {
			r->failed = true;
			return NULL;
		}
		r->bytes += (room - r->room) * sizeof(*more);
		r->set = more;
		r->room = room;
	}
	new = r->bytes + bytes <= r->most ? nodeset_dup(set) : NULL;
	if (!new || table_insert(r->copies, (uintptr_t)set, new) < 0) {
		nodeset_destroy(new);
		r->failed = true;
		return NULL;
	}
	r->set[r->nsets++] = new;
	r->bytes += bytes;
	return new;
}

static void copy_sets(struct retold *r, const struct field *f, char *record)
{
	const struct nodeset **set = (void *)(record + f->offset);
	uint32_t n = *(const uint32_t *)(const void *)(record + f->count);

	for (uint32_t i = 0; i < n && i < SCHED_MAX_ALT; i++)
		set[i] = copy_set(r, set[i]);
}

/* What the members of a copied struct point to is copied, too. */
static void copy_members(struct retold *r, const struct field *fields, char *record)
{
	for (const struct field *f = fields; f->name; f++) {
		char *at = record + f->offset;
		const struct nodeset **set = (void *)at;
		struct list32 *small = (void *)at;
		struct list64 *large = (void *)at;

		switch (f->kind) {
		case FIELD_NODES:
			*set = copy_set(r, *set);
			break;
		case FIELD_LIST32:
			small->v = copy(r, small->v, small->n * sizeof(*small->v));
			break;
		case FIELD_LIST64:
			large->v = copy(r, large->v, large->n * sizeof(*large->v));
			break;
		case FIELD_OBJECT:
			copy_members(r, f->members, at);
			break;
		case FIELD_SETS:
			copy_sets(r, f, record);
			break;
		default:
			break;
		}
	}
}

static void take_record(void *arg, const struct record_form *form, const void *record)
{
	struct retold *r = arg;
	struct part *p = get(r, sizeof(*p));
	void *to = p ? get(r, form->size) : NULL;

	if (!to)
		return;
	memcpy(to, record, form->size);
	*p = (struct part){ .form = form, .record = to };
	*r->last = p;
	r->last = &p->next;
	copy_members(r, form->fields, to);
}

int retold_take(struct sched *s, uint32_t nodes, const struct sched_config *config, const char *at,
		size_t most, struct retold **out)
{
	struct retold *r;
	int rc = sched_retell(s, NULL, NULL);

	*out = NULL;
	if (rc != PACT_OK)
		return rc;
	r = calloc(1, sizeof(*r));
	if (!r)
		return PACT_ENOMEM;
	*r = (struct retold){ .nodes = nodes,
			      .scheduler = sched_name(s),
			      .at = at ? strdup(at) : NULL,
			      .config = *config,
			      .bytes = sizeof(*r),
			      .most = most,
			      .copies = table_create() };
	r->last = &r->first;
	r->failed = !r->copies || (at && !r->at);
	if (!r->failed)
		rc = sched_retell(s, take_record, r);
	if (r->failed)
		rc = PACT_ENOMEM;
	table_destroy(r->copies);
	r->copies = NULL;
	if (rc == PACT_OK)
		*out = r;
	else
		retold_destroy(r);
	return rc;
}

void retold_destroy(struct retold *r)
{
	struct piece *next;

	if (!r)
		return;
	for (struct piece *p = r->pieces; p; p = next) {
		next = p->next;
		free(p);
	}
	for (size_t i = 0; i < r->nsets; i++)
		nodeset_destroy(r->set[i]);
	free(r->set);
	free(r->at);
	free(r);
}

size_t retold_bytes(const struct retold *r)
{
	return r->bytes;
}

/* ---- lines ---- */

static struct json_object *head_line(const struct retold *r)
{
	struct json_object *o = layout_line("tape", json_object_new_int(TAPE_VERSION));
	struct field fields[LAYOUT_CONFIG];

	fields_add(o, "scheduler", json_object_new_string(r->scheduler));
	fields_add(o, "nodes", json_object_new_int64(r->nodes));
	fields_add(o, "config", layout_put(layout_config(fields), &r->config, r->nodes));
	if (r->at)
		fields_add(o, "at", json_object_new_string(r->at));
	return o;
}

void retold_visit(const struct retold *r, void (*visit)(void *arg, struct json_object *line),
		  void *arg)
{
	visit(arg, head_line(r));
	for (const struct part *p = r->first; p; p = p->next)
		visit(arg,
		      layout_line(p->form->name, fields_put_record(p->form, p->record, r->nodes)));
	visit(arg, layout_line("go", NULL));
}
