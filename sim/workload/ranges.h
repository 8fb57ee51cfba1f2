/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges: makes jobs of any workload malleable, as --malleable says. A chosen job of width w may then run on any number of
 * nodes from w x least, rounded up, to w x most, rounded down, both within 1 and the machine. Its work stays: its
 * runtime and its estimate become those on its least, by its speed-up from what they were on w, rounded up.
 * A job whose least and most are one stays rigid, and one that has a range stays as it is.
 */
#ifndef PACT_SIM_RANGES_H
#define PACT_SIM_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

struct ranges {
	bool on;
	int64_t fraction_micro; /* of the jobs, by the seed */
	int64_t least_micro;	/* factors on the width: at most 1, at least 1 */
	int64_t most_micro;
	int64_t value_micro; /* mean worth of a chosen job, exponential; 0: none */
	const struct list64 *speedup;
};

/* None. */
void ranges_init(struct ranges *r);

/*
 * "none", or a list of keys: fraction:F (0 to 1, default 1), least:L (above 0, at most 1, default 0.5), most:M (1 to
 * 1000, default 2), speedup:linear|table (default linear), value:V (0 to 10^6, default 0). 0 or PACT_EINVAL with the
 * reason, which names key and value; *r is none then.
 */
int ranges_parse(const char *text, struct ranges *r, char *why, size_t size);

/*
 * Apply it to a workload whose deadlines are set. Two draws per job in order: a larger fraction with the same seed
 * chooses the same jobs and more. Times beyond WORKLOAD_MAX_TIME: PACT_EINVAL with the reason, which names the job.
 */
int ranges_apply(const struct ranges *r, struct workload *w, uint32_t nodes, uint64_t seed,
		 char *why, size_t size);

#endif
