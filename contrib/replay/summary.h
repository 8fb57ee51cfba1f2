/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: a replay in figures.
 *
 * Means over no job are NAN, and null in JSON. Jobs that were cancelled, refused or lost are in no
 * mean. Slowdown = (end - submission) / (end - start); bounded: runtimes below 10 s count as 10 s,
 * and it is never below 1. Utilisation: node-seconds of jobs between their recorded start and end,
 * over nodes x (last end - first submission). Where jobs share nodes or take turns, and have completed, what they had
 * to do stands for end - start in both.
 */
#ifndef PACT_REPLAY_SUMMARY_H
#define PACT_REPLAY_SUMMARY_H

#include "contrib/replay/submit.h"
#include "contrib/replay/track.h"

struct means {
	int64_t jobs;
	double wait, response, slowdown, bounded;
	double highest; /* slowdown */
};

struct summary {
	int64_t submitted, with_deadline;
	int64_t accepted, accepted_deadline;
	int64_t refused, failed, lost, open;
	int64_t completed, killed, cancelled, other_end;
	int64_t kept, kept_killed, broken, withdrawn;
	int64_t observed;     /* of the accepted: would have been refused, nothing was promised */
	int64_t expected;     /* of the accepted: late by their own limits, nothing was promised */
	int64_t expected_met; /* of these: ended by their deadlines all the same */
	int64_t tokens;	      /* accepted deadline jobs whose record carries Pact's promise */
	int64_t told;	      /* of the broken: Pact had said so */
	double refused_pct;   /* of the jobs with a deadline */
	double refused_work_pct; /* of their node-seconds (width x the log's runtime) */
	double utilization;	 /* 0 .. 1 */
	int64_t makespan;
	int64_t lag_max;
	double lag_mean;
	int64_t late; /* jobs submitted more than SUMMARY_LATE seconds behind the log's timing */
	/*
	 * Seconds that completed jobs ran, by Slurm's record, beyond the log's runtime. Starting
	 * and ending a job takes time, and a fast clock magnifies it: what is left of that after
	 * the sleeps were shortened.
	 */
	double over_mean;
	int64_t over_max;
	struct means all, plain; /* plain: jobs without a deadline */
};

#define SUMMARY_LATE 60

/* One pass over the jobs. */
void summarize(const struct track *t, int32_t nodes, enum job_work does, struct summary *s);

#endif /* PACT_REPLAY_SUMMARY_H */
