/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: structs with a table of their members, so that they can be copied, written and read by those that
 * do not know what they mean. In such words an engine tells its state (retell.h), and a tape writes what is said.
 */
#ifndef PACT_CORE_RECORD_H
#define PACT_CORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
	FIELD_I64,
	FIELD_I32,
	FIELD_U32,
	FIELD_ID, /* uint64_t */
	FIELD_BOOL,
	FIELD_WORD,   /* an enum */
	FIELD_NODES,  /* const struct nodeset *, or NULL */
	FIELD_LIST32, /* struct list32: numbers from 0 to INT32_MAX */
	FIELD_LIST64, /* struct list64 */
	FIELD_OBJECT, /* a struct with a table of its own */
	/* an array of const struct nodeset *, SCHED_MAX_ALT of them, in use as many as its count says */
	FIELD_SETS,
};

struct list32 {
	const uint32_t *v;
	uint32_t n;
};

struct list64 {
	const int64_t *v;
	uint32_t n;
};

struct field {
	const char *name;
	size_t offset;
	enum field_kind kind;
	const char *const *words;    /* WORD: an enum's names from 0 on, NULL-terminated */
	const struct field *members; /* OBJECT */
	size_t count;		     /* SETS: offset of their uint32_t number */
};

#define RECORD_FIELD(type, member, kind) \
	{ \
#member, offsetof(struct type, member), kind, NULL, NULL, 0 \
	}
#define RECORD_END \
	{ \
		NULL, 0, FIELD_I64, NULL, NULL, 0 \
	}

/* A kind of record. `fields` ends with a NULL name. */
struct record_form {
	const char *name; /* no two forms of an engine, and no call of a recording, have the same */
	size_t size;
	const struct field *fields;
	bool bare; /* it has one member, and is written as that alone */
};

/* The one of that name; NULL: there is none. */
const struct record_form *record_form_of(const struct record_form *const *forms, size_t n,
					 const char *name);

/* struct sched_job. */
extern const struct field record_job[];

#endif
