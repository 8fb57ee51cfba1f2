/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * composition: the name of several schedulers, "qops@0-63+easy@64-127", and what it says (domains.h). Each may have
 * settings that go before those which all have in common: "librarisk:RiskLimit=0.2@0-7+librarisk@8-15".
 */
#ifndef PACT_CORE_COMPOSITION_H
#define PACT_CORE_COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/nodeset.h"
#include "core/kernel/engine.h"

#define DOMAINS_MOST 64

/* Which scheduler has which nodes: the kind of the domains engine. */
struct composition {
	uint32_t nodes, n;
	struct {
		const struct scheduler *of;
		struct nodeset *nodes;
		char *settings; /* each after a colon */
	} part[DOMAINS_MOST];
};

typedef const struct scheduler *find_scheduler_fn(const char *name);

/* Is it a name of several? Others have neither '@' nor '+'. */
bool composition_is(const char *name);
/* Is it well formed, with known schedulers? why (may be NULL) gets the reason. */
bool composition_valid(const char *name, find_scheduler_fn *find, char *why, size_t size);
/*
 * For a machine of so many nodes, each of which has to be in exactly one domain. The caller's, to be given to
 * composition_destroy(). NULL: why (may be NULL) gets the reason.
 */
struct composition *composition_create(const char *name, uint32_t nodes, find_scheduler_fn *find,
				       char *why, size_t size);
void composition_destroy(struct composition *c);
/* The i-th domain's own settings into a configuration that has those of all. */
void composition_configure(const struct composition *c, uint32_t i, struct sched_config *config);
/* The most nodes that a domain has. */
uint32_t composition_widest(const struct composition *c);

/* The i-th scheduler's name in a well formed name, or the name itself if it is of one; false: there is none. */
bool composition_part(const char *name, uint32_t i, char *part, size_t size);

#endif
