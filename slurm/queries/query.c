/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.c - the requests of the socket, in one table
 */
#include "slurm/base/compat.h"

#include "slurm/config/builds.h"
#include "slurm/queries/query.h"

enum rights {
	ANYONE,	  /* what a user sees is the handler's to decide (access.h) */
	OPERATOR, /* Slurm's operators and administrators, SlurmUser and root */
};

static const struct {
	const char *name;
	query_fn *run;
	enum rights rights;
	int cost;	 /* in simple requests, for SocketRate */
	bool recordless; /* looks at no record of slurmctld's */
} queries[] = {
	{ "status", query_status, ANYONE, 1, true },
	{ "stats", query_stats, ANYONE, 2, false },
	{ "plan", query_plan, ANYONE, 4, false },
	{ "ask", query_ask, ANYONE, 4, false },
	{ "explain", query_explain, ANYONE, 2, false },
	{ "matrix", query_matrix, ANYONE, 4, false },
	{ "record", query_record, ANYONE, 2, false },
	{ "history", query_history, ANYONE, 8, false },
};

const char *query_run(const char *name, struct query *q)
{
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		if (strcmp(queries[i].name, name))
			continue;
		q->cost = queries[i].cost;
		if (queries[i].rights == OPERATOR && !validate_operator(q->uid)) {
			snprintf(q->why, sizeof(q->why), "%s: for Slurm's operators only", name);
			return WIRE_DENIED;
		}
		if (builds_unfit() && !queries[i].recordless) {
			snprintf(
				q->why, sizeof(q->why),
				"Pact was built for another Slurm than runs here: see pact status");
			return WIRE_BUSY;
		}
		return queries[i].run(q);
	}
	q->cost = 1;
	snprintf(q->why, sizeof(q->why), "%.40s: no such request", name);
	return WIRE_UNKNOWN;
}
