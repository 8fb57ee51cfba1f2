/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state: what the domains engine keeps. Its domains keep the rest. Internal to core/domains. */
#ifndef PACT_CORE_DOMAINS_STATE_H
#define PACT_CORE_DOMAINS_STATE_H

#include "core/base/nodeset.h"
#include "core/base/table.h"
#include "core/domains/composition.h"
#include "core/kernel/call.h"
#include "core/kernel/decided.h"

#define NO_DOMAIN UINT32_MAX

struct domain {
	const struct scheduler *of;
	const struct nodeset *nodes; /* of the machine */
	uint32_t n;		     /* how many */
	uint32_t *node;		     /* their numbers in the machine, ascending */
	void *own;		     /* of->engine's */
	bool touched;		     /* something was said to it since it had no more to say */
	int64_t now;		     /* when the last thing was said to it */
	int64_t wake;		     /* when it asked to be woken; PACT_FOREVER: it did not */
	int64_t demand;		     /* nodes that its jobs ask for, waiting and running */
};

/* An id: a job, or what else holds nodes. */
struct member {
	uint64_t id;
	uint64_t in;   /* a bit for each domain that knows it; of one that waits a single one */
	uint32_t alts; /* a bit for each of its alternatives that its domain knows, too */
	int32_t width; /* what it counts in `demand` */
	bool waiting;
};

struct domains {
	const struct composition *parts;
	struct sched_config
		config; /* as given; what the parts get asks this engine for the budget */
	uint32_t n;
	struct domain v[DOMAINS_MOST];
	struct table *members; /* by id */
	struct decided decided;
	int64_t now;		 /* the latest */
	uint32_t turn;		 /* the domain that has its say in this drain */
	bool starting;		 /* an ACT_START is not answered */
	uint64_t starting_id;	 /* the job of that ACT_START */
	bool told;		 /* ACT_WAKE was given since the last call */
	struct nodeset *allowed; /* of the last action */
	struct nodeset *shown;	 /* what was shown last (view.c) */
	struct waiting_at {
		int64_t start, submit;
		uint64_t id;
		uint32_t domain;
		size_t at;
	} * waiting; /* the order of the last domains_waiting() */
	size_t waiting_n;
	struct call call; /* of all domains */
	uint32_t loading; /* the domain whose records come; NO_DOMAIN: none yet; n: all are there */
};

/* ---- state.c ---- */

/* As call_fail(); without the id where it is 0. */
int domains_fail(struct domains *s, int code, const char *what, uint64_t id);
/* A call begins; false: its time is none, and s->call.error says so. */
bool domains_called(struct domains *s, int64_t now);
/* Something is said to it. */
void domain_touch(struct domains *s, struct domain *d);
/* One event to one domain; its nodes and jobs are the domain's. Its error is noted. */
int domain_event(struct domains *s, struct domain *d, const struct sched_event *ev);

/* ---- members ---- */

struct member *member_find(const struct domains *s, uint64_t id);
/* NULL: no memory. It waits in that domain from now on. */
struct member *member_add(struct domains *s, uint64_t id, uint64_t in, int32_t width);
void member_remove(struct domains *s, struct member *m);
/* It is in these domains, and counts there. */
void member_move(struct domains *s, struct member *m, uint64_t in, int32_t width);
/* The first of its domains. */
struct domain *member_domain(struct domains *s, const struct member *m);

/* ---- route.c ---- */

/* Those of the set that are the domain's, in its own numbers; the caller's. NULL: no memory. */
struct nodeset *to_local(const struct domain *d, const struct nodeset *set);
/* A domain's nodes (NULL: all that it has) in the machine's numbers into `out`. */
void to_machine(const struct domain *d, const struct nodeset *local, struct nodeset *out);
/* A bit for each domain that has nodes of the set; of an empty one, the first. */
uint64_t domains_of(const struct domains *s, const struct nodeset *set);

/* Jobs as a domain is to know them. */
struct local_jobs {
	struct sched_job *v;
	size_t n;
	struct nodeset **set; /* what they borrow */
	size_t nsets;
	uint32_t alts; /* of the first: see struct member */
};

/* false: no memory. To be released in either case. */
bool local_jobs_make(struct local_jobs *l, const struct domain *d, const struct sched_job *jobs,
		     size_t n);
void local_jobs_release(struct local_jobs *l);

/*
 * The domains that could take all of these jobs, in the order in which they are to be asked: how many, at
 * least 1. 0: one of the jobs is malformed.
 */
uint32_t route(struct domains *s, const struct sched_job *jobs, size_t n, uint32_t *order);
/* Which of these takes jobs that need no promise. */
uint32_t route_least(const struct domains *s, const struct sched_job *job, const uint32_t *order,
		     uint32_t n);

/* ---- submit.c ---- */

int domains_submit(struct domains *s, const struct sched_event *ev);
int domains_change(struct domains *s, const struct sched_event *ev);
int domains_ask(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
		struct sched_decision *d);
int domains_ask_change(void *own, int64_t now, const struct sched_job *job,
		       struct sched_decision *d);

/* ---- view.c, save.c: of the engine ---- */

int domains_view(const void *own, uint64_t id, struct sched_view *v);
enum sched_wait domains_why(const void *own, uint64_t id);
enum sched_lack domains_lack(void *own, uint64_t id);
size_t domains_waiting(void *own);
int domains_view_waiting(const void *own, size_t i, struct sched_view *v);
int domains_node(const void *own, uint32_t node, struct sched_part *part, uint32_t room,
		 struct sched_node_view *v);
int domains_save(void *own, retell_fn *tell, void *arg);
const struct record_form *domains_form(const void *own, const char *name);
int domains_load(void *own, const struct record_form *form, const void *record);

#endif
