/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_matrix: the matrix of jobs that take turns, against a plain one, a letter per cell, after every step of random
 * operations: nodes that bear few jobs or have little memory, jobs that are whole or may have few nodes, the phases
 * without migration to the letter, those with it by what they must keep.
 *
 * A failure names the PACT_SEED that makes its matrix the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <string.h>

#include "core/gang/fares.h"
#include "testsuite/unit/seed.h"

#define NODES 10
#define ROWS 5
#define JOBS 16
#define STEPS 60

/* The plain one: which job a cell has (0: none), and of each job its home and its place among those of its home. */
struct plain {
	int rows;
	int cell[ROWS][NODES];
	int home[JOBS + 1];
	int seated[JOBS + 1], placed[JOBS + 1]; /* 0: not in the matrix */
	int sequence;
};

struct world {
	struct matrix *m;
	struct fares *fares;
	struct plain p;
	struct matrix_job job[JOBS + 1];
	uint32_t height[NODES];
	int64_t memory[NODES];
	struct nodeset *eligible, *found;
	uint64_t pass, seed;
	uint64_t moved, migrated; /* of all worlds */
};

static uint64_t draws; /* their state, of this matrix */

static int below(int n)
{
	return (int)(seed_next(&draws) % (uint64_t)n);
}

/* ---- the plain one ---- */

static bool is_at(const struct plain *p, int j, int row, int c)
{
	return p->cell[row][c] == j;
}

static bool is_in(const struct plain *p, int j, int row)
{
	bool in = false;

	for (int c = 0; c < NODES; c++)
		in |= is_at(p, j, row, c);
	return in;
}

static bool has_column(const struct plain *p, int j, int c)
{
	return is_at(p, j, p->home[j], c);
}

static int population(const struct plain *p, int row)
{
	int n = 0;

	for (int c = 0; c < NODES; c++)
		n += p->cell[row][c] != 0;
	return n;
}

/* Has the job its columns free in that row? */
static bool is_free(const struct plain *p, int j, int row)
{
	for (int c = 0; c < NODES; c++) {
		if (has_column(p, j, c) && p->cell[row][c])
			return false;
	}
	return true;
}

static void put(struct plain *p, int j, int row)
{
	for (int c = 0; c < NODES; c++) {
		if (has_column(p, j, c))
			p->cell[row][c] = j;
	}
}

static void take(struct plain *p, int j, int row)
{
	for (int c = 0; c < NODES; c++)
		p->cell[row][c] = is_at(p, j, row, c) ? 0 : p->cell[row][c];
}

/* Of those that are placed, in the order of `key`, the next one behind `after`; 0: there is none. */
static int next_by(const struct plain *p, const int *key, int after)
{
	int best = 0;

	for (int j = 1; j <= JOBS; j++) {
		if (p->placed[j] && key[j] > after && (!best || key[j] < key[best]))
			best = j;
	}
	return best;
}

static void plain_clean(struct world *w)
{
	for (int j = 1; j <= JOBS; j++) {
		for (int r = 0; r < w->p.rows; r++) {
			if (w->p.placed[j] && !w->job[j].whole && r != w->p.home[j])
				take(&w->p, j, r);
		}
	}
}

static void plain_fill(struct world *w)
{
	bool more = true;

	while (more) {
		more = false;
		for (int j = next_by(&w->p, w->p.placed, 0); j;
		     j = next_by(&w->p, w->p.placed, w->p.placed[j])) {
			for (int r = 0; r < w->p.rows; r++) {
				if (is_in(&w->p, j, r) || !is_free(&w->p, j, r))
					continue;
				put(&w->p, j, r);
				more = true;
				break;
			}
		}
	}
}

/* Rows by population; ties by number. */
static int order(const struct plain *p, bool descending, int *out)
{
	bool taken[ROWS] = { false };

	for (int i = 0; i < p->rows; i++) {
		int best = -1;

		for (int r = 0; r < p->rows; r++) {
			int n = population(p, r), b = best < 0 ? 0 : population(p, best);

			if (!taken[r] && (best < 0 || (descending ? n > b : n < b)))
				best = r;
		}
		taken[best] = true;
		out[i] = best;
	}
	return p->rows;
}

/* The row's first slice from `first` on is at most a cycle behind the job's last. */
static bool clock_says(const struct world *w, int j, int row, int64_t first)
{
	while (first % w->p.rows != row)
		first++;
	return first <= w->job[j].last + w->p.rows;
}

static void move_all(struct world *w, int from, int to, int64_t first)
{
	struct plain *p = &w->p;

	for (int j = next_by(p, p->seated, 0), after; j; j = next_by(p, p->seated, after)) {
		after = p->seated[j];
		if (p->home[j] != from || w->job[j].whole || is_in(p, j, to) ||
		    !is_free(p, j, to) || !clock_says(w, j, to, first))
			continue;
		put(p, j, to);
		take(p, j, from);
		p->home[j] = to;
		p->seated[j] = ++p->sequence;
		w->moved++;
	}
}

static void plain_compact(struct world *w, int64_t first)
{
	int source[ROWS], target[ROWS], n = order(&w->p, false, source);

	for (int i = 0; i < n; i++) {
		int least = population(&w->p, source[i]);
		bool may[ROWS];

		order(&w->p, true, target);
		for (int k = 0; k < n; k++)
			may[k] = target[k] != source[i] && population(&w->p, target[k]) >= least;
		for (int k = 0; k < n; k++) {
			if (may[k])
				move_all(w, source[i], target[k], first);
		}
	}
}

/* ---- nodes ---- */

static bool bears(const struct world *w, int j, int c)
{
	int64_t memory = w->job[j].memory;
	uint32_t jobs = 1;

	for (int k = 1; k <= JOBS; k++) {
		if (k == j || !w->p.placed[k] || !has_column(&w->p, k, c))
			continue;
		jobs++;
		memory += w->job[k].memory;
	}
	return (!w->height[c] || jobs <= w->height[c]) &&
	       (!w->memory[c] || !w->job[j].memory || memory <= w->memory[c]);
}

/* The lowest columns that are free, are its to have, and bear it. */
static bool plain_find(const struct world *w, int j, int row, bool *column)
{
	int missing = w->job[j].width;

	for (int c = 0; c < NODES; c++) {
		bool good = bears(w, j, c) &&
			    (!w->job[j].eligible || nodeset_test(w->job[j].eligible, (uint32_t)c));

		for (int r = 0; r < w->p.rows; r++)
			good &= (r != row && !w->job[j].whole) || !w->p.cell[r][c];
		column[c] = good && missing > 0;
		missing -= column[c];
	}
	return missing == 0;
}

/* ---- both ---- */

static void complain(const struct world *w, const char *what)
{
	fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: %s", w->seed, what);
}

static void compare(const struct world *w, const char *after)
{
	size_t placed = 0;

	for (int r = 0; r < w->p.rows; r++) {
		for (int c = 0; c < NODES; c++) {
			const struct matrix_job *j = matrix_at(w->m, (uint32_t)r, (uint32_t)c);

			if ((j ? (int)j->id : 0) != w->p.cell[r][c] ||
			    nodeset_test(matrix_taken(w->m, (uint32_t)r), (uint32_t)c) !=
				    (j != NULL))
				complain(w, after);
		}
		if (matrix_population(w->m, (uint32_t)r) != (uint32_t)population(&w->p, r))
			complain(w, after);
	}
	for (int j = 1; j <= JOBS; j++) {
		placed += w->p.placed[j] != 0;
		if (!w->p.placed[j] != !w->job[j].placed ||
		    (w->job[j].placed && (int)w->job[j].home != w->p.home[j]))
			complain(w, after);
	}
	if (matrix_jobs(w->m) != placed)
		complain(w, after);
}

/* ---- steps ---- */

static void add(struct world *w, int j)
{
	struct matrix_job *in = &w->job[j];
	int row = below(w->p.rows), first = (int)(w->pass + 1);
	bool column[NODES];

	*in = (struct matrix_job){ .id = (uint64_t)j,
				   .submit = j,
				   .memory = below(3) ? 0 : 1 + below(8),
				   .columns = in->columns,
				   .eligible = below(3) ? NULL : w->eligible,
				   .width = 1 + below(below(3) ? 4 : NODES),
				   .whole = !below(8),
				   .fixed = !below(4),
				   .leaves = below(2) };
	if (matrix_find(w->m, in, (uint32_t)row, false, NULL, w->found) !=
	    plain_find(w, j, row, column))
		complain(w, "a place is found in one of both");
	if (!plain_find(w, j, row, column))
		return;
	for (int c = 0; c < NODES; c++) {
		if (nodeset_test(w->found, (uint32_t)c) != column[c])
			complain(w, "other columns are found");
	}
	assert_true(matrix_fits(w->m, in, (uint32_t)row, w->found));
	matrix_place(w->m, in, (uint32_t)row, w->found, first - 1);
	w->p.home[j] = row;
	w->p.placed[j] = w->p.seated[j] = ++w->p.sequence;
	for (int r = 0; r < w->p.rows; r++) {
		for (int c = 0; c < NODES && (r == row || in->whole); c++)
			w->p.cell[r][c] = column[c] ? j : w->p.cell[r][c];
	}
}

static void leave(struct world *w, int j)
{
	matrix_remove(w->m, &w->job[j]);
	for (int r = 0; r < w->p.rows; r++)
		take(&w->p, j, r);
	w->p.placed[j] = 0;
}

/* What the phases with migration have made of the rows. */
static void take_over(struct world *w)
{
	struct plain *p = &w->p;

	for (int r = 0; r < p->rows; r++) {
		for (int c = 0; c < NODES; c++) {
			const struct matrix_job *j = matrix_at(w->m, (uint32_t)r, (uint32_t)c);

			p->cell[r][c] = j ? (int)j->id : 0;
		}
	}
	for (int j = 1; j <= JOBS; j++) {
		if (!p->placed[j])
			continue;
		p->home[j] = (int)w->job[j].home;
		p->seated[j] = (int)w->job[j].seated;
		p->sequence = p->seated[j] > p->sequence ? p->seated[j] : p->sequence;
	}
}

/* Its columns are the same in all its rows, and its to have. */
static void check_columns(const struct world *w, int j)
{
	const struct matrix_job *in = &w->job[j];

	if (nodeset_count(in->columns) != (uint32_t)in->width)
		complain(w, "its width is another one");
	for (uint32_t c = 0; c < NODES; c++) {
		bool has = nodeset_test(in->columns, c);

		for (int r = 0; r < w->p.rows; r++) {
			if (is_in(&w->p, j, r) && is_at(&w->p, j, r, (int)c) != has)
				complain(w, "its columns are not the same in all rows");
		}
		if (has &&
		    (!bears(w, j, (int)c) || (in->eligible && !nodeset_test(in->eligible, c))))
			complain(w, "it has a node that is not its to have");
	}
}

static bool is_elsewhere(const struct plain *a, const struct plain *b, int j)
{
	bool other = false;

	for (int c = 0; c < NODES; c++)
		other |= has_column(a, j, c) != has_column(b, j, c);
	return other;
}

static int64_t owed_by_all(const struct world *w)
{
	int64_t sum = 0;

	for (int j = 1; j <= JOBS; j++)
		sum += w->job[j].owed + w->job[j].delay;
	return sum;
}

/* What was asked to be migrated is called back, or has been; before that no job owes anything, and after it none does. */
static void answer(struct world *w, int64_t cost, bool all_back)
{
	int first = below(JOBS);

	for (int k = 1; k <= JOBS; k++) {
		struct matrix_job *in = &w->job[1 + (first + k) % JOBS];
		int64_t owed = in->owed + in->delay;

		if (!in->moved)
			continue;
		in->moved = false;
		if (all_back || below(2)) {
			fares_refund(w->fares, in);
			if (owed - in->owed - in->delay != cost)
				complain(w, "one that is called back pays");
		} else {
			fares_settle(w->fares, in);
			if (in->owed + in->delay != owed)
				complain(w, "one that is migrated does not pay");
		}
	}
	if (all_back && owed_by_all(w))
		complain(w, "all are called back, and one pays");
	for (int j = 1; j <= JOBS; j++)
		fares_pay(w->fares, &w->job[j]);
	if (owed_by_all(w) || fares_count(w->fares))
		complain(w, "all have paid, and one owes still");
}

/* What one has until it has left is no other one's in its row. */
static void check_left(struct world *w, const struct plain *was, int j)
{
	struct nodeset *left = nodeset_create(NODES);
	struct matrix_job other = { .width = 1, .eligible = left };
	uint32_t home = w->job[j].home;

	for (uint32_t c = 0; c < NODES; c++)
		if (is_at(was, j, was->home[j], (int)c))
			nodeset_set(left, c);
	if (matrix_find(w->m, &other, home, false, NULL, w->found) ||
	    matrix_open(w->m, &other, home, left))
		complain(w, "columns are found that are about to be left");
	nodeset_destroy(left);
}

static void migrate(struct world *w, bool fill)
{
	struct matrix_pass p = { .number = ++w->pass, .first = (int64_t)w->pass + 1 };
	struct plain was = w->p;
	int64_t quota = below(12), tasks = 0;

	p.quota = quota;
	p.cost = 2 * below(3);
	p.fares = w->fares;
	if (fill)
		fill_matrix_2(w->m, &p);
	else
		collapse_matrix_2(w->m, &p);
	take_over(w);
	for (int j = 1; j <= JOBS; j++) {
		const struct matrix_job *in = &w->job[j];

		if (!w->p.placed[j])
			continue;
		check_columns(w, j);
		if (!is_elsewhere(&was, &w->p, j))
			continue;
		w->migrated++;
		tasks += in->width;
		if (in->fixed || in->whole || in->migrated != p.number)
			complain(w, "one is migrated that must not be");
		if (in->leaves)
			check_left(w, &was, j);
	}
	matrix_forget_left(w->m);
	if (tasks > quota || quota - p.quota < tasks)
		complain(w, "more than Q are migrated");
	answer(w, p.cost, below(2));
}

static void step(struct world *w)
{
	struct matrix_pass p = { 0 };
	int j = 1 + below(JOBS);

	switch (below(8)) {
	case 0:
		clean_matrix(w->m);
		plain_clean(w);
		compare(w, "CleanMatrix");
		break;
	case 1:
		fill_matrix(w->m);
		plain_fill(w);
		compare(w, "FillMatrix");
		break;
	case 2:
		p = (struct matrix_pass){ .number = ++w->pass, .first = (int64_t)w->pass + 1 };
		for (int k = 1; k <= JOBS; k++)
			w->job[k].last = p.first - 1 - below(w->p.rows);
		plain_compact(w, p.first);
		compact_matrix(w->m, &p);
		compare(w, "CompactMatrix");
		break;
	case 3:
		migrate(w, below(2));
		compare(w, "migration");
		break;
	default:
		if (w->p.placed[j] && below(2))
			leave(w, j);
		else if (!w->p.placed[j])
			add(w, j);
		compare(w, "a job that comes or goes");
	}
}

static void open_world(struct world *w)
{
	memset(&w->p, 0, sizeof(w->p));
	w->p.rows = 1 + below(ROWS);
	w->pass = 0;
	w->m = matrix_create(NODES, (uint32_t)w->p.rows);
	w->fares = fares_create();
	assert_true(w->m && w->fares);
	assert_int_equal(matrix_reserve(w->m, JOBS), 0);
	nodeset_clear(w->eligible);
	for (int c = 0; c < NODES; c++) {
		w->height[c] = below(4) ? 0 : 1 + (uint32_t)below(3);
		w->memory[c] = below(3) ? 0 : 5 + below(10);
		matrix_node(w->m, (uint32_t)c, w->height[c], w->memory[c]);
		if (below(3))
			nodeset_set(w->eligible, (uint32_t)c);
	}
	for (int j = 1; j <= JOBS; j++)
		w->job[j] = (struct matrix_job){ .id = (uint64_t)j, .columns = w->job[j].columns };
}

/* Some worlds, one after the other, whose seeds those are. */
static void play(struct world *w, uint64_t (*seed)(uint64_t round), uint64_t rounds)
{
	w->eligible = nodeset_create(NODES);
	w->found = nodeset_create(NODES);
	for (int j = 1; j <= JOBS; j++)
		w->job[j].columns = nodeset_create(NODES);
	for (uint64_t round = 0; round < rounds; round++) {
		w->seed = seed(round);
		draws = w->seed | 1;
		open_world(w);
		for (int i = 0; i < STEPS; i++)
			step(w);
		matrix_destroy(w->m);
		fares_destroy(w->fares);
	}
	for (int j = 1; j <= JOBS; j++)
		nodeset_destroy(w->job[j].columns);
	nodeset_destroy(w->eligible);
	nodeset_destroy(w->found);
}

static void test_worlds(void **state)
{
	static struct world w;
	uint64_t rounds = seed_rounds(2000);

	(void)state;
	play(&w, seed_of_round, rounds);
	print_message("# moved %" PRIu64 ", migrated %" PRIu64 "\n", w.moved, w.migrated);
	assert_true(rounds < 50 || (w.moved > rounds / 4 && w.migrated > rounds / 4));
}

static uint64_t this_seed(uint64_t round)
{
	return UINT64_C(8392672418228193305) + round;
}

/* A row in which there are only replicas when CompactMatrix begins gets a job, and is a source after that. */
static void test_source(void **state)
{
	static struct world w;

	(void)state;
	play(&w, this_seed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_worlds),
					    cmocka_unit_test(test_source) };

	return seed_run("test_matrix", tests);
}
