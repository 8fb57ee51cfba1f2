/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_decided: decided actions, first in first out, and those that an engine inside has decided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/kernel/decided.h"

static void add(struct decided *d, enum sched_action_type type, uint64_t id)
{
	assert_int_equal(decided_push(d, &(struct sched_action){ .type = type, .id = id }), 0);
}

static void expect(struct decided *d, uint64_t id)
{
	struct sched_action a = { .id = 0 };

	assert_true(decided_take(d, &a));
	assert_int_equal(a.id, id);
}

static void test_order(void **state)
{
	struct decided d = { .v = NULL };
	struct sched_action a;
	uint64_t in = 0, out = 0;

	(void)state;
	assert_true(decided_none(&d));
	assert_null(decided_last(&d));
	assert_false(decided_take(&d, &a));
	/* more come than are taken, over and over, until all are */
	for (int i = 0; i < 50; i++) {
		for (int k = 0; k < 3; k++)
			add(&d, ACT_BROKEN, ++in);
		expect(&d, ++out);
		expect(&d, ++out);
		assert_int_equal(decided_last(&d)->id, in);
	}
	while (out < in)
		expect(&d, ++out);
	assert_true(decided_none(&d));
	assert_null(decided_last(&d));
	decided_release(&d);
}

/* A driver that takes all that there is has it go on in the same room. */
static void test_room(void **state)
{
	struct decided d = { .v = NULL };
	size_t bytes;

	(void)state;
	assert_int_equal(decided_reserve(&d, 4), 0);
	bytes = decided_bytes(&d);
	assert_true(bytes >= 4 * sizeof(struct sched_action));
	for (uint64_t i = 1; i < 100; i++) {
		add(&d, ACT_BROKEN, i);
		expect(&d, i);
	}
	assert_int_equal(decided_bytes(&d), bytes);
	decided_release(&d);
}

static void test_undo(void **state)
{
	struct decided d = { .v = NULL };

	(void)state;
	add(&d, ACT_BROKEN, 1);
	add(&d, ACT_REFUSE, 2);
	decided_undo(&d);
	assert_int_equal(decided_last(&d)->id, 1);
	expect(&d, 1);
	assert_true(decided_none(&d));
	decided_release(&d);
}

static void test_answer(void **state)
{
	struct sched_decision d = { .accepted = true, .end = 77, .attempts = 3 };
	struct sched_action a = decided_answer(5, &d);

	(void)state;
	assert_int_equal(a.type, ACT_ACCEPT);
	assert_int_equal(a.id, 5);
	assert_int_equal(a.end, 77);
	assert_int_equal(a.decision.attempts, 3);
	d.accepted = false;
	assert_int_equal(decided_answer(5, &d).type, ACT_REFUSE);
}

/* An engine of which only poll() is asked: it gives these. */
static bool give(void *own, struct sched_action *a)
{
	return decided_take(own, a);
}

static void test_join(void **state)
{
	const struct engine inside = { .poll = give };
	struct decided d = { .v = NULL }, from = { .v = NULL };

	(void)state;
	add(&from, ACT_BROKEN, 3);
	add(&from, ACT_REFUSE, 8);
	add(&from, ACT_REFUSE, 3);
	add(&from, ACT_BROKEN, 4);
	/* neither another one's answer nor what else is said of it */
	assert_true(decided_join(&d, &inside, &from, 3));
	assert_int_equal(decided_last(&d)->type, ACT_REFUSE);
	assert_int_equal(decided_last(&d)->id, 3);
	expect(&from, 4);
	add(&from, ACT_ACCEPT, 4);
	add(&from, ACT_MENDED, 9);
	assert_false(decided_join(&d, &inside, &from, 4));
	expect(&from, 9);
	assert_false(decided_join(&d, &inside, &from, 4));
	expect(&d, 3);
	expect(&d, 8);
	expect(&d, 3);
	expect(&d, 4);
	assert_true(decided_none(&d));
	decided_release(&d);
	decided_release(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_room),
		cmocka_unit_test(test_undo),  cmocka_unit_test(test_answer),
		cmocka_unit_test(test_join),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
