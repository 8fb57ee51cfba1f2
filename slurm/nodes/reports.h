/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports.h - what the nodes' daemons (pactd) tell: the latest report of each node
 *
 * Threads of their own take reports on a TCP port, from root and SlurmUser alone, and
 * answer at once; what was told is kept here until the thread that plans asks for it.
 * A mutex of their own is held for copies only; any other lock may be held.
 */
#ifndef PACT_SLURM_REPORTS_H
#define PACT_SLURM_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "node/report/report.h"

/* Reports after which a node that has sent no more is silent. */
#define REPORTS_MISSED 3

struct reports_settings {
	uint16_t port;	   /* 0: no reports are taken */
	uint32_t interval; /* seconds between two of a node, told to it in the answers */
	uid_t user;	   /* SlurmUser */
	char munge[108];   /* munged's socket; "": the usual one */
};

/* From now on so; threads begin, end or move to another port as needed. What was told is kept. */
void reports_configure(const struct reports_settings *settings);

/* No report is taken any more, and none is remembered. */
void reports_stop(void);

/* Are reports taken? */
bool reports_on(void);

/* Has one come since the last call of this? */
bool reports_came(void);

/* What is known of a node. */
struct reports_node {
	bool heard;	 /* in the last intervals */
	uint32_t rating; /* 0: it never reported */
	char lacks[REPORT_LACKS];
	size_t njobs;		 /* of a report that was not taken before, */
	struct report_job *jobs; /* which are the caller's to free */
};

/*
 * The latest of a node; its jobs once.
 * IN again - its jobs even if they were taken
 */
void reports_take(const char *node, bool again, struct reports_node *out);

/* A job that shares nodes and runs, by what a snapshot shows. */
struct reports_job {
	uint32_t id;
	uint32_t takes; /* processors of each node; 0: all */
	int64_t submit;
	int64_t estimate, due; /* as struct report_job has them */
	const char *rule;      /* static */
};

/* Its terms as a node is told them. */
typedef void reports_terms(const struct reports_job *job, char text[REPORT_TERMS]);

/*
 * Which run, as of `taken`: other jobs that nodes have told of for a while are told to be gone, and a node that
 * goes by other terms than these is told them. In any order; taken over, malloc()ed.
 * IN terms - writes a job's terms; called with our mutex
 */
void reports_running(struct reports_job *jobs, size_t n, int64_t taken, reports_terms *terms);

#endif /* PACT_SLURM_REPORTS_H */
