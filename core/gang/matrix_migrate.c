/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_migrate: the phases that change columns (section 6.4, Figure 22). Of two ways to let job A into a row where
 * its columns are taken, option 1 migrates those that have them, and option 2 migrates A.
 */
#include <stdlib.h>
#include <string.h>

#include "core/gang/fares.h"
#include "core/gang/matrix_own.h"

/* The jobs of m->blocker have columns in a row that A would need there: S(A). */
struct eviction {
	uint32_t row;
	size_t n;
	int64_t tasks;
	int64_t cost;	 /* of their tasks, each at the C of its job, */
	int64_t longest; /* and the highest of these, */
	int64_t stops;	 /* and of those that do not leave by themselves */
	bool guests;	 /* some are not at home in the row; they come last */
};

/* C of a job; of one that leaves by itself, and has not shown its own yet, what it may take. */
static int64_t cost_of(const struct matrix_pass *p, const struct matrix_job *j)
{
	if (j->cost)
		return j->cost;
	return j->leaves && p->leave_time ? p->leave_time : p->cost;
}

static void add_blocker(struct matrix *m, const struct matrix_pass *p, struct eviction *e,
			struct matrix_job *j)
{
	int64_t cost = cost_of(p, j);

	m->blocker[e->n++] = j;
	e->tasks += j->width;
	e->cost += cost * j->width;
	e->longest = cost > e->longest ? cost : e->longest;
	if (!j->leaves)
		e->stops = cost > e->stops ? cost : e->stops;
	nodeset_and_not(m->other, j->columns);
}

static bool is_guest(const struct matrix_job *j, uint32_t row)
{
	return j->home != row || j->whole;
}

static bool comes_after(const struct matrix_job *a, const struct matrix_job *b, uint32_t row)
{
	if (is_guest(a, row) != is_guest(b, row))
		return is_guest(a, row);
	return is_guest(a, row) ? a->placed > b->placed : a->seated > b->seated;
}

/* Those at home in the row first, in the order they were put there. */
static struct eviction eviction_of(struct matrix *m, const struct matrix_pass *p,
				   const struct matrix_job *a, uint32_t row)
{
	struct eviction e = { .row = row };
	const struct row *x = &m->row[row];

	row_look(m, row);
	nodeset_copy(m->other, a->columns);
	nodeset_and(m->other, x->taken);
	for (uint32_t c = nodeset_next(m->other, 0); c < m->nodes; c = nodeset_next(m->other, c)) {
		struct matrix_job *j = x->at[c];
		size_t at = e.n;

		add_blocker(m, p, &e, j);
		e.guests |= is_guest(j, row);
		for (; at && comes_after(m->blocker[at - 1], j, row); at--)
			m->blocker[at] = m->blocker[at - 1];
		m->blocker[at] = j;
	}
	return e;
}

static bool may_migrate(const struct matrix_pass *p, const struct matrix_job *j)
{
	/* one that is still to leave is not where it is to go */
	return !j->whole && !j->fixed && !j->yields && !(j->leaves && j->moved) &&
	       j->migrated != p->number && !(j->rows & (j->rows - 1));
}

/* Would it end too late if it had to pay that? */
static bool must_not_pay(const struct matrix_pass *p, const struct matrix_job *j, int64_t cost)
{
	return j->yields || (cost && p->promised && nodeset_overlap(p->promised, j->columns));
}

/* For that of one job. */
static void charge(const struct matrix_pass *p, struct matrix_job *payer,
		   const struct matrix_job *mover, int64_t cost)
{
	fares_charge(p->fares, payer, mover, cost, fares_group(p->fares));
}

/*
 * What another job waits for its nodes: until it has written its checkpoint, at C/2, rounded up where that is no whole second.
 * One that leaves by itself may need as long as it is given, whatever it took the last time, and a promise must not be late then.
 */
static int64_t wait_for(const struct matrix_pass *p, const struct matrix_job *j)
{
	int64_t half = (cost_of(p, j) + 1) / 2;

	return j->leaves && half < p->leave_time ? p->leave_time : half;
}

/* The job gets other columns; it is in no row while that happens. m->noted has the old ones. */
static void set_columns(struct matrix *m, struct matrix_pass *p, struct matrix_job *j,
			const struct nodeset *columns)
{
	nodeset_copy(m->noted, j->columns);
	columns_count(m, j, -1);
	nodeset_copy(j->columns, columns);
	columns_count(m, j, 1);
	j->migrated = p->number;
	j->moved = true;
	j->back = 0;
	p->quota -= j->width;
}

/* New columns outside A's for a blocker that has left its row. False: they are too few. */
static bool find_refuge(struct matrix *m, const struct matrix_pass *p, const struct matrix_job *a,
			const struct matrix_job *j, uint32_t row)
{
	columns_free(m, j, row, p->closed);
	nodeset_and_not(m->free, a->columns);
	return columns_lowest(m, j->width, m->other);
}

/* A is in the row too, or not any more, without a home there yet. */
static void take_over(struct matrix *m, const struct matrix_job *a, uint32_t row, bool in)
{
	if (in)
		nodeset_or(m->row[row].taken, a->columns);
	else
		nodeset_and_not(m->row[row].taken, a->columns);
}

/* One that leaves by itself may have its old columns until it has; there is no other blocker then. */
static void keep_old(struct matrix *m, struct matrix_job *j)
{
	if (j->leaves)
		matrix_leave(m, j, m->noted);
}

/* Two that are to leave the same columns would need the same turns for that. */
static bool waits_for_leaver(const struct matrix *m, const struct matrix_job *j, uint32_t row)
{
	return j->leaves && row_is_left(m, row, j->columns);
}

/* Can they be migrated at all? */
static bool may_evict(const struct matrix *m, const struct matrix_pass *p, const struct eviction *e)
{
	bool counts_suffice = !m->bounded && !p->closed && !m->leaving;

	if (e->tasks > p->quota)
		return false;
	for (size_t i = 0; i < e->n; i++) {
		if (!may_migrate(p, m->blocker[i]) || waits_for_leaver(m, m->blocker[i], e->row) ||
		    must_not_pay(p, m->blocker[i], cost_of(p, m->blocker[i])))
			return false;
		counts_suffice &= !m->blocker[i]->eligible && !m->blocker[i]->leaves;
	}
	/*
	 * Where memory, heights or partitions may leave too few columns for one of several, none is touched; nor of several that take
	 * their time to leave, as one might get nodes that another one still has.
	 */
	return (counts_suffice || e->n == 1) && !e->guests;
}

/*
 * Option 1: the blockers leave, and get the lowest free columns outside A's, in turn. False: there are too few for a
 * single one, and nothing has changed.
 */
static bool evict(struct matrix *m, struct matrix_pass *p, const struct matrix_job *a,
		  const struct eviction *e)
{
	bool found = true;

	for (size_t i = 0; i < e->n; i++)
		row_leave(m, m->blocker[i], e->row);
	take_over(m, a, e->row, true);
	for (size_t i = 0; i < e->n && found; i++) {
		struct matrix_job *j = m->blocker[i];

		found = find_refuge(m, p, a, j, e->row);
		if (found) {
			set_columns(m, p, j, m->other);
			charge(p, j, j, cost_of(p, j));
			row_join(m, j, e->row);
		}
	}
	take_over(m, a, e->row, false);
	if (!found)
		row_join(m, m->blocker[0], e->row);
	return found;
}

/*
 * A waits until the last of them has written its checkpoint. Those that leave by themselves have their home row's turns alone until
 * then, which are none of A's if it comes there as a replica.
 */
static void charge_evictor(const struct matrix *m, const struct matrix_pass *p,
			   struct matrix_job *a, const struct eviction *e, bool replica)
{
	uint64_t group = fares_group(p->fares);

	for (size_t i = 0; i < e->n; i++)
		if (!replica || !m->blocker[i]->leaves)
			fares_charge(p->fares, a, m->blocker[i], wait_for(p, m->blocker[i]), group);
}

/* ---- CollapseMatrix-2 ---- */

/* A's home is the target, with the columns that it has. */
static void change_rows(struct matrix *m, struct matrix_pass *p, struct matrix_job *a, uint32_t row)
{
	uint32_t from = a->home;

	row_join(m, a, row);
	home_move(m, a, row);
	p->collapsed++;
	if (p->moved)
		p->moved(p->arg, a, from);
}

/* The blocker may not leave in the end: with A at home in its row, is there another one where it would have its columns? */
static bool has_way_back(const struct matrix *m, const struct matrix_job *a,
			 const struct eviction *e)
{
	const struct matrix_job *j = m->blocker[0];

	return !j->leaves || rows_but_for(m, j, a, j->columns) & ~(UINT64_C(1) << e->row);
}

static bool option_1(struct matrix *m, struct matrix_pass *p, struct matrix_job *a,
		     const struct eviction *e)
{
	uint32_t from = a->home;

	if (must_not_pay(p, a, e->longest) || !may_evict(m, p, e) || !has_way_back(m, a, e) ||
	    !evict(m, p, a, e))
		return false;
	charge_evictor(m, p, a, e, false);
	row_leave(m, a, from);
	change_rows(m, p, a, e->row);
	keep_old(m, m->blocker[0]);
	return true;
}

static bool option_2(struct matrix *m, struct matrix_pass *p, struct matrix_job *a,
		     const struct eviction *e)
{
	uint32_t from = a->home;
	int64_t cost = cost_of(p, a);

	for (size_t i = 0; i < e->n; i++) {
		if (must_not_pay(p, m->blocker[i], cost))
			return false;
	}
	if (!may_migrate(p, a) || must_not_pay(p, a, cost) || a->width > p->quota ||
	    columns_free(m, a, e->row, p->closed) < (uint32_t)a->width ||
	    !columns_lowest(m, a->width, m->other))
		return false;
	row_leave(m, a, from);
	set_columns(m, p, a, m->other);
	charge(p, a, a, cost);
	for (size_t i = 0; i < e->n; i++)
		charge(p, m->blocker[i], a, wait_for(p, a));
	change_rows(m, p, a, e->row);
	keep_old(m, a);
	return true;
}

/* It moves to the target if it can. */
static void collapse_one(struct matrix *m, struct matrix_pass *p, struct matrix_job *a,
			 uint32_t target)
{
	uint32_t from = a->home;
	struct eviction e;
	int64_t first, second;

	if (!has_room(m, a, target) || !may_move(m, p, a, target))
		return;
	if (!nodeset_overlap(m->row[target].taken, a->columns)) {
		row_leave(m, a, from);
		change_rows(m, p, a, target);
		return;
	}
	e = eviction_of(m, p, a, target);
	first = e.longest * a->width + 2 * e.cost;	   /* eq. 4, doubled */
	second = cost_of(p, a) * (2 * a->width + e.tasks); /* eq. 5, doubled */
	if (first <= second) {
		if (!option_1(m, p, a, &e))
			option_2(m, p, a, &e);
	} else if (!option_2(m, p, a, &e)) {
		option_1(m, p, a, &e);
	}
}

static int by_width(const void *a, const void *b)
{
	const struct matrix_job *x = *(struct matrix_job *const *)a;
	const struct matrix_job *y = *(struct matrix_job *const *)b;

	if (x->width != y->width)
		return x->width < y->width ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* The jobs at home in the row, narrowest first, that the target may have room for, into m->list; how many. */
static size_t list_narrowest(struct matrix *m, uint32_t row, uint32_t target)
{
	const struct row *x = &m->row[row];
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		if (has_room(m, x->home[i], target))
			m->list[n++] = x->home[i];
	}
	if (n > 1)
		qsort(m->list, n, sizeof(*m->list), by_width);
	return n;
}

static void collapse_row(struct matrix *m, struct matrix_pass *p, uint32_t source, uint32_t target)
{
	size_t n = list_narrowest(m, source, target);

	for (size_t i = 0; i < n; i++)
		collapse_one(m, p, m->list[i], target);
}

void collapse_matrix_2(struct matrix *m, struct matrix_pass *p)
{
	uint32_t *source = m->order, *target = m->order + m->rows;
	uint32_t n = list_sources(m, source);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t targets = list_targets(m, source[i], target);

		for (uint32_t k = 0; k < targets && m->row[source[i]].n; k++)
			collapse_row(m, p, source[i], target[k]);
	}
}

/* ---- FillMatrix-2 ---- */

/* Until the pass is over it is not migrated out of the way. */
static void close_columns(struct matrix *m, const struct matrix_job *j)
{
	for (uint32_t r = 0; r < m->rows; r++) {
		if (matrix_has(j, r))
			nodeset_or(m->row[r].closed, j->columns);
	}
}

/* Most jobs have replicas by now: in most rows it need not be found which jobs are in the way. The others are at home alone. */
static void close_rows(struct matrix *m, const struct matrix_pass *p)
{
	for (uint32_t r = 0; r < m->rows; r++)
		nodeset_copy(m->row[r].closed, m->row[r].taken);
	for (size_t i = 0; i < m->n; i++) {
		const struct matrix_job *j = m->job[i];

		if (may_migrate(p, j))
			nodeset_and_not(m->row[j->home].closed, j->columns);
	}
}

/* One replica more, in the lowest row where what is in its way can be migrated. */
static bool fill_one(struct matrix *m, struct matrix_pass *p, struct matrix_job *a)
{
	for (uint32_t r = 0; !a->yields && r < m->rows; r++) {
		struct eviction e = { .row = r };

		if (matrix_has(a, r) || !has_room(m, a, r) ||
		    nodeset_overlap(m->row[r].closed, a->columns))
			continue;
		if (nodeset_overlap(m->row[r].taken, a->columns)) {
			e = eviction_of(m, p, a, r);
			if (must_not_pay(p, a, e.stops) || !may_evict(m, p, &e) ||
			    !evict(m, p, a, &e))
				continue;
			charge_evictor(m, p, a, &e, true);
			keep_old(m, m->blocker[0]);
		}
		row_join(m, a, r);
		close_columns(m, a);
		for (size_t i = 0; i < e.n; i++)
			close_columns(m, m->blocker[i]);
		return true;
	}
	return false;
}

static int by_arrival(const void *a, const void *b)
{
	const struct matrix_job *x = *(struct matrix_job *const *)a;
	const struct matrix_job *y = *(struct matrix_job *const *)b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* They may be by arrival as they are by placement. */
static size_t list_arrivals(struct matrix *m)
{
	size_t n = list_replicable(m);
	bool sorted = true;

	for (size_t i = 1; i < n; i++)
		sorted &= by_arrival(&m->list[i - 1], &m->list[i]) < 0;
	if (!sorted)
		qsort(m->list, n, sizeof(*m->list), by_arrival);
	return n;
}

void fill_matrix_2(struct matrix *m, struct matrix_pass *p)
{
	size_t n = list_arrivals(m);
	bool changed = n;

	if (n)
		close_rows(m, p);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++)
			changed |= fill_one(m, p, m->list[i]);
	}
}
