/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work: what a running job has still to do and at what rate, where that is not simply its nodes from its
 * start to its end; and what it has held so far.
 *
 * Work is counted exactly: a second of a job on all its nodes, each of them whole, is SHARE_WHOLE x width
 * units, and is done by n whole nodes in width / n seconds. A job is in step: all its nodes have one share,
 * and its rate is their sum; or in parts, from the first time on that shares differ or nodes are left: then
 * each node has its own part to do, with its own share, and the job is over with the last. A suspended job
 * keeps its shares and nodes, and does nothing. A part is done at the first second by which its work is.
 */
#ifndef PACT_SIM_RUN_WORK_H
#define PACT_SIM_RUN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

/* What a job held during [from, to). */
struct sim_span {
	int64_t from, to;
	int64_t lost;	       /* seconds that were added to its runtime at `from` */
	int32_t width;	       /* nodes */
	bool suspended;	       /* it did nothing, */
	uint32_t share;	       /* else it had this of each of its nodes, in parts of SHARE_WHOLE; */
	uint32_t *shares;      /* or, not NULL, these, by ascending node. Owned. */
	struct nodeset *nodes; /* NULL unless named. Owned. */
};

/* All that it held, without a gap, from its start to its end. */
struct sim_history {
	struct sim_span *span;
	size_t n, room;
};

void sim_history_destroy(struct sim_history *h);

__extension__ typedef unsigned __int128 work_units;

struct work_part {
	work_units left;
	uint32_t share;
};

struct work {
	int64_t since; /* the parts are as of then */
	int64_t next;  /* the next of them is done; PACT_FOREVER: none will be */
	int32_t base;  /* the width for which the runtime holds */
	int32_t width; /* nodes at present */
	bool whole;    /* it has its nodes for itself */
	bool suspended;
	bool in_parts;
	uint32_t n; /* parts: 1 in step; else one per node, by ascending node */
	struct work_part *part;
	struct nodeset *nodes; /* at present; NULL unless named */
	struct sim_history *history;
};

/*
 * Of a job of that width that started at `start`, on its nodes for itself (copied; NULL: no names) with
 * `runtime` seconds to run. NULL: no memory.
 */
struct work *work_create(int32_t width, int64_t runtime, int64_t start,
			 const struct nodeset *nodes);
/* The history is the caller's, if it took it (w->history = NULL). */
void work_destroy(struct work *w);

/* Bring it up to `now`. Then change it: */
void work_advance(struct work *w, int64_t now);
/* The same share of each of its nodes; or one for each, n of them. 0 or PACT_ENOMEM; PACT_EINVAL: not as many as nodes. */
int work_share(struct work *w, uint32_t share, const uint32_t *shares, uint32_t n);
/* Seconds of its runtime, again. */
void work_lose(struct work *w, int64_t seconds);
/* Which parts are done: they leave their nodes. *left: which these are (the caller's), NULL: nothing or no names. */
int work_reap(struct work *w, struct nodeset **left);
/* And what it holds from now on is noted, and `next` found. 0 or PACT_ENOMEM. */
int work_note(struct work *w, int64_t lost);
/* It is over: so is its last span. */
void work_end(struct work *w);

#endif
