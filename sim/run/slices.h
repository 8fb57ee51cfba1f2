/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices: what a scheduler that lets jobs take turns was told of its time slices, for those that judge its
 * schedules and share no code with it (validate.h, metrics.h).
 */
#ifndef PACT_SIM_RUN_SLICES_H
#define PACT_SIM_RUN_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sched.h"
#include "sim/run/work.h"

/* In slice k row k mod `rows` runs. */
struct sim_slices {
	int64_t rows;
	int64_t length; /* of a slice, seconds */
	int64_t turn;	/* the most slices in succession that are one row's */
	int64_t switch_loss; /* seconds that a job loses when it begins to run and did not run just before */
	int64_t cost;  /* C: seconds that a migration costs */
	int64_t quota; /* Q: tasks that may be migrated in a slice */
	bool next;     /* an arrival or an end ends a slice */
	bool aside;    /* jobs are set aside for promised ones, */
	int64_t relax,
		min_artificial; /* and have artificial deadlines: by so many thousandths of the estimate, or seconds */
	bool discrete; /* what runs changes at the ends of slices alone, but for jobs that end */
};

/*
 * Of a scheduler by a valid name, with these settings. False: it has no slices, or it is made of several
 * schedulers.
 */
bool sim_slices_of(const char *scheduler, const struct sched_config *config,
		   struct sim_slices *slices);

/* Where jobs are set aside: the job's artificial deadline, as it is told now; 0: it has none. */
int64_t sim_artificial(const struct sched *s, const struct sched_config *config, uint64_t id);

/* The k-th span: does the job begin to run with it, and did not run until then? */
bool sim_span_begins(const struct sim_history *h, size_t k);

/* What switching took of what is lost at the beginning of a span that begins so; migrating took the rest. */
int64_t sim_span_switch_loss(const struct sim_slices *slices, const struct sim_span *x);

/* Does it have other nodes than in the span before? */
bool sim_span_moves(const struct sim_history *h, size_t k);

/* How many of these are of that time or before: n structs of `size` bytes, in order of the time that each begins with. O(log n). */
size_t sim_count_by(const void *v, size_t n, size_t size, int64_t at);

#endif
