/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_shown: what the gang engine shows of its jobs: their rows, when these have their turns, the nodes that a job
 * will have, and what one without a place lacks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/nodeset.h"
#include "testsuite/unit/feed.h"

#define NODES 4

static void open_rows(struct feed *f, const char *name)
{
	struct sched_config c;

	sched_config_init(&c);
	c.rows = 2;
	c.slice = 10;
	feed_open(f, name, NODES, &c);
	f->name_nodes = true;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_aside),
		cmocka_unit_test(test_promised),
		cmocka_unit_test(test_lack),
	};

	return cmocka_run_group_tests_name("test_gang_shown", tests, NULL, NULL);
}
