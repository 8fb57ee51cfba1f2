/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix: see matrix.h. What it is made of, and the phases that leave columns as they are. */
#include "core/gang/matrix_own.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

/* ---- life ---- */

void matrix_destroy(struct matrix *m)
{
	if (!m)
		return;
	for (uint32_t r = 0; m->row && r < m->rows; r++) {
		nodeset_destroy(m->row[r].taken);
		nodeset_destroy(m->row[r].closed);
		nodeset_destroy(m->row[r].left);
		free(m->row[r].home);
		free(m->row[r].late);
		free(m->row[r].at);
	}
	free(m->row);
	free(m->job);
	free(m->height);
	free(m->jobs);
	free(m->memory);
	free(m->used);
	free(m->left_jobs);
	free(m->left_used);
	nodeset_destroy(m->free);
	nodeset_destroy(m->other);
	nodeset_destroy(m->noted);
	free(m->list);
	free(m->blocker);
	free(m->order);
	free(m->column);
	free(m->block);
	free(m);
}

static bool make_parts(struct matrix *m)
{
	m->row = calloc(m->rows, sizeof(*m->row));
	m->height = calloc(m->nodes, sizeof(*m->height));
	m->jobs = calloc(m->nodes, sizeof(*m->jobs));
	m->memory = calloc(m->nodes, sizeof(*m->memory));
	m->used = calloc(m->nodes, sizeof(*m->used));
	m->left_jobs = calloc(m->nodes, sizeof(*m->left_jobs));
	m->left_used = calloc(m->nodes, sizeof(*m->left_used));
	m->free = nodeset_create(m->nodes);
	m->other = nodeset_create(m->nodes);
	m->noted = nodeset_create(m->nodes);
	m->block = calloc((size_t)m->nodes + 1, sizeof(*m->block));
	m->order = calloc(2 * (size_t)m->rows, sizeof(*m->order));
	m->column = calloc(m->nodes, sizeof(*m->column));
	if (!m->row || !m->height || !m->jobs || !m->memory || !m->used || !m->left_jobs ||
	    !m->left_used || !m->free || !m->other || !m->noted || !m->order || !m->column ||
	    !m->block)
		return false;
	for (uint32_t r = 0; r < m->rows; r++) {
		m->row[r].taken = nodeset_create(m->nodes);
		m->row[r].closed = nodeset_create(m->nodes);
		m->row[r].left = nodeset_create(m->nodes);
		m->row[r].at = calloc(m->nodes, sizeof(struct matrix_job *));
		if (!m->row[r].taken || !m->row[r].closed || !m->row[r].left || !m->row[r].at)
			return false;
	}
	return true;
}

struct matrix *matrix_create(uint32_t nodes, uint32_t rows)
{
	struct matrix *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->nodes = nodes;
	m->rows = rows;
	if (make_parts(m))
		return m;
	matrix_destroy(m);
	return NULL;
}

int matrix_reserve(struct matrix *m, size_t n)
{
	size_t room = 2 * n;

	if (n <= m->room)
		return 0;
	for (uint32_t r = 0; r < m->rows; r++) {
		if (array_grow(&m->row[r].home, room, sizeof(*m->row[r].home)) < 0 ||
		    array_grow(&m->row[r].late, room, sizeof(*m->row[r].late)) < 0)
			return -1;
	}
	if (array_grow(&m->job, room, sizeof(*m->job)) < 0 ||
	    array_grow(&m->list, room, sizeof(*m->list)) < 0 ||
	    array_grow(&m->blocker, room, sizeof(*m->blocker)) < 0)
		return -1;
	m->room = room;
	return 0;
}

size_t matrix_bytes(const struct matrix *m)
{
	size_t set = nodeset_size(m->free) / 8 + 16;

	return sizeof(*m) +
	       m->rows * (sizeof(*m->row) + 3 * set + m->nodes * sizeof(void *) +
			  2 * sizeof(*m->order)) +
	       3 * set + (2 * m->rows + 3) * m->room * sizeof(*m->job) +
	       m->nodes * (4 * sizeof(*m->height) + 3 * sizeof(*m->memory) + sizeof(*m->block));
}

/* ---- what there is ---- */

void matrix_node(struct matrix *m, uint32_t node, uint32_t height, int64_t memory)
{
	m->bounded -= m->height[node] || m->memory[node];
	m->height[node] = height;
	m->memory[node] = memory;
	m->bounded += height || memory;
	if (!m->bounded || m->counted)
		return;
	m->counted = true;
	for (size_t i = 0; i < m->n; i++)
		columns_count(m, m->job[i], 1);
}

bool matrix_could(const struct matrix *m, const struct matrix_job *j, uint32_t node)
{
	return !m->memory[node] || j->memory <= m->memory[node];
}

void matrix_node_is(const struct matrix *m, uint32_t node, uint32_t *height, int64_t *memory)
{
	*height = m->height[node];
	*memory = m->memory[node];
}

void matrix_copy_nodes(struct matrix *m, const struct matrix *from)
{
	for (uint32_t i = 0; i < m->nodes; i++)
		matrix_node(m, i, from->height[i], from->memory[i]);
}

uint32_t matrix_rows(const struct matrix *m)
{
	return m->rows;
}

uint32_t matrix_population(const struct matrix *m, uint32_t row)
{
	return m->row[row].population;
}

size_t matrix_jobs(const struct matrix *m)
{
	return m->n;
}

struct matrix_job *matrix_job(const struct matrix *m, size_t i)
{
	return m->job[i];
}

const struct matrix_job *matrix_at(const struct matrix *m, uint32_t row, uint32_t column)
{
	if (!nodeset_test(m->row[row].taken, column))
		return NULL;
	row_look(m, row);
	return m->row[row].at[column];
}

const struct nodeset *matrix_taken(const struct matrix *m, uint32_t row)
{
	return m->row[row].taken;
}

/* One row more for those in order that have lower numbers: `at` of them. */
static void order_row(const struct matrix *m, bool descending, uint32_t *out, uint32_t at,
		      uint32_t row)
{
	uint32_t p = m->row[row].population;

	while (at && (descending ? m->row[out[at - 1]].population < p
				 : m->row[out[at - 1]].population > p)) {
		out[at] = out[at - 1];
		at--;
	}
	out[at] = row;
}

void matrix_order(const struct matrix *m, bool descending, uint32_t *out)
{
	for (uint32_t r = 0; r < m->rows; r++)
		order_row(m, descending, out, r, r);
}

/* ---- columns ---- */

void matrix_bear(struct matrix *m, const struct matrix_job *j, const struct nodeset *nodes, int by)
{
	uint32_t n = nodeset_list(nodes, m->column);

	for (uint32_t i = 0; i < n; i++) {
		m->jobs[m->column[i]] += (uint32_t)by;
		m->used[m->column[i]] += by * j->memory;
	}
}

void columns_count(struct matrix *m, const struct matrix_job *j, int by)
{
	if (m->counted)
		matrix_bear(m, j, j->columns, by);
}

/* Does the node bear one job more? */
static bool bears(const struct matrix *m, const struct matrix_job *j, uint32_t c)
{
	return (!m->height[c] || m->jobs[c] + m->left_jobs[c] < m->height[c]) &&
	       (!m->memory[c] || !j->memory ||
		m->used[c] + m->left_used[c] + j->memory <= m->memory[c]);
}

uint32_t columns_free(struct matrix *m, const struct matrix_job *j, uint32_t row,
		      const struct nodeset *closed)
{
	if (j->eligible)
		nodeset_copy(m->free, j->eligible);
	else
		nodeset_fill(m->free);
	for (uint32_t r = 0; r < m->rows; r++) {
		if (!j->whole && r != row)
			continue;
		nodeset_and_not(m->free, m->row[r].taken);
		if (m->leaving)
			nodeset_and_not(m->free, m->row[r].left);
	}
	if (closed)
		nodeset_and_not(m->free, closed);
	for (uint32_t c = nodeset_next(m->free, 0); m->bounded && c < m->nodes;
	     c = nodeset_next(m->free, c + 1)) {
		if (!bears(m, j, c) && !(j->placed && nodeset_test(j->columns, c)))
			nodeset_unset(m->free, c);
	}
	return nodeset_count(m->free);
}

bool columns_lowest(const struct matrix *m, int32_t width, struct nodeset *out)
{
	nodeset_clear(out);
	return width <= 0 || !nodeset_lowest(out, m->free, (uint32_t)width);
}

bool matrix_find(struct matrix *m, const struct matrix_job *j, uint32_t row, bool aligned,
		 const struct nodeset *closed, struct nodeset *out)
{
	if ((int64_t)m->row[row].population + j->width > (int64_t)m->nodes ||
	    columns_free(m, j, row, closed) < (uint32_t)j->width)
		return false;
	if (aligned) {
		matrix_order(m, false, m->order);
		for (uint32_t r = 0; r < m->rows; r++)
			row_look(m, r);
		columns_align(m, j, row);
	}
	return columns_lowest(m, j->width, out);
}

bool matrix_open(const struct matrix *m, const struct matrix_job *j, uint32_t row,
		 const struct nodeset *columns)
{
	for (uint32_t r = 0; r < m->rows; r++) {
		if ((j->whole || r == row) &&
		    (nodeset_overlap(m->row[r].taken, columns) || row_is_left(m, r, columns)))
			return false;
	}
	return true;
}

bool matrix_fits(const struct matrix *m, const struct matrix_job *j, uint32_t row,
		 const struct nodeset *columns)
{
	if (!matrix_open(m, j, row, columns))
		return false;
	for (uint32_t c = nodeset_next(columns, 0); m->bounded && c < m->nodes;
	     c = nodeset_next(columns, c + 1)) {
		if (!bears(m, j, c))
			return false;
	}
	return true;
}

/* ---- rows ---- */

void row_join(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	struct row *x = &m->row[row];
	uint64_t bit = UINT64_C(1) << row;

	nodeset_or(x->taken, j->columns);
	if (!(j->late & bit))
		x->late[x->nlate++] = j;
	j->late |= bit;
	x->population += (uint32_t)j->width;
	j->rows |= bit;
}

void row_leave(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	nodeset_and_not(m->row[row].taken, j->columns);
	m->row[row].population -= (uint32_t)j->width;
	j->rows &= ~(UINT64_C(1) << row);
}

static void home_add(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	j->home = row;
	j->seated = ++m->sequence;
	if (!j->whole)
		m->row[row].home[m->row[row].n++] = j;
}

void row_look(const struct matrix *m, uint32_t row)
{
	struct row *x = &m->row[row];

	while (x->nlate) {
		struct matrix_job *j = x->late[--x->nlate];
		uint32_t n = matrix_has(j, row) ? nodeset_list(j->columns, m->column) : 0;

		j->late &= ~(UINT64_C(1) << row);
		for (uint32_t i = 0; i < n; i++)
			x->at[m->column[i]] = j;
	}
}

static size_t drop(struct matrix_job **list, size_t n, const struct matrix_job *j)
{
	size_t at = 0;

	while (at < n && list[at] != j)
		at++;
	if (at == n)
		return n;
	memmove(&list[at], &list[at + 1], (n - at - 1) * sizeof(*list));
	return n - 1;
}

void home_move(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	struct row *from = &m->row[j->home];

	from->n = drop(from->home, from->n, j);
	home_add(m, j, row);
}

void matrix_become_last(struct matrix *m, struct matrix_job *j)
{
	home_move(m, j, j->home);
}

void matrix_rehome(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	row_leave(m, j, j->home);
	if (!matrix_has(j, row))
		row_join(m, j, row);
	home_move(m, j, row);
}

size_t matrix_at_home(const struct matrix *m, uint32_t row)
{
	return m->row[row].n;
}

const struct matrix_job *matrix_home_job(const struct matrix *m, uint32_t row, size_t i)
{
	return m->row[row].home[i];
}

size_t matrix_whole(const struct matrix *m)
{
	return m->whole;
}

void matrix_replicate(struct matrix *m, struct matrix_job *j, uint32_t row)
{
	row_join(m, j, row);
}

void matrix_place(struct matrix *m, struct matrix_job *j, uint32_t row,
		  const struct nodeset *columns, int64_t last)
{
	nodeset_copy(j->columns, columns);
	j->placed = ++m->sequence;
	j->chain = 0;
	j->last = last;
	m->job[m->n++] = j;
	m->whole += j->whole;
	columns_count(m, j, 1);
	home_add(m, j, row);
	for (uint32_t r = 0; r < m->rows; r++) {
		if (j->whole || r == row)
			row_join(m, j, r);
	}
}

void matrix_remove(struct matrix *m, struct matrix_job *j)
{
	struct row *home = &m->row[j->home];

	for (uint32_t r = 0; r < m->rows; r++) {
		if (matrix_has(j, r))
			row_leave(m, j, r);
		if (j->late >> r & 1)
			m->row[r].nlate = drop(m->row[r].late, m->row[r].nlate, j);
	}
	j->late = 0;
	home->n = drop(home->home, home->n, j);
	m->n = drop(m->job, m->n, j);
	m->whole -= j->whole;
	columns_count(m, j, -1);
	j->placed = 0;
	j->yields = false;
}

/* ---- CleanMatrix ---- */

static void leave_replicas(struct matrix *m, struct matrix_job *j)
{
	for (uint32_t r = 0; !j->whole && j->rows & (j->rows - 1) && r < m->rows; r++) {
		if (r != j->home && matrix_has(j, r))
			row_leave(m, j, r);
	}
}

void clean_matrix(struct matrix *m)
{
	for (size_t i = 0; i < m->n; i++)
		leave_replicas(m, m->job[i]);
}

void matrix_hide_replicas(struct matrix *m)
{
	for (size_t i = 0; i < m->n; i++) {
		m->job[i]->kept = m->job[i]->rows;
		leave_replicas(m, m->job[i]);
	}
}

void matrix_show_replicas(struct matrix *m)
{
	for (size_t i = 0; i < m->n; i++) {
		uint64_t hidden = m->job[i]->kept & ~m->job[i]->rows;

		for (uint32_t r = 0; hidden; r++, hidden >>= 1) {
			if (hidden & 1)
				row_join(m, m->job[i], r);
		}
	}
}

/* ---- jobs set aside ---- */

void matrix_yield(struct matrix *m, struct matrix_job *j)
{
	leave_replicas(m, j);
	j->yields = true;
}

void matrix_come_back(struct matrix_job *j, int64_t last)
{
	j->yields = false;
	j->last = last;
}

/* ---- what is about to be left ---- */

/* Is one at home in the row with such a column, but for these two? */
static bool is_home_of_others(const struct matrix *m, uint32_t row, const struct matrix_job *j,
			      const struct matrix_job *a, const struct nodeset *columns)
{
	const struct row *x = &m->row[row];

	row_look(m, row);
	for (uint32_t c = nodeset_next(columns, 0); c < m->nodes;
	     c = nodeset_next(columns, c + 1)) {
		const struct matrix_job *k = nodeset_test(x->taken, c) ? x->at[c] : NULL;

		if (k && k != j && k != a && (k->whole || k->home == row))
			return true;
	}
	return false;
}

uint64_t rows_but_for(const struct matrix *m, const struct matrix_job *j,
		      const struct matrix_job *a, const struct nodeset *columns)
{
	uint64_t rows = 0;

	for (uint32_t r = 0; r < m->rows; r++) {
		if (!row_is_left(m, r, columns) && !is_home_of_others(m, r, j, a, columns))
			rows |= UINT64_C(1) << r;
	}
	return rows;
}

/*
 * A row in which it could have these columns back: that of before, its home, or any; as many as there are: none. The same one each
 * time, as others may have taken theirs by that.
 */
static uint32_t row_back(const struct matrix *m, const struct matrix_job *j,
			 const struct nodeset *columns)
{
	uint64_t rows = rows_but_for(m, j, NULL, columns);

	if (j->back && rows >> (j->back - 1) & 1)
		return j->back - 1;
	if (rows >> j->home & 1)
		return j->home;
	return rows ? (uint32_t)__builtin_ctzll(rows) : m->rows;
}

void matrix_leave(struct matrix *m, struct matrix_job *j, const struct nodeset *columns)
{
	uint32_t back = row_back(m, j, columns), n = nodeset_list(columns, m->column);

	for (uint32_t r = 0; r < m->rows; r++) {
		if (r == j->home || r == back || back == m->rows)
			nodeset_or(m->row[r].left, columns);
	}
	j->back = back < m->rows ? back + 1 : 0;
	for (uint32_t i = 0; i < n; i++) {
		if (nodeset_test(j->columns, m->column[i]))
			continue; /* it counts there already */
		m->left_jobs[m->column[i]]++;
		m->left_used[m->column[i]] += j->memory;
	}
	m->leaving = true;
}

bool matrix_is_left(const struct matrix *m)
{
	return m->leaving;
}

const struct nodeset *matrix_left(const struct matrix *m, uint32_t row)
{
	return m->row[row].left;
}

void matrix_forget_left(struct matrix *m)
{
	if (!m->leaving)
		return;
	for (uint32_t r = 0; r < m->rows; r++)
		nodeset_clear(m->row[r].left);
	memset(m->left_jobs, 0, m->nodes * sizeof(*m->left_jobs));
	memset(m->left_used, 0, m->nodes * sizeof(*m->left_used));
	m->leaving = false;
}

/* ---- room for a job that is where it is ---- */

/* Jobs that change between two rows together, in m->list: all that are in each other's way there (a Kempe chain). */
struct chain {
	struct matrix *m;
	const struct nodeset *columns; /* that are to be free */
	const struct matrix_change *change;
	uint32_t row, other; /* in the first of these */
	uint64_t mark;	     /* of those that are in it */
	size_t n;
	bool back; /* they have been in the other row before */
};

static uint32_t other_row(const struct chain *c, const struct matrix_job *j)
{
	return j->home == c->row ? c->other : c->row;
}

static bool may_change(const struct chain *c, const struct matrix_job *j)
{
	uint32_t to = other_row(c, j);

	if (j->whole || j->yields || j->moved || j->rows & (j->rows - 1) ||
	    (to == c->row && nodeset_overlap(j->columns, c->columns)) ||
	    row_is_left(c->m, to, j->columns))
		return false;
	return matrix_clock(c->m, j, to, c->change->first) && c->change->may(c->change->arg, j, to);
}

/* It joins the chain. False: it has to stay in its row. */
static bool chain_add(struct chain *c, struct matrix_job *j)
{
	if (j->chain == c->mark)
		return true;
	if (!c->back && !may_change(c, j))
		return false;
	j->chain = c->mark;
	c->m->list[c->n++] = j;
	return true;
}

/* So does what is in its way in the other row. */
static bool chain_go_on(struct chain *c, const struct matrix_job *j)
{
	struct matrix *m = c->m;
	const struct row *x = &m->row[other_row(c, j)];
	bool all = true;

	row_look(m, other_row(c, j));
	nodeset_copy(m->other, j->columns);
	nodeset_and(m->other, x->taken);
	for (uint32_t i = nodeset_next(m->other, 0); i < m->nodes && all;
	     i = nodeset_next(m->other, i + 1))
		all = chain_add(c, x->at[i]);
	return all;
}

/* The job changes rows, with all that has to. False: it cannot. */
static bool chain_change(struct chain *c, struct matrix_job *first)
{
	bool all;

	c->mark = ++c->m->sequence;
	c->n = 0;
	all = chain_add(c, first);
	for (size_t i = 0; i < c->n && all; i++)
		all = chain_go_on(c, c->m->list[i]);
	for (size_t i = 0; i < c->n && all; i++)
		row_leave(c->m, c->m->list[i], c->m->list[i]->home);
	for (size_t i = 0; i < c->n && all; i++) {
		struct matrix_job *j = c->m->list[i];
		uint32_t to = other_row(c, j);

		row_join(c->m, j, to);
		home_move(c->m, j, to);
	}
	return all;
}

/* The first that is on the columns in the row; NULL: they are free. */
static struct matrix_job *first_on(struct matrix *m, const struct nodeset *columns, uint32_t row)
{
	uint32_t at;

	row_look(m, row);
	nodeset_copy(m->other, columns);
	nodeset_and(m->other, m->row[row].taken);
	at = nodeset_next(m->other, 0);
	return at < m->nodes ? m->row[row].at[at] : NULL;
}

/*
 * Each that is on the columns in the row goes to another one, the first that it can go to from c->other on. False: one cannot, and all
 * are where they were; *any: others could.
 */
static bool empty_columns(struct chain *c, bool *any)
{
	struct matrix *m = c->m;
	struct matrix_job *j;
	uint32_t first = c->other;
	size_t gone = 0;

	while ((j = first_on(m, c->columns, c->row))) {
		bool goes = false;

		for (uint32_t i = 0; i < m->rows && !goes; i++) {
			c->other = (first + i) % m->rows;
			goes = c->other != c->row && chain_change(c, j);
		}
		if (!goes)
			break;
		m->blocker[gone++] = j;
	}
	*any = gone;
	c->back = true;
	for (; j && gone; gone--) {
		c->other = m->blocker[gone - 1]->home;
		chain_change(c, m->blocker[gone - 1]);
	}
	return !j;
}

bool matrix_make_room(struct matrix *m, const struct nodeset *columns,
		      const struct matrix_change *change)
{
	for (uint32_t row = 0; row < m->rows; row++) {
		bool any = !row_is_left(m, row, columns);

		for (uint32_t other = 0; any && other < m->rows; other++) {
			struct chain c = { m, columns, change, row, other, 0, 0, false };

			if (row != other && empty_columns(&c, &any))
				return true;
		}
	}
	return false;
}

/* ---- CompactMatrix ---- */

bool matrix_clock(const struct matrix *m, const struct matrix_job *j, uint32_t row, int64_t first)
{
	int64_t rows = m->rows, ahead = ((int64_t)row - first % rows + rows) % rows;

	return first + ahead <= j->last + rows;
}

bool clock_allows(const struct matrix *m, const struct matrix_pass *p, const struct matrix_job *j,
		  uint32_t row)
{
	return matrix_clock(m, j, row, p->first);
}

bool may_move(const struct matrix *m, const struct matrix_pass *p, const struct matrix_job *j,
	      uint32_t row)
{
	/* one that is still to leave has its old columns in the turns of its home row */
	return !j->yields && !(j->leaves && j->moved) && !matrix_has(j, row) &&
	       clock_allows(m, p, j, row) && !row_is_left(m, row, j->columns) &&
	       (!p->may_move || p->may_move(p->arg, j, row));
}

uint32_t list_sources(const struct matrix *m, uint32_t *out)
{
	uint32_t n = 0;

	matrix_order(m, false, out);
	for (uint32_t i = 0; i < m->rows; i++) {
		if (m->row[out[i]].population)
			out[n++] = out[i];
	}
	return n;
}

/* The width of its narrowest job; none is at home there: more than there are nodes. */
static uint32_t narrowest(const struct matrix *m, uint32_t row)
{
	uint32_t width = m->nodes + 1;

	for (size_t i = 0; i < m->row[row].n; i++) {
		uint32_t its = (uint32_t)m->row[row].home[i]->width;

		width = its < width ? its : width;
	}
	return width;
}

uint32_t list_targets(const struct matrix *m, uint32_t source, uint32_t *out)
{
	uint32_t n = 0, least = 0, p = m->row[source].population;

	for (uint32_t r = 0; r < m->rows; r++) {
		uint32_t its = m->row[r].population;

		/* most rows are full, or emptier */
		if (r == source || its < p || its == m->nodes)
			continue;
		least = least ? least : narrowest(m, source);
		if (its + least <= m->nodes)
			order_row(m, true, out, n++, r);
	}
	return n;
}

/* All that can move to the target does. */
static void compact_row(struct matrix *m, const struct matrix_pass *p, uint32_t source,
			uint32_t target)
{
	struct row *from = &m->row[source], *to = &m->row[target];

	for (size_t i = 0; i < from->n;) {
		struct matrix_job *j = from->home[i];

		if (to->population + (uint32_t)j->width > m->nodes ||
		    nodeset_overlap(to->taken, j->columns) || !may_move(m, p, j, target)) {
			i++;
			continue;
		}
		row_leave(m, j, source);
		row_join(m, j, target);
		home_move(m, j, target);
		if (p->moved)
			p->moved(p->arg, j, source);
	}
}

void compact_matrix(struct matrix *m, const struct matrix_pass *p)
{
	uint32_t *source = m->order, *target = m->order + m->rows;
	uint32_t n = list_sources(m, source);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t targets = list_targets(m, source[i], target);

		for (uint32_t k = 0; k < targets && m->row[source[i]].n; k++)
			compact_row(m, p, source[i], target[k]);
	}
}

/* ---- FillMatrix ---- */

/* One replica more, in the lowest row that has its columns free, of those from j->block on: the ones before have not. */
static bool fill_one(struct matrix *m, struct matrix_job *j)
{
	for (uint32_t r = j->block; !j->yields && r < m->rows; r++) {
		if (matrix_has(j, r) || !has_room(m, j, r) ||
		    nodeset_overlap(m->row[r].taken, j->columns))
			continue;
		row_join(m, j, r);
		j->block = r + 1;
		return true;
	}
	return false;
}

/* The row with the most room. */
static uint32_t emptiest(const struct matrix *m)
{
	uint32_t row = 0;

	for (uint32_t r = 1; r < m->rows; r++) {
		if (m->row[r].population < m->row[row].population)
			row = r;
	}
	return row;
}

size_t list_replicable(struct matrix *m)
{
	uint32_t row = emptiest(m);
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (has_room(m, m->job[i], row))
			m->list[n++] = m->job[i];
	}
	return n;
}

void fill_matrix(struct matrix *m)
{
	size_t n = list_replicable(m);

	for (size_t i = 0; i < n; i++)
		m->list[i]->block = 0;
	while (n) {
		size_t left = 0;

		/* Rows only become fuller: what is not free is not in later rounds, either. */
		for (size_t i = 0; i < n; i++) {
			if (fill_one(m, m->list[i]))
				m->list[left++] = m->list[i];
		}
		n = left;
	}
}
