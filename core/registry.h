/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registry: the schedulers by name, and the engine of each. The only place that names engines and their
 * policies. Internal to core.
 */
#ifndef PACT_CORE_REGISTRY_H
#define PACT_CORE_REGISTRY_H

#include "core/kernel/engine.h"

struct dynp_view;

/* NULL: there is none of that name. */
const struct scheduler *registry_find(const char *name);

/* What dynP shows of itself, if the state of this engine, or of one of its domains, is dynP's: 0, or PACT_ENOENT. */
int registry_dynp_view(const struct engine *engine, const void *own, struct dynp_view *v);

#endif
