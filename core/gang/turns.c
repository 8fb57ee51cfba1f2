/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: what runs becomes what should, when an instant is over. Jobs that leave are suspended first, then those with
 * other columns are migrated, then jobs are resumed, then started. A job that runs on but has to be migrated, or
 * pays for a migration, is suspended and resumed.
 */
#include <string.h>

#include "core/base/array.h"
#include "core/gang/state.h"

/* Should its tasks run now? */
static bool has_turn(const struct gang *s, const struct job *j)
{
	return s->slicing && j->in.placed && !j->stopped && matrix_has(&j->in, row_now(s));
}

/* What its migrations cost is paid by running later, or by an interruption. */
static bool has_to_pause(const struct gang *s, const struct job *j)
{
	return j->runs && (!has_turn(s, j) || j->in.moved || j->in.owed > 0);
}

static void add(struct gang *s, enum sched_action_type type, struct job *j)
{
	s->turn[s->turn_n++] = (struct turn){ type, j };
}

/* Those that run without a place in the matrix: they are few. */
static void add_aside(struct gang *s)
{
	size_t n = list_aside(s);

	for (size_t i = 0; i < n; i++) {
		if (s->list[i]->runs)
			add(s, ACT_SUSPEND, s->list[i]);
	}
}

int turns_list(struct gang *s)
{
	size_t n = matrix_jobs(s->matrix), most = 3 * n + s->aside_n;

	if (most > s->turn_room) {
		if (array_grow(&s->turn, 2 * most, sizeof(*s->turn)) < 0)
			return -1;
		s->turn_room = 2 * most;
	}
	s->turn_n = s->turn_next = 0;
	s->settled_at = s->now;
	add_aside(s);
	for (size_t i = 0; i < n; i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (has_to_pause(s, j))
			add(s, ACT_SUSPEND, j);
	}
	for (size_t i = 0; i < n; i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->in.moved && j->start >= 0)
			add(s, ACT_MIGRATE, j);
		else if (j->in.moved)
			j->in.moved = false;
	}
	for (size_t i = 0; i < n; i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (has_turn(s, j) && j->start >= 0 && (!j->runs || has_to_pause(s, j)))
			add(s, ACT_RESUME, j);
	}
	for (size_t i = 0; i < n; i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (has_turn(s, j) && j->start < 0)
			add(s, ACT_START, j);
	}
	return 0;
}

/* What begins to run now, and did not run just before, loses a switch. */
static int64_t lost_of(const struct gang *s, const struct job *j)
{
	return j->in.owed + (j->ran_until == s->settled_at ? 0 : switch_cost(s));
}

/* Is it still to be done? A refusal before may be in its way. */
static bool is_due(const struct gang *s, const struct turn *t)
{
	const struct job *j = t->job;

	if (!j)
		return false;
	switch (t->type) {
	case ACT_SUSPEND:
		return j->runs;
	case ACT_MIGRATE:
		return !j->runs && j->in.moved;
	default:
		return !j->runs && !j->in.moved && has_turn(s, j) && !nodes_busy(s, j->in.columns);
	}
}

bool turns_next(struct gang *s, struct sched_action *a)
{
	while (s->turn_next < s->turn_n) {
		const struct turn *t = &s->turn[s->turn_next++];
		struct job *j = t->job;

		if (!is_due(s, t))
			continue;
		*a = (struct sched_action){ .type = t->type, .id = j->in.id };
		if (t->type == ACT_RESUME || t->type == ACT_START)
			a->lost = lost_of(s, j);
		if (t->type == ACT_MIGRATE || t->type == ACT_START) {
			a->width = j->in.width;
			a->allowed = j->in.columns;
			a->exact = true;
		}
		if (t->type == ACT_START) {
			a->alt = j->chosen;
			a->limit = j->limit;
		}
		s->asked = j;
		s->asked_for = t->type;
		return true;
	}
	return false;
}

void turns_done(struct gang *s)
{
	s->settling = false;
	s->unsettled = false;
	if (!s->slicing || s->slice_start != s->settled_at)
		return;
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->runs && has_turn(s, j))
			j->in.last = s->slice;
	}
}
