/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_uniform: the uniform strategy of malleable jobs (paper 004, section 3.2.2), worked by hand, against a plain one on
 * random jobs, and through all that may go wrong.
 */
#include <string.h>

#include "testsuite/unit/malleable_hand.h"
#include "testsuite/unit/seed.h"

static struct hand h;

/* Section 3.2.2: three jobs of 32 nodes or more on 128, each of 100 s on all of them. */
static void test_paper(void **state)
{
	struct sched_view v;

	(void)state;
	hand_open(&h, &malleable_uniform, 128, NULL);
	hand_submit(&h, hand_range(1, 32, 128, 400));
	hand_did(&h, "start 1 on 128");
	hand_submit(&h, hand_range(2, 32, 128, 400));
	hand_did(&h, "resize 1 to 64; start 2 on 64");
	hand_submit(&h, hand_range(3, 32, 128, 400));
	hand_did(&h, "resize 1 to 43; resize 2 to 43; start 3 on 42");
	/* 12800 node-seconds: 297.67 s on 43 nodes, 304.76 on 42 */
	assert_int_equal(sched_view(h.s, 1, &v), PACT_OK);
	assert_int_equal(v.end, 298);
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.end, 298);
	assert_int_equal(sched_view(h.s, 3, &v), PACT_OK);
	assert_int_equal(v.end, 305);
	h.now = 298;
	hand_finish(&h, 1);
	hand_did(&h, "resize 2 to 64; resize 3 to 64");
	hand_finish(&h, 2);
	hand_did(&h, "resize 3 to 128");
	/* 12800 - 298 x 42 = 284: 2.2 s on 128 */
	assert_int_equal(sched_view(h.s, 3, &v), PACT_OK);
	assert_int_equal(v.end, 301);
	hand_close(&h);
}

/* Equal parts are of what is beyond the fewest; cut at the most, and what a job cannot use is the others'. */
static void test_parts(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 100, NULL);
	hand_submit(&h, hand_range(1, 10, 100, 10));
	hand_submit(&h, hand_range(2, 40, 100, 10));
	hand_did(&h, "start 1 on 100; resize 1 to 35; start 2 on 65");
	hand_submit(&h, hand_range(3, 5, 8, 10));
	/* 45 are left: 3 for the third, 21 for each of the others */
	hand_did(&h, "resize 1 to 31; resize 2 to 61; start 3 on 8");
	hand_submit(&h, hand_range(4, 45, 45, 10));
	hand_did(&h, "resize 1 to 10; resize 2 to 40; resize 3 to 5; start 4 on 45");
	hand_close(&h);
}

/* At a submission only the new job is tried; at an end all, in the order of submission. */
static void test_first_fit(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 10, NULL);
	hand_submit(&h, hand_range(1, 6, 6, 10));
	hand_submit(&h, hand_range(2, 3, 10, 10));
	hand_did(&h, "start 1 on 6; start 2 on 4");
	hand_submit(&h, hand_range(3, 8, 8, 10));
	hand_submit(&h, hand_range(4, 2, 2, 10));
	hand_submit(&h, hand_range(5, 1, 2, 10));
	hand_did(&h, "resize 2 to 3; start 5 on 1");
	h.now = 5;
	hand_finish(&h, 5);
	hand_did(&h, "resize 2 to 4");
	h.now = 10;
	hand_finish(&h, 1);
	/* 3 and 8 are too many, 3 and 2 are not; 5 are left for the older one, which can use them */
	hand_did(&h, "start 4 on 2; resize 2 to 8");
	hand_finish(&h, 4);
	hand_did(&h, "resize 2 to 10");
	hand_finish(&h, 2);
	hand_did(&h, "start 3 on 8");
	hand_close(&h);
}

/* Jobs with a fixed width have that. */
static void test_rigid(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 8, NULL);
	hand_submit(&h, hand_range(1, 4, 0, 10));
	hand_submit(&h, hand_range(2, 3, 3, 10));
	hand_submit(&h, hand_range(3, 2, 2, 10));
	hand_did(&h, "start 1 on 4; start 2 on 3");
	hand_finish(&h, 2);
	hand_did(&h, "start 3 on 2");
	hand_close(&h);
}

/* Its range is for its start only: nodes beside its fewest that no job is to have or waits for are its own, too. */
static void test_moldable(void **state)
{
	struct sched_job job = hand_range(2, 1, 4, 70);
	struct sched_view v;

	(void)state;
	hand_open(&h, &malleable_uniform, 10, NULL);
	job.flags |= JOB_MOLDABLE;
	hand_submit(&h, hand_range(1, 2, 3, 400));
	hand_submit(&h, job);
	hand_did(&h, "start 1 on 3; start 2 on 4");
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.width, 4);
	assert_int_equal(v.end, 70); /* its limit is as it was */
	hand_twin(&h);
	/* started on its fewest all the same it keeps these */
	job.id = h.narrow = 3;
	job.limit = 50;
	hand_submit(&h, job);
	hand_did(&h, "start 3 on 1");
	/* what can be resized comes first */
	hand_submit(&h, hand_range(4, 1, 8, 90));
	job.id = 5;
	job.limit = 60;
	hand_submit(&h, job);
	hand_did(&h, "start 4 on 2; resize 4 to 1; start 5 on 1");
	/* nor does it give any back */
	hand_submit(&h, hand_range(6, 3, 3, 100));
	hand_did(&h, "");
	h.now = 50;
	hand_finish(&h, 3);
	hand_did(&h, "resize 4 to 2");
	/* 6 waits for three */
	h.now = 70;
	hand_finish(&h, 2);
	hand_did(&h, "start 6 on 3; resize 4 to 3");
	hand_close(&h);
}

/* While a job waits that needs more than there is, what is idle may be for that. */
static void test_moldable_behind(void **state)
{
	struct sched_job job = hand_range(3, 1, 4, 70);

	(void)state;
	hand_open(&h, &malleable_uniform, 10, NULL);
	job.flags |= JOB_MOLDABLE;
	hand_submit(&h, hand_range(1, 2, 2, 400));
	hand_submit(&h, hand_range(2, 9, 9, 400));
	hand_submit(&h, job);
	hand_did(&h, "start 1 on 2; start 3 on 1");
	/* one that waits is no other for what has been saved */
	job.id = 4;
	job.width = 8;
	job.most = 9;
	hand_submit(&h, job);
	hand_twin(&h);
	hand_event(&h, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 });
	hand_finish(&h, 3);
	hand_did(&h, "start 4 on 8");
	h.now = 70;
	hand_finish(&h, 4);
	job.id = 5;
	job.width = 9;
	job.most = 10;
	hand_submit(&h, job);
	hand_twin(&h);
	hand_finish(&h, 1);
	hand_did(&h, "start 5 on 10");
	hand_close(&h);
}

/* Nor may it keep what is idle past the time from which on a job that waits may have it; until then it is for none. */
static void test_moldable_before(void **state)
{
	struct sched_job job = hand_range(2, 1, 4, 70), later = hand_range(1, 9, 9, 400);
	struct sched_config c;

	(void)state;
	sched_config_init(&c);
	c.guard = 5;
	hand_open(&h, &malleable_uniform, 10, &c);
	job.flags |= JOB_MOLDABLE;
	later.begin = 75;
	hand_submit(&h, later);
	hand_submit(&h, job);
	hand_did(&h, "start 2 on 4");
	hand_twin(&h);
	job.id = 3;
	job.limit = 71;
	hand_submit(&h, job);
	job.id = 4;
	job.limit = PACT_FOREVER;
	hand_submit(&h, job);
	hand_did(&h, "start 3 on 1; start 4 on 1");
	/* nor one that waits beside it, for more than there is */
	hand_submit(&h, hand_range(5, 8, 8, 400));
	job.id = 6;
	job.limit = 10;
	hand_submit(&h, job);
	hand_did(&h, "start 6 on 1");
	hand_close(&h);
}

static void test_deadline(void **state)
{
	struct sched_job job = hand_range(1, 1, 4, 10);
	struct sched_decision d;

	(void)state;
	hand_open(&h, &malleable_uniform, 8, NULL);
	job.deadline = 100;
	assert_int_equal(sched_ask(h.s, 0, &job, 1, &d), PACT_OK);
	assert_false(d.accepted);
	hand_submit(&h, job);
	hand_did(&h, "refuse 1 disabled");
	/* a promise of another time is one no more */
	job.flags = JOB_PROMISED;
	hand_submit(&h, job);
	hand_did(&h, "broken 1; start 1 on 4");
	hand_close(&h);
}

/* ---- what goes wrong ---- */

/* What does not give its nodes back keeps them, and is asked again after something else has happened. */
static void test_refused_shrink(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 12, NULL);
	hand_submit(&h, hand_range(1, 2, 12, 100));
	hand_did(&h, "start 1 on 12");
	h.refuse = 1;
	hand_submit(&h, hand_range(2, 4, 12, 100));
	hand_did(&h, "stay 1");
	assert_int_equal(sched_why(h.s, 2), WAIT_RESOURCES);
	h.refuse = 0;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "resize 1 to 5; start 2 on 7");
	/* of two one refuses: the other has to give for both, as far as it can */
	h.refuse = 2;
	hand_submit(&h, hand_range(3, 3, 3, 100));
	hand_did(&h, "resize 1 to 4; stay 2; resize 1 to 2; start 3 on 3");
	hand_close(&h);
}

static void test_failed_start(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 12, NULL);
	hand_submit(&h, hand_range(1, 2, 12, 100));
	h.fail = 2;
	hand_submit(&h, hand_range(2, 4, 12, 100));
	hand_did(&h, "start 1 on 12; resize 1 to 5; fail 2; resize 1 to 12");
	assert_int_equal(sched_why(h.s, 2), WAIT_FAILED);
	h.fail = 0;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "resize 1 to 5; start 2 on 7");
	hand_close(&h);
}

/* It keeps its place: the nodes that it was to have are neither lent meanwhile nor another job's that comes. */
static void test_failed_start_keeps(void **state)
{
	(void)state;
	hand_open(&h, &malleable_uniform, 12, NULL);
	hand_submit(&h, hand_range(1, 2, 12, 100));
	h.fail = 2;
	h.reserve = true;
	hand_submit(&h, hand_range(2, 4, 12, 100));
	hand_did(&h, "start 1 on 12; resize 1 to 5; fail 2");
	assert_int_equal(sched_why(h.s, 2), WAIT_FAILED);
	h.now = 1;
	hand_submit(&h, hand_range(3, 8, 8, 100));
	hand_did(&h, "fail 2");
	h.now = 2;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "fail 2");
	h.fail = 0;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "start 2 on 7");
	hand_close(&h);
}

/* One that has failed so gives up its place when it fails without one, and when it is withdrawn. */
static void test_failed_start_keeps_no_more(void **state)
{
	(void)state;
	for (int withdrawn = 0; withdrawn < 2; withdrawn++) {
		hand_open(&h, &malleable_uniform, 12, NULL);
		hand_submit(&h, hand_range(1, 2, 12, 100));
		h.fail = 2;
		h.reserve = true;
		hand_submit(&h, hand_range(2, 4, 12, 100));
		hand_did(&h, "start 1 on 12; resize 1 to 5; fail 2");
		h.reserve = false;
		hand_event(&h, withdrawn ? (struct sched_event){ .type = EV_WITHDRAW, .id = 2 }
					 : (struct sched_event){ .type = EV_TIME });
		hand_did(&h, withdrawn ? "resize 1 to 12" : "fail 2; resize 1 to 12");
		hand_close(&h);
	}
}

/* A job has given nodes back of itself: they are free, and it gets its part of them again. */
static void test_resized_by_hand(void **state)
{
	struct sched_view v;

	(void)state;
	hand_open(&h, &malleable_uniform, 10, NULL);
	hand_submit(&h, hand_range(1, 2, 4, 100));
	hand_submit(&h, hand_range(2, 2, 10, 100));
	hand_did(&h, "start 1 on 4; start 2 on 6");
	h.now = 10;
	h.refuse = 2;
	hand_resized(&h, 2, 1);
	hand_did(&h, "stay 2");
	/* 200 node-seconds, 60 done on 6, and one in each second from now on */
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.width, 1);
	assert_int_equal(v.end, 10 + 140);
	assert_int_equal(v.work_end, v.end);
	h.refuse = 0;
	hand_finish(&h, 1);
	hand_did(&h, "resize 2 to 10");
	hand_close(&h);
}

static int64_t own_end(void)
{
	struct sched_view v;

	assert_int_equal(sched_view(h.s, 1, &v), PACT_OK);
	return v.own_end;
}

/* 40 seconds more on its own 2 nodes are 80 node-seconds; so are 10 for which it stood still on 8. */
static void test_longer(void **state)
{
	struct sched_view v;

	(void)state;
	hand_open(&h, &malleable_uniform, 8, NULL);
	hand_submit(&h, hand_range(1, 2, 8, 100));
	h.now = 10;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	assert_int_equal(own_end(), 10 + (200 - 80) / 2);
	hand_event(&h, (struct sched_event){ .type = EV_END_CHANGED, .id = 1, .end = 70 + 40 });
	assert_int_equal(own_end(), 110);
	assert_int_equal(sched_view(h.s, 1, &v), PACT_OK);
	assert_int_equal(v.end, 10 + 200 / 8);
	hand_event(&h, (struct sched_event){
			       .type = EV_END_CHANGED, .id = 1, .end = 120, .reserve = true });
	assert_int_equal(own_end(), 10 + 280 / 2);
	hand_event(&h, (struct sched_event){ .type = EV_END_CHANGED, .id = 1, .end = 30 });
	assert_int_equal(own_end(), 30);
	hand_close(&h);
}

static void test_lost_nodes(void **state)
{
	struct nodeset *half = nodeset_create(8);
	struct sched_event block = { .type = EV_BLOCK, .id = 200, .nodes = half, .end = 1000 };

	(void)state;
	for (uint32_t i = 4; i < 8; i++)
		nodeset_set(half, i);
	hand_open(&h, &malleable_uniform, 8, NULL);
	nodeset_copy(h.lost, half);
	assert_int_equal(hand_event(&h, block), PACT_OK);
	hand_submit(&h, hand_range(1, 2, 8, 100));
	hand_submit(&h, hand_range(2, 3, 8, 100));
	hand_did(&h, "start 1 on 4");
	nodeset_clear(h.lost);
	hand_event(&h, (struct sched_event){ .type = EV_FINISH, .id = 200 });
	hand_did(&h, "start 2 on 4");
	/* what is to be lost at 50 is for no job that may run longer */
	block.start = 50;
	hand_finish(&h, 2);
	hand_did(&h, "resize 1 to 8");
	hand_finish(&h, 1);
	assert_int_equal(hand_event(&h, block), PACT_OK);
	hand_submit(&h, hand_range(3, 4, 8, 51));
	hand_submit(&h, hand_range(4, 2, 8, 50));
	hand_did(&h, "start 3 on 4; start 4 on 4");
	assert_int_equal(h.wake, 50);
	hand_close(&h);
	nodeset_destroy(half);
}

/* Two partitions: a job that may have the nodes of one only. */
/* Nodes that are lost under a job are not what it can give to others. */
static void test_lost_under_job(void **state)
{
	struct nodeset *most = nodeset_create(8);

	(void)state;
	for (uint32_t i = 2; i < 8; i++)
		nodeset_set(most, i);
	hand_open(&h, &malleable_uniform, 8, NULL);
	hand_submit(&h, hand_range(1, 2, 8, 100));
	hand_did(&h, "start 1 on 8");
	nodeset_copy(h.lost, most);
	assert_int_equal(hand_event(&h, (struct sched_event){ .type = EV_BLOCK,
							      .id = 200,
							      .nodes = most,
							      .end = 1000 }),
			 PACT_OK);
	hand_submit(&h, hand_range(2, 2, 2, 100));
	hand_did(&h, "");
	hand_submit(&h, hand_range(3, 1, 1, 100));
	hand_did(&h, "resize 1 to 7; start 3 on 1");
	nodeset_clear(h.lost);
	hand_event(&h, (struct sched_event){ .type = EV_FINISH, .id = 200 });
	hand_did(&h, "resize 1 to 5; start 2 on 2");
	hand_close(&h);
	nodeset_destroy(most);
}

static void test_named_nodes(void **state)
{
	struct nodeset *low = nodeset_create(8), *one = nodeset_create(8);
	struct sched_job job = hand_range(2, 3, 8, 100);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		nodeset_set(low, i);
	nodeset_set(one, 3);
	hand_open(&h, &malleable_uniform, 8, NULL);
	hand_submit(&h, hand_range(1, 2, 8, 100));
	job.nalt = 1;
	job.alt[0] = low;
	hand_submit(&h, job);
	assert_int_equal(hand_width(&h, 1), 5);
	assert_int_equal(hand_width(&h, 2), 3);
	/* the first node is the other one's for good */
	job.id = 3;
	job.width = 1;
	hand_submit(&h, job);
	assert_int_equal(hand_width(&h, 3), 0);
	hand_finish(&h, 2);
	assert_int_equal(hand_width(&h, 3), 3);
	/* and a job that needs a node of its */
	job = hand_range(4, 1, 1, 100);
	job.required = one;
	hand_submit(&h, job);
	assert_int_equal(hand_width(&h, 4), 1);
	assert_int_equal(hand_width(&h, 3), 2);
	hand_close(&h);
	nodeset_destroy(low);
	nodeset_destroy(one);
}

/* ---- against a plain one ---- */

#define LEVEL_NODES 40

/* As section 3.2.2 says: all their fewest, then equal parts of what is left, again and again. */
static void plain_parts(const struct sched_job *job, const bool *runs, size_t n, int32_t *width)
{
	int32_t left = LEVEL_NODES, hungry;

	for (size_t i = 0; i < n; i++) {
		width[i] = runs[i] ? job[i].width : 0;
		left -= width[i];
	}
	do {
		int32_t part;

		hungry = 0;
		for (size_t i = 0; i < n; i++)
			hungry += runs[i] && width[i] < job[i].most;
		part = hungry ? left / hungry : 0;
		for (size_t i = 0; i < n; i++) {
			int32_t more = runs[i] ? job[i].most - width[i] : 0;

			more = more < part ? more : part;
			width[i] += more;
			left -= more;
		}
		if (!part)
			break;
	} while (hungry && left);
	for (size_t i = 0; i < n; i++) {
		if (left && runs[i] && width[i] < job[i].most) {
			width[i]++;
			left--;
		}
	}
}

static bool plain_fits(const struct sched_job *job, const bool *runs, size_t n, size_t k)
{
	int32_t least = job[k].width;

	for (size_t i = 0; i < n; i++)
		least += runs[i] ? job[i].width : 0;
	return least <= LEVEL_NODES;
}

static void test_random(void **state)
{
	static struct sched_job job[HAND_JOBS];
	static bool runs[HAND_JOBS], over[HAND_JOBS];
	static int32_t width[HAND_JOBS];

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++) {
		size_t n = 0;

		memset(runs, 0, sizeof(runs));
		memset(over, 0, sizeof(over));
		hand_open(&h, &malleable_uniform, LEVEL_NODES, NULL);
		for (int step = 0; step < 200; step++) {
			size_t k = (size_t)seed_below((int64_t)n + 1);

			h.now += seed_below(5);
			if (seed_below(2) && n < HAND_JOBS - 1) {
				int32_t least = 1 + (int32_t)seed_below(15);

				job[n] = hand_range(n + 1, least, least + (int32_t)seed_below(40),
						    1000000);
				job[n].most = job[n].most < LEVEL_NODES ? job[n].most : LEVEL_NODES;
				job[n].submit = h.now + 1;
				runs[n] = plain_fits(job, runs, n, n);
				hand_submit(&h, job[n++]);
			} else if (k < n && runs[k]) {
				runs[k] = false;
				over[k] = true;
				for (size_t i = 0; i < n; i++)
					runs[i] |=
						!over[i] && !runs[i] && plain_fits(job, runs, n, i);
				hand_finish(&h, k + 1);
			}
			plain_parts(job, runs, n, width);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(hand_width(&h, i + 1), width[i]);
		}
		hand_close(&h);
	}
}

/* Anything may be refused or fail, nodes come and go; what hand_drain() checks has to hold. */
static void test_trouble(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++) {
		uint64_t n = 0;

		hand_open(&h, &malleable_uniform, 30, NULL);
		for (int step = 0; step < 300; step++) {
			uint64_t k = 1 + (uint64_t)seed_below(n ? (int64_t)n : 1);

			h.now += seed_below(5);
			h.refuse = seed_below(3) ? 0 : k;
			h.fail = seed_below(3) ? 0 : 1 + (uint64_t)seed_below((int64_t)n + 1);
			h.reserve = seed_below(2);
			if (seed_below(2) && n < HAND_JOBS - 1)
				hand_submit(&h, hand_range(++n, 1 + (int32_t)seed_below(10),
							   (int32_t)seed_below(40), 1000000));
			else if (n && hand_width(&h, k) > 1 && seed_below(2))
				hand_resized(&h, k, 1 + (int32_t)seed_below(hand_width(&h, k)));
			else if (n && hand_width(&h, k))
				hand_finish(&h, k);
			h.text[0] = '\0';
			if (!seed_below(20))
				hand_twin(&h);
		}
		hand_close(&h);
	}
}

/* ---- told and taken in ---- */

static void count_record(void *arg, const struct record_form *form, const void *record)
{
	(void)form;
	(void)record;
	++*(int *)arg;
}

/* The state is told before a pass or behind it, not amid it: what was looked at already would be looked at anew. */
static void test_not_amid_a_pass(void **state)
{
	struct sched_job job = hand_range(2, 4, 12, 100);
	struct sched_action a;
	int records = 0;

	(void)state;
	hand_open(&h, &malleable_uniform, 12, NULL);
	hand_submit(&h, hand_range(1, 2, 12, 100));
	hand_did(&h, "start 1 on 12");
	assert_int_equal(
		sched_event(h.s,
			    &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 }),
		PACT_OK);
	assert_true(sched_next(h.s, &a));
	assert_int_equal(a.type, ACT_RESIZE);
	assert_int_equal(a.width, 5);
	assert_int_equal(sched_event(h.s, &(struct sched_event){ .type = EV_RESIZED,
								 .id = 1,
								 .nodes = a.allowed,
								 .width = 5 }),
			 PACT_OK);
	assert_int_equal(sched_retell(h.s, count_record, &records), PACT_EPROTO);
	assert_int_equal(records, 0);
	while (sched_next(h.s, &a)) {
		if (a.type == ACT_START)
			sched_event(h.s, &(struct sched_event){ .type = EV_STARTED,
								.id = a.id,
								.nodes = a.allowed });
	}
	assert_int_equal(sched_retell(h.s, count_record, &records), PACT_OK);
	assert_true(records > 2);
	hand_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paper),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_first_fit),
		cmocka_unit_test(test_rigid),
		cmocka_unit_test(test_moldable),
		cmocka_unit_test(test_moldable_behind),
		cmocka_unit_test(test_moldable_before),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_refused_shrink),
		cmocka_unit_test(test_failed_start),
		cmocka_unit_test(test_failed_start_keeps),
		cmocka_unit_test(test_failed_start_keeps_no_more),
		cmocka_unit_test(test_resized_by_hand),
		cmocka_unit_test(test_lost_nodes),
		cmocka_unit_test(test_lost_under_job),
		cmocka_unit_test(test_named_nodes),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_not_amid_a_pass),
		cmocka_unit_test(test_longer),
	};

	return seed_run("test_uniform", tests);
}
