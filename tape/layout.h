/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: what each struct of the core looks like on tape (doc/formats.md, "Recordings").
 * To record a new member, add its line here: it is then written, read and compared.
 */
#ifndef PACT_TAPE_LAYOUT_H
#define PACT_TAPE_LAYOUT_H

#include "core/kernel/retell.h"
#include "core/sched.h"
#include "tape/fields.h"

/* The head's "tape", as it is written; 1 is read, too (version1.h), others are not. */
#define TAPE_VERSION 2
#define TAPE_MOST_NODES (1u << 20)

extern const struct field layout_config[];   /* struct sched_config */
extern const struct field layout_decision[]; /* struct sched_decision */
extern const struct field layout_state[];    /* struct told_state */
extern const struct field layout_hold[];     /* struct told_hold */

/* A line is one object with its kind as the first key; takes `what` over. */
struct json_object *layout_line(const char *kind, struct json_object *what);

struct json_object *layout_put(const struct field *fields, const void *from, uint32_t nodes);

struct json_object *layout_put_event(const struct sched_event *ev, uint32_t nodes);
struct json_object *layout_put_action(const struct sched_action *a, uint32_t nodes);
struct json_object *layout_put_jobs(const struct sched_job *jobs, size_t n, uint32_t nodes);
struct json_object *layout_put_state(const struct told_state *t, uint32_t nodes);
struct json_object *layout_put_kept(const int64_t *v, uint32_t n);
struct json_object *layout_put_job(const struct told_job *t, uint32_t nodes);

/* false: r->why. What *out points to is freed by layout_free_*(), node sets by the reader. */
bool layout_get_jobs(struct field_reader *r, struct json_object *o, struct sched_job **out,
		     size_t *n);
bool layout_get_event(struct field_reader *r, struct json_object *o, struct sched_event *out);
bool layout_get_state(struct field_reader *r, struct json_object *o, struct told_state *out);
bool layout_get_job(struct field_reader *r, struct json_object *o, struct told_job *out);
/* At most `room` numbers. */
bool layout_get_kept(struct field_reader *r, struct json_object *o, int64_t *v, size_t room,
		     size_t *n);

#endif
