/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: what the sharing engine keeps, and what changes it. Internal to core/sharing. Times are microseconds
 * where they are called `at`, `since`, `due` or `now`, seconds elsewhere, as in the protocol. */
#ifndef PACT_CORE_SHARING_STATE_H
#define PACT_CORE_SHARING_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/base/walk.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"
#include "core/kernel/held.h"
#include "core/sharing/chance.h"
#include "core/sharing/shares/share.h"
#include "core/sharing/sharing.h"
#include "core/sharing/shares/step.h"

/* How well a node suits a job. */
enum fit {
	FIT_NOT,
	FIT_LATE, /* it would be late by its own limit, and delays no other: expected, not promised */
	FIT,
};

struct want;
struct sharing;

struct sharing_kind {
	const char *name;
	bool whole;	 /* a job has its nodes for itself, and all jobs wait, by deadline */
	bool best;	 /* the nodes with the least left come first, whatever NodeChoice says */
	bool lasts;	 /* what struct room says decides whether a node suits */
	bool late_alike; /* so do nodes without risk whose parts are all late */
	bool late_never; /* a job that does not fit suits by RiskLimit only */
	/*
	 * Does the node suit, but for its memory and what else is fixed? *left: what it would have left, the less
	 * the fuller; there is scratch. The node is brought up to now.
	 */
	enum fit (*fit)(struct sharing *s, uint32_t node, const struct want *w, int64_t *left);
	/* The least time by which it could be due there and would be in time; SHARE_NEVER: none. */
	int64_t (*least)(struct sharing *s, uint32_t node, const struct want *w);
};

/* One job's part on a node, as it would be. */
struct want {
	int64_t due; /* when it has to be done, absolute */
	int64_t runtime;
	int64_t likely; /* where the runtime does not fit, so much of it has to; SHARE_NEVER: all */
	int64_t memory;
	uint16_t processors; /* 0: the node's */
	bool promise;	     /* it has a deadline of its own */
	const struct job *job;
};

struct node {
	struct share_part *part; /* in the order of deadlines */
	uint32_t n, room;
	uint32_t holds; /* of others, that have begun */
	uint32_t held;	/* and those that are to begin, too */
	int32_t rating;
	int64_t since;	      /* parts are as of then */
	int64_t memory, used; /* memory 0: not counted */
	int64_t closed;	      /* from then on it is held by others; SHARE_NEVER: not */
	uint16_t processors;
	uint32_t most; /* parts at a time; 0: any number */
	bool touched;  /* its shares are to be told */
};

/*
 * What can be said about a node's total share (equation 2) later than it was worked out, without looking at its
 * parts: it does not grow, as no claim does (share.h); and what is left grows by at most first / (first - time)
 * since, because the parts' shares are never more than the processors, and the first deadline is the nearest.
 */
struct room {
	int64_t at;    /* the bounds are of then; SHARE_NEVER: there are none */
	int64_t first; /* the first deadline on it; SHARE_NEVER: no part */
	int64_t left;  /* at least so much is left, */
	int64_t most;  /* and at most this at `at` */
};

/* What only a job that has not started has. */
struct terms {
	int64_t eligible, begin, priority;
	uint32_t flags;
	uint32_t nalt;
	struct nodeset *alt[SCHED_MAX_ALT];
	struct nodeset *required;
	uint32_t chosen; /* of the alternatives */
	bool failed;	 /* its start failed, and nothing has happened since */
};

struct job {
	uint64_t id;
	int64_t submit, limit, deadline;
	int64_t start; /* -1: not yet */
	int64_t memory, user;
	uint64_t pace;	/* of its parts, where they go on in step */
	uint32_t *node; /* of its parts, ascending */
	struct terms *terms;
	struct job *news; /* the next one in sharing.news */
	int32_t width;
	uint32_t n;    /* parts */
	uint32_t late; /* of them, by what is known */
	uint32_t at;   /* its place in sharing.step */
	uint16_t processors;
	bool promised, expected, broken, unconfirmed, suspended, whole;
	bool has_news;
	bool given_up; /* its promise cannot be kept by any shares; counted in `late` */
};

struct sharing {
	const struct sharing_kind *kind;
	struct sched_config config;
	enum share_rule rule;
	uint32_t nodes;
	bool uniform; /* all nodes are alike */
	bool in_step; /* a job's parts go on so: shares are those of the whole machine, not of a node each */
	bool unsettled; /* in step: shares have to be given out anew before time goes on */
	struct node *node;
	struct room *room;  /* of each node */
	struct room *known; /* of the nodes of the job placed last, in their order: before it was */
	int64_t *until;	    /* of each node: see share_until() */
	struct table *jobs, *holds;
	struct walk walk;    /* has room for all holds */
	struct chance *past; /* learned while there is a RiskLimit */
	struct job **queue;  /* those that wait without a place, in order */
	size_t queue_n, queue_room;
	struct job **due; /* accepted and confirmed, to be started; first in first out */
	size_t due_n, due_room;
	struct job *
		news; /* those of which it may be to be told that a promise broke, or holds again */
	struct decided decided;
	struct decided learned; /* what the driver may keep */
	uint32_t *touched;	/* nodes whose shares are to be told */
	uint32_t touched_n;
	int64_t now;
	struct call call;
	bool dirty;	      /* the queue is to be looked at */
	bool told;	      /* the wake-up was, since the last event */
	struct job *starting; /* its ACT_START is not answered */
	struct job *first;    /* nodes are kept for this job that waits; NULL: for none */
	struct nodeset *kept;
	bool recall_first; /* while records are taken in: nodes are kept for that id */
	uint64_t first_id;
	/* scratch */
	struct step step;	   /* where parts go on in step: the machine */
	uint32_t step_room, parts; /* parts that it has room for, and that there are */
	struct share_part *part;   /* of one node, and one more */
	int64_t *end;
	size_t part_room;
	struct nodeset *allowed;
	uint32_t *pick; /* nodes chosen last, room for all */
	int64_t *pick_left;
	uint64_t *ids;
	uint32_t *shares;
	size_t tell_room;
};

/* ---- state.c ---- */

/* Room for that many jobs more that are to be started. 0 or -1. */
int sharing_due_reserve(struct sharing *s, size_t n);
void sharing_due_remove(struct sharing *s, const struct job *j);
/* Scratch for a node with n parts. 0 or -1. */
int sharing_scratch(struct sharing *s, size_t n);
/* Whether its promise holds has to be looked at. */
void note_news(struct sharing *s, struct job *j);
/* In seconds, rounded up. */
int64_t seconds_of(int64_t microseconds);

/* It was decided earlier: whether it was promised, or only expected. */
void sharer_restored(const struct sharing *s, struct job *j);
/* It runs: what only waiting needs is freed. */
void sharer_started(struct job *j);
/* Of a job that is in no list of the state but s->news. */
void sharer_destroy(struct sharing *s, struct job *j);
/* A copy of what was submitted, not yet known. NULL: no memory. */
struct job *sharer_make(const struct sched_job *from);
/* Room in the queue for that many more. 0 or -1. */
int waiting_reserve(struct sharing *s, size_t n);
/* It joins the queue, at its place. 0 or -1: no memory. */
int waiting_add(struct sharing *s, struct job *j);
void waiting_remove(struct sharing *s, struct job *j);
/* What a node would get of it if it were due then; `likely` is as without RiskLimit. */
struct want want_of(const struct sharing *s, const struct job *j, int64_t due);
/* When it is due if it is accepted now. */
int64_t due_of(const struct sharing *s, const struct job *j);

/* ---- node.c: a node's parts ---- */

/* Bring it up to now. */
void node_advance(struct sharing *s, uint32_t node);
/* Room for one part more. 0 or -1. */
int node_reserve(struct node *x);
/* A part joins, idle and without a share; there is room. */
void node_join(struct sharing *s, uint32_t node, struct job *j, int64_t due);
/* The job's part; NULL: none. */
struct share_part *node_part(struct node *x, const struct job *j);
/* It leaves. */
void node_leave(struct sharing *s, uint32_t node, const struct job *j);
/* It is due then; shares are not given out. */
void node_due(struct sharing *s, uint32_t node, const struct job *j, int64_t due);
/* Could it be, in time by its estimate, and take nothing that others claim? There is scratch. */
bool node_suits_due(struct sharing *s, uint32_t node, const struct job *j, int64_t due);
/*
 * Give its shares out anew, and find which parts are late by that: their jobs join s->news. Where parts go on in
 * step, in_step_settle() does it.
 */
void node_share(struct sharing *s, uint32_t node);
/* Forget the bounds. */
void node_unsure(struct sharing *s, uint32_t node);
/* When the job's part will have done its limit, as predicted; there is scratch. */
int64_t node_predict(struct sharing *s, uint32_t node, const struct job *j, uint32_t *share);
/* Are the processors held by others now? */
bool node_lost(const struct sharing *s, uint32_t node);

/* Its shares are to be told. */
void node_touch(struct sharing *s, uint32_t node);
/* The part is late, or it is not. */
void node_set_late(struct sharing *s, struct share_part *p, bool late);

/* ---- in_step.c: where a job's parts go on in step (step.h) ---- */

/* Room for so many parts more. 0 or -1. */
int in_step_reserve(struct sharing *s, size_t n);
void in_step_destroy(struct sharing *s);
/* Give the shares of all nodes out anew if anything has happened, and find which jobs are late by that. */
void in_step_settle(struct sharing *s);
/* After jobs were taken in with their shares. */
void in_step_recall(struct sharing *s);
/* As node_predict() for all parts of the job; NULL: the ends of all jobs are in s->step. */
int64_t in_step_predict(struct sharing *s, const struct job *j, uint32_t *share);

/* ---- fit.c ---- */

/* What the job claims on a node (equation 1), and of how many processors. */
uint64_t fit_claim(const struct sharing *s, uint32_t node, const struct want *w,
		   uint32_t *processors);
/* Would its runtime not fit before it is due there? */
bool fit_is_over(const struct sharing *s, uint32_t node, const struct want *w);

/* ---- choose.c ---- */

/*
 * `width` nodes that suit the job, due then, from its first alternative that has them: into s->pick, ascending,
 * and *alt. *fits: the least fit among them. How many suited (of the alternative with the most; counted no further
 * than needed). The job has places when that is its width.
 */
int32_t choose(struct sharing *s, const struct job *j, int64_t due, uint32_t *alt, enum fit *fits);
/* The earliest time at which it could be due and be in time, rounded up to seconds; SHARE_NEVER: none was found. */
int64_t choose_earliest(struct sharing *s, const struct job *j);
/* Could it ever have its nodes, if nothing else ran? Then *runtime is what it takes on the fastest, microseconds. */
bool choose_ever(struct sharing *s, const struct job *j, int64_t *runtime);
/* Keep nodes for it, those with the most left. */
void choose_kept(struct sharing *s, struct job *j);

/* ---- risk_limit.c: chances to miss, see chance.h ---- */

/* How much of its runtime has to fit where not all of it does: struct want's `likely`. */
int64_t likely_of(const struct sharing *s, const struct job *j, const struct want *w);
/* On the job's fastest nodes, where it takes `runtime`. More than RiskLimit: it is in no case accepted. */
int32_t chance_at_best(const struct sharing *s, const struct job *j, int64_t runtime);
/* On those of s->pick. */
int32_t chance_of_pick(const struct sharing *s, const struct job *j);
/*
 * Its parts on these nodes (NULL: on all) are ending: if it has no others, what it took is learned; cut: or more.
 * 0 or -1: no memory, and nothing has changed.
 */
int chance_ended(struct sharing *s, const struct job *j, const struct nodeset *nodes, bool cut);
/* What ended before the scheduler was made: PACT_OK or what is wrong. */
int chance_past(struct sharing *s, const struct sched_event *ev);

/* ---- decide.c ---- */

/* Parts on these nodes (ascending), without shares. 0 or -1: no memory, and none. */
int sharing_place(struct sharing *s, struct job *j, const uint32_t *node, uint32_t n, int64_t due);
/* They leave, without shares being given out. */
void sharing_unplace(struct sharing *s, struct job *j);
/* So do those of the job that was placed last, if nothing has happened to it since: what was known is known again. */
void sharing_take_back(struct sharing *s, struct job *j);
/* Shares of all its nodes anew. */
void sharing_share_all(struct sharing *s, const struct job *j);
/* When it is due, by its parts, of which it has some; in whole seconds, no later. */
int64_t sharing_due_by(const struct sharing *s, const struct job *j);
/* When it ends, in seconds, by its limit; *share (may be NULL): the least that it has. */
int64_t sharing_predict(struct sharing *s, const struct job *j, uint32_t *share);
/*
 * Decide about jobs, none of which has parts or is known. Accepted: all have their places, without shares.
 * 0 or enum pact_err, nothing has changed then.
 */
int sharing_decide(struct sharing *s, struct job **jobs, size_t n, struct sched_decision *d);

/* ---- event.c ---- */

/* Nodes that the event's id holds; begun: they are held already, by what is recalled. */
int sharing_hold(struct sharing *s, const struct sched_event *ev, bool begun);
/* Whether all nodes are alike. */
void find_uniform(struct sharing *s);

/* ---- submit.c: events, as of the engine ---- */

bool sharer_is_sane(const struct sharing *s, const struct sched_job *d);
int sharing_submit(struct sharing *s, const struct sched_event *ev);
int sharing_confirm(struct sharing *s, const struct sched_event *ev);
int sharing_change(struct sharing *s, const struct sched_event *ev);
int sharing_priority(struct sharing *s, const struct sched_event *ev);
int sharing_withdraw(struct sharing *s, const struct sched_event *ev);

/* ---- event.c, pass.c, view.c, save.c ---- */

int sharing_event(void *own, const struct sched_event *ev);
int sharing_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
		struct sched_decision *d);
int sharing_ask_change(void *own, int64_t now, const struct sched_job *job,
		       struct sched_decision *d);
bool sharing_next(void *own, struct sched_action *a);
bool sharing_poll(void *own, struct sched_action *a);
int sharing_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait sharing_why(const void *own, uint64_t id);
size_t sharing_waiting(void *own);
int sharing_view_waiting(const void *own, size_t i, struct sched_view *v);
int sharing_node(const void *own, uint32_t node, struct sched_part *part, uint32_t room,
		 struct sched_node_view *v);
int sharing_save(void *own, retell_fn *tell, void *arg);
const struct record_form *sharing_form(const void *own, const char *name);
int sharing_load(void *own, const struct record_form *form, const void *record);

#endif
