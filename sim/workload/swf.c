/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf: see swf.h. The file comes in blocks, which are cut into lines here. */
#include "sim/workload/swf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "sim/workload/blocks.h"
#include "sim/workload/numbers.h"
#include "common/why.h"

#define MAX_LINE 4096

struct swf_file {
	struct blocks *file;
	const struct swf_hooks *hooks;
	char *block;
	size_t have, at;
	const char *text; /* the line: in the block or, if it is in more than one, in `parted` */
	char parted[MAX_LINE + 1];
	size_t length;
	bool too_long;
	uint64_t lines;
	char wrong[256];
};

/* Read on, past what is read already; false at the end or when reading fails. */
static bool next_block(struct swf_file *f)
{
	char *next = blocks_next(f->file, &f->have);

	f->at = 0;
	if (!next)
		return false;
	f->block = next;
	if (f->hooks && f->hooks->progress && blocks_bytes(f->file) > 0)
		f->hooks->progress(f->hooks->arg, blocks_at(f->file), blocks_bytes(f->file));
	return true;
}

/* The next line, whose end is in the block. Nothing else reads what is cut off or overwritten here. */
static void take_line(struct swf_file *f, char *end)
{
	char *from = f->block + f->at;

	f->text = from;
	f->length = (size_t)(end - from);
	f->too_long = f->length > MAX_LINE;
	if (f->too_long)
		f->length = MAX_LINE;
	from[f->length] = '\0';
	f->at = (size_t)(end - f->block) + 1;
	f->lines++;
}

/* The next line into f->text, without its end; false at the end of the file. */
static bool next_line(struct swf_file *f)
{
	const char *end = memchr(f->block + f->at, '\n', f->have - f->at);
	bool more = true;

	if (end) {
		take_line(f, f->block + (end - f->block));
		return true;
	}
	f->text = f->parted;
	f->length = 0;
	f->too_long = false;
	while (!end) {
		if (f->at == f->have) {
			more = next_block(f);
			if (!more)
				break;
		}
		const char *from = f->block + f->at;
		size_t have = f->have - f->at, room = MAX_LINE - f->length;

		end = memchr(from, '\n', have);
		size_t part = end ? (size_t)(end - from) : have;

		f->at += part + (end != NULL);
		f->too_long |= part > room;
		part = part < room ? part : room;
		memcpy(f->parted + f->length, from, part);
		f->length += part;
	}
	if (!more && !f->length)
		return false;
	f->parted[f->length] = '\0';
	f->lines++;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

static const char *skip_blanks(const char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static const char out_of_range[] = "number out of range";

/* One number at *p, its fraction cut off. NULL, or what is wrong with it; one that is out of range is
 * taken, too, as the greatest or the least. */
static const char *parse_number(const char **p, int64_t *out)
{
	bool minus = **p == '-';
	const char *s = *p + (minus || **p == '+'), *first = s;
	int64_t v = 0;
	bool any, beyond = false;

	for (; is_digit(*s); s++) {
		v = v * 10 + (*s - '0');
		if (v > WORKLOAD_MAX_TIME) {
			v = WORKLOAD_MAX_TIME;
			beyond = true;
		}
	}
	any = s != first;
	if (*s == '.') {
		for (first = ++s; is_digit(*s); s++)
			;
		any |= s != first;
	}
	if (!any || (!is_blank(*s) && *s))
		return "not a number";
	*out = minus ? -v : v;
	*p = s;
	return beyond ? out_of_range : NULL;
}

/* Tell what is wrong with the line. */
static enum swf_kind malformed(struct swf_file *f, struct swf_line *line, int column,
			       const char *what)
{
	snprintf(f->wrong, sizeof(f->wrong), "%s", what);
	line->wrong = f->wrong;
	line->column = column;
	return SWF_MALFORMED;
}

/* Numbers that count jobs, users and processors have a narrower range than times. */
static enum swf_kind check_range(struct swf_file *f, struct swf_line *line)
{
	static const int narrow[] = { 5, 8, 12 };

	for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++)
		if (line->field[narrow[i]] > INT32_MAX || line->field[narrow[i]] < INT32_MIN)
			return malformed(f, line, narrow[i], out_of_range);
	if (line->field[1] < 0)
		return malformed(f, line, 1, "negative job number");
	return SWF_JOB;
}

/*
 * The 18 fields of nearly every line: -1 (not known, as are two in three) or up to 11 digits, which
 * are always in range, with spaces between them. false: it may be a line all the same.
 */
static bool parse_plain(const char *p, int64_t *field)
{
	for (int n = 1; n <= SWF_FIELDS; n++) {
		const char *first;
		uint64_t v, digit;

		while (*p == ' ')
			p++;
		if (p[0] == '-' && p[1] == '1') {
			field[n] = -1;
			p += 2;
		} else {
			first = p;
			for (v = 0; (digit = (unsigned char)(*p - '0')) <= 9; p++)
				v = v * 10 + digit;
			if (p == first || p - first > 11)
				return false;
			field[n] = (int64_t)v;
		}
		if (*p != ' ' && *p)
			return false;
	}
	while (*p == ' ')
		p++;
	return !*p;
}

/* Fields that are not read, such as memory in bytes, may be as great as they are. */
static bool is_read(int field)
{
	return field <= 2 || field == 4 || field == 5 || field == 8 || field == 9 || field == 11 ||
	       field == 12;
}

/* The line's 18 fields. */
static enum swf_kind parse_fields(struct swf_file *f, struct swf_line *line)
{
	const char *p = f->text, *wrong;
	char what[64];
	int n = 0;

	if (parse_plain(p, line->field))
		return check_range(f, line);
	for (;;) {
		p = skip_blanks(p);
		if (!*p || ++n > SWF_FIELDS)
			break;
		wrong = parse_number(&p, &line->field[n]);
		if (wrong && (wrong != out_of_range || is_read(n)))
			return malformed(f, line, n, wrong);
	}
	if (n == SWF_FIELDS)
		return check_range(f, line);
	snprintf(what, sizeof(what),
		 n > SWF_FIELDS ? "more than %d columns" : "%2$d of %1$d columns", SWF_FIELDS, n);
	return malformed(f, line, 0, what);
}

/* The end of the file, or what keeps us from reaching it. */
static enum swf_kind ended(struct swf_file *f, struct swf_line *line)
{
	const char *wrong = blocks_error(f->file);

	if (!wrong)
		return SWF_END;
	malformed(f, line, 0, wrong);
	return SWF_FAILED;
}

/* UTF-8's byte order mark, which some editors put before the first line, is no part of it. */
static void skip_mark(struct swf_file *f)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (strncmp(f->text, mark, 3) != 0)
		return;
	f->text += 3;
	f->length -= 3;
}

enum swf_kind swf_next(struct swf_file *f, struct swf_line *line)
{
	bool more = next_line(f);
	const char *p;

	if (more && f->lines == 1)
		skip_mark(f);
	line->number = f->lines;
	line->text = f->text;
	line->length = f->length;
	line->wrong = NULL;
	line->column = 0;
	if (!more)
		return ended(f, line);
	p = skip_blanks(f->text);
	if (*p == ';')
		return SWF_COMMENT;
	if (f->too_long)
		return malformed(f, line, 0, "line is too long");
	if (strlen(f->text) != f->length)
		return malformed(f, line, 0, "line holds a zero byte");
	return *p ? parse_fields(f, line) : SWF_BLANK;
}

struct swf_file *swf_open(const char *path, const struct swf_hooks *hooks, char *why, size_t size)
{
	struct swf_file *f = calloc(1, sizeof(*f));

	if (f)
		f->file = blocks_open(path, hooks && hooks->alone);
	if (f && f->file) {
		f->hooks = hooks;
		f->block = f->parted;
		return f;
	}
	why_set(why, size, PACT_EINVAL, "%s: %s", swf_name(path), strerror(errno));
	swf_close(f);
	return NULL;
}

void swf_close(struct swf_file *f)
{
	if (!f)
		return;
	blocks_close(f->file);
	free(f);
}

bool swf_is_standard(const char *path)
{
	return !strcmp(path, "-");
}

const char *swf_name(const char *path)
{
	return swf_is_standard(path) ? "standard input" : path;
}

void swf_describe(const char *path, const struct swf_line *line, char *message, size_t size)
{
	char where[32] = "";

	if (line->column)
		snprintf(where, sizeof(where), " field %d:", line->column);
	snprintf(message, size, "%s:%llu:%s %s; line skipped", swf_name(path),
		 (unsigned long long)line->number, where, line->wrong);
}

int swf_broken(const char *path, const struct swf_line *line, char *why, size_t size)
{
	if (!line->number)
		return why_set(why, size, PACT_EINVAL, "%s: %s", swf_name(path), line->wrong);
	return why_set(why, size, PACT_EINVAL, "%s:%llu: %s", swf_name(path),
		       (unsigned long long)line->number, line->wrong);
}

/* One time that a job ran of several: its number is not its own. */
static bool is_partial(const int64_t field[SWF_FIELDS + 1])
{
	return field[11] >= 2 && field[11] <= 4;
}

/* Is it a part of the job above, whose own line has all of it? Parts but the first have no submit time. */
static bool is_part(const int64_t field[SWF_FIELDS + 1], const struct swf_stats *stats)
{
	return is_partial(field) && stats->whole == (uint64_t)field[1] + 1 &&
	       (field[2] < 0 || field[2] == stats->whole_submit);
}

enum swf_fate swf_job(const int64_t field[SWF_FIELDS + 1], struct swf_stats *stats,
		      struct sim_job *job)
{
	memset(job, 0, sizeof(*job));
	if (is_part(field, stats)) {
		stats->partial++;
		return SWF_PARTIAL;
	}
	job->id = (uint64_t)field[1];
	job->submit = field[2];
	job->user = field[12] >= 0 ? (int32_t)field[12] : -1;
	job->width = (int32_t)(field[8] > 0 ? field[8] : field[5]);
	job->runtime = field[4];
	if (job->width <= 0) {
		stats->no_width++;
		return SWF_NO_WIDTH;
	}
	if (job->runtime < 0) {
		stats->negative_runtime++;
		return SWF_NEGATIVE_RUNTIME;
	}
	if (job->submit < 0) {
		stats->no_submit++;
		return SWF_NO_SUBMIT;
	}
	stats->whole = field[11] == 0 || field[11] == 1 ? job->id + 1 : 0;
	stats->whole_submit = job->submit;
	stats->used_width += field[8] <= 0;
	stats->zero_runtime += job->runtime == 0;
	if (job->runtime == 0)
		job->runtime = 1;
	stats->no_estimate += field[9] <= 0;
	job->estimate = field[9] > 0 ? field[9] : job->runtime;
	job->killed = job->runtime > job->estimate;
	stats->overrun += job->killed;
	if (job->killed)
		job->runtime = job->estimate;
	return SWF_KEPT;
}

int swf_header(const char *text, const char *key, const char **value)
{
	const char *p = text + strspn(text, "; \t");
	size_t n = strlen(key), length;

	*value = NULL;
	if (strncmp(p, key, n) != 0 || p[n] != ':')
		return -1;
	p += n + 1;
	p += strspn(p, " \t");
	length = strlen(p);
	while (length && strchr(" \t\r", p[length - 1]))
		length--;
	*value = p;
	return (int)length;
}

/* "; MaxNodes: 338 (batch ...)": the number after the key. The last line of a key counts. */
static void parse_header(const char *text, struct swf_stats *stats)
{
	const char *value;
	long long v;

	if (swf_header(text, "MaxNodes", &value) < 0 && swf_header(text, "MaxProcs", &value) < 0)
		return;
	v = strtoll(value, NULL, 10);
	if (v < 0)
		v = 0;
	if (swf_header(text, "MaxNodes", &value) < 0)
		stats->max_procs = v;
	else
		stats->max_nodes = v;
}

static void tell(const char *path, const struct swf_hooks *hooks, const struct swf_line *line)
{
	char message[512];

	if (!hooks || !hooks->complain)
		return;
	swf_describe(path, line, message, sizeof(message));
	hooks->complain(hooks->arg, message);
}

/* 0 or PACT_ENOMEM. */
static int keep(struct workload *w, struct numbers *numbers, const struct sim_job *job,
		const struct swf_line *line)
{
	int err = is_partial(line->field) ? PACT_OK
					  : numbers_note(numbers, w->count, job->id, line->number);

	return err ? err : workload_add(w, job);
}

/* SWF_END, or SWF_FAILED with line->wrong; NULL there: out of memory. */
static enum swf_kind read_lines(struct swf_file *f, const char *path, struct workload *w,
				struct numbers *numbers, struct swf_stats *stats,
				struct swf_line *line)
{
	enum swf_kind kind;
	struct sim_job job;

	while ((kind = swf_next(f, line)) != SWF_END && kind != SWF_FAILED) {
		stats->lines = line->number;
		if (kind == SWF_COMMENT)
			parse_header(line->text, stats);
		stats->malformed += kind == SWF_MALFORMED;
		if (kind == SWF_MALFORMED)
			tell(path, f->hooks, line);
		if (kind == SWF_JOB && swf_job(line->field, stats, &job) == SWF_KEPT &&
		    keep(w, numbers, &job, line) != PACT_OK) {
			line->wrong = NULL;
			return SWF_FAILED;
		}
	}
	return kind;
}

static int no_memory(const char *path, char *why, size_t size)
{
	return why_set(why, size, PACT_ENOMEM, "%s: out of memory", swf_name(path));
}

/* Two jobs of one number cannot be told apart by a reader of what came out. */
static int check_numbers(const struct numbers *numbers, const struct workload *w, const char *path,
			 char *why, size_t size)
{
	struct numbers_twice t;
	char more[64] = "";
	int err = numbers_check(numbers, w, &t);

	if (err == PACT_ENOMEM)
		return no_memory(path, why, size);
	if (!err)
		return PACT_OK;
	if (t.more)
		snprintf(more, sizeof(more), " (and %llu more lines with such numbers)",
			 (unsigned long long)t.more);
	return why_set(why, size, PACT_EINVAL,
		       "%s:%llu: job number %llu is that of %s:%llu, too%s; see pact-sim trace",
		       swf_name(path), (unsigned long long)t.line, (unsigned long long)t.number,
		       swf_name(path), (unsigned long long)t.first, more);
}

int swf_read(const char *path, struct workload *w, struct swf_stats *stats,
	     const struct swf_hooks *hooks, char *why, size_t size)
{
	struct numbers numbers = { .n = 0 };
	struct swf_file *f;
	struct swf_line line;
	int err = PACT_OK;

	memset(stats, 0, sizeof(*stats));
	f = swf_open(path, hooks, why, size);
	if (!f)
		return PACT_EINVAL;
	if (read_lines(f, path, w, &numbers, stats, &line) == SWF_FAILED)
		err = line.wrong ? swf_broken(path, &line, why, size) : no_memory(path, why, size);
	else if (!w->count)
		err = why_set(why, size, PACT_EINVAL, "%s: no job in %llu line%s", swf_name(path),
			      (unsigned long long)stats->lines, stats->lines == 1 ? "" : "s");
	else
		err = check_numbers(&numbers, w, path, why, size);
	if (err)
		workload_release(w);
	else
		stats->out_of_order = workload_sort(w);
	numbers_release(&numbers);
	swf_close(f);
	return err;
}

uint64_t swf_dropped(const struct swf_stats *stats)
{
	return stats->malformed + stats->no_width + stats->negative_runtime + stats->no_submit +
	       stats->partial;
}

int64_t swf_machine(const struct swf_stats *stats)
{
	return stats->max_procs ? stats->max_procs : stats->max_nodes;
}
