/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * found: jobs that are where they are, whatever was planned: a driver tells it, or they stay where they were to leave. They get a row
 * in which they have these nodes, if there is one.
 */
#include "core/gang/state.h"

/* The fullest row that has its nodes free, its home before all. */
static bool place_at(struct gang *s, struct job *j, uint32_t home)
{
	uint32_t rows = matrix_rows(s->matrix);

	if (reaches_promise(s, j->at, job_bound(s, j)))
		return false;
	matrix_order(s->matrix, true, s->order);
	for (uint32_t i = 0; i <= rows; i++) {
		uint32_t row = i ? s->order[i - 1] : home;

		if (row >= rows || !matrix_open(s->matrix, &j->in, row, j->at))
			continue;
		matrix_place(s->matrix, &j->in, row, j->at, first_whole(s) - 1);
		j->rest = 0;
		job_bind(s, j);
		return true;
	}
	return false;
}

bool job_readmit(struct gang *s, struct job *j)
{
	if (!place_at(s, j, j->in.home))
		return false;
	job_set_aside(s, j, false);
	return true;
}

void leavers_mark(struct gang *s)
{
	matrix_forget_left(s->matrix);
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++)
		if (is_to_leave(job_of(matrix_job(s->matrix, i))))
			matrix_leave(s->matrix, matrix_job(s->matrix, i),
				     job_of(matrix_job(s->matrix, i))->at);
}

/* ---- what is called back ---- */

static bool is_in(const struct job *j, uint32_t row, const struct nodeset *columns)
{
	return matrix_has(&j->in, row) && nodeset_overlap(j->in.columns, columns);
}

/* Are some of these kept in the row for one that is about to leave them, or may stay? */
static bool is_kept(const struct gang *s, uint32_t row, const struct nodeset *columns)
{
	return nodeset_overlap(matrix_left(s->matrix, row), columns);
}

/* It is still to leave its nodes, and would have its turns there in a row where others have these. */
static bool keeps_back(const struct gang *s, const struct job *j, uint32_t row)
{
	return is_to_leave(j) &&
	       (nodeset_overlap(matrix_taken(s->matrix, row), j->at) || is_kept(s, row, j->at));
}

/* Is all that has its columns in the row such as may wait again? */
static bool can_empty(const struct gang *s, const struct job *j, uint32_t row)
{
	struct nodeset *rest = s->columns;

	if (is_kept(s, row, j->in.columns))
		return false;
	nodeset_copy(rest, matrix_taken(s->matrix, row));
	nodeset_and(rest, j->in.columns);
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct job *k = job_of(matrix_job(s->matrix, i));

		if (is_in(k, row, j->in.columns) && k->start < 0)
			nodeset_and_not(rest, k->in.columns);
	}
	return nodeset_empty(rest);
}

/* What has not started waits again if it is there in the row. */
static void empty_row(struct gang *s, uint32_t row, const struct nodeset *columns)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix);) {
		struct job *j = job_of(matrix_job(s->matrix, i));

		if (!is_in(j, row, columns) || j->start >= 0) {
			i++;
			continue;
		}
		job_withdraw(s, j);
		gang_enqueue(s, j);
	}
}

/*
 * Another row that has its columns free, and keeps it waiting for no longer than a cycle; by_force: or would if what has not
 * started left it. -1: there is none.
 */
static int other_row(struct gang *s, const struct job *j, uint32_t row, bool by_force)
{
	uint32_t rows = j->in.whole || j->in.yields ? 0 : rows_for(s, j);

	for (uint32_t r = 0; r < rows; r++) {
		if (r != row && matrix_clock(s->matrix, &j->in, r, first_whole(s)) &&
		    !keeps_back(s, j, r) &&
		    (by_force ? can_empty(s, j, r)
			      : matrix_open(s->matrix, &j->in, r, j->in.columns)))
			return (int)r;
	}
	return -1;
}

/* What is there in the row goes to other rows, or waits again if it has not started. False: it cannot, and nothing has changed. */
static bool clear_row(struct gang *s, uint32_t row, const struct nodeset *columns)
{
	if (is_kept(s, row, columns))
		return false;
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct job *j = job_of(matrix_job(s->matrix, i));

		if (is_in(j, row, columns) && j->start >= 0 && other_row(s, j, row, true) < 0)
			return false;
	}
	for (size_t i = 0; i < matrix_jobs(s->matrix);) {
		struct job *j = job_of(matrix_job(s->matrix, i++));
		int other = is_in(j, row, columns) ? other_row(s, j, row, false) : -1;

		if (other < 0 && is_in(j, row, columns) && j->start >= 0) {
			other = other_row(s, j, row, true);
			empty_row(s, (uint32_t)other, j->in.columns);
			i = 0; /* the list is another */
		}
		if (other >= 0)
			matrix_rehome(s->matrix, &j->in, (uint32_t)other);
	}
	empty_row(s, row, columns);
	return true;
}

/* It has had its turns as if nothing had been, and so its bound still holds, unless it is past, or was set aside meanwhile. */
static int64_t bound_back(const struct gang *s, const struct job *j, bool yielded)
{
	int64_t bound = job_bound(s, j);

	return !yielded && j->bound > s->now && j->bound < bound ? j->bound : bound;
}

/*
 * It stays where it is, and runs in every cycle as if it had never been to leave: in a row whose turn comes in time. If
 * none has its nodes free, what a pass has put there instead is put elsewhere; not once turns are being taken by that.
 */
static bool goes_back(struct gang *s, struct job *j, int64_t bound)
{
	uint32_t rows = matrix_rows(s->matrix);
	bool may_clear = s->unsettled && !s->settling;

	if (reaches_promise(s, j->at, bound))
		return false;
	/* replicas are in no job's way */
	if (may_clear && !matrix_open(s->matrix, &j->in, j->in.home, j->at))
		clean_matrix(s->matrix);
	for (uint32_t i = 0; i < (may_clear ? 2 : 1) * (rows + 1); i++) {
		uint32_t row = i % (rows + 1) ? i % (rows + 1) - 1 : j->in.home;

		if (!matrix_clock(s->matrix, &j->in, row, first_whole(s)) ||
		    (i > rows && !clear_row(s, row, j->at)) ||
		    !matrix_open(s->matrix, &j->in, row, j->at))
			continue;
		matrix_place(s->matrix, &j->in, row, j->at, j->in.last);
		j->rest = 0;
		job_bind(s, j);
		j->bound = bound;
		return true;
	}
	return false;
}

void job_found(struct gang *s, struct job *j, const struct nodeset *nodes)
{
	bool runs = j->runs, back = nodes == j->at && j->in.placed && j->in.moved;
	bool yielded = j->in.yields;

	for (uint32_t i = j->nalt; i--;) {
		if (!j->alt[i] || nodeset_subset(nodes, j->alt[i]))
			j->chosen = i;
	}
	j->in.eligible = j->nalt ? j->alt[j->chosen] : NULL;
	if (j->in.placed && !j->in.moved && nodeset_equal(j->in.columns, nodes)) {
		job_set_runs(s, j, false);
		if (nodes != j->at)
			nodeset_copy(j->at, nodes);
		job_set_runs(s, j, runs);
		return;
	}
	job_set_runs(s, j, false);
	job_set_aside(s, j, false); /* it was so on other nodes */
	if (back)
		job_count_left(s, j);
	if (j->in.placed)
		matrix_remove(s->matrix, &j->in);
	if (nodes != j->at)
		nodeset_copy(j->at, nodes);
	if (nodes == j->at)
		job_refund(s, j);
	else
		job_settle(s, j);
	j->in.width = (int32_t)nodeset_count(nodes);
	j->in.moved = false;
	job_set_runs(s, j, runs);
	if (back || matrix_is_left(s->matrix))
		leavers_mark(s);
	if (!(back && goes_back(s, j, bound_back(s, j, yielded))) && !job_readmit(s, j)) {
		job_bind(s, j);
		job_set_aside(s, j, true);
	}
}
