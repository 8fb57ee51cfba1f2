/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_loans: nodes that a plan leaves idle are lent to jobs that can use more (core/loans), step by step: which get them,
 * when they are called in, and what the plan counts on meanwhile; what drivers answer, or tell unasked.
 */
#include <string.h>

#include "testsuite/unit/loans_hand.h"
#include "testsuite/unit/seed.h"

/* ---- which jobs get them ---- */

/* 16 nodes: 4 + 4 + 2 are their own, 6 are lent: two each. A seventh would be the older one's. */
static void test_equal_parts(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(9, 16, 50));
	submit(&h, range(1, 4, 16, 10000));
	submit(&h, range(2, 4, 16, 10000));
	submit(&h, range(3, 1, 16, 10000));
	h.f.now = 50;
	finish(&h, 9);
	assert_int_equal(has(&h, 1), 7); /* 4 + 3 */
	assert_int_equal(has(&h, 2), 6);
	assert_int_equal(has(&h, 3), 3);
	assert_int_equal(view(&h, 1).lent, 3);
	assert_int_equal(view(&h, 1).width, 7);
	hand_close(&h);
}

/* By value: the one whose end is worth more gets all that it can use. */
static void test_by_value(void **state)
{
	struct sched_job rich = range(2, 4, 9, 10000), poor = range(1, 4, 16, 10000);
	struct hand h;

	(void)state;
	rich.deadline = poor.deadline = 10050;
	rich.value = 1000000000;
	poor.value = 1000;
	hand_open(&h, "qops", LOANS_PROFIT, 0);
	submit(&h, feed_job(9, 16, 50));
	submit(&h, poor);
	submit(&h, rich);
	h.f.now = 50;
	finish(&h, 9);
	assert_int_equal(has(&h, 2), 9);
	assert_int_equal(has(&h, 1), 7);
	hand_close(&h);
}

/* Nothing is lent that is wanted within a notice and LoanTime, nor to a job that has ended by then. */
static void test_too_short(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(1, 12,
			    GRACE + 299)); /* until then 4 nodes are idle, then they are wanted */
	submit(&h, feed_job(2, 14, 1000));
	submit(&h, range(3, 1, 8, 200));
	assert_int_equal(has(&h, 3), 1);
	assert_int_equal(h.resized, 0);
	hand_close(&h);
}

/* Without a range nothing is other than without loans. */
static void test_no_range(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(1, 10, 1000));
	submit(&h, feed_job(2, 10, 1000));
	at(&h, 500);
	assert_int_equal(feed_starts(&h.f, 2), 1000);
	assert_int_equal(h.resized, 0);
	hand_close(&h);
}

/* ---- calling in ---- */

/* One job has all 16 nodes, 4 are its own; it has run 1000 s. */
static void open_lent(struct hand *h, const char *scheduler, int64_t lateness)
{
	hand_open(h, scheduler, LOANS_UNIFORM, lateness);
	submit(h, range(1, 4, 16, 10000));
	assert_int_equal(has(h, 1), 16);
	at(h, 1000);
	h->answer = EV_LEAVING;
	h->resized = 0;
}

/* What comes waits one notice, no longer, and only as many nodes are called in as it needs. */
static void test_called_in(void **state)
{
	static const char *const names[] = { "qops", "conservative", "dynp" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct hand h;

		open_lent(&h, names[i], 0);
		submit(&h, feed_job(2, 5, 100));
		assert_int_equal(feed_starts(&h.f, 2), 1000 + GRACE);
		assert_int_equal(h.resized, 1);
		assert_int_equal(h.last.id, 1);
		assert_int_equal(h.last.width, 11);
		assert_int_equal(h.last.end, 1000 + GRACE);
		assert_int_equal(h.last.cause, 2);
		assert_int_equal(view(&h, 1).called, 5);
		assert_int_equal(view(&h, 1).call_by, 1000 + GRACE);
		at(&h, 1030);
		assert_int_equal(h.resized, 1);
		/* it takes its notice to the end; the record shows it at the instant at which the other one starts */
		h.f.now = 1000 + GRACE;
		nodeset_copy(h.has[1], h.last.allowed);
		tell(&h, EV_RESIZED, 1, h.has[1]);
		drain(&h);
		assert_int_equal(has(&h, 2), 5);
		assert_int_equal(view(&h, 1).called, 0);
		assert_int_equal(view(&h, 1).lent, 7);
		hand_close(&h);
	}
}

/* A promise counts on them: one notice later is soon enough, or it is refused. */
static void test_promise(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_deadline(2, 12, 100, 1000 + GRACE + 99));
	assert_int_equal(h.refused, 1);
	submit(&h, feed_deadline(3, 12, 100, 1000 + GRACE + 100));
	assert_int_equal(h.accepted, 1);
	assert_int_equal(h.last.end, 1000 + GRACE);
	assert_int_equal(h.last.width, 4);
	h.f.now = 1000 + GRACE;
	nodeset_copy(h.has[1], h.last.allowed);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(has(&h, 3), 12);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

/*
 * A promise for later: its nodes are lent until one notice before. A driver that wakes late by less than Lateness makes
 * nothing late; by more, the notice is shorter, and the promise holds still.
 */
static void test_late_driver(void **state)
{
	static const int64_t late[] = { 0, 7, 10, 40 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sched_job job = feed_deadline(2, 12, 100, 3000 + 100 + 10);
		struct hand h;

		open_lent(&h, "qops", 10);
		job.begin = 3000;
		submit(&h, job);
		assert_int_equal(h.accepted, 1);
		assert_int_equal(h.resized, 0);
		assert_int_equal(h.f.wake, 3000 - GRACE - 20);
		at(&h, h.f.wake + late[i]);
		assert_int_equal(h.resized, 1);
		assert_int_equal(h.last.end, 3000 - 10);
		assert_int_equal(feed_starts(&h.f, 2), 3000);
		assert_int_equal(h.broken, 0);
		hand_close(&h);
	}
}

/*
 * Without notice what is called in is there a second later, at the earliest; a driver that is as late as it may be makes no
 * promise late. One that comes still later, but before the start, leaves what is promised no time for its answer.
 */
static void test_no_notice(void **state)
{
	static const int64_t late[] = { 0, 5, 10, 18 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sched_job job = feed_deadline(2, 12, 100, 3000 + 100 + 10);
		struct sched_config c;
		struct hand h;

		open_lent(&h, "qops", 10);
		sched_config_init(&c);
		c.loans = LOANS_UNIFORM;
		c.resize_grace = 0;
		c.guard = c.lateness = 10;
		assert_int_equal(sched_configure(h.f.s, &c, NULL, 0), PACT_OK);
		drain(&h);
		job.begin = 3000;
		submit(&h, job);
		assert_int_equal(h.accepted, 1);
		assert_int_equal(h.f.wake, 3000 - 1 - 20);
		at(&h, h.f.wake + late[i]);
		assert_int_equal(h.resized, 1);
		assert_true(h.last.end > h.f.now && h.last.end <= 3000);
		assert_int_equal(feed_starts(&h.f, 2), 3000);
		assert_int_equal(h.broken, 0);
		hand_close(&h);
	}
}

/* Given back at once, they are there for what waits. */
static void test_at_once(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	h.answer = EV_RESIZED;
	submit(&h, feed_job(2, 12, 100));
	assert_int_equal(has(&h, 1), 4);
	assert_int_equal(has(&h, 2), 12);
	hand_close(&h);
}

/* A second call while the first is on: each is due by its own time. */
static void test_two_calls(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_job(2, 5, 1000));
	at(&h, 1020);
	submit(&h, feed_job(3, 4, 1000));
	assert_int_equal(h.resized, 2);
	assert_int_equal(h.last.end, 1020 + GRACE);
	assert_int_equal(h.last.width, 7);
	assert_int_equal(view(&h, 1).called, 9);
	assert_int_equal(view(&h, 1).call_by, 1000 + GRACE);
	hand_close(&h);
}

/* The notice is over by more than Lateness when two of five nodes are given back: the job has the others still. */
static void test_given_back_late(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 10);
	submit(&h, feed_job(2, 5, 100));
	assert_int_equal(view(&h, 1).called, 5);
	at(&h, 1000 + GRACE + 50);
	for (uint32_t n = 0, left = 0; left < 2; n++) {
		if (nodeset_test(h.last.allowed, n))
			continue;
		nodeset_unset(h.has[1], n);
		left++;
	}
	tell(&h, EV_RESIZED, 1, h.has[1]);
	assert_int_equal(view(&h, 1).called, 3);
	assert_int_equal(view(&h, 1).width, 14);
	drain(&h);
	assert_null(h.has[2]);
	hand_close(&h);
}

/* ---- other limits ---- */

static void tell_end(struct hand *h, int64_t end, bool still)
{
	assert_int_equal(feed_event(&h->f, (struct sched_event){ .type = EV_END_CHANGED,
								 .id = 1,
								 .end = end,
								 .reserve = still }),
			 PACT_OK);
}

static void change_end(struct hand *h, int64_t end, bool still)
{
	tell_end(h, end, still);
	drain(h);
}

/* An end that a driver cannot mean, and at once one that it can: nothing is reckoned from the first one. */
static void test_end_long_ago(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 10);
	submit(&h, range(1, 4, 8, 1000));
	at(&h, 200);
	tell_end(&h, INT64_MIN, false);
	change_end(&h, 700, false);
	assert_int_equal(view(&h, 1).own_end, 700);
	assert_int_equal(view(&h, 1).end, 700);
	hand_close(&h);
}

/*
 * 200 s on 8 nodes have done 400 of its 1000 s on 4. What it is given more is more to be done, and what is done stays so; the
 * plan's end of it moves as far. If it stood still for 60 s, on 8, these are 120 on 4.
 */
static void test_longer(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 10);
	submit(&h, range(1, 4, 8, 1000));
	at(&h, 200);
	assert_int_equal(view(&h, 1).own_end, 200 + 600 + 10);
	assert_int_equal(view(&h, 1).end, 1010);
	change_end(&h, 810 + 500, false);
	assert_int_equal(view(&h, 1).own_end, 1310);
	assert_int_equal(view(&h, 1).end, 1510);
	at(&h, 400);
	assert_int_equal(view(&h, 1).own_end, 400 + 700 + 10);
	change_end(&h, 1110 + 60, true);
	assert_int_equal(view(&h, 1).own_end, 400 + 820 + 10);
	assert_int_equal(view(&h, 1).end, 1570);
	change_end(&h, PACT_FOREVER, false);
	assert_int_equal(view(&h, 1).own_end, PACT_FOREVER);
	assert_int_equal(view(&h, 1).end, PACT_FOREVER);
	hand_close(&h);
}

/*
 * By 100 of 572 s 16 nodes have done so much that 6 of its 7 are enough, in 400 s. With 50 s less 2100 is left, for which the plan
 * has it for 422 s: 5 are enough.
 */
static void test_floor_shorter(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	at(&h, 100);
	assert_int_equal(view(&h, 1).lent, 10);
	assert_int_equal(view(&h, 1).own_end, 500);
	change_end(&h, 450, false);
	assert_int_equal(view(&h, 1).end, 522);
	assert_int_equal(view(&h, 1).lent, 11);
	assert_int_equal(view(&h, 1).own_end, 520);
	hand_close(&h);
}

/* ---- answers and news ---- */

/* What could not be asked for is asked for again, after a while; the plan does not count on it before. */
static void test_refused_call(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	h.answer = EV_REFUSED;
	submit(&h, feed_job(2, 12, 100));
	assert_int_equal(h.resized, 1);
	assert_true(h.f.wake > 1000 && h.f.wake < 1000 + GRACE);
	h.answer = EV_RESIZED;
	at(&h, h.f.wake);
	assert_int_equal(h.resized, 2);
	assert_int_equal(has(&h, 2), 12);
	hand_close(&h);
}

/* More was refused: not again in a loop. */
static void test_refused_more(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	h.to_more = EV_REFUSED;
	submit(&h, range(1, 4, 16, 10000));
	assert_int_equal(h.resized, 1);
	at(&h, 1);
	assert_int_equal(h.resized, 1);
	h.to_more = EV_RESIZED;
	at(&h, h.f.wake);
	assert_int_equal(has(&h, 1), 16);
	hand_close(&h);
}

/* An own node is lost: one on loan is its own from then on, and the plan gets what is left. */
static void test_lost_node(void **state)
{
	struct nodeset *first = feed_nodes(NODES, 1);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	assert_int_equal(feed_block(&h.f, 77, first, 1000, PACT_END_OF_TIME), PACT_OK);
	nodeset_and_not(h.has[1], first);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(view(&h, 1).width, 15);
	assert_int_equal(view(&h, 1).lent, 11);
	h.answer = EV_RESIZED;
	submit(&h, feed_job(2, 11, 100));
	assert_int_equal(has(&h, 2), 11);
	assert_int_equal(has(&h, 1), 4);
	nodeset_destroy(first);
	hand_close(&h);
}

/* Of 13 nodes that are left for 500 the other one is promised 12: what its loss left to the first stays on loan. */
static void test_lost_node_before_a_promise(void **state)
{
	struct sched_job job = feed_deadline(2, 12, 100, 1700);
	struct nodeset *lost = feed_nodes(NODES, 8);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	job.begin = 1500;
	submit(&h, job);
	assert_int_equal(h.accepted, 1);
	assert_int_equal(feed_block(&h.f, 77, lost, 1000, PACT_END_OF_TIME), PACT_OK);
	nodeset_and_not(h.has[1], lost);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(h.broken, 0);
	h.answer = EV_RESIZED;
	at(&h, 1500 - GRACE);
	at(&h, 1500);
	assert_int_equal(has(&h, 2), 12);
	assert_int_equal(has(&h, 1), 3);
	nodeset_destroy(lost);
	hand_close(&h);
}

/* It ends while its notice is on: all is free. */
static void test_ends_while_leaving(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_job(2, 12, 100));
	h.f.now = 1010;
	finish(&h, 1);
	assert_int_equal(has(&h, 2), 12);
	submit(&h, feed_job(3, 4, 100));
	assert_int_equal(has(&h, 3), 4);
	hand_close(&h);
}

/* Not twice within its interval. */
static void test_interval(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 8, 60));
	submit(&h, range(1, 4, 16, 10000));
	assert_int_equal(has(&h, 1), 8);
	h.f.now = 60;
	finish(&h, 2);
	assert_int_equal(has(&h, 1), 8);
	assert_int_equal(h.f.wake, 120);
	at(&h, 120);
	assert_int_equal(has(&h, 1), 16);
	hand_close(&h);
}

/* A reservation to come wants its nodes as a job does. */
static void test_reservation(void **state)
{
	struct nodeset *some = feed_nodes(NODES, 0xf000);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	assert_int_equal(feed_block(&h.f, 77, some, 2000, 3000), PACT_OK);
	drain(&h);
	assert_int_equal(h.resized, 0);
	assert_int_equal(h.f.wake, 2000 - GRACE);
	at(&h, 2000 - GRACE);
	assert_int_equal(h.resized, 1);
	assert_int_equal(h.last.end, 2000);
	assert_false(nodeset_overlap(h.last.allowed, some));
	nodeset_destroy(some);
	hand_close(&h);
}

/* Bad terms are told by name, and lose nothing. Loans cannot come or go. */
static void test_bad_input(void **state)
{
	struct sched_job job = range(1, 4, 16, 10000);
	struct sched_config c;
	char why[100] = "";
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	job.grace = -1;
	assert_int_equal(feed_submit(&h.f, job), PACT_EINVAL);
	assert_non_null(strstr(sched_error(h.f.s), "notice (id 1)"));
	job.grace = 0;
	submit(&h, job);
	assert_int_equal(feed_submit(&h.f, feed_job(1, 1, 1)), PACT_EEXIST);
	assert_int_equal(view(&h, 1).width, 16);
	sched_config_init(&c);
	assert_int_equal(sched_configure(h.f.s, &c, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "Loans"));
	c.loans = LOANS_PROFIT;
	assert_int_equal(sched_configure(h.f.s, &c, why, sizeof(why)), PACT_OK);
	hand_close(&h);
}

/* ---- ranges for a start only ---- */

/*
 * 1 has 4 nodes and 4 on loan, 2 is planned with 8 at 1000, and 3 is planned with one. Until 1000 the 8 that are idle are
 * 3's to have; later there are 3 beside its own. What is on loan is none of these. It keeps what it has, and gets no loan.
 */
static void start_moldable(const char *scheduler, int64_t limit, int32_t nodes)
{
	struct sched_job later = feed_job(2, 8, 100), job = range(3, 1, 16, limit);
	struct hand h;

	hand_open(&h, scheduler, LOANS_UNIFORM, 0);
	h.f.now = 100;
	submit(&h, range(1, 4, 8, 10000));
	assert_int_equal(has(&h, 1), 8);
	later.begin = 1000;
	submit(&h, later);
	job.flags |= JOB_MOLDABLE;
	h.moldable = 3;
	submit(&h, job);
	assert_int_equal(has(&h, 3), nodes);
	assert_int_equal(has(&h, 1), 8);
	assert_int_equal(view(&h, 3).lent, 0);
	while (h.f.wake < 1000)
		at(&h, h.f.wake);
	h.f.now = 1000;
	if (100 + limit <= 1000)
		finish(&h, 3);
	else
		at(&h, 1000);
	assert_int_equal(has(&h, 2), 8);
	assert_int_equal(has(&h, 3), 100 + limit <= 1000 ? 0 : nodes);
	hand_close(&h);
}

static void test_moldable(void **state)
{
	static const char *const schedulers[] = { "qops", "dynp", "conservative" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		start_moldable(schedulers[i], 900, 8);
		start_moldable(schedulers[i], 901, 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_parts),
		cmocka_unit_test(test_moldable),
		cmocka_unit_test(test_by_value),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_no_range),
		cmocka_unit_test(test_called_in),
		cmocka_unit_test(test_promise),
		cmocka_unit_test(test_late_driver),
		cmocka_unit_test(test_no_notice),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_two_calls),
		cmocka_unit_test(test_given_back_late),
		cmocka_unit_test(test_end_long_ago),
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_floor_shorter),
		cmocka_unit_test(test_refused_call),
		cmocka_unit_test(test_refused_more),
		cmocka_unit_test(test_lost_node),
		cmocka_unit_test(test_lost_node_before_a_promise),
		cmocka_unit_test(test_ends_while_leaving),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_bad_input),
	};

	return seed_run("test_loans", tests);
}
