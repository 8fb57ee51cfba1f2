/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_own: what the files of the validator share. Internal to them. */
#ifndef PACT_SIM_CHECK_VALIDATE_OWN_H
#define PACT_SIM_CHECK_VALIDATE_OWN_H

#include <stdarg.h>
#include <stdio.h>

#include "sim/check/aways.h"
#include "sim/check/validate.h"

__extension__ typedef unsigned __int128 amount;

/* What a job did: units of work, the rate at its last second, and what there was to do. */
struct account {
	amount done, last, due;
};

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

/* What a job did in a span of its history, where nodes do nothing at first (sim_job.launch): added to *a. */
void add_launched(const struct sim_job *j, const struct sim_history *h, size_t k,
		  struct account *a);

/* Of jobs with a range: the notice before nodes are taken, and the floor of a promise. */
void check_resizes(struct check *c);

/* Where jobs take turns (c->s->slices): what the turns must keep. False: no memory is left. */
bool check_slices(struct check *c);

/* What the job must keep when it was set aside, its turns excepted. */
void check_aways(struct check *c, size_t job, const struct aways *v);

#endif
