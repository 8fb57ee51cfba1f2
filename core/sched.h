/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched: the one way into the core. A scheduler is a state machine that takes events and gives actions,
 * and knows no clock, no thread, no file and no Slurm. The simulator and the Slurm bridge are its two
 * drivers (doc/design.md, "One idea"). What they say to each other is in kernel/protocol.h.
 */
#ifndef PACT_CORE_SCHED_H
#define PACT_CORE_SCHED_H

#include "core/kernel/protocol.h"
#include "core/settings/settings.h"

struct sched;

/*
 * A scheduler by name (sched_names; msb, mrt and qops-best know the paper mode only) over a machine of
 * `nodes` nodes, all up and free; or several, each with nodes of its own: "qops@0-63+easy@64-127"
 * (core/domains/domains.h), with one configuration of which each takes what is its own, and what stands behind its
 * name goes before: "librarisk:RiskLimit=0.2@0-7+librarisk@8-15".
 * NULL: unknown name, malformed configuration or no memory; `why` (may be NULL) gets the reason.
 */
struct sched *sched_create(const char *name, uint32_t nodes, const struct sched_config *config,
			   char *why, size_t why_size);
void sched_destroy(struct sched *s);

/* NULL-terminated list of the registered schedulers' names. */
const char *const *sched_names(void);

/* Could it be a name, on a machine that has the nodes it says? why (may be NULL) gets the reason. */
bool sched_name_valid(const char *name, char *why, size_t size);
/*
 * Is it one on a machine of so many nodes? *widest gets the most that one job can have there. False: why (may
 * be NULL) gets the reason.
 */
bool sched_name_fits(const char *name, uint32_t nodes, uint32_t *widest, char *why, size_t size);
/* Does this scheduler, one by a valid name, say by number which nodes a job gets? */
bool sched_name_by_number(const char *name);
/* Does this scheduler, one by a valid name of a single one, suspend and resume jobs? */
bool sched_name_turns(const char *name);
/* The i-th scheduler that a valid name is made of; false: it has not so many. */
bool sched_name_part(const char *name, uint32_t i, char *part, size_t size);

/* Other settings from now on; waiting jobs keep theirs (artificial deadlines are not moved). */
int sched_configure(struct sched *s, const struct sched_config *config, char *why, size_t why_size);

/* Returns enum pact_err. An error has no effect on the state; sched_error() says why. */
int sched_event(struct sched *s, const struct sched_event *ev);
const char *sched_error(const struct sched *s);

/*
 * The next action. False: there is none, or memory was short, or the last action was not answered;
 * sched_error() says which of the two, and is empty otherwise. After lack of memory the next call tries
 * again, from the plan as the events have it.
 */
bool sched_next(struct sched *s, struct sched_action *action);
bool sched_poll(struct sched *s, struct sched_action *action);

/*
 * The same question as EV_SUBMIT, and nothing changes, but that in slurm mode the waiting jobs get the
 * places that the next pass would give them if something has come since the last one. 0 or enum
 * pact_err; *d is the answer. Also how a plan is asked "could this be promised" without a hold.
 */
int sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t njobs,
	      struct sched_decision *d);

/*
 * The same question as EV_CHANGE with a decision, and nothing changes: the old terms stand, whatever the
 * answer. For a driver that learns only later whether the change is made.
 */
int sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
		     struct sched_decision *d);

/* One job. 0 or PACT_ENOENT. */
int sched_view(const struct sched *s, uint64_t id, struct sched_view *v);

/*
 * Of several schedulers, which has the job: its place in the name that they were created by, and its name in
 * *name. -1: there is only one, or no such job.
 */
int sched_domain(const struct sched *s, uint64_t id, const char **name);

/*
 * Why a waiting job waits; WAIT_NONE of any other. It costs a search of the plan; and once after each event or
 * action, where nodes are free that promised jobs may have, O(waiting jobs).
 */
enum sched_wait sched_why(const struct sched *s, uint64_t id);

/*
 * A node whose jobs share it: the first `room` of its parts, by their deadlines, and what it is like. 0, or
 * PACT_ENOENT: there is no such node, or its jobs do not share it. It costs a prediction of the node's ends.
 */
int sched_node(const struct sched *s, uint32_t node, struct sched_part *part, uint32_t room,
	       struct sched_node_view *v);

/*
 * The matrix of jobs that take turns, of the part-th scheduler that its name is made of (of a single one: 0). 0, or
 * PACT_ENOENT: there is none, or there are not so many.
 */
int sched_matrix(const struct sched *s, uint32_t part, struct sched_matrix *m);
/* The i-th job of it, in the order in which they got their places. 0 or PACT_ENOENT. */
int sched_matrix_place(const struct sched *s, uint32_t part, size_t i, struct sched_place *p);
/* What a waiting job lacks there; LACK_NONE of any other. It costs a search of the matrix. */
enum sched_lack sched_lack(const struct sched *s, uint64_t id);

/*
 * The waiting jobs in planned start order: sched_waiting() sorts them and says how many there are; then,
 * until the next event or action, sched_view_waiting() gives the i-th. 0 or PACT_ENOENT.
 */
size_t sched_waiting(struct sched *s);
int sched_view_waiting(const struct sched *s, size_t i, struct sched_view *v);

/* Bytes that the scheduler holds per waiting job and in all; for bounds. */
size_t sched_bytes(const struct sched *s);

#endif
