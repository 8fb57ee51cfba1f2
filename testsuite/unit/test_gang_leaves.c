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

static void leaver_at(struct world *w, uint64_t id, uint64_t mask)
{
	struct sched_job d = job_of(id, 1);

	d.flags = JOB_LEAVES;
	submit(w, d);
	by_hand(w, EV_STARTED, id, mask);
	w->job[id].waits = w->job[id].runs = false;
	w->job[id].leaves = true;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_stays_beside_replica),
		cmocka_unit_test(test_leaves_in_vain),
		cmocka_unit_test(test_leaves_found),
	};

	return seed_run("test_gang_leaves", tests);
}
