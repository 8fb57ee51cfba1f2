/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_sched: FCFS, EASY, conservative backfilling, QoPS, MSB and MRT as a textbook would write them: arrays,
 * linear scans, one kind of node, nothing shared with the core. The core must give the same starts
 * to the second, and the same decisions.
 *
 * The machine's free capacity is never kept; a caller that wants to know it adds up all jobs.
 */
#ifndef PACT_TEST_REF_SCHED_H
#define PACT_TEST_REF_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ref_job {
	/* given; jobs are in the order of submission, ties by place */
	int64_t submit, estimate, runtime;
	int64_t deadline; /* 0: none */
	int64_t priority; /* fcfs, easy, conservative: highest first; ties by place */
	int width;
	/* found */
	int64_t start, end; /* -1: never */
	bool refused, promised;
	/* working state */
	bool submitted, running, done;
	int64_t planned; /* all but fcfs, easy: planned start; -1: none */
	int64_t witness; /* mrt: a start that would do; -1: none is known */
	int64_t due;	 /* qops, msb, mrt: deadline, or the artificial one */
};

struct ref_config {
	int nodes;
	int kfactor; /* qops */
	bool llf;    /* qops, msb, mrt: least laxity first, else earliest deadline first */
	int64_t relax_milli, min_artificial;
	int cost;	  /* msb: 0 slack, 1 wait, 2 area */
	bool slots_order; /* msb: slots in the heuristic's order */
	bool by_start;	  /* conservative: compress in planned start order, else in the queue's */
	int backtracks;	  /* mrt */
	int effort;	  /* mrt: places that are looked for */
};

enum ref_kind { REF_FCFS, REF_EASY, REF_CONSERVATIVE, REF_QOPS, REF_MSB, REF_MRT };

/* Run the jobs to the end of the last. Cost: at least cubic; for small workloads. */
void ref_run(enum ref_kind kind, const struct ref_config *c, struct ref_job *job, size_t n);

/* ---- between ref_sched.c, ref_qops.c, ref_msb.c and ref_mrt.c ---- */

struct ref {
	const struct ref_config *c;
	struct ref_job *job;
	size_t n;
	int64_t now;
};

/* Nodes free at time t if running jobs last as estimated and planned ones start as planned. */
int ref_free_at(const struct ref *r, int64_t t);

/* Does it fit from `start` on for its whole estimate? */
bool ref_fits(const struct ref *r, const struct ref_job *j, int64_t start);

/* The earliest start >= now at which this job fits for its whole estimate. */
int64_t ref_earliest(const struct ref *r, const struct ref_job *j);

/* Waiting jobs that have a planned start, in the order of it, ties by place; how many. */
size_t ref_by_planned(const struct ref *r, size_t *list);

/* QoPS, Figure 3, for job `fresh`, whose due is set. True: placed, all plans replaced. */
bool ref_figure3(struct ref *r, size_t fresh);
/* The same by Figure 1 (MSB) and Figure 2 (MRT). */
bool ref_figure1(struct ref *r, size_t fresh);
bool ref_figure2(struct ref *r, size_t fresh);

/* Sort by the heuristic: deadlines or laxities; ties by place. */
void ref_sort(const struct ref *r, size_t *list, size_t n);

#endif
