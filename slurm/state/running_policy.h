/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running_policy.h - sched/dynp's running policy: told in the log, kept over a restart
 *
 * Whenever the running policy is another one than the one saved, the thread that
 * plans writes it into a file of StateSaveLocation, RUNNING_POLICY_FILE, after the pass,
 * with no lock: a line of text, written beside the old file and renamed over it.
 * It is read before the first plan of a life as the controller in charge, so a
 * controller that was killed, and a backup that takes over, go on with it.  A file of
 * a newer Pact is not understood, and never written over.
 *
 * Without sched/dynp every function here does nothing.
 */
#ifndef PACT_SLURM_RUNNING_POLICY_H
#define PACT_SLURM_RUNNING_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/policies/dynp/dynp.h"

struct bridge;
struct sched_action;

#define RUNNING_POLICY_FILE "pact_policy"

/* What can be seen of it. */
struct running_policy_view {
	bool there;		   /* sched/dynp plans */
	struct dynp_view now;	   /* counted since slurmctld started */
	struct dynp_config config; /* by which it decides */
};

/* The thread that plans begins a new life: what is in memory is out of date. */
void running_policy_forget(void);

/* Read what was saved, once a life.  The thread that plans, with no lock held. */
void running_policy_load(struct bridge *b);

/* Write what has changed.  The thread that plans, with no lock held. */
void running_policy_save(void);

/* The rest with the mutex. */

/* The core is about to be destroyed: its counters are kept. */
void running_policy_part(struct bridge *b);

/*
 * There is a new core, without jobs: it is to go on with the policy that was running.
 * OUT order - that one
 * RET false: there was none, or it is not in Policies= any more (logged)
 */
bool running_policy_resume(struct bridge *b, enum dynp_order *order);

/* The core has switched (ACT_POLICY): say so, and why. */
void running_policy_switched(struct bridge *b, const struct sched_action *action);

/* The core has another configuration: another policy may run now. */
void running_policy_configured(struct bridge *b);

/* The pass is over: its policy is what running_policy_save() writes. */
void running_policy_note(struct bridge *b);

/*
 * Calls visit with each counter and a name that no other has: with a copy of what has been counted so far,
 * or (add) with what another process has counted, which it may raise.
 */
typedef void running_policy_visit(void *arg, const char *name, uint64_t *counter);
void running_policy_tell(struct bridge *b, running_policy_visit *visit, void *arg);
void running_policy_add(running_policy_visit *visit, void *arg);

void running_policy_look(struct bridge *b, struct running_policy_view *out);

/*
 * The measure by which schedules are compared, as Quality= says it: "artww", "artww:2+ms".
 */
void running_policy_measure(const struct dynp_config *c, char *out, size_t size);

#endif /* PACT_SLURM_RUNNING_POLICY_H */
