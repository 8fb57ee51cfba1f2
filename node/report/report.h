/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: what a node's daemon tells the controller, what the controller answers, and both as JSON text.
 * (No paper: LibraRisk, section 3.1, takes it for granted that a node's progress is known.)
 *
 * A report tells all jobs of the node, so that one that is lost costs nothing but time. An answer has only
 * what is to change. Readers take unknown members as not there, and refuse other versions.
 */
#ifndef PACT_NODE_REPORT_REPORT_H
#define PACT_NODE_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_VERSION 1
#define REPORT_NODE 128	 /* a node's name, with its end */
#define REPORT_BOOT 40	 /* what tells one start of a daemon from another */
#define REPORT_LACKS 256 /* what a node lacks, for people */
#define REPORT_TERMS 128
/* The last time that there is, seconds: what is later is at any time. So long an estimate has no end. */
#define REPORT_TIME_MOST (INT64_C(1) << 40)
#define REPORT_INTERVAL_MOST 3600 /* seconds between two reports */

struct report_job {
	uint32_t id;
	uint32_t share;	    /* millionths of the processors that it takes there */
	uint32_t processes; /* that were found at the last measurement */
	int64_t submit;	  /* its submission; an id may come again. Times: seconds since the epoch */
	int64_t deadline; /* absolute, of the terms in force */
	int64_t estimate; /* seconds, of the terms in force */
	char rule[8];	  /* likewise: how the node gives out what it has; "": not told */
	uint32_t takes;	  /* processors there, likewise; 0: all */
	int64_t work;	  /* done there: microseconds at a full share of this node */
};

struct node_report {
	char node[REPORT_NODE];
	char boot[REPORT_BOOT];
	uint64_t count;	 /* of this start's reports, from 1 */
	uint32_t rating; /* 1000: as fast as estimates are meant for */
	uint32_t processors;
	char cgroup[8];		  /* "v1", "v2", "": none that can be used */
	char lacks[REPORT_LACKS]; /* "": nothing */
	size_t n;
	struct report_job *job;
};

struct answer_job {
	uint32_t id;
	int64_t submit;
	char terms[REPORT_TERMS]; /* as the prolog would get them */
};

struct node_answer {
	uint32_t interval; /* seconds until the next report is due; 1 to REPORT_INTERVAL_MOST */
	size_t n, n_gone;
	struct answer_job *job; /* whose terms are these from now on */
	uint32_t *gone;		/* what the controller does not know as running there */
};

/* As one line of JSON, without its end; to be freed. NULL: no memory. */
char *report_write(const struct node_report *report);
char *answer_write(const struct node_answer *answer);

/*
 * Read such a text. False: it is none, and `why` says what is wrong with it; *out is empty then. What is
 * read is released by the function below, which is fine for an empty one.
 */
bool report_read(const char *text, size_t len, struct node_report *out, char *why, size_t size);
bool answer_read(const char *text, size_t len, struct node_answer *out, char *why, size_t size);

void report_release(struct node_report *report);
void answer_release(struct node_answer *answer);

#endif
