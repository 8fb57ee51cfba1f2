/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what the engine of malleable jobs keeps, and what changes it. Internal to core/malleable.
 *
 * Of the nodes there are two pictures. What is decided: whose each node is to be (allot.h). What is: the nodes that
 * the records show, each job's `at`. Decisions change the former only; pass.c carries it out.
 */
#ifndef PACT_CORE_MALLEABLE_STATE_H
#define PACT_CORE_MALLEABLE_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/base/walk.h"
#include "core/capacity/profile.h"
#include "core/malleable/malleable.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"
#include "core/kernel/held.h"
#include "core/kernel/payoff.h"
#include "core/kernel/progress.h"
#include "core/malleable/fit_queue.h"

struct malleable;

/* What makes them differ. None of it can fail: there is room for all jobs. */
struct malleable_kind {
	/*
	 * Decide anew what is whose. `ended`: something may have become free; else only `fresh`, which waits in the queue,
	 * is new (NULL: nothing is).
	 */
	void (*decide)(struct malleable *s, struct job *fresh, bool ended);
	/* Nothing is promised where these are NULL: */
	/* Floors and what else decisions stand on are made those of now. */
	void (*look)(struct malleable *s);
	/* After that: jobs that were accepted and wait have their turn. */
	void (*retry)(struct malleable *s);
	/* After that: what is to be said to a job with a deadline that is in no list; nothing changes. */
	void (*judge)(struct malleable *s, struct job *j, struct sched_decision *d);
	/* And after that, if it was accepted: so be it. */
	void (*admit)(struct malleable *s, struct job *j, const struct sched_decision *d);
	/* After that, too: idle nodes are given to those that it is most for. */
	void (*give_out)(struct malleable *s);
	/* When time alone has it decide anew; PACT_FOREVER: never. NULL: never. */
	int64_t (*wake)(const struct malleable *s);
};

struct margin_entry {
	int64_t key; /* the least first */
	struct job *job;
	int32_t n;	     /* the nodes that it would have by now */
	int32_t left;	     /* so many may still be taken */
	int64_t worth, less; /* of n; and of one less, or one more */
};

/* See margin.h. */
struct margin {
	struct margin_entry *heap; /* of running jobs; there is room for all */
	size_t n;
	bool fresh;	   /* what follows is so for any job that may have any node */
	int32_t all, idle; /* nodes that there are; idle ones of these, which come first */
	int32_t found;	   /* behind these, so many were looked for: */
	struct job **from; /* whose each is, */
	int64_t *cost;	   /* and what it costs with those before it */
};

/* No node: the end of a list. */
#define NO_NODE UINT32_MAX

struct job {
	uint64_t id;
	int64_t submit, eligible, begin, limit, deadline, priority;
	uint32_t flags;
	int32_t least, most; /* nodes; most is cut at the machine */
	int32_t widest; /* with JOB_MOLDABLE: so many at its start, which it keeps; 0: any other */
	struct list64 speedup;
	struct payoff payoff;
	struct nodeset *alt[SCHED_MAX_ALT]; /* NULL: any node */
	struct nodeset *required;	    /* NULL: none */
	uint32_t nalt, chosen;
	bool picky; /* not any node will do */

	int64_t grace; /* its own notice; 0: it has none. See notice_of() */
	int64_t start; /* -1: not yet */
	/*
	 * While it is to be started: by then as many of its nodes are there as its floor is. Of a promise of an earlier time,
	 * when that is told: when it was to start.
	 */
	int64_t ready;
	struct progress done; /* at the rate of what it has */

	/* decided */
	uint32_t first, last; /* of its nodes, in the order in which it got them */
	int32_t n;
	int64_t rate;  /* on n nodes, 0 for none */
	int32_t floor; /* of them; see set_floors() */
	int32_t lost;  /* of them, held by others: no job gets these from it */
	bool changed;  /* since it was last carried out */

	struct nodeset *at; /* what it has */
	int32_t has;
	struct nodeset *goes; /* of these, what it was asked to give back: see notice_*() */
	int32_t leaving;      /* so many */
	int32_t cleans; /* of what it has, so many it has given back, and does nothing there */
	bool stuck;	/* a change of its nodes was refused, and nothing has happened since */

	bool unconfirmed, promised, broken;
	bool failed; /* its start failed, and nothing has happened since */
	bool kept; /* what it keeps for its start may be too little: that failed, or some of it was lost */
	bool waits;	/* it is in the queue */
	bool listed;	/* it is in `running` */
	int32_t gives;	/* scratch of margin.c */
	bool owed;	/* it is in `accepted` */
	int64_t latest; /* then it is started, whatever that costs */
};

struct malleable {
	const struct malleable_kind *kind;
	struct sched_config config;
	uint32_t nodes;
	int64_t now;
	struct call call;
	struct table *jobs, *holds;
	struct walk walk; /* has room for all holds */

	struct fit_queue queue; /* those that wait and have no nodes yet */
	struct job **running;	/* those that have nodes, or are to be started; the oldest first */
	size_t running_n, running_room;
	struct job *
		*accepted; /* those that were promised an end and wait, by their latest starts */
	size_t accepted_n, accepted_room;

	/* decided; see allot.h */
	struct job **owner; /* of each node; NULL: no job's */
	uint32_t *prev, *next;
	struct nodeset *idle; /* no job's, and not held */
	int32_t idle_n;
	uint32_t *held;	 /* by so many that have begun */
	int64_t *closed; /* from then on it is held; PACT_FOREVER: not as far as is known */
	size_t closings; /* holds that have not begun */

	/* what is, of each node; see notice_*() */
	uint32_t *had;		/* by so many jobs: one, unless the records contradict each other */
	struct nodeset *called; /* some job was asked to give these back, */
	int64_t *due;		/* which are to be there by then; of others it means nothing */

	struct job **todo; /* those that are to be resized or started, the oldest first */
	size_t todo_n, todo_next, todo_room;
	bool todo_fresh;
	bool held_up; /* nodes that some of them are to have are not there yet */
	enum { STEP_SHRINK, STEP_START, STEP_GROW, STEP_DONE } step;

	struct margin margin;
	/* lazy: see lazy.c */
	struct profile *plan, *flat;
	struct profile_change
		*change; /* two for each job, and for what is to be held; and scratch */
	size_t change_room;
	bool plan_good;
	bool has_ahead; /* there is a lookahead: */
	uint64_t ahead_id;
	int64_t ahead;

	bool news; /* it may be to be told that a promise broke, or holds again */

	struct job *asked; /* an action about it was given, and is not answered */
	bool starting;	   /* that action is a start; what it is to have is `allowed` */
	int64_t asked_by;  /* of a resize with notice: when that is over */
	bool dirty;	   /* to be decided anew by the next pass */
	bool odd;	   /* some job is stuck or failed */
	bool told;	   /* the wake-up was asked for since the last event */
	int64_t wake;	   /* when; PACT_FOREVER: not at all */
	int64_t begins_by; /* no job is to begin later */

	struct decided decided;
	int32_t *target; /* scratch, for all jobs */
	struct nodeset *allowed;
	uint32_t *stood; /* scratch, for all nodes: see malleable_step_out() */
};

/* ---- state.c ---- */

/* Room for n more actions, and for n more jobs everywhere. 0 or -1. */
int malleable_reserve(struct malleable *s, size_t n);

bool malleable_is_time(int64_t t);
/* Is it a job that can be on this machine's nodes? */
bool malleable_job_is_sane(const struct malleable *s, const struct sched_job *from);
/* NULL: no memory. */
struct job *malleable_job_make(const struct malleable *s, const struct sched_job *from);
void malleable_job_destroy(struct job *j);
bool job_older(const struct job *a, const struct job *b);
/* It waits in its place in the queue; there is room. */
void job_wait(struct malleable *s, struct job *j);
void job_wait_no_more(struct malleable *s, struct job *j);
/* The queue in the order that the mode wants now. */
void malleable_sort(struct malleable *s);
/* It waits with a promise, there is room; or does not any more. */
void accepted_add(struct malleable *s, struct job *j, int64_t latest);
void accepted_remove(struct malleable *s, struct job *j);
/* It is among those that have nodes, or leaves these. */
void running_add(struct malleable *s, struct job *j);
void running_remove(struct malleable *s, struct job *j);

/* Can it be started if it is given nodes? */
bool job_ready(const struct malleable *s, const struct job *j);

/* When the nodes that it is to have are there: now, unless it is to be started and waits for them. */
int64_t job_from(const struct malleable *s, const struct job *j);

/* The end of some work with the guard in it; PACT_FOREVER: never. */
int64_t malleable_with_guard(const struct malleable *s, int64_t end);

/*
 * When it ends by what is decided, the guard apart. Others may still have some of the nodes that one which runs is to have: until
 * they are there it goes on with the rest.
 */
int64_t malleable_ends(const struct malleable *s, const struct job *j);

/* When one that runs ends if it has its fewest alone from now on, the guard in it. */
int64_t malleable_own_end(const struct malleable *s, const struct job *j);

/* All running jobs are brought up to now, and their floors are set. */
void set_floors(struct malleable *s);

/* What the job has is that from then on; NULL: nothing. */
void job_set_at(struct malleable *s, struct job *j, const struct nodeset *nodes, int64_t from);

/*
 * Notice: what jobs have, by the records, and what of that they were asked to give back. A node that is another job's by
 * decision is there for it when no job has it any more. None of it decides.
 */

/*
 * What the job is given, in seconds: its own. Where promises are made, which count on the setting's, not more than that; and
 * none where nodes are taken at once.
 */
int64_t notice_of(const struct malleable *s, const struct job *j);

/* By so many seconds from now on at the latest a node that is asked for now is there. */
int64_t notice_longest(const struct malleable *s);

/* Has no other job the node? */
bool notice_there(const struct malleable *s, const struct job *j, uint32_t node);

/* Of its nodes some are not to be its, and it was not asked for them; or was, and they are to stay its. */
bool notice_is_due(const struct malleable *s, const struct job *j);

/* It was asked for all that it has and that is not in `keeps`: for what it was not asked for before, by then. */
void notice_give(struct malleable *s, struct job *j, const struct nodeset *keeps, int64_t by);

/* Of what it was asked for it may keep these; NULL: all. */
void notice_keep(struct malleable *s, struct job *j, const struct nodeset *keeps);

/* Does it have just `keeps`, but for what it was asked for? */
bool notice_is_kept(const struct malleable *s, const struct job *j, const struct nodeset *keeps);

/* It has these instead of what it has; NULL: none. */
void notice_has(struct malleable *s, struct job *j, const struct nodeset *nodes);

/* ---- event.c, submit.c, pass.c, view.c, save.c: of struct engine, and what these share ---- */

int malleable_event(void *own, const struct sched_event *ev);
int malleable_hold(struct malleable *s, const struct sched_event *ev, bool begun);
/* Jobs that were to be started, and are to have too few nodes now, wait again. */
void malleable_drop(struct malleable *s);

int malleable_submit(struct malleable *s, const struct sched_event *ev);
int malleable_change(struct malleable *s, const struct sched_event *ev);
int malleable_confirm(struct malleable *s, const struct sched_event *ev);
int malleable_priority(struct malleable *s, const struct sched_event *ev);
int malleable_withdraw(struct malleable *s, const struct sched_event *ev);
int malleable_ask(void *own, int64_t now, const struct sched_job *jobs, size_t n,
		  struct sched_decision *d);
int malleable_ask_change(void *own, int64_t now, const struct sched_job *job,
			 struct sched_decision *d);

bool malleable_next(void *own, struct sched_action *a);
bool malleable_poll(void *own, struct sched_action *a);

int malleable_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait malleable_why(const void *own, uint64_t id);
size_t malleable_waiting(void *own);
int malleable_view_waiting(const void *own, size_t i, struct sched_view *v);

int malleable_save(void *own, retell_fn *tell, void *arg);
const struct record_form *malleable_form(const void *own, const char *name);
int malleable_load(void *own, const struct record_form *form, const void *record);

#endif
