/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf: reads logs in the Standard Workload Format, plain or compressed by gzip (told apart by
 * content). What is taken from a line's 18 fields, and how:
 *
 *   1 job number, 2 submit time, 12 user
 *   width      8 (requested processors), else 5 (used ones)
 *   runtime    4; 0 counts as 1 s; cut to the estimate when longer (the job is marked `killed`)
 *   estimate   9 (requested time); missing (0 or less): the runtime
 *
 * Nothing is lost silently: every line is a comment, blank, a job, or counted in struct swf_stats.
 * A job without a width, with a negative runtime or without a submit time is dropped and counted;
 * so is a line that is not a job at all (other than 18 columns, something that is no number, a
 * number out of range), for which a message with file and line goes to the caller. Fractions are
 * accepted in any field and cut off. A file that cannot be read to its end (truncated gzip, say)
 * is an error as a whole.
 */
#ifndef PACT_SIM_SWF_H
#define PACT_SIM_SWF_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload.h"

struct swf_stats {
	uint64_t lines;		   /* in the file */
	uint64_t malformed;	   /* lines dropped: not a job */
	uint64_t no_width;	   /* jobs dropped: neither field 8 nor 5 */
	uint64_t negative_runtime; /* jobs dropped: field 4 below 0 */
	uint64_t no_submit;	   /* jobs dropped: field 2 below 0 */
	uint64_t zero_runtime;	   /* kept, counted as 1 s */
	uint64_t no_estimate;	   /* kept, the runtime stands for it */
	uint64_t overrun;	   /* kept, runtime cut to the estimate */
	uint64_t used_width;	   /* kept, width from field 5 */
	uint64_t out_of_order;	   /* kept, sorted into its place */
	int64_t max_nodes;	   /* header fields; 0: not given */
	int64_t max_procs;
};

/* Called for a malformed line with "FILE:LINE: what". */
typedef void (*swf_complain)(void *arg, const char *message);

/*
 * Read a log's jobs, in the order of struct workload; w must be empty. complain may be NULL.
 * 0, PACT_EINVAL (cannot be read, no job in it; why names file and, where there is one, line) or
 * PACT_ENOMEM. After an error w is empty. One pass, memory for the jobs only.
 */
int swf_read(const char *path, struct workload *w, struct swf_stats *stats, swf_complain complain,
	     void *arg, char *why, size_t size);

/* Jobs and lines dropped in all. */
uint64_t swf_dropped(const struct swf_stats *stats);

/* The default machine size: MaxProcs, since widths are in processors, else MaxNodes; 0: neither. */
int64_t swf_machine(const struct swf_stats *stats);

#endif
