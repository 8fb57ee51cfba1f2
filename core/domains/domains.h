/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * domains: several engines on one cluster, as an engine (kernel/engine.h). Each node is in one domain, and
 * each domain has a scheduler of its own, which sees its nodes alone, numbered from 0. What a driver says
 * goes to the domains that its nodes and ids belong to; what they want done comes out of one stream.
 *
 * A name says what is where: "qops@0-63+easy@64-127".
 *
 * A job is of one domain from its submission on. Of those that have nodes of its alternatives, in the order
 * of the alternatives and then of the domains, it is
 * - with a deadline to be promised, the first that accepts; if all refuse, the refusal is the one with the
 *   earliest offer;
 * - with a promise made earlier, the first that could make it now, else the first that makes any;
 * - without either, the one whose jobs, waiting and running, ask for the fewest nodes in proportion to what
 *   it has, of those that are wide enough for it.
 * A change leaves it where it is unless its new alternatives have no node there. What needs nodes of two
 * domains at once can never start. A job that was started by hand across domains is held in each.
 */
#ifndef PACT_CORE_DOMAINS_H
#define PACT_CORE_DOMAINS_H

#include <stdint.h>

#include "core/domains/composition.h"

/* Its kind is a struct composition. */
extern const struct engine engine_domains;

/* The number of the job's domain, of several the first, and its scheduler's name; -1: no such job. */
int domains_find(const void *own, uint64_t id, const char **name);

/* The state of the i-th domain and its engine; NULL: there are not so many. */
void *domains_part(const void *own, uint32_t i, const struct engine **engine);

/*
 * A set of the i-th domain's nodes (NULL: all of them) in the machine's numbers. Borrowed until the next call; of all, for
 * the engine's life.
 */
const struct nodeset *domains_nodes(const void *own, uint32_t i, const struct nodeset *local);

#endif
