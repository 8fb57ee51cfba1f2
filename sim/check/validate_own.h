/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_own: what the files of the validator share. Internal to them. */
#ifndef PACT_SIM_CHECK_VALIDATE_OWN_H
#define PACT_SIM_CHECK_VALIDATE_OWN_H

#include <stdarg.h>
#include <stdio.h>

#include "sim/check/aways.h"
#include "sim/check/validate.h"

struct check {
	const struct schedule *s;
	validate_complain complain;
	void *arg;
	uint64_t violations;
};

static inline void violation(struct check *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static inline void violation(struct check *c, const char *format, ...)
{
	char message[256];
	va_list ap;

	c->violations++;
	if (!c->complain)
		return;
	va_start(ap, format);
	vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	c->complain(c->arg, message);
}

static inline bool ran(const struct sim_outcome *o)
{
	return o->start >= 0 && o->end >= 0;
}

/* INT64_MAX: no matter. */
int64_t node_memory(const struct check *c, uint32_t node);

/* Of named nodes that jobs had for themselves: one at a time, and memory given once. False: no memory is left. */
bool check_nodes(struct check *c);

/* Of jobs with a range: the notice before nodes are taken, and the floor of a promise. */
void check_resizes(struct check *c);

/* Where jobs take turns (c->s->slices): what the turns must keep. False: no memory is left. */
bool check_slices(struct check *c);

/* What the job must keep when it was set aside, its turns excepted. */
void check_aways(struct check *c, size_t job, const struct aways *v);

#endif
