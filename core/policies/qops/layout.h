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
	size_t laid;		/* so many of the last layout stand */
	size_t settled;		/* so many of this pass's list stand */
	uint64_t listing;	/* machine_listing() of the last layout */
	uint64_t spans, places; /* the news that the last layout knew */
	bool ordered;	/* the plan is what the next pass would make unless news.order grows */
	uint64_t order; /* news.order when that was so */
};

#endif
