/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work: what a running job that has its nodes for itself has still to do and at what rate, where that is not
 * simply its nodes from its start to its end; and what it has held so far. (Jobs that share nodes: shared.h.)
 *
 * Work is counted exactly: a second on n nodes is as many units as the job's speed on n of them, in millionths of that of
 * one node (core/kernel/speedup.h); without a speed-up n nodes are n times as fast. All its nodes are in step. A suspended
 * job keeps its nodes, and does nothing. A node that it was just given does nothing until it has been launched: n are then
 * those that have. A job is done at the first second by which its work is.
 */
#ifndef PACT_SIM_RUN_WORK_H
#define PACT_SIM_RUN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"
#include "core/kernel/speedup.h"
#include "sim/run/notices.h"
#include "sim/workload/workload.h"

/* What a job held during [from, to). */
struct sim_span {
	int64_t from, to;
	int64_t lost;	       /* seconds that were added to its runtime at `from` */
	int32_t width;	       /* nodes */
	bool suspended;	       /* it did nothing */
	bool moved;	       /* it was told to have these nodes, as many or not, from `from` on */
	struct nodeset *nodes; /* NULL unless named. The history's: spans in a row may have one. */
};

/* All that it held, without a gap, from its start to its end. */
struct sim_history {
	struct sim_span *span;
	size_t n, room;
	uint32_t
		first; /* the lowest node that it was started on, also where it had others in the same second; if they are named */
};

void sim_history_destroy(struct sim_history *h);

__extension__ typedef unsigned __int128 work_units;

struct work {
	int64_t since;		      /* what is left is as of then */
	int64_t next;		      /* it is done; PACT_FOREVER: as it is, never */
	int32_t base;		      /* the width for which the runtime holds */
	int32_t width;		      /* nodes at present */
	const struct list64 *speedup; /* NULL: linear. Not owned. */
	bool suspended;
	bool moved; /* since it was noted last */
	work_units left;
	struct nodeset *nodes; /* at present; NULL unless named */
	struct launch launch;
	int64_t began;
	int64_t *
		ready; /* when each node works for it, by number, < 0: it has not the node; NULL: all that it has do */
	struct sim_history *history;
	struct sim_notices *notices; /* NULL: there were none */
};

/*
 * Of a job of that width and speed-up (NULL: linear; it stays the caller's) that started at `start`, on its nodes
 * (copied; NULL: no names) with `runtime` seconds to run. NULL: no memory.
 * IN launch - copied; NULL: all nodes work at once
 */
struct work *work_create(int32_t width, const struct list64 *speedup, int64_t runtime,
			 int64_t start, const struct nodeset *nodes, const struct launch *launch);

/* The speed on so many nodes, of a job of that speed-up (NULL: linear): units per second. */
int64_t work_rate(const struct list64 *speedup, int32_t nodes);
/* The history is the caller's, if it took it (w->history = NULL), and so are the notices. */
void work_destroy(struct work *w);

/* Bring it up to `now`. Then change it: */
void work_advance(struct work *w, int64_t now);
/* Seconds of its runtime, again. */
void work_lose(struct work *w, int64_t seconds);
/* And what it holds from now on is noted, and `next` found. 0 or PACT_ENOMEM. */
int work_note(struct work *w, int64_t lost);
/* It is over: so is its last span. */
void work_end(struct work *w);

#endif
