/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand: the processor demand of a node that runs the nearest deadline first. A job is of no use after its
 * deadline, so it demands no more than the time left: min(what is left of its estimate, time left). All demands
 * are met if and only if, for each deadline on the node, those due by then fit before it. Beyond LibraRisk's
 * paper; the test is the one of earliest deadline first on one processor. Parts that demand nothing (outlived
 * their estimate, past their deadline) run behind all others, and delay none of them.
 */
#ifndef PACT_CORE_SHARES_DEMAND_H
#define PACT_CORE_SHARES_DEMAND_H

#include "core/sharing/shares/share.h"

/*
 * Are all demands met? Parts are in the order of their deadlines. On a node of several processors, where parts
 * cannot use more than their own, by going through the shares of SHARE_NEAREST. `scratch` has room for n parts.
 */
bool demand_fits(const struct share_part *part, size_t n, uint32_t processors, int64_t now,
		 struct share_part *scratch);

/*
 * The least deadline, in absolute time rounded up to seconds, with which a part like `more` would fit whole and
 * all demands be met; SHARE_NEVER: none. `scratch` has room for twice n + 1 parts.
 */
int64_t demand_earliest(const struct share_part *part, size_t n, uint32_t processors, int64_t now,
			const struct share_part *more, struct share_part *scratch);

#endif
