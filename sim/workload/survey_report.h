/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey_report: what a survey found, as text for people and as JSON.
 *
 * The JSON is one object of version 1; keys are added, never renamed, and all are always there (null:
 * the log does not say). Line numbers count from 1.
 */
#ifndef PACT_SIM_SURVEY_REPORT_H
#define PACT_SIM_SURVEY_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "sim/workload/survey.h"

/* Least, middle (of an even number the lower one), greatest and mean of a quantity. */
struct survey_spread {
	int64_t least, median, greatest;
	double mean;
};

/* Over the selected jobs that are not wider than the machine. */
struct survey_figures {
	size_t jobs;
	int64_t first_submit, last_submit; /* seconds of the log's own time */
	int64_t longest_gap;		   /* between two submissions, seconds */
	double interarrival_mean;
	double offered_load; /* see load_offered(); 0: machine not known, or no period */
	struct survey_spread width, runtime, estimate;
	double serial_share, power_of_two_share; /* widths of 1; of 1, 2, 4, 8, ... */
	double used_share;			 /* mean of runtime / estimate */
	double exact_share;			 /* estimates that are the runtime */
	size_t users;
};

/* 0 or PACT_ENOMEM. */
int survey_figures(const struct survey *s, struct survey_figures *f);

void survey_text(const struct survey *s, const struct survey_figures *f, const char *path,
		 FILE *out);

/* 0, or an errno of writing. */
int survey_json(const struct survey *s, const struct survey_figures *f, const char *path,
		FILE *out);

#endif
