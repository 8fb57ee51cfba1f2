/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns_late: jobs that nodes launch only after they were stopped, or may resume after that, by the bridge's thread and a
 * Slurm that is played: their nodes are told again that they are, when slurmd does not wait for that any more, and not shortly before
 * their turns.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/late_launches.h"
#include "testsuite/unit/turns_world.h"

/* ---- when ---- */

#define START 1000

/*
 * Started then, stopped so much later, having run for so long; its nodes were told, and it has its turn, so much later, too. RET when
 * they are told.
 */
static int64_t due(int64_t stopped, int64_t ran, int64_t told, int64_t next, int64_t now)
{
	struct late_launch launch = { .start = START,
				      .launched = START,
				      .longest = 280,
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
	assert_int_equal(due(20, 20, 30, 80, 30), 34);
	/* it does not any more */
	assert_int_equal(due(80, 40, 0, 140, 80), 84);
	assert_int_equal(due(80, 40, 81, 140, 82), 85);
	/* it is late itself: at once */
	assert_int_equal(due(20, 20, 30, 80, 40), 34);
	/* shortly before its next turn, or in it */
	assert_int_equal(due(20, 20, 71, 80, 74), 75);
	assert_int_equal(due(20, 20, 72, 80, 73), 75);
	assert_int_equal(due(20, 20, 73, 80, 75), 75);
	assert_int_equal(due(20, 20, 74, 80, 75), 0);
	assert_int_equal(due(20, 20, 60, 80, 76), 0);
	assert_int_equal(due(20, 20, 0, 33, 20), 0);
	assert_int_equal(due(20, 20, 0, 20, 20), 0);
	/* by now it has been launched */
	assert_int_equal(due(280, 140, 0, 400, 281), 284);
	assert_int_equal(due(280, 140, 295, 400, 297), 299);
	assert_int_equal(due(280, 140, 296, 400, 298), 0);
	assert_int_equal(due(280, 140, 0, 400, 300), 0);
}

/* A step that began later. */
static void test_due_step(void **state)
{
	struct late_launch launch = { .start = START, .launched = START + 1000, .longest = 90 };

	(void)state;
	launch.ran = 500;
	launch.stopped = START + 1010;
	launch.next = START + 1200;
	assert_int_equal(late_launches_due(&launch, START + 1012), START + 1014);
	launch.told = START + 1106;
	assert_int_equal(late_launches_due(&launch, START + 1108), 0);
	launch.told = 0;
	launch.launched = START;
	assert_int_equal(late_launches_due(&launch, START + 1012), 0);
	launch.launched = 0;
	assert_int_equal(late_launches_due(&launch, START + 1012), 0);
}

/* It was resumed a second before it was stopped: once, when slurmd is over it, if that is not in or shortly before its turn. */
static void test_due_brief(void **state)
{
	struct late_launch launch = { .start = START,
				      .ran = 50,
				      .hasty = START + 99,
				      .stopped = START + 100,
				      .next = START + 120 };

	(void)state;
	assert_int_equal(late_launches_due(&launch, START + 100), START + 103);
	assert_int_equal(late_launches_due(&launch, START + 107), START + 107);
	launch.told = START + 103;
	assert_int_equal(late_launches_due(&launch, START + 104), 0);
	launch.told = START + 99; /* at an earlier stop */
	assert_int_equal(late_launches_due(&launch, START + 104), START + 104);
	launch.next = START + 108;
	assert_int_equal(late_launches_due(&launch, START + 100), START + 103);
	launch.next = START + 107;
	assert_int_equal(late_launches_due(&launch, START + 100), 0);
	launch.next = START + 120;
	launch.hasty = START + 95;
	assert_int_equal(late_launches_due(&launch, START + 100), 0);
	launch.hasty = START + 101; /* the clock was set back */
	assert_int_equal(late_launches_due(&launch, START + 100), 0);
	launch.hasty = 0;
	assert_int_equal(late_launches_due(&launch, START + 100), 0);
	/* and it may be launched late as well: at the earlier of both */
	launch.hasty = START + 99;
	launch.launched = START + 90;
	launch.longest = 90;
	assert_int_equal(late_launches_due(&launch, START + 100), START + 103);
}

/* ---- by turns ---- */

/* Slices of so many seconds, prologs of at most so many; passes are rare, but for what is due. */
static int start_slow(uint16_t slice, int64_t prolog)
{
	int rc;

	speed = 10;
	slurm_conf.sched_time_slice = slice;
	ctld_site.prolog = prolog;
	rc = start_with("PlanInterval=600\n");
	update_partition(2);
	return rc;
}

static int start_late(void **state)
{
	(void)state;
	return start_slow(30, 280);
}

static int start_short(void **state)
{
	(void)state;
	return start_slow(5, 280);
}

static int start_quick(void **state)
{
	(void)state;
	return start_slow(30, 0);
}

static int stop_all(void **state)
{
	ctld_site.prolog = 0;
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

/* Each four seconds but for those before its turns: two jobs have had two or three stops. */
static void test_told(void **state)
{
	int before[2] = { 0 };

	(void)state;
	begin_two(before);
	told_before = INT64_MAX;
	take_turns(1, 2, 2);
	assert_in_range(told_since(before), 2 * 2 * 4, 2 * 3 * 6);
	assert_true(told_before >= 4 - 1);
	/* by then they are launched */
	sleep_slices(300);
	(void)told_since(before);
	take_turns(1, 2, 2);
	assert_int_equal(told_since(before), 0);
}

/* Where turns are so short that there is no time away from both ends. */
static void test_no_room(void **state)
{
	int before[2] = { 0 };

	(void)state;
	begin_two(before);
	take_turns(1, 2, 4);
	assert_int_equal(told_since(before), 0);
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
		cmocka_unit_test(test_due_step),
		cmocka_unit_test(test_due_brief),
		cmocka_unit_test_setup_teardown(test_told, start_late, stop_all),
		cmocka_unit_test_setup_teardown(test_no_room, start_short, stop_all),
		cmocka_unit_test_setup_teardown(test_not, start_quick, stop_all),
	};

	return run_turns("test_turns_late", tests, sizeof(tests) / sizeof(tests[0]));
}
