/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_csv: see jobs_csv.h. */
#include "sim/workload/jobs_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"
#include "sim/workload/workload.h"

enum column {
	ID,
	WIDTH,
	START,
	END,
	NEEDED,
	SUBMIT = NEEDED,
	DEADLINE,
	PROMISED,
	STATE,
	NODES,
	KNOWN
};

static const char *const names[KNOWN] = { "id",	      "width",	  "start", "end",  "submit",
					  "deadline", "promised", "state", "nodes" };

#define MAX_COLUMNS 64

struct reader {
	const char *path;
	size_t line;
	size_t columns;
	size_t at[KNOWN]; /* which column it is, from 1; 0: not there */
	char *field[MAX_COLUMNS];
	struct jobs_csv *csv;
	struct shares_csv *shares; /* or these */
	char *why;
	size_t size;
};

static int wrong(struct reader *r, const char *what, const char *value)
{
	return why_set(r->why, r->size, PACT_EINVAL, "%s:%zu: %s: %s", r->path, r->line, what,
		       value);
}

/* How many; MAX_COLUMNS + 1 when there are more. */
static size_t split(struct reader *r, char *line)
{
	size_t n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (;;) {
		char *comma = strchr(line, ',');

		if (n == MAX_COLUMNS)
			return n + 1;
		r->field[n++] = line;
		if (!comma)
			return n;
		*comma = '\0';
		line = comma + 1;
	}
}

static int read_header(struct reader *r, char *line)
{
	r->columns = split(r, line);
	if (r->columns > MAX_COLUMNS)
		return wrong(r, "too many columns", r->field[0]);
	for (size_t i = 0; i < r->columns; i++)
		for (int c = 0; c < KNOWN; c++)
			if (!strcmp(r->field[i], names[c]))
				r->at[c] = i + 1;
	for (int c = 0; c < NEEDED; c++)
		if (!r->at[c])
			return wrong(r, "no such column in the first line", names[c]);
	return PACT_OK;
}

/* A whole number between low and high; an absent or empty one is `otherwise`. */
static int take(struct reader *r, enum column c, int64_t low, int64_t high, int64_t otherwise,
		int64_t *out)
{
	const char *text = r->at[c] ? r->field[r->at[c] - 1] : "";

	*out = otherwise;
	if (!*text && (c != ID && c != WIDTH))
		return PACT_OK;
	if (!number_int(text, out) || *out < low || *out > high) {
		char what[64];

		snprintf(what, sizeof(what), "%s out of range, or not a number", names[c]);
		return wrong(r, what, text);
	}
	return PACT_OK;
}

static int add_range(struct reader *r, struct csv_job *job, char *word)
{
	char *dash = strchr(word, '-');
	int64_t first, last;
	bool good;

	if (dash)
		*dash = '\0';
	good = number_int(word, &first) && number_int(dash ? dash + 1 : word, &last);
	if (dash)
		*dash = '-';
	if (!good || first < 0 || last < first || last > INT32_MAX)
		return wrong(r, "nodes: not FIRST-LAST", word);
	if (rows_add(&r->csv->rows, (uint32_t)first, (uint32_t)last))
		return PACT_ENOMEM;
	job->ranges++;
	return PACT_OK;
}

static int take_nodes(struct reader *r, struct csv_job *job)
{
	char *text = r->at[NODES] ? r->field[r->at[NODES] - 1] : NULL, *next = NULL;
	int err = PACT_OK;

	job->place = r->csv->rows.count;
	for (char *word = text ? strtok_r(text, " ", &next) : NULL; word && !err;
	     word = strtok_r(NULL, " ", &next))
		err = add_range(r, job, word);
	return err;
}

static int read_job(struct reader *r, char *line)
{
	struct csv_job job = { 0 };
	int64_t id, width, promised;
	size_t n = split(r, line);
	int err;

	if (n != r->columns)
		return wrong(r, "another number of columns than the first line's", r->field[0]);
	if ((err = take(r, ID, 0, INT64_MAX, 0, &id)) ||
	    (err = take(r, WIDTH, 1, INT32_MAX, 0, &width)) ||
	    (err = take(r, START, -1, WORKLOAD_MAX_TIME, -1, &job.start)) ||
	    (err = take(r, END, -1, WORKLOAD_MAX_TIME, -1, &job.end)) ||
	    (err = take(r, SUBMIT, -1, WORKLOAD_MAX_TIME, -1, &job.submit)) ||
	    (err = take(r, DEADLINE, -1, WORKLOAD_MAX_TIME, 0, &job.deadline)) ||
	    (err = take(r, PROMISED, 0, 1, 0, &promised)) || (err = take_nodes(r, &job)))
		return err;
	if (job.start >= 0 && job.end >= 0 && job.end < job.start)
		return wrong(r, "it ends before it starts", r->field[r->at[ID] - 1]);
	job.id = (uint64_t)id;
	job.width = (uint32_t)width;
	job.deadline = job.deadline > 0 ? job.deadline : 0;
	job.promised = promised;
	if (r->at[STATE])
		snprintf(job.state, sizeof(job.state), "%s", r->field[r->at[STATE] - 1]);
	if (r->csv->count == r->csv->room) {
		size_t room = r->csv->room ? 2 * r->csv->room : 256;
		struct csv_job *more = realloc(r->csv->job, room * sizeof(*more));

		if (!more)
			return PACT_ENOMEM;
		r->csv->job = more;
		r->csv->room = room;
	}
	r->csv->job[r->csv->count++] = job;
	return PACT_OK;
}

typedef int read_line(struct reader *r, char *line);

/* All lines of a file. 0, or enum pact_err with the reason. */
static int read_file(struct reader *r, read_line *head, read_line *each, const char *option)
{
	FILE *f = strcmp(r->path, "-") ? fopen(r->path, "r") : stdin;
	char *line = NULL;
	size_t room = 0;
	int err = PACT_OK;

	if (!f)
		return why_set(r->why, r->size, PACT_EINVAL, "%s: %s", r->path, strerror(errno));
	while (!err && getline(&line, &room, f) > 0) {
		r->line++;
		err = r->line == 1 ? head(r, line) : each(r, line);
	}
	if (!err && ferror(f))
		err = why_set(r->why, r->size, PACT_EINVAL, "%s: %s", r->path, strerror(errno));
	else if (!err && !r->line)
		err = why_set(r->why, r->size, PACT_EINVAL, "%s: empty: not a file of %s", r->path,
			      option);
	free(line);
	if (f != stdin)
		fclose(f);
	return err;
}

int jobs_csv_read(struct jobs_csv *csv, const char *path, char *why, size_t size)
{
	struct reader r = { .path = path, .csv = csv, .why = why, .size = size };

	memset(csv, 0, sizeof(*csv));
	return read_file(&r, read_header, read_job, "--jobs-csv");
}

/* ---- shares ---- */

static int read_shares_header(struct reader *r, char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	if (strcmp(line, "at,node,job,share"))
		return wrong(r, "not the columns at,node,job,share", line);
	return PACT_OK;
}

static int read_share(struct reader *r, char *line)
{
	struct shares_csv *to = r->shares;
	struct csv_share share = { .share = -1 };
	int64_t node, job, part = -1;

	if (split(r, line) != 4)
		return wrong(r, "not four columns", r->field[0]);
	if (!number_micro(r->field[0], &share.at) || share.at / 1000000 > WORKLOAD_MAX_TIME)
		return wrong(r, "at: not seconds", r->field[0]);
	if (to->count && share.at < to->v[to->count - 1].at)
		return wrong(r, "at: before the line above", r->field[0]);
	if (!number_int(r->field[1], &node) || node < 0 || node > INT32_MAX)
		return wrong(r, "node: not a number from 0 on", r->field[1]);
	if (!number_int(r->field[2], &job) || job < 0)
		return wrong(r, "job: not a number", r->field[2]);
	if (*r->field[3] && (!number_micro(r->field[3], &part) || part > 1000000))
		return wrong(r, "share: not from 0 to 1", r->field[3]);
	share.node = (uint32_t)node;
	share.job = (uint64_t)job;
	share.share = (int32_t)part;
	if (to->count == to->room) {
		size_t room = to->room ? 2 * to->room : 256;
		struct csv_share *more = realloc(to->v, room * sizeof(*more));

		if (!more)
			return PACT_ENOMEM;
		to->v = more;
		to->room = room;
	}
	to->v[to->count++] = share;
	return PACT_OK;
}

int shares_csv_read(struct shares_csv *csv, const char *path, char *why, size_t size)
{
	struct reader r = { .path = path, .shares = csv, .why = why, .size = size };

	memset(csv, 0, sizeof(*csv));
	return read_file(&r, read_shares_header, read_share, "--shares-csv");
}

void jobs_csv_release(struct jobs_csv *csv)
{
	free(csv->job);
	rows_release(&csv->rows);
	memset(csv, 0, sizeof(*csv));
}
