/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields: see fields.h. */
#include "tape/fields.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/limits.h"
#include "core/base/time.h"

/* More than any machine has; a recording that asks for more memory than that is none. */
#define MOST_NODES (1u << 20)

/* ---- writing ---- */

void fields_add(struct json_object *o, const char *name, struct json_object *value)
{
	if (!o || json_object_object_add(o, name, value) < 0)
		json_object_put(value);
}

static struct json_object *number(int64_t v)
{
	return v == PACT_FOREVER ? NULL : json_object_new_int64(v);
}

static void append(char *text, size_t size, size_t *at, const char *fmt, uint32_t a, uint32_t b)
{
	int n = *at < size ? snprintf(text + *at, size - *at, fmt, a, b) : 0;

	*at += n > 0 ? (size_t)n : 0;
}

struct json_object *fields_nodes(const struct nodeset *set, uint32_t nodes)
{
	uint32_t size = set ? nodeset_size(set) : 0;
	/* two numbers of at most 10 digits and two signs for every range, and the size */
	size_t room = set ? 24 * (size_t)nodeset_count(set) + 16 : 0, at = 0;
	char *text = set ? malloc(room) : NULL;
	struct json_object *o;

	if (!text)
		return NULL;
	text[0] = '\0';
	for (uint32_t n = nodeset_next(set, 0); n < size;) {
		uint32_t last = n;

		while (last + 1 < size && nodeset_test(set, last + 1))
			last++;
		append(text, room, &at,
		       at ? (last > n ? ",%u-%u" : ",%u") : (last > n ? "%u-%u" : "%u"), n, last);
		n = nodeset_next(set, last + 1);
	}
	if (size != nodes)
		append(text, room, &at, "/%u", size, 0);
	o = json_object_new_string(text);
	free(text);
	return o;
}

static struct json_object *put_list(const struct field *f, const char *at)
{
	const struct list32 *small = (const void *)at;
	const struct list64 *large = (const void *)at;
	bool is_large = f->kind == FIELD_LIST64;
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0, n = is_large ? large->n : small->n; o && i < n; i++)
		json_object_array_add(o,
				      json_object_new_int64(is_large ? large->v[i] : small->v[i]));
	return o;
}

/* How many sets there are. */
static uint32_t count_sets(const struct field *f, const void *record)
{
	uint32_t n = *(const uint32_t *)(const void *)((const char *)record + f->count);

	return n < SCHED_MAX_ALT ? n : SCHED_MAX_ALT;
}

static struct json_object *put_sets(const struct field *f, const void *record, uint32_t nodes)
{
	const struct nodeset *const *set = (const void *)((const char *)record + f->offset);
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0, n = count_sets(f, record); o && i < n; i++)
		json_object_array_add(o, fields_nodes(set[i], nodes));
	return o;
}

static bool is_empty(const struct field *f, const void *record)
{
	const char *at = (const char *)record + f->offset;

	switch (f->kind) {
	case FIELD_LIST32:
		return !((const struct list32 *)(const void *)at)->n;
	case FIELD_LIST64:
		return !((const struct list64 *)(const void *)at)->n;
	case FIELD_SETS:
		return !count_sets(f, record);
	default:
		return false;
	}
}

static void put_one(struct json_object *o, const struct field *f, const void *record,
		    uint32_t nodes)
{
	const char *at = (const char *)record + f->offset;
	int64_t v = 0;

	switch (f->kind) {
	case FIELD_LIST32:
	case FIELD_LIST64:
		if (!is_empty(f, record))
			fields_add(o, f->name, put_list(f, at));
		return;
	case FIELD_SETS:
		if (!is_empty(f, record))
			fields_add(o, f->name, put_sets(f, record, nodes));
		return;
	case FIELD_OBJECT: {
		struct json_object *inner = json_object_new_object();

		fields_put(inner, f->members, at, nodes);
		fields_add(o, f->name, inner);
		return;
	}
	case FIELD_I64:
		memcpy(&v, at, sizeof(v));
		if (v)
			fields_add(o, f->name, number(v));
		return;
	case FIELD_I32:
		v = *(const int32_t *)(const void *)at;
		break;
	case FIELD_U32:
		v = *(const uint32_t *)(const void *)at;
		break;
	case FIELD_BOOL:
		if (*(const bool *)at)
			fields_add(o, f->name, json_object_new_boolean(true));
		return;
	case FIELD_ID: {
		uint64_t id = *(const uint64_t *)(const void *)at;

		if (id)
			fields_add(o, f->name, json_object_new_uint64(id));
		return;
	}
	case FIELD_WORD: {
		unsigned int word = *(const unsigned int *)(const void *)at, n = 0;

		while (f->words[n] && n < word)
			n++;
		fields_add(o, f->name, json_object_new_string(f->words[n] ? f->words[n] : "?"));
		return;
	}
	case FIELD_NODES: {
		const struct nodeset *set = *(const struct nodeset *const *)(const void *)at;

		if (set)
			fields_add(o, f->name, fields_nodes(set, nodes));
		return;
	}
	}
	if (v)
		fields_add(o, f->name, json_object_new_int64(v));
}

void fields_put(struct json_object *o, const struct field *fields, const void *from, uint32_t nodes)
{
	for (; o && fields->name; fields++)
		put_one(o, fields, from, nodes);
}

struct json_object *fields_put_record(const struct record_form *form, const void *record,
				      uint32_t nodes)
{
	const struct field *f = form->fields;
	const char *at = (const char *)record + f->offset;
	struct json_object *o;

	if (form->bare && f->kind == FIELD_NODES)
		return fields_nodes(*(const struct nodeset *const *)(const void *)at, nodes);
	if (form->bare)
		return put_list(f, at);
	o = json_object_new_object();
	fields_put(o, f, record, nodes);
	return o;
}

/* ---- reading ---- */

void field_reader_clear(struct field_reader *r)
{
	for (size_t i = 0; i < r->nsets; i++)
		nodeset_destroy(r->set[i]);
	for (size_t i = 0; i < r->nlists; i++)
		free(r->list[i]);
	free(r->set);
	free(r->list);
	r->set = NULL;
	r->list = NULL;
	r->nsets = r->room = r->nlists = r->lists_room = 0;
}

bool fields_wrong(struct field_reader *r, const char *name, const char *what)
{
	snprintf(r->why, sizeof(r->why), "%.60s: %s", name, what);
	return false;
}

static struct nodeset *new_set(struct field_reader *r, uint32_t size)
{
	if (r->nsets == r->room) {
		size_t room = r->room ? r->room * 2 : 16;
		struct nodeset **set = realloc(r->set, room * sizeof(*set));

		if (!set)
			return NULL;
		r->set = set;
		r->room = room;
	}
	struct nodeset *set = nodeset_create(size);

	if (set)
		r->set[r->nsets++] = set;
	return set;
}

/* A number of digits only; *at moves behind it. */
static bool read_count(const char **at, uint32_t *out)
{
	char *end;
	unsigned long v;

	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	v = strtoul(*at, &end, 10);
	*at = end;
	*out = (uint32_t)v;
	return !errno && v <= MOST_NODES;
}

static bool read_ranges(struct nodeset *set, const char *at)
{
	while (*at && *at != '/') {
		uint32_t first, last;

		if (!read_count(&at, &first))
			return false;
		last = first;
		if (*at == '-') {
			at++;
			if (!read_count(&at, &last))
				return false;
		}
		if (last < first || last >= nodeset_size(set))
			return false;
		for (uint32_t n = first; n <= last; n++)
			nodeset_set(set, n);
		if (*at == ',' && at[1])
			at++;
		else if (*at && *at != '/')
			return false;
	}
	return true;
}

bool fields_get_nodes(struct field_reader *r, struct json_object *o, const char *name,
		      const struct nodeset **out)
{
	const char *text, *slash;
	uint32_t size = r->nodes;
	struct nodeset *set;

	*out = NULL;
	if (!o)
		return true;
	if (!json_object_is_type(o, json_type_string))
		return fields_wrong(r, name, "not a text of nodes");
	text = json_object_get_string(o);
	slash = strchr(text, '/');
	if (slash) {
		const char *at = slash + 1;

		if (!read_count(&at, &size) || *at || !size)
			return fields_wrong(r, name, "not a set of nodes");
	}
	set = new_set(r, size);
	if (!set)
		return fields_wrong(r, name, "out of memory");
	if (!read_ranges(set, text))
		return fields_wrong(r, name, "not a set of the machine's nodes");
	*out = set;
	return true;
}

bool fields_get_number(struct field_reader *r, struct json_object *o, const char *name, int64_t min,
		       int64_t max, int64_t *out)
{
	int64_t v = PACT_FOREVER;

	if (o && !json_object_is_type(o, json_type_int))
		return fields_wrong(r, name, "not a whole number");
	if (o) {
		errno = 0;
		v = json_object_get_int64(o);
		if (errno)
			return fields_wrong(r, name, "not a whole number of 64 bits");
	}
	if (v < min || v > max)
		return fields_wrong(r, name, "out of range");
	*out = v;
	return true;
}

static bool get_id(struct field_reader *r, struct json_object *o, const char *name, uint64_t *out)
{
	if (!json_object_is_type(o, json_type_int))
		return fields_wrong(r, name, "not a number");
	errno = 0;
	*out = json_object_get_uint64(o);
	if (errno || json_object_get_int64(o) < 0)
		return fields_wrong(r, name, "not a number of 64 bits from 0 on");
	return true;
}

static bool get_word(struct field_reader *r, struct json_object *o, const struct field *f,
		     unsigned int *out)
{
	const char *word =
		json_object_is_type(o, json_type_string) ? json_object_get_string(o) : "";

	for (*out = 0; f->words[*out]; ++*out) {
		if (!strcmp(f->words[*out], word))
			return true;
	}
	return fields_wrong(r, f->name, "not one of the words it can be");
}

/* n numbers of that size, the reader's; NULL: no memory. */
static void *new_list(struct field_reader *r, size_t n, size_t size)
{
	if (r->nlists == r->lists_room) {
		size_t room = r->lists_room ? r->lists_room * 2 : 4;
		void **list = realloc(r->list, room * sizeof(*list));

		if (!list)
			return NULL;
		r->list = list;
		r->lists_room = room;
	}
	void *list = calloc(n ? n : 1, size);

	if (list)
		r->list[r->nlists++] = list;
	return list;
}

static bool get_list32(struct field_reader *r, struct json_object *o, const char *name,
		       struct list32 *out)
{
	size_t n = json_object_array_length(o);
	uint32_t *v = new_list(r, n, sizeof(*v));
	int64_t x;

	if (!v)
		return fields_wrong(r, name, "out of memory");
	for (size_t i = 0; i < n; i++) {
		if (!fields_get_number(r, json_object_array_get_idx(o, i), name, 0, INT32_MAX, &x))
			return false;
		v[i] = (uint32_t)x;
	}
	*out = (struct list32){ v, (uint32_t)n };
	return true;
}

static bool get_list64(struct field_reader *r, struct json_object *o, const char *name,
		       struct list64 *out)
{
	size_t n = json_object_array_length(o);
	int64_t *v = new_list(r, n, sizeof(*v));

	if (!v)
		return fields_wrong(r, name, "out of memory");
	for (size_t i = 0; i < n; i++) {
		if (!fields_get_number(r, json_object_array_get_idx(o, i), name, INT64_MIN,
				       INT64_MAX, &v[i]))
			return false;
	}
	*out = (struct list64){ v, (uint32_t)n };
	return true;
}

static bool get_list(struct field_reader *r, struct json_object *o, const struct field *f, void *at)
{
	if (!json_object_is_type(o, json_type_array))
		return fields_wrong(r, f->name, "not a list");
	return f->kind == FIELD_LIST32 ? get_list32(r, o, f->name, at)
				       : get_list64(r, o, f->name, at);
}

/* All sets of a struct whose other members are read. */
static bool get_sets(struct field_reader *r, struct json_object *from, const struct field *f,
		     void *record)
{
	const struct nodeset **out = (const struct nodeset **)(void *)((char *)record + f->offset);
	struct json_object *list = NULL;
	size_t n = 0;

	if (json_object_object_get_ex(from, f->name, &list) &&
	    !json_object_is_type(list, json_type_array))
		return fields_wrong(r, f->name, "not a list");
	if (list)
		n = json_object_array_length(list);
	if (n != count_sets(f, record))
		return fields_wrong(r, f->name, "not as many as their number says");
	for (size_t i = 0; i < n; i++) {
		if (!fields_get_nodes(r, json_object_array_get_idx(list, i), f->name, &out[i]))
			return false;
	}
	return true;
}

static bool get_one(struct field_reader *r, struct json_object *o, const struct field *f, char *at)
{
	int64_t v;

	switch (f->kind) {
	case FIELD_I64:
		if (!fields_get_number(r, o, f->name, INT64_MIN, INT64_MAX, &v))
			return false;
		memcpy(at, &v, sizeof(v));
		return true;
	case FIELD_I32:
		if (!fields_get_number(r, o, f->name, INT32_MIN, INT32_MAX, &v))
			return false;
		*(int32_t *)(void *)at = (int32_t)v;
		return true;
	case FIELD_U32:
		if (!fields_get_number(r, o, f->name, 0, UINT32_MAX, &v))
			return false;
		*(uint32_t *)(void *)at = (uint32_t)v;
		return true;
	case FIELD_BOOL:
		if (!json_object_is_type(o, json_type_boolean))
			return fields_wrong(r, f->name, "neither true nor false");
		*(bool *)at = json_object_get_boolean(o);
		return true;
	case FIELD_ID:
		return get_id(r, o, f->name, (uint64_t *)(void *)at);
	case FIELD_WORD:
		return get_word(r, o, f, (unsigned int *)(void *)at);
	case FIELD_NODES:
		return fields_get_nodes(r, o, f->name, (const struct nodeset **)(void *)at);
	case FIELD_LIST32:
	case FIELD_LIST64:
		return get_list(r, o, f, at);
	case FIELD_OBJECT:
		return fields_get(r, o, f->members, at, NULL);
	case FIELD_SETS:
		return true; /* when their number is known: get_sets() */
	}
	return false;
}

static const struct field *find(const struct field *fields, const char *name)
{
	for (; fields->name; fields++) {
		if (!strcmp(fields->name, name))
			return fields;
	}
	return NULL;
}

bool fields_get(struct field_reader *r, struct json_object *o, const struct field *fields, void *to,
		const char *const *others)
{
	if (!json_object_is_type(o, json_type_object)) {
		snprintf(r->why, sizeof(r->why), "not an object");
		return false;
	}
	json_object_object_foreach(o, key, value)
	{
		const struct field *f = find(fields, key);
		const char *const *other = others;

		while (!f && other && *other && strcmp(*other, key))
			other++;
		if (!f && other && *other)
			continue;
		if (!f)
			return fields_wrong(r, key, "unknown key");
		if (!get_one(r, value, f, (char *)to + f->offset))
			return false;
	}
	for (; fields->name; fields++) {
		if (fields->kind == FIELD_SETS && !get_sets(r, o, fields, to))
			return false;
	}
	return true;
}

bool fields_get_record(struct field_reader *r, struct json_object *o,
		       const struct record_form *form, void *to)
{
	memset(to, 0, form->size);
	if (form->bare)
		return get_one(r, o, form->fields, (char *)to + form->fields->offset);
	return fields_get(r, o, form->fields, to, NULL);
}
