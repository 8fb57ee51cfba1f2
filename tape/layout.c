/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout: see layout.h. */
#include "tape/layout.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the enums; the last word of an event is for drivers that send nonsense. */
static const char *const event_words[] = {
	"submit",      "confirm", "change",  "priority", "withdraw", "started",	  "start-failed",
	"end-changed", "finish",  "block",   "time",	 "policy",   "suspended", "resumed",
	"migrated",    "resized", "shared",  "refused",	 "left",     "nodes",	  "progress",
	"past",	       "leaving", "unknown", NULL
};
static const char *const action_words[] = { "accept", "refuse", "start",   "broken",  "mended",
					    "policy", "wake",	"suspend", "resume",  "migrate",
					    "resize", "share",	"shares",  "learned", NULL };
static const char *const policy_words[] = { "fcfs", "sjf", "ljf", "ffia", "ffda", "queue", NULL };
static const char *const reason_words[] = { "none",	"disabled", "too-late", "never-fits",
					    "no-limit", "full",	    "budget",	"starves",
					    "blocked",	"shares",   "chance",	"loss",
					    NULL };

#define F(type, member, kind) RECORD_FIELD(type, member, FIELD_##kind)
#define W(type, member, words) \
	{ \
#member, offsetof(struct type, member), FIELD_WORD, words, NULL, 0 \
	}
#define END RECORD_END

/* The lists among the settings: each of their members. */
#define D(name, at, kind, words) \
	{ \
		name, offsetof(struct sched_config, dynp.at), FIELD_##kind, words, NULL, 0 \
	}

static const struct field policies_fields[] = {
	D("policy1", policy[0], WORD, policy_words), D("policy2", policy[1], WORD, policy_words),
	D("policy3", policy[2], WORD, policy_words), D("policy4", policy[3], WORD, policy_words),
	D("policy5", policy[4], WORD, policy_words), D("policy6", policy[5], WORD, policy_words),
	D("policies", npolicies, U32, NULL),	     END,
};

static const struct field quality_fields[] = {
	D("weight_artww", weight[0], I32, NULL),
	D("weight_art", weight[1], I32, NULL),
	D("weight_ms", weight[2], I32, NULL),
	D("weight_sld", weight[3], I32, NULL),
	D("weight_sldww", weight[4], I32, NULL),
	D("weight_wait", weight[5], I32, NULL),
	END,
};

static const struct field phases_fields[] = {
	{ "phases", offsetof(struct sched_config, phases), FIELD_I32, NULL, NULL, 0 },
	END,
};

static const struct {
	const char *key;
	const struct field *fields;
} lists[] = {
	{ "Phases", phases_fields },
	{ "Policies", policies_fields },
	{ "Quality", quality_fields },
};

static const enum field_kind kinds[] = {
	[SETTING_WORD] = FIELD_WORD,
	[SETTING_BOOL] = FIELD_BOOL,
	[SETTING_I32] = FIELD_I32,
	[SETTING_I64] = FIELD_I64,
};

/* The fields of a setting that is a list. */
static size_t add_list(struct field *out, const char *key)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (const struct field *f = lists[i].fields; !strcmp(lists[i].key, key) && f->name;
		     f++)
			out[n++] = *f;
	}
	return n;
}

const struct field *layout_config(struct field fields[LAYOUT_CONFIG])
{
	size_t n = 0;

	for (const struct setting *s = sched_settings; s->key; s++) {
		if (s->type == SETTING_OWN)
			n += add_list(fields + n, s->key);
		else
			fields[n++] = (struct field){ s->member, s->offset, kinds[s->type],
						      s->words,	 NULL,	    0 };
	}
	fields[n] = (struct field)END;
	return fields;
}

static const struct field layout_event[] = {
	W(sched_event, type, event_words),
	F(sched_event, now, I64),
	F(sched_event, id, ID),
	F(sched_event, new_id, ID),
	F(sched_event, priority, I64),
	F(sched_event, nodes, NODES),
	F(sched_event, start, I64),
	F(sched_event, end, I64),
	F(sched_event, reserve, BOOL),
	F(sched_event, width, I32),
	F(sched_event, fine, I32),
	F(sched_event, rating, I32),
	F(sched_event, processors, I32),
	F(sched_event, memory, I64),
	F(sched_event, most, I32),
	F(sched_event, work, I64),
	F(sched_event, left, I64),
	F(sched_event, cut, BOOL),
	F(sched_event, migration, I64),
	F(sched_event, stays, I32),
	F(sched_event, cleans, I32),
	END,
};

/* What was learned: each job four numbers, as there may be thousands. */
#define PAST_NUMBERS 4

static const struct field layout_action[] = {
	W(sched_action, type, action_words), F(sched_action, id, ID),
	F(sched_action, alt, U32),	     F(sched_action, width, I32),
	F(sched_action, spare, I32),	     F(sched_action, exact, BOOL),
	F(sched_action, allowed, NODES),     F(sched_action, limit, I64),
	F(sched_action, share, U32),	     F(sched_action, node, U32),
	F(sched_action, lost, I64),	     F(sched_action, end, I64),
	F(sched_action, fine, I32),	     END,
};

static const struct field layout_switch[] = {
	W(sched_action, from, policy_words),
	W(sched_action, to, policy_words),
	F(sched_action, row, I32),
	END,
};

const struct field layout_decision[] = {
	F(sched_decision, accepted, BOOL),
	W(sched_decision, reason, reason_words),
	F(sched_decision, start, I64),
	F(sched_decision, end, I64),
	F(sched_decision, offer_start, I64),
	F(sched_decision, offer_end, I64),
	F(sched_decision, critical, ID),
	F(sched_decision, critical_late, I64),
	F(sched_decision, attempts, I32),
	F(sched_decision, violations, I32),
	F(sched_decision, waiting, I32),
	F(sched_decision, expected, BOOL),
	F(sched_decision, suited, I32),
	F(sched_decision, share, U32),
	F(sched_decision, delay, I64),
	F(sched_decision, chance, I32),
	END,
};

/* ---- writing ---- */

struct json_object *layout_line(const char *kind, struct json_object *what)
{
	struct json_object *o = json_object_new_object();

	fields_add(o, kind, what);
	return o;
}

struct json_object *layout_put(const struct field *fields, const void *from, uint32_t nodes)
{
	struct json_object *o = json_object_new_object();

	if (o)
		fields_put(o, fields, from, nodes);
	return o;
}

struct json_object *layout_put_jobs(const struct sched_job *jobs, size_t n, uint32_t nodes)
{
	struct json_object *o = json_object_new_array();

	for (size_t i = 0; o && i < n; i++)
		json_object_array_add(o, layout_put(record_job, &jobs[i], nodes));
	return o;
}

static struct json_object *put_numbers(const uint32_t *v, uint32_t n)
{
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0; o && i < n; i++)
		json_object_array_add(o, json_object_new_int64(v[i]));
	return o;
}

static struct json_object *put_ids(const uint64_t *v, uint32_t n)
{
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0; o && i < n; i++)
		json_object_array_add(o, json_object_new_uint64(v[i]));
	return o;
}

static struct json_object *put_past(const struct sched_past *past)
{
	const int64_t v[PAST_NUMBERS] = { past->user, past->limit, past->part, past->cut };
	struct json_object *o = json_object_new_array();

	for (size_t i = 0; o && i < PAST_NUMBERS; i++)
		json_object_array_add(o, json_object_new_int64(v[i]));
	return o;
}

static struct json_object *put_pasts(const struct sched_past *past, size_t n)
{
	struct json_object *o = json_object_new_array();

	for (size_t i = 0; o && i < n; i++)
		json_object_array_add(o, put_past(&past[i]));
	return o;
}

struct json_object *layout_put_event(const struct sched_event *ev, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_event, ev, nodes);

	if (o && ev->njobs)
		fields_add(o, "jobs", layout_put_jobs(ev->jobs, ev->njobs, nodes));
	if (o && ev->npast)
		fields_add(o, "past", put_pasts(ev->past, ev->npast));
	return o;
}

struct json_object *layout_put_action(const struct sched_action *a, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_action, a, nodes);

	if (o && (a->type == ACT_ACCEPT || a->type == ACT_REFUSE))
		fields_add(o, "decision", layout_put(layout_decision, &a->decision, nodes));
	if (o && a->type == ACT_POLICY)
		fields_put(o, layout_switch, a, nodes);
	if (o && a->type == ACT_LEARNED)
		fields_add(o, "past", put_past(&a->past));
	if (o && a->type == ACT_SHARES && a->nshares)
		fields_add(o, "ids", put_ids(a->ids, a->nshares));
	if (o && a->nshares)
		fields_add(o, "shares", put_numbers(a->shares, a->nshares));
	return o;
}

/* ---- reading ---- */

bool layout_get_jobs(struct field_reader *r, struct json_object *o, struct sched_job **out,
		     size_t *n)
{
	*out = NULL;
	*n = 0;
	if (!o)
		return true;
	if (!json_object_is_type(o, json_type_array))
		return fields_wrong(r, "jobs", "not a list");
	size_t count = json_object_array_length(o);
	struct sched_job *jobs = calloc(count ? count : 1, sizeof(*jobs));

	if (!jobs)
		return fields_wrong(r, "jobs", "out of memory");
	for (size_t i = 0; i < count; i++) {
		if (!fields_get(r, json_object_array_get_idx(o, i), record_job, &jobs[i], NULL)) {
			free(jobs);
			return false;
		}
	}
	*out = jobs;
	*n = count;
	return true;
}

static bool get_past(struct field_reader *r, struct json_object *o, struct sched_past *out)
{
	int64_t v[PAST_NUMBERS];

	if (!json_object_is_type(o, json_type_array) || json_object_array_length(o) != PAST_NUMBERS)
		return fields_wrong(r, "past", "not user, limit, part and cut of each job");
	for (size_t i = 0; i < PAST_NUMBERS; i++) {
		if (!fields_get_number(r, json_object_array_get_idx(o, i), "past", INT64_MIN,
				       INT64_MAX, &v[i]))
			return false;
	}
	if (v[2] < INT32_MIN || v[2] > INT32_MAX || v[3] < 0 || v[3] > 1)
		return fields_wrong(r, "past", "out of range");
	*out = (struct sched_past){ v[0], v[1], (int32_t)v[2], v[3] == 1 };
	return true;
}

/* As layout_get_jobs(). */
static bool get_pasts(struct field_reader *r, struct json_object *o, struct sched_event *ev)
{
	size_t n = 0;
	struct sched_past *past;
	bool good = true;

	if (!o)
		return true;
	if (!json_object_is_type(o, json_type_array))
		return fields_wrong(r, "past", "not a list");
	n = json_object_array_length(o);
	past = calloc(n ? n : 1, sizeof(*past));
	if (!past)
		return fields_wrong(r, "past", "out of memory");
	for (size_t i = 0; good && i < n; i++)
		good = get_past(r, json_object_array_get_idx(o, i), &past[i]);
	ev->past = past;
	ev->npast = n;
	return good;
}

bool layout_get_event(struct field_reader *r, struct json_object *o, struct sched_event *out)
{
	static const char *const others[] = { "jobs", "past", NULL };
	struct json_object *jobs = NULL, *past = NULL;
	struct sched_job *v;

	memset(out, 0, sizeof(*out));
	if (!fields_get(r, o, layout_event, out, others))
		return false;
	json_object_object_get_ex(o, "jobs", &jobs);
	json_object_object_get_ex(o, "past", &past);
	if (!layout_get_jobs(r, jobs, &v, &out->njobs))
		return false;
	out->jobs = v;
	return get_pasts(r, past, out);
}

void layout_free_event(struct sched_event *ev)
{
	free((void *)ev->jobs);
	free((void *)ev->past);
	ev->jobs = NULL;
	ev->past = NULL;
}
