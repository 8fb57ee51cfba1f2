/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * protocol: what a driver and a scheduler say to each other, by the functions of core/sched.h.
 *
 * The protocol
 *
 *   1. The driver feeds events with sched_event(), in order of time; `now` never goes backwards (a
 *      smaller one is taken as the latest seen). At one instant ends come first, then submissions in
 *      job order.
 *   2. It then calls sched_next() until that says there is no action left. sched_next() makes the
 *      scheduling pass that the events made necessary, and gives one action at a time. A driver that
 *      wants one pass per event (the simulator, doc/papers.md) drains after every event.
 *   3. Each ACT_START must be answered, before the next call of sched_next(), by one of EV_STARTED or
 *      EV_START_FAILED for that job; each of ACT_SUSPEND, ACT_RESUME, ACT_MIGRATE, ACT_RESIZE and ACT_SHARE
 *      by its own event (EV_SUSPENDED, ...) or by EV_REFUSED. The pass goes on with what really happened.
 *      Refused: nothing has changed; the job may just have ended or left nodes, which is told next. That of a
 *      JOB_LEAVES is answered by EV_LEAVING instead of EV_MIGRATED: what becomes of it is told later.
 *   4. sched_poll() gives only the actions that are already decided (answers to submissions, notices of
 *      broken promises) and never plans: it is what an admission under a lock calls.
 *
 * Jobs. A job is known by a 64-bit id that the driver chooses. It is waiting from its submission until
 * it is started or withdrawn, and then running (a hold on its nodes) until EV_FINISH.
 *
 * Shares. A job has its nodes for itself, or a share of its processors on each of them, in parts of
 * SHARE_WHOLE; each node's part of the job progresses by itself, at the rate of its share times the node's
 * rating. On a node the shares times the processors that they are of add up to at most its processors,
 * within one instant only when sched_next() has no more to say. Parts end one by one: EV_LEFT for those
 * before the last, then EV_FINISH. What a driver knows better about a part (it was measured, or waited for
 * another one) it tells by EV_PROGRESS. ACT_SHARES tells a node what all its jobs have from now on, and needs
 * no answer; a job's own ACT_SHARE does. A suspended job makes no progress and leaves its share to others;
 * what else it holds (memory) it keeps. Which engine gives and takes what of this is in doc/engines.md; an
 * engine that does not know such an event answers PACT_EINVAL.
 *
 * Learning. With RiskLimit an engine learns from each job that ends, and tells that by ACT_LEARNED. It keeps it in
 * memory only: a driver that has kept it longer tells it again by EV_PAST, before anything else, and what was known
 * is known again.
 *
 * Nodes. All are alike, of the rating that limits are meant for, with one processor and memory that nobody
 * counts, until EV_NODES tells otherwise. A job with a share takes its processors and memory on each of its
 * nodes from its start to its end there; memory is never given twice.
 *
 * Fine time. Times are seconds. Shares change between them, too: an event may say how many microseconds
 * after `now` it happens (`fine`), and what depends on shares is counted in microseconds. An event at a later
 * microsecond of one second is a later event. Times that are told are rounded up to the second.
 *
 * Time limits. A job without a limit has limit = PACT_FOREVER and holds its nodes for ever in the plan.
 * Planned duration = limit + guard. A promise is kept in the plan when start + limit + guard <= deadline.
 *
 * Malleable jobs. A job may have a range of nodes, width to most. Its limit is its time on width of them, and
 * speedup says how much faster it is on more (speedup.h); as long as it runs it can be given nodes and be asked to
 * give nodes back, by ACT_RESIZE. With notice (`end`) it gives them back by then, or they are taken; until then the
 * answer is EV_LEAVING. EV_RESIZED tells what a job has, whether that was asked for or not. That the job itself would
 * rather not is no EV_REFUSED: its nodes are taken when the notice is over. While it is on, another ACT_RESIZE may ask for
 * more, which is due by its own `end`; what was asked for before stays due when it was, but for nodes that are `allowed`
 * again, which it keeps. The lowest of the nodes that it was started on it is never asked to give back, as its script runs
 * there. A range is a job of width nodes to an engine that does not resize.
 *
 * Holds. Whatever occupies nodes and is not a waiting job is a hold: running jobs, lost nodes,
 * reservations. Holds may overlap on a node; a node is free when no hold covers it. A hold whose end has
 * come while the driver did not end it is overdue and is prolonged by `lateness` at each pass. A driver
 * without a lateness is exact: its nodes are free at that very second, though its end may be told after
 * a start there. One whose jobs may outlive their limits has to have a lateness, or a start may be asked
 * for on nodes where another job runs.
 */
#ifndef PACT_CORE_PROTOCOL_H
#define PACT_CORE_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/limits.h"
#include "core/base/nodeset.h"
#include "core/base/time.h"
#include "core/kernel/record.h"
#include "core/settings/config.h"

/* Pinned: they are exit codes and appear in records. */
enum pact_err {
	PACT_OK = 0,
	PACT_ENOMEM = 10, /* memory is short; the event had no effect, and may be sent again */
	/* (an EV_STARTED that answers an ACT_START ends that; again, it has to name the nodes) */
	PACT_EINVAL =
		11, /* the event or configuration is malformed; no effect; see sched_error() */
	PACT_ENOENT = 12, /* no such job or hold */
	PACT_EEXIST = 13, /* that id is already known */
	PACT_EPROTO = 14, /* the protocol above was not kept */
};

enum {
	/* Restored: the promise was made earlier; no admission. `planned` is kept if that is possible. */
	JOB_PROMISED = 1 << 0,
	/* Decided but without a record yet: it holds its place and is not started until EV_CONFIRM. */
	JOB_UNCONFIRMED = 1 << 1,
	/*
	 * The planner cannot see all that the job needs or how many nodes it will take. ACT_START then
	 * says where it may go without touching a planned job, and the driver finds out whether it can.
	 * width is what it takes at most in whole nodes, as far as known. Never with a deadline.
	 */
	JOB_OPAQUE = 1 << 2,
	/*
	 * With a deadline that is not its own: a promised job waits for it, and starts then. Slurm mode:
	 * it keeps its turn in the order, and its place moves later for those before it, as far as
	 * that deadline allows.
	 */
	JOB_NEEDED = 1 << 3,
	/*
	 * sched_ask() only, of the first job: whether it can be promised is all that is wanted. A refusal
	 * may come without the reason that lies deepest and without an offer, which are most of its cost.
	 */
	JOB_PROBE = 1 << 4,
	/*
	 * On shared nodes, with JOB_PROMISED: it is due by its deadline, as was decided earlier, but nothing was
	 * promised.
	 */
	JOB_EXPECTED = 1 << 5,
	/* Where jobs take turns on their nodes, it gives its own to no other. */
	JOB_WHOLE = 1 << 6,
	/* It stays on the nodes that it was started on. */
	JOB_FIXED = 1 << 7,
	/*
	 * It is migrated by being asked to leave its nodes, for which it has to run there and which takes its time, and by
	 * being started anew on others.
	 */
	JOB_LEAVES = 1 << 8,
	/* Its range is for its start only: it keeps as many nodes as it was started on. */
	JOB_MOLDABLE = 1 << 9,
};

struct sched_job {
	uint64_t id;
	int64_t submit;	  /* ties are broken by it, then by id */
	int64_t eligible; /* artificial deadlines count from it; 0: submit */
	int64_t begin;	  /* not to be started before; 0: none */
	int64_t limit;	  /* seconds, >= 1, or PACT_FOREVER */
	int64_t least; /* slurm mode, no deadline: may be started with less, down to this, if it */
	/* starts earlier for that; 0, or not less than limit: no */
	int64_t deadline; /* asked-for completion; 0: none */
	int64_t priority; /* slurm mode: higher first */
	int64_t planned;  /* start to be kept when restored; < 0: none */
	int32_t width;	  /* nodes, >= 1 */
	int32_t most;	  /* it can use up to so many; not more than width: it has no range */
	int32_t own; /* JOB_PROMISED, with a range: it was promised on so many (sched_decision.own); 0: that is not known */
	int64_t value; /* what its end is worth at best, in millionths; 0: nothing */
	struct list64
		speedup;    /* see speedup.h; 0 numbers: n nodes are n times as fast. Borrowed. */
	int32_t processors; /* on each of them, where nodes are shared; 0: all that the node has */
	int64_t memory;	    /* likewise; in the unit of EV_NODES; 0: none that is counted */
	int64_t user;	    /* whose it is, by any number; 0: not known */
	int64_t migration; /* C, what a migration costs it, seconds, at most MIGRATION_MOST; 0: MigrationCost */
	int64_t grace; /* so much notice it wants before nodes are taken from it, seconds; 0: ResizeGrace. Profit and lazy,
			* whose promises count on ResizeGrace, give no more than that; where that is 0 the malleable engine
			* gives none. */
	uint32_t flags; /* JOB_* */
	uint32_t nalt;	/* alternatives below (several partitions); 0: every node will do */
	const struct nodeset *alt[SCHED_MAX_ALT]; /* borrowed for the call */
	const struct nodeset
		*required; /* nodes that must be among the job's; NULL: none. Borrowed. */
};

enum sched_event_type {
	EV_SUBMIT, /* jobs, njobs: all are admitted or none (a job array). ACT_ACCEPT / ACT_REFUSE
	                  * follows, one for the whole, if any has a deadline and is not JOB_PROMISED */
	EV_CONFIRM, /* id becomes new_id (may be equal): the record of a unconfirmed job has shown up */
	EV_CHANGE,   /* jobs[0] replaces the waiting job of that id. With JOB_PROMISED or without a
	                  * deadline it simply holds from now on; else it is decided like a submission, and
	                  * a refusal leaves the old terms in force. */
	EV_PRIORITY, /* id, priority: new priority of a waiting job */
	EV_WITHDRAW, /* id: a waiting job left (cancelled, held, record never came) */
	EV_STARTED,  /* id, nodes, start, end: runs since start. nodes NULL: as planned, any of the
	                  * class. end: planned end of the hold, 0: start + limit + guard, or its planned
	                  * end if that is less than `lateness` earlier. An id that is not waiting is a
	                  * hold from now on (a job that was running when the driver came up). On shared
	                  * nodes, JOB_PROMISED: it is due by `end`, the guard apart, but not after its deadline.
	                  * A job with a range that was running then: width, left: so many nodes were to be its own,
	                  * and so much of its limit is left to do */
	EV_START_FAILED, /* id, reserve: could not be started now. reserve: it keeps a place in this pass's
	                  * plan (resources); false: nothing is kept free for it (limits, licences). A
	                  * JOB_OPAQUE that was refused free nodes keeps one from the next end of a hold */
	EV_END_CHANGED, /* id, end, reserve: a hold ends at another time (a changed limit, a suspension). Of a job that
			 * has nodes on loan: when it would be done on its own nodes alone from now on, with what loans have
			 * done of it (sched_view.own_end); reserve: it is to end later because it stood still so long, with
			 * all that it has. On shared nodes
			 * a running job is due by then, the guard apart, but not after its deadline; earlier than
			 * it was only if its nodes can give it what that takes without taking it from others. Of one
			 * that takes turns: when it would end if it ran on from now on, without the guard */
	EV_FINISH, /* id, cut: a running job or a block ended, its nodes are free */
	EV_BLOCK,  /* id, nodes, start, end: nodes lost or reserved during [start, end). On shared
	                  * nodes, reserve: what runs there goes on, and only new jobs keep away */
	EV_TIME, /* time has come: due starts. id: of a job that was refused nodes, which it may be given now; 0: of none */
	EV_POLICY, /* dynp: id, an enum dynp_order, is the running policy from now on: what it was
			 * before the driver came up again */
	/*
	 * Of a job that runs. The answers to the actions of these names, EV_LEFT excepted; the first four also
	 * tell what was done by hand. nodes: all that it has from now on, NULL where nodes have no names.
	 */
	EV_SUSPENDED, /* id, reserve: it makes no progress any more. reserve: a driver that has just come up found it
			 * suspended for another job's turn; not by hand, so it has turns of its own */
	EV_RESUMED, /* id, nodes: it goes on, with the share that it had or was given */
	EV_MIGRATED, /* id, nodes: it is on these, running or suspended as before. NULL, of a JOB_LEAVES: it has left its
			* nodes, and waits to be started on those that it was to have. migration: its C from now on, as
			* that was measured; 0: as it was. end: as in EV_END_CHANGED; 0: its limit is what it was */
	EV_RESIZED, /* id, nodes, width: it has so many nodes, asked for or not: it gave some back, one was lost. After
			* EV_LEAVING: of those that it was asked for it may have some still, which it is to give back as before.
			* Of an EV_BLOCK that began at once: so many nodes are lost now. reserve: a driver that has just come up
			* tells what it has on loan; it has fewer of its own than it is to have, and none of these is (lost) */
	EV_SHARED, /* id: it has the shares that it was given */
	EV_REFUSED, /* id: what was asked for was not done, all is as it was. After EV_LEAVING: it stays where it is */
	EV_LEFT, /* id, nodes: its parts on these have ended, it goes on on the others that it has */
	EV_NODES, /* nodes, rating, processors, memory, most: these nodes are so from now on */
	EV_PROGRESS, /* id, nodes, work: each part on these has done so much since its start, whatever its
			 * shares were; the nodes' shares are found anew */
	EV_PAST, /* nodes, past, npast: what jobs of these nodes needed that ended before the scheduler was made
			 * (ACT_LEARNED), the earliest first: it learns that as if they ended now */
	EV_LEAVING, /* id, a JOB_LEAVES: it was asked to leave its nodes, and has them until EV_MIGRATED, EV_REFUSED or
			* EV_FINISH. Also of a driver that has just come up, by an earlier one. Of a job that is to be
			* resized with notice: it was told, and has its nodes until EV_RESIZED, EV_REFUSED or EV_FINISH. Told
			* by an earlier driver: nodes, those that it is to keep; end, when the others are due; 0: in a notice */
};

/* What a job that has ended needed of what it asked for. */
struct sched_past {
	int64_t user;  /* as sched_job.user; 0: not known */
	int64_t limit; /* as it asked for, seconds, >= 1 */
	int32_t part;  /* so much of that, in millionths, at most all of it, */
	bool cut;      /* or more: it was ended before it was done */
};

/* A node of this rating does in a second what limits call a second. */
#define RATING_WHOLE 1000

struct sched_event {
	enum sched_event_type type;
	int64_t now;
	const struct sched_job *jobs; /* SUBMIT, CHANGE */
	size_t njobs;
	uint64_t id;
	uint64_t new_id;
	int64_t priority;
	const struct nodeset *nodes;
	int64_t start;
	int64_t end;
	bool reserve;
	int32_t width; /* STARTED (0: its width), RESIZED */
	int64_t left;  /* STARTED: seconds on its width; 0: it is not told */
	/*
	 * STARTED, of a job with a range: the one of `nodes` that it never gives back, by how many of these come before it. 0: the
	 * lowest, as at a start; by a driver that comes up another one, if the job has lost some since
	 */
	int32_t stays;
	int32_t cleans; /* RESIZED: so many of `nodes` it has given back, and does nothing there: they are not clean yet */
	int32_t fine; /* microseconds after `now`, 0 to 999999 */
	/* NODES */
	int32_t rating; /* work per second at a full share, in parts of RATING_WHOLE; 0: RATING_WHOLE */
	int32_t processors;	       /* 0: 1 */
	int32_t most;		       /* jobs on it at a time; 0: any number */
	int64_t memory;		       /* 0: not counted */
	int64_t work;		       /* PROGRESS: microseconds at a full share of that node */
	bool cut;		       /* FINISH: it was ended, and would have gone on */
	int64_t migration;	       /* MIGRATED, as sched_job.migration */
	const struct sched_past *past; /* PAST */
	size_t npast;
};

enum refuse_reason {
	REFUSE_NONE = 0,
	REFUSE_DISABLED = 1, /* admission is off, or this scheduler makes no promises */
	REFUSE_TOO_LATE =
		2, /* begin or now + limit + guard is past the deadline whatever the load */
	REFUSE_NEVER_FITS = 3, /* more nodes than there are, ever */
	REFUSE_NO_LIMIT = 4,   /* the job itself has no limit */
	REFUSE_FULL = 5,       /* Figure 3 found no feasible plan */
	REFUSE_BUDGET = 6,  /* no answer now: the budget is used up; or an ACT_START is out, and the
				* job names a set of nodes for the first time: ask again after it */
	REFUSE_STARVES = 7, /* feasible only if a job without deadline were starved */
	REFUSE_BLOCKED = 8, /* jobs without a limit or lost nodes hold what it needs, for ever */
	REFUSE_SHARES =
		9, /* too few nodes have a share left that is enough for it and harms nobody */
	REFUSE_CHANCE =
		10, /* its limit does not fit, and its chance to miss the deadline is more than RiskLimit */
	REFUSE_LOSS = 11, /* there is room, but it is worth less than what it takes from others */
};

/* What was decided about a submission or a change, and why. */
struct sched_decision {
	bool accepted;
	/*
	 * Accepted, but nothing is promised: by its own limit it ends `delay` seconds after its deadline, if
	 * that is above 0, and no other job is harmed. `end` is when it is expected to end. Of sched_ask() about a job
	 * without a deadline, where jobs take turns: when it would begin and end, PACT_FOREVER: that is not known.
	 */
	bool expected;
	enum refuse_reason reason;
	int64_t start, end; /* accepted: planned start, and completion (start + limit + guard) */
	int64_t offer_start; /* refused: a start and completion that could be promised now, verified, */
	int64_t offer_end; /* or PACT_FOREVER */
	uint64_t
		critical; /* refused: the job that missed its deadline in the best attempt (may be the */
	int64_t critical_late; /* new one), or would be starved most; by how many seconds; 0: none */
	int32_t attempts;      /* positions tried */
	int32_t violations;    /* in the last one */
	int32_t waiting;       /* jobs in the plan at the time */
	/*
	 * REFUSE_FULL and REFUSE_BLOCKED: of what holds nodes that it may have, the running jobs that end too
	 * late for it, and whether lost or reserved nodes are among that; or, where the waiting jobs are in
	 * its way too, all that run. (Blocked: only what has no end.)
	 */
	int32_t running;
	bool blocked;
	int64_t room_at; /* REFUSE_FULL: by them alone it cannot start before; 0: in time */
	/*
	 * sched_ask(), refused: bounds for what could be asked instead, by what runs and is blocked alone,
	 * as if no job waited. The first job could have at most this limit by its deadline, or be so wide;
	 * 0: not at all; PACT_FOREVER, INT32_MAX: not known. What could be promised has to be asked.
	 */
	int64_t most_limit;
	int32_t most_width;
	/*
	 * Of one job that may be given more nodes than its width for its own: so many are that in the promise, or in what
	 * is on offer. 0: of any other, or nothing is promised or on offer.
	 */
	int32_t own;
	/* Of engines that share nodes: */
	int32_t suited; /* accepted or REFUSE_SHARES: of the nodes that it may have, so many suited */
	uint32_t share; /* accepted: the least share that it begins with on a node */
	int64_t delay;	/* see `expected` */
	/*
	 * With RiskLimit, `expected` or REFUSE_CHANCE: the predicted chance to miss the deadline, in millionths, if
	 * nothing but its own runtime keeps it from it. 0: nothing was predicted.
	 */
	int32_t chance;
};

enum sched_action_type {
	ACT_ACCEPT, /* id (of the first job), decision */
	ACT_REFUSE, /* id, decision; the jobs are not in the queue (a change: old terms stay). Of a job that
		     * waits, with nothing promised (edf): it is in the queue no more */
	ACT_START, /* id, width, allowed, exact, limit; on shared nodes, and of a promised job with a range for
		    * which its limit may be too long, end: by then it is due, the guard apart */
	ACT_BROKEN, /* id, end: promise can no longer be kept; planned end */
	ACT_MENDED, /* id, end: it can be kept after all */
	ACT_POLICY, /* dynp has switched: from, to, row; sched_dynp_view() tells the qualities */
	ACT_WAKE, /* end, fine: send EV_TIME at this time; the last action of a drain, replaces what an
	              * earlier drain asked for (a drain without it: nothing is waited for) */
	/* Of a running job; each has to be answered. */
	ACT_SUSPEND, /* id */
	ACT_RESUME,  /* id, lost: a suspended job goes on where it was */
	ACT_MIGRATE, /* id, allowed, lost: to these nodes, as many as it has; suspended or not. A JOB_LEAVES runs then */
	/*
	 * id, width, allowed, lost, end: width of these nodes; it keeps what it has of them. end: by then it is to have given
	 * up what it has of others, or that is taken; 0: at once
	 */
	ACT_RESIZE,
	ACT_SHARE, /* id, share or shares */
	/*
	 * node, nshares, ids, shares: what each job there has on that node from now on; those that are not named
	 * have nothing there. Not answered.
	 */
	ACT_SHARES,
	/*
	 * id, node, past: with RiskLimit, what was learned from a job that has ended, on that node and maybe others, for
	 * a driver that keeps it (EV_PAST). Not answered.
	 */
	ACT_LEARNED,
};

struct sched_action {
	enum sched_action_type type;
	uint64_t id;
	uint32_t alt; /* START: the alternative chosen */
	int32_t width;
	/*
	 * START, exact, of a job with a range: so many more of the nodes below than width touch nothing that is planned,
	 * should it be given them until it ends
	 */
	int32_t spare;
	bool exact; /* START: the job is planned to take exactly width of the allowed nodes; else
	                    * any number of them is safe (JOB_OPAQUE) */
	/* START: nodes that the job may use without harm to the plan. Owned by the scheduler, valid
	 * until the next call. NULL: the scheduler was never told node names, any will do. */
	const struct nodeset *allowed;
	int64_t limit; /* START: seconds that it gets: its limit, or less, see sched_job.least */
	/*
	 * START, SHARE: its share of its processors on each of its nodes, in parts of SHARE_WHOLE. START, 0: it
	 * has the nodes for itself; else width of them are named, and it may find other jobs there. `shares`,
	 * where they differ: one for each of its nodes, by ascending number, nshares of them; 0: there it does
	 * nothing for now. Borrowed as `allowed`.
	 */
	uint32_t share, nshares;
	const uint32_t *shares;
	const char *
		rule; /* START, of a job with shares: how its nodes give out what they have; a word of
			      * core/sharing/shares/share.h, share_rule_name() */
	bool follows; /* SUSPEND, RESUME: another of these comes next, with nothing to compute before */
	uint32_t node;	     /* SHARES, LEARNED */
	const uint64_t *ids; /* SHARES: nshares of them. Borrowed as `allowed`. */
	/* START, RESUME, MIGRATE, RESIZE: seconds of running without progress that this is taken to cost
	 * where nothing can be measured, in a simulation */
	int64_t lost;
	int64_t end;
	/* RESIZE to fewer nodes: a job, or what else has an id, that the first of the others are for; 0: none */
	uint64_t cause;
	int32_t fine; /* WAKE: microseconds after `end`, see sched_event */
	struct sched_decision decision;
	enum dynp_order from, to; /* POLICY */
	int row;		  /* POLICY: of Table 1, see dynp_case_name(); -1: none */
	struct sched_past past;	  /* LEARNED */
};

/* Of a job that takes turns on its nodes, or where others do. */
struct sched_turns {
	uint32_t rows; /* of the matrix; 0: there is none, and the rest means nothing */
	uint64_t in;   /* those that it is in, a bit each; 0: none */
	uint32_t home; /* one of them; in the others it is a replica */
	bool whole;    /* it is at home in all */
	bool aside;    /* it has started, and no row has its nodes free: it waits for one */
	bool leaves; /* it is to leave its nodes, and has the turns of its home row alone until it has */
	int64_t next; /* a row of its has its turn next; now, if one has it. PACT_FOREVER: it is in none */
	/* of one that is in a row and has not started, or leaves: those that it will have. Borrowed as of sched_place. NULL: else */
	const struct nodeset *nodes;
};

struct sched_view {
	uint64_t id;
	int64_t submit, start,
		end;	    /* planned (waiting) or since/until (running); PACT_FOREVER: none */
	int64_t deadline;   /* asked for, 0: none */
	int64_t artificial; /* artificial deadline, 0: none */
	int32_t width;
	bool running, promised, broken, unconfirmed;
	/*
	 * It takes turns on its nodes: by then it has ended, whatever comes, once it has a place; PACT_FOREVER: that is
	 * not known. Else 0.
	 */
	int64_t bound;
	int64_t aside; /* it is set aside for a promised job until then, as far as is known; 0: it is not */
	/* With a part of its nodes: by when it is due, the guard apart; PACT_FOREVER: at any time. Else 0. */
	int64_t due;
	const char *rule; /* likewise, as sched_action.rule; else NULL */
	struct sched_turns turns;
	/* It has others on loan: its own, until the next call of sched_event() or sched_next(). Else NULL */
	const struct nodeset *own;
	int32_t lent;	/* so many of `width` are on loan, */
	int32_t called; /* and so many of these were called in */
	int32_t lost; /* so many fewer are its own than were to be: they were lost, or taken by hand */
	int64_t call_by; /* the first of these is due then; 0: none is */
	/* When it ends if it has its own nodes alone from now on, the guard in it: what EV_END_CHANGED is about. Where nothing
	 * is lent, and of what waits: `end` */
	int64_t own_end;
	/* Of a running job with a range: when all that it declared is done with the nodes that it has, and those that come, without the guard;
	 * PACT_FOREVER: never. 0: of any other */
	int64_t work_end;
	/* Likewise, so much of its limit is left to do, in seconds on its width, rounded up; PACT_FOREVER: it has no limit */
	int64_t left;
};

/* What a job has of a node that is shared. */
struct sched_part {
	uint64_t id;
	uint32_t share; /* of all that the node has, in parts of SHARE_WHOLE */
	int64_t end; /* when it will have done its limit there, if nothing else comes; PACT_FOREVER: never */
};

/* A node that is shared. */
struct sched_node_view {
	uint32_t parts; /* jobs that have or will have a part of it */
	uint32_t
		spare; /* what no job there needs to be in time, of all that it has, in parts of SHARE_WHOLE */
};

/* The matrix of jobs that take turns: rows by nodes. */
struct sched_matrix {
	uint32_t rows;
	int32_t row;	     /* whose turn it is; -1: no row's, as there is no job */
	int64_t slice;	     /* its number, from 0 on */
	int64_t slice_end;   /* PACT_FOREVER: it has none, there is one row */
	size_t jobs;	     /* that have a place in it */
	uint32_t short_rows; /* so many of the last rows are kept for short jobs */
	const struct nodeset *
		nodes; /* its columns; NULL: all of the machine. Borrowed for the scheduler's life. */
};

/* A job's place there. */
struct sched_place {
	uint64_t id;
	uint64_t
		rows; /* that it is in, a bit each; 0: it is set aside, and comes back into its home */
	uint32_t home; /* one of them; in the others it is a replica */
	bool whole;    /* it is at home in all */
	bool started;
	const struct nodeset
		*nodes; /* the same in each. Borrowed until the next event or action. */
};

/* What a job lacks to have a place in the matrix. */
enum sched_lack {
	LACK_NONE, /* it has one, or nodes are free in a row and others are to have them first */
	LACK_ROW, /* in no row enough of its nodes are free, and not kept for jobs that are about to leave them, and may stay */
	LACK_SHORT,  /* in some, but these are kept for shorter jobs */
	LACK_MEMORY, /* in some that it may have, but with what runs in the other rows there is no memory for it, or no room on the nodes */
	/* in some of these, but the nodes are lost, reserved, promised before it would have ended, or those of a job that has lost its row */
	LACK_HELD,
};

enum sched_wait {
	WAIT_NONE,	/* it may start now */
	WAIT_RESOURCES, /* nodes are busy until the planned start */
	WAIT_BEGIN,	/* its begin time */
	WAIT_PLANNED,	/* nodes are free but planned for others before it would end */
	WAIT_PROMISES,	/* the same, and the promised ones alone do not leave it enough */
	WAIT_FAILED,	/* the driver could not start it */
	WAIT_NEVER,	/* no planned start: something without end holds what it needs */
};

#endif
