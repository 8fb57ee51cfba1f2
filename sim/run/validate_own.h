/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_own: what the files of the validator share. Internal to them. */
#ifndef PACT_SIM_RUN_VALIDATE_OWN_H
#define PACT_SIM_RUN_VALIDATE_OWN_H

#include "sim/run/validate.h"

struct check {
	const struct schedule *s;
	validate_complain complain;
	void *arg;
	uint64_t violations;
};

void violation(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

/* INT64_MAX: no matter. */
int64_t node_memory(const struct check *c, uint32_t node);

/* Of named nodes that jobs had for themselves: one at a time, and memory given once. False: no memory is left. */
bool check_nodes(struct check *c);

#endif
