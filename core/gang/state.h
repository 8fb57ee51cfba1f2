/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: what the gang engine keeps, and what changes it. Internal to core/gang. Times are seconds. */
#ifndef PACT_CORE_GANG_STATE_H
#define PACT_CORE_GANG_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/base/walk.h"
#include "core/capacity/profile.h"
#include "core/gang/fares.h"
#include "core/gang/gang.h"
#include "core/gang/matrix.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"
#include "core/kernel/held.h"

struct gang_kind {
	const char *name;
	bool backfills; /* waiting jobs reserve */
	bool one_row;	/* whatever Rows says; and nothing is switched */
	bool migrates;
	bool keeps; /* rows for short jobs, as ShortRows says; only what backfills does */
	bool stays; /* a row keeps its turn while many jobs wait and switching would cost too much */
};

struct job {
	struct matrix_job in; /* first, see job_of() */
	int64_t limit, deadline;
	int64_t begin, priority;
	uint32_t flags;
	uint32_t nalt;
	struct nodeset *alt[SCHED_MAX_ALT];
	struct nodeset *required;
	uint32_t chosen; /* of the alternatives */
	int64_t start;	 /* -1: it waits, in the queue or in the matrix */
	int64_t until;	 /* its predicted end */
	int64_t bound; /* it has ended by then, if nothing is done to it by hand; kept while it has a place */
	int64_t left; /* it had no more to run, by its limit, when its bound was counted */
	int64_t charged,
		delayed; /* of what migrations cost it (in.owed, in.delay), so much is in its bound */
	int64_t ran_until;  /* when it was suspended last, by a turn; -1: never */
	struct nodeset *at; /* where its tasks are; of use once it has started */
	bool runs;	    /* its tasks do, */
	int64_t runs_since; /* and since then */
	int64_t done; /* before that it had done so much of its limit: what it ran, without what that cost it; may be below 0 */
	bool stopped; /* by hand, until EV_RESUMED */
	bool aside;   /* it has started, and no row has its columns free: it waits for one */
	bool leaving; /* it was asked to leave its nodes (JOB_LEAVES), and has not yet */
	/* while in.yields (yield.c) */
	int64_t yields_until; /* as far as is known */
	int64_t rest; /* by its bound it ends so much after its nodes are free; kept until it has another place; 0: never */
	int64_t foreseen; /* likewise, as predicted */
	bool unconfirmed, failed, promised, broken;
	uint32_t fails; /* so often in a row it could not be started; */
	int64_t retry;	/* it is tried again then at the earliest */
	/* where and when the last pass let it start at the latest; row -1: nowhere */
	int32_t reserved_row;
	int64_t reserved_from;
};

/* From then on a hold has its nodes (1), or has them no more (-1). */
struct hold_edge {
	int64_t at;
	int32_t by;
	const struct nodeset *nodes;
};

/* A job that is to be sorted: by `key`, then by `then`, then by id. */
struct ranked {
	int64_t key, then;
	uint64_t id;
	struct job *job;
};

/* What is to be done about a job when an instant is over. */
struct turn {
	enum sched_action_type type;
	struct job *job;
};

struct gang {
	const struct gang_kind *kind;
	struct sched_config config;
	uint32_t nodes;
	struct matrix *matrix;
	struct table *jobs, *holds;
	struct walk walk; /* has room for all holds */
	struct fares *fares;
	struct job **queue; /* those that wait and are not in the matrix, in order */
	size_t queue_n, queue_room;
	int64_t last_begin; /* none of them begins later */
	size_t aside_n;
	struct profile *
		*capacity; /* of each row by counts, of use in a pass; only if it backfills */
	struct profile *empty;
	struct hold_edge *edge; /* in order of time, as capacity_build() found them */
	size_t edge_n, edge_room;
	bool counted; /* it is what it is now, with all reservations; else the first job that may move has it built, */
	bool starved; /* for which there was no memory in this phase */
	int64_t now;
	struct call call;

	/* slices */
	int64_t slice; /* the number of the last one; -1: there was none */
	int64_t slice_start, slice_end;
	bool slicing;  /* it is under way */
	int64_t quota; /* of migrated tasks, left in it */

	/* passes and turns */
	uint64_t pass;
	bool due;	   /* something has happened that wants one, */
	bool failures;	   /* some that wait could not be started */
	bool later;	   /* and that when the turns of its instant had been taken */
	bool advanced;	   /* discrete: a slice's end wants one */
	bool unsettled;	   /* what runs may not be what should */
	bool over;	   /* the instant is: turns are to be taken, */
	bool settling;	   /* and are being taken */
	bool stopped;	   /* they have stopped some job */
	int64_t passed_at; /* the last pass was then; -1: there was none */
	struct turn *turn;
	size_t turn_n, turn_next, turn_room;
	struct nodeset *busy, *twice; /* nodes where tasks run, and where those of two jobs do */
	struct nodeset *leaving;      /* nodes that jobs are to leave in this turn, */
	struct nodeset *to_leave;     /* and in any; */
	bool leavers;		      /* there are such jobs */
	int64_t settled_at; /* the instant whose turns are taken, or were last; -1: none */
	bool cut;	    /* an arrival or an end, which Cut=next ends a slice at */
	struct job *asked;  /* its action is not answered */
	enum sched_action_type asked_for;
	int64_t asked_lost; /* and is taken to cost it so many seconds */
	bool told;	    /* the wake-up was, since the last event */

	struct decided decided;
	/* scratch */
	struct nodeset *closed, *columns, *promised;
	uint32_t *order, *held; /* of each node: how many hold it */
	struct profile_change *change;
	void *change_scratch;
	size_t change_room;
	struct job **list;   /* room for all jobs, */
	struct ranked *rank; /* and likewise */
	size_t list_room;
	size_t list_n; /* as gang_waiting() left it */
};

static inline bool gang_is_time(int64_t t)
{
	return t >= 0 && t <= PACT_END_OF_TIME;
}

/* The job that has it. */
static inline struct job *job_of(const struct matrix_job *j)
{
	return (struct job *)(uintptr_t)j;
}

/* ---- state.c ---- */

/* A copy of what was submitted, not yet known. NULL: no memory. */
struct job *gang_job_make(const struct gang *s, const struct sched_job *from);
/* It is in no list. */
void gang_job_destroy(struct job *j);
/* Room for so many jobs more, wherever they may come to be. 0 or -1. */
int gang_room(struct gang *s, size_t n);
/* It joins the queue at its place; there is room. */
void gang_enqueue(struct gang *s, struct job *j);
void gang_dequeue(struct gang *s, struct job *j);
/* s->rank[0 .. n) in order, the jobs alone, into s->list. */
void gang_sort(struct gang *s, size_t n);
/* Does a come before b? */
bool comes_before(const struct gang *s, const struct job *a, const struct job *b);
/* It leaves queue, matrix and what else it may be in; it is known still. */
void job_withdraw(struct gang *s, struct job *j);
/* And is not known any more. */
void job_remove(struct gang *s, struct job *j);
/* Is it without a row, though it has started? Its nodes bear it all the same. */
void job_set_aside(struct gang *s, struct job *j, bool aside);
/* Do its tasks run? */
void job_set_runs(struct gang *s, struct job *j, bool runs);
/* Do some run on one of these? */
bool nodes_busy(const struct gang *s, const struct nodeset *nodes);
/* Jobs that wait aside into s->list, in their order; how many. */
size_t list_aside(struct gang *s);
/* What is put off longest waits for two to the power of that many seconds. */
#define PUT_OFF_MOST 6
/* It could not be started; `nodes`: for want of nodes, which it may have at any time. */
void gang_put_off(const struct gang *s, struct job *j, bool nodes);
/* A job has ended, and what it had used up of a limit others may have. */
void gang_hope(struct gang *s);
/* What could not be started may be tried again, unless it is put off. */
void gang_forget_failures(struct gang *s);
/* What is put off is tried again then, and no slice has to begin for that; PACT_FOREVER: there is none. */
int64_t gang_next_try(const struct gang *s);
/*
 * Something has happened that no turn was to do: a pass is due. An instant whose turns were taken is not settled once more, or what
 * has just begun to run, and paid for that, might stop before it has run at all: the pass waits for the next second.
 */
void gang_news(struct gang *s);
int64_t job_time(const struct gang *s, const struct job *j); /* rows x limit, or PACT_FOREVER */
/* So much after a time; PACT_FOREVER: never, or beyond the end of time. */
int64_t time_after(int64_t from, int64_t time);
/* Its predicted end as it counts now: a past one is prolonged; one at this instant may be about to be told. */
int64_t job_until(const struct gang *s, const struct job *j);
/*
 * Nodes that a job must not have which is predicted to end then, and has ended by its bound; NULL: none. Those of jobs that have lost
 * their row are among them. Of what is
 * lost or reserved the prediction counts, of what other jobs hold the bound. Of what is overdue it may have those that are
 * about to be free; `clean`: not those that are slow at that.
 */
const struct nodeset *nodes_closed(struct gang *s, int64_t until, int64_t bound, bool clean);
/* Nodes that are lost now, as far as is known for ever; NULL: none. Borrowed until one of these two is called again. */
const struct nodeset *nodes_lost(struct gang *s);
/* By when it has ended if it has its place from now on, with that much left to run; PACT_FOREVER: there is no bound. */
int64_t job_bound(const struct gang *s, const struct job *j);
/* Its bound is counted from now. */
void job_bind(const struct gang *s, struct job *j);
/*
 * A turn of its is over. What it lost by switches that brought it less than they cost is not known when its bound is
 * counted (doc/papers.md): if the slices of its home row do not let it end by that any more, it is when they do.
 */
void job_outlasts(const struct gang *s, struct job *j);
/* If a turn beside those slices did nothing but cost it a switch, would it still leave its nodes to what is promised there? */
bool job_may_stray(const struct gang *s, const struct job *j);
/* One that is set aside comes back with a pass, at most so long after its nodes are free. */
int64_t back_wait(const struct gang *s);
/* Of one that is set aside: its nodes are free then, as far as is known; */
void job_bind_back(struct job *j, int64_t back);
/* and its bound is counted anew from then: it is what it would be if that was now. */
void job_bind_aside(const struct gang *s, struct job *j);
/* It has its place, and bound: what is left to run now is at most what would be done by that. */
void job_count_left(const struct gang *s, struct job *j);
/* Would other settings move bounds? */
bool moves_bounds(const struct gang *s, const struct sched_config *config);
/* Likewise, of one that runs and of whose limit it is told anew what is left. */
void job_bind_left(const struct gang *s, struct job *j);
/* So many seconds of running are this many slices; PACT_FOREVER: nothing is done in any. */
int64_t slices_of(const struct gang *s, int64_t seconds);
/* In each cycle one slice is the job's; PACT_FOREVER: never. */
int64_t cycles_time(const struct gang *s, int64_t cycles);
/* Does it run without a pause from its start on? */
bool runs_on(const struct gang *s, const struct job *j);
/* What migrations cost it moves its bound, either way. */
void job_charged(const struct gang *s, struct job *j);
/* It runs, and has paid what it owed. */
void job_pay(struct gang *s, struct job *j);
/* If it was to be migrated it is not, and no job pays for that. */
void job_refund(struct gang *s, struct job *j);
/* If it was to be migrated it has been. */
void job_settle(struct gang *s, struct job *j);
/* Has a job beside this engine one of these nodes before then, from now on or later? */
bool reaches_promise(const struct gang *s, const struct nodeset *nodes, int64_t bound);
/* All nodes that jobs beside this engine have, from now on or later; NULL: none. */
const struct nodeset *nodes_promised(struct gang *s);
/* Rows, slices and switches as the settings have them. */
uint32_t rows_of(const struct gang_kind *kind, const struct sched_config *config);
int64_t switch_cost(const struct gang *s);
bool has_slices(const struct gang *s);
/* The next one begins now. */
void slice_begin(struct gang *s);
/* The one under way goes on for as long as one is. */
void slice_prolong(struct gang *s);
/* It is over now: is it to go on instead? */
bool slice_stays(const struct gang *s);
/* Were the turns of this instant taken, and there is news? */
bool is_settled(const struct gang *s);
/* The row whose turn it is. */
uint32_t row_now(const struct gang *s);
/*
 * Ours (ShortRows): a waiting job gets one of so many rows, from the first one on, and a compaction moves it to no other.
 * One that has started and has no row, as after a restart of the driver, gets any: it is not to wait for short jobs.
 */
uint32_t rows_for(const struct gang *s, const struct job *j);
/* The number of the first slice that will be whole for what is placed now. */
int64_t first_whole(const struct gang *s);

/* ---- yield.c ---- */

/*
 * Jobs are set aside for those of an engine beside this one that have their nodes now, if the setting is on; if `back`,
 * those whose nodes they have no more come back.
 */
void yields_anew(struct gang *s, bool back);
/* A hold was to be over by now, as a node's cleaning: what has a place there keeps it until it is. */
bool hold_overdue(const struct gang *s, const struct held *x);
/*
 * Is it overdue for less than a lateness, and less than a slice? Then it is about to be over: jobs get places on its nodes, and wait
 * there for that with their start. What lingers for longer is taken for one that stays, and others will do.
 */
bool hold_lingers(const struct gang *s, const struct held *x);
/* Until then one that is overdue may. */
int64_t hold_lingers_until(const struct gang *s, const struct held *x);
/* Seconds. */
#define SLOW_TO_CLEAN 10
/* Has it lingered for that long? Then only what has its place on its nodes waits for them, and what has no other. */
bool hold_is_slow(const struct gang *s, const struct held *x);
/* Is there one? */
bool any_is_slow(const struct gang *s);
/* Does one that has some of these nodes? */
bool nodes_linger(const struct gang *s, const struct nodeset *nodes);
/* Will the job have ended by when it begins? What has not started has not, whatever was predicted. */
bool job_ends_before(const struct gang *s, const struct job *j, const struct held *x);
/* May it not have its place there, as it has not started and would not end before? */
bool job_in_the_way(const struct gang *s, const struct job *j, const struct held *x);
/* One that has not started: may it have its place, after all that is lost, reserved or promised? */
bool job_has_way(const struct gang *s, const struct job *j);
/* If it can be set aside, how long after that it has ended. */
void job_may_yield(const struct gang *s, const struct job *j, struct engine_claim *c);

/* ---- schedule.c ---- */

/* Section 6.1 or 6.2: waiting jobs get into the matrix. 0 or -1: no memory. */
int schedule(struct gang *s, const struct matrix_pass *p);
/*
 * The capacity of all rows by counts: jobs at home, holds, reservations of all jobs, or of those that come before that
 * one. 0 or -1: no memory.
 */
int capacity_build(struct gang *s, bool reservations, const struct job *before);
/* For struct matrix_pass: by rows_for(), and by what capacity_build() found. */
bool capacity_may_move(void *arg, const struct matrix_job *j, uint32_t row);
void capacity_moved(void *arg, const struct matrix_job *j, uint32_t from);

/*
 * When it would begin if it was submitted then; PACT_FOREVER: that is not known, or there is no memory. It is known nowhere
 * yet, and nothing changes, but what is written anew before it is read.
 */
int64_t schedule_begin(struct gang *s, struct job *j, int64_t now);

/* What it lacks to have a place now (sched_lack()). */
enum sched_lack schedule_lack(struct gang *s, struct job *j);

/* ---- found.c ---- */

/*
 * It is on these nodes, wherever it was to be: it is in the row that has them free, its home if it can be, or else
 * waits aside for one. Where it stays on its own (nodes is j->at), it does not pay for the migration that was to be. If
 * the turns of that pass have not been taken yet it has a whole slice in every cycle all the same: of the jobs that the pass has put in
 * its row those in its way have other rows, or, not started, wait again. Later it has one of the rows that no new job was given there.
 */
void job_found(struct gang *s, struct job *j, const struct nodeset *nodes);
/* One that waits aside gets a row again, if there is one. */
bool job_readmit(struct gang *s, struct job *j);
/* The matrix knows which columns those that are still to leave their nodes have in their turns until they have. */
void leavers_mark(struct gang *s);

/* ---- turns.c ---- */

/*
 * It has not begun yet: would it do so too shortly before the end of its row's turn (LaunchTime)? `at`: the instant whose turns are
 * taken, as a driver may take long over them, and what has the first ten seconds of its slice, or half of it, is never late; or now.
 */
bool begins_late(const struct gang *s, const struct job *j, int64_t at);
/* Is it still to leave the nodes where it is? */
static inline bool is_to_leave(const struct job *j)
{
	return j->in.moved && j->start >= 0 && j->flags & JOB_LEAVES;
}
/* The rows whose turns it has, a bit each: of one that is to leave that of its home alone. */
static inline uint64_t turn_rows(const struct job *j)
{
	return is_to_leave(j) ? UINT64_C(1) << j->in.home : j->in.rows;
}
/* When a row has its turn next that it is in; now, if one has it, and leaves it time to begin. */
int64_t next_turn(const struct gang *s, const struct job *j);
/* All that is to be done for the row whose turn it is, as a list. 0 or -1: no memory. */
int turns_list(struct gang *s);
/* The next of them, which has to be answered. False: there is none. */
bool turns_next(struct gang *s, struct sched_action *a);
/* All were taken. */
void turns_done(struct gang *s);

/* ---- submit.c, event.c, pass.c, view.c, save.c ---- */

bool gang_job_is_sane(const struct gang *s, const struct sched_job *d);
int gang_submit(struct gang *s, const struct sched_event *ev);
int gang_confirm(struct gang *s, const struct sched_event *ev);
int gang_change(struct gang *s, const struct sched_event *ev);
int gang_priority(struct gang *s, const struct sched_event *ev);
int gang_withdraw(struct gang *s, const struct sched_event *ev);
int gang_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
	     struct sched_decision *d);
int gang_ask_change(void *own, int64_t now, const struct sched_job *job, struct sched_decision *d);
int gang_hold(struct gang *s, const struct sched_event *ev);
int gang_event(void *own, const struct sched_event *ev);
bool gang_next(void *own, struct sched_action *a);
bool gang_poll(void *own, struct sched_action *a);
int gang_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait gang_why(const void *own, uint64_t id);
size_t gang_waiting(void *own);
int gang_view_waiting(const void *own, size_t i, struct sched_view *v);
size_t gang_claims(void *own, struct engine_claims *how);
void gang_claim(void *own, size_t i, struct engine_claim *c);
enum sched_lack gang_lack(void *own, uint64_t id);
int gang_matrix(const void *own, struct sched_matrix *m);
int gang_matrix_place(const void *own, size_t i, struct sched_place *p);
int gang_save(void *own, retell_fn *tell, void *arg);
const struct record_form *gang_form(const void *own, const char *name);
int gang_load(void *own, const struct record_form *form, const void *record);

#endif
