/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what a scheduler knows, shared by the files of core that make it up. Internal to core.
 *
 * The queue holds the waiting jobs, in the order of their arrival or of their planned starts; nobody
 * counts on either, but what is nearly in order is sorted faster. `plan` is the base plan (holds) plus
 * the placements of the waiting jobs that have one; a job's placement is in `plan` exactly when its
 * place is not empty and has shares. It is the base plan itself for a policy that keeps no placements:
 * those that a pass makes are out of it again when the pass is over, or have become holds. Other
 * arrangements are made in a trial (trial.h).
 */
#ifndef PACT_CORE_PLANNER_H
#define PACT_CORE_PLANNER_H

#include "core/planning/agenda.h"
#include "core/planning/trial.h"
#include "core/planning/holds.h"
#include "core/kernel/job.h"
#include "core/capacity/machine.h"
#include "core/planning/order.h"
#include "core/capacity/plan.h"
#include "core/sched.h"
#include "core/base/freelist.h"
#include "core/base/table.h"
#include "core/kernel/engine.h"
#include "core/planning/plan_policy.h"

struct search; /* admission.h */

struct backfill_index; /* backfill_index.h */
struct standing;       /* view.c */

struct queue {
	struct job **v;
	size_t n, room; /* v has holes (NULL) until queue_pack() */
	size_t holes;
	size_t begins;	/* of them have a begin time */
	size_t opaques; /* and so many are opaque */
};

/* A part of a class set aside for a time while an opaque job is being started. */
struct start_reserve {
	uint32_t cls;
	int64_t start, end;
};

/*
 * A member that is added here and outlives a pass has to be told by retell.c, unless what is made from a
 * retelling does without: EASY's `indexed`, false there, makes its first pass a full one, and so do `laid`
 * and `compressed`.
 */
struct planner {
	const struct plan_policy *policy;
	struct sched_config config;
	struct machine *machine;
	uint64_t generation; /* of the machine, for which the plans count */
	uint32_t classes;    /* and how its nodes were classed then */
	uint32_t *class_of;
	struct holds *holds;
	struct plan *plan;
	struct table *jobs; /* waiting, by id */
	struct queue queue;
	struct spare spare_jobs;  /* jobs that left */
	struct spare spare_lists; /* of submissions of one job */
	struct agenda agenda;
	int64_t now;

	bool dirty;	  /* something happened since the last pass began */
	bool loosened;	  /* room appeared: compress */
	bool compressed;  /* since the last compression room came by early ends only, */
	int64_t freed;	  /* and before this */
	bool tightened;	  /* placements may collide: repair */
	bool stale;	  /* memory was short in the middle of something: see stale() */
	bool promised;	  /* some job was, once: else nobody need be asked */
	bool ordered;	  /* slurm mode: the plan is what the next pass would make */
	size_t laid;	  /* qops in slurm mode, see qops.c: so many of the last layout stand, */
	size_t settled;	  /* and so many of this pass's list */
	uint64_t listing; /* machine_listing() of that layout */

	bool in_pass;
	int64_t pass_now;  /* when it began */
	struct job **list; /* the pass's order; holes where a job left */
	size_t list_n, cursor;

	struct tuner *tuner; /* dynp: what it keeps; see dynp.c */
	/* fcfs, easy: backfill_index.h; the members down to reserved are easy's */
	struct backfill_index *backfill;
	size_t odd;		    /* of the waiting jobs are not for the index */
	bool indexed;		    /* this pass goes along the index, */
	int64_t shadow;		    /* with this shadow time, */
	int32_t extra;		    /* these extra nodes at it, */
	const struct job *shadowed; /* which is that of this head; NULL: it is not known yet */
	bool only_new;		    /* easy: only submissions came since the last pass, */
	size_t tested;		    /* which went through so many of the queue, */
	size_t stood;		    /* or, along the index, through that many places; */
	bool missed;		    /* a job that it tried there did not start */
	struct job *head;	    /* easy: the first that this pass could not start */
	struct job *reserved;	    /* easy: the same, once it has this pass's reservation */
	struct job *starting;	    /* its ACT_START is out */
	int64_t start_end;	    /* the end that was promised to the plan with it */
	struct nodeset *allowed;
	bool allowing; /* there may be nodes in it */
	struct start_reserve *start_reserve;
	size_t start_reserve_n, start_reserve_room;

	/* room for one entry per job and the new ones */
	struct trial trial; /* has as much room as the arrays */
	size_t scratch_room;
	struct job **order,
		**sorted;	  /* the waiting jobs; in a search, as search_sort() leaves them */
	uint32_t *rank, *urgency; /* that of sorted[i], and that by slot: see attempt_number() */
	struct job **fresh;	  /* the new ones, as search_fresh() leaves them */

	struct sched_action *act; /* decided actions, first in first out */
	size_t act_n, act_first, act_room;
	struct standing *standing; /* for views: view.c */
	bool told;		   /* ACT_WAKE was given since the last event */
	int64_t asked,
		spent; /* questions for the budget in this call; the first one denied, or 0 */
	char error[256];
};

extern const struct engine engine_planning;

/* ---- config.c ---- */

/* Is the configuration well formed, for this policy? why (may be NULL) gets the reason. */
bool config_valid(const struct plan_policy *policy, const struct sched_config *c, char *why,
		  size_t size);

/* ---- view.c, save.c: of the engine ---- */

int planner_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait planner_why(const void *own, uint64_t id);
size_t planner_waiting(void *own);
int planner_view_waiting(const void *own, size_t i, struct sched_view *v);
int planner_save(void *own, const struct retelling *to, void *arg);
int planner_load(void *own, const struct told *part);

/* ---- planner.c ---- */

/*
 * task(ctx, 0) to task(ctx, n - 1), side by side if the driver can (sched_config.together). A task writes
 * nothing that another one of them reads or writes, and allocates but its own. Handing one over takes about
 * a microsecond: for more than that.
 */
static inline void planner_together(const struct planner *s, void (*task)(void *ctx, size_t i),
				    void *ctx, size_t n)
{
	if (s->config.together) {
		s->config.together(s->config.together_arg, task, ctx, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		task(ctx, i);
}

/* Room for n waiting jobs in all in the scratch arrays. 0 or -1. */
int planner_scratch_grow(struct planner *s, size_t n);
static inline int planner_scratch(struct planner *s, size_t n)
{
	if (n <= s->scratch_room)
		return 0;
	return planner_scratch_grow(s, n);
}
int planner_push_action(struct planner *s, const struct sched_action *a);

/* ---- queue.c ---- */

/* Pack the queue: no holes; and the same only when they are more than the jobs: O(1) per removal. */
void queue_pack(struct queue *q);
void queue_trim(struct queue *q);
int queue_push(struct queue *q, struct job *j);
void queue_remove(struct queue *q, struct job *j);

/* ---- job.c ---- */

/* Is the driver's description of a job well formed? s->error says what is not. */
bool job_valid(struct planner *s, const struct sched_job *d);
/* A job as the driver described it, valid, in no list yet; NULL: no memory. */
struct job *job_create(struct planner *s, const struct sched_job *d);
void job_destroy(struct planner *s, struct job *j);

/* ---- event.c ---- */

/* Feed one event; s->now is up to date. */
int event_apply(struct planner *s, const struct sched_event *ev);

/* planner_ask_change(); s->now is up to date. */
int change_ask(struct planner *s, const struct sched_job *d, struct sched_decision *out);

/* Are the jobs of a submission well formed? enum pact_err. */
int jobs_check(struct planner *s, const struct sched_job *d, size_t n);
/*
 * While a job is being started on any of its class's nodes, who names nodes that would split classes
 * cannot be promised anything: the start may yet take the very nodes that it would be promised.
 */
bool jobs_must_wait(const struct planner *s, const struct sched_job *d, size_t n);
/* The jobs of a submission, checked already, in no list yet. NULL: *code says why. */
struct job **jobs_build(struct planner *s, const struct sched_job *d, size_t n, int *code);
/* A refusal without an offer. */
void refuse(enum refuse_reason reason, struct sched_decision *d);
void jobs_destroy(struct planner *s, struct job **v, size_t n);

/* Something happens that no pass expects: see policy->interrupt. 0 or -1. */
int interrupt_pass(struct planner *s);

/* repair(), and before a decision what the policy needs for one. 0 or -1. */
int repair_for_decision(struct planner *s, bool decision);

/* The job could not be started now. */
void start_failed(struct planner *s, struct job *j, bool reserve);

/* Holds gave room in [from, until) (sign 1), or took some (-1), or both (0). */
void tell_room(struct planner *s, int64_t from, int64_t until, int sign);

/* ---- repair.c ---- */

/*
 * Bring the plan up to date with the holds: prolong overdue ones, count anew after classes changed,
 * repair placements that collide. To be called before anything is planned. 0 or -1.
 */
int repair(struct planner *s);

/*
 * Was memory short in the middle of something, so that the plan may not be what the holds and the places
 * say? repair() makes it anew from these. Who fails notes s->stale, or leaves a stale plan.
 */
static inline bool stale(const struct planner *s)
{
	/* who keeps no places has the holds' plan */
	return s->stale || plan_stale(s->plan) ||
	       (s->policy->keeps && plan_stale(holds_base(s->holds)));
}

/* Is there a hold that should have ended and did not? repair() prolongs it. */
bool overdue(const struct planner *s);

/* Tell when the promise of a waiting or running job can no longer be kept, or can be again. */
void report_job(struct planner *s, struct job *j);
void report_hold(struct planner *s, struct hold *x);

/* ---- remap.c ---- */

/*
 * The machine's classes changed, or the plan is stale: count the holds anew, and every placement, at the
 * time it has. Those whose nodes were taken from them lose their shares (and tightened is set). 0; -1: no
 * memory, all of them do, and it has to be done again (s->stale).
 */
int remap(struct planner *s);
/* Note the machine's present classes as those for which the plans count. 0 or -1. */
int remap_note(struct planner *s);

/* ---- attempt.c ---- */

/* Why an attempt failed. */
struct attempt_report {
	int32_t violations;
	const struct job *critical; /* the last job that missed its due time; NULL: none */
	int64_t late;		    /* by so many seconds; PACT_FOREVER: no place at all */
	bool expired;
};

/*
 * One position in QoPS, Figure 3 (step A for one ts): prefix[0 .. ts) stay where they are; list
 * (list_n jobs, removed from position ts on) and fresh (the new jobs, in order: search_fresh()) are placed
 * anew, the fresh ones sorted with the others when fresh_first is false, before them when true. At most k
 * violations. On success the arrangement waits in the trial for attempt_commit() or attempt_drop(). 1:
 * feasible; 0: not; -1: no memory (then as dropped). It writes nothing but itself and the trial, without a
 * budget; and asks s->plan and the holds' base nothing, it only copies from them.
 */
struct attempt {
	struct planner *s;
	struct trial *trial;
	struct job **prefix;
	size_t ts;
	struct job **list;
	size_t list_n;
	/*
	 * Prefix and list together in the heuristic's order, as attempt_number() left it. NULL: the list is
	 * placed as it stands, and the first violation is the end.
	 */
	struct job **sorted;
	struct job **fresh;
	size_t fresh_n;
	bool fresh_first;
	int32_t k;
	bool promised_only; /* those of the list without a promise leave and are not placed anew */
	bool unbounded;	    /* do not ask for the budget */
	/* Of a list that is placed as it stands: how many from its front came to stand where they stood. */
	size_t kept;
	/*
	 * Priced: price is what the prefix costs, and the others at cost_least(). The attempt adds what
	 * they cost more, and fails, with no critical job, when that comes to bound. With k = 0 only.
	 */
	bool priced;
	int64_t price, bound;
	struct attempt_report report;
};

/* So many placements between two questions for the budget. */
#define BUDGET_EVERY 64
/* Is the budget used up? Noted in the report then. */
bool attempt_expired(struct attempt *a);
/*
 * The jobs of order[0 .. n) have the heuristic's order in s->sorted now: each notes its rank in `order` and
 * its urgency in the other. Attempts read both apart from the jobs, which they go through in another order.
 */
void attempt_number(struct planner *s, struct job *const *order, size_t n);

int attempt_run(struct attempt *a);

/* The trial's plan with nothing but the holds in it. 0 or -1. */
int attempt_empty(struct planner *s, struct trial *d);

/* Make the arrangement found the plan: jobs' places are replaced, the trial's plan becomes s->plan. */
void attempt_commit(struct attempt *a);
/* Forget it. */
void attempt_drop(struct attempt *a);

/* ---- cost.c ---- */

/* What the job's start costs (config.cost), less than 2^43; cost_least() at the earliest that there can be. */
int64_t cost_of(const struct planner *s, const struct job *j, int64_t start);
int64_t cost_least(const struct planner *s, const struct job *j);

/* ---- start.c ---- */

/* Say where the job may go, put that aside, and make the action. false: nowhere (nothing is changed). */
bool start_open(struct planner *s, struct job *j, struct sched_action *out);
/* The answer has come: what was put aside is free again. */
void start_close(struct planner *s);
/* Put aside anew after the plan was rebuilt. */
int start_reopen(struct planner *s);
/* Put what is set aside into another plan (sign -1) or take it out. */
int start_apply(struct planner *s, struct plan *p, int sign);

/* ---- shorten.c ---- */

/* If a job is placed later, and could start now with less than its limit: do so. 0 or -1. */
int shorten_fit(struct planner *s, struct job *j);
/* An opaque job could not be started with its limit: shall the pass try it with its least? */
bool shorten_retry(struct planner *s, struct job *j, bool reserve);
/* It is its turn: with its least, if the pass is at that. */
void shorten_retried(struct planner *s, struct job *j);
/* Its limit is its own again. */
void shorten_undo(struct job *j);

/* ---- compress.c ---- */

/*
 * In planned start order, move each waiting job to an earlier start if there is one (doc/papers.md,
 * conservative: "compress"). Never delays anything. 0 or -1.
 */
int compress(struct planner *s);
/* One job's part of it. */
int compress_one(struct planner *s, struct job *j);

/* ---- fcfs.c ---- */

/* `create` and `destroy` of a policy that keeps a backfill index. */
int fcfs_create(struct planner *s);
void fcfs_destroy(struct planner *s);

/* Place the job so that it starts now, if it fits, and put that into the plan. */
bool start_now(struct planner *s, struct job *j);

/* ---- view.c ---- */

/* What the views work out together; standing_destroy(NULL) is fine. NULL: no memory. */
struct standing *standing_create(void);
void standing_destroy(struct standing *st);
/* Something may have changed. */
void standing_forget(struct standing *st);
size_t standing_bytes(const struct standing *st);

/* ---- conservative.c ---- */

/* The steps of a pass over kept placements: due jobs in planned start order. */
int due_begin(struct planner *s);
struct job *due_step(struct planner *s);

/* After a failed start: the earliest place later than now, or none. 0 or -1. */
int place_later(struct planner *s, struct job *j, bool reserve);

/* Copy the queue into the pass's list in the given order. 0 or -1. */
int list_fill(struct planner *s, enum order_kind kind);
/* The same with those from `first` on, as they come. 0 or -1. */
int list_tail(struct planner *s, size_t first);
/* The list's jobs from `first` on leave the plan, but for promised ones and one being started. 0 or -1. */
int list_loosen(struct planner *s, size_t first);

#endif
