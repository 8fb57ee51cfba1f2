/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality: how good a full schedule is (dynP, section 3.2). Internal to core.
 *
 * Qualities are fractions of 128-bit integers and compared exactly (doc/papers.md, "Everywhere").
 * The only rounding is in the terms of a bounded slowdown (10!ths: none for the usual limits) and
 * of a combination (millionths of the worst policy's).
 */
#ifndef PACT_CORE_QUALITY_H
#define PACT_CORE_QUALITY_H

#include "core/policies/dynp/sorted_queue.h"
#include "core/policies/dynp/dynp.h"
#include "core/planning/state/order.h"

__extension__ typedef __int128 int128;

/* num / den, neither negative. den 0: there is nothing to measure, worse than every number. */
struct fraction {
	int128 num, den;
};

struct quality {
	struct fraction part[DYNP_METRICS]; /* those with a weight */
	size_t unplaced;		    /* assignments without a place */
};

/*
 * Measure a schedule at `now`. A job without a limit counts with its start instead of its end; one
 * without a place as if it ended in a thousand years, but not at all where so many schedules as `schedules`
 * have none for it (job.marked; 0: all jobs count). `scratch` has room for an item per assignment.
 */
void quality_measure(struct quality *q, const struct dynp_config *c, const struct assignment *v,
		     size_t n, int64_t now, uint32_t schedules, struct order_item *scratch);

/* What the decider compares: one fraction per schedule. Unused ones (use[i] false) get den 0. */
void quality_combine(const struct dynp_config *c, const struct quality *q, const bool *use,
		     size_t n, struct fraction *out);

/* < 0, 0, > 0: a is less (better), equal, more. */
int fraction_compare(const struct fraction *a, const struct fraction *b);
/* Is a at least `ppm` millionths below b? */
bool fraction_below(const struct fraction *a, const struct fraction *b, int32_t ppm);
/* For people. */
double fraction_value(const struct fraction *a);

#endif
