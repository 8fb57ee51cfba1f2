/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_csv: reads back the lines per job that pact-sim and pact-replay write (--jobs-csv).
 *
 * The first line names the columns; id, width, start, end are needed, deadline, promised, state and
 * nodes are used when there, others are left alone. start or end is -1 (or empty) where there is none;
 * a deadline of -1 or 0 is none. nodes, if there is such a column, are ranges counted from 0 with
 * blanks between: "0-3 7".
 *
 * Beside it what jobs had of nodes that they shared (--shares-csv), with the columns at,node,job,share: from `at` on, in
 * seconds with up to six digits behind the point, as the other file counts them, the job has that share of the node, from
 * 0 to 1, or (empty) is not there any more. Lines are in order of time, nodes count from 0.
 */
#ifndef PACT_SIM_JOBS_CSV_H
#define PACT_SIM_JOBS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/rows.h"

struct csv_job {
	uint64_t id;
	uint32_t width;
	int64_t submit;	    /* -1: not in the file */
	int64_t start, end; /* -1: none */
	int64_t deadline;   /* 0: none */
	bool promised;
	char state[16];	      /* "" when not in the file; longer ones are cut */
	size_t place, ranges; /* of `nodes`, in jobs_csv.rows; 0 ranges: not in the file */
};

struct jobs_csv {
	struct csv_job *job;
	size_t count, room;
	struct rows rows;
};

/*
 * Read a file, or the standard input for "-". 0, or enum pact_err with the reason, which names file,
 * line and value: PACT_EINVAL, PACT_ENOMEM. What was read is due to jobs_csv_release() either way.
 */
int jobs_csv_read(struct jobs_csv *csv, const char *path, char *why, size_t size);

struct csv_share {
	int64_t at; /* microseconds */
	uint64_t job;
	uint32_t node;
	int32_t share; /* millionths; -1: it is not there */
};

struct shares_csv {
	struct csv_share *v;
	size_t count, room;
};

/* The same of a file of shares; free(v) when it is done. */
int shares_csv_read(struct shares_csv *csv, const char *path, char *why, size_t size);

void jobs_csv_release(struct jobs_csv *csv);

#endif
