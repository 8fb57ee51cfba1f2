/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the figures by which a finished schedule is judged, all in one pass over the jobs.
 *
 * "Jobs" in a mean are those that ran to their end (completed or killed); a mean over no job is 0.
 * For job j: wait = start - submit, response = end - submit, run = its runtime, which is end - start where it
 * has its nodes for itself, always all of them. N is the number of
 * nodes; the schedule lasts from the first submission to the last end.
 */
#ifndef PACT_SIM_METRICS_H
#define PACT_SIM_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/run/simulate.h"
#include "sim/run/slices.h"
#include "sim/workload/workload.h"

struct change;

struct metrics {
	const struct workload *w;
	const struct sim_outcome *out;
	uint32_t nodes;
	const struct change *change;	 /* NULL, or of these jobs by change_schedule(), */
	size_t changes;			 /* so many */
	const struct sim_node *node;	 /* what each is like; NULL: all alike */
	const struct sim_shares *shares; /* what was shared; NULL: nothing was */
	const struct sim_slices *slices; /* of a scheduler that has some; else NULL */
};

/* gang, section 2.2: a job on more nodes than this is a large one, the others are small. */
#define METRICS_SMALL_WIDTH 32

/*
 * Mean and standard deviation over a group of jobs: the square root of the mean squared difference from the
 * mean. Slowdown is that of gang, section 2.3: max(response, 10 s) / max(run, 10 s), which is
 * slowdown_bounded10_mean's, as no response is shorter than the run.
 */
struct spread {
	uint64_t jobs;
	double wait_mean, wait_sd;
	double slowdown_mean, slowdown_sd;
};

/*
 * gang, sections 6.3 and 6.4: jobs that take turns; all 0 where none do (struct metrics, slices). A switch: a job
 * begins to run that did not run just before, its first run included. A migration: a job that has started gets
 * other nodes, as many tasks as it is wide. What it all cost is in seconds of nodes on which jobs ran and their
 * work did not go on.
 */
struct turns {
	uint64_t switches, migrations, tasks;
	int64_t switch_loss_s;		  /* of each switch */
	int64_t switching_s, migrating_s; /* node seconds, */
	double switching, migrating;	  /* and as shares of N x makespan */
};

/*
 * malleable, chapter 4: of jobs that have a range of nodes, or whose end is worth something.
 * A job is worth its payoff (core/kernel/payoff.h) if it was completed, whatever was promised to it; one without a
 * deadline is worth nothing.
 */
struct worth {
	uint64_t accepted;	   /* jobs that were not refused */
	uint64_t ranges;	   /* jobs that have a range */
	uint64_t valued;	   /* jobs that have a value */
	uint64_t resizes;	   /* how often a running job's width changed */
	double profit, possible;   /* the sum of payoffs; and of the values of all jobs */
	double response_submitted; /* mean over all jobs, 0 for those that did not run to their end */
	double range_response, rigid_response; /* means of jobs with a range and without */
};

struct figures {
	uint64_t state[SIM_STATES]; /* jobs by enum sim_state */
	uint64_t with_deadline;
	uint64_t deadlines_met;	  /* ended by it, promised or not (EASY promises nothing) */
	uint64_t promises;	  /* jobs that were accepted */
	uint64_t expected;	  /* that were accepted, with nothing promised */
	uint64_t by_chance;	  /* of these, those that were told their chance to miss */
	uint64_t promises_broken; /* of these, how many ended late or never */

	/* RiskLimit: of the jobs by_chance, the mean of the chances that were told, and how many missed. */
	double chance_told_pct, chance_missed_pct;

	/* QoPS, section 5.1: refused jobs per job that asked for a deadline, in percent. */
	double unadmitted_jobs_pct;
	/* The same in processor-seconds, width x runtime. */
	double unadmitted_procsec_pct;

	/* Last end less first submission, seconds. */
	int64_t makespan;
	/*
	 * gang, eq. 1: sum of width x run / (N x makespan): work, so what was lost does not count. Of shared nodes a
	 * job counts what it had of them; one that did not end counts what it held.
	 */
	double utilization;
	/*
	 * gang, eq. 2: the share of N x makespan that was empty while at least one job waited. Between two
	 * scheduling events, arrivals and ends, the empty nodes count in full, however few the waiting jobs
	 * ask for. Eq. 3, with slices: what switching cost counts, too (loss.h). -1 when memory is short.
	 */
	double loss_of_capacity;

	double wait_mean;
	double response_mean;
	/* dynP, section 5.1: sum of width x response / sum of width, seconds. */
	double artww;
	/* LibraRisk, section 4: jobs that ended by their deadlines, of all that were submitted, in percent; */
	double deadlines_met_pct;
	/* and the mean of their response / run. */
	double met_slowdown_mean;
	/* Mean of response / run; run is the runtime, on nodes that the job has for itself. */
	double slowdown_mean;
	/* Mean of max(1, response / max(run, 10 s)): as in the archive's publications. */
	double slowdown_bounded10_mean;
	/* gang, section 2.3: all jobs, and those on at most METRICS_SMALL_WIDTH nodes and on more apart. */
	struct spread all, small, large;
	/* dynP, section 5.1: sum of width x max(response, 60) / max(run, 60) over sum of width. */
	double sldww60;
	/* The same with 300 s (section 5.2, Figure 7). */
	double sldww300;
	/* QoPS, section 5.2: jobs that asked for no deadline. */
	double nondeadline_response_mean;
	double nondeadline_slowdown_mean;
	struct turns turns;
	struct worth worth;
};

/* Whether the job ran to its end: completed or killed. */
bool metrics_ended(const struct sim_outcome *o);

/* max(1, response / max(run, bound)) of a job that ended; bound in seconds. */
double metrics_bounded_slowdown(const struct sim_job *j, const struct sim_outcome *o, double bound);

/* O(n) for n jobs, and a sort where m->change is NULL, jobs are suspended or nodes are shared. */
void metrics_figures(const struct metrics *m, struct figures *f);

#endif
