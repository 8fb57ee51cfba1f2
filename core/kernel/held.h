/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held: nodes that others hold: lost, reserved, or with a job that was never submitted. An engine that names nodes keeps
 * them by id in a table beside that of its own jobs; no id is in both. And what becomes of ids there. Internal to core.
 *
 * Functions that return enum pact_err have no effect when they fail, and tell the call why.
 */
#ifndef PACT_CORE_HELD_H
#define PACT_CORE_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/table.h"
#include "core/base/walk.h"
#include "core/kernel/call.h"

struct held {
	uint64_t id;
	int64_t start, end; /* as they were told */
	struct nodeset *nodes;
	bool block;  /* lost or reserved; else it is a job */
	bool spares; /* a block that what runs there goes on in (sched_event.reserve) */
	bool begun;  /* the engine's own: its start has come */
};

/*
 * What an EV_BLOCK holds, or the EV_STARTED of a job that was never submitted, joins `all`; in `order` there is room for all
 * of these. It has to name some of so many nodes, and to start no later than `latest`. *x: what there is now.
 */
int held_add(struct call *c, const struct table *jobs, struct table *all, struct walk *order,
	     const struct sched_event *ev, uint32_t nodes, int64_t latest, struct held **x);
/* It is held no more. */
void held_remove(struct table *all, struct held *x);
/* One that is in no table any more; NULL: it is none. */
void held_free(struct held *x);
/* None is, and there is no table any more; NULL: there was none. */
void held_destroy(struct table *all);

/* What people see of a job that was never submitted: as sched_view(). */
int held_view(const struct table *all, uint64_t id, struct sched_view *v);

/* Is the id new? PACT_EEXIST: it is one of `jobs`, or of `all` (NULL: there are none). */
int held_is_new(struct call *c, const struct table *jobs, const struct table *all, uint64_t id);
/* Jobs that were submitted, one for each of `from`, are known by their ids: all of them, or none. */
int held_let_in(struct call *c, struct table *jobs, const struct table *all,
		const struct sched_job *from, void *const *job, size_t n);

/*
 * EV_CONFIRM, of a job that is known: from now on it is known by both ids, if they differ. PACT_EEXIST: the new one is
 * not new. To be followed by held_renamed().
 */
int held_rename(struct call *c, struct table *jobs, const struct table *all,
		const struct sched_event *ev, void *job);
/* It is known by the new id only; or, if the rest of it has failed (not `done`), by the old one. */
void held_renamed(struct table *jobs, const struct sched_event *ev, bool done);

#endif
