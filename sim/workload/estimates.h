/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimates: what the users are taken to have asked for, as the log has it, something between that and the
 * truth (LibraRisk, section 4), or by a model of overestimation (gang, section 2.1). All in integers, the same on every machine.
 */
#ifndef PACT_SIM_ESTIMATES_H
#define PACT_SIM_ESTIMATES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

enum estimates_kind {
	ESTIMATES_LOG,	 /* left alone */
	ESTIMATES_EXACT, /* the runtime */
	/* Omega model: runtime x f, f uniform between 1 and 1 + omega (gang, Figure 1a). */
	ESTIMATES_OMEGA,
	/*
	 * Phi model: y is uniform in [0, 1); below phi the estimate is the runtime, else it is
	 * runtime x (1 - phi) / (1 - y) (gang, Figure 1b).
	 */
	ESTIMATES_PHI,
	/* runtime + p x (the log's - runtime), rounded half up (LibraRisk, section 4 and Figure 4). */
	ESTIMATES_INACCURACY,
};

struct estimates {
	enum estimates_kind kind;
	int64_t micro; /* omega, phi or p, in millionths */
};

/*
 * "log", "exact", "omega:W" (W from 0 to 1000), "phi:F" (F from 0 to 1) or "inaccuracy:P" (P from 0 to 1).
 * 0 or PACT_EINVAL with the reason; *e is then "log".
 */
int estimates_parse(const char *text, struct estimates *e, char *why, size_t size);

/*
 * Apply it, one draw per job in order (none for an inaccuracy). Modelled estimates are rounded up to whole seconds and are at
 * most WORKLOAD_MAX_TIME. No job is cut short by its estimate (`killed`) under omega and phi.
 */
void estimates_apply(const struct estimates *e, struct workload *w, uint64_t seed);

#endif
