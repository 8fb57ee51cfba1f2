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
	enum { REGION, STATE, HOLD, JOB, KEPT } kind;
	uint32_t n; /* KEPT */
	union {
		const struct nodeset *region;
		const struct told_state *state;
		const struct told_hold *hold;
		const struct told_job *job;
		const int64_t *kept;
	} of;
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

static struct part *add_part(struct retold *r, int kind)
{
	struct part *p = get(r, sizeof(*p));

	if (!p)
		return NULL;
	*p = (struct part){ .kind = kind };
	*r->last = p;
	r->last = &p->next;
	return p;
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

static void take_region(void *arg, const struct nodeset *nodes)
{
	struct part *p = add_part(arg, REGION);

	if (p)
		p->of.region = copy_set(arg, nodes);
}

static void take_state(void *arg, const struct told_state *from)
{
	struct retold *r = arg;
	struct told_state to = *from;
	struct part *p = add_part(r, STATE);

	to.class_of = copy(r, from->class_of, r->nodes * sizeof(*to.class_of));
	to.demand = copy(r, from->demand, from->classes * sizeof(*to.demand));
	if (p)
		p->of.state = copy(r, &to, sizeof(to));
}

static void take_hold(void *arg, const struct told_hold *from)
{
	struct told_hold to = *from;
	struct part *p = add_part(arg, HOLD);

	to.nodes = copy_set(arg, from->nodes);
	if (p)
		p->of.hold = copy(arg, &to, sizeof(to));
}

static void take_job(void *arg, const struct told_job *from)
{
	struct told_job to = *from;
	struct part *p = add_part(arg, JOB);

	for (uint32_t i = 0; i < from->terms.nalt; i++)
		to.terms.alt[i] = copy_set(arg, from->terms.alt[i]);
	to.terms.required = copy_set(arg, from->terms.required);
	to.share = copy(arg, from->share, from->nshare * sizeof(*to.share));
	if (p)
		p->of.job = copy(arg, &to, sizeof(to));
}

static void take_kept(void *arg, const int64_t *v, uint32_t n)
{
	struct part *p = add_part(arg, KEPT);

	if (!p)
		return;
	p->n = n;
	p->of.kept = copy(arg, v, n * sizeof(*v));
}

int retold_take(struct sched *s, uint32_t nodes, const struct sched_config *config, const char *at,
		size_t most, struct retold **out)
{
	static const struct retelling to = {
		.region = take_region,
		.state = take_state,
		.hold = take_hold,
		.job = take_job,
		.kept = take_kept,
	};
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
		rc = sched_retell(s, &to, r);
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

	fields_add(o, "scheduler", json_object_new_string(r->scheduler));
	fields_add(o, "nodes", json_object_new_int64(r->nodes));
	fields_add(o, "config", layout_put(layout_config, &r->config, r->nodes));
	if (r->at)
		fields_add(o, "at", json_object_new_string(r->at));
	return o;
}

static struct json_object *part_line(const struct part *p, uint32_t nodes)
{
	switch (p->kind) {
	case REGION:
		return layout_line("region", fields_nodes(p->of.region, nodes));
	case STATE:
		return layout_line("state", layout_put_state(p->of.state, nodes));
	case HOLD:
		return layout_line("hold", layout_put(layout_hold, p->of.hold, nodes));
	case JOB:
		return layout_line("job", layout_put_job(p->of.job, nodes));
	case KEPT:
		return layout_line("kept", layout_put_kept(p->of.kept, p->n));
	}
	return NULL;
}

void retold_visit(const struct retold *r, void (*visit)(void *arg, struct json_object *line),
		  void *arg)
{
	visit(arg, head_line(r));
	for (const struct part *p = r->first; p; p = p->next)
		visit(arg, part_line(p, r->nodes));
	visit(arg, layout_line("go", NULL));
}
