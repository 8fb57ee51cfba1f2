/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: what each struct of the protocol looks like on tape (doc/formats.md, "Recordings").
 * To record a new member, add its line here: it is then written, read and compared. What an engine tells of
 * its state has tables of the engine's own (core/kernel/record.h).
 */
#ifndef PACT_TAPE_LAYOUT_H
#define PACT_TAPE_LAYOUT_H

#include "core/sched.h"
#include "tape/fields.h"

/* The head's "tape", as it is written; 1 is read, too (version1.h), others are not. */
#define TAPE_VERSION 2
#define TAPE_MOST_NODES (1u << 20)

extern const struct field layout_decision[]; /* struct sched_decision */

/*
 * struct sched_config, by the table of settings: into fields, which are returned. (A test sees that there is
 * room for all.)
 */
#define LAYOUT_CONFIG 96
const struct field *layout_config(struct field fields[LAYOUT_CONFIG]);

/* A line is one object with its kind as the first key; takes `what` over. */
struct json_object *layout_line(const char *kind, struct json_object *what);

struct json_object *layout_put(const struct field *fields, const void *from, uint32_t nodes);

struct json_object *layout_put_event(const struct sched_event *ev, uint32_t nodes);
struct json_object *layout_put_action(const struct sched_action *a, uint32_t nodes);
struct json_object *layout_put_jobs(const struct sched_job *jobs, size_t n, uint32_t nodes);

/*
 * false: r->why. The array of jobs is the caller's to free, and what an event has layout_free_event()'s, in any case;
 * node sets are the reader's.
 */
bool layout_get_jobs(struct field_reader *r, struct json_object *o, struct sched_job **out,
		     size_t *n);
bool layout_get_event(struct field_reader *r, struct json_object *o, struct sched_event *out);
void layout_free_event(struct sched_event *ev);

#endif
