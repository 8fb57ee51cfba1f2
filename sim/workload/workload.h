/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: the jobs that a run is fed with, from a log, a model or a scenario.
 *
 * Invariants of a workload that a reader or a model has made:
 *   - jobs are in the order of their submission; ties by id, then by place in the source;
 *   - width >= 1, runtime >= 1, estimate >= runtime (a job that outlives its estimate is cut to it
 *     and marked `killed`), and no time is greater than WORKLOAD_MAX_TIME.
 * Times are whole seconds, or what a model calls ticks.
 */
#ifndef PACT_SIM_WORKLOAD_H
#define PACT_SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nodeset;
struct sched_job;
struct list64;

/* No single time may be greater: 10^7 jobs in a row still fit into 63 bits. */
#define WORKLOAD_MAX_TIME INT64_C(100000000000)

/*
 * How long a node that a job gets does nothing for it yet: at its start, and when it gets it later. Seconds; 0: none. In no
 * format of workloads.
 */
struct launch {
	int64_t start, grow;
};

struct sim_job {
	uint64_t id; /* the source's number; not unique for parts of a job alone, see swf.h */
	int64_t submit;
	int64_t estimate;   /* time limit; PACT_FOREVER: none (scenarios only) */
	int64_t runtime;    /* how long it will really run */
	int64_t deadline;   /* 0: none. Until deadlines_assign(): seconds after its submission */
	int64_t begin;	    /* not to be started before; 0: none */
	int64_t priority;   /* slurm mode: higher first */
	int32_t width;	    /* nodes */
	int32_t user;	    /* the log's field 12; -1: not known */
	bool killed;	    /* the source's runtime was longer than the estimate */
	bool whole;	    /* where jobs take turns on nodes, it has its own for itself */
	int32_t processors; /* on each of them, where nodes are shared; 0: all that it has */
	int64_t memory;	    /* that it holds on each of its nodes; 0: not known */
	int64_t migration;  /* its own C, seconds; 0: MigrationCost. In no format of workloads */
	/* A malleable job: width is its least, estimate and runtime the times on that. */
	int32_t most;  /* nodes that it may grow to; 0: it is rigid */
	bool moldable; /* it has all its nodes from its start on; in scenarios only */
	int64_t value; /* what it is worth by its deadline, in millionths; 0: nothing is said */
	int64_t grace; /* so much notice it wants, seconds; 0: ResizeGrace. In no format of workloads */
	struct launch launch;	      /* then nodes are to be named */
	const struct list64 *speedup; /* NULL: linear. Not owned. */
	const struct nodeset *nodes;  /* may only run on these; NULL: on any. Not owned. */
};

struct workload {
	struct sim_job *job;
	size_t count;
	size_t room;
};

/* An empty workload, nothing allocated. */
void workload_init(struct workload *w);
/* Frees what it holds; it is empty then. */
void workload_release(struct workload *w);

/* What a scheduler is told of the job at its submission, as of that id. Nodes and speed-up are borrowed from it. */
void workload_tell(const struct sim_job *job, uint64_t id, struct sched_job *told);

/* Is that a number of nodes on which the job can run? */
bool workload_can_use(const struct sim_job *job, int32_t nodes);

/* Append a copy. 0 or PACT_ENOMEM. Amortised constant cost. */
int workload_add(struct workload *w, const struct sim_job *job);

/* Sort into the order above; how many jobs stood before one that was submitted earlier. */
size_t workload_sort(struct workload *w);

/* Keep jobs first .. first + count - 1 (first counts from 1) of the sorted workload. */
void workload_slice(struct workload *w, size_t first, size_t count);

/* Make every estimate the runtime (`--estimates exact`): no job outlives it any more. */
void workload_exact(struct workload *w);

/* Remove jobs wider than the machine; how many. */
size_t workload_drop_wide(struct workload *w, uint32_t nodes);

#endif
