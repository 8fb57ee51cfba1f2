/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout: see layout.h. */
#include "tape/layout.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the enums; the last word of an event is for drivers that send nonsense. */
static const char *const event_words[] = {
	"submit",      "confirm", "change", "priority", "withdraw", "started",	 "start-failed",
	"end-changed", "finish",  "block",  "time",	"policy",   "suspended", "resumed",
	"migrated",    "resized", "shared", "refused",	"left",	    "unknown",	 NULL
};
static const char *const action_words[] = { "accept", "refuse", "start",   "broken", "mended",
					    "policy", "wake",	"suspend", "resume", "migrate",
					    "resize", "share",	NULL };
static const char *const policy_words[] = { "fcfs", "sjf", "ljf", "ffia", "ffda", "queue", NULL };
static const char *const decider_words[] = { "simple", "advanced", "basic", "preferred", NULL };
static const char *const meaning_words[] = { "none", "ties", "first", NULL };
static const char *const mode_words[] = { "paper", "slurm", NULL };
static const char *const order_words[] = { "fcfs", "sjf", "ljf", "edf", "llf", "priority", NULL };
static const char *const cost_words[] = { "slack", "wait", "area", "work", "own", NULL };
static const char *const compress_words[] = { "arrival", "start", NULL };
static const char *const slots_words[] = { "start", "order", NULL };
static const char *const reason_words[] = { "none",	"disabled", "too-late", "never-fits",
					    "no-limit", "full",	    "budget",	"starves",
					    "blocked",	NULL };

#define F(type, member, kind) \
	{ \
#member, offsetof(struct type, member), FIELD_##kind, NULL \
	}
#define W(type, member, words) \
	{ \
#member, offsetof(struct type, member), FIELD_WORD, words \
	}
#define END \
	{ \
		NULL, 0, FIELD_I64, NULL \
	}

const struct field layout_config[] = {
	W(sched_config, mode, mode_words),
	W(sched_config, order, order_words),
	W(sched_config, cost, cost_words),
	W(sched_config, slots, slots_words),
	W(sched_config, compress, compress_words),
	F(sched_config, backtracks, I32),
	F(sched_config, effort, I32),
	F(sched_config, admission, BOOL),
	F(sched_config, kfactor, I32),
	F(sched_config, relax_milli, I64),
	F(sched_config, min_artificial, I64),
	F(sched_config, guard, I64),
	F(sched_config, lateness, I64),
	F(sched_config, offer_probes, I32),
	{ "policy1", offsetof(struct sched_config, dynp.policy[0]), FIELD_WORD, policy_words },
	{ "policy2", offsetof(struct sched_config, dynp.policy[1]), FIELD_WORD, policy_words },
	{ "policy3", offsetof(struct sched_config, dynp.policy[2]), FIELD_WORD, policy_words },
	{ "policy4", offsetof(struct sched_config, dynp.policy[3]), FIELD_WORD, policy_words },
	{ "policy5", offsetof(struct sched_config, dynp.policy[4]), FIELD_WORD, policy_words },
	{ "policy6", offsetof(struct sched_config, dynp.policy[5]), FIELD_WORD, policy_words },
	{ "policies", offsetof(struct sched_config, dynp.npolicies), FIELD_U32, NULL },
	{ "decider", offsetof(struct sched_config, dynp.decider), FIELD_WORD, decider_words },
	{ "weight_artww", offsetof(struct sched_config, dynp.weight[0]), FIELD_I32, NULL },
	{ "weight_art", offsetof(struct sched_config, dynp.weight[1]), FIELD_I32, NULL },
	{ "weight_ms", offsetof(struct sched_config, dynp.weight[2]), FIELD_I32, NULL },
	{ "weight_sld", offsetof(struct sched_config, dynp.weight[3]), FIELD_I32, NULL },
	{ "weight_sldww", offsetof(struct sched_config, dynp.weight[4]), FIELD_I32, NULL },
	{ "weight_wait", offsetof(struct sched_config, dynp.weight[5]), FIELD_I32, NULL },
	{ "slackness_ppm", offsetof(struct sched_config, dynp.slackness_ppm), FIELD_I32, NULL },
	{ "future_starts", offsetof(struct sched_config, dynp.future_starts), FIELD_I64, NULL },
	{ "future_seconds", offsetof(struct sched_config, dynp.future_seconds), FIELD_I64, NULL },
	{ "lower_bound", offsetof(struct sched_config, dynp.lower_bound), FIELD_I64, NULL },
	{ "upper_bound", offsetof(struct sched_config, dynp.upper_bound), FIELD_I64, NULL },
	{ "threshold", offsetof(struct sched_config, dynp.threshold), FIELD_I64, NULL },
	{ "spread", offsetof(struct sched_config, dynp.spread), FIELD_I64, NULL },
	{ "gain", offsetof(struct sched_config, dynp.gain), FIELD_I64, NULL },
	{ "job_priority", offsetof(struct sched_config, dynp.priority), FIELD_WORD, meaning_words },
	END,
};

static const struct field layout_terms[] = {
	F(sched_job, id, ID),	       F(sched_job, submit, I64),
	F(sched_job, eligible, I64),   F(sched_job, begin, I64),
	F(sched_job, limit, I64),      F(sched_job, least, I64),
	F(sched_job, deadline, I64),   F(sched_job, priority, I64),
	F(sched_job, planned, I64),    F(sched_job, width, I32),
	F(sched_job, flags, U32),      F(sched_job, nalt, U32),
	F(sched_job, required, NODES), END,
};

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
	END,
};

static const struct field layout_action[] = {
	W(sched_action, type, action_words),
	F(sched_action, id, ID),
	F(sched_action, alt, U32),
	F(sched_action, width, I32),
	F(sched_action, exact, BOOL),
	F(sched_action, allowed, NODES),
	F(sched_action, limit, I64),
	F(sched_action, share, U32),
	F(sched_action, lost, I64),
	F(sched_action, end, I64),
	END,
};

static const struct field layout_switch[] = {
	W(sched_action, from, policy_words),
	W(sched_action, to, policy_words),
	F(sched_action, row, I32),
	END,
};

const struct field layout_decision[] = {
	F(sched_decision, accepted, BOOL),   W(sched_decision, reason, reason_words),
	F(sched_decision, start, I64),	     F(sched_decision, end, I64),
	F(sched_decision, offer_start, I64), F(sched_decision, offer_end, I64),
	F(sched_decision, critical, ID),     F(sched_decision, critical_late, I64),
	F(sched_decision, attempts, I32),    F(sched_decision, violations, I32),
	F(sched_decision, waiting, I32),     END,
};

const struct field layout_state[] = {
	F(told_state, now, I64),
	F(told_state, pass_now, I64),
	F(told_state, dirty, BOOL),
	F(told_state, loosened, BOOL),
	F(told_state, tightened, BOOL),
	F(told_state, told, BOOL),
	F(told_state, named, BOOL),
	F(told_state, all, BOOL),
	F(told_state, forgotten, U32),
	F(told_state, classes, U32),
	END,
};

const struct field layout_hold[] = {
	F(told_hold, id, ID),
	F(told_hold, start, I64),
	F(told_hold, end, I64),
	F(told_hold, nodes, NODES),
	F(told_hold, count, I32),
	F(told_hold, block, BOOL),
	F(told_hold, region, BOOL),
	F(told_hold, promised, BOOL),
	F(told_hold, broken, BOOL),
	F(told_hold, submit, I64),
	F(told_hold, deadline, I64),
	F(told_hold, prolonged, I64),
	END,
};

static const struct field layout_job[] = {
	F(told_job, whole, I64),    F(told_job, granted, I64),
	F(told_job, duration, I64), F(told_job, artificial, I64),
	F(told_job, due, I64),	    F(told_job, promised, BOOL),
	F(told_job, broken, BOOL),  F(told_job, failed, BOOL),
	F(told_job, retried, BOOL), F(told_job, unreserved, BOOL),
	F(told_job, start, I64),    F(told_job, end, I64),
	F(told_job, alt, U32),	    END,
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

static struct json_object *put_terms(const struct sched_job *d, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_terms, d, nodes), *alt;

	if (!o || !d->nalt)
		return o;
	alt = json_object_new_array();
	for (uint32_t i = 0; alt && i < d->nalt && i < SCHED_MAX_ALT; i++)
		json_object_array_add(alt, fields_nodes(d->alt[i], nodes));
	fields_add(o, "alternatives", alt);
	return o;
}

struct json_object *layout_put_jobs(const struct sched_job *jobs, size_t n, uint32_t nodes)
{
	struct json_object *o = json_object_new_array();

	for (size_t i = 0; o && i < n; i++)
		json_object_array_add(o, put_terms(&jobs[i], nodes));
	return o;
}

static struct json_object *put_numbers(const uint32_t *v, uint32_t n)
{
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0; o && i < n; i++)
		json_object_array_add(o, json_object_new_int64(v[i]));
	return o;
}

struct json_object *layout_put_event(const struct sched_event *ev, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_event, ev, nodes);

	if (o && ev->njobs)
		fields_add(o, "jobs", layout_put_jobs(ev->jobs, ev->njobs, nodes));
	return o;
}

struct json_object *layout_put_action(const struct sched_action *a, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_action, a, nodes);

	if (o && (a->type == ACT_ACCEPT || a->type == ACT_REFUSE))
		fields_add(o, "decision", layout_put(layout_decision, &a->decision, nodes));
	if (o && a->type == ACT_POLICY)
		fields_put(o, layout_switch, a, nodes);
	if (o && a->nshares)
		fields_add(o, "shares", put_numbers(a->shares, a->nshares));
	return o;
}

struct json_object *layout_put_state(const struct told_state *t, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_state, t, nodes);

	fields_add(o, "class_of", put_numbers(t->class_of, nodes));
	fields_add(o, "demand", put_numbers(t->demand, t->classes));
	return o;
}

struct json_object *layout_put_job(const struct told_job *t, uint32_t nodes)
{
	struct json_object *o = layout_put(layout_job, t, nodes), *shares;

	fields_add(o, "terms", put_terms(&t->terms, nodes));
	if (!t->nshare)
		return o;
	shares = json_object_new_array();
	for (uint32_t i = 0; shares && i < t->nshare; i++) {
		json_object_array_add(shares, json_object_new_int64(t->share[i].cls));
		json_object_array_add(shares, json_object_new_int64(t->share[i].n));
	}
	fields_add(o, "shares", shares);
	return o;
}

struct json_object *layout_put_kept(const int64_t *v, uint32_t n)
{
	struct json_object *o = json_object_new_array();

	for (uint32_t i = 0; o && i < n; i++)
		json_object_array_add(o, json_object_new_int64(v[i]));
	return o;
}

/* ---- reading ---- */

/* The array under a key: its length; 0 when it is not there. */
static bool get_array(struct field_reader *r, struct json_object *o, const char *name,
		      struct json_object **out, size_t *n)
{
	*out = NULL;
	*n = 0;
	if (!json_object_object_get_ex(o, name, out))
		return true;
	if (!json_object_is_type(*out, json_type_array))
		return fields_wrong(r, name, "not a list");
	*n = json_object_array_length(*out);
	return true;
}

static bool get_terms(struct field_reader *r, struct json_object *o, struct sched_job *d)
{
	static const char *const others[] = { "alternatives", NULL };
	struct json_object *alt;
	size_t n;

	memset(d, 0, sizeof(*d));
	if (!fields_get(r, o, layout_terms, d, others) || !get_array(r, o, others[0], &alt, &n))
		return false;
	if (n != (d->nalt < SCHED_MAX_ALT ? d->nalt : SCHED_MAX_ALT))
		return fields_wrong(r, others[0], "not as many as nalt says");
	for (size_t i = 0; i < n; i++) {
		if (!fields_get_nodes(r, json_object_array_get_idx(alt, i), others[0], &d->alt[i]))
			return false;
	}
	return true;
}

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
		if (!get_terms(r, json_object_array_get_idx(o, i), &jobs[i])) {
			free(jobs);
			return false;
		}
	}
	*out = jobs;
	*n = count;
	return true;
}

bool layout_get_event(struct field_reader *r, struct json_object *o, struct sched_event *out)
{
	static const char *const others[] = { "jobs", NULL };
	struct json_object *jobs = NULL;
	struct sched_job *v;

	memset(out, 0, sizeof(*out));
	if (!fields_get(r, o, layout_event, out, others))
		return false;
	json_object_object_get_ex(o, "jobs", &jobs);
	if (!layout_get_jobs(r, jobs, &v, &out->njobs))
		return false;
	out->jobs = v;
	return true;
}

/* A list of n numbers in [0, most]. */
static bool get_numbers(struct field_reader *r, struct json_object *o, const char *name, size_t n,
			int64_t most, uint32_t **out)
{
	struct json_object *list;
	size_t have;
	uint32_t *v;

	if (!get_array(r, o, name, &list, &have))
		return false;
	if (have != n)
		return fields_wrong(r, name, "not as many numbers as there should be");
	v = calloc(n ? n : 1, sizeof(*v));
	if (!v)
		return fields_wrong(r, name, "out of memory");
	for (size_t i = 0; i < n; i++) {
		int64_t x;

		if (!fields_get_number(r, json_object_array_get_idx(list, i), name, 0, most, &x)) {
			free(v);
			return false;
		}
		v[i] = (uint32_t)x;
	}
	*out = v;
	return true;
}

bool layout_get_state(struct field_reader *r, struct json_object *o, struct told_state *out)
{
	static const char *const others[] = { "class_of", "demand", NULL };
	uint32_t *class_of = NULL, *demand = NULL;

	memset(out, 0, sizeof(*out));
	if (!fields_get(r, o, layout_state, out, others))
		return false;
	if (!out->classes || out->classes > r->nodes)
		return fields_wrong(r, "classes", "none, or more than nodes");
	if (!get_numbers(r, o, "class_of", r->nodes, INT32_MAX, &class_of))
		return false;
	if (!get_numbers(r, o, "demand", out->classes, INT32_MAX, &demand)) {
		free(class_of);
		return false;
	}
	out->class_of = class_of;
	out->demand = demand;
	return true;
}

static bool get_shares(struct field_reader *r, struct json_object *o, struct told_job *out)
{
	struct json_object *list;
	uint32_t *v = NULL;
	struct share *share;
	size_t n;

	if (!get_array(r, o, "shares", &list, &n) || !n)
		return !list || fields_wrong(r, "shares", "an empty list or none");
	if (n % 2 || n / 2 > r->nodes)
		return fields_wrong(r, "shares", "not pairs of class and number");
	if (!get_numbers(r, o, "shares", n, INT32_MAX, &v))
		return false;
	share = calloc(n / 2, sizeof(*share));
	for (size_t i = 0; share && i < n / 2; i++)
		share[i] = (struct share){ v[2 * i], (int32_t)v[2 * i + 1] };
	free(v);
	out->share = share;
	out->nshare = (uint32_t)(n / 2);
	return share || fields_wrong(r, "shares", "out of memory");
}

bool layout_get_job(struct field_reader *r, struct json_object *o, struct told_job *out)
{
	static const char *const others[] = { "terms", "shares", NULL };
	struct json_object *terms = NULL;

	memset(out, 0, sizeof(*out));
	if (!fields_get(r, o, layout_job, out, others))
		return false;
	json_object_object_get_ex(o, "terms", &terms);
	return get_terms(r, terms, &out->terms) && get_shares(r, o, out);
}

bool layout_get_kept(struct field_reader *r, struct json_object *o, int64_t *v, size_t room,
		     size_t *n)
{
	if (!json_object_is_type(o, json_type_array) || json_object_array_length(o) > room)
		return fields_wrong(r, "kept", "not a list, or too long");
	*n = json_object_array_length(o);
	for (size_t i = 0; i < *n; i++) {
		if (!fields_get_number(r, json_object_array_get_idx(o, i), "kept", INT64_MIN,
				       INT64_MAX, &v[i]))
			return false;
	}
	return true;
}
