/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_late: what does not end or start on time. A job that waits for it waits a little longer, in the order
 * of the plan, and no job is overtaken for a second.
 */
#include "testsuite/unit/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A job that outlives its limit by a second: the plan behind it is shifted, not reshuffled. */
static void late_end(const char *name, enum sched_mode mode, bool promised)
{
	struct sched_config c;
	struct feed f;

	sched_config_init(&c);
	c.mode = mode;
	feed_open(&f, name, 2, &c);
	feed_submit(&f, feed_job(1, 2, 10));
	feed_drain(&f);
	for (uint64_t id = 2; id <= 5; id++) {
		int64_t end = 10 + 100 * ((int64_t)id - 1);

		feed_submit(&f,
			    promised ? feed_deadline(id, 2, 100, end + 10) : feed_job(id, 2, 100));
		feed_drain(&f);
		assert_int_equal(feed_ends(&f, id), end);
	}
	for (int64_t now = 11; now <= 15; now += 4) {
		feed_at(&f, now);
		assert_int_equal(f.started, 1);
		for (uint64_t id = 3; id <= 5; id++)
			assert_int_equal(feed_starts(&f, id), feed_ends(&f, id - 1));
	}
	f.now = 16;
	feed_finish(&f, 1);
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 2), 16);
	for (uint64_t id = 2; id <= 5; id++) {
		f.now = feed_ends(&f, id);
		feed_finish(&f, id);
		feed_drain(&f);
	}
	for (uint64_t id = 1; id <= 4; id++)
		assert_int_equal(f.order[id], id + 1);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
}

static void test_late_end(void **state)
{
	(void)state;
	late_end("conservative", SCHED_MODE_PAPER, false);
	late_end("qops", SCHED_MODE_PAPER, false);
	late_end("qops", SCHED_MODE_PAPER, true);
	late_end("qops", SCHED_MODE_SLURM, true);
}

/* Where shifting would cost a promise, a job that has none gives way to it. */
static void test_late_end_and_promise(void **state)
{
	struct sched_job promised = feed_deadline(3, 1, 100, 210);
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 1, NULL);
	feed_submit(&f, feed_job(1, 1, 10));
	feed_drain(&f);
	feed_submit(&f, feed_job(2, 1, 100));
	promised.begin = 110;
	feed_submit(&f, promised);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(feed_starts(&f, 3), 110);
	feed_at(&f, 12);
	assert_int_equal(feed_starts(&f, 3), 110);
	assert_int_equal(feed_starts(&f, 2), 210);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
}

/* A job of unknown needs is late by no more than its guard allows: it keeps its planned end. */
static void test_late_opaque(void **state)
{
	struct sched_config c;
	struct sched_job opaque = feed_job(2, 1, 70), promised = feed_deadline(3, 1, 70, 300);
	struct nodeset *node = feed_nodes(1, 1);
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.guard = 30;
	c.lateness = 20;
	feed_open(&f, "qops", 1, &c);
	feed_submit(&f, feed_job(1, 1, 70));
	feed_drain(&f);
	opaque.flags = JOB_OPAQUE;
	feed_submit(&f, opaque);
	promised.begin = 200;
	feed_submit(&f, promised);
	f.hold_starts = true;
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(feed_starts(&f, 2), 100);
	f.now = 110;
	feed_finish(&f, 1);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 2);
	assert_int_equal(f.start.end, 200);
	f.now = 115;
	assert_int_equal(feed_start(&f, 2, node), PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_ends(&f, 2), 200);
	assert_int_equal(feed_starts(&f, 3), 200);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
	nodeset_destroy(node);
}

/* The budget of a call is used up from its so-many-th question on. */
struct budget {
	int asked, last;
};

static bool is_used_up(void *arg)
{
	struct budget *b = arg;

	return ++b->asked >= b->last;
}

/*
 * Job 1 outlives its limit, and with it goes what was promised to job 2. Only the search finds that job 3 and then job 4
 * keep their promises: left where it was planned, job 4 is in the way of job 3, as it is by the heuristic's order. The
 * search is made twice, and its time may be up in either: no job is left without a place, and no more promises are
 * broken than the next best way breaks. RET how many.
 */
static int late_search(int last)
{
	struct budget budget = { .last = 1000 };
	struct sched_config c;
	struct feed f;

	sched_config_init(&c);
	c.mode = SCHED_MODE_PAPER;
	c.order = ORDER_LLF;
	c.expired = is_used_up;
	c.expired_arg = &budget;
	feed_open(&f, "qops", 2, &c);
	feed_submit(&f, feed_job(1, 2, 100));
	feed_drain(&f);
	feed_submit(&f, feed_deadline(2, 2, 10, 110));
	feed_submit(&f, feed_deadline(3, 2, 50, 250));
	feed_submit(&f, feed_deadline(4, 1, 100, 275));
	feed_drain(&f);
	assert_int_equal(f.accepted, 3);
	assert_int_equal(feed_starts(&f, 3), 110);
	assert_int_equal(feed_starts(&f, 4), 160);
	budget = (struct budget){ .last = last };
	f.now = 120;
	feed_submit(&f, feed_deadline(5, 1, 10, 10000));
	feed_drain(&f);
	assert_int_equal(f.started, 1);
	for (uint64_t id = 2; id <= 4; id++)
		assert_in_range(feed_starts(&f, id), 121, 300);
	int broken = f.broken;

	feed_close(&f);
	return broken;
}

static void test_late_search(void **state)
{
	(void)state;
	assert_int_equal(late_search(1), 2);
	assert_int_equal(late_search(1000), 1);
	for (int last = 2; last < 10; last++)
		assert_in_range(late_search(last), 1, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_end),
		cmocka_unit_test(test_late_end_and_promise),
		cmocka_unit_test(test_late_opaque),
		cmocka_unit_test(test_late_search),
	};

	return cmocka_run_group_tests_name("late", tests, NULL, NULL);
}
