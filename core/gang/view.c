/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view: what the gang engine shows of its jobs (sched.h), and why those that wait do so. */
#include "core/gang/state.h"

static int64_t planned_start(const struct gang *s, const struct job *j)
{
	if (j->in.placed)
		return next_turn(s, j);
	if (j->reserved_row < 0)
		return PACT_FOREVER;
	return j->reserved_from > s->now ? j->reserved_from : s->now;
}

static int64_t planned_end(const struct gang *s, const struct job *j, int64_t start)
{
	int64_t end;

	if (!j->in.placed && j->start < 0)
		return start == PACT_FOREVER ? start : time_after(start, job_time(s, j));
	end = j->until > s->now ? j->until : s->now;
	return end > start ? end : start;
}

static void view_turns(const struct gang *s, const struct job *j, struct sched_turns *t)
{
	*t = (struct sched_turns){
		.rows = matrix_rows(s->matrix),
		.in = j->in.placed && !j->in.yields ? turn_rows(j) : 0,
		.home = j->in.home,
		.whole = j->in.whole,
		.aside = j->aside,
		.leaves = is_to_leave(j),
		.next = j->in.placed ? next_turn(s, j) : PACT_FOREVER,
		.nodes = j->in.placed && (j->start < 0 || is_to_leave(j)) ? j->in.columns : NULL,
	};
}

static void view_job(const struct gang *s, const struct job *j, struct sched_view *v)
{
	*v = (struct sched_view){
		.id = j->in.id,
		.submit = j->in.submit,
		.start = j->start >= 0 ? j->start : planned_start(s, j),
		.deadline = j->deadline,
		.width = j->in.width,
		.running = j->start >= 0,
		.bound = j->in.placed || j->start >= 0 ? j->bound : PACT_FOREVER,
		.promised = j->promised,
		.broken = j->broken,
		.unconfirmed = j->unconfirmed,
		.aside = j->in.yields ? j->yields_until : 0,
	};
	v->end = planned_end(s, j, v->start);
	view_turns(s, j, &v->turns);
}

int gang_view(const void *own, uint64_t id, struct sched_view *v)
{
	const struct gang *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (j) {
		view_job(s, j, v);
		return PACT_OK;
	}
	return held_view(s->holds, id, v);
}

enum sched_wait gang_why(const void *own, uint64_t id)
{
	const struct gang *s = own;
	const struct job *j = table_find(s->jobs, id);

	if (!j || j->start >= 0)
		return WAIT_NONE;
	if (j->in.placed) /* its row's turn is to come */
		return next_turn(s, j) > s->now ? WAIT_RESOURCES : WAIT_NONE;
	if (j->begin > s->now)
		return WAIT_BEGIN;
	if (j->failed)
		return WAIT_FAILED;
	return j->reserved_row >= 0 && j->reserved_from <= s->now ? WAIT_PLANNED : WAIT_RESOURCES;
}

enum sched_lack gang_lack(void *own, uint64_t id)
{
	struct gang *s = own;
	struct job *j = table_find(s->jobs, id);

	return j && j->start < 0 && !j->in.placed ? schedule_lack(s, j) : LACK_NONE;
}

static size_t rank_waiting(struct gang *s, size_t n, struct job *j)
{
	s->rank[n] = (struct ranked){ planned_start(s, j), (int64_t)n, 0, j };
	return n + 1;
}

/* Those in the matrix first, then the queue: an order of planned starts as good as the rows have one. */
size_t gang_waiting(void *own)
{
	struct gang *s = own;
	size_t n = 0;

	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->start < 0)
			n = rank_waiting(s, n, j);
	}
	for (size_t i = 0; i < s->queue_n; i++)
		n = rank_waiting(s, n, s->queue[i]);
	gang_sort(s, n);
	s->list_n = n;
	return n;
}

int gang_view_waiting(const void *own, size_t i, struct sched_view *v)
{
	const struct gang *s = own;

	if (i >= s->list_n)
		return PACT_ENOENT;
	view_job(s, s->list[i], v);
	return PACT_OK;
}

int gang_matrix(const void *own, struct sched_matrix *m)
{
	const struct gang *s = own;

	*m = (struct sched_matrix){
		.rows = matrix_rows(s->matrix),
		.row = s->slicing ? (int32_t)row_now(s) : -1,
		.slice = s->slice,
		.slice_end = s->slicing && has_slices(s) ? s->slice_end : PACT_FOREVER,
		.jobs = matrix_jobs(s->matrix),
		.short_rows = s->kind->keeps ? (uint32_t)s->config.short_rows : 0,
	};
	return PACT_OK;
}

int gang_matrix_place(const void *own, size_t i, struct sched_place *p)
{
	const struct gang *s = own;
	const struct job *j;

	if (i >= matrix_jobs(s->matrix))
		return PACT_ENOENT;
	j = job_of(matrix_job(s->matrix, i));
	*p = (struct sched_place){ .id = j->in.id,
				   .rows = j->in.yields ? 0 : j->in.rows,
				   .home = j->in.home,
				   .whole = j->in.whole,
				   .started = j->start >= 0,
				   .nodes = j->in.columns };
	return PACT_OK;
}

/* ---- claims ---- */

/*
 * What each job that has its place has of the nodes until its bound, for the engine beside this one (core/beside), which sees no rows
 * and no turns, but nodes that are taken.
 */
size_t gang_claims(void *own, struct engine_claims *how)
{
	struct gang *s = own;

	if (how) /* none of it is left out */
		how->next = PACT_FOREVER;
	return matrix_jobs(s->matrix) + list_aside(s);
}

/* One that is about to be migrated has both, the old nodes and the new ones. */
void gang_claim(void *own, size_t i, struct engine_claim *c)
{
	struct gang *s = own;
	size_t n = matrix_jobs(s->matrix);
	const struct job *j = i < n ? job_of(matrix_job(s->matrix, i)) : s->list[i - n];

	nodeset_clear(s->columns);
	if (j->in.placed)
		nodeset_or(s->columns, j->in.columns);
	if (j->start >= 0)
		nodeset_or(s->columns, j->at);
	*c = (struct engine_claim){ .id = j->in.id, .end = j->bound, .nodes = s->columns };
	job_may_yield(s, j, c);
}
