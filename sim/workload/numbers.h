/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbers: whether each job of a log has a number of its own, and if not, which lines share one.
 *
 * Lines are remembered as stretches without a gap, since nearly all lines of a log are jobs: as good as no
 * memory, and no time either while the numbers ascend.
 */
#ifndef PACT_SIM_NUMBERS_H
#define PACT_SIM_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

struct numbers_stretch {
	size_t first, count; /* jobs, by their place in the workload */
	uint64_t line;	     /* of the first */
};

/* Zeroed: no job yet. */
struct numbers {
	struct numbers_stretch *stretch;
	size_t n, room;
	uint64_t last; /* number */
	bool disorder; /* the numbers do not ascend: two may be the same */
};

/* The job at this place of the workload has this number, in this line. Places ascend. 0 or PACT_ENOMEM. */
int numbers_note(struct numbers *v, size_t place, uint64_t number, uint64_t line);

struct numbers_twice {
	uint64_t number, first, line; /* lines */
	uint64_t more;		      /* other lines whose number was seen before */
};

/*
 * Before the workload is sorted: 0, PACT_EEXIST (two of the jobs noted have the same number; *twice is the
 * first line that has one seen before) or PACT_ENOMEM.
 */
int numbers_check(const struct numbers *v, const struct workload *w, struct numbers_twice *twice);

void numbers_release(struct numbers *v);

#endif
