/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tape: see tape.h. */
#include "tape/tape.h"

#include <stdlib.h>

#include "core/watch.h"
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

/* A line is one object with the kind as its first key. */
static struct json_object *kind(const char *name, struct json_object *what)
{
	struct json_object *o = json_object_new_object();

	fields_add(o, name, what);
	return o;
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
	struct json_object *o = kind("event", layout_put_event(ev, t->nodes));

	add_result(t, o, rc);
	emit(t, o);
}

static void on_action(void *arg, bool next, const struct sched_action *a)
{
	struct tape *t = arg;
	struct json_object *o =
		kind(next ? "next" : "poll", a ? layout_put_action(a, t->nodes) : NULL);

	if (next)
		add_result(t, o, PACT_OK);
	emit(t, o);
}

static void on_ask(void *arg, bool change, int64_t now, const struct sched_job *jobs, size_t njobs,
		   int rc, const struct sched_decision *d)
{
	struct tape *t = arg;
	struct json_object *what = json_object_new_object(), *o = kind("ask", what);

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
	struct tape *t = arg;

	(void)rc; /* a bad one is not told */
	emit(t, kind("configure", layout_put(layout_config, config, t->nodes)));
}

static const struct watch watch = {
	.event = on_event,
	.action = on_action,
	.ask = on_ask,
	.configure = on_configure,
};

/* ---- what is told at the beginning ---- */

static void tell_region(void *arg, const struct nodeset *nodes)
{
	struct tape *t = arg;

	emit(t, kind("region", fields_nodes(nodes, t->nodes)));
}

static void tell_state(void *arg, const struct told_state *state)
{
	struct tape *t = arg;

	emit(t, kind("state", layout_put_state(state, t->nodes)));
}

static void tell_hold(void *arg, const struct told_hold *hold)
{
	struct tape *t = arg;

	emit(t, kind("hold", layout_put(layout_hold, hold, t->nodes)));
}

static void tell_job(void *arg, const struct told_job *job)
{
	struct tape *t = arg;

	emit(t, kind("job", layout_put_job(job, t->nodes)));
}

static void tell_kept(void *arg, const int64_t *v, uint32_t n)
{
	emit(arg, kind("kept", layout_put_kept(v, n)));
}

static void put_head(struct tape *t, struct sched *s, const struct sched_config *config,
		     const char *at)
{
	struct json_object *o = kind("tape", json_object_new_int(TAPE_VERSION));

	fields_add(o, "scheduler", json_object_new_string(sched_name(s)));
	fields_add(o, "nodes", json_object_new_int64(t->nodes));
	fields_add(o, "config", layout_put(layout_config, config, t->nodes));
	if (at)
		fields_add(o, "at", json_object_new_string(at));
	emit(t, o);
}

int tape_start(struct tape *t, struct sched *s, uint32_t nodes, const struct sched_config *config,
	       const char *at)
{
	static const struct retelling to = {
		.region = tell_region,
		.state = tell_state,
		.hold = tell_hold,
		.job = tell_job,
		.kept = tell_kept,
	};
	int rc = sched_retell(s, NULL, NULL);

	if (rc != PACT_OK)
		return rc;
	if (t->s != s)
		tape_stop(t);
	t->s = s;
	t->nodes = nodes;
	put_head(t, s, config, at);
	rc = sched_retell(s, &to, t);
	if (rc != PACT_OK)
		return rc;
	emit(t, kind("go", NULL));
	sched_watch(s, &watch, t);
	return PACT_OK;
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
	emit(t, kind("note", what));
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
