/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: writes what the simulator and its scheduler say to each other into a file, for
 * `pact-sim replay` (doc/formats.md, "Recordings").
 */
#ifndef PACT_SIM_RECORD_H
#define PACT_SIM_RECORD_H

#include <stddef.h>

#include "core/sched.h"

struct record;

/* A new file, which is overwritten. NULL with the reason. */
struct record *record_open(const char *path, char *why, size_t size);
/* The scheduler that was just created; and before it is destroyed. */
void record_begin(struct record *r, struct sched *s, uint32_t nodes,
		  const struct sched_config *config);
void record_end(struct record *r);
/* 0, or the errno of what could not be written. NULL is fine. */
int record_close(struct record *r);

#endif
