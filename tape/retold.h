/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retold: what stands at the beginning of a tape (core/kernel/retell.h), as a copy. Taking it costs the thread
 * that may call the scheduler a few copies per job and no text; the lines are made of it later, by any
 * thread, while the scheduler goes on.
 */
#ifndef PACT_TAPE_RETOLD_H
#define PACT_TAPE_RETOLD_H

#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"

struct retold;
struct json_object;

/*
 * Copy what a scheduler knows. `config` is the configuration in force, `at` a text for the head, or
 * NULL; the caller owns *out, which is NULL after an error. 0; PACT_EPROTO: not now (sched_retell());
 * PACT_ENOMEM: no memory, or it would be more than `most` bytes.
 */
int retold_take(struct sched *s, uint32_t nodes, const struct sched_config *config, const char *at,
		size_t most, struct retold **out);
void retold_destroy(struct retold *r);

/* What it occupies. */
size_t retold_bytes(const struct retold *r);

/* The lines in their order, from the head to "go", each the visitor's; NULL: no memory for it. */
void retold_visit(const struct retold *r, void (*visit)(void *arg, struct json_object *line),
		  void *arg);

#endif
