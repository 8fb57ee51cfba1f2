/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: what a run found, as text for people, as JSON and as one CSV line per job.
 *
 * The JSON is one object of version 1; keys are added, never renamed. Times are seconds, shares are
 * between 0 and 1, keys in _pct are percent. CSV columns: id, submit, width, estimate, runtime,
 * deadline (-1: none), promised (0 or 1), start, end (-1: never), state.
 */
#ifndef PACT_SIM_REPORT_H
#define PACT_SIM_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/metrics.h"

struct report {
	const char *scheduler;
	const char *source; /* log or model */
	uint64_t seed;
	uint64_t jobs_dropped;
	uint64_t violations;
	uint64_t events;
	size_t max_waiting;
	double wall_s; /* reading, deadlines and validation included */
	long peak_rss_kib;
	struct metrics metrics;
};

void report_text(const struct report *r, FILE *out);

/* 0, or an errno of writing. */
int report_json(const struct report *r, FILE *out);
int report_csv(const struct report *r, FILE *out);

#endif
