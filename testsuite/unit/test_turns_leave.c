/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns_leave: jobs that are asked to leave their nodes to others, by the bridge's thread and a Slurm that is played: they do,
 * or do not, end, are lost, or are found so by another slurmctld.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/moves.h"
#include "slurm/state/track.h"
#include "testsuite/unit/turns_world.h"

/* ---- jobs that are asked to leave ---- */

#define GRACE "MigrateGrace=20\n"

/* Turns of which the first seconds are over when a job may be asked; two rows. */
static int start_leaving(void **state)
{
	int rc;

	(void)state;
	speed = 20;
	slurm_conf.sched_time_slice = 6;
	rc = start_with("PlanInterval=1\n" GRACE);
	update_partition(2);
	return rc;
}

static int asked(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = jobs[id].asked;
	pthread_mutex_unlock(&world);
	return n;
}

static enum move_state how(uint32_t id)
{
	enum move_state state;

	pthread_mutex_lock(&world);
	state = jobs[id].move.state;
	pthread_mutex_unlock(&world);
	return state;
}

static bool is_on(uint32_t id, uint32_t node)
{
	bool on;

	pthread_mutex_lock(&world);
	on = jobs[id].on && nodeset_test(jobs[id].on, node);
	pthread_mutex_unlock(&world);
	return on;
}

/* Its program has ended as it was asked to, or for another reason, and Slurm has it waiting. */
static void leave(uint32_t id, enum is is, enum move_state how)
{
	pthread_mutex_lock(&world);
	jobs[id].is = is;
	jobs[id].move.state = how;
	jobs[id].move.submit = 1000 + id;
	jobs[id].move.cost = 3;
	pthread_mutex_unlock(&world);
}

/* Job 1 comes, and may have any two nodes, now and then others. */
static void put_anywhere(void)
{
	pthread_mutex_lock(&world);
	nodeset_fill(jobs[1].wants);
	jobs[1].width = 2;
	jobs[1].leaves = true;
	jobs[1].is = WAITS;
	pthread_mutex_unlock(&world);
}

/*
 * Job 1 has two nodes, 2 the others, and 3 its nodes in the other row. When 2 ends there is room for 3 beside 1, elsewhere
 * than 3 may go: 1 is wanted there.
 */
static void crowd(void)
{
	uint32_t at;

	put_anywhere();
	eventually(job_is(1) == RUNS);
	at = is_on(1, 0) ? 0 : 2;
	submit(2, 2 - at, 3 - at);
	eventually(begun(2) > 0);
	submit(3, at, at + 1);
	eventually(begun(3) > 0);
	put(2, NOT_THERE);
}

static void crowd_and_ask(void)
{
	crowd();
	eventually(asked(1) > 0);
}

/* They have their nodes in one row: nothing is switched any more. */
static void run_beside(void)
{
	int before;

	eventually(job_is(1) == RUNS && job_is(3) == RUNS);
	before = nevents;
	sleep_slices(12);
	assert_int_equal(nevents, before);
}

static void test_leaves(void **state)
{
	bool first;

	(void)state;
	crowd_and_ask();
	first = is_on(1, 0);
	leave(1, WAITS, MOVE_MOVED);
	run_beside();
	assert_true(is_on(1, 0) != first);
}

/*
 * In the first seconds of a turn it is not asked, be that its first one, in which its batch script may not have said yet what it does
 * about the signal, or one that the controller before has begun.
 */
static void test_just_begun(void **state)
{
	struct snap_job j = { .state = SNAP_RUNNING, .job_id = 1, .base_id = 1, .task = NO_VAL };
	struct snapshot snap = { .jobs = &j, .njobs = 1 };
	struct bridge *b = bridge_get();
	struct track *track;

	(void)state;
	put_anywhere();
	eventually(begun(1) > 0);
	agent_stop();
	j.leaves = true;
	pthread_mutex_lock(&b->lock);
	track = track_find(b, track_key(1, NO_VAL));
	assert_non_null(track);
	for (int i = 0; i < 4; i++) {
		int64_t now = time(NULL);

		track->to_ask = track->running = true;
		track->resumed = 0;
		j.start = i == 0 ? now : now - 100;
		j.switched = i == 1 ? now : i == 2 ? now - 50 : 0;
		jobs[1].start = j.start;
		jobs[1].switched = j.switched;
		moves_ask(b, &snap);
		assert_int_equal(asked(1), i < 2 ? 0 : i - 1);
		assert_int_equal(track->to_ask, i < 2);
	}
	pthread_mutex_unlock(&b->lock);
}

/* It is asked again in its next turn; after its grace it is let alone for good, and both take turns. */
static void test_stays(void **state)
{
	int n;

	(void)state;
	crowd_and_ask();
	eventually(asked(1) > 1);
	pthread_mutex_lock(&world);
	jobs[1].move.ran = 21;
	pthread_mutex_unlock(&world);
	eventually(how(1) == MOVE_STAYS);
	n = asked(1);
	take_turns(1, 3, 2);
	assert_int_equal(asked(1), n);
}

/* It cannot be asked just now, and is later: once a second, of the two in each of its turns in which it may be. */
static void test_later(void **state)
{
	int n;

	(void)state;
	asking = MIGRATE_LATER;
	crowd();
	eventually(asked(1) > 1);
	n = asked(1);
	sleep_slices(48);
	assert_in_range(asked(1) - n, 2, 15);
	assert_int_equal(how(1), MOVE_NONE);
	pthread_mutex_lock(&world);
	asking = MIGRATE_ASKED;
	pthread_mutex_unlock(&world);
	eventually(how(1) == MOVE_ASKED);
	leave(1, WAITS, MOVE_MOVED);
	run_beside();
}

/* It cannot be asked at all: both take turns. */
static void test_never(void **state)
{
	(void)state;
	asking = MIGRATE_NEVER;
	crowd_and_ask();
	take_turns(1, 3, 2);
	assert_int_equal(how(1), MOVE_NONE);
}

/* It ends for good, whatever it was asked: its place in both rows is another's. */
static void test_dies(void **state)
{
	(void)state;
	crowd_and_ask();
	leave(1, NOT_THERE, MOVE_ASKED);
	runs_alone(3);
	submit(4, 0, 3);
	take_turns(3, 4, 1);
	submit(5, 0, 1);
	sleep_slices(2);
	assert_true(job_is(5) == WAITS || is_on(3, 2));
}

/* It is requeued by other hands: it begins anew, and may be asked again. */
static void test_begins_anew(void **state)
{
	int before;

	(void)state;
	crowd_and_ask();
	before = begun(1);
	leave(1, WAITS, MOVE_NONE);
	eventually(begun(1) > before && begun(3) > 0);
	run_beside();
}

/* It is held when it has left: the others go on without it, and it comes back. */
static void test_left_and_held(void **state)
{
	(void)state;
	crowd_and_ask();
	leave(1, HELD, MOVE_MOVED);
	runs_alone(3);
	assert_int_equal(job_is(1), HELD);
	leave(1, WAITS, MOVE_MOVED);
	run_beside();
}

/* The nodes that it was to go to are lost meanwhile, before it leaves or after: it gets others, and comes to turns. */
static void test_target_lost(void **state)
{
	uint32_t lost;

	(void)state;
	for (int before = 0; before < 2; before++) {
		crowd_and_ask();
		lost = is_on(1, 0) ? 3 : 0;
		if (before)
			lose(lost, true);
		sleep_slices(2);
		leave(1, WAITS, MOVE_MOVED);
		if (!before)
			lose(lost, true);
		take_turns(3, 3, 1);
		eventually(job_is(1) == RUNS && !is_on(1, lost));
		lose(lost, false);
		put(1, NOT_THERE);
		put(3, NOT_THERE);
		sleep_slices(3);
		pthread_mutex_lock(&world);
		jobs[1].move.state = MOVE_NONE;
		jobs[1].asked = jobs[1].begun = jobs[3].begun = 0;
		pthread_mutex_unlock(&world);
	}
}

/* By what the scheduler knows. */
static int64_t submitted(uint32_t id)
{
	struct bridge *b = bridge_get();
	struct sched_view view;

	pthread_mutex_lock(&b->lock);
	assert_int_equal(sched_view(b->core, track_find(b, track_key(id, NO_VAL))->core, &view),
			 PACT_OK);
	pthread_mutex_unlock(&b->lock);
	return view.submit;
}

/* A controller that comes up knows from the record what was asked: whatever has happened to the job meanwhile. */
static void test_new_controller(void **state)
{
	static const struct {
		enum is is;
		enum move_state move;
	} found[] = { { STOPPED, MOVE_ASKED }, { WAITS, MOVE_MOVED }, { WAITS, MOVE_NONE } };

	(void)state;
	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		crowd_and_ask();
		agent_stop();
		leave(1, found[i].is, found[i].move);
		assert_true(agent_start());
		if (found[i].is == STOPPED) {
			eventually(job_is(1) == RUNS);
			leave(1, WAITS, MOVE_MOVED);
		}
		run_beside();
		assert_int_equal(submitted(1), 1001); /* whatever the requeue has made of it */
		put(1, NOT_THERE);
		put(3, NOT_THERE);
		sleep_slices(3);
		pthread_mutex_lock(&world);
		jobs[1].move.state = MOVE_NONE;
		jobs[1].asked = jobs[1].begun = jobs[3].begun = 0;
		pthread_mutex_unlock(&world);
	}
}

/* So often it was asked for; of one that this controller has started nothing is asked. */
static int sought(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = jobs[id].sought;
	pthread_mutex_unlock(&world);
	return n;
}

/* Asked by a controller that dies: the next one has its node asked for it, once. */
static void test_sought(void **state)
{
	(void)state;
	crowd_and_ask();
	assert_int_equal(sought(1), 0);
	agent_stop();
	assert_true(agent_start());
	eventually(sought(1) > 0);
	take_turns(1, 3, 2);
	assert_int_equal(sought(1), 1);
	assert_int_equal(sought(3), 0); /* it may not leave */
}

/*
 * It has left, and the controller died before that was saved: it is missed, and goes on where it was to go; also where by its
 * record it has had its time meanwhile.
 */
static void test_lost(void **state)
{
	(void)state;
	crowd_and_ask();
	agent_stop();
	pthread_mutex_lock(&world);
	jobs[1].lost = true;
	jobs[1].move.ran = 21;
	pthread_mutex_unlock(&world);
	assert_true(agent_start());
	eventually(job_is(1) == WAITS || how(1) == MOVE_MOVED || how(1) == MOVE_NONE);
	assert_int_equal(how(1), MOVE_MOVED);
	run_beside();
}

/* Its nodes have cleaned up after it, whosever turn it is by their records. */
static void test_cleaned(void **state)
{
	(void)state;
	crowd_and_ask();
	agent_stop();
	put(1, STOPPED);
	pthread_mutex_lock(&world);
	jobs[1].gone = true;
	pthread_mutex_unlock(&world);
	assert_true(agent_start());
	run_beside();
	assert_int_equal(how(1), MOVE_MOVED);
	assert_int_equal(sought(1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_leaves, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_just_begun, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_stays, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_later, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_never, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_dies, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_begins_anew, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_left_and_held, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_target_lost, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_new_controller, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_sought, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_lost, start_leaving, stop),
		cmocka_unit_test_setup_teardown(test_cleaned, start_leaving, stop),
	};

	return run_turns("test_turns_leave", tests, sizeof(tests) / sizeof(*tests));
}
