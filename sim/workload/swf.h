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
 * A job that was swapped out or checkpointed has a line for the whole of it, with status (field 11) 0 or
 * 1, and below it, under the same number, one for each time that it ran, with status 2, 3 or 4 and its
 * submit time or none. As the format asks of who studies the workload, the former is the job; the latter
 * are dropped and counted. Lines with such a status that follow no line of their job are jobs like any
 * other, but that they may share a number with others. Any two other jobs of one number are an error.
 *
 * Nothing is lost silently: every line is a comment, blank, a job, or counted in struct swf_stats.
 * A job without a width, with a negative runtime or without a submit time is dropped and counted;
 * so is a line that is not a job at all (other than 18 columns, something that is no number, a
 * number out of range in a field that is read), for which a message with file and line goes to the
 * caller. Fractions are accepted in any field and cut off. UTF-8's byte order mark before the first
 * line is skipped. A file that cannot be read to its end (truncated gzip, or something else behind it
 * than zeros or more gzip; see gunzip.h) is an error as a whole. A file named "-" is standard input.
 */
#ifndef PACT_SIM_SWF_H
#define PACT_SIM_SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

#define SWF_FIELDS 18

struct swf_stats {
	uint64_t lines;		   /* in the file */
	uint64_t malformed;	   /* lines dropped: not a job */
	uint64_t no_width;	   /* jobs dropped: neither field 8 nor 5 */
	uint64_t negative_runtime; /* jobs dropped: field 4 below 0 */
	uint64_t no_submit;	   /* jobs dropped: field 2 below 0 */
	uint64_t partial;	   /* lines dropped: a part of a job that has a line of its own */
	uint64_t zero_runtime;	   /* kept, counted as 1 s */
	uint64_t no_estimate;	   /* kept, the runtime stands for it */
	uint64_t overrun;	   /* kept, runtime cut to the estimate */
	uint64_t used_width;	   /* kept, width from field 5 */
	uint64_t out_of_order;	   /* kept, sorted into its place */
	int64_t max_nodes;	   /* header fields; 0: not given */
	int64_t max_procs;
	/* For swf_job(): the last job kept, its number + 1 if its status is 0 or 1, else 0; its submission. */
	uint64_t whole;
	int64_t whole_submit;
};

/* What becomes of a line with 18 numbers. */
enum swf_fate { SWF_KEPT, SWF_NO_WIDTH, SWF_NEGATIVE_RUNTIME, SWF_NO_SUBMIT, SWF_PARTIAL };

/*
 * The job that fields 1 .. 18 make (field[0] is not used), counted in *stats; what is dropped leaves
 * *job undefined.
 */
enum swf_fate swf_job(const int64_t field[SWF_FIELDS + 1], struct swf_stats *stats,
		      struct sim_job *job);

/*
 * One line after another, for tools that look at a log itself:
 *
 *	f = swf_open(path, why, size);
 *	while ((kind = swf_next(f, &line)) != SWF_END && kind != SWF_FAILED)
 *		...
 *	swf_close(f);
 */
enum swf_kind {
	SWF_END,
	SWF_FAILED, /* the file cannot be read on: line->wrong says why */
	SWF_COMMENT,
	SWF_BLANK,
	SWF_JOB,       /* 18 numbers in range; swf_job() says whether it is one to run */
	SWF_MALFORMED, /* line->wrong says why, line->column where (0: the whole line) */
};

struct swf_line {
	uint64_t number; /* from 1 */
	/* Ends in a zero byte; a line of more than 4096 bytes is cut, and malformed. Valid until the
	 * next call, like `wrong`. */
	const char *text;
	size_t length; /* of the text: a line with a zero byte in it is malformed */
	int64_t field[SWF_FIELDS + 1];
	const char *wrong;
	int column;
};

struct swf_file;

/* What is told while a log is read. */
struct swf_hooks {
	/* A malformed line, "FILE:LINE: what". May be NULL. */
	void (*complain)(void *arg, const char *message);
	/* So many of the file's bytes (compressed, if it is) have been read; not for a pipe. May be NULL. */
	void (*progress)(void *arg, double bytes, double of);
	void *arg;
	bool alone; /* one thread is to do it all; else there may be one that inflates (blocks.h) */
};

/* NULL with the reason. hooks: its progress and `alone`; may be NULL, must live as long as the file. */
struct swf_file *swf_open(const char *path, const struct swf_hooks *hooks, char *why, size_t size);
enum swf_kind swf_next(struct swf_file *f, struct swf_line *line);
void swf_close(struct swf_file *f);

/* Whether a log's path is "-", standard input; and the path for messages. */
bool swf_is_standard(const char *path);
const char *swf_name(const char *path);

/* "FILE:LINE: field N: what; line skipped". */
void swf_describe(const char *path, const struct swf_line *line, char *message, size_t size);

/* SWF_FAILED: "FILE:LINE: why", or "FILE: why" where no line was read. Gives PACT_EINVAL. */
int swf_broken(const char *path, const struct swf_line *line, char *why, size_t size);

/* A header line's "Key: value" after the semicolon: the value without blanks around it in *value and
 * its length returned, or -1. Example: swf_header(text, "MaxProcs", &value). */
int swf_header(const char *text, const char *key, const char **value);

/*
 * Read a log's jobs, in the order of struct workload; w must be empty. hooks may be NULL.
 * 0, PACT_EINVAL (cannot be read, no job in it, two jobs of one number; why names file and, where there is one, line) or
 * PACT_ENOMEM. After an error w is empty. One pass, memory for the jobs only.
 */
int swf_read(const char *path, struct workload *w, struct swf_stats *stats,
	     const struct swf_hooks *hooks, char *why, size_t size);

/* Jobs and lines dropped in all. */
uint64_t swf_dropped(const struct swf_stats *stats);

/* The default machine size: MaxProcs, since widths are in processors, else MaxNodes; 0: neither. It may
 * be any number above. */
int64_t swf_machine(const struct swf_stats *stats);

#endif
