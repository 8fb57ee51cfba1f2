/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: what the events of kernel/protocol.h do to the planning engine, by subject: jobs that wait, submissions,
 * changes, and what runs or holds nodes. event.c calls these and nothing calls it but the engine. Internal to
 * core/planning.
 *
 * Functions that take an event return enum pact_err; but for lack of memory an error has no effect, and s->call.error
 * says why.
 */
#ifndef PACT_CORE_EVENT_H
#define PACT_CORE_EVENT_H

#include "core/planning/planning.h"

/* ---- waiting.c ---- */

/* The job waits no longer, in the queue or the plan; it is the caller's. `as` as for policy->left. */
void waiting_forget(struct planner *s, struct job *j, const struct placement *as);
/* The job waits from now on, and is the planner's. 0 or -1: no memory, no effect. */
int waiting_adopt(struct planner *s, struct job *j);
/*
 * The job has a promise that was made earlier: the repair finds its place, at the old start (`planned`, -1: none)
 * if that is still possible.
 */
void waiting_restore(struct planner *s, struct job *j, int64_t planned);

int waiting_confirm(struct planner *s, const struct sched_event *ev);
int waiting_withdraw(struct planner *s, const struct sched_event *ev);
int waiting_priority(struct planner *s, const struct sched_event *ev);

/* ---- submission.c ---- */

/* Promise the jobs their deadlines (dry: only say whether that could be), or say why not. 0 or -1: no memory. */
int submission_decide(struct planner *s, struct job **jobs, size_t n, bool dry,
		      struct sched_decision *d);
/* The decision becomes an action. 0 or -1: no memory. */
int submission_answer(struct planner *s, uint64_t id, const struct sched_decision *d);

int submission_take(struct planner *s, const struct sched_event *ev);

/* ---- change.c ---- */

int change_take(struct planner *s, const struct sched_event *ev);

/* ---- running.c ---- */

int running_started(struct planner *s, const struct sched_event *ev);
int running_start_failed(struct planner *s, const struct sched_event *ev);
int running_end_changed(struct planner *s, const struct sched_event *ev);
int running_resized(struct planner *s, const struct sched_event *ev);
int running_finish(struct planner *s, const struct sched_event *ev);
int running_block(struct planner *s, const struct sched_event *ev);

#endif
