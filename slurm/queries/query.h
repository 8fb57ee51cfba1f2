/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - the requests of the socket, in one table
 *
 * To add one: a handler, its line below and in query.c's table, and its section
 * in doc/protocol.md.  Handlers run in the answerer's thread (answerer.h), one at a
 * time.  They may take slurmctld's read locks for a moment, and then the
 * bridge's mutex for at most AdmissionTime; they hold nothing while they wait
 * for anything else, and nothing is held when they are called.
 */
#ifndef PACT_SLURM_QUERY_H
#define PACT_SLURM_QUERY_H

#include <sys/types.h>

#include "slurm/queries/wire.h"

struct query {
	uid_t uid;	     /* who asks: checked */
	json_object *args;   /* or NULL */
	json_object *answer; /* an empty object, to be filled */
	char why[WIRE_WHY_MAX];
	int cost; /* set by query_run() */
};

/*
 * RET NULL: answered; else a code of wire.h, and q->why
 */
typedef const char *query_fn(struct query *q);

/* Look up and run. */
const char *query_run(const char *name, struct query *q);

query_fn query_status;
query_fn query_stats;
query_fn query_plan;
query_fn query_ask;
query_fn query_explain;
query_fn query_matrix;
query_fn query_record;
query_fn query_history;

#endif /* PACT_SLURM_QUERY_H */
