/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: what the engine of loans keeps; the engine inside keeps the rest. Internal to core/loans. */
#ifndef PACT_CORE_LOANS_STATE_H
#define PACT_CORE_LOANS_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"
#include "core/kernel/payoff.h"
#include "core/kernel/progress.h"
#include "core/loans/loans.h"

/* Nodes that the engine inside was told to be held, under an id that no driver knows; 0: nothing is told. */
struct hold {
	uint64_t id;
	int64_t end;
	struct nodeset *nodes;
};

/* What is on loan, and back by the same time: one block to the engine inside. */
struct pool {
	uint64_t id;
	int64_t end;
	struct nodeset *nodes;
	bool loose; /* for want of memory more than its jobs have */
	bool found; /* scratch of pool.c: its next end is known */
	int64_t next_end;
};

/* A job that can use more nodes than its own. */
struct borrower {
	uint64_t id;
	/* its terms */
	int64_t submit, limit, deadline, value, grace;
	int32_t width, most;
	int32_t floor; /* so many are its own: its width, or what its promise takes, which falls (floor.c) */
	struct payoff payoff;
	struct list64 speedup;
	uint32_t nalt, chosen;
	struct nodeset *alt[SCHED_MAX_ALT]; /* NULL: any node */
	int64_t granted;		    /* what its start was to give it of its limit */
	bool starting;			    /* it was to be started, and is not yet */

	int64_t start; /* -1: it waits */
	int64_t due; /* by then its own nodes are to have done its work, where they are more than its width; else 0 */
	struct progress done; /* at the rate of all that it has */
	/* what it has: `at`, of which it keeps `own`; NULL: its nodes have no names, and it gets no loan */
	struct nodeset *at, *own;
	/* of its own the one that it is never asked to give back: its driver says which */
	uint32_t stays;
	bool lacks; /* of its own some were lost, and what it has on loan was not looked at yet for others */
	int32_t has;	      /* so many are `at` */
	int32_t cleans;	      /* of these so many it has given back, and does nothing there */
	struct nodeset *lent; /* may be called in; NULL: none */
	uint64_t pool;	      /* the block that has these */
	struct hold *call;    /* was called in; the first due first */
	size_t calls, call_room;
	int64_t changed; /* when its nodes did last; -1: never */
	int64_t more_at; /* to have more was refused: it is not given more before then; 0: it was not */
	int64_t again; /* a call was refused: it is not called before then; 0: it was not */
	int64_t first; /* the first claim on what it has on loan begins then, as far as is known; PACT_FOREVER: none does */
	uint64_t first_by; /* by what has this id */
	bool firm;	   /* that is promised */
	int32_t lends;	   /* so many of them, by s->lender */
	uint32_t
		below; /* scratch of lend.c: where it looks for its next node; of turn.c: its last one on loan */
	uint32_t
		got; /* scratch of lend.c: the last node that it is to get, `after` leads to the others; nodes: none */
};

struct loans {
	const struct loans_kind *kind;
	void *own; /* of the engine inside */
	struct sched_config config;
	uint32_t nodes;
	int64_t now;
	struct table *members; /* borrowers by id */
	struct table *holds;   /* and by the ids of what they were called in for */
	struct pool *pool;     /* what they have on loan, in any order */
	size_t pool_n, pool_room;
	struct borrower **running;
	size_t running_n, running_room; /* those with named nodes, the oldest first */
	uint64_t next_hold;		/* where the search for an id begins */

	bool touched; /* something was said to the engine inside since it had no more to say */
	bool stale;   /* what is to be lent or called in may be other than was found */
	bool told;    /* ACT_WAKE was given since the last call */
	int64_t inner_wake, wake; /* when it, and when this engine wants to be woken */
	struct borrower *asked;	  /* an ACT_RESIZE is not answered: */
	bool calling; /* by which `taken` is called in until call_end; else it is given nodes */
	int64_t call_end;
	struct nodeset *taken;

	struct decided decided;

	struct borrower **
		lender; /* of each node the job that has it on loan, and was not called for it; NULL: none */
	bool crossed; /* a driver may have told that two have one */
	/* survey.c: of each node, as found last */
	int64_t *wanted;     /* when it is first claimed; PACT_FOREVER: not as far as was looked */
	uint64_t *wanted_by; /* by that id */
	uint32_t *order;     /* as names are given, so far as they were asked for */
	uint32_t order_n;
	bool loans_chained; /* order_n is in what is on loan */
	struct nodeset *idle;
	int64_t next_claim; /* when a claim beyond what was looked at begins */
	/* of each node that a job has on loan, or is to get: the next lower one; nodes: there is none */
	uint32_t *after;
	/* lend.c: what is to be done; `idle` is what is left to lend then */
	struct lend_entry {
		int64_t key; /* the least first, */
		size_t at; /* then the place in `running`: it is the older one's turn, or the younger one's */
		int32_t n;    /* nodes that it would have */
		int32_t left; /* so many more turns can it have */
	} * heap;	      /* of running ones; there is room for all */
	size_t heap_n;
	bool planned; /* that was found, and is not done yet */
	size_t todo;  /* of `running`, the next one to be looked at for that */

	struct nodeset *allowed; /* of the last action */
	struct call call;
};

/* ---- state.c ---- */

/* A call begins; false: its time is none, and s->call.error says so. */
bool loans_called(struct loans *s, int64_t now);
/* One event to the engine inside. Its error is noted. */
int inner_event(struct loans *s, const struct sched_event *ev);
/* Its error becomes ours; returns the code. */
int inner_failed(struct loans *s, int code);

/* Has the plan promised it? */
bool loans_promised(const struct loans *s, uint64_t id);

struct borrower *borrower_find(const struct loans *s, uint64_t id);
/* Has such a job a range? */
bool has_range(const struct loans *s, const struct sched_job *job);
/* It waits, and is in no table. NULL: no memory. */
struct borrower *borrower_make(const struct loans *s, const struct sched_job *job);
void borrower_destroy(struct borrower *b);
/* It is known no more. What was told of it is taken back already. */
void borrower_remove(struct loans *s, struct borrower *b);
/* It is in `running`, in its place. 0 or -1: no memory. */
int borrower_runs(struct loans *s, struct borrower *b);
/* And no more; it has no nodes. */
void borrower_stops(struct loans *s, struct borrower *b);
/* Room for one call more. 0 or -1: no memory. */
int borrower_call_room(struct borrower *b);
int32_t borrower_has(const struct borrower *b);	 /* nodes, in all */
int64_t borrower_rate(const struct borrower *b); /* what it does on those that it works on */
/* So many fewer are its own than its floor. */
int32_t borrower_lost(const struct borrower *b);
/* When it has done its work with all that it has. */
int64_t borrower_work_end(const struct loans *s, const struct borrower *b);
/* When one that runs ends if it has its own nodes alone from now on, the guard in it. */
int64_t borrower_own_end(const struct loans *s, const struct borrower *b);
/* How long before a start a loan of its has to be called in: its notice, and what a driver may be late before and after. */
int64_t borrower_lead(const struct loans *s, const struct borrower *b);
int64_t borrower_notice(const struct loans *s, const struct borrower *b);
/* The longest lead of those that run. */
int64_t loans_lead(const struct loans *s);
/* Then, or in a second if that is over: nothing is planned for no time. */
static inline int64_t loans_then(const struct loans *s, int64_t at)
{
	return at > s->now ? at : s->now + 1;
}

/* Its terms as it was submitted with them; what is borrowed of them is its. */
struct sched_job borrower_terms(const struct borrower *b);

/* ---- pool.c: what is on loan, and the blocks for it ---- */

/* A block of these nodes from now until then, under an id that is known nowhere. enum pact_err */
int block_make(struct loans *s, const struct nodeset *nodes, int64_t end, uint64_t *id);

/* Until when the plan is to hold what the job has on loan. */
typedef int64_t pool_end_fn(const struct loans *s, const struct borrower *b);

/* Just these nodes are what it has on loan, until then; NULL, or none: nothing is, which does not fail. enum pact_err */
int pool_lend(struct loans *s, struct borrower *b, const struct nodeset *nodes, int64_t end);
/* All ends anew. enum pact_err */
int pools_time(struct loans *s, pool_end_fn *end_of);
/* Until when it is held. */
int64_t pool_end(const struct loans *s, const struct borrower *b);
/* Is one known by that id? Then it is to be known by another. enum pact_err */
bool pool_is(const struct loans *s, uint64_t id);
int pool_rename(struct loans *s, uint64_t id);
/* One that the engine inside has; `nodes` is its then. 0 or -1: no memory. */
int pool_add(struct loans *s, uint64_t id, int64_t end, struct nodeset *nodes);

/* ---- tell.c: what the engine inside is to hold ---- */

/*
 * What the job has is that from now on: own nodes first, the rest is on loan, but for what it was called in for. fill: as
 * many as its floor are its own; else none that were on loan, or come, as the plan may have these for what begins before it
 * ends: what is lost is made good later (floors_make_good()). enum pact_err
 */
int tell_nodes(struct loans *s, struct borrower *b, const struct nodeset *at, bool fill);
/* These nodes, which it has on loan, are called in by then; a driver may be late to tell. enum pact_err */
int tell_called(struct loans *s, struct borrower *b, const struct nodeset *nodes, int64_t end);
/* What it was called in for it keeps. enum pact_err */
int tell_refused(struct loans *s, struct borrower *b);
/* Nothing is held for it any more. enum pact_err */
int tell_gone(struct loans *s, struct borrower *b);
/* What is on loan is held as long at least as its notice would be from now on. enum pact_err */
int tell_notices(struct loans *s);
/* What is on loan is held until a notice from now, or until what is known to begin before. enum pact_err */
int tell_time(struct loans *s);
/* That id comes from the driver: what is held under it is under another one. enum pact_err */
int tell_evade(struct loans *s, uint64_t id);

/* So many are its own from now on, fewer than before; the others are on loan. enum pact_err */
int tell_floor(struct loans *s, struct borrower *b, int32_t floor);
/* Of what it has on loan these are its own from now on, the lowest, up to its floor. enum pact_err */
int tell_made_good(struct loans *s, struct borrower *b, const struct nodeset *spare);

/* ---- floor.c: own nodes beyond a job's width, for its promise ---- */

/*
 * The job as the engine inside is to know it, on so many nodes of its own: its limit is what its work takes there.
 */
struct sched_job floor_terms(const struct sched_job *job, int32_t floor);
/*
 * A promise for the job was refused on its width, *d tells why. The fewest nodes on which it would be given, as far as a few
 * questions find them, and *d is about these; 0: none, and *d is as it was. change: its new terms are asked about.
 */
int32_t floor_find(struct loans *s, const struct sched_job *job, bool change,
		   struct sched_decision *d);
/*
 * A promise for the job was refused on any number of nodes, *d is what was said of its width: what is on offer there becomes the
 * earliest end that could be promised on as many as that takes, as far as some questions find it, and which that are.
 */
void floor_offer(struct loans *s, const struct sched_job *job, bool change,
		 struct sched_decision *d);
/*
 * Of a job whose promise was made earlier: on how many that was (sched_job.own). Where it is not told, or is not enough any more,
 * what the promise would take now, which need not be so many as others were made beside: the job's width, if that is enough or no
 * more would do.
 */
int32_t floor_restore(struct loans *s, const struct sched_job *job, bool change);
/*
 * It starts now with its own nodes, or runs already: what it has to do. RET by when they are to have done it, where they are
 * more than its width; 0: a driver's end of it is right
 */
int64_t floor_begin(const struct loans *s, struct borrower *b, const struct sched_event *ev);
/* Work that loans did is not the own nodes' to do: they get fewer. enum pact_err */
int floors_fall(struct loans *s);
/* For own nodes that were lost others are given of what is on loan, as far as the plan can spare them. enum pact_err */
int floors_make_good(struct loans *s);

/* ---- turn.c ---- */

/* Less is better, for a job that has n nodes to have one more. */
int64_t turn_more(const struct loans *s, const struct borrower *b, int32_t n);
/* s->heap was filled; and its first one has its turn again, with a new key, or no more. */
void turn_heapify(struct loans *s);
void turn_again(struct loans *s, bool more);
/*
 * The order in which claims get names: what is on loan comes last, and of that first what costs its job least. It begins
 * anew; the i-th node of it (arg: struct loans), found no further than it is asked for.
 */
void turn_begin(struct loans *s);
uint32_t turn_node(void *arg, uint32_t i);

/* ---- survey.c, lend.c ---- */

/* What is idle, and what is wanted when: s->idle, wanted, wanted_by, lender. 0 or -1: no memory, s->call.error says so. */
int survey(struct loans *s);
/*
 * The nodes that the plan has for none that is to begin before then; `promises`: for none that is promised, or that is lost or
 * reserved. 0 or -1: no memory, s->call.error says so.
 */
int survey_spare(struct loans *s, int64_t until, bool promises, struct nodeset *out);
/*
 * From a survey, what is to be called in and lent is found, and when that has to be looked at again (s->wake). Then the
 * next thing that is to be done about it; false: there is none.
 */
void lend_plan(struct loans *s);
bool lend_next(struct loans *s, struct sched_action *a);
/* Time goes on, which the engine inside is to hear. enum pact_err */
int lend_time(struct loans *s);

/* ---- event.c, submit.c, pass.c, view.c, save.c: of the engine ---- */

int loans_event(void *own, const struct sched_event *ev);
int loans_submit(struct loans *s, const struct sched_event *ev);
int loans_change(struct loans *s, const struct sched_event *ev);
int loans_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
	      struct sched_decision *d);
int loans_ask_change(void *own, int64_t now, const struct sched_job *job, struct sched_decision *d);
bool loans_next(void *own, struct sched_action *a);
bool loans_poll(void *own, struct sched_action *a);
int loans_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait loans_why(const void *own, uint64_t id);
size_t loans_waiting(void *own);
int loans_view_waiting(const void *own, size_t i, struct sched_view *v);
int loans_save(void *own, retell_fn *tell, void *arg);
const struct record_form *loans_form(const void *own, const char *name);
int loans_load(void *own, const struct record_form *form, const void *record);

#endif
