/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine: what decides. The first of core's two seams (doc/design.md, "Two seams"): every kind of
 * scheduling is one of these, and stands beside the others without knowing them. Nothing here knows a
 * plan, a profile or whole nodes; what a driver may say and hear is in core/sched.h.
 *
 * core/sched.c is the only caller. It calls one function of an engine at a time, never from within another
 * one, and gives back what create() returned as `own`. Errors are enum pact_err unless said otherwise.
 */
#ifndef PACT_CORE_ENGINE_H
#define PACT_CORE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/retell.h"
#include "core/kernel/protocol.h"

/* What a job has of the nodes, or is planned to have: nodes during [start, end). */
struct engine_claim {
	uint64_t id;
	int64_t start, end; /* start 0: it has them now; end PACT_FOREVER: it is not known */
	const struct nodeset *nodes; /* borrowed until the next call */
	/*
	 * It can be set aside for a job of the engine beside this one: from now on, it has ended by min(end - now + extra,
	 * most) after it is back. most 0: it cannot.
	 */
	int64_t extra, most;
	bool waits; /* it has a place, and has not begun */
	bool block; /* lost or reserved, not a job */
};

/* How an engine beside this one wants claims() to be worked out. */
struct engine_claims {
	/*
	 * The i-th of all nodes in the order in which places get them as far as they can choose; asked only as far as that
	 * takes, and no later than claims() comes back. NULL: in the engine's own
	 */
	uint32_t (*order)(void *arg, uint32_t i);
	void *arg;
	int64_t before; /* of places those that begin before then; the others are no claims. PACT_FOREVER: all */
	int64_t next; /* set by claims(): when the first of these others begins; PACT_FOREVER: there is none */
	bool blocks; /* what is lost or reserved is told, too */
	struct nodeset *
		idle; /* set by claims(): what nothing has now; what has begun is no claim then. NULL: it is */
};

struct engine {
	const char *name; /* of the kind, for people: "planning" */
	bool by_number;	  /* its starts name nodes: drivers have to, too */
	bool turns; /* it suspends, resumes and migrates what runs: drivers have to be able to */

	/*
	 * A fresh state over a machine of `nodes` nodes, all up and free. `kind` is the engine's own, from the
	 * registry: which of its schedulers it is to be, in this mode. It may be kept. The configuration is
	 * to be copied. NULL: malformed or no memory; `why` (may be NULL) gets the reason.
	 */
	void *(*create)(const void *kind, uint32_t nodes, const struct sched_config *config,
			char *why, size_t why_size);
	void (*destroy)(void *own);
	/* Other settings from now on, and maybe another kind; as sched_configure(). */
	int (*configure)(void *own, const void *kind, const struct sched_config *config, char *why,
			 size_t why_size);

	/* One event; an error has no effect. */
	int (*event)(void *own, const struct sched_event *ev);
	/* The next action, after whatever pass it takes to find it; false: there is none. */
	bool (*next)(void *own, struct sched_action *action);
	/* The next one that is decided already; it never takes a pass. */
	bool (*poll)(void *own, struct sched_action *action);

	/* As sched_ask() and sched_ask_change(): *d is the answer, and nothing changes. */
	int (*ask)(void *own, int64_t now, const struct sched_job *jobs, size_t njobs,
		   struct sched_decision *d);
	int (*ask_change)(void *own, int64_t now, const struct sched_job *job,
			  struct sched_decision *d);

	/* What people see: as the functions of sched.h with these names. */
	int (*view)(const void *own, uint64_t id, struct sched_view *v);
	enum sched_wait (*why)(const void *own, uint64_t id);
	size_t (*waiting)(void *own);
	int (*view_waiting)(const void *own, size_t i, struct sched_view *v);
	/* As sched_node(), *v zeroed before. NULL: no node is shared. */
	int (*node)(const void *own, uint32_t node, struct sched_part *part, uint32_t room,
		    struct sched_node_view *v);
	/* As sched_matrix() and sched_matrix_place(). NULL: no jobs take turns. */
	int (*matrix)(const void *own, struct sched_matrix *m);
	int (*matrix_place)(const void *own, size_t i, struct sched_place *p);
	/* As sched_lack(). NULL: likewise. */
	enum sched_lack (*lack)(void *own, uint64_t id);

	/*
	 * For an engine that shares the machine with this one (core/beside): what each of its jobs has of the nodes, by
	 * name, or has a place for. claims() works it out and says how many there are, SIZE_MAX: no memory; claim() gives
	 * the i-th, until anything else is said or asked. What the driver has told as held by others is not among it.
	 * `how` NULL: in the engine's own order, all of them, no blocks. NULL: it cannot be asked.
	 */
	size_t (*claims)(void *own, struct engine_claims *how);
	void (*claim)(void *own, size_t i, struct engine_claim *c);

	/*
	 * All that decisions depend on, told in records of the engine's own forms, and taken in again, one by
	 * one (`form` NULL: there are no more): retell.h. form() says what a name means at that point.
	 */
	int (*save)(void *own, retell_fn *tell, void *arg);
	const struct record_form *(*form)(const void *own, const char *name);
	int (*load)(void *own, const struct record_form *form, const void *record);

	/* Why the last call failed; empty: it did not. Valid until the next one. */
	const char *(*error)(const void *own);
	/* As sched_spent(). */
	int64_t (*spent)(const void *own);
	size_t (*bytes)(const void *own);
};

/* A scheduler, as the registry knows it. */
struct scheduler {
	const char *name;
	const struct engine *engine;
	const void *kind;	/* for engine->create(), in paper mode */
	const void *slurm_kind; /* in slurm mode; NULL: it knows the paper mode only */
	/* What it is where Loans says that idle nodes are lent; NULL: none are. */
	const struct scheduler *lending;
};

/* The one that these settings mean. */
static inline const struct scheduler *scheduler_with(const struct scheduler *of,
						     const struct sched_config *config)
{
	return of->lending && config->loans != LOANS_NONE ? of->lending : of;
}

/* As sched_create(), of one that need not be in the registry. It is borrowed until the end. */
struct sched *sched_create_of(const struct scheduler *scheduler, uint32_t nodes,
			      const struct sched_config *config, char *why, size_t why_size);

/* Does its engine tell nodes by number? */
bool sched_by_number(const struct sched *s);

/* The state of a scheduler that is of this engine; NULL: it is of another one. */
void *sched_own(const struct sched *s, const struct engine *engine);

#endif
