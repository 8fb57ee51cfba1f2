/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_lines: see job_lines.h. */
#include "sim/workload/job_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"

/* A job of the workload, to be found by its number. */
struct entry {
	uint64_t id;
	size_t at;     /* in the workload */
	uint64_t line; /* that it stands in; 0: none yet */
};

struct reading {
	const struct job_lines *of;
	const char *path;
	struct workload *w;
	struct entry *entry; /* by number */
	uint64_t line, lines_of_jobs;
	char *why;
	size_t size;
};

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int make_entries(struct reading *r)
{
	bool sorted = true;

	r->entry = calloc(r->w->count + 1, sizeof(*r->entry));
	if (!r->entry)
		return why_set(r->why, r->size, PACT_ENOMEM, "%s: out of memory", r->path);
	for (size_t i = 0; i < r->w->count; i++) {
		r->entry[i] = (struct entry){ .id = r->w->job[i].id, .at = i };
		sorted = sorted && (!i || r->entry[i - 1].id < r->entry[i].id);
	}
	if (!sorted)
		qsort(r->entry, r->w->count, sizeof(*r->entry), compare);
	return PACT_OK;
}

static int wrong(struct reading *r, const char *text, const char *what)
{
	return why_set(r->why, r->size, PACT_EINVAL, "%s:%" PRIu64 ": '%.64s': %s", r->path,
		       r->line, text, what);
}

static int give(struct reading *r, uint64_t id, char *value, const char *text)
{
	const struct entry key = { .id = id };
	struct entry *e = bsearch(&key, r->entry, r->w->count, sizeof(*e), compare);
	struct entry *end = r->entry + r->w->count;
	char what[128];

	if (!e)
		return wrong(r, text, "there is no such job");
	if ((e > r->entry && e[-1].id == id) || (e + 1 < end && e[1].id == id))
		return wrong(r, text, "there are several jobs of this number");
	if (e->line) {
		snprintf(what, sizeof(what), "the job stands in line %" PRIu64 ", too", e->line);
		return wrong(r, text, what);
	}
	e->line = r->line;
	if (!r->of->take(&r->w->job[e->at], value))
		return wrong(r, text, r->of->wrong);
	return PACT_OK;
}

/* Without blanks around it, in place. */
static char *trimmed(char *text)
{
	static const char blanks[] = " \t\r\n";
	char *end;

	text += strspn(text, blanks);
	end = text + strlen(text);
	while (end > text && strchr(blanks, end[-1]))
		*--end = '\0';
	return text;
}

static int take_line(struct reading *r, char *line)
{
	char copy[80], *text = trimmed(line), *comma;
	uint64_t id;

	if (!*text || *text == '#' || (!r->lines_of_jobs && !strncmp(text, "job,", 4)))
		return PACT_OK;
	snprintf(copy, sizeof(copy), "%s", text);
	comma = strchr(copy, ',');
	if (!comma || strlen(text) >= sizeof(copy))
		return wrong(r, text, r->of->shape);
	*comma = '\0';
	if (!number_unsigned(trimmed(copy), &id))
		return wrong(r, text, r->of->shape);
	r->lines_of_jobs++;
	return give(r, id, trimmed(comma + 1), text);
}

static int read_lines(struct reading *r, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	int err = PACT_OK;
	ssize_t n;

	errno = 0;
	while (!err && (n = getline(&line, &room, f)) >= 0) {
		r->line++;
		err = strlen(line) == (size_t)n ? take_line(r, line)
						: wrong(r, line, "there is a zero byte behind it");
	}
	free(line);
	if (!err && ferror(f))
		err = why_set(r->why, r->size, PACT_EINVAL, "%s: %s", r->path,
			      strerror(errno ? errno : EIO));
	if (!err && !r->lines_of_jobs)
		err = why_set(r->why, r->size, PACT_EINVAL, "%s: no job in %" PRIu64 " line%s",
			      r->path, r->line, r->line == 1 ? "" : "s");
	return err;
}

int job_lines_read(const struct job_lines *of, const char *path, struct workload *w, char *why,
		   size_t size)
{
	struct reading r = { .of = of, .path = path, .w = w, .why = why, .size = size };
	FILE *f = fopen(path, "re");
	int err;

	if (!f)
		return why_set(why, size, PACT_EINVAL, "%s: %s", path, strerror(errno));
	err = make_entries(&r);
	if (!err)
		err = read_lines(&r, f);
	fclose(f);
	free(r.entry);
	return err;
}
