/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram: the joint distribution of width, estimate and runtime of a workload, with the Weibull
 * parameters of its interarrival times: the "probability matrix" in dynP, section 4. It is
 * extracted from a log, kept as text (see HISTOGRAMS in pact-sim(1)) and drawn from.
 *
 * Each of the three quantities is cut into bins, ranges of whole numbers in ascending order that do
 * not overlap; the matrix is kept as its cells that are not empty. A bin knows its mean. A value is
 * drawn from a bin uniformly below or above the mean, with the chances that make the mean come out.
 */
#ifndef PACT_SIM_HISTOGRAM_H
#define PACT_SIM_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/rng.h"
#include "sim/workload/workload.h"

enum histogram_axis { HISTOGRAM_WIDTH, HISTOGRAM_ESTIMATE, HISTOGRAM_RUNTIME, HISTOGRAM_AXES };

#define HISTOGRAM_MAX_BINS 1024
#define HISTOGRAM_MAX_CELLS 1000000

struct histogram_bin {
	int64_t lo, hi; /* both in it; 1 <= lo <= hi */
	int64_t mean_milli;
};

struct histogram_cell {
	uint16_t bin[HISTOGRAM_AXES];
	uint64_t upto; /* jobs in this cell and in those before it */
};

struct histogram {
	char *source;			 /* what it was made from, one line; "" if not known */
	int64_t nodes;			 /* size of the machine; 0: not known */
	int64_t alpha_micro, beta_micro; /* of the interarrival times, see rng_weibull_q16() */
	struct histogram_bin *bin[HISTOGRAM_AXES];
	size_t bins[HISTOGRAM_AXES];
	struct histogram_cell *cell;
	size_t cells;
	size_t room; /* for cells */
};

/* An empty one, and NULL when memory is short; the caller owns it. */
struct histogram *histogram_create(void);
void histogram_destroy(struct histogram *h);

/*
 * Read a file of at most 64 MiB. 0, PACT_EINVAL (cannot be read, malformed; why names file and line)
 * or PACT_ENOMEM; *h is NULL then, and otherwise the caller's.
 */
int histogram_read(const char *path, struct histogram **h, char *why, size_t size);

/* The same from text[0 .. length); name stands for the file in messages. */
int histogram_parse(const char *name, const char *text, size_t length, struct histogram **h,
		    char *why, size_t size);

/* The text of a built-in histogram and its length, or NULL: no such name. */
const char *histogram_builtin(const char *name, size_t *length);

/* The names of those, NULL-terminated. */
const char *const *histogram_builtin_names(void);

/* As text that histogram_read() reads. 0, or errno of the failed write. */
int histogram_write(const struct histogram *h, FILE *f);

/*
 * What `pact-sim trace --histogram` does: the histogram of a sorted workload on a machine of `nodes`
 * nodes (0: not known). A value that at least one job in fifty has gets a bin of its own; the others
 * share a bin per octave, (2^k, 2^(k+1)], if widths, and one per half of an octave if times. alpha is the maximum likelihood estimate from the
 * interarrival times, each taken in the middle of its second; beta is such that the mean is theirs:
 * load matters more than shape. 0, PACT_EINVAL (fewer than three jobs, or all at one time) or
 * PACT_ENOMEM. Cost n log n. libm computes alpha and beta, which are then rounded to three digits.
 */
int histogram_extract(const struct workload *w, uint32_t nodes, const char *source,
		      struct histogram **h, char *why, size_t size);

/* Leave out what is wider than the machine. 0, or PACT_EINVAL: nothing is left. */
int histogram_fit(struct histogram *h, uint32_t nodes);

/*
 * Draw width, estimate and runtime into the job. A runtime from a bin that lies beyond the estimate's
 * is cut to the estimate and the job marked `killed`; where the two bins overlap the greater value is
 * the estimate. One draw for the cell, then two per quantity whose bin is wider than a value.
 */
void histogram_draw(const struct histogram *h, struct rng *r, struct sim_job *job);

/* For code that makes one: append a bin, a cell with its count. 0 or PACT_ENOMEM. */
int histogram_add_bin(struct histogram *h, enum histogram_axis axis, struct histogram_bin bin);
int histogram_add_cell(struct histogram *h, const uint16_t bin[HISTOGRAM_AXES], uint64_t count);

#endif
