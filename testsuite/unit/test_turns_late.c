/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns_late: jobs that nodes launch only after they were stopped, by the bridge's thread and a Slurm that is played: their nodes
 * are told again that they are, when slurmd does not wait for that any more, and not shortly before their turns.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/late_launches.h"
#include "testsuite/unit/turns_world.h"

/* ---- when ---- */

#define START 1000

/* Started then, and stopped so much later, having run for so long; its nodes were told, and it has its turn, so much later, too. */
static int64_t due(int64_t stopped, int64_t ran, int64_t told, int64_t next, int64_t now)
{
	struct late_launch launch = { .start = START,
				      .longest = 300,
				      .ran = ran,
				      .stopped = START + stopped,
				      .next = START + next,
				      .told = told ? START + told : 0 };
	int64_t at = late_launches_due(&launch, START + now);

	return at ? at - START : 0;
}

static void test_due(void **state)
{
	(void)state;
	/* the first time slurmd waits; clocks of whole seconds may make it run for one less */
	assert_int_equal(due(20, 20, 0, 80, 20), 30);
	assert_int_equal(due(20, 19, 0, 80, 20), 30);
	assert_int_equal(due(20, 20, 30, 80, 30), 32);
	/* it does not any more */
	assert_int_equal(due(80, 40, 0, 140, 80), 82);
	assert_int_equal(due(80, 40, 81, 140, 82), 83);
	/* it is late itself: at once */
	assert_int_equal(due(20, 20, 30, 80, 40), 32);
	/* shortly before its next turn, or in it */
	assert_int_equal(due(20, 20, 73, 80, 74), 75);
	assert_int_equal(due(20, 20, 74, 80, 75), 0);
	assert_int_equal(due(20, 20, 60, 80, 76), 0);
	assert_int_equal(due(20, 20, 0, 33, 20), 0);
	assert_int_equal(due(20, 20, 0, 20, 20), 0);
	/* by now it has been launched */
	assert_int_equal(due(280, 140, 0, 400, 281), 282);
	assert_int_equal(due(280, 140, 296, 400, 297), 298);
	assert_int_equal(due(280, 140, 298, 400, 298), 0);
	assert_int_equal(due(280, 140, 0, 400, 300), 0);
}

/* ---- by turns ---- */

/* Slices of so many seconds; passes are rare, but for what is due. Only that there is a prolog counts, which is one text or some. */
static int start_slow(uint16_t slice, bool prolog, uint16_t flags)
{
	static char scripts[2 * sizeof(char *)] = "/bin/sleep";
	int rc;

	speed = 10;
	slurm_conf.sched_time_slice = slice;
	slurm_conf.prolog_flags = flags;
	slurm_conf.prolog_epilog_timeout = NO_VAL16;
	slurm_conf.prolog = prolog ? (void *)scripts : NULL;
	rc = start_with("PlanInterval=600\n");
	update_partition(2);
	return rc;
}

static int start_late(void **state)
{
	(void)state;
	return start_slow(30, true, 0);
}

static int start_short(void **state)
{
	(void)state;
	return start_slow(5, true, 0);
}

static int start_waits(void **state)
{
	(void)state;
	return start_slow(30, true, PROLOG_FLAG_ALLOC);
}

static int start_quick(void **state)
{
	(void)state;
	return start_slow(30, false, 0);
}

static int stop_all(void **state)
{
	slurm_conf.prolog = NULL;
	slurm_conf.prolog_flags = 0;
	return stop(state);
}

static int told_since(int before[2])
{
	int more = 0;

	for (uint32_t id = 1; id <= 2; id++) {
		more += told_again(id) - before[id - 1];
		before[id - 1] = told_again(id);
	}
	return more;
}

/* Two jobs that take turns, after so many; the new controller's own repeats are over. */
static void begin_two(int before[2])
{
	submit(1, 0, NODES - 1);
	submit(2, 0, NODES - 1);
	take_turns(1, 2, 1);
	(void)told_since(before);
}

/* Every other second but for the first of its turn, when slurmd waits, and the last ones. */
static void test_told(void **state)
{
	int before[2] = { 0 };

	(void)state;
	begin_two(before);
	told_before = INT64_MAX;
	take_turns(1, 2, 2);
	assert_in_range(told_since(before), 2 * 2 * 10 / 2, 2 * 3 * 30 / 2);
	assert_true(told_before >= 4 - 1);
	/* by then they are launched */
	sleep_slices(300);
	(void)told_since(before);
	take_turns(1, 2, 2);
	assert_int_equal(told_since(before), 0);
}

/* Where a slice is over by the time that there is room for it, it is not. */
static void test_no_room(void **state)
{
	int before[2] = { 0 };

	(void)state;
	begin_two(before);
	take_turns(1, 2, 4);
	assert_in_range(told_since(before), 0, 2 * 5);
}

static void test_not(void **state)
{
	int before[2] = { 0 };

	(void)state;
	begin_two(before);
	take_turns(1, 2, 2);
	assert_int_equal(told_since(before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_due),
		cmocka_unit_test_setup_teardown(test_told, start_late, stop_all),
		cmocka_unit_test_setup_teardown(test_no_room, start_short, stop_all),
		cmocka_unit_test_setup_teardown(test_not, start_waits, stop_all),
		cmocka_unit_test_setup_teardown(test_not, start_quick, stop_all),
	};

	return run_turns("test_turns_late", tests, sizeof(tests) / sizeof(tests[0]));
}
