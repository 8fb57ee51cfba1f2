/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dynp: what a driver sees of the scheduler `dynp`: its counters. Its settings are in core/settings, the
 * scheduler itself is one of sched_create()'s.
 *
 * A step follows each submission, each end, and whatever else changes what waits or what is free, when a
 * job waits (doc/papers.md, "dynP"). It makes a full schedule per policy and takes the one whose
 * quality is best as the decider sees it. Of jobs with a promise: a policy whose schedule breaks
 * one is not eligible; when none is, they keep their places and the others are placed around them
 * in the running policy's order.
 */
#ifndef PACT_CORE_DYNP_H
#define PACT_CORE_DYNP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/settings/config.h"

/* The rows of Table 1; 5, 7 and 9 lie within 4b, 2 and 3 and are counted there, as in Table 6. */
#define DYNP_CASES 15
const char *dynp_case_name(int row);

/* What has happened so far, and the last step. Arrays by enum dynp_order count its policy. */
struct dynp_view {
	enum dynp_order running;
	uint64_t steps;	   /* full schedules compared */
	uint64_t many;	   /* steps with two or more waiting jobs */
	uint64_t kept;	   /* the policy stayed */
	uint64_t blocked;  /* no policy's schedule kept all promises */
	uint64_t differed; /* the simple decider would have taken another one (Table 6) */
	uint64_t backlog;  /* sum over the steps of the waiting jobs */
	uint64_t switches[DYNP_ORDERS]; /* to that policy */
	uint64_t started[DYNP_ORDERS];	/* jobs that started under it */
	uint64_t cases[DYNP_CASES];	/* steps over FCFS, SJF and LJF, by row of Table 1 */
	bool compared[DYNP_ORDERS];	/* the last step made its schedule */
	bool eligible[DYNP_ORDERS];	/* that schedule keeps the promises */
	double quality[DYNP_ORDERS];	/* how good it is; infinity: there is nothing to measure */
};

struct planner;
struct sched;

/* 0, or PACT_ENOENT: not this scheduler. */
int sched_dynp_view(const struct sched *s, struct dynp_view *v);
/* The same of the engine's state. Internal to core. */
int dynp_view(const struct planner *s, struct dynp_view *v);

#endif
