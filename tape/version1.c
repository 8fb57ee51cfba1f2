/* SPDX-License-Identifier: GPL-2.0-or-later */
/* version1: see version1.h. */
#include "tape/version1.h"

#include <string.h>

void version1_begin(struct version1 *v)
{
	*v = (struct version1){ 0 };
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
	/* what easy no longer keeps */
	take(state, "only_new");
	take(state, "tested");
}

void version1_job(struct version1 *v, struct json_object *job)
{
	struct json_object *terms = NULL, *id = NULL;
	bool reserved = take(job, "reserved") != 0;

	take(job, "head"); /* easy no longer keeps it */
	json_object_object_get_ex(job, "terms", &terms);
	json_object_object_get_ex(terms, "id", &id);
	if (reserved) {
		v->reserved = true;
		v->reserved_id = (int64_t)json_object_get_uint64(id);
	}
}

static struct json_object *numbers(const int64_t *v, size_t n)
{
	struct json_object *o = json_object_new_array();

	for (size_t i = 0; o && i < n; i++)
		json_object_array_add(o, json_object_new_int64(v[i]));
	return o;
}

struct json_object *version1_kept(const struct version1 *v, const char *scheduler,
				  enum sched_mode mode)
{
	if (!strcmp(scheduler, "easy"))
		return numbers((int64_t[]){ v->reserved, v->reserved_id }, 2);
	if (!strcmp(scheduler, "qops") && mode == SCHED_MODE_SLURM)
		return numbers((int64_t[]){ 1, v->ordered }, 2);
	return NULL;
}
