/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tape: writes down what a driver and a scheduler say to each other, one JSON object per line
 * (doc/formats.md, "Recordings"). Begun at any quiet moment of a scheduler's life, what is written from
 * there on can be played by itself (play.h), on any machine.
 *
 * A tape makes lines and does no I/O: they go to a function of the caller's, in the thread that calls
 * the scheduler, from within its calls.
 */
#ifndef PACT_TAPE_TAPE_H
#define PACT_TAPE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"
#include "tape/retold.h"

struct tape;

/* One line, without its end; valid during the call. */
typedef void tape_line_fn(void *arg, const char *text, size_t length);
/* The same before it is text; the object is borrowed. */
typedef void tape_object_fn(void *arg, struct json_object *o);

/* NULL: no memory. */
struct tape *tape_create(tape_line_fn *line, void *arg);
struct tape *tape_create_objects(tape_object_fn *object, void *arg);
/* Stops it, too. */
void tape_destroy(struct tape *t);

/*
 * Begin, or begin anew: the head and the state are written, and from now on the calls. `config` is the
 * configuration in force, `at` a text for the head (when and where), or NULL. The scheduler must live
 * until tape_stop(). 0; PACT_EPROTO: not now, it is in the middle of a pass (nothing is written; what
 * was recorded before goes on); PACT_ENOMEM.
 */
int tape_start(struct tape *t, struct sched *s, uint32_t nodes, const struct sched_config *config,
	       const char *at);
/*
 * The same, but what stands at the beginning is only copied (retold.h), for tape_tell() to be made into
 * lines of it before the first one that the tape makes; *told is the caller's. PACT_ENOMEM also when it
 * would be more than `most` bytes. After an error nothing has changed.
 */
int tape_start_later(struct tape *t, struct sched *s, uint32_t nodes,
		     const struct sched_config *config, const char *at, size_t most,
		     struct retold **told);
/* The lines of a beginning. By any thread; the scheduler is not looked at. */
void tape_tell(const struct retold *told, tape_line_fn *line, void *arg);
/* Write no more. */
void tape_stop(struct tape *t);

/* A line that means nothing to the scheduler: {"note": {key: text, "id": id}}; id 0: none. */
void tape_note(struct tape *t, uint64_t id, const char *key, const char *text);

#endif
