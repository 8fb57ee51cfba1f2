/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line: the waiting jobs in the order of their arrival (submission, then id) or of their priority (highest
 * first, then arrival), for a scheduler that wants the next one, or the next that is narrow or short enough
 * without asking all those between.
 *
 * Places are numbered from the front. A job keeps its place until line_settle(). Internal to core.
 */
#ifndef PACT_CORE_LINE_H
#define PACT_CORE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct line;

/* An empty line; NULL: no memory. */
struct line *line_create(void);
void line_destroy(struct line *l);

/* j waits from now on; its width and duration do not change meanwhile. O(log n), mostly. 0 or -1. */
int line_join(struct line *l, struct job *j);
/* It waits no longer. O(log n). */
void line_leave(struct line *l, struct job *j);

/* A job has another id or priority: it may belong elsewhere. */
void line_unsort(struct line *l);
/* From the next line_settle() on in the order of priority, or not (as an empty line begins). */
void line_rank(struct line *l, bool by_priority);

/* Put in order who came out of turn, and close gaps when they are many. 1: places changed; 0; or -1. */
int line_settle(struct line *l);

/* The place that the next one gets who joins. */
size_t line_length(const struct line *l);

/* Who is asked for: at most so wide, and either no longer than `span` or no wider than `extra`. */
struct line_gap {
	int32_t width;
	int32_t extra;
	int64_t span;
};

/*
 * The first at place *at or behind who fits the gap; *at becomes his place. NULL: nobody. What is
 * skipped costs O(log n) unless its jobs alternate between too wide and too long.
 */
struct job *line_next(const struct line *l, size_t *at, const struct line_gap *gap);
/* The same, whatever its width. O(1) where a job stands at *at. */
struct job *line_any(const struct line *l, size_t *at);

size_t line_bytes(const struct line *l);

#endif
