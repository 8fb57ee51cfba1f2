/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_own: what becomes of a job with a range that has lost nodes of its own: what the plan counts on after a restart of
 * the driver, and when the job will have done its work.
 */
#include "core/sched.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 16

static struct feed f;
static struct sched_view v;
static int broken, asked;

static void begin(const char *scheduler)
{
	struct sched_config c;

	sched_config_init(&c);
	c.loans = LOANS_UNIFORM;
	c.guard = c.lateness = 0;
	c.resize_grace = 60;
	broken = asked = 0;
	feed_open(&f, scheduler, NODES, &c);
}

static void tell(struct sched_event ev)
{
	assert_int_equal(feed_event(&f, ev), PACT_OK);
}

static void tell_nodes(struct sched_event ev, uint64_t mask)
{
	struct nodeset *nodes = feed_nodes(NODES, mask);

	ev.nodes = nodes;
	tell(ev);
	nodeset_destroy(nodes);
}

/* Jobs start on the lowest nodes; nothing is resized. */
static void drain(void)
{
	struct sched_action a;

	while (sched_next(f.s, &a)) {
		broken += a.type == ACT_BROKEN;
		if (a.type == ACT_START)
			tell_nodes((struct sched_event){ .type = EV_STARTED, .id = a.id },
				   (UINT64_C(1) << a.width) - 1);
		else if (a.type == ACT_RESIZE && ++asked)
			tell((struct sched_event){ .type = EV_REFUSED, .id = a.id });
	}
	assert_string_equal(sched_error(f.s), "");
}

static void look(uint64_t id)
{
	assert_int_equal(sched_view(f.s, id, &v), PACT_OK);
}

/* What a driver tells that has just come up: 2 was promised 14 nodes from 500 on, and 1 runs, with 4 nodes on loan. */
static void come_up(uint64_t own, bool lent)
{
	struct sched_job promised = feed_deadline(2, 14, 100, 700);
	struct sched_job job = feed_job(1, 4, 10000);

	begin("qops");
	f.now = 100;
	promised.flags = JOB_PROMISED;
	promised.planned = promised.begin = 500;
	job.most = NODES;
	assert_int_equal(feed_submit(&f, promised), PACT_OK);
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	tell_nodes((struct sched_event){ .type = EV_STARTED, .id = 1, .start = 50, .end = 10050 },
		   own);
	tell_nodes((struct sched_event){ .type = EV_RESIZED, .id = 1, .width = 6, .reserve = lent },
		   0x3f);
	drain();
	look(1);
	assert_int_equal(v.width, 6);
}

/* It had lost two of its four: no loan becomes its own, and the promise is kept, which counts on all but two. */
static void test_restored(void **state)
{
	(void)state;
	come_up(0x3, true);
	assert_int_equal(v.lent, 4);
	assert_int_equal(v.lost, 2);
	assert_int_equal(broken, 0);
	look(2);
	assert_int_equal(v.start, 500);
	feed_close(&f);
}

/*
 * A driver comes up at 300, and tells a job that was promised by 600 on 7 nodes, and has 6. Either it lost one just now; or its
 * floor had fallen to 6, as loans had done more, and these are just enough.
 */
static void restore_floor(int32_t floor, int64_t left)
{
	struct sched_job job = feed_deadline(1, 4, 1000, 600);

	begin("qops");
	f.now = 300;
	job.most = 7;
	job.flags = JOB_PROMISED;
	job.planned = 1;
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	tell_nodes((struct sched_event){ .type = EV_STARTED,
					 .id = 1,
					 .start = 1,
					 .end = 573,
					 .width = floor,
					 .left = left },
		   0x3f);
	tell_nodes(
		(struct sched_event){
			.type = EV_RESIZED, .id = 1, .width = 6, .reserve = floor > 6 },
		0x3f);
	drain();
	look(1);
	assert_int_equal(v.width, 6);
	assert_int_equal(v.lent, 0);
	assert_int_equal(v.left, left);
	assert_int_equal(v.end, 573);
}

static void test_restored_floor(void **state)
{
	(void)state;
	restore_floor(7, 477);
	assert_int_equal(v.lost, 1);
	assert_int_equal(v.work_end, 300 + 318);
	feed_close(&f);
	restore_floor(6, 450);
	assert_int_equal(v.lost, 0);
	assert_int_equal(v.work_end, 600);
	feed_close(&f);
}

/*
 * Its floor had fallen to 4 of the 7 that it was promised, and the others were promised from 400 on to another. They are on loan
 * again when its driver comes up anew, and both promises hold.
 */
static void test_restored_fallen(void **state)
{
	struct sched_job other = feed_deadline(2, 12, 100, 500);
	struct sched_job job = feed_deadline(1, 4, 1000, 600);

	(void)state;
	begin("qops");
	f.now = 300;
	job.most = 7;
	job.flags = other.flags = JOB_PROMISED;
	job.planned = 1;
	other.planned = other.begin = 400;
	assert_int_equal(feed_submit(&f, other), PACT_OK);
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	tell_nodes((struct sched_event){ .type = EV_STARTED,
					 .id = 1,
					 .start = 1,
					 .end = 573,
					 .width = 4,
					 .left = 300 },
		   0xf);
	tell_nodes((struct sched_event){ .type = EV_RESIZED, .id = 1, .width = 7 }, 0x7f);
	drain();
	assert_int_equal(broken, 0);
	look(1);
	assert_int_equal(v.lent, 3);
	assert_int_equal(v.lost, 0);
	look(2);
	assert_int_equal(v.start, 400);
	feed_close(&f);
}

/*
 * Under profit a promised job of 3600 s on two nodes, by 1560, was started on five, and its record ends when it is due. After 600 s
 * five are still its own: of what is left, 2100 s on two, four would do 1920 by then.
 */
static void test_restored_due(void **state)
{
	struct sched_job job = feed_deadline(1, 2, 3600, 1560);

	(void)state;
	begin("profit");
	f.now = 600;
	job.most = 8;
	job.value = 1000000;
	job.flags = JOB_PROMISED;
	job.planned = -1;
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	tell_nodes(
		(struct sched_event){
			.type = EV_STARTED, .id = 1, .end = 1560, .width = 5, .left = 2100 },
		0x1f);
	tell_nodes((struct sched_event){ .type = EV_RESIZED, .id = 1, .width = 5 }, 0x1f);
	drain();
	look(1);
	assert_int_equal(v.width - v.lent, 5);
	assert_int_equal(v.left, 2100);
	assert_int_equal(v.work_end, 600 + 840);
	feed_close(&f);
}

/* It had all: then the lowest are its own. */
static void test_restored_whole(void **state)
{
	(void)state;
	come_up(0x3, false);
	assert_int_equal(v.lent, 2);
	assert_int_equal(v.lost, 0);
	feed_close(&f);
}

/* Promised by 600 on 7 nodes it is in time, by 572, and on 4, which it is left with, at 1000. */
static void test_work_end(void **state)
{
	struct sched_job job = feed_deadline(1, 4, 1000, 600);

	(void)state;
	begin("qops");
	job.most = 7;
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	look(1);
	assert_int_equal(v.work_end, 0);
	drain();
	look(1);
	assert_int_equal(v.width, 7);
	assert_int_equal(v.work_end, 572);
	assert_int_equal(v.lost, 0);
	tell_nodes((struct sched_event){ .type = EV_RESIZED, .id = 1, .width = 4 }, 0xf);
	drain();
	look(1);
	assert_int_equal(v.lost, 3);
	assert_int_equal(v.end, 572);
	assert_int_equal(v.work_end, 1000);
	feed_close(&f);
}

/* Where nothing is lent, too; and it is said of no other job. */
static void test_work_end_malleable(void **state)
{
	struct sched_job job = feed_job(1, 4, 1000);

	(void)state;
	begin("uniform");
	job.most = 8;
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	drain();
	look(1);
	assert_int_equal(v.work_end, 500);
	tell_nodes((struct sched_event){ .type = EV_RESIZED, .id = 1, .width = 2 }, 0x3);
	drain();
	look(1);
	assert_int_equal(v.work_end, 2000);
	feed_close(&f);
	begin("qops");
	assert_int_equal(feed_submit(&f, feed_job(1, 4, 1000)), PACT_OK);
	drain();
	look(1);
	assert_int_equal(v.work_end, 0);
	feed_close(&f);
}

/* What was refused is not asked for again soon, but for when its driver says that it can be had. */
static void test_clean(void **state)
{
	struct sched_job job = feed_job(1, 4, 10000);

	(void)state;
	begin("qops");
	job.most = 8;
	assert_int_equal(feed_submit(&f, job), PACT_OK);
	drain();
	assert_int_equal(asked, 1);
	f.now = 5;
	tell((struct sched_event){ .type = EV_TIME });
	drain();
	tell((struct sched_event){ .type = EV_TIME, .id = 2 });
	drain();
	assert_int_equal(asked, 1);
	tell((struct sched_event){ .type = EV_TIME, .id = 1 });
	drain();
	assert_int_equal(asked, 2);
	drain();
	assert_int_equal(asked, 2);
	feed_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_restored),	   cmocka_unit_test(test_restored_whole),
		cmocka_unit_test(test_restored_floor),	   cmocka_unit_test(test_work_end),
		cmocka_unit_test(test_restored_fallen),	   cmocka_unit_test(test_restored_due),
		cmocka_unit_test(test_work_end_malleable), cmocka_unit_test(test_clean),
	};

	return seed_run("test_own", tests);
}
