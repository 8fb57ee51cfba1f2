/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon: what happens on a node, and what follows: jobs begin, processes join, jobs end, terms change, time goes on.
 * At each but a join all jobs are measured, shares given out anew and written to their groups, the state saved and a
 * report sent.
 *
 * Lines of the local socket, and their answers, `ok` or `no WHY`:
 *
 *	terms ID	the terms of a job are in jobs/ID, new or changed
 *	join ID PID	a process of it, before it does anything
 *	over ID		it has ended here
 *	status		one line of JSON
 */
#ifndef PACT_NODE_DAEMON_H
#define PACT_NODE_DAEMON_H

#include <stdbool.h>
#include <stdint.h>

#include "node/cgroup.h"
#include "node/kept.h"
#include "node/options.h"
#include "node/part.h"
#include "node/report/report.h"
#include "node/reporter.h"

struct daemon {
	const struct options *o;
	struct cgroup cgroup;
	struct parts parts;
	struct reporter *reporter; /* NULL: none */
	char boot[KEPT_BOOT + 1];  /* the machine's */
	char start[REPORT_BOOT];   /* of this process */
	uint64_t count;		   /* reports */
	uint32_t interval;	   /* seconds, as the controller last said */
	/* Microseconds of daemon_clock(); SHARE_NEVER: not at all. */
	int64_t measured;
	int64_t next_round, next_share, next_tidy;
	int64_t empty_since; /* no job is here, and something of ours may be left in the tree */
};

/* Microseconds that go on while the machine sleeps, from its boot on. */
int64_t daemon_clock(void);

/* Find the jobs that are here, and what they have done. proc: /proc, but in tests. False: see why. */
bool daemon_open(struct daemon *d, const struct options *o, const char *proc, char *why,
		 size_t size);

/* Measure and save; groups and weights stay as they are. */
void daemon_close(struct daemon *d);

/* The answer to a line of the local socket (local_answer); arg: the daemon. */
char *daemon_ask(void *arg, const char *line);

/* What the controller has answered. */
void daemon_answer(struct daemon *d, const char *text);

/* What is due by now is done. RET milliseconds until something is. */
int daemon_turn(struct daemon *d);

#endif
