/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_floors: how many nodes of a job with a range are its own, for its promise (core/loans): as many as that takes, what is on
 * offer instead, when fewer are enough, and what a driver that comes up anew tells.
 */
#include "testsuite/unit/loans_hand.h"
#include "testsuite/unit/seed.h"

/* ---- floors ---- */

/* Work of 4000 in 600 s takes 7 nodes; in 200 it would take 20, and there are 16. */
static void test_floor(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 600), late = dated(1, 4, 16, 1000, 200);
	struct sched_decision d;
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	assert_int_equal(sched_ask(h.f.s, 0, &late, 1, &d), PACT_OK);
	assert_false(d.accepted);
	assert_int_equal(sched_ask(h.f.s, 0, &job, 1, &d), PACT_OK);
	assert_true(d.accepted);
	assert_int_equal(d.end, 572); /* 571.4 */
	submit(&h, late);
	assert_int_equal(h.refused, 1);
	submit(&h, job);
	assert_int_equal(h.refused, 1);
	assert_int_equal(h.accepted, 1);
	assert_int_equal(has(&h, 1), 16);
	assert_int_equal(view(&h, 1).lent, 9);
	assert_int_equal(view(&h, 1).end, 572);
	assert_int_equal(h.due, 572);
	hand_close(&h);
}

/* As many as there is room for: 6 until 400, for 1; then 10, of which 6 are enough for 3. */
static void test_floor_beside_others(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 10, 400));
	submit(&h, dated(1, 4, 16, 1000, 740)); /* 6 nodes take 667 s */
	assert_int_equal(h.accepted, 1);
	assert_int_equal(has(&h, 1), 6);
	assert_int_equal(view(&h, 1).lent, 0);
	submit(&h, dated(3, 4, 16, 1000, 1100));
	assert_int_equal(h.accepted, 2);
	assert_int_equal(feed_starts(&h.f, 3), 400);
	assert_int_equal(view(&h, 3).width, 6);
	hand_close(&h);
}

/* ---- what is on offer ---- */

static struct sched_decision ask(struct hand *h, const struct sched_job *job, int64_t deadline)
{
	struct sched_job asked = *job;
	struct sched_decision d;

	asked.deadline = deadline;
	assert_int_equal(sched_ask(h->f.s, h->f.now, &asked, 1, &d), PACT_OK);
	return d;
}

/* To a job of just n nodes with that work. */
static int64_t offer_on(struct hand *h, const struct sched_job *job, int32_t n)
{
	struct sched_job rigid = *job;
	struct sched_decision d;

	rigid.width = n;
	rigid.most = 0;
	rigid.limit = (job->limit * job->width + n - 1) / n;
	d = ask(h, &rigid, job->deadline);
	return d.accepted ? d.end : d.offer_end;
}

/* Each width by hand: the earliest end that is given when it is asked for. own: on so many. */
static int64_t best_offer(struct hand *h, const struct sched_job *job, int32_t *own)
{
	int64_t ends[NODES + 1], end;

	for (int32_t n = job->width; n <= job->most; n++)
		ends[n] = offer_on(h, job, n);
	for (;;) {
		int32_t best = job->width;
		struct sched_decision d;

		for (int32_t n = job->width; n <= job->most; n++)
			best = ends[n] < ends[best] ? n : best;
		end = ends[best];
		if (end == PACT_FOREVER)
			return end;
		d = ask(h, job, end);
		*own = d.own;
		if (d.accepted)
			return end;
		ends[best] = PACT_FOREVER;
	}
}

/* On 4 nodes it could start at 100, and would end at 1100; on all of them at 400, and ends at 650. */
static void test_offer(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 300);
	struct sched_decision d;
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 12, 400));
	submit(&h, feed_deadline(3, 4, 100, 500));
	d = ask(&h, &job, 300);
	assert_false(d.accepted);
	assert_int_equal(d.offer_end, 650);
	assert_int_equal(d.offer_start, 400);
	assert_int_equal(d.own, 16);
	submit(&h, job);
	assert_int_equal(h.refused, 1);
	assert_int_equal(h.said.offer_end, 650);
	assert_int_equal(h.said.own, 16);
	job.deadline = 650;
	submit(&h, job);
	assert_int_equal(h.accepted, 2);
	assert_int_equal(h.said.own, 16);
	assert_int_equal(h.said.end, 650);
	/* what is enough on its width says so; and a job without a range nothing */
	assert_int_equal(ask(&h, &job, 90000).own, 4);
	job.most = 0;
	d = ask(&h, &job, 90000);
	assert_true(d.accepted);
	assert_int_equal(d.own, 0);
	hand_close(&h);
}

/* Among jobs that run and wait, with deadlines and without. True: it was refused, and has an offer on more than its width. */
static bool one_offer(const char *scheduler)
{
	int32_t width = 1 + (int32_t)seed_below(6), own = 0;
	struct sched_job job = dated(9, width, width + 1 + (int32_t)seed_below(NODES - width),
				     60 + seed_below(3000), 0);
	struct sched_decision d;
	struct hand h;
	int64_t best;

	hand_open(&h, scheduler, LOANS_UNIFORM, seed_below(2) * 10);
	for (uint64_t id = 1; id <= 8; id++) {
		int32_t n = 1 + (int32_t)seed_below(NODES);
		int64_t limit = 30 + seed_below(1000);

		submit(&h, seed_below(2) ? feed_job(id, n, limit)
					 : feed_deadline(id, n, limit, limit + seed_below(3000)));
	}
	job.submit = h.f.now;
	job.deadline = 20 + seed_below(600);
	d = ask(&h, &job, job.deadline);
	best = best_offer(&h, &job, &own);
	if (d.accepted) {
		assert_in_range(d.own, job.width, job.most);
		assert_int_equal(d.end, d.own == job.width ? d.end : offer_on(&h, &job, d.own));
	} else {
		assert_int_equal(d.offer_end, best);
		assert_int_equal(d.own, best == PACT_FOREVER ? 0 : own);
	}
	hand_close(&h);
	return !d.accepted && d.own > width;
}

static void test_offers(void **state)
{
	uint64_t rounds = seed_rounds(300), wide = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		seed_of_round(i);
		wide += one_offer(i % 2 ? "qops" : "dynp");
	}
	assert_true(wide || rounds < 100);
	print_message("# on more than the width: %d of %d\n", (int)wide, (int)rounds);
}

/* At 100 its loans have done so much that 6 nodes do the rest by 572: 10 can be promised to another one. */
static void test_floor_falls(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	h.answer = EV_LEAVING;
	at(&h, 100);
	assert_int_equal(view(&h, 1).lent, 10);
	submit(&h, feed_deadline(2, 11, 100, 100 + GRACE + 100));
	assert_int_equal(h.refused, 1);
	submit(&h, feed_deadline(3, 10, 100, 100 + GRACE + 100));
	assert_int_equal(h.accepted, 2);
	assert_int_equal(h.last.width, 6);
	assert_int_equal(h.last.end, 100 + GRACE);
	assert_int_equal(view(&h, 1).end, 572);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

static void give_back(struct hand *h, struct nodeset *nodes, int32_t cleans, int code)
{
	assert_int_equal(feed_event(&h->f, (struct sched_event){ .type = EV_RESIZED,
								 .id = 1,
								 .nodes = nodes,
								 .cleans = cleans }),
			 code);
	drain(h);
}

/*
 * What it has given back does none of its work, also while that is not clean yet: from 20 on it works on 4 of 16, so that at 100 seven
 * are needed still. Its other nodes are no other job's meanwhile.
 */
static void test_floor_cleans(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	h.answer = EV_LEAVING;
	at(&h, 20);
	assert_int_equal(view(&h, 1).left, 920);
	give_back(&h, h.has[1], 16, PACT_EINVAL);
	give_back(&h, h.has[1], -1, PACT_EINVAL);
	give_back(&h, h.has[1], 12, PACT_OK);
	at(&h, 100);
	assert_int_equal(view(&h, 1).left, 840);
	assert_int_equal(view(&h, 1).width, 16);
	assert_int_equal(view(&h, 1).width - view(&h, 1).lent, 7);
	submit(&h, feed_deadline(2, 10, 100, 100 + GRACE + 100));
	assert_int_equal(h.refused, 1);
	give_back(&h, h.has[1], 0, PACT_OK);
	at(&h, 200);
	assert_int_equal(view(&h, 1).left, 440);
	hand_close(&h);
}

/*
 * It starts on 8 to 15, and loses all but two of these; so 0 to 5 become its own. When 6 are enough the first that it was
 * started on, where its batch script is, stays all the same.
 */
static void test_floor_falls_after_a_loss(void **state)
{
	struct nodeset *left = feed_nodes(NODES, 0x81ff);
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 8, 400));
	submit(&h, dated(1, 4, 16, 1000, 600));
	assert_int_equal(nodeset_next(h.has[1], 0), 8);
	finish(&h, 2);
	at(&h, 120);
	assert_int_equal(has(&h, 1), 16);
	h.f.now = 160;
	nodeset_copy(h.has[1], left);
	tell(&h, EV_RESIZED, 1, left);
	drain(&h);
	assert_int_equal(has(&h, 1), 10);
	assert_int_equal(view(&h, 1).lent, 4); /* of 7 own ones 6 are left */
	h.answer = EV_LEAVING;
	submit(&h, feed_deadline(3, 10, 100, 160 + GRACE + 100));
	assert_int_equal(h.last.width, 6);
	assert_true(nodeset_test(h.last.allowed, 8));
	nodeset_destroy(left);
	hand_close(&h);
}

/* What could not be called in any more before the plan has it for others stays its own. */
static void test_floor_near_the_end(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	at(&h, 572 - GRACE + 1);
	assert_int_equal(view(&h, 1).width - view(&h, 1).lent, 7);
	hand_close(&h);
}

/* A driver that comes up tells a job that runs, that it was promised on seven nodes, and what is left. */
static void test_floor_restored(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 601);
	struct nodeset *nodes = feed_nodes(NODES, 0xfff);
	struct sched_event started = { .type = EV_STARTED,
				       .id = 1,
				       .nodes = nodes,
				       .start = 1,
				       .end = 601,
				       .width = 7,
				       .left = 827,
				       .stays = 12 };
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	job.flags = JOB_PROMISED;
	job.planned = 1;
	h.f.now = 100;
	assert_int_equal(feed_submit(&h.f, job), PACT_OK);
	h.has[1] = nodes;
	/* one that stays is one of its nodes */
	assert_int_equal(feed_event(&h.f, started), PACT_EINVAL);
	started.stays = -1;
	assert_int_equal(feed_event(&h.f, started), PACT_EINVAL);
	started.stays = 3;
	assert_int_equal(feed_event(&h.f, started), PACT_OK);
	h.to_more = EV_REFUSED;
	drain(&h);
	assert_int_equal(view(&h, 1).lent, 5);
	assert_int_equal(view(&h, 1).end, 601);
	at(&h, 300);
	/* by the loans it needs but four, and one of them is the one that stays */
	assert_int_equal(view(&h, 1).lent, 8);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

/*
 * One that waits, promised on the seven nodes that others leave, and is late by a part of the guard: it stays on seven, though
 * a new promise on so many would not be given.
 */
static void test_floor_restored_late(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 1 + 572 + 60);
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 60);
	submit(&h, feed_job(2, 9, 10000));
	h.f.now = 20;
	job.flags = JOB_PROMISED;
	job.planned = 1;
	job.own = 7;
	assert_int_equal(feed_submit(&h.f, job), PACT_OK);
	drain(&h);
	assert_int_equal(has(&h, 1), 7);
	assert_int_equal(view(&h, 1).width - view(&h, 1).lent, 7);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_floor_beside_others),
		cmocka_unit_test(test_offer),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_floor_falls),
		cmocka_unit_test(test_floor_falls_after_a_loss),
		cmocka_unit_test(test_floor_cleans),
		cmocka_unit_test(test_floor_near_the_end),
		cmocka_unit_test(test_floor_restored),
		cmocka_unit_test(test_floor_restored_late),
	};

	return seed_run("test_floors", tests);
}
