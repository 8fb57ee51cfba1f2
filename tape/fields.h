/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields: structs of the core as JSON objects and back, by one table per struct for both ways.
 *
 * A member that is 0, false, NULL or an empty list is left out, and what is left out is read as that. PACT_FOREVER is
 * null. Node sets are texts of ranges, "0-3,7"; a set over another number of nodes than the machine's
 * has that number behind a slash. A key that the table does not have is an error.
 */
#ifndef PACT_TAPE_FIELDS_H
#define PACT_TAPE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "core/base/nodeset.h"
#include "core/kernel/record.h"

/* What one line was read into; sets and lists belong to it. */
struct field_reader {
	uint32_t nodes; /* of the machine */
	struct nodeset **set;
	size_t nsets, room;
	void **list;
	size_t nlists, lists_room;
	char why[256]; /* after an error: what is wrong, naming the key */
};

void field_reader_clear(struct field_reader *r);

/* As json_object_object_add(), which must not meet an object that there was no memory for. */
void fields_add(struct json_object *o, const char *name, struct json_object *value);

/* Add the members of a struct to an object. `fields` ends with a NULL name. */
void fields_put(struct json_object *o, const struct field *fields, const void *from,
		uint32_t nodes);

/* A record as an object (a new one), or as its only member. */
struct json_object *fields_put_record(const struct record_form *form, const void *record,
				      uint32_t nodes);

/* One set of nodes as text (a new object), or null for NULL. */
struct json_object *fields_nodes(const struct nodeset *set, uint32_t nodes);

/*
 * Read them, for all keys of the object but those in `others` (NULL-terminated, or NULL), into a struct
 * that was zeroed. False: r->why says what is wrong.
 */
bool fields_get(struct field_reader *r, struct json_object *o, const struct field *fields, void *to,
		const char *const *others);
/* A record into `to`, form->size bytes. As above. */
bool fields_get_record(struct field_reader *r, struct json_object *o,
		       const struct record_form *form, void *to);
/* NULL for null; false as above. */
bool fields_get_nodes(struct field_reader *r, struct json_object *o, const char *name,
		      const struct nodeset **out);
/* A whole number or null (PACT_FOREVER) in [min, max]. */
bool fields_get_number(struct field_reader *r, struct json_object *o, const char *name, int64_t min,
		       int64_t max, int64_t *out);
/* Note what is wrong with a key; returns false. */
bool fields_wrong(struct field_reader *r, const char *name, const char *what);

#endif
