/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_events: what may happen to the gang engine beside arrivals and ends: a driver that refuses, jobs that are
 * suspended, resumed, migrated or started elsewhere by hand, nodes that are lost, low or short of memory, whole jobs,
 * another number of rows.
 */
#include <stdio.h>
#include <string.h>

#include "core/beside/state.h"
#include "core/gang/gang.h"
#include "core/settings/settings.h"
#include "testsuite/unit/gang_hand.h"
#include "testsuite/unit/seed.h"

static const char *const two_rows[] = { "Rows", "2", "Slice", "10", NULL };

/* Two jobs that need all nodes take turns. */
static void test_turns(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 0);
	assert_string_equal(w.said, "S1");
	go(&w, 10);
	assert_string_equal(w.said, "s1 S2");
	go(&w, 20);
	assert_string_equal(w.said, "s2 r1");
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 25);
	assert_string_equal(w.said, "r2");
	go(&w, 60); /* it is in both rows: nothing is switched */
	assert_string_equal(w.said, "");
	close_world(&w);
}

/* An instant whose turns were taken is not settled again: what is news then has its pass a second later. */
static void test_settled(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 10);
	assert_string_equal(w.said, "S1 s1 S2");
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 10);
	assert_string_equal(w.said, "");
	assert_int_equal(w.wake, 11);
	go(&w, 11);
	assert_string_equal(w.said, "r1");
	close_world(&w);
}

static int64_t bound_of(struct world *w, uint64_t id)
{
	void *own = sched_own(w->s, &engine_gang);
	size_t n = engine_gang.claims(own, NULL);

	for (size_t i = 0; i < n; i++) {
		struct engine_claim c;

		engine_gang.claim(own, i, &c);
		if (c.id == id)
			return c.end;
	}
	fail_msg("job %d has no place", (int)id);
	return 0;
}

static void set(struct world *w, struct sched_config *c, const char *key, const char *value)
{
	char why[200];

	assert_true(settings_apply(c, key, value, why, sizeof(why)));
	assert_int_equal(sched_configure(w->s, c, why, sizeof(why)), PACT_OK);
}

/* Other settings move a job's bound only if they have to do with it, and by what it has still to run. */
static void test_bound_anew(void **state)
{
	struct sched_config c;
	struct world w;

	(void)state;
	sched_config_init(&c);
	c.rows = 2;
	c.slice = 10;
	open_with(&w, "gs", &c);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 0);
	/* 100 slices of 10, and one, of two rows */
	assert_int_equal(bound_of(&w, 1), 101 * 20);
	go(&w, 1000);
	set(&w, &c, "Slice", "10");
	set(&w, &c, "MigrationCost", "3");
	assert_int_equal(bound_of(&w, 1), 101 * 20);
	/* it has 51 slices of 10 still to come, at most, which are 102 of 5 */
	set(&w, &c, "Slice", "5");
	assert_int_equal(bound_of(&w, 1), 1000 + (102 + 1) * 10);
	/* what has been said twice is no change, either */
	go(&w, 1010);
	set(&w, &c, "Slice", "5");
	assert_int_equal(bound_of(&w, 1), 1000 + (102 + 1) * 10);
	/* the rows are other ones: what it had to run is known still when it waits for one, and when it has it */
	set(&w, &c, "Rows", "3");
	assert_int_equal(bound_of(&w, 1), 1010 + (102 + 1) * 15);
	go(&w, 1011);
	assert_int_equal(bound_of(&w, 1), 1010 + (102 + 1) * 15);
	/* there is no bound, and there is one again */
	set(&w, &c, "Cut", "next");
	assert_int_equal(bound_of(&w, 1), PACT_FOREVER);
	set(&w, &c, "Cut", "keep");
	assert_int_equal(bound_of(&w, 1), 1010 + (102 + 1) * 15);
	/* a guard is running time, too, and a cycle more */
	set(&w, &c, "Guard", "7");
	assert_int_equal(bound_of(&w, 1), 1010 + (104 + 2) * 15);
	close_world(&w);
}

/* A job that is suspended by hand has no turns until it is resumed. */
static void test_stopped(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	by_hand(&w, EV_SUSPENDED, 1, 0);
	go(&w, 10);
	assert_string_equal(w.said, "S2");
	go(&w, 20);
	assert_string_equal(w.said, "s2");
	go(&w, 30);
	assert_string_equal(w.said, "r2");
	by_hand(&w, EV_SUSPENDED, 2, 0);
	by_hand(&w, EV_RESUMED, 1, 0);
	go(&w, 32); /* not its turn */
	assert_string_equal(w.said, "s1");
	go(&w, 40);
	assert_string_equal(w.said, "r1");
	close_world(&w);
}

/* It was suspended by hand, and is so no more, though another one has its turn just now: it has its own again. */
static void test_let_go(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	by_hand(&w, EV_SUSPENDED, 1, 0);
	go(&w, 10);
	assert_string_equal(w.said, "S2");
	tell(&w, (struct sched_event){ .type = EV_SUSPENDED, .id = 1, .reserve = true });
	go(&w, 20);
	assert_string_equal(w.said, "s2 r1");
	close_world(&w);
}

/* A driver comes up, and finds one that is suspended as it was another one's turn: it has its own. */
static void test_found_suspended(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	for (uint64_t id = 1; id <= 2; id++) {
		submit(&w, job_of(id, 4));
		by_hand(&w, EV_STARTED, id, 15);
		if (id == 1)
			assert_int_equal(tell(&w, (struct sched_event){ .type = EV_SUSPENDED,
									.id = id,
									.reserve = true }),
					 PACT_OK);
		w.job[1].runs = false;
	}
	go(&w, 1);
	assert_string_equal(w.said, "s2 r1");
	go(&w, 11);
	assert_string_equal(w.said, "s1 r2");
	close_world(&w);
}

/* What was migrated by hand is where it is; what has no row left waits aside, before all others that could be there. */
static void test_moved(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 2));
	go(&w, 1);
	assert_int_equal(mask_of(w.job[1].at), 3);
	by_hand(&w, EV_MIGRATED, 1, 6);
	submit(&w, job_of(2, 2));
	go(&w, 2);
	assert_string_equal(w.said, "S2"); /* beside it, on what it left */
	assert_int_equal(mask_of(w.job[2].at), 9);
	submit(&w, job_of(3, 3)); /* the other row */
	go(&w, 12);
	assert_int_equal(mask_of(w.job[3].at), 7);
	by_hand(&w, EV_SUSPENDED, 3, 0);
	by_hand(&w, EV_MIGRATED, 2, 2); /* one node, which both others have */
	submit(&w, job_of(4, 1));
	submit(&w, job_of(5, 4)); /* its nodes are among what it needs, and it is in no job's way */
	go(&w, 60);
	assert_false(w.job[2].runs || w.job[5].started);
	assert_int_equal(mask_of(w.job[4].at), 8);
	by_hand(&w, EV_FINISH, 3, 0);
	go(&w, 75);
	assert_true(w.job[2].runs);
	close_world(&w);
}

/*
 * A driver that comes up tells what has started in the order in which it was stopped, and not in which row: one by one into the
 * fullest row that is open they may leave none to the last. Then others change theirs.
 */
static void test_found_in_rows(void **state)
{
	static const char *const still[] = { "Rows", "2",      "Slice",
					     "10",   "Phases", "clean,schedule,fill",
					     NULL };
	static const uint64_t mask[] = { 1, 2, 5, 6 };
	struct world w;

	(void)state;
	open_world(&w, "bgs", still);
	for (uint64_t id = 1; id <= 4; id++) {
		submit(&w, job_of(id, id > 2 ? 2 : 1));
		by_hand(&w, EV_STARTED, id, mask[id - 1]);
		w.job[id].waits = w.job[id].runs = false;
	}
	go(&w, 5);
	assert_string_equal(w.said, "s2 s3");
	go(&w, 15);
	assert_string_equal(w.said, "s1 s4 r2 r3");
	close_world(&w);
}

static void check_view(const struct world *w, uint64_t id, int64_t end, int64_t bound)
{
	struct sched_view v;

	assert_int_equal(sched_view(w->s, id, &v), PACT_OK);
	assert_int_equal(v.end, end);
	assert_int_equal(v.bound, bound);
}

static int end_changes(struct world *w, uint64_t id, int64_t end)
{
	return tell(w, (struct sched_event){ .type = EV_END_CHANGED, .id = id, .end = end });
}

/*
 * What is left of a running job's limit is told anew: end and bound are counted from then on. A guard counts like the
 * limit, and a cycle more until that is told.
 */
static void test_limit_left(void **state)
{
	static const char *const guarded[] = { "Rows", "2", "Slice", "10", "Guard", "15", NULL };
	struct world w;

	(void)state;
	for (int guard = 0; guard < 2; guard++) {
		struct sched_job d = job_of(1, 4);

		open_world(&w, "bgs", guard ? guarded : two_rows);
		d.limit = 100;
		submit(&w, d);
		submit(&w, job_of(2, 4));
		check_view(&w, 2, PACT_FOREVER, PACT_FOREVER);
		go(&w, 0);
		check_view(&w, 1, 200, guard ? 280 : 220);
		go(&w, 40);
		assert_int_equal(end_changes(&w, 1, 70), PACT_OK);
		check_view(&w, 1, 100, guard ? 160 : 120);
		assert_int_equal(end_changes(&w, 1, PACT_FOREVER), PACT_OK);
		check_view(&w, 1, PACT_FOREVER, PACT_FOREVER);
		close_world(&w);
	}
}

/* What outlives its limit, by turns or promised, has its nodes until its end is told: what is promised behind it waits. */
static void test_outlived(void **state)
{
	static const char *const settings[] = { "Rows", "2",	    "Slice", "10", "Guard",
						"1",	"Lateness", "1",     NULL };
	struct world w;

	(void)state;
	for (int promised = 0; promised < 2; promised++) {
		struct sched_job first = job_of(1, 4), second = job_of(2, 4);

		open_world(&w, "bgs", settings);
		first.limit = second.limit = 10;
		first.deadline = promised ? 1000 : 0;
		second.deadline = 1000;
		submit(&w, first);
		go(&w, 0);
		assert_true(w.job[1].runs);
		submit(&w, second);
		go(&w, 300);
		assert_true(w.job[1].runs && !w.job[2].started);
		by_hand(&w, EV_FINISH, 1, 0);
		go(&w, 300);
		assert_string_equal(w.said, "S2");
		close_world(&w);
	}
}

/* A node of height 1 bears one job, whatever the rows; memory is given once. */
static void test_bounds(void **state)
{
	struct sched_job big = job_of(3, 1);
	struct nodeset *low = set_of(3), *all = set_of(12);
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = low, .most = 1 }),
		PACT_OK);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 10 }),
		PACT_OK);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 2)); /* beside it on the others, in turn */
	go(&w, 10);
	assert_int_equal(mask_of(w.job[2].at), 12);
	big.memory = 6;
	submit(&w, big);
	big.id = 4;
	go(&w, 11);
	submit(&w, big);
	go(&w, 40);
	/* two rows are full: their nodes have one job more each only where that fits */
	assert_false(w.job[3].started || w.job[4].started);
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 80);
	assert_true(w.job[3].started && w.job[4].started);
	assert_int_equal(mask_of(w.job[3].at) & mask_of(w.job[4].at), 0);
	close_world(&w);
	nodeset_destroy(low);
	nodeset_destroy(all);
}

/* A whole job gives its nodes to no other. */
static void test_whole(void **state)
{
	struct sched_job whole = job_of(1, 2);
	struct world w;

	(void)state;
	open_world(&w, "bgs", two_rows);
	whole.flags = JOB_WHOLE;
	submit(&w, whole);
	submit(&w, job_of(2, 2));
	submit(&w, job_of(3, 2));
	submit(&w, job_of(4, 3));
	go(&w, 0);
	assert_string_equal(w.said, "S1 S2");
	go(&w, 10);
	assert_string_equal(w.said, "s2 S3");
	go(&w, 20);
	assert_string_equal(w.said, "s3 r2");
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 40);
	assert_false(w.job[4].started); /* a row has two nodes free */
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 60);
	assert_true(w.job[4].started);
	close_world(&w);
}

/* Nodes that are held by others get nothing that would end later. */
static void test_held(void **state)
{
	struct sched_job brief = job_of(2, 2);
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bgs", two_rows);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 100, .end = 200 }),
		PACT_OK);
	submit(&w, job_of(1, 2));
	brief.limit = 40;
	submit(&w, brief);
	go(&w, 0);
	assert_int_equal(mask_of(w.job[1].at), 12);
	assert_int_equal(mask_of(w.job[2].at), 3);
	by_hand(&w, EV_FINISH, 2, 0);
	submit(&w, job_of(3, 3));
	go(&w, 90);
	assert_false(w.job[3].started);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }), PACT_OK);
	go(&w, 110);
	assert_true(w.job[3].started);
	close_world(&w);
	nodeset_destroy(half);
}

/* With fewer rows those that had started and have none wait for one. */
static void test_rows(void **state)
{
	struct sched_config c;
	struct world w;
	char why[200];

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 15);
	sched_config_init(&c);
	c.slice = 10;
	c.rows = 1;
	assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)), PACT_OK);
	go(&w, 100);
	assert_true(w.job[1].runs && !w.job[2].runs);
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 120);
	assert_true(w.job[2].runs);
	close_world(&w);
}

/* Another number of rows while a start is not answered. */
static void test_rows_between(void **state)
{
	struct sched_action a;
	struct sched_config c;
	struct nodeset *all = set_of(15);
	struct world w;
	char why[200];

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	drain(&w);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	assert_true(sched_next(w.s, &a) && a.type == ACT_START);
	sched_config_init(&c);
	c.rows = 3;
	assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)), PACT_OK);
	by_hand(&w, EV_STARTED, 1, 15);
	w.job[1].waits = false;
	go(&w, 20);
	by_hand(&w, EV_FINISH, 1, 0);
	submit(&w, job_of(2, 4));
	go(&w, 60);
	assert_true(w.job[2].runs);
	close_world(&w);
	nodeset_destroy(all);
}

/* What is refused is tried again at the next turn, and not before. */
static void test_refused_once(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	w.refuse = 1;
	go(&w, 10);
	assert_string_equal(w.said, "s1!");
	go(&w, 19);
	assert_string_equal(w.said, "");
	w.refuse = 0;
	go(&w, 30);
	assert_string_equal(w.said, "s1 S2"); /* at 20 the first one has its turn and runs */
	close_world(&w);
}

/* A job that was running when the driver came up stays within its partition; so do those that never fit wait alone. */
static void test_partitions(void **state)
{
	struct nodeset *low = set_of(3);
	struct sched_job d = job_of(1, 2), wide = job_of(9, 5);
	struct world w;

	(void)state;
	open_world(&w, "mgs", two_rows);
	d.nalt = 1;
	d.alt[0] = low;
	submit(&w, d);
	w.job[1].waits = false;
	by_hand(&w, EV_STARTED, 1, 3);
	submit(&w, wide);
	for (uint64_t id = 2; id < 5; id++)
		submit(&w, job_of(id, 2));
	for (int i = 0; i < 20; i++) {
		go(&w, w.now + 10);
		assert_int_equal(mask_of(w.job[1].at), 3);
	}
	assert_true(w.job[2].started && w.job[3].started && w.job[4].started);
	close_world(&w);
	nodeset_destroy(low);
}

/* Nodes are lost under a job that was to start there. */
static void test_lost(void **state)
{
	struct nodeset *half = set_of(12);
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 6);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 6, .end = 500 }),
		PACT_OK);
	go(&w, 100);
	assert_false(w.job[2].started);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }), PACT_OK);
	go(&w, 120);
	assert_true(w.job[2].started);
	close_world(&w);
	nodeset_destroy(half);
}

/* Two rows; at 15 jobs 1 and 3 have ended, and 2 makes room in row 0 for 4, on node 2: it is to be migrated to nodes 0-1. */
static void migrate_one(struct world *w, bool waits)
{
	open_world(w, "mbgs", two_rows);
	submit(w, job_of(1, 2));
	submit(w, job_of(2, 2));
	submit(w, job_of(3, 2));
	submit(w, job_of(4, 1));
	if (waits)
		submit(w, job_of(5, 4));
	go(w, 15);
	assert_int_equal(mask_of(w->job[2].at), 12);
	assert_int_equal(mask_of(w->job[4].at), 4);
	by_hand(w, EV_FINISH, 1, 0);
	by_hand(w, EV_FINISH, 3, 0);
	drain(w); /* a pass, and the instant is not over */
}

/* A node that is lost before the turns are taken gets no job that was to be migrated to it. */
static void test_lost_ahead(void **state)
{
	struct nodeset *lost = set_of(1);
	struct world w;

	(void)state;
	migrate_one(&w, false);
	go(&w, 15);
	assert_int_equal(mask_of(w.job[2].at), 3);
	close_world(&w);
	migrate_one(&w, false);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = lost, .start = 15, .end = 500 }),
		PACT_OK);
	go(&w, 15);
	assert_int_equal((mask_of(w.job[2].at) | mask_of(w.job[4].at)) & 1, 0);
	assert_true(w.job[4].runs || w.job[2].runs);
	close_world(&w);
	nodeset_destroy(lost);
}

/*
 * Nodes 0 and 1 are lost instead: job 2, which ran from 0 to 10, stays in row 0, and has the slice from 20 to 30. Row 1, whose
 * turn it is, would have it wait for its next whole one until 30; there job 4 goes on, which had come to row 0 for 2's leaving.
 */
static void lose_cycle(bool waits)
{
	struct nodeset *lost = set_of(3);
	struct world w;

	migrate_one(&w, waits);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_BLOCK, .id = 50, .nodes = lost }),
		PACT_OK);
	for (int64_t at = 20; at < 60; at += 5) {
		go(&w, at);
		assert_int_equal(mask_of(w.job[2].at), 12);
		assert_int_equal(w.job[2].runs, at / 10 % 2 == 0);
		assert_int_equal(w.job[4].runs, at / 10 % 2 == 1);
	}
	close_world(&w);
	nodeset_destroy(lost);
}

/* Likewise if job 5, which waited for all nodes, has got row 1 by 4's leaving: it has not started, and waits again. */
static void test_lost_cycle(void **state)
{
	(void)state;
	lose_cycle(false);
	lose_cycle(true);
}

/* Nodes that are lost under a running job are not taken from the others, too. */
static void test_lost_under(void **state)
{
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bf", two_rows + 4);
	submit(&w, job_of(1, 2));
	go(&w, 5);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 5, .end = 5000 }),
		PACT_OK);
	submit(&w, job_of(2, 2));
	go(&w, 6);
	assert_true(w.job[2].started);
	assert_int_equal(mask_of(w.job[2].at), 12);
	close_world(&w);
	nodeset_destroy(half);
}

/* Nodes that two hold at once, lost and reserved, are taken from the others once. */
static void test_held_twice(void **state)
{
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bf", two_rows + 4);
	for (uint64_t id = 50; id < 52; id++)
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_BLOCK,
								.id = id,
								.nodes = half,
								.end = 5000 }),
				 PACT_OK);
	submit(&w, job_of(1, 2));
	go(&w, 1);
	assert_true(w.job[1].started);
	close_world(&w);
	nodeset_destroy(half);
}

static void start_at(struct world *w, uint64_t id, int32_t width, int64_t memory, uint64_t mask)
{
	struct sched_job d = job_of(id, width);

	d.memory = memory;
	submit(w, d);
	by_hand(w, EV_STARTED, id, mask);
	w->job[id].waits = w->job[id].runs = false; /* until the first turns are taken */
}

static void configure_rows(struct world *w, int32_t rows)
{
	struct sched_config c;
	char why[200] = "";

	sched_config_init(&c);
	assert_true(settings_apply(&c, "Phases", "clean,schedule,collapse2", why, sizeof(why)));
	c.slice = 10;
	c.rows = rows;
	assert_int_equal(sched_configure(w->s, &c, why, sizeof(why)), PACT_OK);
}

/*
 * Job 4 was started by hand on nodes 0 and 1, where node 0 is taken in both rows: it has no row, but its memory is
 * there. So node 1 has none for job 1 or 2, of which one would have to go there if both are to be in row 0.
 */
static void test_memory_aside(void **state)
{
	static const char *const settings[] = { "Rows", "2",	  "Slice",
						"10",	"Phases", "clean,schedule,collapse2",
						NULL };
	struct nodeset *all = set_of(15);
	struct world w;

	(void)state;
	open_world(&w, "mgs", settings);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 100 }),
		PACT_OK);
	start_at(&w, 1, 1, 30, 1);
	start_at(&w, 2, 1, 30, 1);
	start_at(&w, 3, 2, 30, 12);
	start_at(&w, 4, 2, 80, 3);
	go(&w, 35);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 1);
	configure_rows(&w, 1); /* other matrices know of it, too */
	configure_rows(&w, 2);
	go(&w, 105);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 1);
	by_hand(&w, EV_FINISH, 4, 0);
	go(&w, 125); /* now there is memory */
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 3);
	close_world(&w);
	nodeset_destroy(all);
}

/*
 * Jobs 1 and 3 have the same nodes, and none needs the others any more: with Q = 0 they take turns all the same. A greater Q
 * counts at once, as far as it is not used up in this slice, and not only when something happens to a job.
 */
static void test_quota(void **state)
{
	struct sched_config c;
	struct world w;

	(void)state;
	sched_config_init(&c);
	c.rows = 2;
	c.slice = 10;
	c.migration_quota = 0;
	open_with(&w, "mgs", &c);
	start_at(&w, 1, 2, 0, 3);
	start_at(&w, 2, 2, 0, 12);
	start_at(&w, 3, 2, 0, 3);
	go(&w, 5);
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 45);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[3].at), 3);
	set(&w, &c, "MigrationQuota", "1"); /* both have two tasks */
	go(&w, 47);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[3].at), 3);
	set(&w, &c, "MigrationQuota", "2");
	go(&w, 49);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[3].at), 15);
	close_world(&w);
}

/* Only arrivals and ends end a slice, not what is refused. */
static void test_cut(void **state)
{
	static const char *const settings[] = { "Rows", "2", "Slice", "10", "Cut", "next", NULL };
	struct sched_job d = job_of(3, 4);
	struct world w;

	(void)state;
	open_world(&w, "gs", settings);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 3);
	d.deadline = 5000;
	submit(&w, d);
	w.job[3].waits = false;
	go(&w, 5);
	assert_string_equal(w.said, "R3");
	d.deadline = 0;
	submit(&w, d);
	go(&w, 6);
	assert_string_equal(w.said, "s1 S2");
	close_world(&w);
}

/* No promise is made; one that was made elsewhere is said to be broken. */
static void test_promises(void **state)
{
	struct sched_job d = job_of(1, 1);
	struct sched_matrix m;
	struct sched_place place;
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	d.deadline = 5000;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "R1");
	d.flags = JOB_PROMISED;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "b1 S1");
	close_world(&w);
	/* beside turns, it is decided, or kept */
	open_world(&w, "bgs", two_rows);
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "S1");
	d.id = 2;
	d.flags = 0;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "A2 S2");
	/* it is in all rows */
	assert_int_equal(sched_matrix(w.s, 0, &m), PACT_OK);
	assert_int_equal(m.jobs, 2);
	for (size_t i = 0; i < m.jobs; i++) {
		assert_int_equal(sched_matrix_place(w.s, 0, i, &place), PACT_OK);
		assert_true(place.whole && place.started && place.rows == 3);
		assert_int_equal(mask_of(place.nodes), mask_of(w.job[place.id].at));
	}
	assert_int_equal(sched_matrix_place(w.s, 0, m.jobs, &place), PACT_ENOENT);
	close_world(&w);
}

static int change(struct world *w, struct sched_job d)
{
	return tell(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 });
}

/* By when a job that takes turns is to end, so that it does not starve; 0: nothing was predicted for it yet. */
static int64_t due_of(const struct world *w, uint64_t id)
{
	return beside_find(sched_own(w->s, &engine_beside), id)->due;
}

/* What a job changes to has patience of its own, whether it has had another one before as it is, or before a deadline. */
static void test_patience(void **state)
{
	static const char *const settings[] = { "Rows", "2", "MinArtificialDeadline", "10", NULL };
	struct sched_job d = job_of(3, 4);
	struct world w;

	(void)state;
	open_world(&w, "bgs", settings);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	d.limit = 100;
	submit(&w, d);
	go(&w, 0);
	assert_int_equal(due_of(&w, 3), 2000 + 2 * 100); /* behind one of the others */
	d.limit = 300;
	assert_int_equal(change(&w, d), PACT_OK);
	go(&w, 1);
	assert_int_equal(due_of(&w, 3), 2000 + 2 * 300);
	d.deadline = 9000;
	assert_int_equal(change(&w, d), PACT_OK);
	go(&w, 2);
	d.deadline = 0;
	d.limit = 10;
	assert_int_equal(change(&w, d), PACT_OK);
	go(&w, 3);
	assert_int_equal(due_of(&w, 3), 2000 + 2 * 10);
	close_world(&w);
}

/* A job that wants a lost node waits for it, and nothing is kept for it elsewhere: by its partition, or by its own list. */
static void test_waits_for_lost(void **state)
{
	struct nodeset *lost = set_of(2), *others = set_of(13);

	(void)state;
	for (int required = 0; required < 2; required++) {
		struct sched_job d = job_of(2, 1);
		struct world w;

		open_world(&w, "bgs", two_rows);
		submit(&w, job_of(1, 4));
		go(&w, 5);
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_BLOCK,
								.id = 50,
								.nodes = lost,
								.start = 5 }),
				 PACT_OK);
		if (required)
			d.required = lost;
		else
			d.alt[d.nalt++] = lost;
		submit(&w, d);
		d = job_of(3, 3);
		d.alt[d.nalt++] = others;
		submit(&w, d);
		go(&w, 20);
		assert_true(w.job[3].started);
		assert_false(w.job[2].started);
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }),
				 PACT_OK);
		go(&w, 40);
		assert_true(w.job[2].started);
		close_world(&w);
	}
	nodeset_destroy(lost);
	nodeset_destroy(others);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound_anew),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_settled),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_found_in_rows),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_rows_between),
		cmocka_unit_test(test_refused_once),
		cmocka_unit_test(test_partitions),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_cycle),
		cmocka_unit_test(test_lost_under),
		cmocka_unit_test(test_lost_ahead),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_held_twice),
		cmocka_unit_test(test_memory_aside),
		cmocka_unit_test(test_found_suspended),
		cmocka_unit_test(test_patience),
		cmocka_unit_test(test_let_go),
		cmocka_unit_test(test_limit_left),
		cmocka_unit_test(test_outlived),
		cmocka_unit_test(test_waits_for_lost),
	};

	return seed_run("test_gang_events", tests);
}
