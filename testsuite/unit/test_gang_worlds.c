/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_worlds: what must hold of the plain gang schedulers of ref_gang on thousands of small random workloads.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <string.h>

#include "testsuite/unit/gang_world.h"
#include "testsuite/unit/ref_sched.h"
#include "testsuite/unit/seed.h"

/* Looks at every settled instant of a world. */
struct look {
	const struct gang_world *x;
	uint64_t seed;
	int64_t before;		   /* the last instant; -1: none */
	bool ran[GANG_WORLD_JOBS]; /* since then */
	int64_t work[GANG_WORLD_JOBS];
	bool seen[GANG_WORLD_JOBS];
	int64_t last
		[GANG_WORLD_JOBS]; /* slice that began with it; at first the one before its first whole one */
};

static void complain(const struct gang_world *x, uint64_t seed, const char *what, size_t i)
{
	gang_world_print(x);
	fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: job %c: %s", seed, (char)('A' + i), what);
}

/*
 * No node is used twice: a job has its whole width in each of its rows, so that no other one has been written over it;
 * and the columns are the same in all rows. A cell holds one letter, and one row runs at an instant.
 */
static void look_at_job(struct look *l, const struct ref_gang_view *v, size_t i)
{
	const struct ref_gang_job *j = &l->x->job[i];
	bool somewhere = false;

	for (int r = 0; r < v->rows; r++) {
		int columns = 0;
		bool same = true;

		for (int x = 0; x < v->nodes; x++) {
			bool here = v->cell[r][x] == (char)('A' + i);

			columns += here;
			same &= here == j->column[x];
		}
		somewhere |= columns > 0;
		if (columns != 0 && (columns != j->width || !same))
			complain(l->x, l->seed, "its columns are not the same in all rows", i);
		/* of one that has not begun: if it was not too late for that (LaunchTime) */
		l->ran[i] |=
			v->slice >= 0 && v->slice % v->rows == r && columns > 0 && j->start >= 0;
	}
	if (somewhere != (j->placed >= 0 && j->end < 0))
		complain(l->x, l->seed, "in the matrix, or not, at the wrong time", i);
}

/*
 * What the clock is for: at most a cycle from one slice that begins with the job to the next. When a job is seen first,
 * the slice that began at this instant, if one did, is its first.
 */
static void look_at_clock(struct look *l, const struct ref_gang_view *v, size_t i)
{
	bool placed = l->x->job[i].placed >= 0 && l->x->job[i].end < 0;

	if (!placed)
		return;
	if (!l->seen[i])
		l->last[i] = v->slice - v->begun;
	l->seen[i] = true;
	if (v->begun && l->ran[i])
		l->last[i] = v->slice;
	else if (v->slice >= l->last[i] + v->rows)
		complain(l->x, l->seed, "has not had a slice for more than a cycle", i);
}

static void look(void *arg, const struct ref_gang_view *v)
{
	struct look *l = arg;

	if (v->used > l->x->c.quota)
		complain(l->x, l->seed, "Q exceeded", 0);
	if (v->phase != REF_SETTLED)
		return;
	for (size_t i = 0; i < l->x->n; i++) {
		if (l->ran[i])
			l->work[i] += v->now - l->before;
		l->ran[i] = false;
		look_at_job(l, v, i);
		look_at_clock(l, v, i);
	}
	l->before = v->now;
}

/* RET has it come to an end? */
static bool play(struct gang_world *x, uint64_t seed, int64_t *work)
{
	struct look l = { .x = x, .seed = seed, .before = -1 };
	int err;

	x->c.watch = look;
	x->c.arg = &l;
	err = ref_gang_run(&x->c, x->job, x->n);
	assert_int_not_equal(err, REF_GANG_BAD);
	memcpy(work, l.work, sizeof(l.work));
	return err == 0;
}

static int64_t rows_of(const struct gang_world *x)
{
	return x->c.kind == REF_BF ? 1 : x->c.rows;
}

/*
 * The bound of a job (doc/papers.md): from its placement on the clock gives it a slice in each cycle from that slice's
 * beginning. One that it is taken from costs a cycle. A switch of which nothing is given back is lost once for
 * each slice that it has to its end, and beside that as often as it strays.
 */
static int64_t bound(const struct gang_world *x, const struct ref_gang_job *j)
{
	int64_t cost = x->c.kind == REF_BF ? 0 : x->c.switching;
	int64_t work = j->runtime + j->lost_migrating + (x->c.remit ? 0 : j->strays * cost);
	int64_t each = x->c.slice - cost;

	return j->placed + ((work + each - 1) / each + j->cut + 1) * rows_of(x) * x->c.slice;
}

static void check_jobs(const struct gang_world *x, uint64_t seed, const int64_t *work)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct ref_gang_job *j = &x->job[i];

		if (j->submit > j->placed || j->placed > j->start || j->start >= j->end)
			complain(x, seed, "out of order", i);
		if (work[i] != j->runtime + j->lost || j->ran != work[i])
			complain(x, seed, "has run more or less than its runtime and what it lost",
				 i);
		if (!x->c.next && j->end > bound(x, j))
			complain(x, seed, "outlasts its bound", i);
		if (x->c.quota == 0 && (j->migrated || j->lost_migrating))
			complain(x, seed, "has migrated", i);
	}
}

/* RET how many tasks migrated */
static int64_t check_world(enum ref_gang_kind kind, uint64_t seed)
{
	int64_t work[GANG_WORLD_JOBS], tasks = 0;
	struct gang_world x;

	gang_world_make(&x, kind, seed);
	x.c.remit = seed % 3 == 0;
	if (!play(&x, seed, work))
		return 0; /* see ref_gang_run() */
	check_jobs(&x, seed, work);
	for (size_t i = 0; i < x.n; i++)
		tasks += x.job[i].migrated;
	return tasks;
}

static void check_worlds(enum ref_gang_kind kind)
{
	uint64_t rounds = seed_rounds(4000);
	bool migrates = kind == REF_MGS || kind == REF_MBGS;
	int64_t tasks = 0;

	for (uint64_t i = 0; i < rounds; i++)
		tasks += check_world(kind, seed_of_round(i));
	assert_true(migrates ? rounds < 50 || tasks > 0 : tasks == 0);
}

static void test_gs_worlds(void **state)
{
	(void)state;
	check_worlds(REF_GS);
}

static void test_bgs_worlds(void **state)
{
	(void)state;
	check_worlds(REF_BGS);
}

static void test_mgs_worlds(void **state)
{
	(void)state;
	check_worlds(REF_MGS);
}

static void test_mbgs_worlds(void **state)
{
	(void)state;
	check_worlds(REF_MBGS);
}

static void test_bf_worlds(void **state)
{
	(void)state;
	check_worlds(REF_BF);
}

/* Two schedulers that must do the same in a world. */
static void check_same(struct gang_world *x, struct gang_world *y, uint64_t seed)
{
	int err = ref_gang_run(&x->c, x->job, x->n);

	assert_int_equal(ref_gang_run(&y->c, y->job, y->n), err);
	for (size_t i = 0; i < x->n && err == 0; i++) {
		if (x->job[i].start != y->job[i].start || x->job[i].end != y->job[i].end) {
			gang_world_print(x);
			complain(y, seed, "differs", i);
		}
	}
}

/* MBGS with one row and no costs is BF in order of arrival. */
static void test_one_row(void **state)
{
	uint64_t rounds = seed_rounds(4000);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		struct gang_world x, y;

		gang_world_make(&x, REF_MBGS, seed_of_round(i));
		gang_world_make(&y, REF_BF, seed_of_round(i));
		x.c.rows = 1;
		x.c.short_rows = 0; /* less than rows */
		x.c.switching = x.c.cost = 0;
		y.c.order = REF_GANG_FCFS;
		x.c.phase = y.c.phase = NULL;
		check_same(&x, &y, seed_of_round(i));
	}
}

static void check_no_quota(enum ref_gang_kind kind, enum ref_gang_kind migrating)
{
	uint64_t rounds = seed_rounds(4000);

	for (uint64_t i = 0; i < rounds; i++) {
		struct gang_world x, y;

		gang_world_make(&x, kind, seed_of_round(i));
		gang_world_make(&y, migrating, seed_of_round(i));
		x.c.phase = y.c.phase = NULL;
		y.c.quota = 0;
		check_same(&x, &y, seed_of_round(i));
	}
}

/* With Q = 0 MGS is GS, and MBGS is BGS. */
static void test_no_quota(void **state)
{
	(void)state;
	check_no_quota(REF_GS, REF_MGS);
	check_no_quota(REF_BGS, REF_MBGS);
}

/* Where a switch may cost all of a row's time, AMBGS is MBGS, if no rows are kept for short jobs. */
static void test_any_loss(void **state)
{
	uint64_t rounds = seed_rounds(4000);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		struct gang_world x, y;

		gang_world_make(&x, REF_MBGS, seed_of_round(i));
		gang_world_make(&y, REF_AMBGS, seed_of_round(i));
		x.c.short_rows = 0;
		y.c.loss = 10000;
		check_same(&x, &y, seed_of_round(i));
	}
}

/*
 * With exact estimates nothing ends early, and BF in order of arrival is the textbook's conservative backfilling. The
 * lateness is 0, as of several ends at one instant the first is told while the others are still to come: what ends
 * now must count as free now, or a job that waits for all of them could be passed.
 */
static void check_conservative(uint64_t seed)
{
	struct ref_job textbook[GANG_WORLD_JOBS] = { 0 };
	struct ref_config machine = { 0 };
	struct gang_world x;

	gang_world_make(&x, REF_BF, seed);
	x.c.order = REF_GANG_FCFS;
	x.c.discrete = false;
	x.c.lateness = 0;
	x.c.phase = NULL;
	machine.nodes = x.c.nodes;
	for (size_t i = 0; i < x.n; i++) {
		x.job[i].estimate = x.job[i].runtime;
		textbook[i].submit = x.job[i].submit;
		textbook[i].estimate = textbook[i].runtime = x.job[i].runtime;
		textbook[i].width = x.job[i].width;
	}
	assert_int_equal(ref_gang_run(&x.c, x.job, x.n), 0);
	ref_run(REF_CONSERVATIVE, &machine, textbook, x.n);
	for (size_t i = 0; i < x.n; i++)
		if (x.job[i].start != textbook[i].start)
			complain(&x, seed, "does not start as in the textbook", i);
}

static void test_conservative(void **state)
{
	uint64_t rounds = seed_rounds(4000);

	(void)state;
	for (uint64_t i = 0; i < rounds; i++)
		check_conservative(seed_of_round(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gs_worlds),    cmocka_unit_test(test_bgs_worlds),
		cmocka_unit_test(test_mgs_worlds),   cmocka_unit_test(test_mbgs_worlds),
		cmocka_unit_test(test_bf_worlds),    cmocka_unit_test(test_one_row),
		cmocka_unit_test(test_no_quota),     cmocka_unit_test(test_any_loss),
		cmocka_unit_test(test_conservative),
	};

	return seed_run("gang_worlds", tests);
}
