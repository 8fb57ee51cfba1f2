/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns_warn: jobs that want to be warned of their ends (sbatch --signal), by the bridge's thread and a Slurm that is played:
 * each is once, in its own turn and away from the turn's ends, before Slurm may do it.
 */
#include "slurm/base/compat_played.h"

#include "slurm/acting/turn.h"
#include "slurm/agent/warnings.h"
#include "slurm/state/poke.h"
#include "testsuite/unit/turns_world.h"

/* ---- when ---- */

#define WANTS 60

/* It runs since 1000, and until then; turns are taken next at so much. RET when it is sent, if it is 1000 + now. */
static int64_t due(int64_t slice, int64_t end, int64_t next, int64_t now)
{
	struct warnings_turn turn = { .slice = slice,
				      .since = 1000,
				      .end = 1000 + end,
				      .warning = WANTS,
				      .next = next ? 1000 + next : 0 };

	return warnings_due(&turn, 1000 + now) - 1000;
}

static void test_clear(void **state)
{
	static const int64_t want[][3] = {
		{ 1, 1, 0 }, { 5, 3, 2 }, { 6, 3, 3 }, { 7, 4, 3 }, { 8, 4, 4 }, { 3600, 4, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		assert_int_equal(warnings_after(want[i][0]), want[i][1]);
		assert_int_equal(warnings_before(want[i][0]), want[i][2]);
	}
}

static void test_due(void **state)
{
	(void)state;
	/* it has time until then; it is due; or is due just after it was resumed */
	assert_int_equal(due(30, 1000, 0, 0), 1000 - WANTS - TURN_WARNS);
	assert_true(due(30, 1000, 30, 0) > 30);
	assert_int_equal(due(30, WANTS + TURN_WARNS + 10, 30, 5), 10);
	assert_int_equal(due(30, WANTS + TURN_WARNS - 10, 30, 5), 4);
	assert_int_equal(due(30, WANTS, 30, 1), 4);
	/* shortly before it is stopped: in its next turn, as Slurm will not do it before; nor is the end of a turn known that has none */
	assert_true(due(30, WANTS + TURN_WARNS + 27, 30, 10) > 30);
	assert_int_equal(due(30, WANTS + TURN_WARNS + 26, 30, 10), 26);
	assert_int_equal(due(30, WANTS + TURN_WARNS + 27, 0, 10), 27);
	assert_true(due(30, WANTS + TURN_WARNS + 20, 30, 27) > 30);
	/* but not later than Slurm may */
	assert_int_equal(due(30, WANTS + TURN_SLURM_WARNS + 27, 30, 27), 27);
	assert_int_equal(due(30, WANTS, 30, 28), 4);
	/* where turns are short: in their middle */
	assert_int_equal(due(5, WANTS, 5, 0), 3);
	assert_true(due(5, WANTS + TURN_WARNS, 5, 4) > 5);
}

/* ---- by turns ---- */

/* Of running time: less than what is left when it is due. */
#define LIMIT (WANTS + TURN_WARNS + 25)

static int start_slice(uint16_t slice, const char *conf)
{
	int rc;

	speed = 10;
	slurm_conf.sched_time_slice = slice;
	rc = start_with(conf);
	update_partition(2);
	return rc;
}

static int start_long(void **state)
{
	(void)state;
	return start_slice(10, "PlanInterval=1\n");
}

static int start_short(void **state)
{
	(void)state;
	return start_slice(5, "PlanInterval=1\n");
}

/* Where nothing changes there is no pass. */
static int start_rare(void **state)
{
	(void)state;
	return start_slice(10, "PlanInterval=600\n");
}

static struct played seen(uint32_t id)
{
	struct played p;

	pthread_mutex_lock(&world);
	p = jobs[id];
	pthread_mutex_unlock(&world);
	return p;
}

static void wants(uint32_t id, int64_t limit, int64_t warning)
{
	pthread_mutex_lock(&world);
	jobs[id].limit = limit;
	jobs[id].warning = warning;
	pthread_mutex_unlock(&world);
}

/* Two jobs of all nodes: both are warned in time, and once. The clock may go on by a second from the look at it to the signal. */
static void warns(int64_t after, int64_t before)
{
	wants(1, LIMIT, WANTS);
	wants(2, LIMIT + 7, WANTS);
	submit(1, 0, NODES - 1);
	submit(2, 0, NODES - 1);
	eventually_within(60, seen(1).warned && seen(2).warned);
	take_turns(1, 2, 2);
	for (uint32_t id = 1; id <= 2; id++) {
		struct played p = seen(id);

		assert_int_equal(p.warned, 1);
		assert_true(p.warned_after >= after);
		assert_true(p.warned_next >= before - 1);
		assert_in_range(p.warned_left, WANTS + TURN_SLURM_WARNS + 1, WANTS + TURN_WARNS);
	}
}

static void test_warns(void **state)
{
	(void)state;
	warns(4, 4);
}

static void test_warns_short(void **state)
{
	(void)state;
	warns(3, 2);
}

/* One that is alone has no turns: when it is due there is a pass for it. */
static void test_alone(void **state)
{
	(void)state;
	wants(1, LIMIT, WANTS);
	submit(1, 0, NODES - 1);
	poke_to_reread();
	eventually_within(60, seen(1).warned);
	assert_in_range(seen(1).warned_left, WANTS + TURN_WARNS - 3, WANTS + TURN_WARNS);
	sleep_slices(20);
	assert_int_equal(seen(1).warned, 1);
}

/* By a slurmctld that has just come up: what its records have run nodes may have stopped, and are told so first. */
static void test_comes_up(void **state)
{
	int64_t came_up;
	struct played p;

	(void)state;
	wants(1, LIMIT, 0);
	submit(1, 0, NODES - 1);
	eventually(begun(1) > 0);
	sleep_slices(25);
	agent_stop();
	wants(1, LIMIT, WANTS);
	came_up = time(NULL);
	assert_true(agent_start());
	eventually(seen(1).warned);
	p = seen(1);
	assert_true(p.end - p.warned_left >= came_up + warnings_after(10));
}

/* What wants none is sent none; nor is what is suspended by hand, before it goes on. */
static void test_not(void **state)
{
	(void)state;
	wants(1, WANTS, 0);
	submit(1, 0, NODES - 1);
	wants(2, WANTS, WANTS);
	submit(2, 0, NODES - 1);
	eventually(begun(2) > 0);
	put(2, BY_HAND);
	sleep_slices(30);
	assert_int_equal(seen(1).warned, 0);
	assert_int_equal(seen(2).warned, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_due),
		cmocka_unit_test_setup_teardown(test_warns, start_long, stop),
		cmocka_unit_test_setup_teardown(test_warns_short, start_short, stop),
		cmocka_unit_test_setup_teardown(test_alone, start_rare, stop),
		cmocka_unit_test_setup_teardown(test_comes_up, start_long, stop),
		cmocka_unit_test_setup_teardown(test_not, start_long, stop),
	};

	return run_turns("test_turns_warn", tests, sizeof(tests) / sizeof(*tests));
}
