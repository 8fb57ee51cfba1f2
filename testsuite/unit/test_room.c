/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_room: a refusal tells what holds nodes from what waits for them (core/promise/room.c)
 */
#include "testsuite/unit/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What runs is told from what waits: how many are in the way of the latest start, and until when. */
static void test_in_the_way(void **state)
{
	/* ends at 100, 200 and 300 */
	static const struct {
		int32_t width;
		int64_t limit, deadline;
		int32_t running;
		int64_t room_at;
	} cases[] = {
		{ 1, 50, 60, 3, 100 },	{ 1, 10, 110, 0, 0 },	/* fits */
		{ 2, 10, 210, 0, 0 },	{ 2, 10, 209, 2, 200 }, /* the first is gone by then */
		{ 3, 50, 349, 1, 300 }, { 3, 200, 201, 3, 300 },
	};
	struct sched_decision d;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 3, NULL);
	for (uint64_t id = 1; id <= 3; id++)
		feed_submit(&f, feed_job(id, 1, 100 * (int64_t)id));
	feed_drain(&f);
	assert_int_equal(f.started, 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sched_job j =
			feed_deadline(9, cases[i].width, cases[i].limit, cases[i].deadline);

		assert_int_equal(sched_ask(f.s, 0, &j, 1, &d), PACT_OK);
		assert_int_equal(d.reason, cases[i].running ? REFUSE_FULL : REFUSE_NONE);
		assert_int_equal(d.running, cases[i].running);
		assert_int_equal(d.room_at, cases[i].room_at);
		assert_false(d.blocked);
	}
	/* Two in turn on one node: each alone would be in time. */
	struct sched_job both[] = { feed_deadline(9, 3, 100, 450), feed_deadline(10, 3, 100, 450) };

	assert_int_equal(sched_ask(f.s, 0, both, 2, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_FULL);
	assert_int_equal(d.running, 3);
	assert_int_equal(d.room_at, 0);
	feed_close(&f);
}

/* What never ends: running jobs without a limit, lost nodes, or a job that waits. */
static void test_blocked_for_ever(void **state)
{
	struct sched_job j = feed_deadline(9, 3, 10, 1000);
	struct nodeset *lost = feed_nodes(3, 4);
	struct sched_decision d;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 3, NULL);
	f.name_nodes = true;
	feed_block(&f, 100, lost, 0, PACT_FOREVER);
	feed_submit(&f, feed_job(1, 1, PACT_FOREVER));
	feed_submit(&f, feed_job(2, 1, 100));
	feed_drain(&f);
	for (int found = 0; found < 2; found++) {
		assert_int_equal(sched_ask(f.s, 0, &j, 1, &d), PACT_OK);
		assert_int_equal(d.reason, REFUSE_BLOCKED);
		assert_int_equal(d.running, 1);
		assert_int_equal(d.blocked, !found);
		if (!found)
			feed_finish(&f, 100);
		feed_drain(&f);
	}
	feed_close(&f);
	nodeset_destroy(lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_the_way),
		cmocka_unit_test(test_blocked_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
