/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capacity: what a row has free over time, a profile by counts: without what is at home in the row, until its predicted
 * end, what is held by others or by jobs that have lost their row, and the reservations of those that wait. A node counts once, however many hold it,
 * and not beside the job that is there.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/gang/state.h"

/* ---- changes ---- */

static int change_reserve(struct gang *s, size_t n)
{
	if (n <= s->change_room)
		return 0;
	if (array_grow(&s->change, 2 * n, sizeof(*s->change)) < 0 ||
	    array_grow(&s->change_scratch, 2 * n + 1, sizeof(*s->change)) < 0)
		return -1;
	s->change_room = 2 * n;
	return 0;
}

static size_t add_use(struct gang *s, size_t n, int64_t from, int64_t until, int32_t width)
{
	from = from > s->now ? from : s->now;
	if (until <= from)
		return n;
	s->change[n++] = (struct profile_change){ from, -width };
	if (until < PACT_FOREVER)
		s->change[n++] = (struct profile_change){ until, width };
	return n;
}

static int64_t reserved_until(const struct gang *s, const struct job *j)
{
	return time_after(j->reserved_from, job_time(s, j));
}

static size_t add_job(struct gang *s, size_t n, const struct job *j)
{
	return add_use(s, n, s->now, job_until(s, j), j->in.width);
}

static size_t add_jobs(struct gang *s, size_t n, uint32_t row)
{
	for (size_t i = 0; i < matrix_at_home(s->matrix, row); i++)
		n = add_job(s, n, job_of(matrix_home_job(s->matrix, row, i)));
	for (size_t i = 0; matrix_whole(s->matrix) && i < matrix_jobs(s->matrix); i++) {
		const struct job *j = job_of(matrix_job(s->matrix, i));

		if (j->in.whole)
			n = add_job(s, n, j);
	}
	return n;
}

/* Of jobs that come before that one; NULL: of all. */
static size_t add_reservations(struct gang *s, size_t n, uint32_t row, const struct job *before)
{
	for (size_t i = 0; i < s->queue_n; i++) {
		const struct job *j = s->queue[i];

		if (before && !comes_before(s, j, before))
			break;
		if (j->reserved_row >= 0 && (j->in.whole || (uint32_t)j->reserved_row == row))
			n = add_use(s, n, j->reserved_from, reserved_until(s, j), j->in.width);
	}
	return n;
}

/* ---- what is held by others ---- */

static int64_t hold_end(const struct gang *s, const struct held *x)
{
	return x->end > s->now ? x->end : s->now + s->config.lateness;
}

static int by_time(const void *a, const void *b)
{
	const struct hold_edge *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return y->by - x->by; /* begins first: what is held on is not free for an instant */
}

static void add_edges(struct gang *s, int64_t from, int64_t until, const struct nodeset *nodes,
		      size_t *changes)
{
	s->edge[s->edge_n++] = (struct hold_edge){ from, 1, nodes };
	s->edge[s->edge_n++] = (struct hold_edge){ until, -1, nodes };
	*changes += 2 * (nodeset_count(nodes) + 1);
}

/* Where holds, and jobs that have lost their row, begin and end, in order of time; *changes: how many they may make in a row. 0 or -1: no memory. */
static int list_edges(struct gang *s, size_t *changes)
{
	size_t most = 2 * (table_count(s->holds) + s->aside_n);
	const struct held *x;
	const struct job *j;

	if (most > s->edge_room) {
		if (array_grow(&s->edge, 2 * most, sizeof(*s->edge)) < 0)
			return -1;
		s->edge_room = 2 * most;
	}
	s->edge_n = 0;
	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		int64_t from = x->start > s->now ? x->start : s->now, until = hold_end(s, x);

		if (from < until && !hold_lingers(s, x))
			add_edges(s, from, until, x->nodes, changes);
	}
	for (size_t i = 0; s->aside_n && (j = table_next(s->jobs, &i));) {
		if (j->aside)
			add_edges(s, s->now, job_until(s, j), j->at, changes);
	}
	if (s->edge_n)
		qsort(s->edge, s->edge_n, sizeof(*s->edge), by_time);
	return 0;
}

/* From this edge on the node is held, or is not any more; others may hold it, too. */
static bool turns(struct gang *s, const struct hold_edge *e, uint32_t node)
{
	s->held[node] += (uint32_t)e->by;
	return e->by > 0 ? s->held[node] == 1 : !s->held[node];
}

static void forget_edges(struct gang *s)
{
	if (s->edge_n)
		memset(s->held, 0, s->nodes * sizeof(*s->held));
}

/* Until when a job that is at home in the row has the node. */
static int64_t taken_until(const struct gang *s, uint32_t row, uint32_t node)
{
	const struct matrix_job *j = matrix_at(s->matrix, row, node);

	return j && (j->whole || j->home == row) ? job_until(s, job_of(j)) : s->now;
}

/* Held nodes count where the row's own job has left them. */
static size_t add_holds(struct gang *s, size_t n, uint32_t row)
{
	forget_edges(s);
	for (size_t i = 0; i < s->edge_n; i++) {
		const struct hold_edge *e = &s->edge[i];
		int32_t at_once = 0;

		for (uint32_t c = nodeset_next(e->nodes, 0); c < s->nodes;
		     c = nodeset_next(e->nodes, c + 1)) {
			int64_t until;

			if (!turns(s, e, c))
				continue;
			until = taken_until(s, row, c);
			if (until <= e->at)
				at_once++;
			else if (until < PACT_FOREVER)
				s->change[n++] = (struct profile_change){ until, -e->by };
		}
		if (at_once && e->at < PACT_FOREVER)
			s->change[n++] = (struct profile_change){ e->at, -e->by * at_once };
	}
	return n;
}

/* ---- all of it ---- */

int capacity_build(struct gang *s, bool reservations, const struct job *before)
{
	size_t most = 2 * (matrix_jobs(s->matrix) + s->queue_n) + 2;
	int rc = list_edges(s, &most);

	if (rc == 0)
		rc = change_reserve(s, most);
	if (rc == 0)
		profile_advance(s->empty, s->now);
	for (uint32_t r = 0; r < matrix_rows(s->matrix) && rc == 0; r++) {
		size_t n = add_holds(s, add_jobs(s, 0, r), r);

		if (reservations)
			n = add_reservations(s, n, r, before);
		rc = profile_build(s->capacity[r], s->empty, s->change, n, s->change_scratch);
	}
	return rc;
}

/* ---- moves ---- */

/* A stretch of time in which so many of a job's columns are held by others, too. All 0 but `to`, now, at first. */
struct stretch {
	int64_t from, to;
	int32_t held;
	size_t edge; /* those before have been counted */
};

/* The next one before `until`; false: that was the last. */
static bool next_stretch(struct gang *s, const struct job *j, int64_t until, struct stretch *x)
{
	if (x->to >= until)
		return false;
	if (!x->edge)
		forget_edges(s);
	x->from = x->to;
	x->to = until;
	for (; x->edge < s->edge_n; x->edge++) {
		const struct hold_edge *e = &s->edge[x->edge];

		if (e->at > x->from) {
			x->to = e->at < until ? e->at : until;
			return true;
		}
		for (uint32_t c = nodeset_next(e->nodes, 0); c < s->nodes;
		     c = nodeset_next(e->nodes, c + 1)) {
			if (nodeset_test(j->in.columns, c) && turns(s, e, c))
				x->held += e->by;
		}
	}
	return true;
}

/* Most passes ask for no move, and need no capacity for one. False: there is no memory for it. */
static bool count_first(struct gang *s)
{
	if (!s->counted && !s->starved) {
		s->starved = capacity_build(s, true, NULL) < 0;
		s->counted = !s->starved;
	}
	return s->counted;
}

bool capacity_may_move(void *arg, const struct matrix_job *in, uint32_t row)
{
	struct gang *s = arg;
	const struct job *j = job_of(in);
	struct stretch x = { .to = s->now };

	if (row >= rows_for(s, j) || !count_first(s))
		return false;
	while (next_stretch(s, j, job_until(s, j), &x)) {
		if (profile_min(s->capacity[row], x.from, x.to) < in->width - x.held)
			return false;
	}
	return true;
}

/* Memory that is short here leaves the row that it left for fuller than it is. */
void capacity_moved(void *arg, const struct matrix_job *in, uint32_t from)
{
	struct gang *s = arg;
	const struct job *j = job_of(in);
	struct stretch x = { .to = s->now };

	while (next_stretch(s, j, job_until(s, j), &x)) {
		int32_t n = in->width - x.held;

		if (profile_add(s->capacity[in->home], x.from, x.to, -n) == 0)
			(void)profile_add(s->capacity[from], x.from, x.to, n);
	}
}
