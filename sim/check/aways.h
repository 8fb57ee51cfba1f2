/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aways: when was a job that takes turns set aside? While a promised job has one of its nodes, and it has started and not
 * ended. That is found from nodes and times alone.
 */
#ifndef PACT_SIM_CHECK_AWAYS_H
#define PACT_SIM_CHECK_AWAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/run/simulate.h"

/* During [from, to). */
struct away {
	int64_t from, to;
};

/* The times of one job, in order, none of which touches the next. */
struct aways {
	struct away *away;
	size_t n, room;
};

/*
 * Of these promised jobs, n of them that have run, by their places, the times at which one has nodes of the job. `v` is
 * all 0 at first, and to be released by free(v->away). False: no memory.
 */
bool find_aways(const struct sim_outcome *out, const size_t *promised, size_t n, size_t job,
		struct aways *v);

/* `aside` of each of n outcomes, 0 at first. False: no memory. */
bool note_aways(struct sim_outcome *out, size_t n);

#endif
