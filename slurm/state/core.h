/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - what the core is told, and what it answers
 *
 * All with the mutex.
 */
#ifndef PACT_SLURM_CORE_H
#define PACT_SLURM_CORE_H

#include "slurm/state/bridge.h"

/* The core's configuration from pact.conf. */
void bridge_sched_config(struct bridge *b, struct sched_config *out);

/* One event; an error is logged with what was tried.  RET true: it had its effect. */
bool bridge_event(struct bridge *b, const struct sched_event *ev, const char *what);

/*
 * The core's answer to the submission or change of job id, just made.
 * OUT decision
 * RET true: accepted
 */
bool bridge_answer(struct bridge *b, uint64_t id, struct sched_decision *decision);

/*
 * Take back a start that the core has asked for and that is not being made yet:
 * to the core it has failed.  Only with one of slurmctld's locks that a start
 * has to wait for, and the mutex.  RET false: there is none
 */
bool bridge_recall(struct bridge *b, int64_t now);

/*
 * The range of a description and what is said of it, for the core.  A job that is not resized takes it up at its start.
 * OUT job - borrows of the description's table
 */
void bridge_range(const struct description *what, struct sched_job *job);

/* The limit of a running job that is resized, as the core is told it: of one that may be trimmed what was promised. Seconds. */
int64_t bridge_run_limit(const struct snap_job *j);
/* What it has left of that, by its record, in seconds on the nodes that this is for; at least 1. */
int64_t bridge_run_left(const struct snap_job *j);

/*
 * Are the core's nodes Slurm's of the same numbers?  A reconfiguration of 22.05 in place makes their table anew, maybe in another
 * order: until the next pass nothing is done or promised by these numbers then.  Node read lock; O(1) if there was none.
 */
bool bridge_same_nodes(const struct bridge *b);

/* A number for what the core plans with: width, times and nodes, not id, order or promise. */
uint64_t bridge_shape(const struct sched_job *job);

#endif /* PACT_SLURM_CORE_H */
