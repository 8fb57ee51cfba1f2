/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ends: the foreseen ends of jobs as a heap, the first one, by time and then by job, at its root. */
#ifndef PACT_SIM_RUN_ENDS_H
#define PACT_SIM_RUN_ENDS_H

#include <stddef.h>
#include <stdint.h>

struct end {
	int64_t at;
	size_t job;
};

/* Empty (all 0) at first; free(v) when it is done. */
struct ends {
	struct end *v; /* v[0] is the first, if n > 0 */
	size_t n, room;
};

/* 0 or PACT_ENOMEM. */
int ends_add(struct ends *h, struct end e);
/* Take the first one away. */
void ends_take(struct ends *h);

#endif
