/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf: see swf.h. zlib's gz functions read plain files too. The file is read in blocks and cut into
 * lines here, because gzgets() says neither that a line was cut nor that it held a zero byte.
 */
#include "sim/swf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/sched.h"
#include "sim/why.h"

#define FIELDS 18
#define MAX_LINE 4096
#define BLOCK (1 << 17)

struct reader {
	const char *path;
	gzFile file;
	char *block;
	size_t have, at;
	bool failed;
	char line[MAX_LINE + 1];
	size_t length;
	bool too_long;
	struct swf_stats *stats;
	swf_complain complain;
	void *arg;
};

/* The next byte, or -1 at the end or when reading fails (failed is then set). */
static int next_block(struct reader *r)
{
	int n = gzread(r->file, r->block, BLOCK);
	int error = Z_OK;

	r->at = r->have = 0;
	if (n > 0) {
		r->have = (size_t)n;
		return (unsigned char)r->block[r->at++];
	}
	gzerror(r->file, &error);
	/* A truncated file ends without an error of gzread(): zlib tells it as Z_BUF_ERROR. */
	r->failed = n < 0 || error != Z_OK;
	return -1;
}

/* The next line into r->line, without its end; false at the end of the file. */
static bool next_line(struct reader *r)
{
	int c;

	r->length = 0;
	r->too_long = false;
	for (;;) {
		c = r->at < r->have ? (unsigned char)r->block[r->at++] : next_block(r);
		if (c < 0 || c == '\n')
			break;
		if (r->length < MAX_LINE)
			r->line[r->length++] = (char)c;
		else
			r->too_long = true;
	}
	if (c < 0 && !r->length)
		return false;
	r->line[r->length] = '\0';
	r->stats->lines++;
	return true;
}

static void malformed(struct reader *r, const char *what, int field)
{
	char message[512];

	r->stats->malformed++;
	if (!r->complain)
		return;
	if (field)
		snprintf(message, sizeof(message), "%s:%llu: field %d: %s; line skipped", r->path,
			 (unsigned long long)r->stats->lines, field, what);
	else
		snprintf(message, sizeof(message), "%s:%llu: %s; line skipped", r->path,
			 (unsigned long long)r->stats->lines, what);
	r->complain(r->arg, message);
}

/* One number at *p, its fraction cut off. NULL, or what is wrong with it. */
static const char *parse_number(const char **p, int64_t *out)
{
	bool minus = **p == '-';
	const char *s = *p + (**p == '-' || **p == '+');
	int64_t v = 0;
	int digits = 0;

	for (; *s >= '0' && *s <= '9'; s++, digits++) {
		v = v * 10 + (*s - '0');
		if (v > WORKLOAD_MAX_TIME)
			return "number out of range";
	}
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++)
			digits++;
	if (!digits || (*s && *s != ' ' && *s != '\t' && *s != '\r'))
		return "not a number";
	*out = minus ? -v : v;
	*p = s;
	return NULL;
}

/* The line's fields; false when it was malformed, and told so. */
static bool parse_fields(struct reader *r, int64_t field[FIELDS + 1])
{
	const char *p = r->line;
	char what[64];
	int n = 0;

	if (r->too_long || strlen(r->line) != r->length) {
		malformed(r, r->too_long ? "line is too long" : "line holds a zero byte", 0);
		return false;
	}
	for (;;) {
		const char *wrong;

		p += strspn(p, " \t\r");
		if (!*p)
			break;
		if (++n > FIELDS)
			break;
		wrong = parse_number(&p, &field[n]);
		if (wrong) {
			malformed(r, wrong, n);
			return false;
		}
	}
	if (n == FIELDS)
		return true;
	snprintf(what, sizeof(what), n > FIELDS ? "more than %d columns" : "%2$d of %1$d columns",
		 FIELDS, n);
	malformed(r, what, 0);
	return false;
}

/* Numbers that count jobs, users and processors have a narrower range than times. */
static bool narrow_fields(struct reader *r, const int64_t field[FIELDS + 1])
{
	static const int narrow[] = { 5, 8, 12 };

	for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++)
		if (field[narrow[i]] > INT32_MAX || field[narrow[i]] < INT32_MIN) {
			malformed(r, "number out of range", narrow[i]);
			return false;
		}
	if (field[1] >= 0)
		return true;
	malformed(r, "negative job number", 1);
	return false;
}

/* The job that the fields make, or false when it is dropped. */
static bool make_job(struct swf_stats *stats, const int64_t field[FIELDS + 1], struct sim_job *job)
{
	memset(job, 0, sizeof(*job));
	job->id = (uint64_t)field[1];
	job->submit = field[2];
	job->user = field[12] >= 0 ? (int32_t)field[12] : -1;
	job->width = (int32_t)(field[8] > 0 ? field[8] : field[5]);
	job->runtime = field[4];
	if (job->width <= 0)
		stats->no_width++;
	else if (job->runtime < 0)
		stats->negative_runtime++;
	else if (job->submit < 0)
		stats->no_submit++;
	if (job->width <= 0 || job->runtime < 0 || job->submit < 0)
		return false;
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
	return true;
}

/* "; MaxNodes: 338 (batch ...)": the number after the key. The last line of a key counts. */
static void parse_header(struct reader *r)
{
	const char *p = r->line + strspn(r->line, "; \t");
	int64_t *into = NULL;

	if (!strncmp(p, "MaxNodes:", 9))
		into = &r->stats->max_nodes;
	else if (!strncmp(p, "MaxProcs:", 9))
		into = &r->stats->max_procs;
	if (into) {
		long long v = strtoll(p + 9, NULL, 10);

		*into = v > 0 && v <= INT32_MAX ? v : 0;
	}
}

static int read_lines(struct reader *r, struct workload *w)
{
	int64_t field[FIELDS + 1];
	struct sim_job job;

	while (next_line(r)) {
		const char *p = r->line + strspn(r->line, " \t\r");

		if (*p == ';') {
			parse_header(r);
			continue;
		}
		if (!*p && !r->too_long && strlen(r->line) == r->length)
			continue;
		if (!parse_fields(r, field) || !narrow_fields(r, field))
			continue;
		if (make_job(r->stats, field, &job) && workload_add(w, &job) != PACT_OK)
			return PACT_ENOMEM;
	}
	return PACT_OK;
}

static int read_all(struct reader *r, struct workload *w, char *why, size_t size)
{
	unsigned long long line;
	int error;

	if (!r->block || read_lines(r, w) != PACT_OK)
		return why_set(why, size, PACT_ENOMEM, "%s: out of memory", r->path);
	line = r->stats->lines;
	if (r->failed) {
		const char *text = gzerror(r->file, &error);

		if (error == Z_BUF_ERROR)
			text = "the compressed file is truncated";
		else if (error == Z_ERRNO)
			text = strerror(errno);
		return why_set(why, size, PACT_EINVAL, "%s:%llu: %s", r->path, line, text);
	}
	if (!w->count)
		return why_set(why, size, PACT_EINVAL, "%s: no job in %llu lines", r->path, line);
	r->stats->out_of_order = workload_sort(w);
	return PACT_OK;
}

int swf_read(const char *path, struct workload *w, struct swf_stats *stats, swf_complain complain,
	     void *arg, char *why, size_t size)
{
	struct reader *r = calloc(1, sizeof(*r));
	int err;

	memset(stats, 0, sizeof(*stats));
	if (!r)
		return why_set(why, size, PACT_ENOMEM, "%s: out of memory", path);
	r->path = path;
	r->stats = stats;
	r->complain = complain;
	r->arg = arg;
	r->file = gzopen(path, "rb");
	if (!r->file) {
		err = why_set(why, size, PACT_EINVAL, "%s: %s", path,
			      errno ? strerror(errno) : "out of memory");
		free(r);
		return err;
	}
	r->block = malloc(BLOCK);
	err = read_all(r, w, why, size);
	if (err)
		workload_release(w);
	gzclose(r->file);
	free(r->block);
	free(r);
	return err;
}

uint64_t swf_dropped(const struct swf_stats *stats)
{
	return stats->malformed + stats->no_width + stats->negative_runtime + stats->no_submit;
}

int64_t swf_machine(const struct swf_stats *stats)
{
	return stats->max_procs ? stats->max_procs : stats->max_nodes;
}
