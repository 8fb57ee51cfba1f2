/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_matrix_room: rows of jobs that are told anew one by one, in any order and without their rows, as when a driver comes up:
 * those that find no row open get one by matrix_make_room(), always if jobs of two rows that change these suffice for that, which a
 * plain search says. If they get none all is as it was.
 *
 * A failure names the PACT_SEED that makes its matrix the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <string.h>

#include "core/gang/matrix.h"
#include "testsuite/unit/seed.h"

#define NODES 12
#define ROWS 4
#define JOBS (NODES * ROWS)
#define FIRST 100 /* the first slice that will be whole */

struct world {
	struct matrix *m;
	struct matrix_job job[JOBS];
	uint64_t mask[JOBS];
	uint32_t rows;
	int n;
	int stays; /* this one may be in no other row than it is; -1: each may */
};

static uint64_t draws;

static int below(int n)
{
	return (int)(seed_next(&draws) % (uint64_t)n);
}

static struct nodeset *nodes_of(uint64_t mask)
{
	struct nodeset *set = nodeset_create(NODES);

	for (uint32_t c = 0; c < NODES; c++)
		if (mask >> c & 1)
			nodeset_set(set, c);
	return set;
}

/* Rows of jobs on any nodes, that fill most of them. */
static void draw_jobs(struct world *w)
{
	w->n = 0;
	for (uint32_t r = 0; r < w->rows; r++) {
		uint64_t left = (UINT64_C(1) << NODES) - 1;

		while (left && below(12)) {
			uint64_t mask = 0;

			for (int width = 1 + below(4); width && left; width--) {
				int c = below(NODES);

				for (; !(left >> c & 1); c = (c + 1) % NODES)
					;
				mask |= UINT64_C(1) << c;
				left &= ~(UINT64_C(1) << c);
			}
			w->mask[w->n++] = mask;
		}
	}
	for (int i = w->n - 1; i > 0; i--) {
		int k = below(i + 1);
		uint64_t mask = w->mask[i];

		w->mask[i] = w->mask[k];
		w->mask[k] = mask;
	}
}

static bool may(void *arg, const struct matrix_job *j, uint32_t row)
{
	const struct world *w = arg;

	assert_true(row < w->rows && row != j->home);
	return (int)j->id != w->stays;
}

/* The first row that is open. */
static bool place(struct world *w, int i)
{
	struct nodeset *set = nodes_of(w->mask[i]);
	bool placed = false;

	for (uint32_t r = 0; r < w->rows && !placed; r++) {
		if (!matrix_open(w->m, &w->job[i], r, set))
			continue;
		matrix_place(w->m, &w->job[i], r, set, FIRST - 1);
		placed = true;
	}
	nodeset_destroy(set);
	return placed;
}

/* ---- a plain search ---- */

/* From those on the job's nodes in one row all that is in each other's way in two of them: can they all change? */
static bool can_change(const struct world *w, uint64_t mask, uint32_t row, uint32_t other)
{
	bool in[JOBS] = { false }, more = true;

	for (int i = 0; i < w->n; i++)
		in[i] = w->job[i].placed && w->job[i].home == row && w->mask[i] & mask;
	while (more) {
		more = false;
		for (int i = 0; i < w->n; i++) {
			for (int k = 0; k < w->n && in[i]; k++) {
				if (in[k] || !w->job[k].placed || !(w->mask[i] & w->mask[k]) ||
				    (w->job[k].home != row && w->job[k].home != other))
					continue;
				in[k] = more = true;
			}
		}
	}
	for (int i = 0; i < w->n; i++) {
		if (in[i] && (i == w->stays || (w->job[i].home == other && w->mask[i] & mask)))
			return false;
	}
	return true;
}

static bool two_suffice(const struct world *w, uint64_t mask)
{
	bool any = false;

	for (uint32_t a = 0; a < w->rows; a++)
		for (uint32_t b = 0; b < w->rows; b++)
			any |= a != b && can_change(w, mask, a, b);
	return any;
}

/* Each is in one row, where it has its nodes, and no other has them. */
static void check(const struct world *w, const uint32_t *was, bool changed)
{
	uint64_t taken[ROWS] = { 0 };

	for (int i = 0; i < w->n; i++) {
		const struct matrix_job *j = &w->job[i];

		if (!j->placed)
			continue;
		assert_true(j->rows == UINT64_C(1) << j->home);
		assert_false(taken[j->home] & w->mask[i]);
		taken[j->home] |= w->mask[i];
		assert_true(changed || was[i] == j->home);
		for (uint32_t c = 0; c < NODES; c++)
			assert_true(!(w->mask[i] >> c & 1) || matrix_at(w->m, j->home, c) == j);
	}
	for (uint32_t r = 0; r < w->rows; r++)
		for (uint32_t c = 0; c < NODES; c++)
			assert_int_equal(nodeset_test(matrix_taken(w->m, r), c), taken[r] >> c & 1);
}

/* RET whether it has a row now */
static bool make_room(struct world *w, int i)
{
	struct matrix_change change = { FIRST, may, w };
	struct nodeset *set = nodes_of(w->mask[i]);
	bool expected = two_suffice(w, w->mask[i]), made;
	uint32_t was[JOBS];

	for (int k = 0; k < w->n; k++)
		was[k] = w->job[k].home;
	made = matrix_make_room(w->m, set, &change);
	assert_true(made || !expected);
	check(w, was, made);
	nodeset_destroy(set);
	return made && place(w, i);
}

/* How many are left without a row. */
static int play(struct world *w)
{
	int left = 0;

	w->rows = 2 + (uint32_t)below(ROWS - 1);
	w->stays = below(2) ? below(JOBS) : -1;
	w->m = matrix_create(NODES, w->rows);
	assert_true(w->m && matrix_reserve(w->m, JOBS) == 0);
	draw_jobs(w);
	for (int i = 0; i < w->n; i++)
		w->job[i] = (struct matrix_job){ .id = (uint64_t)i,
						 .columns = nodeset_create(NODES),
						 .width = __builtin_popcountll(w->mask[i]) };
	for (int i = 0; i < w->n; i++)
		left += !place(w, i) && !make_room(w, i);
	for (int i = 0; i < w->n; i++)
		nodeset_destroy(w->job[i].columns);
	matrix_destroy(w->m);
	return left;
}

static void test_told_anew(void **state)
{
	static struct world w;
	uint64_t rounds = seed_rounds(2000);
	int jobs = 0, left = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		draws = seed_of_round(round) | 1;
		left += play(&w);
		jobs += w.n;
	}
	print_message("# of %d jobs %d are left without a row\n", jobs, left);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_told_anew) };

	return seed_run("test_matrix_room", tests);
}
