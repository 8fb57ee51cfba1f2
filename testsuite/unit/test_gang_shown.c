/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_shown: what the gang engine shows of its jobs: their rows, when these have their turns, the nodes that a job
 * will have, what one without a place lacks, and when one would begin that is not there yet.
 */
#include "core/base/nodeset.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 4

static void open_kept(struct feed *f, const char *name, int32_t short_rows)
{
	struct sched_config c;

	sched_config_init(&c);
	c.rows = 2;
	c.slice = 10;
	c.short_rows = short_rows;
	c.short_time = 100;
	feed_open(f, name, NODES, &c);
	f->name_nodes = true;
}

static void open_rows(struct feed *f, const char *name)
{
	open_kept(f, name, 0);
}

static void drain(struct feed *f)
{
	struct sched_action a;

	while (sched_next(f->s, &a)) {
		if (a.type == ACT_WAKE)
			f->wake = a.end;
		else if (a.type == ACT_START)
			assert_int_equal(feed_start(f, a.id, a.allowed), PACT_OK);
		else if (a.type == ACT_SUSPEND || a.type == ACT_RESUME)
			feed_event(f, (struct sched_event){ .type = a.type == ACT_SUSPEND
									    ? EV_SUSPENDED
									    : EV_RESUMED,
							    .id = a.id });
	}
}

/* All instants up to that one are over. */
static void go(struct feed *f, int64_t to)
{
	drain(f);
	for (int n = 0; f->wake <= to; n++) {
		assert_true(n < 1000);
		f->now = f->wake > f->now ? f->wake : f->now;
		f->wake = PACT_FOREVER;
		assert_int_equal(feed_event(f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		drain(f);
	}
	f->now = to;
}

static struct sched_turns turns_of(const struct feed *f, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(f->s, id, &v), PACT_OK);
	return v.turns;
}

/* Its rows, when one of them has its turn, and where it will be. */
static void test_rows(void **state)
{
	struct nodeset *first = feed_nodes(NODES, 7);
	struct sched_turns t;
	struct feed f;

	(void)state;
	open_rows(&f, "gs");
	for (uint64_t id = 1; id <= 3; id++)
		assert_int_equal(feed_submit(&f, feed_job(id, 5 - (int32_t)id, 1000)), PACT_OK);
	go(&f, 5);
	t = turns_of(&f, 1);
	assert_true(t.rows == 2 && t.in == 1 && t.home == 0 && !t.whole && !t.aside && !t.nodes);
	assert_int_equal(t.next, 0); /* it has it, as of the last event */
	t = turns_of(&f, 2);
	assert_true(t.rows == 2 && t.in == 2 && t.home == 1 && t.next == 10);
	assert_true(nodeset_equal(t.nodes, first));
	t = turns_of(&f, 3);
	assert_true(t.rows == 2 && !t.in && !t.nodes && t.next == PACT_FOREVER);
	go(&f, 10);
	assert_null(turns_of(&f, 2).nodes);
	assert_int_equal(turns_of(&f, 1).next, 20);
	feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = 3 });
	feed_finish(&f, 1);
	go(&f, 11);
	t = turns_of(&f, 2);
	assert_true(t.in == 3 && t.home == 1 && t.next == 11);
	feed_close(&f);
	nodeset_destroy(first);
}

/* Moved by hand to where each row has a job, it is in none. */
static void test_aside(void **state)
{
	struct nodeset *last = feed_nodes(NODES, 8);
	struct sched_turns t;
	struct feed f;

	(void)state;
	open_rows(&f, "gs");
	feed_submit(&f, feed_job(1, 1, 1000));
	go(&f, 1);
	feed_submit(&f, feed_job(2, 3, 1000));
	feed_submit(&f, feed_job(3, 4, 1000));
	go(&f, 12);
	feed_event(&f, (struct sched_event){ .type = EV_SUSPENDED, .id = 3 });
	feed_event(&f, (struct sched_event){ .type = EV_MIGRATED, .id = 1, .nodes = last });
	go(&f, 13);
	t = turns_of(&f, 1);
	assert_true(t.aside && !t.in && t.next == PACT_FOREVER && !t.nodes);
	feed_close(&f);
	nodeset_destroy(last);
}

/* A promised job that runs is in every row, and one that waits for its planned start in none. */
static void test_promised(void **state)
{
	struct sched_turns t;
	struct feed f;

	(void)state;
	open_rows(&f, "bgs");
	for (uint64_t id = 1; id <= 2; id++)
		feed_submit(&f, feed_deadline(id, 4, 1000, 5000));
	go(&f, 0);
	t = turns_of(&f, 1);
	assert_true(t.rows == 2 && t.in == 3 && t.whole && !t.aside);
	t = turns_of(&f, 2);
	assert_true(t.rows == 2 && !t.in && t.whole && t.next == PACT_FOREVER);
	assert_int_equal(sched_lack(f.s, 2), LACK_NONE);
	feed_close(&f);
}

/* So is one that ran when the driver came up: it is told as what holds nodes. Lost nodes are no job. */
static void test_known_again(void **state)
{
	struct nodeset *first = feed_nodes(NODES, 3), *last = feed_nodes(NODES, 8);
	struct sched_turns t;
	struct sched_matrix m;
	struct sched_place p;
	struct feed f;

	(void)state;
	open_rows(&f, "bgs");
	feed_block(&f, 50, last, 0, 9000);
	assert_int_equal(feed_start(&f, 1, first), PACT_OK);
	feed_submit(&f, feed_job(2, 1, 1000));
	go(&f, 1);
	t = turns_of(&f, 1);
	assert_true(t.rows == 2 && t.in == 3 && t.whole && !t.aside);
	assert_int_equal(sched_matrix(f.s, 0, &m), PACT_OK);
	assert_int_equal(m.jobs, 2);
	assert_int_equal(sched_matrix_place(f.s, 0, 1, &p), PACT_OK);
	assert_true(p.id == 1 && p.rows == 3 && p.whole && p.started);
	assert_true(nodeset_equal(p.nodes, first));
	assert_int_equal(sched_matrix_place(f.s, 0, 2, &p), PACT_ENOENT);
	feed_close(&f);
	nodeset_destroy(first);
	nodeset_destroy(last);
}

/* Why a job has no place: each row is full, it lacks memory, nodes are held by others; or it is too early. */
static void test_lack(void **state)
{
	struct nodeset *all = feed_nodes(NODES, 15), *last = feed_nodes(NODES, 8);
	struct sched_job big = feed_job(3, 1, 1000), early = feed_job(6, 1, 1000);
	struct feed f;

	(void)state;
	open_rows(&f, "bgs");
	feed_event(&f, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 10 });
	feed_submit(&f, feed_job(1, 4, 1000));
	feed_submit(&f, feed_job(2, 3, 1000));
	go(&f, 1);
	assert_int_equal(sched_lack(f.s, 1), LACK_NONE);
	assert_int_equal(sched_lack(f.s, 77), LACK_NONE);
	big.memory = 11;
	feed_submit(&f, big);
	feed_submit(&f, feed_job(4, 2, 1000));
	go(&f, 2);
	assert_int_equal(sched_lack(f.s, 3), LACK_MEMORY);
	assert_int_equal(sched_lack(f.s, 4), LACK_ROW);
	feed_block(&f, 50, last, 3, 9000);
	feed_submit(&f, feed_job(5, 1, 1000));
	go(&f, 4);
	assert_int_equal(sched_lack(f.s, 5), LACK_HELD);
	feed_finish(&f, 50);
	feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 });
	early.begin = 100000;
	feed_submit(&f, early);
	go(&f, 5);
	assert_int_equal(sched_lack(f.s, 5), LACK_NONE);
	assert_int_equal(sched_lack(f.s, 6), LACK_NONE);
	feed_close(&f);
	nodeset_destroy(all);
	nodeset_destroy(last);
}

/* Two long jobs that no row has room for together, where one of two rows is to be kept; how many are. */
static uint32_t open_two_long(struct feed *f, const char *name)
{
	struct sched_matrix m;

	open_kept(f, name, 1);
	assert_int_equal(sched_matrix(f->s, 0, &m), PACT_OK);
	feed_submit(f, feed_job(1, 3, 101));
	feed_submit(f, feed_job(2, 2, 101));
	go(f, 1);
	return m.short_rows;
}

/* A row that is kept for short jobs: a long one does not begin there, and is there beside them while nodes are free. */
static void short_row(const char *name)
{
	struct feed f;

	assert_int_equal(open_two_long(&f, name), 1);
	assert_true(turns_of(&f, 1).in == 3 && turns_of(&f, 1).home == 0);
	assert_false(turns_of(&f, 2).in);
	assert_int_equal(sched_lack(f.s, 2), LACK_SHORT);
	feed_submit(&f, feed_job(3, 1, 100));
	feed_submit(&f, feed_job(4, 3, 100));
	go(&f, 11);
	assert_true(turns_of(&f, 3).home == 0); /* the fullest row, if it is for all */
	assert_true(turns_of(&f, 4).in == 2 && turns_of(&f, 4).home == 1);
	assert_int_equal(turns_of(&f, 1).in, 1);
	assert_int_equal(sched_lack(f.s, 2), LACK_ROW);
	/* row 0 has the long one's nodes again, and job 3 alone: CompactMatrix could move that to row 1, and not job 2 */
	feed_finish(&f, 1);
	go(&f, 12);
	assert_true(turns_of(&f, 2).in && turns_of(&f, 2).home == 0);
	go(&f, 60);
	assert_int_equal(turns_of(&f, 2).home, 0);
	feed_close(&f);
}

/* Without backfilling one that is kept out would hold up all behind it: there all rows are for all. */
static void no_short_row(const char *name)
{
	struct feed f;

	assert_int_equal(open_two_long(&f, name), 0);
	assert_int_equal(turns_of(&f, 2).home, 1);
	feed_close(&f);
}

/* A whole job is of any length; what started by other hands keeps the row that it finds. */
static void test_short_row_any(void **state)
{
	struct nodeset *all = feed_nodes(NODES, 15);
	struct sched_job whole = feed_job(1, 4, 1000);
	struct feed f;

	(void)state;
	open_kept(&f, "bgs", 1);
	whole.flags |= JOB_WHOLE;
	feed_submit(&f, whole);
	go(&f, 1);
	assert_int_equal(turns_of(&f, 1).in, 3);
	feed_finish(&f, 1);
	for (uint64_t id = 2; id <= 3; id++) {
		feed_submit(&f, feed_job(id, 4, 1000));
		assert_int_equal(feed_start(&f, id, all), PACT_OK);
	}
	go(&f, 2);
	assert_true(turns_of(&f, 2).in && turns_of(&f, 3).in);
	assert_int_equal(turns_of(&f, 2).home + turns_of(&f, 3).home, 1);
	feed_close(&f);
	nodeset_destroy(all);
}

static void test_short_row(void **state)
{
	(void)state;
	short_row("bgs");
	short_row("mbgs");
	no_short_row("gs");
	no_short_row("mgs");
	no_short_row("ambgs");
}

/* A replica is in no job's way: what has to wait as all nodes are to be lost does not wait for a row, and the replica stays. */
static void test_lack_beside_replica(void **state)
{
	struct nodeset *all = feed_nodes(NODES, 15);
	struct feed f;

	(void)state;
	open_rows(&f, "bgs");
	feed_block(&f, 50, all, 200, 9000);
	feed_submit(&f, feed_job(1, 4, 50));
	feed_submit(&f, feed_job(2, 4, 1000));
	go(&f, 1);
	assert_int_equal(turns_of(&f, 1).in, 3);
	assert_int_equal(sched_lack(f.s, 2), LACK_HELD);
	assert_int_equal(turns_of(&f, 1).in, 3);
	feed_close(&f);
	nodeset_destroy(all);
}

/* ---- when one would begin ---- */

/* Asked of a job of that width and priority, of 100 s; what is asked is taken for granted, and nothing promised. */
static int64_t begins(struct feed *f, int32_t width, int64_t priority)
{
	struct sched_job job = feed_job(99, width, 100);
	struct sched_decision d;

	job.submit = f->now;
	job.priority = priority;
	assert_int_equal(sched_ask(f->s, f->now, &job, 1, &d), PACT_OK);
	assert_true(d.accepted && d.expected && d.reason == REFUSE_NONE);
	return d.start;
}

/* At once, in the next turn of a row that has room beside replicas, or when there will be room in one. */
static void test_begins(void **state)
{
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.rows = 2;
	c.slice = 10;
	c.mode = SCHED_MODE_SLURM;
	feed_open(&f, "bgs", NODES, &c);
	f.name_nodes = true;
	f.now = 3;
	assert_int_equal(begins(&f, 4, 1), 3);
	feed_submit(&f, feed_job(1, 3, 1000));
	go(&f, 5);
	assert_int_equal(turns_of(&f, 1).in, 3);
	assert_int_equal(begins(&f, 1, 1), 5);
	assert_int_equal(begins(&f, 2, 1), 13);
	feed_submit(&f, feed_job(2, 4, 500));
	go(&f, 16);
	assert_int_equal(begins(&f, 1, 1), 23);
	/* an end is at two rows times the limit, and what comes before has its place before */
	assert_int_equal(begins(&f, 2, 1), 1005);
	feed_submit(&f, feed_job(3, 4, 100));
	go(&f, 17);
	assert_int_equal(begins(&f, 2, 0), 1205);
	assert_int_equal(begins(&f, 2, 1), 1005);
	feed_close(&f);
}

/* Without backfilling it is behind all that wait, for as long as is not known; with a deadline, or malformed, nothing is. */
static void test_begins_unknown(void **state)
{
	struct sched_job job = feed_job(99, 1, 100), late = feed_deadline(99, 1, 100, 5000);
	struct sched_decision d;
	struct feed f;

	(void)state;
	open_rows(&f, "gs");
	for (uint64_t id = 1; id <= 2; id++)
		feed_submit(&f, feed_job(id, 3, 1000));
	go(&f, 1);
	assert_int_equal(begins(&f, 1, 0), 1);
	assert_true(begins(&f, 2, 0) == PACT_FOREVER);
	feed_submit(&f, feed_job(3, 2, 1000));
	go(&f, 2);
	assert_true(begins(&f, 1, 0) == PACT_FOREVER);
	job.begin = 1000;
	assert_int_equal(sched_ask(f.s, f.now, &job, 1, &d), PACT_OK);
	assert_true(d.accepted && d.start == PACT_FOREVER);
	assert_int_equal(sched_ask(f.s, f.now, &late, 1, &d), PACT_OK);
	assert_true(!d.accepted && d.reason == REFUSE_DISABLED);
	job.width = 0;
	assert_int_equal(sched_ask(f.s, f.now, &job, 1, &d), PACT_EINVAL);
	assert_false(d.accepted);
	feed_close(&f);
}

/* Anything of what there is now. */
static struct sched_job random_job(const struct feed *f, uint64_t id)
{
	struct sched_job job =
		feed_job(id, 1 + (int32_t)seed_below(NODES), 1000 * (1 + seed_below(20)));

	job.submit = f->now;
	job.priority = seed_below(3);
	job.flags = seed_below(8) ? 0 : JOB_WHOLE;
	return job;
}

/*
 * Is what is asked of f what is planned, if it is submitted then? And all is as with the other one, of which nothing is
 * asked.
 */
static bool is_as_asked(struct feed *f, struct feed *other, uint64_t id)
{
	struct sched_job job = random_job(f, id);
	struct sched_decision d;

	assert_int_equal(sched_ask(f->s, f->now, &job, 1, &d), PACT_OK);
	assert_int_equal(feed_submit(f, job), PACT_OK);
	assert_int_equal(feed_submit(other, job), PACT_OK);
	drain(f);
	drain(other);
	for (uint64_t i = 1; i <= id; i++) {
		assert_int_equal(feed_starts(f, i), feed_starts(other, i));
		assert_int_equal(feed_ends(f, i), feed_ends(other, i));
	}
	assert_int_equal(f->wake, other->wake);
	return feed_starts(f, id) == d.start;
}

/* In a second at which no turns were taken: what comes in such a one is planned in the next. */
static void go_between(struct feed *f, int64_t to)
{
	go(f, to);
	while (f->wake <= f->now + 1)
		go(f, f->now + 1);
	f->now++;
}

/* RET how many of so many rounds of twelve jobs are planned otherwise. */
static unsigned int count_differing(const char *name, uint64_t rounds)
{
	unsigned int n = 0;

	for (uint64_t round = 0; round < rounds; round++) {
		struct feed f, other;

		open_rows(&f, name);
		open_rows(&other, name);
		for (uint64_t id = 1; id <= 12; id++) {
			int64_t to = f.now + seed_below(60);
			uint64_t ends = id - (uint64_t)seed_below(3);

			n += !is_as_asked(&f, &other, id);
			if (id > 3 && !seed_below(3))
				assert_int_equal(feed_finish(&f, ends), feed_finish(&other, ends));
			go_between(&f, to);
			go_between(&other, to);
		}
		feed_close(&f);
		feed_close(&other);
	}
	return n;
}

/* Only a pass that moves other jobs out of its way may plan it otherwise: one of thousands, or of fifty with migrations. */
static void test_begins_as_planned(void **state)
{
	static const struct {
		const char *name;
		unsigned int one_of;
	} kinds[] = { { "gs", 200 }, { "bgs", 200 }, { "mbgs", 20 } };
	uint64_t rounds = seed_rounds(200);

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		unsigned int n = count_differing(kinds[i].name, rounds);

		if (n * kinds[i].one_of > rounds * 12)
			fail_msg("%s: %u of %u", kinds[i].name, n, (unsigned int)rounds * 12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_aside),
		cmocka_unit_test(test_promised),
		cmocka_unit_test(test_known_again),
		cmocka_unit_test(test_lack),
		cmocka_unit_test(test_short_row),
		cmocka_unit_test(test_short_row_any),
		cmocka_unit_test(test_lack_beside_replica),
		cmocka_unit_test(test_begins),
		cmocka_unit_test(test_begins_unknown),
		cmocka_unit_test(test_begins_as_planned),
	};

	return seed_run("test_gang_shown", tests);
}
