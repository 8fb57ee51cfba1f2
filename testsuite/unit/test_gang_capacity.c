/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_capacity: what a row of the gang engine has free over time, by counts, compared with going through all nodes
 * at every second: jobs at home, replicas, reservations, and nodes that several hold at once, under jobs and
 * beside them. And again when jobs have moved from row to row.
 *
 * A failure names the PACT_SEED that makes its world the first; PACT_ROUNDS is the number of worlds.
 */
#include <inttypes.h>

#include "core/gang/matrix_own.h"
#include "core/gang/state.h"
#include "core/settings/settings.h"
#include "testsuite/unit/seed.h"

#define NODES 7
#define LAST 200 /* nothing changes later than that */

static uint64_t seed;

static int64_t below(int64_t n)
{
	return (int64_t)(seed_next(&seed) % (uint64_t)n);
}

static struct nodeset *draw_nodes(int32_t most)
{
	struct nodeset *set = nodeset_create(NODES);

	for (int64_t i = 1 + below(most); i > 0; i--)
		nodeset_set(set, (uint32_t)below(NODES));
	return set;
}

/* ---- plainly ---- */

/* What was to be over by now is so in a moment: then its nodes are not taken. Unless it was to be long ago. */
static bool held_at(const struct gang *s, uint32_t node, int64_t t)
{
	const struct held *x;

	for (size_t i = 0; (x = table_next(s->holds, &i));) {
		int64_t end = x->end > s->now ? x->end : s->now + s->config.lateness;

		if (x->block && x->end <= s->now && s->now - x->end < s->config.slice &&
		    s->now - x->end < s->config.lateness)
			continue;
		if (nodeset_test(x->nodes, node) && x->start <= t && t < end)
			return true;
	}
	return false;
}

static bool is_until(const struct gang *s, const struct job *j, int64_t t)
{
	return t < (j->until >= s->now ? j->until : s->now + s->config.lateness);
}

/* By a job whose home is the row. */
static bool taken_at(const struct gang *s, uint32_t row, uint32_t node, int64_t t)
{
	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		const struct job *j = job_of(matrix_job(s->matrix, i));

		if ((j->in.whole || j->in.home == row) && nodeset_test(j->in.columns, node) &&
		    is_until(s, j, t))
			return true;
	}
	return false;
}

static int32_t free_at(const struct gang *s, uint32_t row, int64_t t)
{
	int32_t n = 0;

	for (uint32_t i = 0; i < NODES; i++)
		n += !held_at(s, i, t) && !taken_at(s, row, i, t);
	for (size_t i = 0; i < s->queue_n; i++) {
		const struct job *j = s->queue[i];

		if (j->reserved_row == (int32_t)row && t >= j->reserved_from &&
		    t < j->reserved_from + matrix_rows(s->matrix) * j->limit)
			n -= j->in.width;
	}
	return n;
}

static void check(const struct gang *s, uint64_t round, const char *when)
{
	for (uint32_t r = 0; r < matrix_rows(s->matrix); r++)
		for (int64_t t = s->now; t < LAST; t++)
			if (profile_at(s->capacity[r], t) != free_at(s, r, t))
				fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: %s, row %" PRIu32
					 ", time %" PRId64 ": %" PRId32 " free, plainly %" PRId32,
					 round, when, r, t, profile_at(s->capacity[r], t),
					 free_at(s, r, t));
}

/* ---- worlds ---- */

static struct job *add_job(struct gang *s, uint64_t id, int32_t width, bool whole)
{
	struct sched_job d = { .id = id,
			       .width = width,
			       .limit = 1 + below(20),
			       .planned = -1,
			       .flags = whole ? JOB_WHOLE : 0 };
	struct job *j = gang_job_make(s, &d);

	assert_non_null(j);
	assert_int_equal(gang_room(s, 1), 0);
	assert_int_equal(table_insert(s->jobs, id, j), 0);
	return j;
}

/* Where there is room, or not at all. */
static void add_placed(struct gang *s, uint64_t id)
{
	struct nodeset *columns = draw_nodes(3);
	struct job *j = add_job(s, id, (int32_t)nodeset_count(columns), !below(6));
	uint32_t row = (uint32_t)below(matrix_rows(s->matrix));

	if (matrix_open(s->matrix, &j->in, row, columns)) {
		matrix_place(s->matrix, &j->in, row, columns, -1);
		j->until = s->now - 3 + below(60);
	}
	nodeset_destroy(columns);
}

static void add_reserved(struct gang *s, uint64_t id)
{
	struct job *j = add_job(s, id, 1 + (int32_t)below(4), false);

	gang_enqueue(s, j);
	j->reserved_row = (int32_t)below(matrix_rows(s->matrix));
	j->reserved_from = s->now + below(40);
}

static void add_hold(struct gang *s, uint64_t id)
{
	struct nodeset *nodes = draw_nodes(4);
	int64_t start = below(60);
	struct sched_event ev = { .type = EV_BLOCK,
				  .id = id,
				  .start = start,
				  .end = below(5) ? 1 + start + below(40) : 0,
				  .nodes = nodes };

	assert_int_equal(gang_hold(s, &ev), PACT_OK);
	nodeset_destroy(nodes);
}

static struct gang *open_world(void)
{
	struct sched_config c;
	struct gang *s;
	char why[200];

	sched_config_init(&c);
	c.rows = 1 + (int32_t)below(3);
	c.lateness = below(8);
	s = engine_gang.create(&gang_bgs, NODES, &c, why, sizeof(why));
	assert_non_null(s);
	s->now = 20;
	for (uint64_t id = 1; id <= 6; id++)
		add_placed(s, id);
	if (below(2))
		fill_matrix(s->matrix); /* what has a column need not be at home there */
	for (int64_t i = below(3); i > 0; i--)
		add_reserved(s, 10 + (uint64_t)i);
	for (int64_t i = below(5); i > 0; i--)
		add_hold(s, 20 + (uint64_t)i);
	return s;
}

/* Would the row have enough at any time, if the job were there? */
static bool may_move_plainly(const struct gang *s, const struct job *j, uint32_t row)
{
	for (int64_t t = s->now; t < LAST && is_until(s, j, t); t++) {
		int32_t more = 0;

		for (uint32_t n = 0; n < NODES; n++)
			more += nodeset_test(j->in.columns, n) && !held_at(s, n, t);
		if (free_at(s, row, t) < more)
			return false;
	}
	return true;
}

static void move(struct gang *s, struct job *j, uint32_t row)
{
	uint32_t from = j->in.home;

	row_leave(s->matrix, &j->in, from);
	row_join(s->matrix, &j->in, row);
	home_move(s->matrix, &j->in, row);
	capacity_moved(s, &j->in, from);
}

/* RET how many jobs have moved */
static int move_all(struct gang *s, uint64_t round)
{
	int moved = 0;

	for (size_t i = 0; i < matrix_jobs(s->matrix); i++) {
		struct job *j = job_of(matrix_job(s->matrix, i));
		uint32_t row = (uint32_t)below(matrix_rows(s->matrix));

		if (j->in.whole || matrix_has(&j->in, row) ||
		    !matrix_open(s->matrix, &j->in, row, j->in.columns))
			continue;
		if (capacity_may_move(s, &j->in, row) != may_move_plainly(s, j, row))
			fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: may job %" PRIu64
				 " move to row %" PRIu32 "?",
				 round, j->in.id, row);
		move(s, j, row);
		moved++;
	}
	return moved;
}

static void test_worlds(void **state)
{
	uint64_t rounds = seed_rounds(4000);
	int moved = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		struct gang *s;

		seed = seed_of_round(i);
		s = open_world();
		assert_int_equal(capacity_build(s, false, NULL), 0);
		for (size_t k = 0; k < s->queue_n; k++)
			s->queue[k]->reserved_row += 8; /* they were left out */
		check(s, seed_of_round(i), "without reservations");
		for (size_t k = 0; k < s->queue_n; k++)
			s->queue[k]->reserved_row -= 8;
		assert_int_equal(capacity_build(s, true, NULL), 0);
		check(s, seed_of_round(i), "with reservations");
		clean_matrix(s->matrix);
		moved += move_all(s, seed_of_round(i));
		check(s, seed_of_round(i), "when jobs have moved");
		engine_gang.destroy(s);
	}
	assert_true(rounds < 50 || moved > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_worlds) };

	return seed_run("gang_capacity", tests);
}
