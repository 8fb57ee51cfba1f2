/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decider: which policy after the schedules have been measured (dynP, section 3). Internal to core.
 */
#ifndef PACT_CORE_DECIDER_H
#define PACT_CORE_DECIDER_H

#include "core/policies/dynp/quality.h"

struct decision {
	int chosen; /* index into the list of policies; -1: none is eligible */
	int row; /* of Table 1; -1: not over FCFS, SJF and LJF in this order, or none is eligible */
	bool differs; /* the simple decider would have taken another one */
};

/*
 * Decide over the policies of the configuration. q[i] is what is compared; eligible[i] false: as bad as
 * can be, and never chosen. `current` is the running policy's index. For all deciders but DYNP_BASIC.
 * DYNP_PREFERRED prefers the first.
 */
struct decision decider_choose(const struct dynp_config *c, const struct fraction *q,
			       const bool *eligible, int current);
/* The same, but DYNP_PREFERRED prefers this one. */
struct decision decider_choose_preferring(const struct dynp_config *c, const struct fraction *q,
					  const bool *eligible, int current, int preferred);

/* Basic dynP (section 3.1): the policy for a mean estimate over so many waiting jobs; -1: as it is. */
int decider_basic(const struct dynp_config *c, const struct assignment *v, size_t n);

#endif
