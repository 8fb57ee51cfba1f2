/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_leaves: jobs that are migrated by being asked to leave their nodes, which takes its time: they do, or do not,
 * or their new nodes are lost meanwhile. What happens at random is in test_gang_random.
 */
#include <string.h>

#include "core/kernel/record.h"
#include "core/kernel/retell.h"
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

/* What is shown of one that is asked to leave node 0 for node 1, and of the other one. */
static void check_leaver(const struct world *w, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(w->s, id, &v), PACT_OK);
	assert_true(v.turns.leaves);
	assert_int_equal(v.turns.in, UINT64_C(1) << v.turns.home);
	assert_int_equal(mask_of(v.turns.nodes), 2);
	assert_int_equal(sched_view(w->s, 3 - id, &v), PACT_OK);
	assert_false(v.turns.leaves || v.turns.nodes);
}

/* It is asked once, runs where it is while the other one waits, and is started where it was to go. */
static void test_leaves(void **state)
{
	struct world w;
	uint64_t id;

	(void)state;
	id = open_leavers(&w);
	check_leaver(&w, id);
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

/* Job 1 is to make way for job 3, which has its nodes in one row now, and a replica there in the other one. */
static void open_beside_replica(struct world *w)
{
	open_world(w, "mgs", two_rows);
	leaver_at(w, 1, 3);
	fixed_at(w, 2, 12);
	fixed_at(w, 3, 3);
	go(w, 5);
	by_hand(w, EV_FINISH, 2, 0);
	w->job[2].started = false;
	for (int i = 0; i < 3 && !w->job[1].asked; i++)
		go(w, w->now + 10);
	assert_true(w->job[1].asked);
}

/* It stays: the replica gives its place back. */
static void test_stays_beside_replica(void **state)
{
	struct world w;

	(void)state;
	open_beside_replica(&w);
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

/* In two rows, jobs 1 and 2 have node 0, nodes 2 and 3 are taken in both rows, and job 5, of two nodes, waits for the others. */
static uint64_t open_before_wide(struct world *w)
{
	open_world(w, "mgs", two_rows);
	leaver_at(w, 1, 1);
	leaver_at(w, 2, 1);
	fixed_at(w, 3, 12);
	fixed_at(w, 4, 12);
	submit(w, job_of(5, 2));
	for (int i = 0; i < 4 && !w->job[1].asked && !w->job[2].asked; i++)
		go(w, w->now + 10);
	assert_int_equal(w->job[1].asked + w->job[2].asked, 1);
	return w->job[1].asked ? 1 : 2;
}

/* What waits gets nodes when one has left them, and not before: it may stay, and has its turns then as if nothing had been. */
static void test_stays_before_wide(void **state)
{
	struct world w;
	uint64_t id;

	(void)state;
	for (int stays = 0; stays < 2; stays++) {
		id = open_before_wide(&w);
		for (int i = 0; i < 6; i++) {
			go(&w, w.now + 10);
			assert_false(w.job[5].started);
			assert_int_equal(sched_lack(w.s, 5), LACK_ROW);
		}
		if (stays)
			assert_int_equal(
				tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = id }),
				PACT_OK);
		else
			vacate(&w, id);
		w.job[id].asked = false;
		for (int i = 0; i < 3 && !w.job[id].runs; i++)
			go(&w, w.now + 10);
		assert_true(w.job[id].runs);
		assert_int_equal(mask_of(w.job[id].at), stays ? 1 : 2);
		for (int i = 0; i < 3 && !w.job[5].started; i++)
			go(&w, w.now + 10);
		assert_int_equal(w.job[5].started, !stays);
		close_world(&w);
	}
}

/* Nor what needs just this node, among free ones. */
static void test_stays_before_required(void **state)
{
	struct nodeset *node = set_of(1);
	struct sched_job d = job_of(5, 1);
	struct world w;
	uint64_t id;

	(void)state;
	id = open_leavers(&w);
	d.required = node;
	submit(&w, d);
	for (int i = 0; i < 6; i++) {
		go(&w, w.now + 10);
		assert_false(w.job[5].started);
	}
	vacate(&w, id);
	for (int i = 0; i < 3 && !w.job[5].started; i++) {
		go(&w, w.now + 10);
		/* as job 5 is to be where that one is */
		if (w.job[3 - id].asked)
			vacate(&w, 3 - id);
	}
	assert_true(w.job[5].started);
	close_world(&w);
	nodeset_destroy(node);
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

static const char *const dear[] = {
	"Rows", "2", "Slice", "10", "MigrationCost", "1000", "Phases", "clean,schedule,collapse2",
	NULL
};

/* Two of one node in two rows, of which one is to be migrated beside the other one. */
static void open_dear(struct world *w)
{
	open_world(w, "mgs", dear);
	for (uint64_t i = 1; i <= 2; i++) {
		submit(w, job_of(i, 1));
		by_hand(w, EV_STARTED, i, 1);
		w->job[i].runs = false;
	}
}

/* What is wanted is done, but a migration is refused. RET how many were; none that is resumed has lost anything */
static int refuse_to_move(struct world *w)
{
	struct sched_action a;
	int refused = 0;

	while (sched_next(w->s, &a)) {
		struct sched_event ev = { .type = EV_REFUSED, .id = a.id };

		if (a.type == ACT_WAKE) {
			w->wake = a.end;
			continue;
		}
		if (a.type == ACT_MIGRATE)
			refused++;
		else
			ev.type = a.type == ACT_SUSPEND ? EV_SUSPENDED : EV_RESUMED;
		assert_true(a.type != ACT_RESUME || a.lost == 0);
		assert_int_equal(tell(w, ev), PACT_OK);
	}
	return refused;
}

static int refuse_until(struct world *w, int64_t to)
{
	int refused = refuse_to_move(w);

	while (w->wake <= to) {
		w->now = w->wake > w->now ? w->wake : w->now;
		assert_int_equal(tell(w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		refused += refuse_to_move(w);
	}
	return refused;
}

/* One refuses, then the other one, which was to be migrated instead: none pays for either. */
static void test_refused(void **state)
{
	struct world w;

	(void)state;
	open_dear(&w);
	assert_int_equal(refuse_until(&w, 100), 2);
	close_world(&w);
}

static int64_t bound_of(const struct world *w, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(w->s, id, &v), PACT_OK);
	return v.bound;
}

static int fares; /* that were told */

static void take_in(void *arg, const struct record_form *form, const void *record)
{
	struct sched *s = arg;

	fares += !strcmp(form->name, "gang_fare");
	assert_int_equal(sched_recall(s, sched_recall_form(s, form->name), record), PACT_OK);
}

/* Another one goes on with all that this one knows. */
static void restart(struct world *w, const char *const *settings)
{
	struct world other;

	open_world(&other, "mgs", settings);
	assert_int_equal(sched_retell(w->s, take_in, other.s), PACT_OK);
	assert_int_equal(sched_recall_done(other.s), PACT_OK);
	sched_destroy(w->s);
	w->s = other.s;
}

/* All other nodes are lost before the turns are taken: it is called back, and neither pays for that, nor ends later. */
static void call_back(bool after_restart)
{
	struct nodeset *lost = set_of(14);
	int64_t bound[2];
	struct world w;

	open_dear(&w);
	for (uint64_t i = 0; i < 2; i++)
		bound[i] = bound_of(&w, i + 1);
	assert_int_equal(refuse_to_move(&w), 0);
	for (uint64_t i = 0; i < 2; i++) /* C, and C/2, of 10 s in each 20 s */
		assert_in_range(bound_of(&w, i + 1) - bound[i], 1000, 2000);
	if (after_restart)
		restart(&w, dear);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_BLOCK, .id = 50, .nodes = lost }),
		PACT_OK);
	for (uint64_t i = 0; i < 2; i++)
		assert_int_equal(bound_of(&w, i + 1), bound[i]);
	assert_int_equal(refuse_until(&w, 100), 0);
	close_world(&w);
	nodeset_destroy(lost);
}

static void test_called_back(void **state)
{
	(void)state;
	call_back(false);
}

/* What each pays for is known after a restart, too. */
static void test_called_back_later(void **state)
{
	(void)state;
	call_back(true);
	assert_int_equal(fares, 2);
}

/* In the first moments after a restart nothing that is found gets nodes in the turns in which one is to leave them. */
static void test_marked_later(void **state)
{
	struct sched_view leaves, found;
	struct world w;

	(void)state;
	open_beside_replica(&w);
	restart(&w, two_rows);
	by_hand(&w, EV_FINISH, 3, 0);
	w.job[3].started = false;
	for (uint64_t id = 4; id <= 5; id++) { /* a row for each, with that one's */
		submit(&w, job_of(id, 2));
		by_hand(&w, EV_STARTED, id, 3);
	}
	assert_int_equal(sched_view(w.s, 1, &leaves), PACT_OK);
	assert_true(leaves.turns.leaves);
	for (uint64_t id = 4; id <= 5; id++) {
		assert_int_equal(sched_view(w.s, id, &found), PACT_OK);
		assert_int_equal(leaves.turns.in & found.turns.in, 0);
	}
	close_world(&w);
}

/* It is set aside for what was promised where it is to go, and that is overdue: what it has left to run is not taken to be less. */
static void test_stays_from_aside(void **state)
{
	static const char *const yielding[] = {
		"Rows",		"2",   "Slice", "10", "Phases", "clean,schedule,collapse2",
		"PromiseAside", "yes", NULL
	};
	struct nodeset *node = set_of(2);
	struct world w;
	uint64_t id;

	(void)state;
	open_world(&w, "mgs", yielding);
	leaver_at(&w, 1, 1);
	leaver_at(&w, 2, 1);
	go(&w, 25);
	id = w.job[1].asked ? 1 : 2;
	assert_true(w.job[id].asked);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_STARTED,
							.id = 50,
							.nodes = node,
							.start = w.now,
							.end = w.now + 100 }),
			 PACT_OK);
	go(&w, w.now + 400);
	assert_false(w.job[id].runs);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = id }), PACT_OK);
	/* it has run for 25 s at most */
	assert_true(bound_of(&w, id) >= w.now + 2 * (1000 - 25));
	close_world(&w);
	nodeset_destroy(node);
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

/*
 * What its migration delays it by counts until it runs again: whether it ran where it was to leave when that was decided, or
 * was resumed there to be asked.
 */
static void test_delay(void **state)
{
	static const int64_t cost[][2] = { { 40, 90 }, { 90, 40 } };
	int resumed = 0;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sched_event left = { .type = EV_MIGRATED, .id = i + 1 };
		char word[] = { 'r', (char)('1' + i), '\0' };
		struct world w;

		open_world(&w, "mgs", collapsing);
		leaver_that_costs(&w, 1, 1, cost[i][0]);
		leaver_that_costs(&w, 2, 1, cost[i][1]);
		while (!w.job[i + 1].asked && w.now < 60) {
			go(&w, w.now + 10);
			resumed += strstr(w.said, word) != NULL;
		}
		assert_true(w.job[i + 1].asked);
		left.end = w.now + 100;
		assert_int_equal(tell(&w, left), PACT_OK);
		/* 100 s and its C, 10 s in each 20 s, and as much again */
		assert_int_equal(bound_of(&w, i + 1), w.now + (14 + 1) * 20);
		close_world(&w);
	}
	assert_true(resumed);
}

/*
 * How long one needs to leave is not known before it has, and may be longer than the last time: the one that waits for its nodes is
 * counted to wait for as long as it may take, and where a promise would be late by that none is asked.
 */
static void test_leave_time(void **state)
{
	static const char *const timed[] = { "Rows",	  "2",	    "Slice",
					     "10",	  "Phases", "clean,schedule,collapse2",
					     "LeaveTime", "35",	    NULL };
	static const int64_t cost[] = { 0, 2 };
	struct nodeset *node = set_of(1);

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		bool promised = i % 2;
		struct world w;
		int64_t bound;

		open_world(&w, "mgs", timed);
		leaver_that_costs(&w, 1, 1, cost[i / 2]);
		leaver_that_costs(&w, 2, 1, cost[i / 2]);
		bound = bound_of(&w, 1);
		if (promised)
			assert_int_equal(tell(&w, (struct sched_event){ .type = EV_STARTED,
									.id = 50,
									.nodes = node,
									.start = 4500,
									.end = 5000 }),
					 PACT_OK);
		go(&w, 25);
		assert_int_equal(w.job[1].asked + w.job[2].asked, !promised);
		if (!promised) {
			uint64_t leaves = w.job[1].asked ? 1 : 2;

			/* in four of its turns the other one has its nodes; if that stays in the end it does not get them back */
			assert_int_equal(bound_of(&w, 3 - leaves) - bound, 4 * 20);
			if (i >= 2)
				go(&w, 505);
			assert_int_equal(
				tell(&w, (struct sched_event){ .type = EV_REFUSED, .id = leaves }),
				PACT_OK);
			assert_int_equal(bound_of(&w, 3 - leaves) - bound, 4 * 20);
			/* its own is what it was, but for what is rounded up to cycles, and not counted anew by its whole limit */
			assert_in_range(bound_of(&w, leaves), bound, bound + (i < 2 ? 2 : 3) * 20);
		}
		close_world(&w);
	}
	nodeset_destroy(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_stays_beside_replica),
		cmocka_unit_test(test_stays_before_wide),
		cmocka_unit_test(test_stays_before_required),
		cmocka_unit_test(test_stays_from_aside),
		cmocka_unit_test(test_marked_later),
		cmocka_unit_test(test_leaves_in_vain),
		cmocka_unit_test(test_leaves_found),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_called_back),
		cmocka_unit_test(test_called_back_later),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_leave_time),
	};

	return seed_run("test_gang_leaves", tests);
}
