/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cut: see cut.h. */
#include "sim/workload/cut.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/sched.h"
#include "common/why.h"

struct cutting {
	const struct survey *s;
	const char *from, *to;
	int64_t shift;
	bool same;	/* nothing is left out, nothing shifted */
	bool in_header; /* no job was met yet */
	size_t next;	/* the next job of the survey */
	gzFile out;
	bool failed; /* writing */
	char *why;
	size_t size;
};

static void put(struct cutting *c, const char *text, size_t length)
{
	if (length && gzwrite(c->out, text, (unsigned int)length) != (int)length)
		c->failed = true;
}

static void put_line(struct cutting *c, const char *text, size_t length)
{
	put(c, text, length);
	put(c, "\n", 1);
}

/* A line of the header, corrected where it counts jobs or tells when the log began. */
static void put_header(struct cutting *c, const struct swf_line *line)
{
	const char *value;
	char text[96];
	int64_t began;

	if (swf_header(line->text, "MaxJobs", &value) >= 0)
		snprintf(text, sizeof(text), "; MaxJobs: %zu", c->s->selected);
	else if (swf_header(line->text, "MaxRecords", &value) >= 0)
		snprintf(text, sizeof(text), "; MaxRecords: %zu", c->s->selected);
	else if (swf_header(line->text, "UnixStartTime", &value) >= 0 && c->shift &&
		 !__builtin_sub_overflow(strtoll(value, NULL, 10), c->shift, &began))
		snprintf(text, sizeof(text), "; UnixStartTime: %" PRId64, began);
	else
		text[0] = '\0';
	if (c->same || !text[0])
		put_line(c, line->text, line->length);
	else
		put_line(c, text, strlen(text));
}

static void put_note(struct cutting *c)
{
	char text[160];

	c->in_header = false;
	if (c->same)
		return;
	snprintf(text, sizeof(text),
		 "; Note: cut by pact-sim trace: %zu of %" PRIu64
		 " records, submit times shifted by %" PRId64 " s",
		 c->s->selected, c->s->records, c->shift);
	put_line(c, text, strlen(text));
}

/* The job's line, with its submit time (field 2) shifted. */
static int put_job(struct cutting *c, const struct swf_line *line)
{
	int64_t submit = line->field[2] + c->shift;
	const char *p = line->text, *rest;
	char text[32];

	if (submit < 0 || submit > WORKLOAD_MAX_TIME)
		return why_set(c->why, c->size, PACT_EINVAL,
			       "%s:%" PRIu64 ": submit time %" PRId64 " shifted by %" PRId64
			       " is out of range",
			       c->from, line->number, line->field[2], c->shift);
	if (!c->shift) {
		put_line(c, line->text, line->length);
		return PACT_OK;
	}
	p += strspn(p, " \t\r");
	p += strcspn(p, " \t\r");
	p += strspn(p, " \t\r");
	rest = p + strcspn(p, " \t\r");
	put(c, line->text, (size_t)(p - line->text));
	snprintf(text, sizeof(text), "%" PRId64, submit);
	put(c, text, strlen(text));
	put_line(c, rest, strlen(rest));
	return PACT_OK;
}

static int take(struct cutting *c, enum swf_kind kind, const struct swf_line *line)
{
	const struct survey_job *job;

	if (kind == SWF_COMMENT)
		put_header(c, line);
	else if (kind == SWF_BLANK)
		put_line(c, line->text, line->length);
	if (kind != SWF_JOB)
		return PACT_OK;
	if (c->in_header)
		put_note(c);
	job = c->next < c->s->count ? &c->s->job[c->next] : NULL;
	if (!job || job->line != line->number)
		return PACT_OK;
	c->next++;
	return job->selected ? put_job(c, line) : PACT_OK;
}

static int copy(struct cutting *c)
{
	struct swf_file *f = swf_open(c->from, NULL, c->why, c->size);
	struct swf_line line;
	enum swf_kind kind = SWF_END;
	int err = PACT_OK;

	if (!f)
		return PACT_EINVAL;
	while (!err && !c->failed && (kind = swf_next(f, &line)) != SWF_END && kind != SWF_FAILED)
		err = take(c, kind, &line);
	if (kind == SWF_FAILED)
		err = swf_broken(c->from, &line, c->why, c->size);
	swf_close(f);
	if (!err && !c->failed && c->next != c->s->count)
		err = why_set(c->why, c->size, PACT_EINVAL, "%s: has changed meanwhile", c->from);
	return err;
}

static int cannot(struct cutting *c, int error)
{
	return why_set(c->why, c->size, PACT_EPROTO, "cannot write %s: %s", c->to,
		       error ? strerror(error) : "error while compressing");
}

/* Open the stream, copy, and close it: a full disk may show only then. */
static int write_stream(struct cutting *c, const char *path, bool compressed)
{
	int err, error = 0;

	errno = 0;
	if (path)
		c->out = gzopen(path, compressed ? "wb9" : "wbT");
	else
		c->out = gzdopen(dup(STDOUT_FILENO), "wbT");
	if (!c->out)
		return cannot(c, errno ? errno : ENOMEM);
	errno = 0;
	err = copy(c);
	if (c->failed)
		error = errno;
	if (gzclose(c->out) != Z_OK && !c->failed) {
		c->failed = true;
		error = errno;
	}
	return !err && c->failed ? cannot(c, error) : err;
}

int cut_write(const struct survey *s, const char *from, int64_t shift, const char *to, char *why,
	      size_t size)
{
	struct cutting c = {
		.s = s,
		.from = from,
		.to = to,
		.shift = shift,
		.same = !shift && s->selected == s->records && !s->stats.malformed,
		.in_header = true,
		.why = why,
		.size = size,
	};
	size_t length = strlen(to);
	char *part;
	int err;

	if (!strcmp(to, "-"))
		return write_stream(&c, NULL, false);
	part = malloc(length + sizeof(".part"));
	if (!part)
		return why_set(why, size, PACT_ENOMEM, "out of memory");
	snprintf(part, length + sizeof(".part"), "%s.part", to);
	err = write_stream(&c, part, length > 3 && !strcmp(to + length - 3, ".gz"));
	if (!err && rename(part, to) != 0)
		err = cannot(&c, errno);
	if (err)
		unlink(part);
	free(part);
	return err;
}
