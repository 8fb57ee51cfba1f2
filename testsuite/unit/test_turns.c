/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns: jobs that take turns, by the bridge's thread and a Slurm that is played: what becomes of them, and of the
 * others, whatever people, nodes and slurmctld do.
 */
#include "slurm/base/compat_played.h"

#include "slurm/state/poke.h"
#include "testsuite/unit/turns_world.h"

static void test_turns(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 0);
	take_turns(1, 2, 2);
	eventually(begun(3) > 1);
	submit(4, 0, 3);
	take_turns(1, 2, 1);
	assert_int_equal(job_is(4), WAITS); /* there is no fourth row */
}

#define GAP_MS 300

static int start_gap(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 2;
	return start_with("PlanInterval=1\nSwitchGap=300\n");
}

/* What goes on, or begins, does so that long after the last one was stopped. */
static void test_gap(void **state)
{
	int64_t stopped = 0, stops = 0;

	(void)state;
	submit(1, 0, 1);
	submit(2, 2, 3);
	submit(3, 0, 3);
	take_turns(1, 3, 2);
	take_turns(2, 3, 1);
	for (int i = 0; i < nevents; i++) {
		const struct event *e = &events[i];

		if (!e->stop && i && events[i - 1].stop)
			assert_true(e->at - stopped >= GAP_MS * 1000);
		if (e->stop)
			stopped = e->at;
		stops += e->stop;
	}
	assert_true(stops > 2);
}

static bool has_stopped_last(void)
{
	int n = nevents;

	return n && events[n - 1].stop;
}

/* Neither does it before that if slurmctld ends meanwhile; the next one goes on. */
static void test_ends_in_gap(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	for (int i = 0; i < 3; i++) {
		eventually(!has_stopped_last());
		eventually(has_stopped_last());
		agent_stop();
		assert_true(has_stopped_last());
		assert_true(agent_start());
		take_turns(1, 2, 1);
	}
	put(2, NOT_THERE);
	eventually(job_is(1) == RUNS);
	submit(3, 0, 3); /* it begins in its turn, which is the next one */
	eventually(has_stopped_last());
	agent_stop();
	assert_int_equal(begun(3), 0);
	assert_true(agent_start());
	take_turns(1, 3, 1);
}

static int start_gap_half(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 2;
	return start_with("PlanInterval=1\nSwitchGap=1000\n");
}

/* Microseconds between two stops that follow each other; the least of them. */
static int64_t shortest_slice(void)
{
	int64_t stopped = 0, least = INT64_MAX;

	for (int i = 0; i < nevents; i++) {
		if (!events[i].stop)
			continue;
		if (stopped && events[i].at - stopped < least)
			least = events[i].at - stopped;
		stopped = events[i].at;
	}
	return least;
}

/* It is a part of the slice: the next switch is not put off for what was waited. On a busy machine some are late. */
static void test_gap_inside(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 2);
	eventually(shortest_slice() < 2800000);
}

/* ---- what people do ---- */

static void test_cancel(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 3);
	submit(4, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	assert_int_equal(job_is(4), WAITS);
	put(1, NOT_THERE); /* whether it runs or is stopped: its row is free */
	eventually(begun(4) > 0);
	put(2, NOT_THERE);
	put(3, NOT_THERE);
	runs_alone(4);
}

/* It ends while it runs, with its row's turn. */
static bool ends_running(uint32_t id)
{
	bool ends;

	pthread_mutex_lock(&world);
	ends = jobs[id].is == RUNS;
	if (ends)
		jobs[id].is = ENDS;
	pthread_mutex_unlock(&world);
	return ends;
}

/* What cleans up for long has no row: the other one goes on; what waits begins where nodes are clean, and there when they are. */
static void test_cleans_up(void **state)
{
	(void)state;
	submit(1, 0, 0);
	submit(2, 0, 2);
	take_turns(1, 2, 1);
	eventually(ends_running(1));
	runs_alone(2);
	submit(3, 0, 0);
	submit(4, 3, 3);
	runs_alone(4);
	assert_int_equal(job_is(3), WAITS);
	put(1, NOT_THERE);
	take_turns(2, 3, 1);
}

static void test_suspend(void **state)
{
	int before, from;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	eventually(job_is(1) == RUNS);
	put(1, BY_HAND);
	before = begun(1);
	from = begun(2);
	eventually(begun(2) > from + 2); /* its own turns; those of the other one are nothing's */
	assert_int_equal(job_is(1), BY_HAND);
	assert_int_equal(begun(1), before);
	/* scontrol resume lets it run at once, in another's turn: that is put right */
	pthread_mutex_lock(&world);
	jobs[2].is = STOPPED;
	jobs[1].is = RUNS;
	pthread_mutex_unlock(&world);
	take_turns(1, 2, 2);
}

static void test_requeue(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	eventually(job_is(1) == STOPPED);
	put(1, WAITS); /* a stopped one, */
	eventually(job_is(1) != WAITS);
	take_turns(1, 2, 1);
	eventually(job_is(1) == RUNS);
	put(1, WAITS); /* and one that runs */
	take_turns(1, 2, 2);
}

static void test_hold(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	put(2, HELD);
	runs_alone(1);
	assert_int_equal(begun(2), 0);
	put(2, WAITS);
	take_turns(1, 2, 2);
}

/* A change of the partition holds at once: more rows take more jobs; with fewer, none is lost. */
static void test_rows(void **state)
{
	(void)state;
	for (uint32_t id = 1; id <= 4; id++)
		submit(id, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	assert_int_equal(job_is(4), WAITS);
	update_partition(5);
	take_turns(3, 4, 1);
	update_partition(2);
	take_turns(1, 2, 1);
	put(1, NOT_THERE);
	put(2, NOT_THERE);
	take_turns(3, 4, 2);
}

/* None goes on while one that was there before has its nodes, and none stays stopped. */
static void wound_down(void)
{
	sleep_slices(2);
	for (int left = 3; left; left--) {
		uint32_t runs = 0;

		for (uint32_t id = 1; id <= 3; id++)
			runs = job_is(id) == RUNS ? id : runs;
		assert_int_not_equal(runs, 0);
		runs_alone(runs);
		put(runs, NOT_THERE);
		eventually(left == 1 || job_is(1) == RUNS || job_is(2) == RUNS ||
			   job_is(3) == RUNS);
	}
}

static void begin_three(void)
{
	for (uint32_t id = 1; id <= 3; id++)
		submit(id, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
}

static void test_off(void **state)
{
	int before;

	(void)state;
	begin_three();
	before = ctld_recounts;
	configure("PlanInterval=1\nPartitionName=slice Gang=off\n");
	poke_to_reread();
	wound_down();
	assert_int_equal(ctld_recounts, before + 1); /* Slurm has counted suspended jobs twice */
	configure("PlanInterval=1\n");
	poke_to_reread();
	begin_three();
}

static void test_not_forced(void **state)
{
	(void)state;
	begin_three();
	update_partition(1);
	wound_down();
}

/* Those of other nodes do not wait; what begins later keeps none stopped. */
static void test_off_apart(void **state)
{
	(void)state;
	submit(1, 0, 1);
	submit(2, 2, 3);
	submit(3, 0, 3);
	take_turns(1, 3, 1);
	eventually(job_is(3) == RUNS);
	configure("PlanInterval=1\nPartitionName=slice Gang=off\n");
	poke_to_reread();
	runs_alone(3);
	put(3, NOT_THERE);
	eventually(job_is(1) == RUNS && job_is(2) == RUNS);
}

/* ---- a partition that loses nodes ---- */

/* What has none of the nodes that are left: one goes on, and the others when those before them have ended. */
static void test_taken(void **state)
{
	(void)state;
	submit(1, 2, 3);
	submit(2, 2, 3);
	submit(3, 2, 3);
	submit(4, 0, 1);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	update_nodes(2);
	wound_down();
	submit(5, 0, 1);
	take_turns(4, 5, 2);
}

/* A second time, while what was stopped the first time still is: what has begun since runs beside none of it. */
static void test_taken_again(void **state)
{
	(void)state;
	submit(1, 3, 3);
	submit(2, 3, 3);
	take_turns(1, 2, 1);
	update_nodes(3);
	sleep_slices(3);
	submit(3, 2, 2);
	submit(4, 2, 2);
	take_turns(3, 4, 1);
	update_nodes(2);
	sleep_slices(4);
	assert_true((job_is(1) == RUNS) != (job_is(2) == RUNS));
	assert_true((job_is(3) == RUNS) != (job_is(4) == RUNS));
}

/* What has some of them, too, and beside it no other one runs on the nodes that are left. */
static void test_astride(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 0);
	take_turns(1, 3, 1);
	eventually(begun(2) > 0);
	eventually(job_is(1) == RUNS);
	update_nodes(2);
	wound_down();
	submit(4, 0, 1);
	submit(5, 0, 1);
	take_turns(4, 5, 1);
}

/* In the turn of a row without jobs there it does not go on beside what has its turn there next: it, or that, waits. */
static void test_astride_row(void **state)
{
	(void)state;
	submit(1, 1, 3);
	submit(2, 0, 1);
	submit(3, 0, 0);
	for (int i = 0; i < 4; i++) {
		take_turns(1, 2, 1);
		take_turns(2, 3, 1);
		eventually(job_is(2) == RUNS);
		update_nodes(3);
		sleep_slices(4);
		update_nodes(4);
	}
	update_nodes(3);
	sleep_slices(2);
	put(2, NOT_THERE);
	eventually(job_is(1) == RUNS && job_is(3) == RUNS);
}

/* As long as they are there no other is put beside them; and they take turns again with the nodes. */
static void test_given_back(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	update_nodes(2);
	submit(3, 0, 0);
	sleep_slices(3);
	assert_int_equal(job_is(3), WAITS);
	runs_alone(job_is(1) == RUNS ? 1 : 2);
	update_nodes(4);
	take_turns(1, 2, 1);
	take_turns(2, 3, 1);
}

/* ---- what nodes do ---- */

/* What Slurm has put back into the queue waits until there are nodes enough; the others have their turns. */
static void test_lost(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 1);
	submit(3, 0, 1);
	take_turns(2, 3, 1);
	lose(3, true);
	put(1, WAITS);
	take_turns(2, 3, 2);
	assert_int_equal(job_is(1), WAITS);
	lose(3, false);
	take_turns(1, 2, 1);
}

/* A node that was away is told again what its jobs are to do, whether they run or not; others are not. */
static void test_away(void **state)
{
	int before[4];

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 1);
	submit(3, 2, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	for (uint32_t id = 1; id <= 3; id++)
		before[id] = told_again(id);
	pthread_mutex_lock(&world);
	away = nodeset_create(NODES);
	nodeset_set(away, 3);
	pthread_mutex_unlock(&world);
	eventually(told_again(1) > before[1] && told_again(3) > before[3]);
	take_turns(1, 2, 1);
	assert_int_equal(told_again(1), before[1] + 1);
	assert_int_equal(told_again(2), before[2]);
	assert_int_equal(told_again(3), before[3] + 1);
}

/* A plan by other numbers of nodes than Slurm has by now starts nothing: the next one does. */
static void test_numbered_anew(void **state)
{
	(void)state;
	renumbers = true;
	submit(1, 0, 3);
	sleep_slices(3);
	assert_int_equal(begun(1), 0);
	renumbers = false;
	submit(2, 0, 3);
	take_turns(1, 2, 1);
}

/* A drained node gets no new job; those that it has keep their turns. */
static void test_drained(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	lose(3, true);
	submit(3, 3, 3);
	take_turns(1, 2, 2);
	assert_int_equal(begun(3), 0);
	lose(3, false);
	eventually(begun(3) > 0);
}

/* None begins that would not be over in time; what runs keeps its turns. */
static void test_reserved(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	pthread_mutex_lock(&world);
	reserved = (struct snap_resv){
		.name = "later", .start = time(NULL) + 600, .end = time(NULL) + 1200, .nodes = all
	};
	is_reserved = true;
	pthread_mutex_unlock(&world);
	take_turns(1, 2, 1);
	submit(3, 0, 0);
	take_turns(1, 2, 2);
	assert_int_equal(begun(3), 0);
	pthread_mutex_lock(&world);
	is_reserved = false;
	pthread_mutex_unlock(&world);
	eventually(begun(3) > 0);
}

/* ---- what slurmctld does ---- */

/* Turns that are long beside what a stop and a start of the thread take. */
static int start_long(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 8;
	return start_with("PlanInterval=1\n");
}

static void is_since(uint32_t id, enum is is, int64_t ago)
{
	pthread_mutex_lock(&world);
	jobs[id].is = is;
	jobs[id].switched = time(NULL) - ago;
	pthread_mutex_unlock(&world);
}

/* A new slurmctld: the next three jobs that have a turn. */
static void follow(uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t due[] = { a, b, c };
	int from = nevents, n = 0;

	assert_true(agent_start());
	eventually(nevents >= from + 6);
	for (int i = from; n < 3; i++) {
		assert_true(i < nevents);
		if (!events[i].stop)
			assert_int_equal(events[i].id, due[n++]);
	}
}

/* A new controller goes on with the row that ran, in the same order; by a record that is older than a slice, with the next one. */
static void test_order(void **state)
{
	(void)state;
	begin_three();
	agent_stop();
	is_since(1, STOPPED, 1);
	is_since(2, RUNS, 1);
	is_since(3, STOPPED, 9);
	follow(3, 1, 2);
	agent_stop();
	is_since(1, STOPPED, 9);
	is_since(2, RUNS, 10);
	is_since(3, STOPPED, 17);
	follow(3, 1, 2);
}

/* It tells nodes again at once what its records say, and once more when all have registered, and no more often. */
static void test_told_again(void **state)
{
	int before, other;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	before = told_again(1);
	other = told_again(2);
	agent_stop();
	registered = false;
	assert_true(agent_start());
	eventually(told_again(1) == before + 1);
	take_turns(1, 2, 1);
	assert_int_equal(told_again(1), before + 1);
	registered = true;
	eventually(told_again(1) == before + 2);
	take_turns(1, 2, 1);
	assert_int_equal(told_again(1), before + 2);
	assert_int_equal(told_again(2), other + 2);
}

static int start_gap_long(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 6;
	return start_with("PlanInterval=1\nSwitchGap=300\n");
}

/*
 * But what stays stopped is told before the first turn of a new controller, and has SwitchGap's time to stop: its record may be
 * older than what its nodes were told last.
 */
static void test_stops_first(void **state)
{
	int64_t on;
	int n;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 3);
	take_turns(1, 2, 1);
	n = begun(1);
	eventually(begun(1) > n);
	agent_stop();
	assert_int_equal(job_is(1), RUNS);
	sleep_slices(7); /* its turn is over */
	tell_anew();
	n = nevents;
	assert_true(agent_start());
	eventually(nevents >= n + 2);
	assert_true(events[n].stop && events[n].id == 1);
	on = events[n + 1].at;
	assert_true(!events[n + 1].stop && events[n + 1].id == 2);
	assert_in_range(told_first(3), 1, on - GAP_MS * 1000);
	eventually(told_first(1) && told_first(2));
	assert_true(told_first(1) > on && told_first(2) > on);
}

/* They are told behind a switch, not shortly before it: what a node does last might be what it was told first. */
static void test_told_apart(void **state)
{
	int before, had;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	agent_stop();
	registered = false;
	before = told_again(1);
	assert_true(agent_start());
	take_turns(1, 2, 1);
	eventually(told_again(1) == before + 1);
	had = begun(1);
	eventually(begun(1) > had);
	sleep_slices(6);
	told_before = PACT_FOREVER;
	registered = true;
	eventually(told_again(1) == before + 2);
	if (told_before < 3)
		fail_msg("%d s before the next turns", (int)told_before);
}

static _Atomic int saves;

void schedule_job_save(void)
{
	saves++;
}

/* Slurm is asked to save each switch. */
static void test_saved(void **state)
{
	int before;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	before = saves;
	take_turns(1, 2, 2);
	eventually(saves >= before + 4);
	put(2, NOT_THERE);
	runs_alone(1);
	before = saves;
	sleep_slices(3);
	assert_int_equal(saves, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_turns, start, stop),
		cmocka_unit_test_setup_teardown(test_gap, start_gap, stop),
		cmocka_unit_test_setup_teardown(test_ends_in_gap, start_gap, stop),
		cmocka_unit_test_setup_teardown(test_gap_inside, start_gap_half, stop),
		cmocka_unit_test_setup_teardown(test_cancel, start, stop),
		cmocka_unit_test_setup_teardown(test_cleans_up, start, stop),
		cmocka_unit_test_setup_teardown(test_suspend, start, stop),
		cmocka_unit_test_setup_teardown(test_requeue, start, stop),
		cmocka_unit_test_setup_teardown(test_hold, start, stop),
		cmocka_unit_test_setup_teardown(test_rows, start, stop),
		cmocka_unit_test_setup_teardown(test_off, start, stop),
		cmocka_unit_test_setup_teardown(test_not_forced, start, stop),
		cmocka_unit_test_setup_teardown(test_off_apart, start, stop),
		cmocka_unit_test_setup_teardown(test_taken, start, stop),
		cmocka_unit_test_setup_teardown(test_taken_again, start, stop),
		cmocka_unit_test_setup_teardown(test_astride, start, stop),
		cmocka_unit_test_setup_teardown(test_astride_row, start, stop),
		cmocka_unit_test_setup_teardown(test_given_back, start, stop),
		cmocka_unit_test_setup_teardown(test_lost, start, stop),
		cmocka_unit_test_setup_teardown(test_away, start, stop),
		cmocka_unit_test_setup_teardown(test_drained, start, stop),
		cmocka_unit_test_setup_teardown(test_numbered_anew, start, stop),
		cmocka_unit_test_setup_teardown(test_reserved, start, stop),
		cmocka_unit_test_setup_teardown(test_order, start_long, stop),
		cmocka_unit_test_setup_teardown(test_told_again, start, stop),
		cmocka_unit_test_setup_teardown(test_told_apart, start_long, stop),
		cmocka_unit_test_setup_teardown(test_stops_first, start_gap_long, stop),
		cmocka_unit_test_setup_teardown(test_saved, start, stop),
	};

	return run_turns("test_turns", tests, sizeof(tests) / sizeof(*tests));
}
