/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play: see play.h. The core that plays is watched by a tape of its own (tape.h), which gives each call
 * with its answer in the very form of the recording: the comparison is one of two JSON objects, and
 * nothing that is recorded can be forgotten in it.
 */
#include "tape/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel/engine.h"
#include "core/kernel/retell.h"
#include "core/kernel/watch.h"
#include "core/settings/settings.h"
#include "tape/layout.h"
#include "tape/tape.h"
#include "tape/version1.h"

enum stage { NOTHING, BEGINNING, PLAYING };

struct play {
	enum stage stage;
	const struct scheduler *known; /* beside the registry's; NULL: none */
	struct sched *s;
	struct sched_config config;
	struct tape *tape;
	struct json_tokener *tokener;
	struct json_object *got; /* of the call just made */
	struct field_reader reader;
	struct play_counts counts;
	int64_t asked, spent; /* the budget of the call at hand, see sched_spent() */
	int64_t version;
	struct version1 version1;
	char said[512];
	char *expected_text, *got_text;
};

static void take_object(void *arg, struct json_object *o)
{
	struct play *p = arg;

	json_object_put(p->got);
	p->got = json_object_get(o);
}

struct play *play_create(void)
{
	struct play *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->tape = tape_create_objects(take_object, p);
	p->tokener = json_tokener_new();
	if (!p->tape || !p->tokener) {
		play_destroy(p);
		return NULL;
	}
	json_tokener_set_flags(p->tokener, JSON_TOKENER_STRICT);
	return p;
}

/* The scheduler that plays is over. */
static void drop_sched(struct play *p)
{
	tape_stop(p->tape);
	sched_destroy(p->s);
	p->s = NULL;
	p->stage = NOTHING;
}

void play_destroy(struct play *p)
{
	if (!p)
		return;
	if (p->tape)
		drop_sched(p);
	tape_destroy(p->tape);
	if (p->tokener)
		json_tokener_free(p->tokener);
	json_object_put(p->got);
	field_reader_clear(&p->reader);
	free(p->expected_text);
	free(p->got_text);
	free(p);
}

static bool budget_spent(void *arg)
{
	struct play *p = arg;

	return p->spent && ++p->asked >= p->spent;
}

static enum play_verdict bad(struct play *p, const char *kind, const char *why)
{
	snprintf(p->said, sizeof(p->said), "%s: %s", kind, why);
	return PLAY_BAD;
}

/* ---- the beginning ---- */

static bool read_config(struct play *p, struct json_object *o, struct sched_config *c)
{
	struct field fields[LAYOUT_CONFIG];

	settings_unsaid(c);
	if (!o || !fields_get(&p->reader, o, layout_config(fields), c, NULL))
		return false;
	c->expired = budget_spent;
	c->expired_arg = p;
	return true;
}

void play_know(struct play *p, const struct scheduler *scheduler)
{
	p->known = scheduler;
}

static struct sched *make_sched(const struct play *p, const char *name, uint32_t nodes, char *why,
				size_t size)
{
	if (p->known && !strcmp(p->known->name, name))
		return sched_create_of(p->known, nodes, &p->config, why, size);
	return sched_create(name, nodes, &p->config, why, size);
}

static enum play_verdict take_head(struct play *p, struct json_object *version,
				   struct json_object *line)
{
	struct json_object *name = NULL, *nodes = NULL, *config = NULL;
	char why[256] = "";
	int64_t n, v;

	drop_sched(p);
	if (!fields_get_number(&p->reader, version, "tape", 0, INT32_MAX, &v))
		return bad(p, "head", p->reader.why);
	if (v != 1 && v != TAPE_VERSION) {
		snprintf(p->said, sizeof(p->said),
			 "a recording of version %lld; this reads 1 to %d", (long long)v,
			 TAPE_VERSION);
		return PLAY_BAD;
	}
	json_object_object_get_ex(line, "scheduler", &name);
	json_object_object_get_ex(line, "nodes", &nodes);
	json_object_object_get_ex(line, "config", &config);
	if (!json_object_is_type(name, json_type_string))
		return bad(p, "head", "scheduler: not a text");
	if (!nodes || !fields_get_number(&p->reader, nodes, "nodes", 1, TAPE_MOST_NODES, &n) ||
	    !read_config(p, config, &p->config))
		return bad(p, "head", nodes && config ? p->reader.why : "no nodes or no config");
	p->s = make_sched(p, json_object_get_string(name), (uint32_t)n, why, sizeof(why));
	if (!p->s)
		return bad(p, "head", why);
	p->reader.nodes = (uint32_t)n;
	p->stage = BEGINNING;
	p->version = v;
	version1_begin(&p->version1);
	p->counts.heads++;
	return PLAY_OK;
}

/* What version 1 has among its members and version 2 has not. */
static void strip_version1(struct play *p, const char *name, struct json_object *o)
{
	if (!strcmp(name, "state"))
		version1_state(&p->version1, o);
	if (!strcmp(name, "job"))
		version1_job(&p->version1, o);
}

/* A record of a form that only its engine knows. 0, an error of the core's, or -1: p->reader.why */
static int recall(struct play *p, const struct record_form *form, struct json_object *o)
{
	void *record = malloc(form->size);
	int rc = -1;

	snprintf(p->reader.why, sizeof(p->reader.why), "out of memory");
	if (p->version == 1)
		strip_version1(p, form->name, o);
	if (record && fields_get_record(&p->reader, o, form, record))
		rc = sched_recall(p->s, form, record);
	free(record);
	return rc;
}

/* What version 1 told otherwise. */
static int recall_version1(struct play *p)
{
	struct json_object *o = version1_kept(&p->version1, sched_name(p->s), p->config.mode);
	const struct record_form *form = sched_recall_form(p->s, "kept");
	int rc = o && form ? recall(p, form, o) : PACT_OK;

	json_object_put(o);
	return rc;
}

/* The last line of the beginning: from here on the core is watched. */
static int go(struct play *p)
{
	int rc = PACT_OK;

	if (p->version == 1)
		rc = recall_version1(p);
	if (rc == PACT_OK)
		rc = sched_recall_done(p->s);
	if (rc == PACT_OK)
		rc = tape_start(p->tape, p->s, p->reader.nodes, &p->config, NULL);
	if (rc == PACT_OK)
		p->stage = PLAYING;
	return rc;
}

/* A line between the head and the first call. */
static enum play_verdict take_beginning(struct play *p, const char *kind, struct json_object *o)
{
	const struct record_form *form = sched_recall_form(p->s, kind);
	int rc;

	if (!form && strcmp(kind, "go") != 0)
		return bad(p, kind, "nothing that this scheduler knows");
	rc = form ? recall(p, form, o) : go(p);
	if (rc == PACT_OK)
		return PLAY_OK;
	bad(p, kind, rc < 0 ? p->reader.why : sched_error(p->s));
	drop_sched(p);
	return PLAY_BAD;
}

/* ---- calls ---- */

static bool make_event(struct play *p, struct json_object *o)
{
	struct sched_event ev;
	bool ok = layout_get_event(&p->reader, o, &ev);

	if (ok) {
		sched_event(p->s, &ev);
		p->counts.events++;
	}
	layout_free_event(&ev);
	return ok;
}

static void count_action(struct play *p, const struct sched_action *a)
{
	p->counts.decisions += a->type == ACT_ACCEPT || a->type == ACT_REFUSE;
	p->counts.starts += a->type == ACT_START;
}

static bool make_next(struct play *p, struct json_object *o)
{
	struct sched_action a;

	(void)o;
	if (sched_next(p->s, &a))
		count_action(p, &a);
	return true;
}

static bool make_poll(struct play *p, struct json_object *o)
{
	struct sched_action a;

	(void)o;
	if (sched_poll(p->s, &a))
		count_action(p, &a);
	return true;
}

static bool make_ask(struct play *p, struct json_object *o)
{
	struct json_object *change = NULL, *now = NULL, *jobs = NULL;
	struct sched_decision d;
	struct sched_job *v;
	int64_t at = 0;
	size_t n;

	if (!json_object_is_type(o, json_type_object))
		return fields_wrong(&p->reader, "ask", "not an object");
	json_object_object_get_ex(o, "change", &change);
	if (!json_object_object_get_ex(o, "now", &now) ||
	    !json_object_object_get_ex(o, "jobs", &jobs))
		return fields_wrong(&p->reader, "ask", "now or jobs missing");
	if (!fields_get_number(&p->reader, now, "now", INT64_MIN, INT64_MAX, &at) ||
	    !layout_get_jobs(&p->reader, jobs, &v, &n))
		return false;
	if (change && n == 1)
		sched_ask_change(p->s, at, v, &d);
	else if (!change)
		sched_ask(p->s, at, v, n, &d);
	p->counts.decisions++;
	free(v);
	return !change || n == 1 || fields_wrong(&p->reader, "jobs", "a change is of one job");
}

static bool make_configure(struct play *p, struct json_object *o)
{
	struct sched_config config;

	if (!read_config(p, o, &config))
		return false;
	if (sched_configure(p->s, &config, p->reader.why, sizeof(p->reader.why)) != PACT_OK)
		return false;
	p->config = config;
	return true;
}

static const struct {
	const char *kind;
	bool (*make)(struct play *p, struct json_object *o);
} calls[] = {
	{ "event", make_event }, { "next", make_next },		  { "poll", make_poll },
	{ "ask", make_ask },	 { "configure", make_configure },
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

/* The first member that differs, "a.b.c", and both values. */
static void first_difference(struct json_object *want, struct json_object *have, char *path,
			     size_t size, struct json_object **w, struct json_object **h)
{
	*w = want;
	*h = have;
	while (json_object_is_type(*w, json_type_object) &&
	       json_object_is_type(*h, json_type_object)) {
		struct json_object *a = *w, *b = *h, *x = NULL, *y = NULL;
		const char *name = NULL;
		size_t at = strlen(path);

		json_object_object_foreach(a, key, value)
		{
			struct json_object *other = NULL;

			if (!name && (!json_object_object_get_ex(b, key, &other) ||
				      !json_object_equal(value, other))) {
				name = key;
				x = value;
				y = other;
			}
		}
		json_object_object_foreach(b, key2, value2)
		{
			if (!name && !json_object_object_get_ex(a, key2, NULL)) {
				name = key2;
				y = value2;
			}
		}
		if (!name)
			return;
		snprintf(path + at, size - at, "%s%s", at ? "." : "", name);
		*w = x;
		*h = y;
	}
}

static char *text_of(struct json_object *o)
{
	return strdup(o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : "");
}

static enum play_verdict differs(struct play *p, struct json_object *line)
{
	char path[200] = "";
	struct json_object *want, *have;

	free(p->expected_text);
	free(p->got_text);
	p->expected_text = text_of(line);
	p->got_text = text_of(p->got);
	if (!p->got) {
		snprintf(p->said, sizeof(p->said), "the core answers nothing");
	} else {
		first_difference(line, p->got, path, sizeof(path), &want, &have);
		snprintf(p->said, sizeof(p->said), "%s: recorded %.120s, now %.120s", path,
			 want ? json_object_to_json_string_ext(want, JSON_C_TO_STRING_PLAIN)
			      : "nothing",
			 have ? json_object_to_json_string_ext(have, JSON_C_TO_STRING_PLAIN)
			      : "nothing");
	}
	drop_sched(p);
	return PLAY_DIFFERS;
}

static enum play_verdict take_call(struct play *p, size_t i, struct json_object *o,
				   struct json_object *line)
{
	struct json_object *spent = NULL;

	if (p->stage != PLAYING)
		return bad(p, calls[i].kind, "a call before a recording's beginning");
	p->asked = p->spent = 0;
	if (json_object_object_get_ex(line, "spent", &spent) &&
	    (!spent ||
	     !fields_get_number(&p->reader, spent, "spent", 1, PACT_FOREVER - 1, &p->spent)))
		return bad(p, calls[i].kind, spent ? p->reader.why : "spent: null");
	json_object_put(p->got);
	p->got = NULL;
	if (!calls[i].make(p, o))
		return bad(p, calls[i].kind, p->reader.why);
	p->counts.calls++;
	return json_object_equal(line, p->got) ? PLAY_OK : differs(p, line);
}

/* ---- lines ---- */

static enum play_verdict take_line(struct play *p, struct json_object *line)
{
	struct json_object *o;

	if (!json_object_is_type(line, json_type_object))
		return bad(p, "line", "not a JSON object");
	if (json_object_object_get_ex(line, "tape", &o))
		return take_head(p, o, line);
	for (size_t i = 0; i < CALLS; i++) {
		if (json_object_object_get_ex(line, calls[i].kind, &o))
			return take_call(p, i, o, line);
	}
	if (json_object_object_get_ex(line, "note", &o))
		return PLAY_OK;
	if (json_object_object_get_ex(line, "mark", &o)) {
		snprintf(p->said, sizeof(p->said), "%.400s",
			 json_object_is_type(o, json_type_string) ? json_object_get_string(o)
								  : "no reason given");
		return PLAY_MARK;
	}
	if (p->stage == BEGINNING) {
		json_object_object_foreach(line, kind, what)
		{
			return take_beginning(p, kind, what);
		}
	}
	return bad(p, "line", "neither a head, nor an event, an action, a question or a note");
}

enum play_verdict play_line(struct play *p, const char *line, size_t length)
{
	struct json_object *o = NULL;
	enum play_verdict verdict;

	p->said[0] = '\0';
	json_tokener_reset(p->tokener);
	if (length < INT32_MAX)
		o = json_tokener_parse_ex(p->tokener, line, (int)length);
	if (!o && json_tokener_get_error(p->tokener) == json_tokener_success)
		return bad(p, "line", "not a JSON object");
	if (!o)
		return bad(p, "line",
			   json_tokener_get_error(p->tokener) == json_tokener_continue
				   ? "cut off in the middle"
				   : json_tokener_error_desc(json_tokener_get_error(p->tokener)));
	if (json_tokener_get_parse_end(p->tokener) < length)
		verdict = bad(p, "line", "something behind the object");
	else
		verdict = take_line(p, o);
	json_object_put(o);
	field_reader_clear(&p->reader);
	p->counts.lines += verdict != PLAY_BAD;
	return verdict;
}

const char *play_said(const struct play *p)
{
	return p->said;
}

const char *play_expected(const struct play *p)
{
	return p->expected_text ? p->expected_text : "";
}

const char *play_got(const struct play *p)
{
	return p->got_text ? p->got_text : "";
}

const struct play_counts *play_counts(const struct play *p)
{
	return &p->counts;
}

bool play_beginning(const struct play *p)
{
	return p->stage == BEGINNING;
}
