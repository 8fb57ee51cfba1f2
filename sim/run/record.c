/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: see record.h. */
#include "sim/run/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/why.h"
#include "tape/tape.h"

struct record {
	FILE *f;
	struct tape *tape;
	int error;
};

static void write_line(void *arg, const char *text, size_t length)
{
	struct record *r = arg;

	if (!r->error && (fwrite(text, 1, length, r->f) != length || fputc('\n', r->f) == EOF))
		r->error = errno ? errno : EIO;
}

static void close_file(struct record *r)
{
	int failed = r->f == stdout ? fflush(r->f) : fclose(r->f);

	if (failed && !r->error)
		r->error = errno;
}

struct record *record_open(const char *path, char *why, size_t size)
{
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		goto no_memory;
	r->f = strcmp(path, "-") ? fopen(path, "w") : stdout;
	if (!r->f) {
		why_set(why, size, PACT_EINVAL, "cannot write %s: %s", path, strerror(errno));
		free(r);
		return NULL;
	}
	r->tape = tape_create(write_line, r);
	if (r->tape)
		return r;
	close_file(r);
	free(r);
no_memory:
	why_set(why, size, PACT_ENOMEM, "out of memory");
	return NULL;
}

void record_begin(struct record *r, struct sched *s, uint32_t nodes,
		  const struct sched_config *config)
{
	if (tape_start(r->tape, s, nodes, config, "pact-sim run") != PACT_OK && !r->error)
		r->error = ENOMEM;
}

void record_end(struct record *r)
{
	tape_stop(r->tape);
}

int record_close(struct record *r)
{
	int error;

	if (!r)
		return 0;
	tape_destroy(r->tape);
	close_file(r);
	error = r->error;
	free(r);
	return error;
}
