/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: one run from its options to its figures: read or make the workload, change it as the options
 * say, simulate, validate, measure.
 *
 * The workload is changed in this order: slice (--jobs), jobs wider than the machine dropped and
 * counted, --shrink, --arrival-delay, --load, --estimates, --deadlines, --malleable.
 */
#ifndef PACT_SIM_RUN_H
#define PACT_SIM_RUN_H

#include "sim/run/record.h"
#include "sim/report/report.h"
#include "sim/commands/run_options.h"
#include "sim/run/simulate.h"
#include "sim/workload/workload.h"

struct run_hooks {
	/* A line for people: what was dropped, or why the run failed. May be NULL. */
	void (*say)(void *arg, const char *message);
	/* Bytes of the log read so far. May be NULL. */
	void (*reading)(void *arg, double bytes, double of);
	/* Jobs submitted so far. May be NULL. */
	void (*progress)(void *arg, size_t submitted, size_t count);
	/* What is said to the scheduler is written here (record.h). May be NULL. */
	struct record *record;
	/* As that of struct sim_setup, at a time since the first submission. May be NULL. */
	void (*look)(void *arg, const struct sched *s);
	int64_t look_at;
	void *look_arg;
	/* At most so many threads. 0: one. */
	unsigned threads;
	void *arg;
};

struct run {
	struct workload w;
	struct sim_outcome *out;  /* one for each job of w */
	struct sim_shares shares; /* what of nodes was shared */
	struct report report;
};

/*
 * Run it. Returns an exit code of pact-sim(1): EXIT_OK, EXIT_USAGE (options that do not go together),
 * EXIT_INPUT, EXIT_INVALID (the schedule is invalid; the figures are there all the same), or an enum
 * pact_err. run_release() is due in any case.
 */
int run_execute(const struct run_options *o, const struct run_hooks *hooks, struct run *r);
void run_release(struct run *r);

/*
 * The workload alone, read or made and changed as the options say; nothing is run. *nodes: the machine's.
 * Returns and leaves behind as run_execute().
 */
int run_workload(const struct run_options *o, const struct run_hooks *hooks, struct run *r,
		 uint32_t *nodes);

#endif
