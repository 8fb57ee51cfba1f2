/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dynp: what a driver sets and sees of the scheduler `dynp`: its settings, their text form,
 * and its counters. The scheduler itself is one of sched_create()'s.
 *
 * A step follows each submission, each end, and whatever else changes who waits or what is free, when a
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

/* A policy is the order in which a full schedule takes the waiting jobs. Estimates count, not runtimes. */
enum dynp_order {
	DYNP_FCFS, /* submission */
	DYNP_SJF,  /* shortest first */
	DYNP_LJF,  /* longest first */
	DYNP_FFIA, /* first fit, increasing area: width x estimate (section 6) */
	DYNP_FFDA, /* first fit, decreasing area */
	/*
	 * The queue as it stands: as the running policy sorted it, new jobs behind; sorted by submission
	 * when this policy is switched to. FCFS as the paper's own tables seem to have it: with it case
	 * 6b of Table 6 is the most frequent, as there.
	 */
	DYNP_QUEUE,
	DYNP_ORDERS,
};

/* Qualities of a full schedule; less is better. Section 3.2; the last three are section 6's. */
enum dynp_metric {
	DYNP_ARTWW, /* response time weighted by width */
	DYNP_ART,   /* response time */
	DYNP_MS,    /* makespan */
	DYNP_SLD,   /* slowdown bounded by 60 s, section 5.1 */
	DYNP_SLDWW, /* the same, weighted by width */
	DYNP_WAIT,  /* wait time */
	DYNP_METRICS,
};

enum dynp_decider {
	DYNP_SIMPLE,   /* section 3.2 */
	DYNP_ADVANCED, /* Table 1, last column */
	DYNP_BASIC,    /* section 3.1: by the mean estimate, at submissions */
	/*
	 * Ours: the list's first policy, unless another one is better than it by the slackness; of
	 * several such the best, and the running one if it is among these. Compared with the first and
	 * not with the running policy, so that nothing but need keeps it from the first. With a spread
	 * the first is for limits that spread wider, and the only one that counts then; while they do
	 * not, the second takes its part.
	 */
	DYNP_PREFERRED,
};

/* What a job's priority means. */
enum dynp_priority {
	DYNP_PRIORITY_NONE,  /* nothing */
	DYNP_PRIORITY_TIES,  /* higher first where the policy sees two jobs as equal */
	DYNP_PRIORITY_FIRST, /* higher first whatever the policy; it orders jobs of equal priority */
};

struct dynp_config {
	enum dynp_order policy[DYNP_ORDERS]; /* distinct; the first is the initial one */
	uint32_t npolicies;		     /* >= 1 */
	enum dynp_decider decider;
	/*
	 * Quality: one metric with a weight above 0 is taken as it is. Several are combined: each is put
	 * in millionths of the worst policy's, times its weight, and summed.
	 */
	int32_t weight[DYNP_METRICS]; /* 0 to 1000 */
	int32_t slackness_ppm;	/* a new policy must be better by so many millionths (section 6) */
	int64_t future_starts;	/* reduced future: only the first so many starts; 0: all */
	int64_t future_seconds; /* only starts within so many seconds; 0: all */
	int64_t lower_bound, upper_bound; /* basic: seconds, lower <= upper (section 3.1) */
	int64_t threshold;		  /* basic: waiting jobs from which it decides */
	/*
	 * preferred: the squared coefficient of variation of the limits of late jobs, in percent, above
	 * which they spread wide, and before so many are known; 0: it does not matter. 100 is that of an
	 * exponential distribution; the wider they spread, the more is won by taking short jobs first, and
	 * lost by any step that does not.
	 */
	int64_t spread;
	/*
	 * preferred with a spread: the least gain of short jobs first (spread.h), in percent, with which the
	 * first policy runs alone; below it the second is the preferred one; 0: it does not matter.
	 */
	int64_t gain;
	enum dynp_priority priority;
};

/*
 * FCFS, SJF, LJF; advanced; ARTwW; no slackness; whole future; 7200, 9000 and 5 jobs; no spread; no
 * priority.
 */
void dynp_config_init(struct dynp_config *c);

/* Is it well formed? why (may be NULL) gets the reason. */
bool dynp_config_valid(const struct dynp_config *c, char *why, size_t size);

/*
 * One setting from text, as in pact.conf, in any case:
 *   Policies=fcfs,sjf,ljf,ffia,ffda,queue    a list, the first is the initial one
 *   Decider=simple|advanced|basic|preferred
 *   Quality=METRIC[:WEIGHT][+METRIC[:WEIGHT]...]  artww, art, ms, sld, sldww, wait
 *   Slackness=PERCENT                        0 to 99, at most 4 decimals
 *   FutureStarts=COUNT  FutureTime=SECONDS   reduced future, 0: off
 *   Spread=PERCENT  Gain=PERCENT             preferred
 *   LowerBound=SECONDS  UpperBound=SECONDS  Threshold=JOBS     basic
 *   JobPriority=none|ties|first
 * 1: taken; 0: not a key of dynp; -1: malformed, no effect, why names key and value.
 */
int dynp_config_set(struct dynp_config *c, const char *key, const char *value, char *why,
		    size_t size);

/* "fcfs" ...; "artww" ...; -1 for an unknown name. */
const char *dynp_order_name(enum dynp_order order);
int dynp_order_by_name(const char *name);
const char *dynp_metric_name(enum dynp_metric metric);
const char *dynp_decider_name(enum dynp_decider decider);

/* The keys that dynp_config_set() takes, up to a NULL. */
extern const char *const dynp_config_keys[];

/* The rows of Table 1; 5, 7 and 9 lie within 4b, 2 and 3 and are counted there, as in Table 6. */
#define DYNP_CASES 15
const char *dynp_case_name(int row);

/* What has happened so far, and the last step. Arrays by enum dynp_order count its policy. */
struct dynp_view {
	enum dynp_order running;
	uint64_t steps;	   /* full schedules compared */
	uint64_t many;	   /* of these, with two or more waiting jobs */
	uint64_t kept;	   /* the policy stayed */
	uint64_t blocked;  /* no policy's schedule kept all promises */
	uint64_t differed; /* the simple decider would have taken another one (Table 6) */
	uint64_t backlog;  /* sum over the steps of the waiting jobs */
	uint64_t switches[DYNP_ORDERS]; /* to that policy */
	uint64_t started[DYNP_ORDERS];	/* jobs that started under it */
	uint64_t cases[DYNP_CASES];	/* steps over FCFS, SJF and LJF, by row of Table 1 */
	bool compared[DYNP_ORDERS];	/* the last step: has it a schedule, */
	bool eligible[DYNP_ORDERS];	/* does that keep the promises, */
	double quality[DYNP_ORDERS];	/* and how good is it; infinity: nothing to measure */
};

struct planner;
struct sched;

/* 0, or PACT_ENOENT: not this scheduler. */
int sched_dynp_view(const struct sched *s, struct dynp_view *v);
/* The same of the engine's state. Internal to core. */
int dynp_view(const struct planner *s, struct dynp_view *v);

#endif
