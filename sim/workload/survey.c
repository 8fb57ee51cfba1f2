/* SPDX-License-Identifier: GPL-2.0-or-later */
/* survey: see survey.h. */
#include "sim/workload/survey.h"

#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/why.h"

static const char *const header_key[HEADER_COUNT] = {
	[HEADER_COMPUTER] = "Computer",	       [HEADER_INSTALLATION] = "Installation",
	[HEADER_START_TIME] = "StartTime",     [HEADER_END_TIME] = "EndTime",
	[HEADER_TIME_ZONE] = "TimeZoneString", [HEADER_UNIX_START] = "UnixStartTime",
	[HEADER_MAX_JOBS] = "MaxJobs",	       [HEADER_MAX_RECORDS] = "MaxRecords",
	[HEADER_MAX_NODES] = "MaxNodes",       [HEADER_MAX_PROCS] = "MaxProcs",
};

static const struct {
	const char *key, *label;
} odd_name[ODD_COUNT] = {
	[ODD_MALFORMED] = { "malformed", "dropped: no line of 18 numbers" },
	[ODD_NO_WIDTH] = { "no_width", "dropped: no width (fields 8 and 5)" },
	[ODD_NEGATIVE_RUNTIME] = { "negative_runtime", "dropped: no runtime (field 4)" },
	[ODD_NO_SUBMIT] = { "no_submit", "dropped: no submit time (field 2)" },
	[ODD_PARTIAL] = { "partial", "dropped: part of the job above (status 2 to 4)" },
	[ODD_TOO_WIDE] = { "too_wide", "dropped: wider than the machine" },
	[ODD_USED_WIDTH] = { "used_width", "width used taken, none requested" },
	[ODD_ZERO_RUNTIME] = { "zero_runtime", "runtime 0, taken as 1 s" },
	[ODD_NO_ESTIMATE] = { "no_estimate", "no estimate, the runtime taken" },
	[ODD_OVERRUN] = { "overrun", "runtime beyond the estimate, cut to it" },
	[ODD_OUT_OF_ORDER] = { "out_of_order", "submitted before the job above, sorted" },
	[ODD_REPEATED_NUMBER] = { "repeated_number", "job number seen before" },
};

const char *survey_header_key(enum survey_header header)
{
	return header_key[header];
}

const char *survey_odd_key(enum survey_odd odd)
{
	return odd_name[odd].key;
}

const char *survey_odd_label(enum survey_odd odd)
{
	return odd_name[odd].label;
}

static void note(struct survey *s, enum survey_odd odd, uint64_t line)
{
	struct survey_count *c = &s->odd[odd];

	if (c->count < SURVEY_LINES)
		c->line[c->count] = line;
	c->count++;
}

static int take_header(struct survey *s, const char *text)
{
	const char *value;

	for (size_t i = 0; i < HEADER_COUNT; i++) {
		int length = swf_header(text, header_key[i], &value);
		char *copy = length < 0 ? NULL : strndup(value, (size_t)length);

		if (length < 0)
			continue;
		if (!copy)
			return PACT_ENOMEM;
		free(s->header[i]);
		s->header[i] = copy;
	}
	return PACT_OK;
}

static int add_job(struct survey *s, const struct sim_job *job, uint64_t line)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 1024;
		struct survey_job *grown = realloc(s->job, room * sizeof(*grown));

		if (!grown)
			return PACT_ENOMEM;
		s->job = grown;
		s->room = room;
	}
	s->job[s->count++] = (struct survey_job){
		.line = line,
		.id = job->id,
		.submit = job->submit,
		.runtime = job->runtime,
		.estimate = job->estimate,
		.width = job->width,
		.user = job->user,
		.selected = true,
	};
	return PACT_OK;
}

static int take_record(struct survey *s, const struct swf_line *line)
{
	static const enum survey_odd dropped[] = {
		[SWF_NO_WIDTH] = ODD_NO_WIDTH,
		[SWF_NEGATIVE_RUNTIME] = ODD_NEGATIVE_RUNTIME,
		[SWF_NO_SUBMIT] = ODD_NO_SUBMIT,
		[SWF_PARTIAL] = ODD_PARTIAL,
	};
	const struct swf_stats before = s->stats;
	enum swf_fate fate;
	struct sim_job job;

	s->records++;
	for (int i = 1; i <= SWF_FIELDS; i++)
		s->missing[i] += line->field[i] < 0;
	fate = swf_job(line->field, &s->stats, &job);
	if (fate != SWF_KEPT) {
		note(s, dropped[fate], line->number);
		return PACT_OK;
	}
	if (s->stats.used_width > before.used_width)
		note(s, ODD_USED_WIDTH, line->number);
	if (s->stats.zero_runtime > before.zero_runtime)
		note(s, ODD_ZERO_RUNTIME, line->number);
	if (s->stats.no_estimate > before.no_estimate)
		note(s, ODD_NO_ESTIMATE, line->number);
	if (s->stats.overrun > before.overrun)
		note(s, ODD_OVERRUN, line->number);
	if (s->count && job.submit < s->job[s->count - 1].submit)
		note(s, ODD_OUT_OF_ORDER, line->number);
	return add_job(s, &job, line->number);
}

static int take_line(struct survey *s, const char *path, enum swf_kind kind,
		     const struct swf_line *line, const struct swf_hooks *hooks)
{
	char message[512];

	s->stats.lines = line->number;
	switch (kind) {
	case SWF_COMMENT:
		s->comments++;
		return take_header(s, line->text);
	case SWF_BLANK:
		s->blank++;
		return PACT_OK;
	case SWF_JOB:
		return take_record(s, line);
	default:
		s->stats.malformed++;
		note(s, ODD_MALFORMED, line->number);
		swf_describe(path, line, message, sizeof(message));
		if (hooks && hooks->complain)
			hooks->complain(hooks->arg, message);
		return PACT_OK;
	}
}

static int number_compare(const void *a, const void *b)
{
	const struct survey_job *const *x = a, *const *y = b;

	if ((*x)->id != (*y)->id)
		return (*x)->id < (*y)->id ? -1 : 1;
	return (*x)->line < (*y)->line ? -1 : 1;
}

static int line_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int submit_compare(const void *a, const void *b)
{
	const struct survey_job *const *x = a, *const *y = b;

	if ((*x)->submit != (*y)->submit)
		return (*x)->submit < (*y)->submit ? -1 : 1;
	return number_compare(a, b);
}

/* Pointers to all jobs, sorted. NULL: memory is short. */
static struct survey_job **sorted(struct survey *s, int (*compare)(const void *, const void *))
{
	struct survey_job **p = calloc(s->count + 1, sizeof(struct survey_job *));

	if (!p)
		return NULL;
	for (size_t i = 0; i < s->count; i++)
		p[i] = &s->job[i];
	qsort(p, s->count, sizeof(struct survey_job *), compare);
	return p;
}

/* What can be said only when all jobs are known. */
static int look_back(struct survey *s)
{
	struct survey_job **by_number = sorted(s, number_compare);
	uint64_t *repeated = calloc(s->count + 1, sizeof(*repeated));
	size_t n = 0;

	if (!by_number || !repeated) {
		free(by_number);
		free(repeated);
		return PACT_ENOMEM;
	}
	for (size_t i = 1; i < s->count; i++)
		if (by_number[i]->id == by_number[i - 1]->id)
			repeated[n++] = by_number[i]->line;
	qsort(repeated, n, sizeof(*repeated), line_compare);
	for (size_t i = 0; i < n; i++)
		note(s, ODD_REPEATED_NUMBER, repeated[i]);
	for (size_t i = 0; i < s->count && s->nodes; i++)
		if (s->job[i].width > s->nodes)
			note(s, ODD_TOO_WIDE, s->job[i].line);
	free(by_number);
	free(repeated);
	return PACT_OK;
}

static int64_t header_number(const struct survey *s, enum survey_header header)
{
	long long v = s->header[header] ? strtoll(s->header[header], NULL, 10) : 0;

	return v > 0 && v <= INT32_MAX ? v : 0;
}

int survey_read(struct survey *s, const char *path, int64_t nodes, const struct swf_hooks *hooks,
		char *why, size_t size)
{
	struct swf_file *f;
	struct swf_line line;
	enum swf_kind kind = SWF_END;
	int err = PACT_OK;

	memset(s, 0, sizeof(*s));
	f = swf_open(path, hooks, why, size);
	if (!f)
		return PACT_EINVAL;
	while (!err && (kind = swf_next(f, &line)) != SWF_END && kind != SWF_FAILED)
		err = take_line(s, path, kind, &line, hooks);
	if (kind == SWF_FAILED)
		err = swf_broken(path, &line, why, size);
	swf_close(f);
	if (!err && !s->count)
		err = why_set(why, size, PACT_EINVAL, "%s: no job in %llu line%s", swf_name(path),
			      (unsigned long long)s->stats.lines, s->stats.lines == 1 ? "" : "s");
	s->stats.max_nodes = header_number(s, HEADER_MAX_NODES);
	s->stats.max_procs = header_number(s, HEADER_MAX_PROCS);
	s->nodes = nodes ? nodes : swf_machine(&s->stats);
	s->selected = s->count;
	if (!err)
		err = look_back(s);
	return err == PACT_ENOMEM ? why_set(why, size, err, "%s: out of memory", swf_name(path))
				  : err;
}

void survey_release(struct survey *s)
{
	for (size_t i = 0; i < HEADER_COUNT; i++)
		free(s->header[i]);
	free(s->job);
	memset(s, 0, sizeof(*s));
}

int survey_select(struct survey *s, const struct survey_choice *choice)
{
	struct survey_job **p = sorted(s, submit_compare);
	size_t place = 0;

	if (!p)
		return PACT_ENOMEM;
	s->selected = 0;
	for (size_t i = 0; i < s->count; i++) {
		bool in = p[i]->submit >= choice->from &&
			  (choice->until < 0 || p[i]->submit < choice->until);

		if (in)
			place++;
		p[i]->selected = in && (!choice->count || (place >= choice->first &&
							   place - choice->first < choice->count));
		s->selected += p[i]->selected;
	}
	free(p);
	return PACT_OK;
}

int survey_workload(const struct survey *s, struct workload *w)
{
	int err = PACT_OK;

	for (size_t i = 0; i < s->count && !err; i++) {
		const struct survey_job *j = &s->job[i];
		struct sim_job job = { .id = j->id,
				       .submit = j->submit,
				       .width = j->width,
				       .runtime = j->runtime,
				       .estimate = j->estimate };

		if (!j->selected || (s->nodes && j->width > s->nodes))
			continue;
		err = workload_add(w, &job);
	}
	workload_sort(w);
	return err;
}
