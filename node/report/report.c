/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: see report.h. */
#include "node/report/report.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than any that we write. */
#define DEPTH 6
#define WORK_MOST (INT64_C(1) << 60)

static char *as_text(json_object *o)
{
	char *text = o ? strdup(json_object_to_json_string_ext(
				 o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE))
		       : NULL;

	json_object_put(o);
	return text;
}

static void add_int(json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static void add_string(json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

static json_object *job_of(const struct report_job *j)
{
	json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_int(o, "id", j->id);
	add_int(o, "submit", j->submit);
	add_int(o, "work", j->work);
	add_int(o, "share", j->share);
	add_int(o, "processes", j->processes);
	add_int(o, "deadline", j->deadline);
	add_int(o, "estimate", j->estimate);
	add_int(o, "takes", j->takes);
	add_string(o, "rule", j->rule);
	return o;
}

char *report_write(const struct node_report *report)
{
	json_object *o = json_object_new_object(), *jobs = json_object_new_array();

	if (!o || !jobs) {
		json_object_put(o);
		json_object_put(jobs);
		return NULL;
	}
	add_int(o, "pact", REPORT_VERSION);
	add_string(o, "node", report->node);
	add_string(o, "boot", report->boot);
	add_int(o, "count", (int64_t)report->count);
	add_int(o, "rating", report->rating);
	add_int(o, "processors", report->processors);
	add_string(o, "cgroup", report->cgroup);
	add_string(o, "lacks", report->lacks);
	for (size_t i = 0; i < report->n; i++)
		json_object_array_add(jobs, job_of(&report->job[i]));
	json_object_object_add(o, "jobs", jobs);
	return as_text(o);
}

char *answer_write(const struct node_answer *answer)
{
	json_object *o = json_object_new_object(), *jobs = json_object_new_array(),
		    *gone = json_object_new_array();

	if (!o || !jobs || !gone) {
		json_object_put(o);
		json_object_put(jobs);
		json_object_put(gone);
		return NULL;
	}
	add_int(o, "pact", REPORT_VERSION);
	add_int(o, "interval", answer->interval);
	for (size_t i = 0; i < answer->n; i++) {
		json_object *j = json_object_new_object();

		add_int(j, "id", answer->job[i].id);
		add_int(j, "submit", answer->job[i].submit);
		add_string(j, "terms", answer->job[i].terms);
		json_object_array_add(jobs, j);
	}
	for (size_t i = 0; i < answer->n_gone; i++)
		json_object_array_add(gone, json_object_new_int64(answer->gone[i]));
	json_object_object_add(o, "jobs", jobs);
	json_object_object_add(o, "gone", gone);
	return as_text(o);
}

/* ---- reading: the first thing that is wrong is noted, all after it is left alone ---- */

struct reader {
	char *why;
	size_t size;
	bool bad;
};

static void wrong(struct reader *r, const char *key, const char *what)
{
	if (!r->bad)
		snprintf(r->why, r->size, "%s: %s", key, what);
	r->bad = true;
}

static int64_t integer(struct reader *r, json_object *value, const char *key, int64_t least,
		       int64_t most)
{
	int64_t n;

	if (!json_object_is_type(value, json_type_int)) {
		wrong(r, key, value ? "is no integer" : "is missing");
		return least;
	}
	n = json_object_get_int64(value);
	if (n < least || n > most) {
		wrong(r, key, "is out of range");
		return least;
	}
	return n;
}

static int64_t get_int(struct reader *r, json_object *o, const char *key, int64_t least,
		       int64_t most)
{
	return integer(r, json_object_object_get(o, key), key, least, most);
}

/* Printable ASCII alone: it goes to logs and terminals. */
static void get_string(struct reader *r, json_object *o, const char *key, char *out, size_t size)
{
	json_object *value = json_object_object_get(o, key);
	const char *text;
	size_t len;

	if (!json_object_is_type(value, json_type_string)) {
		wrong(r, key, value ? "is no string" : "is missing");
		return;
	}
	text = json_object_get_string(value);
	len = (size_t)json_object_get_string_len(value);
	if (len >= size) {
		wrong(r, key, "is too long");
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] < ' ' || text[i] > '~') {
			wrong(r, key, "has a character that is not printable");
			return;
		}
	}
	memcpy(out, text, len);
	out[len] = '\0';
}

/* NULL: it is none, or empty; *n is its length. */
static json_object *get_array(struct reader *r, json_object *o, const char *key, size_t *n)
{
	json_object *value = json_object_object_get(o, key);

	*n = 0;
	if (!json_object_is_type(value, json_type_array)) {
		wrong(r, key, value ? "is no array" : "is missing");
		return NULL;
	}
	*n = json_object_array_length(value);
	return *n ? value : NULL;
}

static json_object *element(struct reader *r, json_object *array, size_t i, const char *key)
{
	json_object *o = json_object_array_get_idx(array, i);

	if (!json_object_is_type(o, json_type_object))
		wrong(r, key, "has an element that is no object");
	return r->bad ? NULL : o;
}

/* The text is one object of our version, and nothing else; NULL: it is not. */
static json_object *parse(struct reader *r, const char *text, size_t len)
{
	json_tokener *tok = len <= INT32_MAX ? json_tokener_new_ex(DEPTH) : NULL;
	json_object *o;

	if (!tok) {
		wrong(r, "report", "no memory");
		return NULL;
	}
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(tok, text, (int)len);
	if (json_tokener_get_error(tok) != json_tokener_success)
		wrong(r, "JSON", json_tokener_error_desc(json_tokener_get_error(tok)));
	else if (!json_object_is_type(o, json_type_object))
		wrong(r, "JSON", "is no object");
	else if (json_tokener_get_parse_end(tok) != len)
		wrong(r, "JSON", "something stands behind it");
	else
		get_int(r, o, "pact", REPORT_VERSION, REPORT_VERSION);
	json_tokener_free(tok);
	if (!r->bad)
		return o;
	json_object_put(o);
	return NULL;
}

static void *array_of(struct reader *r, size_t n, size_t size)
{
	void *array = n ? calloc(n, size) : NULL;

	if (n && !array)
		wrong(r, "report", "no memory");
	return array;
}

static void read_job(struct reader *r, json_object *o, struct report_job *j)
{
	j->id = (uint32_t)get_int(r, o, "id", 1, UINT32_MAX);
	j->submit = get_int(r, o, "submit", 0, REPORT_TIME_MOST);
	j->work = get_int(r, o, "work", 0, WORK_MOST);
	j->share = (uint32_t)get_int(r, o, "share", 0, 1000000);
	j->processes = (uint32_t)get_int(r, o, "processes", 0, UINT32_MAX);
	j->deadline = get_int(r, o, "deadline", 0, REPORT_TIME_MOST);
	j->estimate = get_int(r, o, "estimate", 0, REPORT_TIME_MOST);
	/* Not told: its terms are taken for others than those in force, and sent. */
	if (json_object_object_get(o, "takes"))
		j->takes = (uint32_t)get_int(r, o, "takes", 0, UINT16_MAX);
	if (json_object_object_get(o, "rule"))
		get_string(r, o, "rule", j->rule, sizeof(j->rule));
}

bool report_read(const char *text, size_t len, struct node_report *out, char *why, size_t size)
{
	struct reader r = { .why = why, .size = size };
	json_object *o = parse(&r, text, len), *jobs;

	memset(out, 0, sizeof(*out));
	if (!o)
		return false;
	get_string(&r, o, "node", out->node, sizeof(out->node));
	get_string(&r, o, "boot", out->boot, sizeof(out->boot));
	out->count = (uint64_t)get_int(&r, o, "count", 1, INT64_MAX);
	out->rating = (uint32_t)get_int(&r, o, "rating", 1, INT32_MAX);
	out->processors = (uint32_t)get_int(&r, o, "processors", 1, UINT16_MAX);
	get_string(&r, o, "cgroup", out->cgroup, sizeof(out->cgroup));
	get_string(&r, o, "lacks", out->lacks, sizeof(out->lacks));
	jobs = get_array(&r, o, "jobs", &out->n);
	out->job = array_of(&r, out->n, sizeof(*out->job));
	for (size_t i = 0; i < out->n && !r.bad; i++)
		read_job(&r, element(&r, jobs, i, "jobs"), &out->job[i]);
	json_object_put(o);
	if (r.bad)
		report_release(out);
	return !r.bad;
}

bool answer_read(const char *text, size_t len, struct node_answer *out, char *why, size_t size)
{
	struct reader r = { .why = why, .size = size };
	json_object *o = parse(&r, text, len), *jobs, *gone;

	memset(out, 0, sizeof(*out));
	if (!o)
		return false;
	out->interval = (uint32_t)get_int(&r, o, "interval", 1, REPORT_INTERVAL_MOST);
	jobs = get_array(&r, o, "jobs", &out->n);
	out->job = array_of(&r, out->n, sizeof(*out->job));
	for (size_t i = 0; i < out->n && !r.bad; i++) {
		json_object *j = element(&r, jobs, i, "jobs");

		out->job[i].id = (uint32_t)get_int(&r, j, "id", 1, UINT32_MAX);
		out->job[i].submit = get_int(&r, j, "submit", 0, REPORT_TIME_MOST);
		get_string(&r, j, "terms", out->job[i].terms, sizeof(out->job[i].terms));
	}
	gone = get_array(&r, o, "gone", &out->n_gone);
	out->gone = array_of(&r, out->n_gone, sizeof(*out->gone));
	for (size_t i = 0; i < out->n_gone && !r.bad; i++)
		out->gone[i] = (uint32_t)integer(&r, json_object_array_get_idx(gone, i), "gone", 1,
						 UINT32_MAX);
	json_object_put(o);
	if (r.bad)
		answer_release(out);
	return !r.bad;
}

void report_release(struct node_report *report)
{
	free(report->job);
	memset(report, 0, sizeof(*report));
}

void answer_release(struct node_answer *answer)
{
	free(answer->job);
	free(answer->gone);
	memset(answer, 0, sizeof(*answer));
}
