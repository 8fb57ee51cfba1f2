/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_leaves: jobs that are migrated by being asked to leave their nodes, which takes its time: they do, or do not,
 * or their new nodes are lost meanwhile. What happens at random is in test_gang_random.
 */
#include <string.h>

#include "testsuite/unit/gang_hand.h"
#include "testsuite/unit/seed.h"

static const char *const two_rows[] = { "Rows", "2", "Slice", "10", NULL };

static const char *const collapsing[] = { "Rows", "2",	    "Slice",
					  "10",	  "Phases", "clean,schedule,collapse2",
					  NULL };

/* cost: its own C; 0: that of all. */
static void leaver_that_costs(struct world *w, uint64_t id, uint64_t mask, int64_t cost)
{
	struct sched_job d = job_of(id, 1);

	d.flags = JOB_LEAVES;
	d.migration = cost;
	submit(w, d);
	by_hand(w, EV_STARTED, id, mask);
	w->job[id].waits = w->job[id].runs = false;
	w->job[id].leaves = true;
}

static void leaver_at(struct world *w, uint64_t id, uint64_t mask)
{
	leaver_that_costs(w, id, mask, 0);
}

/* Two of one node in two rows, of which one is to be beside the other in one row; which one is told. */
static uint64_t open_leavers(struct world *w)
{
	open_world(w, "mgs", collapsing);
	leaver_at(w, 1, 1);
	leaver_at(w, 2, 1);
	go(w, 25);
	assert_int_equal(w->job[1].asked + w->job[2].asked, 1);
	return w->job[1].asked ? 1 : 2;
}

/* It is asked once, runs where it is while the other one waits, and is started where it was to go. */
static void test_leaves(void **state)
{
	struct world w;
	uint64_t id;

	(void)state;
	id = open_leavers(&w);
	go(&w, 58); /* it has the turn of its row and no other; meanwhile it is not asked again */
	assert_null(strchr(w.said, 'm'));
	assert_true(w.job[1].runs != w.job[2].runs);
	w.said[0] = '\0';
	vacate(&w, id);
	for (int i = 0; i < 2 && !(w.job[1].runs && w.job[2].runs); i++)
		go(&w, w.now + 10);
	assert_true(w.job[1].runs && w.job[2].runs);
	assert_int_equal(mask_of(w.job[id].at), 2);
	assert_int_equal(mask_of(w.job[3 - id].at), 1);
	close_world(&w);
}

/* It does not leave: it runs on where it is, in turn, and is not asked any more. */
static void test_stays(void **state)
{
	struct world w;
	uint64_t id;

	(void)state;
	id = open_leavers(&w);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = id }), PACT_OK);
	w.job[id].asked = false;
	for (int i = 0; i < 8; i++) {
		go(&w, w.now + 10);
		assert_true(!w.job[id].asked && mask_of(w.job[id].at) == 1);
		/* the other one may be asked instead; both run in turn as long as it does not leave */
		if (w.job[3 - id].asked)
			vacate(&w, 3 - id);
	}
	go(&w, w.now + 30);
	assert_true(w.job[1].started && w.job[2].started);
	assert_int_equal(mask_of(w.job[id].at), 1);
	assert_int_equal(mask_of(w.job[3 - id].at), 2);
	/* nothing is left that could be refused */
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = id }),
			 PACT_EPROTO);
	close_world(&w);
}

static void fixed_at(struct world *w, uint64_t id, uint64_t mask)
{
	struct sched_job d = job_of(id, 2);

	d.flags = JOB_FIXED;
	submit(w, d);
	by_hand(w, EV_STARTED, id, mask);
	w->job[id].waits = w->job[id].runs = false;
}

/*
 * Job 1 was to make way for job 3, which has its nodes in one row now, and a replica there in the other one. It stays: the
 * replica gives its place back.
 */
static void test_stays_beside_replica(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "mgs", two_rows);
	leaver_at(&w, 1, 3);
	fixed_at(&w, 2, 12);
	fixed_at(&w, 3, 3);
	go(&w, 5);
	by_hand(&w, EV_FINISH, 2, 0);
	w.job[2].started = false;
	for (int i = 0; i < 3 && !w.job[1].asked; i++)
		go(&w, w.now + 10);
	assert_true(w.job[1].asked);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = 1 }), PACT_OK);
	w.job[1].asked = false;
	go(&w, w.now + 1);
	for (int i = 0; i < 2 && !w.job[1].runs; i++)
		go(&w, w.now + 10);
	assert_true(w.job[1].runs);
	assert_int_equal(mask_of(w.job[1].at), 3);
	go(&w, w.now + 10);
	assert_true(w.job[3].runs);
	close_world(&w);
}

/* The nodes that it was to go to are lost meanwhile: it gets others. */
static void test_leaves_in_vain(void **state)
{
	struct nodeset *lost = set_of(2);
	struct world w;
	uint64_t id;

	(void)state;
	id = open_leavers(&w);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = lost, .start = 25, .end = 5000 }),
		PACT_OK);
	vacate(&w, id);
	go(&w, 60);
	assert_true(w.job[id].started);
	assert_int_equal(mask_of(w.job[id].at) & 2, 0);
	close_world(&w);
	nodeset_destroy(lost);
}

/* A driver that comes up has asked a job before: the job leaves, and is started anew; one that may not leave stays. */
static void test_leaves_found(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "mgs", two_rows);
	leaver_at(&w, 1, 3);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_LEAVING, .id = 1 }), PACT_OK);
	go(&w, 5);
	vacate(&w, 1);
	go(&w, 6);
	assert_string_equal(w.said, "S1");
	submit(&w, job_of(2, 1));
	go(&w, 7);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_LEAVING, .id = 2 }),
			 PACT_ENOENT);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_MIGRATED, .id = 2 }),
			 PACT_ENOENT);
	close_world(&w);
}

/* Of two, one of which has to leave, it is the one of which that costs less; no job that runs is stopped to pay for it. */
static void test_costs(void **state)
{
	static const int64_t cost[][3] = { { 1, 9, 1 }, { 9, 1, 2 }, { 0, 9, 1 }, { 9, 0, 2 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cost) / sizeof(cost[0]); i++) {
		struct world w;

		open_world(&w, "mgs", collapsing);
		leaver_that_costs(&w, 1, 1, cost[i][0]);
		leaver_that_costs(&w, 2, 1, cost[i][1]);
		go(&w, 25);
		assert_int_equal(w.job[1].asked, cost[i][2] == 1);
		assert_int_equal(w.job[2].asked, cost[i][2] == 2);
		close_world(&w);
	}
}

/* What is wanted, but a migration is refused. RET the seconds that job `id` is told as lost when it is resumed; -1: it is not */
static int64_t refuse_to_move(struct world *w, uint64_t *id)
{
	struct sched_action a;

	while (sched_next(w->s, &a)) {
		struct sched_event ev = { .type = EV_REFUSED, .id = a.id };

		if (a.type == ACT_WAKE) {
			w->wake = a.end;
			continue;
		}
		if (a.type == ACT_MIGRATE)
			*id = a.id;
		else
			ev.type = a.type == ACT_SUSPEND ? EV_SUSPENDED : EV_RESUMED;
		assert_int_equal(tell(w, ev), PACT_OK);
		if (a.type == ACT_RESUME && a.id == *id)
			return a.lost;
	}
	return -1;
}

/* Of two of one node, in two rows, one is to be migrated beside the other one: it refuses, and does not pay for it. */
static void test_called_back(void **state)
{
	static const char *const settings[] = { "Rows",
						"2",
						"Slice",
						"10",
						"MigrationCost",
						"1000",
						"Phases",
						"clean,schedule,collapse2",
						NULL };
	struct world w;
	uint64_t id = 0;
	int64_t lost;

	(void)state;
	open_world(&w, "mgs", settings);
	for (uint64_t i = 1; i <= 2; i++) {
		submit(&w, job_of(i, 1));
		by_hand(&w, EV_STARTED, i, 1);
		w.job[i].runs = false;
	}
	lost = refuse_to_move(&w, &id);
	for (int i = 0; i < 20 && lost < 0; i++) {
		w.now = w.wake > w.now ? w.wake : w.now;
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		lost = refuse_to_move(&w, &id);
	}
	assert_true(id > 0);
	/* but for the other one's, which is to move instead */
	assert_int_equal(lost, 500);
	close_world(&w);
}

static int64_t end_of(const struct world *w, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(w->s, id, &v), PACT_OK);
	return v.end;
}

/*
 * What was measured when a job has left weighs the next decision, and what is left of its limit is what it is planned with.
 * A cost that cannot be is refused, and nothing has happened.
 */
static void test_measured(void **state)
{
	static const int64_t measured[] = { 5, 50 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sched_event left = { .type = EV_MIGRATED, .id = 1, .migration = -1 };
		struct world w;

		open_world(&w, "mgs", collapsing);
		leaver_at(&w, 1, 1);
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_LEAVING, .id = 1 }),
				 PACT_OK);
		go(&w, 5);
		assert_int_equal(tell(&w, left), PACT_EINVAL);
		left.migration = MIGRATION_MOST + 1;
		assert_int_equal(tell(&w, left), PACT_EINVAL);
		assert_int_equal(end_of(&w, 1), 2000);
		left.migration = measured[i];
		left.end = 105;
		assert_int_equal(tell(&w, left), PACT_OK);
		w.job[1].runs = false;
		assert_int_equal(end_of(&w, 1), 205);
		go(&w, 6);
		assert_true(w.job[1].runs);
		leaver_that_costs(&w, 2, 1, 20);
		go(&w, 45);
		assert_int_equal(w.job[1].asked, measured[i] < 20);
		assert_int_equal(w.job[2].asked, measured[i] > 20);
		close_world(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_stays_beside_replica),
		cmocka_unit_test(test_leaves_in_vain),
		cmocka_unit_test(test_leaves_found),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_called_back),
		cmocka_unit_test(test_measured),
	};

	return seed_run("test_gang_leaves", tests);
}
