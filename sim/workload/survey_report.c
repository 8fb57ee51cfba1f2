/* SPDX-License-Identifier: GPL-2.0-or-later */
/* survey_report: see survey_report.h. */
#include "sim/workload/survey_report.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/sched.h"
#include "common/utf8.h"

/* The names of the format's fields. */
static const char *const field_name[SWF_FIELDS + 1] = {
	"",
	"job_number",
	"submit_time",
	"wait_time",
	"run_time",
	"used_processors",
	"average_cpu_time",
	"used_memory",
	"requested_processors",
	"requested_time",
	"requested_memory",
	"status",
	"user",
	"group",
	"application",
	"queue",
	"partition",
	"preceding_job",
	"think_time",
};

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void spread_of(int64_t *value, size_t n, struct survey_spread *spread)
{
	double sum = 0;

	qsort(value, n, sizeof(*value), compare);
	for (size_t i = 0; i < n; i++)
		sum += (double)value[i];
	spread->least = value[0];
	spread->median = value[(n - 1) / 2];
	spread->greatest = value[n - 1];
	spread->mean = sum / (double)n;
}

static bool counts(const struct survey *s, const struct survey_job *j)
{
	return j->selected && (!s->nodes || j->width <= s->nodes);
}

static void add_shares(const struct survey *s, struct survey_figures *f)
{
	double serial = 0, power = 0, used = 0, exact = 0, n = (double)f->jobs;

	for (size_t i = 0; i < s->count; i++) {
		const struct survey_job *j = &s->job[i];

		if (!counts(s, j))
			continue;
		serial += j->width == 1;
		power += (j->width & (j->width - 1)) == 0;
		used += (double)j->runtime / (double)j->estimate;
		exact += j->runtime == j->estimate;
	}
	f->serial_share = serial / n;
	f->power_of_two_share = power / n;
	f->used_share = used / n;
	f->exact_share = exact / n;
}

/* value[] has the submit times, sorted. */
static void add_period(const struct survey *s, struct survey_figures *f, const int64_t *value)
{
	double area = 0, period;

	f->first_submit = value[0];
	f->last_submit = value[f->jobs - 1];
	for (size_t i = 1; i < f->jobs; i++)
		if (value[i] - value[i - 1] > f->longest_gap)
			f->longest_gap = value[i] - value[i - 1];
	for (size_t i = 0; i < s->count; i++)
		if (counts(s, &s->job[i]))
			area += (double)s->job[i].width * (double)s->job[i].runtime;
	period = (double)(f->last_submit - f->first_submit);
	if (f->jobs > 1)
		f->interarrival_mean = period / (double)(f->jobs - 1);
	if (period > 0 && s->nodes)
		f->offered_load = area / (period * (double)s->nodes);
}

enum quantity { WIDTH, RUNTIME, ESTIMATE, SUBMIT, USER };

/* One quantity of the jobs that count, in value[]; how many they are. */
static size_t gather(const struct survey *s, enum quantity what, int64_t *value)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct survey_job *j = &s->job[i];

		if (counts(s, j))
			value[n++] = what == WIDTH	? j->width
				     : what == RUNTIME	? j->runtime
				     : what == ESTIMATE ? j->estimate
				     : what == SUBMIT	? j->submit
							: j->user;
	}
	return n;
}

int survey_figures(const struct survey *s, struct survey_figures *f)
{
	int64_t *value = calloc(s->count + 1, sizeof(*value));
	size_t n;

	memset(f, 0, sizeof(*f));
	if (!value)
		return PACT_ENOMEM;
	n = f->jobs = gather(s, WIDTH, value);
	if (n) {
		spread_of(value, n, &f->width);
		gather(s, RUNTIME, value);
		spread_of(value, n, &f->runtime);
		gather(s, ESTIMATE, value);
		spread_of(value, n, &f->estimate);
		gather(s, SUBMIT, value);
		qsort(value, n, sizeof(*value), compare);
		add_period(s, f, value);
		gather(s, USER, value);
		qsort(value, n, sizeof(*value), compare);
		for (size_t i = 0; i < n; i++)
			f->users += value[i] >= 0 && (!i || value[i] != value[i - 1]);
		add_shares(s, f);
	}
	free(value);
	return PACT_OK;
}

/* ---- text */

static void text_date(const struct survey *s, int64_t at, FILE *out)
{
	long long start =
		s->header[HEADER_UNIX_START] ? strtoll(s->header[HEADER_UNIX_START], NULL, 10) : 0;
	time_t t = (time_t)(start + at);
	struct tm tm;
	char text[40];

	fprintf(out, "%" PRId64, at);
	if (start > 0 && start < WORKLOAD_MAX_TIME && gmtime_r(&t, &tm) &&
	    strftime(text, sizeof(text), " (%Y-%m-%d %H:%M UTC)", &tm))
		fputs(text, out);
	fputc('\n', out);
}

static void text_spread(const char *label, const struct survey_spread *p, FILE *out)
{
	fprintf(out, "%-44s %" PRId64 " to %" PRId64 ", median %" PRId64 ", mean %.1f\n", label,
		p->least, p->greatest, p->median, p->mean);
}

static void text_jobs(const struct survey *s, const struct survey_figures *f, FILE *out)
{
	fprintf(out, "%-44s %zu of %zu\n", "jobs looked at", f->jobs, s->count);
	if (!f->jobs)
		return;
	fprintf(out, "%-44s ", "first submission, s");
	text_date(s, f->first_submit, out);
	fprintf(out, "%-44s ", "last submission, s");
	text_date(s, f->last_submit, out);
	fprintf(out, "%-44s %.1f days\n", "period of submissions",
		(double)(f->last_submit - f->first_submit) / 86400);
	fprintf(out, "%-44s mean %.1f, longest %" PRId64 "\n", "seconds between submissions",
		f->interarrival_mean, f->longest_gap);
	if (s->nodes)
		fprintf(out, "%-44s %.4f\n", "offered load", f->offered_load);
	text_spread("width", &f->width, out);
	fprintf(out, "%-44s %.1f %% are 1, %.1f %% powers of two\n", "widths",
		100 * f->serial_share, 100 * f->power_of_two_share);
	text_spread("runtime, s", &f->runtime, out);
	text_spread("estimate, s", &f->estimate, out);
	fprintf(out, "%-44s %.1f %% on average, all of it by %.1f %% of the jobs\n",
		"share of the estimate used", 100 * f->used_share, 100 * f->exact_share);
	fprintf(out, "%-44s %zu\n", "users", f->users);
}

static void text_odd(const struct survey *s, FILE *out)
{
	for (size_t i = 0; i < ODD_COUNT; i++) {
		const struct survey_count *c = &s->odd[i];

		if (!c->count)
			continue;
		fprintf(out, "%-44s %" PRIu64 ", line", survey_odd_label((enum survey_odd)i),
			c->count);
		for (size_t k = 0; k < c->count && k < SURVEY_LINES; k++)
			fprintf(out, "%s %" PRIu64, k ? "," : c->count > 1 ? "s" : "", c->line[k]);
		fputs(c->count > SURVEY_LINES ? ", ...\n" : "\n", out);
	}
}

static void text_missing(const struct survey *s, FILE *out)
{
	for (int i = 1; i <= SWF_FIELDS; i++)
		if (s->missing[i])
			fprintf(out, "missing: field %2d, %-26s %" PRIu64 " (%.1f %%)\n", i,
				field_name[i], s->missing[i],
				100 * (double)s->missing[i] / (double)s->records);
}

void survey_text(const struct survey *s, const struct survey_figures *f, const char *path,
		 FILE *out)
{
	fprintf(out, "%-44s %s\n", "log", path);
	for (size_t i = 0; i < HEADER_COUNT; i++) {
		char *text = s->header[i] ? utf8_harmless(s->header[i]) : NULL;

		if (text)
			fprintf(out, "header: %-36s %s\n", survey_header_key((enum survey_header)i),
				text);
		free(text);
	}
	fprintf(out,
		"%-44s %" PRIu64 ": %" PRIu64 " record%s, %" PRIu64 " comment%s, %" PRIu64
		" blank, %" PRIu64 " malformed\n",
		"lines", s->stats.lines, s->records, s->records == 1 ? "" : "s", s->comments,
		s->comments == 1 ? "" : "s", s->blank, s->stats.malformed);
	if (s->nodes)
		fprintf(out, "%-44s %" PRId64 "\n", "nodes", s->nodes);
	else
		fprintf(out, "%-44s not known; see --nodes\n", "nodes");
	text_jobs(s, f, out);
	text_odd(s, out);
	text_missing(s, out);
}

/* ---- JSON */

static json_object *json_text(const char *text)
{
	char *valid = text ? utf8_valid(text) : NULL;
	json_object *o = valid ? json_object_new_string(valid) : NULL;

	free(valid);
	return o;
}

static void put_whole(json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static void put_real(json_object *o, const char *key, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.10g", value);
	json_object_object_add(o, key, json_object_new_double_s(value, text));
}

static void put_spread(json_object *o, const char *key, const struct survey_spread *p)
{
	json_object *in = json_object_new_object();

	put_whole(in, "min", p->least);
	put_whole(in, "median", p->median);
	put_whole(in, "max", p->greatest);
	put_real(in, "mean", p->mean);
	json_object_object_add(o, key, in);
}

static void put_odd(json_object *o, const struct survey *s)
{
	json_object *all = json_object_new_object();

	for (size_t i = 0; i < ODD_COUNT; i++) {
		const struct survey_count *c = &s->odd[i];
		json_object *one = json_object_new_object(), *lines = json_object_new_array();

		for (size_t k = 0; k < c->count && k < SURVEY_LINES; k++)
			json_object_array_add(lines, json_object_new_int64((int64_t)c->line[k]));
		put_whole(one, "count", (int64_t)c->count);
		json_object_object_add(one, "first_lines", lines);
		json_object_object_add(all, survey_odd_key((enum survey_odd)i), one);
	}
	json_object_object_add(o, "odd", all);
}

static void put_figures(json_object *o, const struct survey_figures *f)
{
	put_whole(o, "jobs_selected", (int64_t)f->jobs);
	put_whole(o, "first_submit_s", f->first_submit);
	put_whole(o, "last_submit_s", f->last_submit);
	put_whole(o, "longest_gap_s", f->longest_gap);
	put_real(o, "interarrival_mean_s", f->interarrival_mean);
	put_real(o, "offered_load", f->offered_load);
	put_spread(o, "width", &f->width);
	put_real(o, "serial_share", f->serial_share);
	put_real(o, "power_of_two_share", f->power_of_two_share);
	put_spread(o, "runtime_s", &f->runtime);
	put_spread(o, "estimate_s", &f->estimate);
	put_real(o, "estimate_used_share", f->used_share);
	put_real(o, "estimate_exact_share", f->exact_share);
	put_whole(o, "users", (int64_t)f->users);
}

int survey_json(const struct survey *s, const struct survey_figures *f, const char *path, FILE *out)
{
	json_object *o = json_object_new_object(), *header = json_object_new_object();
	json_object *missing = json_object_new_object();

	put_whole(o, "version", 1);
	json_object_object_add(o, "log", json_text(path));
	for (size_t i = 0; i < HEADER_COUNT; i++)
		json_object_object_add(header, survey_header_key((enum survey_header)i),
				       json_text(s->header[i]));
	json_object_object_add(o, "header", header);
	put_whole(o, "lines", (int64_t)s->stats.lines);
	put_whole(o, "comments", (int64_t)s->comments);
	put_whole(o, "blank", (int64_t)s->blank);
	put_whole(o, "records", (int64_t)s->records);
	put_whole(o, "jobs", (int64_t)s->count);
	put_whole(o, "nodes", s->nodes);
	put_figures(o, f);
	put_odd(o, s);
	for (int i = 1; i <= SWF_FIELDS; i++)
		put_whole(missing, field_name[i], (int64_t)s->missing[i]);
	json_object_object_add(o, "missing", missing);
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_SPACED |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : EIO;
}
