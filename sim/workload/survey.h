/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey: what a log contains, line by line: its jobs, what is missing, what is odd and where.
 *
 * One pass over the file; 56 bytes of memory per job that `pact-sim run` would take from it (see
 * swf.h). Jobs are kept in the order of the file; a selection of them is what the figures are over.
 */
#ifndef PACT_SIM_SURVEY_H
#define PACT_SIM_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/workload/swf.h"
#include "sim/workload/workload.h"

#define SURVEY_LINES 5 /* line numbers remembered of each oddity */

enum survey_odd {
	/* Lines and jobs that a run drops */
	ODD_MALFORMED,
	ODD_NO_WIDTH,
	ODD_NEGATIVE_RUNTIME,
	ODD_NO_SUBMIT,
	ODD_PARTIAL,
	ODD_TOO_WIDE,
	/* Jobs that it takes otherwise than they stand there */
	ODD_USED_WIDTH,
	ODD_ZERO_RUNTIME,
	ODD_NO_ESTIMATE,
	ODD_OVERRUN,
	ODD_OUT_OF_ORDER,
	/* Jobs that it takes as they are */
	ODD_REPEATED_NUMBER,
	ODD_COUNT
};

struct survey_count {
	uint64_t count;
	uint64_t line[SURVEY_LINES]; /* the first ones */
};

struct survey_job {
	uint64_t line;
	uint64_t id;
	int64_t submit, runtime, estimate;
	int32_t width, user;
	bool selected;
};

enum survey_header {
	HEADER_COMPUTER,
	HEADER_INSTALLATION,
	HEADER_START_TIME,
	HEADER_END_TIME,
	HEADER_TIME_ZONE,
	HEADER_UNIX_START,
	HEADER_MAX_JOBS,
	HEADER_MAX_RECORDS,
	HEADER_MAX_NODES,
	HEADER_MAX_PROCS,
	HEADER_COUNT
};

struct survey {
	struct swf_stats stats;
	uint64_t comments, blank, records; /* lines of 18 numbers: records */
	uint64_t missing[SWF_FIELDS + 1];  /* records with less than 0 in the field */
	struct survey_count odd[ODD_COUNT];
	char *header[HEADER_COUNT]; /* NULL: not there; the last line of a key counts */
	int64_t nodes;		    /* of the machine; 0: not known */
	struct survey_job *job;
	size_t count, room;
	size_t selected;
};

/* Which jobs: in submission order (ties by number, then line) FIRST:COUNT of those submitted from
 * `from` on and before `until`. */
struct survey_choice {
	size_t first, count; /* count 0: all */
	int64_t from, until; /* until < 0: no end */
};

/*
 * Read the log. nodes: the machine's size, 0: as the header says. hooks as for swf_read(). 0,
 * PACT_EINVAL (cannot be read; no job in it) with file and line, or PACT_ENOMEM. survey_release() is due
 * in any case.
 */
int survey_read(struct survey *s, const char *path, int64_t nodes, const struct swf_hooks *hooks,
		char *why, size_t size);
void survey_release(struct survey *s);

/* Select anew. All jobs are selected at first. 0 or PACT_ENOMEM. */
int survey_select(struct survey *s, const struct survey_choice *choice);

/*
 * Append the selected jobs, as a run would take them, and sort; those wider than the machine, if its size is
 * known, are left out. 0 or PACT_ENOMEM.
 */
int survey_workload(const struct survey *s, struct workload *w);

/* "MaxProcs" and the like, for a line of the header. */
const char *survey_header_key(enum survey_header header);

/* Key for JSON, and words for people. */
const char *survey_odd_key(enum survey_odd odd);
const char *survey_odd_label(enum survey_odd odd);

#endif
