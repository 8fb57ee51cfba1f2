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
 *   - a node's use is a vector of amounts, processors and memory: what its jobs hold at a time is never more
 *     than it has. A suspended job holds memory only;
 *   - what a job held (struct sim_history) is without a gap. Its work, the integral of its rate, is its
 *     runtime on all its nodes: done at its end and not a second before. A node counts from when it has been launched (sim_job.launch);
 *   - a job that shares its nodes (struct sim_shares) has one part on each, all from its start on. At no
 *     microsecond are shares, each of the part's processors, more than the node has, nor is its memory given
 *     twice; no whole job is there. A part's work, the integral of its share times the node's rating, is the
 *     job's runtime: done when the part leaves and not a microsecond before, whatever the other parts do. The
 *     job starts and ends with its first and last part, rounded up to the second. Where a job's parts go on in
 *     step they leave at one microsecond, and it is the integral of the least of their rates;
 *   - a job that was whole from start to end runs for exactly its runtime; no runtime is longer than the
 *     estimate; a job counts as killed if and only if the estimate cut it short;
 *   - a refused job had asked for a deadline, and never ran;
 *   - every job that was not refused ended;
 *   - every promised job ended by its deadline, unless it outlived its estimate. Where nodes were lost a promise may be broken, but
 *     then it must have been reported broken;
 *   - a job with a range always has as many nodes as that allows. None is taken from it unless it gave it back, being asked, or
 *     was told so long before as its notice is (`grace`, `own_grace`); none stays with it after that. A promised one,
 *     unless its promise was reported broken, always has as many as finish the work of its estimate by its deadline;
 *   - jobs are cancelled or fail only where the script says so;
 *   - with slices, all of a job's nodes begin and stop running at once: where a slice begins, or, unless it is
 *     discrete, at an arrival, an end or another event that the matrix is computed at. When slices begin is found
 *     from these and from what runs. From its start to its end a job runs from the beginning of at least one in so many
 *     slices in a row as there are rows. That slice is whole, as none ends but where the first rule lets it. A job has the same nodes until it is told to have others,
 *     and no more tasks are told so in a slice than Q; no node has more jobs at a time than there are rows. A job
 *     loses a switch when it begins to run, and beside that what migrations cost, by C and C / 2; a promised one takes
 *     no turns (and beside such, under `next`, the turns of others are not judged).
 */
#ifndef PACT_SIM_VALIDATE_H
#define PACT_SIM_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/run/simulate.h"
#include "sim/run/slices.h"
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
	int64_t memory; /* of each node, in the unit of the jobs'; 0: no matter, or as `node` says */
	const struct sim_node *node;	 /* what each is like; NULL: all alike */
	const struct sim_shares *shares; /* what was shared; NULL: nothing was */
	const struct sim_slices *slices; /* of a scheduler that has some; else NULL */
	int64_t grace; /* ResizeGrace: with so much notice nodes are taken; 0: with none */
	int64_t own_grace; /* or with that of the job itself, which counts up to this (notices_longest()) */
	bool in_step;  /* the parts of a job go on as the slowest of them */
	bool outlive;  /* runtimes may be longer than estimates: nothing ends a job at its own */
	bool may_wait; /* jobs may be left waiting (never enough nodes) */
};

/* Called for each violation found. */
typedef void (*validate_complain)(void *arg, const char *message);

/*
 * The number of violations; 0: the schedule is right. Cost O(n log n) for n jobs or spans, O(n x events) with a
 * script, and O(k log w) for k changes of shares of jobs up to w nodes wide. UINT64_MAX: memory is short, nothing was checked.
 */
uint64_t validate(const struct schedule *s, validate_complain complain, void *arg);

#endif
