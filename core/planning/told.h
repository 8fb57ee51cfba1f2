/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * told: the records in which the planning engine tells its state (kernel/retell.h). They come in this order:
 * regions, one state, holds, jobs, kept.
 *
 * What no driver sees is part of it: the order of the classes of nodes, which follows from the node sets that
 * were named before, and nodes still told apart by sets that are not named any more; where each waiting job
 * was placed; what the next pass has to look at.
 */
#ifndef PACT_CORE_TOLD_H
#define PACT_CORE_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernel/protocol.h"
#include "core/kernel/record.h"

struct told_region {
	const struct nodeset *nodes;
};

struct told_state {
	int64_t now, pass_now;
	bool dirty, loosened, tightened, told; /* planner.h */
	bool named;			       /* drivers have named nodes that are held */
	bool all;			       /* the set of all nodes is kept as a region */
	uint32_t forgotten;	/* regions gone since the classes were last computed */
	uint32_t classes;	/* nodes told apart */
	struct list32 class_of; /* per node */
	struct list32 demand;	/* per class: regions that contain it, as last counted */
};

struct told_hold {
	uint64_t id;
	int64_t start, end;
	const struct nodeset *nodes; /* NULL: `count` of the only class */
	int32_t count;
	bool block, region; /* region: its nodes are kept in classes of their own */
	bool promised, broken;
	int64_t submit, deadline;
	int64_t prolonged; /* holds.h */
};

struct told_job {
	struct sched_job terms;		  /* alternatives named one by one; planned is not used */
	int64_t whole, granted, duration; /* job.h; duration: the request's */
	int64_t artificial, due;
	bool promised, broken, failed, retried, unreserved;
	int64_t start, end; /* its place; PACT_FOREVER: none */
	uint32_t alt;
	struct list32 shares; /* pairs of class and number */
};

/* What the policy keeps besides; not told when it keeps nothing. */
struct told_kept {
	struct list64 numbers;
};

extern const struct record_form told_region, told_state, told_hold, told_job, told_kept;

/* The form of that name, or NULL. */
const struct record_form *told_find(const char *name);

#endif
