/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_sharing: Libra, LibraRisk, demand and EDF as the LibraRisk paper and its readings (doc/papers.md) have
 * them, written plainly: time and shares are long doubles, ends are predicted step by step, equations 1 to 6
 * are computed as printed. Nothing is shared with the core. Where a decision hangs on less than a millionth,
 * rounding may tip it, and the schedule is not followed further. Where a choice of nodes does that have the same
 * left, it is told which others could have been taken.
 */
#ifndef PACT_TEST_REF_SHARING_H
#define PACT_TEST_REF_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_NODES 8
#define REF_JOBS 60

enum ref_sharing_kind { REF_LIBRA, REF_LIBRARISK, REF_DEMAND, REF_EDF };

struct ref_sharer {
	/* given; in the order of submission */
	int64_t submit, estimate, runtime, deadline;
	int64_t memory;
	int width, processors; /* processors 0: all of the node's */
	/* found */
	bool accepted, ended;
	bool expected;	   /* accepted, though late by its own estimate */
	long double start; /* edf */
	long double end;
	int on[REF_NODES]; /* has a part there */
	/* could have one there instead: with as much left as a node that it is on, but for what is rounded */
	int as_well[REF_NODES];
};

struct ref_sharing {
	enum ref_sharing_kind kind;
	bool idle;    /* Spare=idle */
	bool in_step; /* Parts=step */
	bool best;    /* NodeChoice=best */
	int nodes;
	long double rating[REF_NODES]; /* 1: as estimates are meant */
	int processors[REF_NODES];
	int64_t memory[REF_NODES]; /* 0: not counted */
};

/* All decisions and ends. How many of the jobs, in order, were decided beyond doubt. */
size_t ref_sharing_run(const struct ref_sharing *c, struct ref_sharer *job, size_t n);

#endif
