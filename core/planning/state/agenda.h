/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agenda: which waiting jobs are due, and when the next one will be, without looking at the others: a
 * heap of planned starts, for the schedulers that go by kept places (agenda_rules()).
 *
 * Code that changes one job's place says so; what changes many, or does not keep account, spoils the
 * agenda: the next question makes it anew. Internal to core.
 */
#ifndef PACT_CORE_AGENDA_H
#define PACT_CORE_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;
struct planner;

struct agenda_item {
	int64_t start; /* the job's planned start, for ever without a place */
	struct job *job;
};

struct agenda {
	struct agenda_item *v;
	size_t n, room;
	bool fresh; /* v holds all jobs of the queue; else nothing in it counts */
};

/* Does the scheduler, as it is configured, go by kept places? */
bool agenda_rules(const struct planner *s);

/* j is in the queue now; leaves it; has another place. O(log n). */
void agenda_join(struct planner *s, struct job *j);
void agenda_leave(struct planner *s, struct job *j);
void agenda_move(struct planner *s, struct job *j);
void agenda_spoil(struct planner *s);

/*
 * The jobs that are planned to start by t, into out, which has room for the queue, in no order; how
 * many: *n. *next: the first planned start after t, or for ever. O(*n), or O(waiting) once after it was
 * spoilt. 0 or -1: no memory.
 */
int agenda_until(struct planner *s, int64_t t, struct job **out, size_t *n, int64_t *next);

#endif
