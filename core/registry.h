/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registry: the schedulers by name, and the engine of each. The only place that names engines and their
 * policies. Internal to core.
 */
#ifndef PACT_CORE_REGISTRY_H
#define PACT_CORE_REGISTRY_H

#include "core/kernel/engine.h"

struct scheduler {
	const char *name;
	const struct engine *engine;
	const void *kind;	/* for engine->create(), in paper mode */
	const void *slurm_kind; /* in slurm mode; NULL: it knows the paper mode only */
};

/* Which kind it is to be in that mode; NULL: it does not know it, why (may be NULL) says so. */
const void *registry_kind(const struct scheduler *scheduler, enum sched_mode mode, char *why,
			  size_t size);

/* NULL: there is none of that name. */
const struct scheduler *registry_find(const char *name);

#endif
