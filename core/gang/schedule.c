/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule: how waiting jobs get into the matrix: in turn until one does not fit (section 6.1), or with backfilling in
 * each row (section 6.2), where a row's capacity is counted (capacity.c).
 */
#include <string.h>

#include "core/gang/state.h"

/* ---- reservations ---- */

/* It needs capacity in the row, a whole job in all: in those from first_row() on, before last_row(). */
static uint32_t first_row(const struct job *j, uint32_t row)
{
	return j->in.whole ? 0 : row;
}

static uint32_t last_row(const struct gang *s, const struct job *j, uint32_t row)
{
	return j->in.whole ? matrix_rows(s->matrix) : row + 1;
}

/* Take it off the rows' capacity, from `from` on. 0 or -1. */
static int capacity_take(struct gang *s, const struct job *j, uint32_t row, int64_t from)
{
	int64_t until = time_after(from, job_time(s, j));
	uint32_t last = last_row(s, j, row);

	for (uint32_t r = first_row(j, row); r < last; r++) {
		if (profile_add(s->capacity[r], from, until, -j->in.width) < 0)
			return -1;
	}
	return 0;
}

/* Is there capacity from now until then, in the row (a whole job: in all)? */
static bool has_capacity(const struct gang *s, const struct job *j, uint32_t row, int64_t until)
{
	uint32_t last = last_row(s, j, row);

	for (uint32_t r = first_row(j, row); r < last; r++) {
		/* most have too little at once */
		if (profile_at(s->capacity[r], s->now) < j->in.width ||
		    profile_min(s->capacity[r], s->now, until) < j->in.width)
			return false;
	}
	return true;
}

/* The earliest start by counts in the row, a whole job: in all at once; PACT_FOREVER: none by `latest`. */
static int64_t earliest(const struct gang *s, const struct job *j, uint32_t row, int64_t time,
			int64_t latest)
{
	int64_t at = s->now, next;

	if (!j->in.whole)
		return profile_earliest_by(s->capacity[row], at, latest, time, j->in.width);
	for (;;) {
		next = at;
		for (uint32_t r = 0; r < matrix_rows(s->matrix) && next != PACT_FOREVER; r++)
			next = profile_earliest_by(s->capacity[r], next, latest, time, j->in.width);
		if (next == at || next == PACT_FOREVER)
			return next;
		at = next;
	}
}

/* The row in which it could start first. 0 or -1: no memory. */
static int reserve(struct gang *s, struct job *j)
{
	int64_t best = PACT_FOREVER, time = job_time(s, j);
	uint32_t rows = j->in.whole ? 1 : rows_for(s, j);

	for (uint32_t r = 0; r < rows; r++) {
		int64_t at = earliest(s, j, r, time, best - 1);

		if (at < best) {
			best = at;
			j->reserved_row = (int32_t)r;
			j->reserved_from = at;
		}
		if (best == s->now)
			break;
	}
	return j->reserved_row < 0 ? 0 : capacity_take(s, j, (uint32_t)j->reserved_row, best);
}

/* ---- places ---- */

static bool is_ready(const struct gang *s, const struct job *j)
{
	return !j->unconfirmed && !j->failed && j->begin <= s->now;
}

/* The required ones among the columns that were found, whatever their number. False: they are not free. */
static bool with_required(struct gang *s, const struct job *j, uint32_t row)
{
	uint32_t missing, c = s->nodes;

	if (!j->required || nodeset_subset(j->required, s->columns))
		return true;
	if ((j->in.eligible && !nodeset_subset(j->required, j->in.eligible)) ||
	    nodeset_count(j->required) > (uint32_t)j->in.width ||
	    !matrix_fits(s->matrix, &j->in, row, j->required))
		return false;
	nodeset_or(s->columns, j->required);
	missing = nodeset_count(s->columns) - (uint32_t)j->in.width;
	while (missing && c--) {
		if (nodeset_test(s->columns, c) && !nodeset_test(j->required, c)) {
			nodeset_unset(s->columns, c);
			missing--;
		}
	}
	return true;
}

/* Columns for it in the row, into s->columns, of the first alternative that has enough. */
static bool find_columns(struct gang *s, struct job *j, uint32_t row, const struct nodeset *closed)
{
	for (uint32_t i = 0; i < (j->nalt ? j->nalt : 1); i++) {
		j->in.eligible = j->nalt ? j->alt[i] : NULL;
		j->chosen = i;
		if (matrix_find(s->matrix, &j->in, row, s->config.columns == COLUMNS_ALIGNED,
				closed, s->columns) &&
		    (!j->required || !closed || !nodeset_overlap(closed, j->required)) &&
		    with_required(s, j, row))
			return true;
	}
	return false;
}

/* The rows that have capacity for it until then, in the order of s->order; how many. */
static uint32_t list_capable(const struct gang *s, const struct job *j, int64_t until,
			     uint32_t *out)
{
	uint32_t rows = j->in.whole ? 1 : matrix_rows(s->matrix), own = rows_for(s, j), n = 0;

	for (uint32_t i = 0; i < rows; i++) {
		uint32_t row = j->in.whole ? 0 : s->order[i];

		if (row < own && (!s->kind->backfills || has_capacity(s, j, row, until)))
			out[n++] = row;
	}
	return n;
}

/* The first of these rows with columns for it, -1: there is none. */
static int first_open(struct gang *s, struct job *j, const uint32_t *row, uint32_t n,
		      const struct nodeset *closed)
{
	for (uint32_t i = 0; i < n; i++) {
		if (find_columns(s, j, row[i], closed))
			return (int)row[i];
	}
	return -1;
}

/*
 * The fullest row that has room for it, with its columns in s->columns, and its bound there; -1: there is none. s->order
 * has the rows.
 */
static int find_row(struct gang *s, struct job *j, int64_t until, int64_t *bound)
{
	uint32_t capable[MATRIX_ROWS], n = list_capable(s, j, until, capable);
	int row = -1;

	/* most of those that wait have to wait on */
	if (!n)
		return -1;
	*bound = job_bound(s, j);
	if (any_is_slow(s))
		row = first_open(s, j, capable, n, nodes_closed(s, until, *bound, true));
	if (row < 0)
		row = first_open(s, j, capable, n, nodes_closed(s, until, *bound, false));
	return row;
}

/* It is in the matrix from now on: 1; 0: there is no place; -1: no memory. */
static int place(struct gang *s, struct job *j, const struct matrix_pass *p)
{
	int64_t until = time_after(s->now, job_time(s, j)), bound;
	int row = find_row(s, j, until, &bound);

	if (row < 0)
		return 0;
	if (s->kind->backfills && capacity_take(s, j, (uint32_t)row, s->now) < 0)
		return -1;
	matrix_place(s->matrix, &j->in, (uint32_t)row, s->columns, p->first - 1);
	matrix_order(s->matrix, true, s->order);
	j->until = until;
	j->bound = bound;
	j->rest = 0;
	j->charged = j->in.owed;
	j->delayed = j->in.delay;
	return 1;
}

/* Are enough of its nodes without a job in the row, or one that is to leave it (a whole one: in all), whatever is on them in the others? */
static bool row_has_room(struct gang *s, const struct job *j, uint32_t row)
{
	for (uint32_t i = 0; i < (j->nalt ? j->nalt : 1); i++) {
		if (j->nalt && j->alt[i])
			nodeset_copy(s->columns, j->alt[i]);
		else
			nodeset_fill(s->columns);
		for (uint32_t r = 0; r < matrix_rows(s->matrix); r++) {
			if (!j->in.whole && r != row)
				continue;
			nodeset_and_not(s->columns, matrix_taken(s->matrix, r));
			nodeset_and_not(s->columns, matrix_left(s->matrix, r));
		}
		if ((int64_t)nodeset_count(s->columns) >= j->in.width)
			return true;
	}
	return false;
}

/* Not in the rows that it may have, but in one of the others? */
static bool is_kept_out(struct gang *s, const struct job *j)
{
	for (uint32_t r = rows_for(s, j); r < matrix_rows(s->matrix); r++) {
		if (row_has_room(s, j, r))
			return true;
	}
	return false;
}

/* It has nodes that are free, and some of these are kept for jobs that are about to leave them, and may stay. */
static bool waits_for_leavers(struct gang *s, struct job *j, uint32_t row)
{
	bool waits;

	if (!matrix_is_left(s->matrix))
		return false;
	matrix_forget_left(s->matrix);
	waits = find_columns(s, j, row, NULL);
	leavers_mark(s);
	return waits;
}

/* As in place(), a condition less at a time; replicas are in no job's way. */
enum sched_lack schedule_lack(struct gang *s, struct job *j)
{
	int64_t until = time_after(s->now, job_time(s, j)), bound = job_bound(s, j);
	uint32_t rows = j->in.whole ? 1 : rows_for(s, j);
	enum sched_lack lack;

	matrix_hide_replicas(s->matrix);
	lack = is_kept_out(s, j) ? LACK_SHORT : LACK_ROW;
	for (uint32_t r = 0; r < rows && lack != LACK_NONE; r++) {
		if (!row_has_room(s, j, r))
			continue;
		if (find_columns(s, j, r, nodes_closed(s, until, bound, false)))
			lack = LACK_NONE;
		else if (find_columns(s, j, r, NULL))
			lack = LACK_HELD;
		else if (lack != LACK_HELD && !waits_for_leavers(s, j, r))
			lack = LACK_MEMORY;
	}
	matrix_show_replicas(s->matrix);
	return lack;
}

/* ---- the order ---- */

/* The less, the sooner; jobs of one key come in the order of the queue. */
static int64_t key_of(const struct gang *s, const struct job *j, int32_t free)
{
	switch (s->config.queue_order) {
	case QUEUE_SJF:
		return j->limit;
	case QUEUE_BFIT:
		return j->in.width <= free ? -j->in.width : 0;
	case QUEUE_WFIT:
		return j->in.width;
	case QUEUE_FCFS:
		break;
	}
	return 0;
}

/* The queue as this phase takes it, into s->list: the paper's orders of section 3, anew in each pass. */
static void sort(struct gang *s)
{
	int32_t free = (int32_t)(s->nodes - matrix_population(s->matrix, 0));

	if (!s->queue_n)
		return;
	if (!s->kind->one_row || s->config.queue_order == QUEUE_FCFS) {
		memcpy(s->list, s->queue, s->queue_n * sizeof(*s->list));
		return;
	}
	for (size_t i = 0; i < s->queue_n; i++)
		s->rank[i] =
			(struct ranked){ key_of(s, s->queue[i], free), (int64_t)i, 0, s->queue[i] };
	gang_sort(s, s->queue_n);
}

/* Those that were placed are in the queue no more. */
static void sweep(struct gang *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->queue_n; i++) {
		if (!s->queue[i]->in.placed)
			s->queue[n++] = s->queue[i];
	}
	s->queue_n = n;
}

/* Would it have enough nodes if the matrix were empty? */
static bool could_fit(struct gang *s, const struct job *j)
{
	bool could = false;

	for (uint32_t i = 0; i < (j->nalt ? j->nalt : 1) && !could; i++) {
		const struct nodeset *set = j->nalt ? j->alt[i] : NULL;
		uint32_t n = 0;

		for (uint32_t k = 0; k < s->nodes; k++)
			n += (!set || nodeset_test(set, k)) && matrix_could(s->matrix, &j->in, k);
		could = n >= (uint32_t)j->in.width &&
			(!j->required || ((!set || nodeset_subset(j->required, set)) &&
					  nodeset_count(j->required) <= (uint32_t)j->in.width));
	}
	return could;
}

/* Are so many of the nodes that it may have lost that it has to wait for these? */
static bool waits_for_lost(struct gang *s, const struct job *j)
{
	const struct nodeset *lost = nodes_lost(s);

	if (!lost)
		return false;
	if (j->required && nodeset_overlap(j->required, lost))
		return true;
	for (uint32_t i = 0; i < (j->nalt ? j->nalt : 1); i++) {
		if (j->nalt && j->alt[i])
			nodeset_copy(s->columns, j->alt[i]);
		else
			nodeset_fill(s->columns);
		nodeset_and_not(s->columns, lost);
		if ((int64_t)nodeset_count(s->columns) >= j->in.width)
			return false;
	}
	return true;
}

/* One job of the queue: 1, the next one has its turn; 0: the phase is over; -1: no memory. */
static int schedule_one(struct gang *s, struct job *j, const struct matrix_pass *p)
{
	int placed;

	j->reserved_row = -1;
	if (!is_ready(s, j))
		return 1;
	placed = place(s, j, p);
	if (placed)
		return placed;
	if (!s->kind->backfills)
		return !could_fit(s, j); /* the others do not wait for what can never be */
	/* what is kept for a job is kept by number: it would be others' nodes, for as long as its own are lost */
	return !waits_for_lost(s, j) && reserve(s, j) < 0 ? -1 : 1;
}

static bool has_ready(const struct gang *s)
{
	for (size_t i = 0; i < s->queue_n; i++) {
		if (is_ready(s, s->queue[i]))
			return true;
	}
	return false;
}

int schedule(struct gang *s, const struct matrix_pass *p)
{
	int rc = 1;

	s->counted = s->kind->backfills && has_ready(s);
	if (s->counted && capacity_build(s, false, NULL) < 0)
		return -1;
	sort(s);
	matrix_order(s->matrix, true, s->order);
	for (size_t i = 0; i < s->queue_n && rc > 0; i++)
		rc = schedule_one(s, s->list[i], p);
	sweep(s);
	return rc < 0 ? -1 : 0;
}

/* ---- questions ---- */

/* Without backfilling it waits behind each that could have a place, whenever that comes. */
static bool waits_behind(struct gang *s, const struct job *j)
{
	for (size_t i = 0; i < s->queue_n; i++) {
		const struct job *k = s->queue[i];

		if (comes_before(s, k, j) && is_ready(s, k) && could_fit(s, k))
			return true;
	}
	return false;
}

/* It would have its place at once, and replicas where those of all others leave room. False: there is none. */
static bool find_place(struct gang *s, struct job *j)
{
	int64_t bound;
	int row;

	matrix_hide_replicas(s->matrix);
	matrix_order(s->matrix, true, s->order);
	row = find_row(s, j, time_after(s->now, job_time(s, j)), &bound);
	matrix_show_replicas(s->matrix);
	for (uint32_t r = 0; row >= 0 && r < matrix_rows(s->matrix); r++) {
		if (r == (uint32_t)row || j->in.whole ||
		    matrix_open(s->matrix, &j->in, r, s->columns))
			j->in.rows |= UINT64_C(1) << r;
	}
	return row >= 0;
}

/* At s->now. */
static int64_t begin_now(struct gang *s, struct job *j)
{
	if (!is_ready(s, j))
		return PACT_FOREVER;
	if (s->kind->backfills ? capacity_build(s, true, j) < 0 : waits_behind(s, j))
		return PACT_FOREVER;
	if (find_place(s, j))
		return next_turn(s, j);
	if (!s->kind->backfills || waits_for_lost(s, j) || reserve(s, j) < 0 || j->reserved_row < 0)
		return PACT_FOREVER;
	return j->reserved_from;
}

int64_t schedule_begin(struct gang *s, struct job *j, int64_t now)
{
	int64_t begin = PACT_FOREVER, told = s->now;
	struct profile *empty = s->empty;

	/* what is due meanwhile has not been told yet, and what is left of a profile must not be older than that */
	s->now = now > told ? now : told;
	s->empty = profile_create(s->now, (int32_t)s->nodes);
	if (s->empty)
		begin = begin_now(s, j);
	profile_destroy(s->empty);
	s->empty = empty;
	s->now = told;
	return begin;
}
