/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * validate: checks a finished schedule against the workload alone. It knows nothing of how
 * schedules are made and shares no code with what makes them.
 *
 * What a schedule must keep:
 *   - at no time more nodes are in use than there are; named nodes are in use by one job at a time,
 *     a job has as many of them as its width says, only ones that it may use, and none that was
 *     lost or reserved when it started;
 *   - no job starts before its submission or its begin time;
 *   - a node's use is a vector of amounts, processors (a share of the node) and memory: what its jobs hold at
 *     a time is never more than it has. A suspended job holds memory only;
 *   - what a job held (struct sim_history) is without a gap. Its work, the integral of its rate, is its
 *     runtime on all its nodes: done at its end and not a second before, on each node by itself where
 *     shares differ;
 *   - a job that was whole from start to end runs for exactly its runtime and no longer than its estimate; it counts as killed if
 *     and only if the estimate cut it short;
 *   - a refused job had asked for a deadline, and never ran;
 *   - every job that was not refused ended;
 *   - every accepted job ended by its deadline. Where nodes were lost a promise may be broken, but
 *     then it must have been reported broken;
 *   - jobs are cancelled or fail only where the script says so.
 */
#ifndef PACT_SIM_VALIDATE_H
#define PACT_SIM_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/run/simulate.h"
#include "sim/workload/workload.h"

struct change;

struct schedule {
	const struct workload *w;
	const struct sim_outcome *out; /* one for each job of w */
	const struct change *change;   /* NULL, or of these jobs by change_schedule(), */
	size_t changes;		       /* so many */
	uint32_t nodes;
	const struct sim_event *event; /* what was scripted */
	size_t nevents;
	int32_t memory; /* of each node, in the unit of the jobs'; 0: no matter */
	bool may_wait;	/* jobs may be left waiting (never enough nodes) */
};

/* Called for each violation found. */
typedef void (*validate_complain)(void *arg, const char *message);

/*
 * The number of violations; 0: the schedule is right. Cost O(n log n), and O(n x events) with a
 * script. UINT64_MAX: memory is short, nothing was checked.
 */
uint64_t validate(const struct schedule *s, validate_complain complain, void *arg);

#endif
