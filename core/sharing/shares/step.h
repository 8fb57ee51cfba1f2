/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step: shares where a job's parts go on in step (`Parts=step`): each does in a time what the slowest of them does,
 * and what a part's node could give it beyond that goes to the others there.
 *
 * What a job gets is its pace, the same on all its nodes: a part's share times the rating of its node. Equation 1
 * says the pace that a job claims; shares are such that no job's pace, as a multiple of its claim, could grow
 * unless that of one with no higher multiple fell (weighted max-min fairness). On a node whose jobs have no other
 * nodes that is what share_out() gives. As there, jobs that claim nothing get what is left, at one pace, and rounding
 * lets nothing in.
 *
 * A claim is got on all nodes wherever they bear the claims that are on them, whatever is elsewhere: jobs that
 * get less than they claim elsewhere need less here, too.
 *
 * Units as in share.h. Of its rules SHARE_SPARE and SHARE_IDLE are known here.
 */
#ifndef PACT_CORE_SHARES_STEP_H
#define PACT_CORE_SHARES_STEP_H

#include "core/sharing/shares/share.h"

/* A part of a machine that is laid out for this; parts of a job stand together. */
struct step_part {
	struct share_part at;
	uint32_t node, job;
};

struct step_job {
	uint32_t first, n; /* its parts */
	uint64_t pace;	   /* as of the last time that shares were given out */
	int64_t end;	   /* as predicted last */
	bool open;	   /* scratch */
	bool doubted;	   /* the caller's */
};

struct step_node {
	uint32_t first, n; /* its parts, in step.on */
	int32_t rating;
	uint16_t processors;
	bool lost;	    /* it gives nothing */
	share_work room;    /* scratch: what is not given, */
	share_work claimed; /* and what those claim that are to get it */
};

/* All memory is the caller's. */
struct step {
	struct step_node *node;
	struct step_job *job;
	struct step_part *part;
	uint32_t *on; /* parts by node */
	uint32_t nodes, jobs, parts;
};

/* Work in a time at that pace on a node of this rating, rounded down. */
share_work step_work(uint64_t pace, int64_t microseconds, int32_t rating);

/* The pace of a part with that share. */
uint64_t step_pace(uint32_t share, int32_t rating);

/*
 * Give out all processors, from `now` on: sets claim and share of each part, and pace of each job. A share is no more
 * than the pace needs. O(nodes x jobs).
 */
void step_out(struct step *m, int64_t now, enum share_rule rule);

/*
 * As share_predict(), of all jobs, until that one has ended: sets `end` of those that have by then, and of it; of the
 * others SHARE_NEVER. `last` is one of m->jobs, or so many: until all have. O(nodes x jobs^2).
 */
void step_predict(struct step *m, int64_t now, enum share_rule rule, uint32_t last);

#endif
