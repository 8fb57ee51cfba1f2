/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_profit: the profit driven strategies of malleable jobs (paper 004, sections 3.2.4 and 3.2.5), worked by hand, and what
 * has to hold on random jobs: no accepted job ends past its deadline, whatever comes later.
 */
#include <stdio.h>
#include <string.h>

#include "testsuite/unit/malleable_hand.h"
#include "testsuite/unit/seed.h"

static struct hand h;

/* With a deadline so long after now, and a value in whole units. */
static struct sched_job dated(struct sched_job job, int64_t deadline, int64_t value)
{
	job.submit = h.now;
	job.deadline = h.now + deadline;
	job.value = value * 1000000;
	return job;
}

/* ---- profit ---- */

/*
 * Of 10 nodes the first job has all. Its work is 100 node-seconds: done in 10 s, and worth all until 50 s have passed. A second
 * one, of 40 by 10, needs 4 nodes; these cost the first one nothing (6 nodes: 17 s). Then it gets more as long as that brings it
 * more than it costs: by 5 s it is worth all, which 8 nodes are enough for, and the first one is worth all with 2 (50 s).
 */
static void test_accepted(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 10, 100), 100, 1000));
	hand_did(&h, "accept 1; start 1 on 10");
	assert_int_equal(h.decision.end, 100);
	hand_submit(&h, dated(hand_range(2, 1, 10, 40), 10, 500));
	hand_did(&h, "accept 2; resize 1 to 2; start 2 on 8");
	assert_int_equal(h.decision.end, 10);
	/* at 5 it has ended; 10 of the first one's are done, and the idle nodes are its, though they bring nothing */
	h.now = 5;
	hand_finish(&h, 2);
	hand_did(&h, "resize 1 to 10");
	hand_close(&h);
}

/*
 * slurmctld is started 30 s after four of the eight nodes were called in, with 60 s of notice, for a job of 400 node-seconds that is due
 * at 160: from 60 on four nodes are enough, which are under way. Counted from a notice of now it would need six, and has four at
 * most.
 */
static void test_restored(void **state)
{
	struct nodeset *keeps = nodeset_create(8);
	struct sched_job job;

	(void)state;
	hand_open_notice(&h, &malleable_profit, 8, 60);
	hand_submit(&h, hand_range(1, 1, 8, 10000));
	hand_did(&h, "start 1 on 8");
	h.now = 30;
	for (uint32_t n = 0; n < 4; n++) {
		nodeset_set(keeps, n);
		h.gives[n + 4] = 60;
	}
	assert_int_equal(sched_event(h.s, &(struct sched_event){ .type = EV_LEAVING,
								 .now = 30,
								 .id = 1,
								 .nodes = keeps,
								 .end = 60 }),
			 PACT_OK);
	job = dated(hand_range(2, 2, 4, 200), 130, 1000);
	job.flags = JOB_PROMISED;
	job.planned = 60;
	hand_submit(&h, job);
	hand_did(&h, "");
	h.now = 60;
	hand_leave(&h);
	hand_did(&h, "start 2 on 4");
	nodeset_destroy(keeps);
	hand_close(&h);
}

/* Of its twelve nodes the first job is asked for two by 60, for job 2, and for two by 90, for job 3. */
static void call_four_in(void)
{
	hand_open_notice(&h, &malleable_profit, 12, 60);
	hand_submit(&h, hand_range(1, 1, 12, 10000));
	hand_submit(&h, dated(hand_range(2, 2, 2, 100), 400, 1000));
	hand_did(&h, "start 1 on 12; accept 2; ask 1 to 10; by 60");
	h.now = 30;
	hand_submit(&h, dated(hand_range(3, 2, 2, 100), 400, 1000));
	hand_did(&h, "accept 3; ask 1 to 8; by 90");
}

/* These jobs go, and what was called in for them is not given away yet. */
static void withdraw_both(void)
{
	h.now = 40;
	for (uint64_t id = 2; id <= 3; id++) {
		h.job[id].known = false;
		hand_tell(&h, (struct sched_event){ .type = EV_WITHDRAW, .id = id });
	}
}

static void tell_promise(struct sched_job job, int64_t deadline, int64_t planned)
{
	job = dated(job, deadline - h.now, 1000);
	job.flags = JOB_PROMISED;
	job.planned = planned;
	h.job[job.id] = (struct hand_job){ .terms = job, .known = true, .promised = true };
	hand_tell(&h, (struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 });
}

/*
 * Of what was called in for others, two nodes by 60 and two by 90, a promise of an earlier time that is to start on four at 60 counts the
 * first two alone; and so does one that was told all of it.
 */
static void test_restored_due(void **state)
{
	(void)state;
	call_four_in();
	hand_twin(&h);
	withdraw_both();
	tell_promise(hand_range(4, 4, 4, 100), 165, 60);
	hand_drain(&h);
	hand_did(&h, "broken 4");
	hand_close(&h);
}

/*
 * Two nodes come by 60 and two by 90. The older promise is to start at 90, the younger one at 60, on a node that it names: it is told
 * later, and has what comes by then.
 */
static void test_restored_order(void **state)
{
	struct nodeset *named = nodeset_create(12);
	struct sched_job younger = hand_range(5, 2, 2, 100);

	(void)state;
	call_four_in();
	withdraw_both();
	nodeset_set(named, 10);
	younger.required = named;
	tell_promise(hand_range(4, 2, 2, 100), 191, 90);
	tell_promise(younger, 161, 60);
	hand_drain(&h);
	hand_did(&h, "");
	h.now = 60;
	hand_leave(&h);
	hand_did(&h, "start 5 on 2");
	h.now = 90;
	hand_leave(&h);
	hand_did(&h, "start 4 on 2");
	nodeset_destroy(named);
	hand_close(&h);
}

/* One that lazy has deferred until 140 is so in the next life, too: it starts 60 s later at the latest. */
static void test_deferred_restored(void **state)
{
	struct sched_job job;
	struct sched_view v;

	(void)state;
	hand_open_notice(&h, &malleable_lazy, 8, 60);
	hand_submit(&h, dated(hand_range(1, 1, 8, 800), 140, 1000));
	hand_did(&h, "accept 1; start 1 on 8");
	h.now = 30;
	job = dated(hand_range(2, 2, 4, 200), 400, 1);
	job.flags = JOB_PROMISED;
	job.planned = 200;
	hand_submit(&h, job);
	hand_did(&h, "");
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.start, 200);
	hand_close(&h);
}

/* Its floor is 4 nodes, and the running job needs 7 of the 10. */
static void test_no_room(void **state)
{
	struct sched_decision d;
	struct sched_job job;

	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 10, 70), 10, 1000));
	hand_did(&h, "accept 1; start 1 on 10");
	job = dated(hand_range(2, 1, 10, 40), 10, 100000);
	assert_int_equal(sched_ask(h.s, 0, &job, 1, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_FULL);
	hand_submit(&h, job);
	hand_did(&h, "refuse 2 full");
	/* with more time it needs fewer nodes, and is worth more: what is offered is accepted */
	assert_true(h.decision.offer_end > 10 && h.decision.offer_end <= 80);
	assert_int_equal(h.decision.offer_start, 0);
	job.deadline = h.decision.offer_end;
	hand_submit(&h, job);
	assert_true(hand_width(&h, 2) >= 1);
	/* one that is late on all nodes */
	hand_submit(&h, dated(hand_range(3, 1, 10, 101), 10, 100000));
	assert_string_equal(h.text + strlen(h.text) - strlen("refuse 3 late"), "refuse 3 late");
	hand_close(&h);
}

/*
 * The running job ends at 70 on 10 nodes, and its floor is 7. A second one that needs 3 nodes costs it what it loses by
 * ending at 10 instead of 7: worth all until 5, then 2 in 10 less each second, 600 of 1000 at 7 and nothing at 10.
 */
static void test_loss(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 10, 70), 10, 1000));
	hand_did(&h, "accept 1; start 1 on 10");
	/* on 3 nodes by 10 of 20: worth all of its value */
	hand_submit(&h, dated(hand_range(2, 3, 3, 10), 20, 599));
	hand_did(&h, "refuse 2 loss");
	hand_submit(&h, dated(hand_range(3, 3, 3, 10), 20, 600));
	hand_did(&h, "accept 3; resize 1 to 7; start 3 on 3");
	hand_close(&h);
}

/* What is idle is taken first, though another job would lose nothing, either. */
static void test_idle_first(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 6, 10), 100, 1000));
	hand_submit(&h, dated(hand_range(2, 4, 4, 10), 100, 1000));
	hand_did(&h, "accept 1; start 1 on 6; accept 2; start 2 on 4");
	hand_close(&h);
}

/* One without a deadline is worth nothing: it gets what costs nothing, and gives it back. */
static void test_undated(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 7, 70), 10, 1000));
	hand_submit(&h, hand_range(2, 2, 10, 1000));
	hand_submit(&h, hand_range(3, 2, 10, 1000));
	hand_did(&h, "accept 1; start 1 on 7; start 2 on 3");
	hand_submit(&h, dated(hand_range(4, 1, 1, 10), 100, 1));
	hand_did(&h, "accept 4; resize 2 to 2; start 4 on 1");
	hand_close(&h);
}

/* Its artificial deadline is its limit, or so many seconds, after it may run. */
static void open_undated(const struct malleable_kind *kind, int64_t least)
{
	struct sched_config config;

	sched_config_init(&config);
	config.relax_milli = 1000;
	config.min_artificial = least;
	hand_open(&h, kind, 4, &config);
}

static void at(int64_t now)
{
	h.now = now;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
}

/*
 * It waits while jobs that are worth something have the nodes, also one that comes later, and is started when there is just its
 * limit left until its artificial deadline, whatever that costs. The figures are those of profit-undated.scn.
 */
static void waits_to_its_deadline(const struct malleable_kind *kind)
{
	open_undated(kind, 200);
	hand_submit(&h, dated(hand_range(1, 1, 4, 800), 450, 100));
	hand_submit(&h, hand_range(2, 2, 2, 100));
	hand_did(&h, "accept 1; start 1 on 4");
	assert_int_equal(h.wake, 100);
	h.now = 50;
	hand_submit(&h, dated(hand_range(3, 1, 1, 40), 100, 1000));
	hand_did(&h, "accept 3; resize 1 to 3; start 3 on 1");
	h.now = 90;
	hand_finish(&h, 3);
	hand_did(&h, "resize 1 to 4");
	assert_int_equal(h.wake, 100);
	at(99);
	hand_did(&h, "");
	at(100);
	hand_did(&h, "resize 1 to 2; start 2 on 2");
	hand_close(&h);
}

/* From when it may run: at 30 its 200 s begin. */
static void counts_from_its_begin(const struct malleable_kind *kind)
{
	struct sched_job job = hand_range(2, 2, 2, 100);

	open_undated(kind, 200);
	hand_submit(&h, dated(hand_range(1, 1, 4, 800), 450, 100));
	job.begin = 30;
	hand_submit(&h, job);
	hand_did(&h, "accept 1; start 1 on 4");
	at(30);
	assert_int_equal(h.wake, 130);
	at(130);
	hand_did(&h, "resize 1 to 2; start 2 on 2");
	hand_close(&h);
}

/*
 * Promises go before: at 20, when it is to be started, the first job needs all nodes for the 320 that it has left until 110. At 90
 * these are 40, for which 2 nodes are enough. Nothing else happens then.
 */
static void waits_for_floors(const struct malleable_kind *kind)
{
	open_undated(kind, 30);
	hand_submit(&h, dated(hand_range(1, 1, 4, 400), 110, 100));
	hand_submit(&h, hand_range(2, 2, 2, 10));
	hand_did(&h, "accept 1; start 1 on 4");
	assert_int_equal(h.wake, 20);
	at(20);
	hand_did(&h, "");
	while (h.now < 90) {
		assert_true(h.wake > h.now && h.wake <= 90);
		at(h.wake);
	}
	hand_did(&h, "resize 1 to 2; start 2 on 2");
	hand_close(&h);
}

/* The nodes that it needs are called in with notice, and may come late: it can still be over by then. */
static void is_called_for(const struct malleable_kind *kind)
{
	struct sched_config config;

	sched_config_init(&config);
	config.relax_milli = 1000;
	config.min_artificial = 200;
	config.resize_grace = 30;
	config.guard = config.lateness = 5;
	hand_open(&h, kind, 4, &config);
	hand_submit(&h, dated(hand_range(1, 1, 4, 800), 450, 100));
	hand_submit(&h, hand_range(2, 2, 2, 100));
	hand_did(&h, "accept 1; start 1 on 4");
	assert_int_equal(h.wake, 65);
	at(64);
	hand_did(&h, "");
	at(65);
	hand_did(&h, "ask 1 to 2; by 95");
	hand_close(&h);
}

static void test_undated_waits(void **state)
{
	static const struct malleable_kind *const kinds[] = { &malleable_profit, &malleable_lazy };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		waits_to_its_deadline(kinds[i]);
		counts_from_its_begin(kinds[i]);
		waits_for_floors(kinds[i]);
		is_called_for(kinds[i]);
	}
}

/* One that keeps its place while it cannot be started is to have more, as time goes by, from whom that costs least. */
static void widens(const struct malleable_kind *kind, bool come)
{
	hand_open(&h, kind, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 10, 1000), 5000, 100));
	h.fail = 2;
	h.reserve = true;
	hand_submit(&h, dated(hand_range(2, 2, 8, 100), 300, 100));
	h.now = 250;
	/* whatever happens */
	if (come)
		hand_submit(&h, hand_range(3, 10, 10, 100));
	else
		hand_event(&h, (struct sched_event){ .type = EV_TIME });
	h.fail = 0;
	h.now = 251;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "accept 1; start 1 on 10; accept 2; resize 1 to 8; fail 2; resize 1 to 2; "
		     "fail 2; start 2 on 8");
	hand_close(&h);
}

/* A question about a change of it takes none of its nodes from it, which others would do for no more. */
static void test_failure_asked(void **state)
{
	struct nodeset *named = nodeset_create(10);
	struct sched_job job = dated(hand_range(1, 2, 4, 100), 1000, 100);
	struct sched_decision d;

	(void)state;
	nodeset_set(named, 7);
	nodeset_set(named, 8);
	job.required = named;
	hand_open(&h, &malleable_profit, 10, NULL);
	h.fail = 1;
	h.reserve = true;
	hand_submit(&h, job);
	hand_did(&h, "accept 1; fail 1");
	job.limit = 50;
	assert_int_equal(sched_ask_change(h.s, h.now, &job, &d), PACT_OK);
	assert_true(d.accepted);
	h.fail = 0;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "start 1 on 4");
	hand_close(&h);
	nodeset_destroy(named);
}

static void test_failure_widens(void **state)
{
	(void)state;
	for (int come = 0; come < 2; come++) {
		widens(&malleable_profit, come);
		widens(&malleable_lazy, come);
	}
}

/* One that keeps its place keeps it until its promise is broken, too, which is told in time. */
static void test_failure_keeps(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 1, 10, 1000), 5000, 100));
	h.fail = 2;
	h.reserve = true;
	hand_submit(&h, dated(hand_range(2, 4, 4, 100), 300, 100));
	hand_did(&h, "accept 1; start 1 on 10; accept 2; resize 1 to 6; fail 2");
	h.now = 100;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "fail 2");
	h.now = 250;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "broken 2; fail 2");
	h.fail = 0;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "start 2 on 4");
	hand_close(&h);
}

/* A promised job whose start failed is started next, and a shrink that is refused breaks no other job's. */
static void test_failures(void **state)
{
	(void)state;
	hand_open(&h, &malleable_profit, 10, NULL);
	h.fail = 1;
	hand_submit(&h, dated(hand_range(1, 1, 10, 100), 100, 1000));
	hand_did(&h, "accept 1; fail 1");
	h.fail = 0;
	h.now = 1;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "start 1 on 10");
	h.refuse = 1;
	hand_submit(&h, dated(hand_range(2, 1, 10, 40), 10, 500));
	hand_did(&h, "accept 2; stay 1");
	h.refuse = 0;
	h.now = 9;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "broken 2; resize 1 to 9; start 2 on 1");
	hand_close(&h);
}

/* ---- lazy ---- */

/*
 * When the first job ends, two are due at 100: the second one, which waits, and the third, which runs. The older one's deadline
 * is the lookahead until that has ended, and not only until the third has: so the fifth, due at 70, cannot be deferred to 50.
 */
static void test_lookahead_ties(void **state)
{
	(void)state;
	hand_open(&h, &malleable_lazy, 4, NULL);
	hand_submit(&h, dated(hand_range(1, 3, 3, 10), 20, 1000));
	h.now = 1;
	hand_submit(&h, dated(hand_range(2, 2, 2, 50), 99, 1000));
	h.now = 2;
	hand_submit(&h, dated(hand_range(3, 1, 1, 20), 98, 1000));
	hand_did(&h, "accept 1; start 1 on 3; accept 2; accept 3; start 3 on 1");
	h.now = 10;
	hand_finish(&h, 1);
	h.now = 11;
	hand_submit(&h, dated(hand_range(4, 1, 1, 30), 39, 1000));
	hand_did(&h, "start 2 on 2; accept 4; start 4 on 1");
	h.now = 22;
	hand_finish(&h, 3);
	hand_submit(&h, dated(hand_range(5, 2, 2, 10), 48, 1000));
	hand_did(&h, "refuse 5 full");
	hand_close(&h);
}

/*
 * The first job needs all 10 nodes until 10, its deadline, which is the lookahead. A second one has no room now, but has it then, and
 * is deferred until 10. When the first one has ended, at 9, it starts and gets all. A third one, deferred, too, would then cost it
 * more than it brings (367 for 240), and is started at 10 whatever that costs.
 */
static void test_deferred(void **state)
{
	struct sched_view v;

	(void)state;
	hand_open(&h, &malleable_lazy, 10, NULL);
	hand_submit(&h, dated(hand_range(1, 10, 10, 10), 10, 1000));
	hand_did(&h, "accept 1; start 1 on 10");
	hand_submit(&h, dated(hand_range(2, 1, 10, 50), 30, 500));
	hand_did(&h, "accept 2");
	assert_int_equal(h.wake, 10);
	assert_int_equal(h.decision.start, 10);
	assert_int_equal(h.decision.end, 30);
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.start, 10);
	/* 8 more would be 11 with the 3 that it is to have from 10 on */
	hand_submit(&h, dated(hand_range(3, 8, 8, 10), 25, 500));
	hand_did(&h, "refuse 3 full");
	hand_submit(&h, dated(hand_range(4, 7, 7, 10), 25, 500));
	hand_did(&h, "accept 4");
	h.now = 9;
	hand_finish(&h, 1);
	hand_did(&h, "start 2 on 10");
	assert_int_equal(h.wake, 10);
	h.now = 10;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "resize 2 to 3; start 4 on 7");
	hand_close(&h);
}

/*
 * A job that does not pay now, and is deferred; when its lookahead comes it is started, whatever that costs. The first job is
 * worth a lot and loses by each node.
 */
static void test_forced(void **state)
{
	(void)state;
	hand_open(&h, &malleable_lazy, 10, NULL);
	/* this one is due first: by 40, on 1 node; the next has the floor 7 */
	hand_submit(&h, dated(hand_range(2, 1, 1, 10), 40, 1000));
	hand_submit(&h, dated(hand_range(1, 1, 10, 700), 100, 1000));
	hand_did(&h, "accept 2; start 2 on 1; accept 1; start 1 on 9");
	/* the third one needs one node of it, for which it is not worth enough, and is deferred to 40 */
	hand_submit(&h, dated(hand_range(3, 2, 2, 10), 80, 1));
	hand_did(&h, "accept 3");
	assert_int_equal(h.wake, 40);
	h.now = 10;
	hand_finish(&h, 2);
	hand_did(&h, "resize 1 to 10");
	assert_int_equal(h.wake, 40);
	h.now = 40;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "resize 1 to 8; start 3 on 2");
	hand_close(&h);
}

/* ---- what has to hold ---- */

/* A job that runs to its end, with all that was done. */
struct run {
	int64_t left, rate, since, deadline;
	bool runs, promised;
};

static struct run run[HAND_JOBS];

static void go_on(int64_t to)
{
	for (size_t i = 0; i < HAND_JOBS; i++) {
		struct run *r = &run[i];
		int32_t n = hand_width(&h, i);

		if (r->runs || n) {
			int64_t done = r->rate * (to - r->since);

			r->left -= done < r->left ? done : r->left;
		}
		r->since = to;
	}
}

static void set_rates(void)
{
	for (size_t i = 0; i < HAND_JOBS; i++) {
		run[i].runs = hand_width(&h, i) > 0;
		run[i].rate = hand_width(&h, i);
	}
}

/* When the next job is done; it, too. */
static int64_t next_end(size_t *which)
{
	int64_t first = PACT_FOREVER;

	for (size_t i = 0; i < HAND_JOBS; i++) {
		int64_t end = run[i].since;

		if (!run[i].runs)
			continue;
		end += (run[i].left + run[i].rate - 1) / run[i].rate;
		if (end < first) {
			first = end;
			*which = i;
		}
	}
	return first;
}

static struct sched_job any_job(uint64_t id)
{
	int32_t least = 1 + (int32_t)seed_below(10);
	struct sched_job job =
		hand_range(id, least, least + (int32_t)seed_below(20), 1 + seed_below(200));

	if (seed_below(8))
		job = dated(job, 1 + seed_below(400), seed_below(1000));
	return job;
}

/* Ends come when the jobs are done, latest starts when they were asked for; all deadlines are kept. */
static void any_life(const struct malleable_kind *kind)
{
	uint64_t id = 1;
	int64_t comes = 0;
	size_t which = 0, accepted = 0;

	memset(run, 0, sizeof(run));
	hand_open(&h, kind, 20, NULL);
	while (id < HAND_JOBS || next_end(&which) != PACT_FOREVER) {
		int64_t end = next_end(&which), at = end;

		at = id < HAND_JOBS && comes < at ? comes : at;
		at = h.wake < at ? h.wake : at;
		go_on(at);
		h.now = at;
		if (at == end) {
			assert_true(!run[which].promised || at <= run[which].deadline);
			run[which] = (struct run){ .since = at };
			hand_finish(&h, which);
		} else if (id < HAND_JOBS && at == comes) {
			struct sched_job job = any_job(id);

			run[id] = (struct run){ .left = job.limit * job.width,
						.since = at,
						.deadline = job.deadline };
			h.decision.accepted = false;
			hand_submit(&h, job);
			run[id].promised = job.deadline && h.decision.accepted;
			accepted += run[id++].promised;
			comes = at + seed_below(40);
		} else {
			hand_event(&h, (struct sched_event){ .type = EV_TIME });
		}
		assert_null(strstr(h.text, "broken"));
		h.text[0] = '\0';
		set_rates();
	}
	for (size_t i = 1; i < HAND_JOBS; i++)
		assert_false(h.job[i].known); /* all were run, or refused */
	assert_true(accepted > 20);
	hand_close(&h);
}

static void test_profit_kept(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++)
		any_life(&malleable_profit);
}

static void test_lazy_kept(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++)
		any_life(&malleable_lazy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),       cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_restored),       cmocka_unit_test(test_restored_due),
		cmocka_unit_test(test_restored_order), cmocka_unit_test(test_deferred_restored),
		cmocka_unit_test(test_loss),	       cmocka_unit_test(test_idle_first),
		cmocka_unit_test(test_undated),	       cmocka_unit_test(test_undated_waits),
		cmocka_unit_test(test_failures),       cmocka_unit_test(test_failure_keeps),
		cmocka_unit_test(test_failure_widens), cmocka_unit_test(test_failure_asked),
		cmocka_unit_test(test_lookahead_ties), cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_forced),	       cmocka_unit_test(test_profit_kept),
		cmocka_unit_test(test_lazy_kept),
	};

	return seed_run("test_profit", tests);
}
