/* SPDX-License-Identifier: GPL-2.0-or-later */
/* version1: see version1.h. */
#include "tape/version1.h"

#include <string.h>

void version1_begin(struct version1 *v)
{
	*v = (struct version1){ .head = -1, .reserved = -1 };
}

/* A member's number (true is 1), which the object has no more; 0: it had none. */
static int64_t take(struct json_object *o, const char *name)
{
	struct json_object *member = NULL;
	int64_t x;

	if (!json_object_object_get_ex(o, name, &member))
		return 0;
	x = json_object_get_int64(member);
	json_object_object_del(o, name);
	return x;
}

void version1_state(struct version1 *v, struct json_object *state)
{
	v->ordered = take(state, "ordered") != 0;
	v->only_new = take(state, "only_new") != 0;
	v->tested = take(state, "tested");
}

void version1_job(struct version1 *v, struct json_object *job)
{
	struct json_object *terms = NULL, *id = NULL;
	bool head = take(job, "head") != 0, reserved = take(job, "reserved") != 0;

	json_object_object_get_ex(job, "terms", &terms);
	json_object_object_get_ex(terms, "id", &id);
	if (head)
		v->head = json_object_get_int64(id);
	if (reserved)
		v->reserved = json_object_get_int64(id);
}

uint32_t version1_kept(const struct version1 *v, const char *scheduler, enum sched_mode mode,
		       int64_t *kept)
{
	if (!strcmp(scheduler, "easy")) {
		kept[0] = v->only_new;
		kept[1] = v->tested;
		kept[2] = v->head;
		kept[3] = v->reserved;
		return 4;
	}
	if (!strcmp(scheduler, "qops") && mode == SCHED_MODE_SLURM) {
		kept[0] = 1;
		kept[1] = v->ordered;
		return 2;
	}
	return 0;
}
