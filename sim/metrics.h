/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the figures by which a finished schedule is judged, one function each.
 *
 * "Jobs" in a mean are those that ran to their end (completed or killed); a mean over no job is 0.
 * For job j: wait = start - submit, response = end - submit, run = end - start. N is the number of
 * nodes; the schedule lasts from the first submission to the last end.
 */
#ifndef PACT_SIM_METRICS_H
#define PACT_SIM_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/simulate.h"
#include "sim/workload.h"

struct metrics {
	const struct workload *w;
	const struct sim_outcome *out;
	uint32_t nodes;
};

/* Jobs in this state; jobs that were accepted; accepted ones that ended late or never. */
uint64_t metric_count(const struct metrics *m, enum sim_state state);
uint64_t metric_with_deadline(const struct metrics *m);
uint64_t metric_promises(const struct metrics *m);
uint64_t metric_promises_broken(const struct metrics *m);

/* Jobs with a deadline that ended by it, promised or not (EASY promises nothing). */
uint64_t metric_deadlines_met(const struct metrics *m);

/* Paper 000 section 5.1: refused jobs per job that asked for a deadline, in percent. */
double metric_unadmitted_jobs_pct(const struct metrics *m);

/* The same in processor-seconds, width x runtime. */
double metric_unadmitted_procsec_pct(const struct metrics *m);

/* Last end less first submission, seconds. */
int64_t metric_makespan(const struct metrics *m);

/* Paper 003 eq. 1: sum of width x run / (N x makespan). */
double metric_utilization(const struct metrics *m);

/*
 * Paper 003 eq. 2: the share of N x makespan that was empty while at least one job waited. Between
 * two scheduling events the empty nodes count in full, however few the waiting jobs ask for.
 * -1 when memory is short.
 */
double metric_loss_of_capacity(const struct metrics *m);

double metric_wait_mean(const struct metrics *m);
double metric_response_mean(const struct metrics *m);

/* Paper 001 section 4: sum of width x response / sum of width, seconds. */
double metric_artww(const struct metrics *m);

/* Mean of response / run. */
double metric_slowdown_mean(const struct metrics *m);

/* Mean of max(1, response / max(run, 10 s)): bounded slowdown as in the archive's publications. */
double metric_slowdown_bounded10_mean(const struct metrics *m);

/* Paper 001 section 4: sum of width x max(response, 60) / max(run, 60) over sum of width. */
double metric_sldww60(const struct metrics *m);
/* The same with 300 s (section 5.2, Figure 7). */
double metric_sldww300(const struct metrics *m);

/* Paper 000 section 5.2: jobs that asked for no deadline. */
double metric_nondeadline_response_mean(const struct metrics *m);
double metric_nondeadline_slowdown_mean(const struct metrics *m);

#endif
