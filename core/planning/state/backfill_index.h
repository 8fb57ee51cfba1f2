/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill_index: the waiting jobs in the order of their arrival (submission, then id) or of their priority (highest
 * first, then arrival), for a scheduler that wants the next one, or the next that is narrow or short enough
 * without asking all those between.
 *
 * EASY without it, which asks every job, takes 17 % more instructions with short queues (15,000 jobs of a model
 * at load 0.9), 36 % more with those of the SDSC log, and 8 times as long with thousands of waiting jobs (load 3).
 *
 * Places are numbered from the front. A job keeps its place until backfill_arrange(). Internal to core.
 */
#ifndef PACT_CORE_BACKFILL_INDEX_H
#define PACT_CORE_BACKFILL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct backfill_index;

/* An empty one; NULL: no memory. */
struct backfill_index *backfill_create(void);
void backfill_destroy(struct backfill_index *l);

/* j waits from now on; its width and duration do not change meanwhile. O(log n), mostly. 0 or -1. */
int backfill_join(struct backfill_index *l, struct job *j);
/* It waits no longer. O(log n). */
void backfill_leave(struct backfill_index *l, struct job *j);

/* A job has another id or priority: it may belong elsewhere. */
void backfill_unsort(struct backfill_index *l);
/* From the next backfill_arrange() on in the order of priority, or not (as an empty one begins). */
void backfill_rank(struct backfill_index *l, bool by_priority);

/* Put in order the jobs that came out of turn, and close gaps when they are many. 1: places changed; 0; or -1. */
int backfill_arrange(struct backfill_index *l);

/* The place that the next job to join gets. */
size_t backfill_length(const struct backfill_index *l);

/* Which jobs are asked for: at most so wide, and either no longer than `span` or no wider than `extra`. */
struct backfill_gap {
	int32_t width;
	int32_t extra;
	int64_t span;
};

/*
 * The first at place *at or behind that fits the gap; *at becomes its place. NULL: none does. What is
 * skipped costs O(log n) unless its jobs alternate between too wide and too long.
 */
struct job *backfill_next(const struct backfill_index *l, size_t *at,
			  const struct backfill_gap *gap);
/* The same, whatever its width. O(1) where a job stands at *at. */
struct job *backfill_any(const struct backfill_index *l, size_t *at);

size_t backfill_bytes(const struct backfill_index *l);

#endif
