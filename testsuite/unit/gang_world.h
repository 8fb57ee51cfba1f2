/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gang_world: small random workloads for the gang schedulers, with all their settings drawn. Few distinct
 * times and widths, so that ties, exact fits and several events at one instant are common.
 */
#ifndef PACT_TEST_GANG_WORLD_H
#define PACT_TEST_GANG_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "testsuite/unit/ref_gang.h"

#define GANG_WORLD_JOBS 12
#define GANG_WORLD_PHASES 7
#define GANG_WORLD_ALL 1000000 /* a quota that is never used up */

struct gang_world {
	struct ref_gang_setup c;
	int64_t switch_myriad; /* ten thousandths of a slice: c.switching is that, rounded half up to seconds */
	enum ref_gang_phase phase[GANG_WORLD_PHASES];
	struct ref_gang_job job[GANG_WORLD_JOBS];
	size_t n;
};

/* The same seed makes the same world, but for the kind. It must not be copied: c.phase may point into it. */
void gang_world_make(struct gang_world *x, enum ref_gang_kind kind, uint64_t seed);

/* Print settings and jobs, and what became of them, as comments of TAP. */
void gang_world_print(const struct gang_world *x);

const char *gang_world_kind(enum ref_gang_kind kind);
const char *gang_world_order(enum ref_gang_order order);
const char *gang_world_phase(enum ref_gang_phase phase);

#endif
