/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: what qops in slurm mode keeps from pass to pass (slurm.c): how much of the last layout of the jobs
 * still stands. Internal to core.
 */
#ifndef PACT_CORE_LAYOUT_H
#define PACT_CORE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout {
	size_t laid;		/* so many of the last layout stand, */
	size_t settled;		/* and so many of this pass's list */
	uint64_t listing;	/* machine_listing() of that layout */
	uint64_t spans, places; /* and the news that it knew */
	bool ordered;		/* the plan is what the next pass would make, */
	uint64_t order;		/* if there are no other news than these */
};

#endif
