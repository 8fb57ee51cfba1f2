/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrange: what is done to a plan, whatever the policy: compressed, counted anew, started from; and the steps
 * of a pass that policies share. Internal to core.
 */
#ifndef PACT_CORE_ARRANGE_H
#define PACT_CORE_ARRANGE_H

#include "core/planning/state/planner.h"

/* ---- report.c ---- */

/* Would the job, placed so, break its promise? */
bool promise_lost(const struct job *j, const struct placement *p);

/* Tell when the promise of a waiting or running job can no longer be kept, or can be again. */
void report_job(struct planner *s, struct job *j);
void report_hold(struct planner *s, struct hold *x);

/* ---- remap.c ---- */

/*
 * The machine's classes changed, or the plan is stale: count the holds anew, and every placement, at the
 * time it has. Those whose nodes were taken from them lose their shares (and tightened is set). 0; -1: no
 * memory, all of them do, and it has to be done again (s->stale).
 */
int remap(struct planner *s);
/* Note the machine's present classes as those for which the plans count. 0 or -1. */
int remap_note(struct planner *s);

/* ---- start.c ---- */

/* Say where the job may go, put that aside, and make the action. false: nowhere (nothing is changed). */
bool start_open(struct planner *s, struct job *j, struct sched_action *out);
/* The answer has come: what was put aside is free again. */
void start_close(struct planner *s);
/* Put aside anew after the plan was rebuilt. */
int start_reopen(struct planner *s);
/* Put what is set aside into another plan (sign -1) or take it out. */
int start_apply(struct planner *s, struct plan *p, int sign);

/* ---- shorten.c ---- */

/* If a job is placed later, and could start now with less than its limit: do so. 0 or -1. */
int shorten_fit(struct planner *s, struct job *j);
/* An opaque job could not be started with its limit: shall the pass try it with its least? */
bool shorten_retry(struct planner *s, struct job *j, bool reserve);
/* It is its turn: with its least, if the pass is at that. */
void shorten_retried(struct planner *s, struct job *j);
/* Its limit is its own again. */
void shorten_undo(struct job *j);

/* ---- compress.c ---- */

/*
 * In planned start order, move each waiting job to an earlier start if there is one (doc/papers.md,
 * conservative: "compress"). Never delays anything. 0 or -1.
 */
int compress(struct planner *s);
/* One job's part of it. */
int compress_one(struct planner *s, struct job *j);
/* The last compression does not count any more: room came that it did not know of. */
void compress_forget(struct planner *s);
/* A hold ended that was to end at `end`: early, or not. */
void compress_ended(struct planner *s, int64_t end);

/* ---- pass.c ---- */

/* Place the job so that it starts now, if it fits, and put that into the plan. */
bool start_now(struct planner *s, struct job *j);

/* The steps of a pass over kept placements: due jobs in planned start order. */
int due_begin(struct planner *s);
struct job *due_step(struct planner *s);

/* After a failed start: the earliest place later than now, or none. 0 or -1. */
int place_later(struct planner *s, struct job *j, bool reserve);

/* Copy the queue into the pass's list in the given order. 0 or -1. */
int list_fill(struct planner *s, enum order_kind kind);
/* The list's jobs from `first` on leave the plan, but for promised ones and one being started. 0 or -1. */
int list_loosen(struct planner *s, size_t first);

#endif
