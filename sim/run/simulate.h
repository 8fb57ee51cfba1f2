/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: runs a workload through one of the core's schedulers in virtual time, over the very
 * event/action interface that the Slurm bridge uses (core/sched.h).
 *
 * Events of one instant come in this order: ends by job order, nodes that jobs give back after a notice or that are
 * taken at its end, lost and returned nodes and cancellations (struct sim_event) as listed, submissions in job order,
 * wake-ups asked for by the scheduler. After every single one of them the scheduler is drained: one pass per event; but
 * nodes that are given back at one instant are all told before that. Jobs that end at one instant have all left their nodes
 * when the first of these ends is told.
 *
 * A job that is asked with notice to give nodes back (ACT_RESIZE with `end`) goes on with all that it has until it does, as
 * soon as sim_setup.answers says, or until the notice is over and they are taken; its work is counted with what it has.
 *
 * A job runs for its runtime on its nodes, or does as much work at other rates (work.h), or shares its nodes
 * with others (timeshare.h): then parts end at microseconds, as instants of their own, and starts and ends are
 * rounded up to the second when they are told. A start, a resumption, a migration or a larger width on nodes
 * that are in use by a job that has them for itself is an error; whether shares are more than there is, is left
 * to the validator. An action about a job that has ended or left nodes at this very instant, which is not told
 * yet, is refused, or what it says about that job is passed over.
 *
 * To the scheduler a job is known by its place in the workload, counted from 1, so that ties by id
 * are ties by job order whatever numbers the log has.
 */
#ifndef PACT_SIM_SIMULATE_H
#define PACT_SIM_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/policies/dynp/dynp.h"
#include "core/sched.h"
#include "sim/run/answers.h"
#include "sim/run/timeshare.h"
#include "sim/run/work.h"
#include "sim/workload/workload.h"

enum sim_state {
	SIM_WAITING = 0, /* in the queue, or not submitted yet */
	SIM_RUNNING,
	SIM_COMPLETED,
	SIM_KILLED, /* ended at its estimate, which its own runtime exceeded */
	SIM_REFUSED,
	SIM_CANCELLED, /* while it waited or ran */
	SIM_FAILED,    /* lost a node */
};

#define SIM_STATES (SIM_FAILED + 1)

const char *sim_state_name(enum sim_state state);

struct sim_outcome {
	int64_t start, end; /* -1: never */
	enum sim_state state;
	bool promised;	/* it has a deadline, and that was accepted */
	bool expected;	/* it was accepted, but nothing was promised */
	int32_t chance; /* to miss its deadline, as was told in its decision; 0: was not predicted */
	bool broken;	/* the scheduler said that the promise cannot be kept */
	int64_t artificial; /* where jobs are set aside: its artificial deadline, as told at its start; 0: none */
	int64_t aside;	       /* and for how long it was, in seconds (aways.h) */
	bool shared;	       /* it shared its nodes: what it had of them is in sim_setup.shares */
	struct nodeset *nodes; /* where it ran (all that it once held); NULL unless named. Owned. */
	/* What it held when; NULL, and not shared: its width of whole nodes from start to end. Owned. */
	struct sim_history *history;
	struct sim_notices *notices; /* what it was asked to give back; NULL: nothing. Owned. */
};

enum sim_event_type {
	SIM_BLOCK,   /* the nodes are lost or reserved from `start` to `end`; known from `at` on */
	SIM_UNBLOCK, /* the block listed as number `index` ends */
	SIM_CANCEL,  /* the job at place `index` is cancelled */
};

struct sim_event {
	int64_t at;
	enum sim_event_type type;
	size_t index;
	const struct nodeset *nodes;
	int64_t start, end;
};

struct scheduler;

struct sim_setup {
	const char *scheduler;
	const struct scheduler *of; /* it need not be in the registry; NULL: by name */
	uint32_t nodes;
	struct sched_config config;
	const struct sim_node
		*node; /* what each is like; NULL: all alike. The scheduler is told. */
	struct sim_shares
		*shares;	/* gets all that was shared, empty before; NULL: it is forgotten */
	struct answers answers; /* to notices; all 0: at once */
	/* Of each job by its place, instead of that: seconds, or ANSWER_NEVER. NULL: of none. */
	const int64_t *answer;
	bool named; /* keep track of nodes by number, and tell the scheduler, also where it need not know */
	/* A scheduler that makes no promises refuses deadlines (REFUSE_DISABLED). True: the job is
	 * submitted again without one, and runs; false: it is refused like others. */
	bool unpromised;
	const struct sim_event *event; /* in order of time; needs `named` */
	size_t nevents;
	/* Gets what was decided about each job with a deadline, by its place; may be NULL. */
	struct sched_decision *decision;
	/* Called now and then with the jobs submitted so far; may be NULL. */
	void (*progress)(void *arg, size_t submitted, size_t count);
	void *progress_arg;
	/* Called with the scheduler when it was created, and before it is destroyed; may be NULL. */
	void (*created)(void *arg, struct sched *s);
	void (*finished)(void *arg, struct sched *s);
	/* Called once with the scheduler when all events of that time and before are over; may be NULL. */
	void (*look)(void *arg, const struct sched *s);
	int64_t look_at;
	void *sched_arg;
};

struct sim_totals {
	uint64_t events;    /* fed to the scheduler */
	size_t max_waiting; /* longest queue */
	bool is_dynp;
	struct dynp_view dynp; /* of the scheduler dynp, at the end; else all 0 */
};

/*
 * Run it. out[] has workload->count elements and is overwritten; totals may be NULL. On success
 * sim_outcome_release() is due. 0, or enum pact_err with the reason: the
 * scheduler's own, PACT_EPROTO when it starts what cannot be started, PACT_ENOMEM.
 */
int simulate(const struct sim_setup *setup, const struct workload *w, struct sim_outcome *out,
	     struct sim_totals *totals, char *why, size_t size);

void sim_outcome_release(struct sim_outcome *out, size_t count);

#endif
