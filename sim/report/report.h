/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: what a run found, as text for people, as JSON, and as one CSV line per job.
 *
 * The JSON is one object of version 1; keys are added, never renamed, and all are always there. Times
 * are seconds, shares are between 0 and 1, keys in _pct are percent. By classes (classes.h) there are three
 * lists of objects, by_width, by_runtime and by_width_and_runtime, of the classes that have jobs. CSV columns: id, submit, width,
 * estimate, runtime, deadline (-1: none), promised (0 or 1), start, end (-1: never), state, chance; and aside, where jobs
 * are set aside, and most (0: it is rigid), where any has a range.
 */
#ifndef PACT_SIM_REPORT_H
#define PACT_SIM_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/policies/dynp/dynp.h"
#include "sim/report/classes.h"
#include "sim/report/metrics.h"

#define REPORT_MAX_ITEMS 128

enum report_kind { REPORT_WHOLE, REPORT_REAL, REPORT_TEXT };

struct report_item {
	const char *key;
	const char *label; /* for people; NULL: in the JSON only */
	enum report_kind kind;
	int64_t whole;
	double real;
	const char *text;
};

struct report {
	/* To be set before report_figures(): */
	const char *scheduler;
	const char *source; /* log or model */
	uint64_t seed;
	uint64_t jobs_dropped;
	uint64_t violations;
	uint64_t events;
	size_t max_waiting;
	bool is_dynp; /* else the figures of dynp are 0, and not for people */
	struct dynp_view dynp;
	bool asides; /* how long jobs were set aside is known, and told of each */
	bool ranges; /* by report_figures(): some job has one */
	struct metrics metrics;
	struct classes classes; /* by report_figures() */

	struct report_item item[REPORT_MAX_ITEMS];
	size_t count;
};

/* Compute all figures, once: metrics included, cost of the run not. */
void report_figures(struct report *r);

/* After report_figures(): what it all cost. wall_s: from the first byte read to the last figure. */
void report_cost(struct report *r, double wall_s, long peak_rss_kib);

/* An item's value as text, as in the JSON (text without quotes). At most `size` bytes. */
void report_value(const struct report_item *item, char *text, size_t size);

void report_text(const struct report *r, FILE *out);

/* 0, or an errno of writing. */
int report_json(const struct report *r, FILE *out);
int report_csv(const struct report *r, FILE *out);

#endif
