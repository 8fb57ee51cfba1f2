/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sharing_events: what happens to jobs that share nodes, worked out by hand: suspended ones, measured
 * progress, lost nodes, promises made earlier, changes of jobs that wait, nodes that turn out slower.
 */
#include "core/kernel/engine.h"
#include "core/sharing/state.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#include <string.h>

#define SECOND INT64_C(1000000)

static struct feed f;
static struct nodeset *node; /* node 0 of two, or all of one */

static void open_world(const char *scheduler, uint32_t nodes)
{
	feed_open(&f, scheduler, nodes, NULL);
	f.name_nodes = true;
	node = feed_nodes(nodes, 1);
}

static void close_world(void)
{
	nodeset_destroy(node);
	feed_close(&f);
}

static void tell(struct sched_event ev)
{
	assert_int_equal(feed_event(&f, ev), PACT_OK);
	feed_drain(&f);
	assert_string_equal(sched_error(f.s), "");
}

static bool submit(uint64_t id, int64_t limit, int64_t deadline, uint32_t flags)
{
	struct sched_job d = feed_deadline(id, 1, limit, deadline);
	int accepted = f.accepted;

	d.submit = f.now;
	d.flags = flags;
	assert_int_equal(feed_submit(&f, d), PACT_OK);
	feed_drain(&f);
	return f.accepted > accepted;
}

static struct sched_decision ask(int64_t limit, int64_t deadline)
{
	struct sched_job d = feed_deadline(99, 1, limit, deadline);
	struct sched_decision decision;

	d.submit = f.now;
	assert_int_equal(sched_ask(f.s, f.now, &d, 1, &decision), PACT_OK);
	return decision;
}

static struct sched_decision ask_change(uint64_t id, int64_t limit, int64_t deadline)
{
	struct sched_job d = feed_deadline(id, 1, limit, deadline);
	struct sched_decision decision;

	assert_int_equal(sched_ask_change(f.s, f.now, &d, &decision), PACT_OK);
	return decision;
}

/* The job's predicted end by what it is given. */
static int64_t end_of(uint64_t id)
{
	return feed_ends(&f, id);
}

/* Two halves of a node; one is suspended, the other has it all, and a third half comes in meanwhile. */
static void test_suspended(void **state)
{
	(void)state;
	open_world("libra", 1);
	assert_true(submit(1, 100, 200, 0));
	assert_int_equal(end_of(1), 100); /* all that is spare is its own */
	assert_true(submit(2, 100, 200, 0));
	assert_int_equal(end_of(2), 200);
	assert_false(submit(3, 1, 200, 0));
	tell((struct sched_event){ .type = EV_SUSPENDED, .id = 1 });
	assert_int_equal(end_of(2), 100);
	assert_true(submit(4, 100, 200, 0));
	assert_int_equal(f.broken, 1); /* the suspended one has no end */
	tell((struct sched_event){ .type = EV_RESUMED, .id = 1 });
	assert_int_equal(end_of(1), 300); /* a third each */
	assert_int_equal(f.broken, 3);
	tell((struct sched_event){ .type = EV_FINISH, .id = 4 });
	assert_int_equal(f.mended, 2);
	assert_int_equal(end_of(1), 200);
	close_world();
}

/* The nodes whose shares are told when eight of them are lost at one instant, and so many others had been lost before. */
static uint64_t told_nodes(uint64_t before)
{
	struct sched_job d = feed_deadline(1, 8, 100, 1000);
	struct sched_action a;
	uint64_t said = 0;

	open_world("libra", 8);
	assert_int_equal(feed_submit(&f, d), PACT_OK);
	feed_drain(&f);
	for (uint64_t i = 0; i < before; i++)
		assert_int_equal(feed_block(&f, 1000 + i, node, 40, 5000), PACT_OK);
	for (uint64_t i = 0; i < before; i++)
		tell((struct sched_event){ .type = EV_FINISH, .id = 1000 + i });
	for (uint64_t i = 0; i < 8; i++) {
		struct nodeset *one = feed_nodes(8, UINT64_C(1) << i);

		assert_int_equal(feed_block(&f, 10 + i, one, 50, 5000), PACT_OK);
		nodeset_destroy(one);
	}
	feed_drain(&f);
	f.now = 50;
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	while (sched_next(f.s, &a)) {
		if (a.type == ACT_SHARES)
			said = said << 4 | (1 + a.node);
	}
	close_world();
	return said;
}

/* What is said does not depend on what its tables have been through, of which one that is told its state knows nothing. */
static void test_lost_at_once(void **state)
{
	(void)state;
	assert_int_equal(told_nodes(0), 0x87654321);
	assert_int_equal(told_nodes(100), 0x87654321);
}

static void check_part(const struct sched_part *p, uint64_t id, uint32_t share, int64_t end)
{
	assert_int_equal(p->id, id);
	assert_int_equal(p->share, share);
	assert_int_equal(p->end, end);
}

/* As people see a node: what each has of it and until when, and what no job needs. */
static void look_at_node(uint32_t number)
{
	struct sched_node_view v;
	struct sched_part p[3] = { { .id = 7 }, { .id = 7 }, { .id = 7 } };

	assert_int_equal(sched_node(f.s, number, p, 3, &v), PACT_OK);
	assert_int_equal(v.parts, 0);
	assert_int_equal(v.spare, SHARE_WHOLE);
	assert_true(submit(1, 100, 200, 0));
	assert_int_equal(sched_node(f.s, number, p, 3, &v), PACT_OK);
	assert_int_equal(v.parts, 1);
	assert_int_equal(v.spare, SHARE_WHOLE / 2);
	check_part(&p[0], 1, SHARE_WHOLE, 100);
	assert_true(submit(2, 50, 200, 0));
	assert_int_equal(sched_node(f.s, number, p, 3, &v), PACT_OK);
	assert_int_equal(v.parts, 2);
	assert_int_equal(v.spare, SHARE_WHOLE / 4);
	check_part(&p[0], 1, SHARE_WHOLE / 3 * 2, 150);
	check_part(&p[1], 2, SHARE_WHOLE / 3, 150);
	assert_int_equal(p[2].id, 7);
	p[1].id = 7;
	assert_int_equal(sched_node(f.s, number, p, 1, &v), PACT_OK); /* no more room */
	assert_int_equal(v.parts, 2);
	assert_int_equal(p[1].id, 7);
	feed_at(&f, 30); /* 20 and 10 are done */
	assert_int_equal(sched_node(f.s, number, p, 3, &v), PACT_OK);
	check_part(&p[0], 1, SHARE_WHOLE / 3 * 2, 151); /* what is claimed is rounded up */
	tell((struct sched_event){ .type = EV_SUSPENDED, .id = 2 });
	assert_int_equal(sched_node(f.s, number, p, 3, &v), PACT_OK);
	check_part(&p[0], 1, SHARE_WHOLE, 110);
	check_part(&p[1], 2, 0, PACT_FOREVER);
}

static void test_node(void **state)
{
	struct sched_node_view v;
	struct sched_part p;

	(void)state;
	open_world("libra", 2);
	look_at_node(0);
	assert_int_equal(sched_node(f.s, 1, &p, 1, &v), PACT_OK);
	assert_int_equal(v.parts, 0);
	assert_int_equal(sched_node(f.s, 2, &p, 1, &v), PACT_ENOENT);
	close_world();
	open_world("fcfs@0,3+libra@1-2", 4);
	look_at_node(1);
	assert_int_equal(sched_node(f.s, 2, &p, 1, &v), PACT_OK);
	assert_int_equal(v.parts, 0);
	for (uint32_t i = 0; i < 5; i += i == 0 ? 3 : 1) /* planned ones, and none */
		assert_int_equal(sched_node(f.s, i, &p, 1, &v), PACT_ENOENT);
	close_world();
	open_world("edf", 1);
	assert_int_equal(sched_node(f.s, 0, &p, 1, &v), PACT_ENOENT);
	close_world();
}

/* Half of what the shares say is done: more is claimed, and less is left for others. */
static void test_progress(void **state)
{
	struct sched_decision d;

	(void)state;
	open_world("libra", 2);
	assert_true(submit(1, 100, 200, 0));
	feed_at(&f, 50);
	assert_true(ask(75, 200).accepted);
	tell((struct sched_event){
		.type = EV_PROGRESS, .id = 1, .nodes = node, .work = 10 * SECOND });
	assert_int_equal(end_of(1), 140);
	assert_true(submit(2, 90, 150, 0)); /* 0.9 of the other node; here 0.6 is claimed */
	d = ask(75, 200);
	assert_false(d.accepted);
	assert_int_equal(d.reason, REFUSE_SHARES);
	assert_int_equal(d.offer_end, 238); /* 75 s at 0.4 */
	tell((struct sched_event){
		.type = EV_PROGRESS, .id = 1, .nodes = node, .work = 100 * SECOND });
	assert_true(ask(75, 200).accepted); /* it claims nothing any more */
	close_world();
}

/* Of two that came at one time the lower id goes first: the one that it has when it is confirmed. */
static void test_confirmed_order(void **state)
{
	struct sched_job d = feed_job(5, 1, 100);

	(void)state;
	feed_open(&f, "edf", 1, NULL);
	assert_int_equal(feed_submit(&f, feed_job(1, 1, 50)), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	d.flags = JOB_UNCONFIRMED;
	assert_int_equal(feed_submit(&f, d), PACT_OK);
	assert_int_equal(feed_submit(&f, feed_job(6, 1, 100)), PACT_OK);
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_CONFIRM, .id = 5, .new_id = 7 }),
		PACT_OK);
	assert_int_equal(feed_drain(&f), 0);
	f.now = 50;
	assert_int_equal(feed_finish(&f, 1), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.order[1], 6);
	f.now = 150;
	assert_int_equal(feed_finish(&f, 6), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.order[2], 7);
	feed_close(&f);
}

/* ---- when nodes are held ---- */

#define CLOSED_NODES 6
#define CLOSED_HOLDS 5

/* From the first start of the holds on it on a node is closed, whichever of them come and go. */
static void test_closed(void **state)
{
	struct nodeset *held[CLOSED_HOLDS] = { 0 };
	int64_t start[CLOSED_HOLDS];

	(void)state;
	feed_open(&f, "libra", CLOSED_NODES, NULL);
	for (uint64_t round = 0; round < seed_rounds(2000); round++) {
		const struct sharing *s = sched_own(f.s, &engine_sharing);
		size_t i = (size_t)seed_below(CLOSED_HOLDS);

		if (held[i]) {
			assert_int_equal(feed_finish(&f, 1 + i), PACT_OK);
			nodeset_destroy(held[i]);
			held[i] = NULL;
		} else {
			held[i] = feed_nodes(CLOSED_NODES,
					     1 + (uint64_t)seed_below((1 << CLOSED_NODES) - 1));
			start[i] = f.now + 10 * seed_below(4);
			assert_int_equal(feed_block(&f, 1 + i, held[i], start[i], 1 << 30),
					 PACT_OK);
		}
		feed_drain(&f);
		f.now += seed_below(10);
		for (uint32_t n = 0; n < CLOSED_NODES; n++) {
			int64_t first = SHARE_NEVER;

			for (size_t k = 0; k < CLOSED_HOLDS; k++)
				if (held[k] && nodeset_test(held[k], n) &&
				    start[k] * SHARE_SECOND < first)
					first = start[k] * SHARE_SECOND;
			assert_int_equal(s->node[n].closed, first);
		}
	}
	for (size_t i = 0; i < CLOSED_HOLDS; i++)
		nodeset_destroy(held[i]);
	feed_close(&f);
}

/* A node is lost, and comes back; another one is going to be. */
static void test_lost(void **state)
{
	struct sched_decision d;

	(void)state;
	open_world("demand", 1);
	assert_true(submit(1, 100, 200, 0));
	assert_int_equal(feed_block(&f, 10, node, 0, PACT_FOREVER), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.broken, 1);
	assert_false(ask(10, 200).accepted);
	feed_at(&f, 20);
	tell((struct sched_event){ .type = EV_FINISH, .id = 10 });
	assert_int_equal(f.mended, 1);
	assert_int_equal(end_of(1), 120); /* nothing was done meanwhile */
	assert_int_equal(feed_block(&f, 11, node, 300, 400), PACT_OK);
	feed_drain(&f);
	assert_true(ask(10, 300).accepted);
	d = ask(10, 301); /* it might run until then */
	assert_false(d.accepted);
	close_world();
}

/* Promised before the scheduler came up: it has its share without being asked, waiting or running. */
static void test_restored(void **state)
{
	(void)state;
	open_world("librarisk", 1);
	assert_int_equal(f.started, 0);
	submit(1, 60, 100, JOB_PROMISED);
	assert_int_equal(f.started, 1);
	assert_true(ask(39, 99).accepted);
	assert_false(ask(40, 99).accepted);
	assert_true(
		ask(41, 100).expected); /* due at the same second: late alike, which is no risk */
	feed_at(&f, 10);
	f.hold_starts = true;
	submit(2, 20, 90, JOB_PROMISED);
	tell((struct sched_event){ .type = EV_STARTED, .id = 2, .nodes = node, .start = 5 });
	assert_int_equal(f.broken, 0);
	/* 50 of 90 and 20 of 80: 0.8056 */
	assert_true(ask(17, 99).accepted);
	assert_false(ask(18, 99).accepted);
	close_world();
}

/* It has its place from its submission on, and does nothing there before it has started. */
static void test_started_late(void **state)
{
	(void)state;
	open_world("librarisk", 1);
	f.hold_starts = true;
	submit(1, 60, 100, 0);
	f.now = 5;
	tell((struct sched_event){ .type = EV_STARTED, .id = 1, .start = 5 });
	assert_int_equal(end_of(1), 65);
	close_world();
}

/* Let in before the scheduler came up, and nothing promised: it is late, which is no news. */
static void test_expected(void **state)
{
	(void)state;
	open_world("librarisk", 1);
	submit(1, 60, 100, JOB_PROMISED | JOB_EXPECTED);
	assert_int_equal(f.started, 1);
	assert_int_equal(f.start.end, 100); /* by then it is due */
	assert_string_equal(f.start.rule, "share");
	feed_at(&f, 10);
	tell((struct sched_event){ .type = EV_PROGRESS, .id = 1, .nodes = node, .work = 0 });
	feed_at(&f, 60);
	tell((struct sched_event){ .type = EV_PROGRESS, .id = 1, .nodes = node, .work = 0 });
	assert_int_equal(end_of(1), 120);
	assert_int_equal(f.broken, 0);
	close_world();
}

static int64_t due_by(uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(f.s, id, &v), PACT_OK);
	return v.due;
}

static void change_end(uint64_t id, int64_t end)
{
	tell((struct sched_event){ .type = EV_END_CHANGED, .id = id, .end = end });
}

/* A running job has to be done earlier: as far as its node can do that without taking from the other one. */
static void test_end_changed(void **state)
{
	(void)state;
	open_world("libra", 1);
	assert_true(submit(1, 100, 200, 0));
	assert_true(submit(2, 50, 200, 0));
	assert_int_equal(due_by(1), 200);
	assert_int_equal(end_of(1), 150); /* two thirds */
	change_end(1, 150);
	assert_int_equal(due_by(1), 150);
	assert_int_equal(end_of(1), 138); /* 8 of 11 */
	assert_true(ask(16, 200).accepted);
	assert_false(ask(17, 200).accepted); /* a twelfth is left */
	change_end(1, 120);		     /* 5 sixths and a quarter are too much */
	assert_int_equal(due_by(1), 150);
	change_end(1, 99); /* that is no time for 100 s */
	assert_int_equal(due_by(1), 150);
	change_end(1, -5);
	assert_int_equal(due_by(1), 150);
	feed_at(&f, 100);
	change_end(1, 60);
	assert_int_equal(due_by(1), 150);
	change_end(1, 1000); /* what was promised is kept */
	assert_int_equal(due_by(1), 200);
	change_end(1, PACT_FOREVER);
	assert_int_equal(due_by(1), 200);
	assert_int_equal(f.broken, 0);
	close_world();
	open_world("demand", 1); /* by its own test more is free */
	assert_true(submit(1, 100, 200, 0));
	assert_true(submit(2, 100, 210, 0));
	change_end(2, 200);
	assert_int_equal(due_by(2), 200);
	change_end(1, 100);
	assert_int_equal(due_by(1), 100);
	change_end(2, 190);
	assert_int_equal(due_by(2), 200);
	assert_int_equal(end_of(2), 200);
	assert_int_equal(f.broken, 0);
	close_world();
}

/* One on two nodes, of which one is full: neither changes. One without a deadline is due whenever it ends. */
static void test_end_changed_wide(void **state)
{
	struct sched_job d = feed_deadline(1, 2, 50, 200);
	struct sched_view v;

	(void)state;
	open_world("libra", 2);
	assert_int_equal(feed_submit(&f, d), PACT_OK);
	feed_drain(&f);
	assert_true(submit(2, 140, 200, 0));
	change_end(1, 100);
	assert_int_equal(due_by(1), 200);
	tell((struct sched_event){ .type = EV_FINISH, .id = 2 });
	change_end(1, 100);
	assert_int_equal(due_by(1), 100);
	submit(3, 60, 0, 0);
	assert_int_equal(sched_view(f.s, 3, &v), PACT_OK);
	assert_true(v.due > 1000);
	assert_string_equal(v.rule, "share");
	change_end(3, 300);
	assert_int_equal(due_by(3), 300);
	change_end(3, 5000);
	assert_int_equal(due_by(3), 5000);
	change_end(3, PACT_FOREVER);
	assert_int_equal(due_by(3), PACT_FOREVER);
	close_world();
	open_world("edf", 1);
	submit(1, 60, 100, 0);
	change_end(1, 80);
	assert_int_equal(due_by(1), 0); /* it has its node for itself */
	assert_int_equal(end_of(1), 60);
	close_world();
}

/* That it was due earlier than promised is known again after a restart, however full the node is just then. */
static void test_end_restored(void **state)
{
	(void)state;
	open_world("libra", 1);
	f.hold_starts = true;
	submit(1, 60, 100, JOB_PROMISED);
	tell((struct sched_event){
		.type = EV_STARTED, .id = 1, .nodes = node, .start = 0, .end = 80 });
	assert_int_equal(due_by(1), 80);
	submit(2, 60, 100, JOB_PROMISED);
	tell((struct sched_event){
		.type = EV_STARTED, .id = 2, .nodes = node, .start = 0, .end = 90 });
	assert_int_equal(due_by(2), 90);
	submit(3, 60, 0, JOB_PROMISED);
	tell((struct sched_event){
		.type = EV_STARTED, .id = 3, .nodes = node, .start = 0, .end = 70 });
	assert_int_equal(due_by(3), 70);
	close_world();
}

/* A node that takes two jobs at a time, however little they want. */
static void test_places(void **state)
{
	(void)state;
	open_world("libra", 1);
	tell((struct sched_event){ .type = EV_NODES, .nodes = node, .most = 2 });
	assert_true(submit(1, 10, 1000, 0));
	assert_true(submit(2, 10, 1000, 0));
	assert_false(submit(3, 10, 1000, 0));
	submit(4, 10, 0, 0);
	assert_int_equal(f.started, 2);
	tell((struct sched_event){ .type = EV_FINISH, .id = 1 });
	assert_int_equal(f.started, 3); /* the one that waits */
	assert_false(submit(5, 10, 1000, 0));
	tell((struct sched_event){ .type = EV_NODES, .nodes = node });
	assert_true(submit(6, 10, 1000, 0));
	close_world();
}

/* Nodes that nobody looks after get no new job, and what runs there goes on. */
static void test_spared(void **state)
{
	(void)state;
	open_world("libra", 1);
	assert_true(submit(1, 100, 200, 0));
	tell((struct sched_event){
		.type = EV_BLOCK, .id = 50, .nodes = node, .end = PACT_FOREVER, .reserve = true });
	assert_int_equal(f.broken, 0);
	assert_int_equal(end_of(1), 100);
	assert_false(submit(2, 10, 1000, 0));
	tell((struct sched_event){ .type = EV_FINISH, .id = 50 });
	assert_true(submit(3, 10, 1000, 0));
	close_world();
}

/* ---- a job without a deadline ---- */

/*
 * Two nodes, each of which is all of one job at a time, one from 0, 60, 120 ... on and one from 30, 90, 150 ... on; so a
 * job that needs half of both never finds them. Its artificial deadline is 120 s away: when it has waited so long they
 * are kept for it, and it is the next to start.
 */
static void test_not_starved(void **state)
{
	struct sched_job wide = feed_deadline(100, 2, 60, 0);
	struct sched_config config;

	(void)state;
	sched_config_init(&config);
	config.min_artificial = 100;
	feed_open(&f, "libra", 2, &config);
	f.name_nodes = true;
	assert_true(submit(1, 60, 60, 0));
	assert_int_equal(feed_submit(&f, wide), PACT_OK);
	feed_drain(&f);
	for (uint64_t id = 2; id <= 4; id++) {
		f.now += 30;
		if (id > 2)
			tell((struct sched_event){ .type = EV_FINISH, .id = id - 2 });
		assert_true(submit(id, 60, f.now + 60, 0));
	}
	f.now = 120;
	tell((struct sched_event){ .type = EV_FINISH, .id = 3 });
	assert_int_equal(f.started, 4);
	assert_int_equal(ask(60, 180).reason, REFUSE_STARVES);
	assert_false(submit(5, 60, 180, 0));
	f.now = 150;
	tell((struct sched_event){ .type = EV_FINISH, .id = 4 });
	assert_int_equal(f.started, 5);
	assert_int_equal(f.order[4], 100);
	assert_int_equal(f.broken, 0);
	assert_true(ask(10, 1000).accepted); /* beside it */
	feed_close(&f);
}

/* A change is decided without the old terms; refused, these stay. */
static void test_changed(void **state)
{
	struct sched_job d = feed_deadline(1, 1, 150, 200);
	int refused;

	(void)state;
	open_world("libra", 1);
	assert_true(submit(1, 100, 200, JOB_UNCONFIRMED));
	assert_true(submit(2, 50, 100, 0));
	assert_int_equal(f.started, 1);
	assert_false(ask_change(1, 150, 200).accepted);
	assert_true(ask_change(1, 50, 200).accepted);
	assert_false(ask(10, 100).accepted); /* as before: it was only asked */
	refused = f.refused;
	tell((struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 });
	assert_int_equal(f.refused, refused + 1);
	assert_false(ask(10, 100).accepted);
	d.limit = 50;
	d.flags = JOB_UNCONFIRMED;
	tell((struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 });
	assert_true(ask(25, 100).accepted);
	assert_false(ask(26, 100).accepted);
	tell((struct sched_event){ .type = EV_CONFIRM, .id = 1, .new_id = 7 });
	assert_int_equal(f.started, 2);
	assert_int_equal(f.order[1], 7);
	close_world();
}

/* What was held for a job that goes is free again. */
static void test_withdrawn(void **state)
{
	(void)state;
	open_world("librarisk", 1);
	assert_true(submit(1, 90, 100, JOB_UNCONFIRMED));
	assert_false(ask(20, 99).accepted);
	tell((struct sched_event){ .type = EV_WITHDRAW, .id = 1 });
	assert_true(ask(20, 99).accepted);
	assert_int_equal(f.started, 0);
	close_world();
}

/* A node that turns out half as fast takes twice as long, and back. */
static void test_slower(void **state)
{
	(void)state;
	open_world("libra", 1);
	assert_true(submit(1, 60, 100, 0));
	tell((struct sched_event){ .type = EV_NODES, .nodes = node, .rating = RATING_WHOLE / 2 });
	assert_int_equal(f.broken, 1);
	assert_int_equal(end_of(1), 120);
	tell((struct sched_event){ .type = EV_NODES, .nodes = node, .rating = RATING_WHOLE });
	assert_int_equal(f.mended, 1);
	assert_int_equal(end_of(1), 60);
	close_world();
}

/* What the engine does not know is refused, and changes nothing. */
static void test_refused(void **state)
{
	(void)state;
	open_world("edf", 1);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_FINISH, .id = 5 }),
			 PACT_ENOENT);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_RESIZED, .id = 5 }),
			 PACT_EINVAL);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_PROGRESS, .id = 5 }),
			 PACT_ENOENT);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_NODES, .rating = -1 }),
			 PACT_EINVAL);
	submit(1, 60, 100, 0);
	assert_int_equal(f.started, 1);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_PROGRESS, .id = 1 }),
			 PACT_EINVAL);
	assert_int_equal(end_of(1), 60);
	close_world();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_node),
		cmocka_unit_test(test_suspended),
		cmocka_unit_test(test_lost_at_once),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_confirmed_order),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_started_late),
		cmocka_unit_test(test_expected),
		cmocka_unit_test(test_end_changed),
		cmocka_unit_test(test_end_changed_wide),
		cmocka_unit_test(test_end_restored),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_spared),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_withdrawn),
		cmocka_unit_test(test_slower),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_starved),
	};

	return seed_run("test_sharing_events", tests);
}
