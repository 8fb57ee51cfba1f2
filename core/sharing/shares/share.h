/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share: one node in time. Its parts, one of each job that runs there, have shares of its processors by their
 * deadlines (LibraRisk, section 3.1); shares are constant until they are given out anew, at each acceptance and
 * each end on the node. Core, simulator and node daemon compute shares here and nowhere else; it needs nothing
 * but the limits of core/base.
 *
 * Units. Times are microseconds, shares and claims are in parts of SHARE_WHOLE of a part's own processors, and
 * work is microseconds at a full share of this node times SHARE_WHOLE, so that a share times a time is work and
 * nothing is ever rounded as time goes on. What is claimed is rounded up, what is given down, so that rounding
 * lets in nothing that does not fit.
 *
 * Invariants. Parts stand in the order of their deadlines. While the claims of a node add up to no more than
 * its processors and no part claims more than a whole, every part is given at least what it claims; so no claim
 * grows as time goes on, and a part has done its work by its deadline.
 */
#ifndef PACT_CORE_SHARES_SHARE_H
#define PACT_CORE_SHARES_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/limits.h"

#define SHARE_SECOND INT64_C(1000000)
#define SHARE_NEVER INT64_MAX

__extension__ typedef unsigned __int128 share_work;

/* How a node's processors are given out. */
enum share_rule {
	SHARE_SPARE, /* each its claim, and what is not claimed in proportion to the claims (Spare=share) */
	SHARE_IDLE, /* each its claim, the rest is idle but for parts that claim nothing (Spare=idle) */
	SHARE_NEAREST, /* the nearest deadline first, as much as it can use (demand) */
};

/* The rule as it is written: share, idle, nearest. Static. */
const char *share_rule_name(enum share_rule rule);

/* The rule of that name; false: there is none. */
bool share_rule_find(const char *name, enum share_rule *rule);

struct share_part {
	share_work left;     /* of its estimate: remaining_runtime of equation 1 */
	int64_t deadline;    /* absolute */
	void *of;	     /* the caller's */
	uint64_t claim;	     /* as of the last time that shares were given out */
	uint32_t share;	     /* what it has */
	uint16_t processors; /* what that is a share of, 1 to the node's */
	bool suspended : 1;  /* it claims and gets nothing */
	bool idle : 1;	     /* it has not started: it claims and is given, and does nothing */
	bool capped : 1; /* it claims no more than a whole: its estimate may not fit, and it may be late */
	bool late : 1; /* the caller's */
};

/* The work of so many microseconds at a full share on a node of this rating (RATING_WHOLE: as long), rounded up. */
share_work share_work_of(int64_t microseconds, int32_t rating, int32_t whole);

/*
 * Equation 1: remaining_runtime / remaining_deadline, rounded up; 0 when either is 0 or less, or the part is
 * suspended. It may be more than a whole, unless it is capped. (Beyond 2^63 it is 2^63.)
 */
uint64_t share_claim(const struct share_part *part, int64_t now);

/* Equation 2: the sum of the claims, each times its processors: at most processors x SHARE_WHOLE if all fit. */
share_work share_total(const struct share_part *part, size_t n, int64_t now);

/*
 * Give out the processors of a node to its parts, from `now` on: sets claim and share of each. By SHARE_SPARE
 * and SHARE_IDLE totals of more than there is are scaled down. Parts that claim nothing (outlived their
 * estimate, past their deadline) get what is left, by processors in equal parts. No part gets more than a whole.
 */
void share_out(struct share_part *part, size_t n, uint32_t processors, int64_t now,
	       enum share_rule rule);

/* Time goes on by so many microseconds at these shares. */
void share_advance(struct share_part *part, size_t n, int64_t microseconds);

/*
 * When the shares must be given out anew though nothing was told: by SHARE_NEAREST, where the first part to have
 * done its estimate, or to pass its deadline, stands before others. SHARE_NEVER: not without an event.
 */
int64_t share_until(const struct share_part *part, size_t n, int64_t now, enum share_rule rule);

/*
 * When each part will have done its estimate, if nothing else comes, until that one has (n: until all have): shares are
 * given out anew at each of these ends (and as share_until() has it). end[i]: of part[i], rounded up to the microsecond;
 * `now` where nothing is left; SHARE_NEVER: suspended, or not told. What the parts were is undone: they are scratch.
 * O(n^2).
 */
void share_predict(struct share_part *part, size_t n, uint32_t processors, int64_t now,
		   enum share_rule rule, size_t last, int64_t *end);

#endif
