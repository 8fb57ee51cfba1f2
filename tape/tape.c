/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tape: see tape.h. */
#include "tape/tape.h"

#include <stdlib.h>

#include "core/kernel/watch.h"
#include "tape/layout.h"

struct tape {
	tape_line_fn *line;
	tape_object_fn *object;
	void *arg;
	struct sched *s;
	uint32_t nodes;
};

static void emit(struct tape *t, struct json_object *o)
{
	if (t->object) {
		t->object(t->arg, o);
	} else if (o) {
		size_t length;
		const char *text =
			json_object_to_json_string_length(o, JSON_C_TO_STRING_PLAIN, &length);

		if (text)
			t->line(t->arg, text, length);
	}
	json_object_put(o);
}

static void add_result(const struct tape *t, struct json_object *o, int rc)
{
	int64_t spent = sched_spent(t->s);

	if (rc)
		fields_add(o, "rc", json_object_new_int(rc));
	if (spent)
		fields_add(o, "spent", json_object_new_int64(spent));
}

/* ---- what is watched ---- */

static void on_event(void *arg, const struct sched_event *ev, int rc)
{
	struct tape *t = arg;
	struct json_object *o = layout_line("event", layout_put_event(ev, t->nodes));

	add_result(t, o, rc);
	emit(t, o);
}

static void on_action(void *arg, bool next, const struct sched_action *a)
{
	struct tape *t = arg;
	struct json_object *o =
		layout_line(next ? "next" : "poll", a ? layout_put_action(a, t->nodes) : NULL);

	if (next)
		add_result(t, o, PACT_OK);
	emit(t, o);
}

static void on_ask(void *arg, bool change, int64_t now, const struct sched_job *jobs, size_t njobs,
		   int rc, const struct sched_decision *d)
{
	struct tape *t = arg;
	struct json_object *what = json_object_new_object(), *o = layout_line("ask", what);

	if (change)
		fields_add(what, "change", json_object_new_boolean(true));
	fields_add(what, "now", json_object_new_int64(now));
	fields_add(what, "jobs", layout_put_jobs(jobs, njobs, t->nodes));
	add_result(t, o, rc);
	fields_add(o, "decision", layout_put(layout_decision, d, t->nodes));
	emit(t, o);
}

static void on_configure(void *arg, const struct sched_config *config, int rc)
{
	struct field fields[LAYOUT_CONFIG];
	struct tape *t = arg;

	(void)rc; /* a bad one is not told */
	emit(t, layout_line("configure", layout_put(layout_config(fields), config, t->nodes)));
}

static const struct watch watch = {
	.event = on_event,
	.action = on_action,
	.ask = on_ask,
	.configure = on_configure,
};

/* ---- the beginning ---- */

/* From now on all calls are told. */
static void look_on(struct tape *t, struct sched *s, uint32_t nodes)
{
	if (t->s != s)
		tape_stop(t);
	t->s = s;
	t->nodes = nodes;
	sched_watch(s, &watch, t);
}

static void emit_line(void *arg, struct json_object *o)
{
	emit(arg, o);
}

int tape_start(struct tape *t, struct sched *s, uint32_t nodes, const struct sched_config *config,
	       const char *at)
{
	struct retold *told;
	int rc = retold_take(s, nodes, config, at, SIZE_MAX, &told);

	if (rc != PACT_OK)
		return rc;
	look_on(t, s, nodes);
	retold_visit(told, emit_line, t);
	retold_destroy(told);
	return PACT_OK;
}

int tape_start_later(struct tape *t, struct sched *s, uint32_t nodes,
		     const struct sched_config *config, const char *at, size_t most,
		     struct retold **told)
{
	int rc = retold_take(s, nodes, config, at, most, told);

	if (rc == PACT_OK)
		look_on(t, s, nodes);
	return rc;
}

void tape_tell(const struct retold *told, tape_line_fn *line, void *arg)
{
	struct tape t = { .line = line, .arg = arg };

	retold_visit(told, emit_line, &t);
}

void tape_stop(struct tape *t)
{
	if (t->s)
		sched_watch(t->s, NULL, NULL);
	t->s = NULL;
}

void tape_note(struct tape *t, uint64_t id, const char *key, const char *text)
{
	struct json_object *what = json_object_new_object();

	if (id)
		fields_add(what, "id", json_object_new_uint64(id));
	fields_add(what, key, json_object_new_string(text));
	emit(t, layout_line("note", what));
}

/* ---- creation ---- */

struct tape *tape_create(tape_line_fn *line, void *arg)
{
	struct tape *t = calloc(1, sizeof(*t));

	if (t)
		*t = (struct tape){ .line = line, .arg = arg };
	return t;
}

struct tape *tape_create_objects(tape_object_fn *object, void *arg)
{
	struct tape *t = calloc(1, sizeof(*t));

	if (t)
		*t = (struct tape){ .object = object, .arg = arg };
	return t;
}

void tape_destroy(struct tape *t)
{
	if (!t)
		return;
	tape_stop(t);
	free(t);
}
