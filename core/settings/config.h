/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: the settings of the schedulers. Their members, defaults, bounds and texts are the rows of the files
 * *.def beside this one (see setting.h), a file per engine or policy; here stand the words that they are made of.
 */
#ifndef PACT_CORE_CONFIG_H
#define PACT_CORE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sched_mode {
	SCHED_MODE_PAPER = 0, /* the heuristic orders all jobs (QoPS) */
	SCHED_MODE_SLURM =
		1, /* job priority orders; promised jobs stay (doc/design.md, promise 4) */
};

enum order_kind { ORDER_FCFS, ORDER_SJF, ORDER_LJF, ORDER_EDF, ORDER_LLF, ORDER_PRIORITY };

/* What an arrangement costs: a sum over the waiting jobs; see cost.c. */
enum sched_cost {
	COST_SLACK, /* (planned start - submission) / slack, slack = due - submission - duration */
	COST_WAIT,  /* planned start - submission */
	COST_AREA,  /* (planned start - submission) x width */
	COST_WORK,  /* (planned start - submission) x width x duration */
	COST_OWN,   /* the scheduler's own: msb's is slack, that of qops-best work */
};

/* In what order conservative lets the waiting jobs move to earlier starts after an early end. */
enum sched_compress {
	COMPRESS_ARRIVAL, /* submission, then id; slurm mode: priority first */
	COMPRESS_START,	  /* planned start */
};

/* What becomes of a shared node's time that no claim needs. */
enum sched_spare {
	SPARE_SHARE, /* given out in proportion to the shares */
	SPARE_IDLE,  /* only to those that claim nothing */
};

/* How the parts of a job, one on each of the nodes that it shares, go on. */
enum sched_parts {
	PARTS_INDEPENDENT, /* each by itself, and leaves its node as it ends (LibraRisk) */
	PARTS_STEP,	   /* as the slowest of them */
};

/* Which of the nodes that suit are taken. */
enum sched_node_choice {
	NODES_ORDER, /* by number (LibraRisk, Algorithm 1) */
	NODES_BEST,  /* the least left first (Libra) */
};

/* What a pass of the gang schedulers does to the slice under way. */
enum gang_cut {
	CUT_KEEP, /* it goes on to its end, with its row's new contents */
	CUT_NEXT, /* it ends, and the next row's begins (section 5.2) */
};

/* The phases of a pass of the gang schedulers, in their order (sections 5.2 and 6.4). */
enum gang_phase {
	PHASE_CLEAN,
	PHASE_COMPACT,
	PHASE_SCHEDULE,
	PHASE_COLLAPSE_2,
	PHASE_SCHEDULE_2,
	PHASE_FILL,
	PHASE_FILL_2,
	PHASES,
};

/* In what order BF takes the waiting jobs (section 3). */
enum gang_queue { QUEUE_FCFS, QUEUE_SJF, QUEUE_BFIT, QUEUE_WFIT };

/* Which columns of the matrix a new job gets. */
enum gang_columns { COLUMNS_LOWEST, COLUMNS_ALIGNED };

/* What becomes of nodes that the plan leaves idle; see core/loans/loans.h. */
enum sched_loans {
	LOANS_NONE,    /* nothing */
	LOANS_UNIFORM, /* they are lent, in equal parts */
	LOANS_PROFIT,  /* likewise, to those that gain most by it */
};

/* In what order MSB takes the waiting jobs: its slots, and how removed jobs are placed again. */
enum sched_slots {
	SLOTS_START, /* planned start (QoPS, Figure 1, step C c) */
	SLOTS_ORDER, /* the heuristic (section 2.2.1) */
};

/* A dynP policy is the order in which a full schedule takes the waiting jobs. Estimates count, not runtimes. */
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

/* What a job's priority means to dynP. */
enum dynp_priority {
	DYNP_PRIORITY_NONE,  /* nothing */
	DYNP_PRIORITY_TIES,  /* higher first where the policy sees two jobs as equal */
	DYNP_PRIORITY_FIRST, /* higher first whatever the policy; it orders jobs of equal priority */
};

#define SETTING(key, member, type, ...) type member;
#define SETTING_LIST(key, ...)

struct dynp_config {
	enum dynp_order policy[DYNP_ORDERS]; /* Policies: distinct; the first is the initial one */
	uint32_t npolicies;		     /* >= 1 */
	/*
	 * Quality: one metric with a weight above 0 is taken as it is. Several are combined: each is put
	 * in millionths of the worst policy's, times its weight, and summed.
	 */
	int32_t weight[DYNP_METRICS]; /* 0 to 1000 */
#include "core/settings/dynp.def"
};

struct sched_config {
#include "core/settings/plain.def"
	int32_t phases;		 /* Phases: a bit each; 0: the scheduler's own */
	struct dynp_config dynp; /* of the scheduler dynp only */
	/*
	 * Budget of one admission: asked now and then; true makes the answer REFUSE_BUDGET. NULL: no
	 * bound. The only thing that may make two runs over the same events differ.
	 */
	bool (*expired)(void *arg);
	void *expired_arg;
	/*
	 * A driver with processors to spare does independent tasks at once: task(ctx, 0) to task(ctx, n - 1),
	 * each once, in any order; it returns when all have. Used for what is long enough to be worth it.
	 * What is decided is the same without it. NULL: one after the other.
	 */
	void (*together)(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n);
	void *together_arg;
};

#undef SETTING
#undef SETTING_LIST

/*
 * QoPS, section 4.2: how long after it could begin a job of that limit has its artificial deadline,
 * max(24 hours, R x limit); INT64_MAX: there is none.
 */
static inline int64_t artificial_span(const struct sched_config *c, int64_t limit)
{
	int64_t relaxed;

	if (limit == INT64_MAX || __builtin_mul_overflow(limit, c->relax_milli, &relaxed))
		return INT64_MAX;
	return relaxed / 1000 > c->min_artificial ? relaxed / 1000 : c->min_artificial;
}

/* "fcfs" ...; "artww" ...; -1 for an unknown name. */
const char *dynp_order_name(enum dynp_order order);
int dynp_order_by_name(const char *name);
const char *dynp_metric_name(enum dynp_metric metric);
const char *dynp_decider_name(enum dynp_decider decider);

#endif
