/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeshare: the nodes of a simulated machine as jobs share them, in fine time: what each part of a job has done
 * and when the next one is over, whoever decides about the shares (LibraRisk, section 3.1). It is told shares
 * and computes none.
 *
 * Work is counted exactly. A microsecond of a part at a full share of its processors, on a node of rating
 * RATING_WHOLE, is SHARE_WHOLE x RATING_WHOLE units; a part is over at the first microsecond by which it has
 * done the work of the job's runtime. Each part goes on by itself, and leaves its node as it ends; or all parts of a
 * job go on in step, as the slowest of them, and end together.
 *
 * Times are in microseconds (`at`) on the workload's clock and never go backwards.
 */
#ifndef PACT_SIM_TIMESHARE_H
#define PACT_SIM_TIMESHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"
#include "sim/workload/workload.h"

#define SIM_SECOND INT64_C(1000000)
/* Later a second cannot be told in microseconds. */
#define SIM_SHARED_LAST (INT64_MAX / SIM_SECOND - WORKLOAD_MAX_TIME)

/* What a node is like; all 0: of rating RATING_WHOLE, one processor, memory that nobody counts. */
struct sim_node {
	int32_t rating, processors;
	int64_t memory;
};

/* A part has this share of its processors from `at` on, and had `was` before. */
struct sim_share {
	int64_t at;
	uint32_t job;  /* by its place in the workload, from 0 */
	uint32_t node; /* from 0 */
	uint32_t share, was;
};

/* Instead of a share: the part is not there, before its start or after its end. */
#define SIM_SHARE_NONE UINT32_MAX

/* All that was shared in a run, in order of time. Empty (all 0) at first; free(v) when it is done. */
struct sim_shares {
	struct sim_share *v;
	size_t n, room;
};

/* A job's parts that are over at one instant. */
struct timeshare_end {
	uint32_t job;
	bool last;	       /* it has no other parts left */
	struct nodeset *nodes; /* theirs. The caller's. */
};

struct timeshare;

/*
 * A machine on which no job is, node by node as `node` says (NULL: all alike; borrowed). What happens is
 * added to `log`, borrowed too. NULL: no memory.
 */
struct timeshare *timeshare_create(uint32_t nodes, const struct sim_node *node, bool in_step,
				   struct sim_shares *log);
void timeshare_destroy(struct timeshare *s);

/* A job begins on these nodes, with no share yet. 0 or PACT_ENOMEM (then it has parts on none). */
int timeshare_start(struct timeshare *s, uint32_t job, const struct sim_job *j,
		    const struct nodeset *nodes, int64_t at);

/*
 * The job's part there has this share from now on. 0, PACT_ENOMEM, or PACT_ENOENT: it has no part there.
 */
int timeshare_set(struct timeshare *s, uint32_t job, uint32_t node, uint32_t share, int64_t at);
/* Parts on that node that are none of these jobs have no share there. `job` counts from 1. 0 or PACT_ENOMEM. */
int timeshare_others(struct timeshare *s, uint32_t node, const uint64_t *job, uint32_t n,
		     int64_t at);

/* Is the job there? And on which nodes: the caller's, NULL: no memory. */
bool timeshare_runs(const struct timeshare *s, uint32_t job);
struct nodeset *timeshare_nodes(const struct timeshare *s, uint32_t job);

/* When the next parts are over; PACT_FOREVER: none will be. */
int64_t timeshare_next(struct timeshare *s);

/*
 * The parts that are over at `at`, timeshare_next(), leave their nodes. Gives one of the jobs that have such
 * parts, in no order, and has to be called again until it gives none (*end all 0). 0 or PACT_ENOMEM.
 */
int timeshare_end(struct timeshare *s, int64_t at, struct timeshare_end *end);

/* The job leaves all its nodes. 0 or PACT_ENOMEM. */
int timeshare_leave(struct timeshare *s, uint32_t job, int64_t at);

#endif
