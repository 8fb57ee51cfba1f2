/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * version1: recordings of version 1, read. Their head had some of what schedulers keep among the members of
 * `state` and `job`; since version 2 a scheduler tells that itself, as numbers (`kept`).
 */
#ifndef PACT_TAPE_VERSION1_H
#define PACT_TAPE_VERSION1_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "core/sched.h"

struct version1 {
	bool ordered;  /* qops in slurm mode: the plan is what the next pass would make */
	bool reserved; /* easy: a job has the reservation of a pass that was broken off: */
	int64_t reserved_id;
};

/* A recording begins. */
void version1_begin(struct version1 *v);

/* Take the members that version 2 does not have out of a `state` or a `job`. */
void version1_state(struct version1 *v, struct json_object *state);
void version1_job(struct version1 *v, struct json_object *job);

/* What the scheduler of that name keeps, as version 2 tells it (a new object); NULL: nothing, or no memory. */
struct json_object *version1_kept(const struct version1 *v, const char *scheduler,
				  enum sched_mode mode);

#endif
