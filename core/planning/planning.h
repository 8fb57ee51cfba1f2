/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planning: the planning engine, kernel/engine.h: jobs hold nodes from a planned start to a planned end; a
 * policy (state/plan_policy.h) orders the plan and keeps its own state. Internal to core.
 */
#ifndef PACT_CORE_PLANNING_H
#define PACT_CORE_PLANNING_H

#include "core/kernel/engine.h"
#include "core/planning/state/planner.h"

extern const struct engine engine_planning;

/* ---- repair.c ---- */

/*
 * Bring the plan up to date with the holds: prolong overdue ones, count anew after classes changed,
 * repair placements that collide. To be called before anything is planned. 0 or -1.
 */
int repair(struct planner *s);

/* Is there a hold that should have ended and did not? repair() prolongs it. */
bool overdue(const struct planner *s);

/* Something happens that no pass expects: see policy->prepare. 0 or -1. */
int interrupt_pass(struct planner *s);

/* repair(), and before a decision what the policy needs for one. 0 or -1. */
int repair_for_decision(struct planner *s, bool decision);

/* ---- event.c ---- */

/* Feed one event; s->now is up to date. */
int event_apply(struct planner *s, const struct sched_event *ev);

/* ---- submission.c ---- */

/* Are the jobs of a submission well formed? enum pact_err. */
int jobs_check(struct planner *s, const struct sched_job *d, size_t n);
/*
 * While a job is being started on any of its class's nodes, a job that names nodes and so would split
 * classes cannot be promised anything: the start may yet take the very nodes that it would be promised.
 */
bool jobs_must_wait(const struct planner *s, const struct sched_job *d, size_t n);
/* The jobs of a submission, checked already, in no list yet. NULL: *code says why. */
struct job **jobs_build(struct planner *s, const struct sched_job *d, size_t n, int *code);
void jobs_destroy(struct planner *s, struct job **v, size_t n);

/* ---- change.c ---- */

/* planner_ask_change(); s->now is up to date. */
int change_ask(struct planner *s, const struct sched_job *d, struct sched_decision *out);

/* ---- running.c ---- */

/* The job could not be started now. */
void start_failed(struct planner *s, struct job *j, bool reserve);

/* ---- save.c, and view.c: of the engine ---- */

int planner_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait planner_why(const void *own, uint64_t id);
size_t planner_waiting(void *own);
int planner_view_waiting(const void *own, size_t i, struct sched_view *v);
int planner_save(void *own, retell_fn *tell, void *arg);
const struct record_form *planner_form(const void *own, const char *name);
int planner_load(void *own, const struct record_form *form, const void *record);

/* ---- claims.c: of the engine ---- */

size_t planner_claims(void *own, struct engine_claims *how);
void planner_claim(void *own, size_t i, struct engine_claim *c);
/* What they have worked out; claims_destroy(NULL) is fine. */
void claims_destroy(struct claims *c);
size_t claims_bytes(const struct claims *c);

/* What the views work out together; standing_destroy(NULL) is fine. NULL: no memory. */
struct standing *standing_create(void);
void standing_destroy(struct standing *st);
/* Something may have changed. */
void standing_forget(struct standing *st);
size_t standing_bytes(const struct standing *st);

#endif
