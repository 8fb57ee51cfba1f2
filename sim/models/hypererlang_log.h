/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hypererlang_log: `pact-sim trace --hypererlang FILE`: the classes of widths of a log, each up to a power of
 * 2 or to the size of the machine, and their Hyper-Erlang fits (gang, section 2.1, steps 1 and 2).
 *
 * Of each class the interarrival times are those between its own jobs, n - 1 of n, so a class needs three
 * jobs, which are not all submitted at once; others are left out. Where no order that can be drawn has the
 * moments, they are raised to the nearest ones that have (hypererlang_raise()). All that is told: the text
 * stands in the file, too, as comments.
 */
#ifndef PACT_SIM_HYPERERLANG_LOG_H
#define PACT_SIM_HYPERERLANG_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/models/hypererlang_set.h"
#include "sim/workload/survey.h"

#define HYPERERLANG_LOG_CLASSES 32 /* 1, 2, 3 to 4, ..., 2^30 + 1 to 2^31 - 1 */

/* One fit: what was wanted. */
struct hypererlang_log_times {
	double wanted[HYPERERLANG_MOMENTS];
	char raised[160]; /* why they are not what was fitted; "": they are */
};

struct hypererlang_log_class {
	int32_t lo, hi;
	uint64_t jobs;
	double width_mean; /* of these jobs */
	char left_out[80]; /* why it is not in the set; "": it is, next in order */
	struct hypererlang_log_times interarrival, runtime;
};

struct hypererlang_log {
	struct hypererlang_set *set;
	struct hypererlang_log_class class[HYPERERLANG_LOG_CLASSES];
};

/*
 * Fit the classes of a sorted workload from a machine of `nodes` nodes (0: not known), none wider than it. 0, PACT_EINVAL (no class
 * can be fitted) or PACT_ENOMEM; hypererlang_log_release() is due in any case.
 */
int hypererlang_log_fit(struct hypererlang_log *l, const struct workload *w, int64_t nodes,
			const char *source, char *why, size_t size);
void hypererlang_log_release(struct hypererlang_log *l);

/* How well it fits, each line behind this prefix. */
void hypererlang_log_tell(const struct hypererlang_log *l, const char *prefix, FILE *f);

/*
 * The whole of it for the selected jobs of a log, written to out ("-": standard output), and told on standard
 * output if `tell`. Jobs wider than the machine, if its size is known, are left out. What goes wrong is told
 * on stderr. Returns an exit code of common/exits.h.
 */
int hypererlang_log_to_file(const struct survey *s, const char *path, const char *out, bool tell);

#endif
