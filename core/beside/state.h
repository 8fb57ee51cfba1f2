/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: what the engine of two engines keeps. They keep the rest. Internal to core/beside. */
#ifndef PACT_CORE_BESIDE_STATE_H
#define PACT_CORE_BESIDE_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/base/walk.h"
#include "core/beside/beside.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"

/* The two engines. */
enum { PLAN, TURNS, SIDES };

#define BIT(side) (1u << (side))

struct side {
	const struct engine *engine;
	void *own;    /* the engine's */
	bool touched; /* something was said to it since it had no more to say */
	int64_t now;  /* when the last thing was said to it */
	int64_t wake; /* when it asked to be woken; PACT_FOREVER: it did not */
};

/* What was submitted, with its sets of nodes. */
struct terms {
	struct sched_job job;
	struct nodeset *set[SCHED_MAX_ALT + 1];
};

/* An id: a job, or what else holds nodes. */
struct member {
	uint64_t id;
	unsigned
		in; /* a bit for each engine that knows it as its own; of a job of ours a single one */
	bool waiting;
	bool runs; /* its tasks do */
	int64_t memory;
	/*
	 * Of what is no job of ours, what it holds; and of one that is promised to start at once where others are set aside
	 * (apart.c), where and until when it does. NULL: it is neither.
	 */
	struct nodeset *at;
	int64_t from, to;
	struct terms *terms; /* of the latter, until it has started; else NULL */
	bool failed;	     /* it could not be started, */
	int64_t failed_at;   /* then */
	/* of one that takes turns */
	int64_t due_least; /* its artificial deadline, as far as its limit says; */
	int64_t due;	   /* and as far as was predicted when it came; 0: nothing was yet */
	/* what the other engine was told that it holds; `told` NULL: nothing */
	struct nodeset *told;
	int64_t told_start, told_end;
	uint64_t seen; /* the round in which it was claimed last */
};

/* Choosing nodes on which jobs are set aside (aside.c). All of it is scratch. */
struct aside {
	struct aside_node {
		bool closed;	  /* it is for no new job, */
		int64_t promised; /* or not from then on */
		uint32_t jobs;	  /* that take turns there, and were not chosen yet */
		int64_t memory;	  /* that these need, and those that were */
	} * node;		  /* of each */
	struct aside_job {
		struct member *m;
		bool chosen;
	} * job; /* those that can be set aside */
	size_t n, room;
	uint32_t *list;	       /* room for all nodes */
	struct nodeset *nodes; /* the choice */
};

struct beside {
	struct sched_config
		config; /* as given; what the engines get asks this one for the budget */
	uint32_t nodes;
	struct side side[SIDES];
	bool used;	       /* the plan was told anything, ever */
	struct table *members; /* by id */
	struct walk walk;      /* has room for all of them */
	size_t promised;       /* members that are the plan's */
	size_t unforeseen; /* for so many at most that wait for turns nothing was predicted yet, */
	uint64_t newest;   /* and this is the last of them */
	uint64_t round;	   /* of claims asked for */
	bool stale[SIDES]; /* what it claims may not be what the other one was told */
	struct decided decided;
	int64_t now; /* the latest */
	int turn;    /* whose action was the last of this drain; SIDES: there was none */
	bool starting;
	uint64_t starting_id;	 /* its ACT_START is not answered */
	bool told;		 /* ACT_WAKE was given since the last call */
	struct nodeset *allowed; /* of the last start */
	struct aside aside;
	size_t apart_n; /* members with `terms` */
	uint64_t
		suspending; /* its ACT_SUSPEND for the start of the other one is not answered; 0: none is */
	uint64_t suspending_for;
	int64_t *memory; /* of each node; 0: not counted */
	bool limited;	 /* of one it is counted */
	struct waiting_at {
		int64_t start, submit;
		uint64_t id;
		int side;
		size_t at;
	} * waiting; /* the order of the last beside_waiting() */
	size_t waiting_n;
	struct call call;
};

/* ---- state.c ---- */

/* A call begins; false: its time is none, and s->call.error says so. */
bool beside_called(struct beside *s, int64_t now);
/* One event to one engine. Its error is noted. */
int side_event(struct beside *s, int side, const struct sched_event *ev);
/* Its error becomes ours; returns the code. */
int side_failed(struct beside *s, int side, int code);

/* ---- member.c ---- */

struct member *beside_find(const struct beside *s, uint64_t id);
/* NULL: no memory. It waits in that engine from now on. */
struct member *beside_add(struct beside *s, uint64_t id, unsigned in);
/* What the other engine was told of it is taken back; enum pact_err. */
int beside_untell(struct beside *s, struct member *m);
/* It is the other engine's; what was told of it is taken back already. */
void beside_move(struct beside *s, struct member *m, unsigned in);
/* It is gone; what was told of it is taken back already. */
void beside_remove(struct beside *s, struct member *m);
/* A copy, for one that is to start where others are set aside; NULL: no memory. */
struct terms *terms_make(const struct sched_job *job);
void terms_destroy(struct terms *t);
/* It is so no more. */
void member_forget_terms(struct beside *s, struct member *m);
/* The engine that knows it; of both the one of turns. */
int member_side(const struct member *m);
/* Nothing was predicted for it yet. */
void member_unforeseen(struct beside *s, const struct member *m);
/* It takes turns by these terms: what limit and begin say of its artificial deadline. Nothing is predicted for it yet. */
void member_patience(struct beside *s, struct member *m, const struct sched_job *job);
/* And what is predicted for it now, if anything is. */
void member_predict(const struct beside *s, struct member *m);
/* The same for those of which nothing was yet, wait they or run. */
void members_predict(struct beside *s);
/*
 * Is one that waits for turns predicted to end after its artificial deadline? *late: by how much at most. What holds
 * nodes in turn is told. NULL: none.
 */
const struct member *members_starving(struct beside *s, int64_t *late);

/* ---- sync.c ---- */

/*
 * What the jobs of one engine hold, or have places for, is told to the other one as far as it has changed. 0 or enum
 * pact_err: to be done again.
 */
int sync_claims(struct beside *s, int from);
/*
 * The nodes that the plan has for a job that it wants started, into s->allowed. enum pact_err: that cannot be said; the
 * plan has heard that it could not be started.
 */
int sync_start(struct beside *s, struct sched_action *a);

/* ---- aside.c ---- */

/*
 * A job with a deadline: if the plan refuses it, can it start at once where others are set aside? d->accepted: it can,
 * on s->aside.nodes. What the plan holds is told. enum pact_err
 */
int aside_choose(struct beside *s, const struct sched_job *job, struct sched_decision *d);

/* ---- apart.c ---- */

/* It is promised so, which joins the actions. enum pact_err: it is not. */
int apart_decide(struct beside *s, struct member *m, const struct sched_job *job,
		 const struct sched_decision *d);
/* It is to start there from now on; NULL: where it is already. enum pact_err */
int apart_keep(struct beside *s, struct member *m, const struct sched_job *job,
	       const struct nodeset *at, int64_t from, int64_t to);
/* Its record has shown up; what takes turns was told nothing of the old id any more. enum pact_err */
int apart_confirm(struct beside *s, struct member *m, uint64_t new_id);
int apart_started(struct beside *s, struct member *m, const struct sched_event *ev);
/* What else happens to it before it has. */
int apart_event(struct beside *s, struct member *m, const struct sched_event *ev);
/* It is the plan's, as one that waits. enum pact_err */
int apart_to_plan(struct beside *s, struct member *m);
/* So are those that would be on these nodes then. */
void aparts_block(struct beside *s, const struct nodeset *nodes, int64_t from, int64_t to);
/* When the first of them has to have started. */
int64_t aparts_wake(const struct beside *s);
/* What is to be done for one of them to start now; false: nothing. */
bool apart_next(struct beside *s, struct sched_action *a);
/* The answer to one of its suspensions: true, it is that, and *rc is what comes of it. */
bool apart_answer(struct beside *s, const struct sched_event *ev, int *rc);

/* ---- submit.c ---- */

/* Has it a deadline that the plan is to look after? */
bool is_promised(const struct sched_job *job);
int beside_submit(struct beside *s, const struct sched_event *ev);
int beside_change(struct beside *s, const struct sched_event *ev);
int beside_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
	       struct sched_decision *d);
int beside_ask_change(void *own, int64_t now, const struct sched_job *job,
		      struct sched_decision *d);

/* ---- view.c, save.c: of the engine ---- */

int beside_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait beside_why(const void *own, uint64_t id);
size_t beside_waiting(void *own);
int beside_view_waiting(const void *own, size_t i, struct sched_view *v);
enum sched_lack beside_lack(void *own, uint64_t id);
int beside_matrix(const void *own, struct sched_matrix *m);
int beside_matrix_place(const void *own, size_t i, struct sched_place *p);
int beside_save(void *own, retell_fn *tell, void *arg);
const struct record_form *beside_form(const void *own, const char *name);
int beside_load(void *own, const struct record_form *form, const void *record);

#endif
