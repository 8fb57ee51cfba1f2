/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sched: the protocol of core/sched.h, event by event: what is malformed and then has no effect,
 * and single cases that a random world (test_promise) once found.
 */
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- malformed ---- */

static void test_create(void **state)
{
	struct sched_config c;
	char why[100];

	(void)state;
	sched_config_init(&c);
	assert_null(sched_create("best", 4, &c, why, sizeof(why)));
	assert_non_null(strstr(why, "best"));
	assert_null(sched_create("qops", 0, &c, why, sizeof(why)));
	for (const char *const *name = sched_names(); *name; name++) {
		struct sched *s = sched_create(*name, 4, &c, NULL, 0);

		assert_non_null(s);
		sched_destroy(s);
	}
	sched_destroy(NULL);
}

static void test_configure(void **state)
{
	struct bad {
		const char *word;
		struct sched_config c;
	} bad[8];
	struct feed f;
	char why[100];
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		sched_config_init(&bad[i].c);
	bad[n].c.mode = 7, bad[n++].word = "Mode=7: must be paper or slurm";
	bad[n].c.order = ORDER_SJF, bad[n++].word = "Order=sjf: must be edf or llf";
	bad[n].c.kfactor = -1,
	bad[n++].word = "KFactor=-1: must be a whole number from 0 to 1000000";
	bad[n].c.relax_milli = -1,
	bad[n++].word =
		"Relaxation=-0.001: must be a number from 0 to 1000000, with at most 3 decimals";
	bad[n].c.min_artificial = -1,
	bad[n++].word = "MinArtificialDeadline=-1: must be a whole number of seconds from 0 to";
	bad[n].c.guard = -1, bad[n++].word = "Guard=-1: must be";
	bad[n].c.lateness = 1, bad[n++].word = "Lateness=1: must not be above Guard=0";
	bad[n].c.offer_probes = -1, bad[n++].word = "OfferProbes=-1: must be";
	feed_open(&f, "qops", 4, NULL);
	for (size_t i = 0; i < n; i++) {
		assert_null(sched_create("qops", 4, &bad[i].c, why, sizeof(why)));
		assert_non_null(strstr(why, bad[i].word));
		assert_int_equal(sched_configure(f.s, &bad[i].c, why, sizeof(why)), PACT_EINVAL);
	}
	feed_close(&f);
}

static void test_malformed_jobs(void **state)
{
	struct nodeset *other = feed_nodes(5, 1);
	struct sched_job bad[12];
	struct sched_decision d;
	struct feed f;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < 12; i++)
		bad[i] = feed_job(1, 1, 10);
	bad[n++].width = 0;
	bad[n++].width = INT32_MIN;
	bad[n++].limit = 0;
	bad[n++].limit = INT64_MIN;
	bad[n++].deadline = -1;
	bad[n++].begin = -1;
	bad[n++].submit = -1;
	bad[n++].eligible = INT64_MIN;
	bad[n++].nalt = SCHED_MAX_ALT + 1;
	bad[n].flags = JOB_OPAQUE, bad[n++].deadline = 100;
	bad[n].nalt = 1, bad[n++].alt[0] = other;
	bad[n++].required = other;
	feed_open(&f, "qops", 4, NULL);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(feed_submit(&f, bad[i]), PACT_EINVAL);
		assert_true(*sched_error(f.s));
		assert_int_equal(sched_ask(f.s, 0, &bad[i], 1, &d), PACT_EINVAL);
		assert_false(d.accepted);
	}
	assert_int_equal(sched_waiting(f.s), 0);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_SUBMIT }), PACT_EINVAL);
	assert_int_equal(sched_ask(f.s, 0, NULL, 0, &d), PACT_EINVAL);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = 99 }), PACT_EINVAL);
	assert_int_equal(feed_drain(&f), 0);
	feed_close(&f);
	nodeset_destroy(other);
}

static void test_unknown_ids(void **state)
{
	static const enum sched_event_type types[] = { EV_CONFIRM,  EV_CHANGE,	     EV_PRIORITY,
						       EV_WITHDRAW, EV_START_FAILED, EV_END_CHANGED,
						       EV_FINISH };
	struct sched_job d = feed_job(5, 1, 10);
	struct sched_view v;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		assert_int_equal(feed_event(&f, (struct sched_event){ .type = types[i],
								      .id = 5,
								      .new_id = 6,
								      .jobs = &d,
								      .njobs = 1 }),
				 PACT_ENOENT);
	assert_int_equal(sched_view(f.s, 5, &v), PACT_ENOENT);
	assert_int_equal(sched_view_waiting(f.s, 0, &v), PACT_ENOENT);
	feed_close(&f);
}

static void test_known_ids(void **state)
{
	struct nodeset *one = feed_nodes(4, 1);
	struct sched_job pair[2] = { feed_job(7, 1, 10), feed_job(7, 1, 10) };
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	assert_int_equal(feed_submit(&f, feed_job(1, 1, 10)), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(feed_submit(&f, feed_job(2, 4, 10)), PACT_OK);
	assert_int_equal(feed_submit(&f, feed_job(1, 1, 10)), PACT_EEXIST);
	assert_int_equal(feed_submit(&f, feed_job(2, 1, 10)), PACT_EEXIST);
	assert_int_equal(feed_start(&f, 1, one), PACT_EEXIST);
	assert_int_equal(feed_block(&f, 1, one, 0, 10), PACT_EEXIST);
	assert_int_equal(feed_block(&f, 2, one, 0, 10), PACT_EEXIST);
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_CONFIRM, .id = 2, .new_id = 1 }),
		PACT_EEXIST);
	/* twice in one submission: a table with two entries of one id would never be right again */
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_SUBMIT, .jobs = pair, .njobs = 2 }),
		PACT_EEXIST);
	assert_int_equal(sched_waiting(f.s), 1);
	feed_close(&f);
	nodeset_destroy(one);
}

static void test_malformed_holds(void **state)
{
	struct nodeset *one = feed_nodes(4, 1), *other = feed_nodes(9, 1);
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	assert_int_equal(feed_block(&f, 1, NULL, 0, 10), PACT_EINVAL);
	assert_int_equal(feed_block(&f, 1, one, 10, 10), PACT_EINVAL);
	assert_int_equal(feed_block(&f, 1, other, 0, 10), PACT_EINVAL);
	assert_int_equal(feed_start(&f, 1, NULL), PACT_EINVAL);
	assert_int_equal(feed_start(&f, 1, other), PACT_EINVAL);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_STARTED,
							      .id = 1,
							      .nodes = one,
							      .start = -5 }),
			 PACT_EINVAL);
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_STARTED, .id = 1, .nodes = one }),
		PACT_OK);
	f.now = INT64_MAX;
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_TIME }), PACT_EINVAL);
	feed_close(&f);
	nodeset_destroy(one);
	nodeset_destroy(other);
}

static void test_groups(void **state)
{
	struct nodeset *one = feed_nodes(4, 1);
	struct sched_job mixed[2] = { feed_deadline(1, 1, 10, 100), feed_job(2, 1, 10) };
	struct sched_job both[2] = { feed_deadline(1, 4, 10, 15), feed_deadline(2, 4, 10, 15) };
	struct sched_job half[2] = { feed_job(5, 1, 10), feed_job(6, 0, 10) };
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	assert_int_equal(
		feed_event(&f,
			   (struct sched_event){ .type = EV_SUBMIT, .jobs = mixed, .njobs = 2 }),
		PACT_EINVAL);
	/* all or none */
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_SUBMIT, .jobs = both, .njobs = 2 }),
		PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.refused, 1);
	assert_int_equal(f.decision.offer_end, 20);
	both[0].deadline = both[1].deadline = 20;
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_SUBMIT, .jobs = both, .njobs = 2 }),
		PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.accepted, 1);
	/* the good half names nodes and splits their class; the bad half refuses the whole */
	half[0].nalt = 1;
	half[0].alt[0] = one;
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_SUBMIT, .jobs = half, .njobs = 2 }),
		PACT_EINVAL);
	f.now = 5;
	assert_int_equal(feed_finish(&f, 1), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	feed_close(&f);
	nodeset_destroy(one);
}

/* ---- starts ---- */

static void test_unanswered_start(void **state)
{
	struct sched_job d = feed_job(1, 2, 20);
	struct sched_action a;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	f.hold_starts = true;
	feed_submit(&f, feed_job(1, 1, 10));
	feed_submit(&f, feed_job(2, 1, 10));
	assert_int_equal(feed_drain(&f), 1);
	assert_false(sched_next(f.s, &a));
	assert_non_null(strstr(sched_error(f.s), "not answered"));
	/* the other one was not asked for */
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 2 }),
			 PACT_EPROTO);
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 }),
		PACT_EPROTO);
	assert_int_equal(feed_start(&f, 1, NULL), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 2);
	/* withdrawn while being started: that is an answer too */
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 }),
			 PACT_OK);
	assert_int_equal(feed_drain(&f), 0);
	feed_close(&f);
}

/* A place that was given up is not kept free, neither by the next plan nor by an admission. */
static void test_unreserved(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 2, NULL);
	f.hold_starts = true;
	feed_submit(&f, feed_job(1, 2, 100));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 1 }),
			 PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 1), PACT_FOREVER);
	/* compressed into a place again at the next pass, and tried; it fails again, with a place */
	f.now = 10;
	feed_event(&f, (struct sched_event){ .type = EV_TIME });
	assert_int_equal(feed_drain(&f), 1);
	feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 1, .reserve = true });
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 1), 11);
	feed_submit(&f, feed_deadline(2, 1, 50, 1000));
	feed_drain(&f);
	feed_submit(&f, feed_job(3, 1, 50));
	feed_drain(&f);
	/* 2 and 3 fit side by side, 1 needs both nodes: no job is planned onto another's nodes */
	assert_true(feed_starts(&f, 2) >= feed_ends(&f, 1) ||
		    feed_ends(&f, 2) <= feed_starts(&f, 1));
	assert_true(feed_starts(&f, 3) >= feed_ends(&f, 1) ||
		    feed_ends(&f, 3) <= feed_starts(&f, 1));
	feed_close(&f);
}

/* A question that names nodes splits their class, and moves no job. */
static void test_ask_moves_nobody(void **state)
{
	struct nodeset *a = feed_nodes(2, 1), *b = feed_nodes(2, 2);
	struct sched_job promised = feed_deadline(4, 1, 10, 20), ask = feed_deadline(9, 1, 5, 500);
	struct sched_decision d;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 2, NULL);
	feed_event(&f, (struct sched_event){ .type = EV_STARTED, .id = 1, .nodes = a, .end = 10 });
	feed_event(&f, (struct sched_event){ .type = EV_STARTED, .id = 2, .nodes = b, .end = 5 });
	feed_submit(&f, feed_job(3, 1, 10));
	promised.begin = 10;
	feed_submit(&f, promised);
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, 3), 5);
	assert_int_equal(feed_starts(&f, 4), 10);
	/* only node b is free at 5, so the promised job must be the one on node a */
	ask.nalt = 1;
	ask.alt[0] = a;
	assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
	assert_int_equal(feed_starts(&f, 3), 5);
	assert_int_equal(feed_starts(&f, 4), 10);
	feed_close(&f);
	nodeset_destroy(a);
	nodeset_destroy(b);
}

/* An opaque job that is started late leaves in time for the promised one behind it. */
static void test_late_opaque(void **state)
{
	struct sched_config c;
	struct sched_job opaque = feed_job(1, 1, 70), promised = feed_deadline(2, 1, 100, 300);
	struct nodeset *node = feed_nodes(1, 1);
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.guard = 30;
	c.lateness = 10;
	feed_open(&f, "qops", 1, &c);
	promised.begin = 100;
	promised.deadline = 230;
	feed_submit(&f, promised);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	opaque.flags = JOB_OPAQUE;
	feed_submit(&f, opaque);
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 1);
	f.now = 10;
	assert_int_equal(feed_start(&f, 1, node), PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_ends(&f, 1), 100);
	assert_int_equal(feed_starts(&f, 2), 100);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
	nodeset_destroy(node);
}

/* What is refused idle nodes waits for an end, not for them: those behind it may have them. */
static void test_refused_opaque(void **state)
{
	struct sched_config c;
	struct sched_job opaque = feed_job(1, 1, 500), plain = feed_job(2, 2, 500);
	struct nodeset *node = feed_nodes(3, 1);
	struct feed f;

	(void)state;
	for (int held = 0; held < 2; held++) {
		sched_config_init(&c);
		c.mode = SCHED_MODE_SLURM;
		feed_open(&f, "qops", 3, &c);
		if (held)
			feed_event(&f, (struct sched_event){ .type = EV_STARTED,
							     .id = 9,
							     .nodes = node,
							     .end = 1000 });
		opaque.priority = 2;
		opaque.flags = JOB_OPAQUE;
		plain.priority = 1;
		feed_submit(&f, opaque);
		feed_submit(&f, plain);
		f.hold_starts = true;
		assert_int_equal(feed_drain(&f), 1);
		assert_int_equal(f.start.id, 1);
		f.hold_starts = false;
		feed_event(&f, (struct sched_event){
				       .type = EV_START_FAILED, .id = 1, .reserve = true });
		assert_int_equal(feed_drain(&f), 1);
		assert_int_equal(feed_starts(&f, 2), 0);
		assert_int_equal(feed_starts(&f, 1), held ? 1000 : PACT_FOREVER);
		feed_close(&f);
	}
	nodeset_destroy(node);
}

/* What becomes due while the driver answers is not forgotten. */
static void test_due_during_pass(void **state)
{
	struct sched_config c;
	struct sched_job later = feed_job(2, 1, 100);
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.guard = 30;
	c.lateness = 20;
	c.mode = SCHED_MODE_SLURM;
	feed_open(&f, "qops", 2, &c);
	later.begin = 5;
	later.priority = 1; /* the pass looks at it first */
	feed_submit(&f, later);
	feed_submit(&f, feed_job(1, 1, 100));
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 1);
	f.now = 9; /* the answer took that long */
	assert_int_equal(feed_start(&f, 1, NULL), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.wake, 5);
	feed_close(&f);
}

/* A hold that should be over is prolonged even in the middle of a pass. */
static void test_overdue_during_pass(void **state)
{
	struct nodeset *a = feed_nodes(2, 1), *b = feed_nodes(2, 2);
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.guard = 30;
	c.lateness = 20;
	feed_open(&f, "qops", 2, &c);
	feed_event(&f, (struct sched_event){ .type = EV_STARTED, .id = 9, .nodes = a, .end = 15 });
	feed_submit(&f, feed_job(1, 1, 100));
	feed_submit(&f, feed_job(2, 1, 100));
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	f.now = 16;
	assert_int_equal(feed_start(&f, 1, b), PACT_OK);
	assert_int_equal(feed_drain(&f), 0); /* job 9 still has the other node */
	assert_int_equal(feed_ends(&f, 9), 36);
	feed_close(&f);
	nodeset_destroy(a);
	nodeset_destroy(b);
}

/* Started by somebody else, ahead of its plan: what is planned there gives way at once. */
static void test_started_early(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 2, NULL);
	feed_submit(&f, feed_job(1, 1, 10));
	feed_drain(&f);
	feed_submit(&f, feed_job(2, 2, 10));	      /* [10, 20) */
	feed_submit(&f, feed_deadline(3, 1, 10, 40)); /* [0, 10) beside 1 */
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 3);
	assert_int_equal(feed_start(&f, 2, NULL), PACT_OK);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 3 }),
			 PACT_OK);
	feed_drain(&f);
	assert_true(feed_starts(&f, 3) >= 10);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
}

/* No job is promised nodes by name while a start may still take just these. */
static void test_named_during_start(void **state)
{
	struct nodeset *a = feed_nodes(2, 1), *b = feed_nodes(2, 2);
	struct sched_job named = feed_deadline(2, 1, 10, 50);
	struct sched_decision d;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 2, NULL);
	feed_submit(&f, feed_job(1, 1, 1000));
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	named.nalt = 1;
	named.alt[0] = b;
	assert_int_equal(sched_ask(f.s, 0, &named, 1, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_BUDGET);
	assert_int_equal(feed_submit(&f, named), PACT_OK);
	assert_int_equal(feed_start(&f, 1, a), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.decision.reason, REFUSE_BUDGET);
	assert_int_equal(feed_submit(&f, named), PACT_OK);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	feed_close(&f);
	nodeset_destroy(a);
	nodeset_destroy(b);
}

/* ---- promises ---- */

static void test_broken_and_mended(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 1, NULL);
	feed_submit(&f, feed_job(1, 1, 10));
	feed_drain(&f);
	feed_submit(&f, feed_deadline(2, 1, 50, 70));
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	/* prolonged past what is promised behind it: told at once, and again when it is shortened */
	feed_event(&f, (struct sched_event){ .type = EV_END_CHANGED, .id = 1, .end = 100 });
	feed_drain(&f);
	assert_int_equal(f.broken, 1);
	assert_int_equal(feed_ends(&f, 2), 150);
	feed_event(&f, (struct sched_event){ .type = EV_END_CHANGED, .id = 1, .end = 15 });
	feed_drain(&f);
	assert_int_equal(f.mended, 1);
	/* the same for a running one */
	f.now = 15;
	feed_finish(&f, 1);
	assert_int_equal(feed_drain(&f), 1);
	feed_event(&f, (struct sched_event){ .type = EV_END_CHANGED, .id = 2, .end = 100 });
	feed_drain(&f);
	assert_int_equal(f.broken, 2);
	feed_event(&f, (struct sched_event){ .type = EV_END_CHANGED, .id = 2, .end = 65 });
	feed_drain(&f);
	assert_int_equal(f.mended, 2);
	feed_close(&f);
}

/* The repair after a loss does not take a job that is a little late for lost. */
static void test_late_within_guard(void **state)
{
	struct nodeset *b = feed_nodes(2, 2);
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.guard = 30;
	c.lateness = 20;
	feed_open(&f, "qops", 2, &c);
	feed_submit(&f, feed_deadline(1, 1, 100, 130)); /* no slack but the guard */
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 1 });
	f.now = 10;
	/* a node is lost, the plan is repaired */
	assert_int_equal(feed_block(&f, 9, b, 10, 500), PACT_OK);
	feed_event(&f, (struct sched_event){ .type = EV_STARTED, .id = 8, .nodes = b, .end = 50 });
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.broken, 0);
	assert_int_equal(feed_start(&f, 1, NULL), PACT_OK);
	assert_int_equal(feed_ends(&f, 1), 130);
	feed_drain(&f);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
	nodeset_destroy(b);
}

/* An offer is a deadline that would be accepted, also with probes, whatever the heuristic makes of it. */
static void test_offers(void **state)
{
	struct sched_config c;
	struct sched_decision d;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.offer_probes = 10;
	feed_open(&f, "qops", 3, &c);
	feed_submit(&f, feed_job(1, 3, 500));
	feed_drain(&f);
	for (uint64_t id = 2; id < 20; id++) {
		struct sched_job j =
			feed_deadline(id, 1 + (int32_t)(id % 3), 100 + 10 * (int64_t)id, 0);

		j.deadline = 500 + j.limit - 1; /* too early */
		assert_int_equal(sched_ask(f.s, 0, &j, 1, &d), PACT_OK);
		assert_false(d.accepted);
		j.deadline = d.offer_end;
		assert_int_equal(sched_ask(f.s, 0, &j, 1, &d), PACT_OK);
		assert_true(d.accepted && d.end <= j.deadline);
		j.deadline += 600;
		feed_submit(&f, j);
		feed_drain(&f);
	}
	feed_close(&f);
}

static void test_refusals(void **state)
{
	static const struct {
		enum refuse_reason reason;
		int32_t width;
		int64_t limit, deadline;
	} cases[] = {
		{ REFUSE_NEVER_FITS, 5, 10, 100 },
		{ REFUSE_NEVER_FITS, INT32_MAX, 10, 100 },
		{ REFUSE_NO_LIMIT, 1, PACT_FOREVER, 100 },
		{ REFUSE_TOO_LATE, 1, 10, 9 },
		{ REFUSE_FULL, 4, 10, 29 },
		{ REFUSE_TOO_LATE, 1, PACT_FOREVER - 1, PACT_FOREVER - 2 },
		{ REFUSE_NONE, 4, 10, 30 },
	};
	struct nodeset *all = feed_nodes(4, 15);
	struct sched_job d;
	struct feed f;

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	feed_submit(&f, feed_deadline(1, 4, 20, 20));
	feed_drain(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		d = feed_deadline(2, cases[i].width, cases[i].limit, cases[i].deadline);
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		assert_int_equal(f.decision.reason, cases[i].reason);
		assert_int_equal(f.decision.accepted, cases[i].reason == REFUSE_NONE);
	}
	feed_block(&f, 50, all, 0, PACT_FOREVER);
	feed_submit(&f, feed_deadline(3, 1, 10, 1000));
	feed_drain(&f);
	assert_int_equal(f.decision.reason, REFUSE_BLOCKED);
	assert_int_equal(f.decision.offer_end, PACT_FOREVER);
	feed_close(&f);
	feed_open(&f, "easy", 4, NULL);
	feed_submit(&f, feed_deadline(3, 1, 10, 1000));
	feed_drain(&f);
	assert_int_equal(f.decision.reason, REFUSE_DISABLED);
	feed_close(&f);
	nodeset_destroy(all);
}

/* A driver that comes too late finds its job planned anew, under every scheduler that keeps places. */
static void miss(const char *name, enum sched_mode mode)
{
	struct sched_config c;
	struct feed f;

	sched_config_init(&c);
	c.mode = mode;
	feed_open(&f, name, 1, &c);
	feed_submit(&f, feed_job(1, 1, 10));
	feed_drain(&f);
	feed_submit(&f, feed_job(2, 1, 10));
	feed_submit(&f, feed_job(3, 1, 20)); /* cheaper behind the other one, for msb */
	feed_drain(&f);
	f.now = 10;
	feed_finish(&f, 1);
	feed_at(&f, 500);
	assert_int_equal(f.started, 2);
	assert_int_equal(feed_starts(&f, 2), 500);
	assert_int_equal(feed_ends(&f, 2), 510);
	feed_close(&f);
}

static void test_missed(void **state)
{
	(void)state;
	for (const char *const *name = sched_names(); *name; name++) {
		struct sched_config c;
		struct sched *s;

		if (!feed_plans(*name))
			continue;
		miss(*name, SCHED_MODE_PAPER);
		sched_config_init(&c);
		c.mode = SCHED_MODE_SLURM;
		s = sched_create(*name, 1, &c, NULL, 0);
		if (s) /* it has that mode */
			miss(*name, SCHED_MODE_SLURM);
		sched_destroy(s);
	}
}

/* ---- bounds ---- */

/*
 * A job that did not end on time gives the head a later shadow time, and what waited for that may start, though
 * nothing but submissions came.
 */
static void test_easy_overdue(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "easy", 10, NULL);
	feed_submit(&f, feed_job(1, 6, 100));
	feed_submit(&f, feed_job(2, 8, 100));
	assert_int_equal(feed_drain(&f), 1);
	f.now = 99;
	feed_submit(&f, feed_job(3, 4, 2));
	assert_int_equal(feed_drain(&f),
			 0); /* it would end at 101, and the head may start at 100 */
	f.now = 101;
	feed_submit(&f, feed_job(4, 10, 1));
	assert_int_equal(feed_drain(&f), 0); /* 1 was prolonged by a second */
	f.now = 103;
	feed_submit(&f, feed_job(5, 10, 1));
	assert_int_equal(feed_drain(&f), 1); /* by two */
	assert_int_equal(f.order[1], 3);
	feed_close(&f);
}

/* A job is not forgotten whose start was refused: the next submission has it tried again. */
static void test_easy_refused_start(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "easy", 10, NULL);
	f.hold_starts = true;
	feed_submit(&f, feed_job(1, 6, 100));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_START_FAILED, .id = 1 }),
			 0);
	assert_int_equal(feed_drain(&f), 0);
	f.now = 10;
	feed_submit(&f, feed_job(2, 8, 100));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 1);
	feed_close(&f);
}

/* A question about a change leaves the head what it was: no job passes it at the next submission. */
static void test_easy_asked(void **state)
{
	struct sched_decision d;
	struct sched_job j;
	struct feed f;

	(void)state;
	feed_open(&f, "easy", 4, NULL);
	feed_submit(&f, feed_job(1, 3, 100));
	feed_submit(&f, feed_job(2, 4, 50));
	assert_int_equal(feed_drain(&f), 1);
	f.now = 2;
	j = feed_deadline(2, 4, 50, 1000);
	j.submit = 0;
	assert_int_equal(sched_ask_change(f.s, f.now, &j, &d), PACT_OK);
	assert_int_equal(feed_drain(&f), 0);
	f.now = 3;
	feed_submit(&f, feed_job(3, 1, 1000)); /* it would be in the head's way */
	assert_int_equal(feed_drain(&f), 0);
	f.now = 100;
	feed_finish(&f, 1);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.order[1], 2);
	feed_close(&f);
}

static void test_memory(void **state)
{
	enum { JOBS = 10000 };
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM; /* paper mode would try Figure 3 at every submission */
	feed_open(&f, "qops", 430, &c);
	feed_submit(&f, feed_job(JOBS + 1, 430, 1000000));
	feed_drain(&f);
	size_t empty = sched_bytes(f.s);

	for (uint64_t i = 1; i <= JOBS; i++)
		feed_submit(&f, feed_job(i, 1 + (int32_t)(i * 37 % 64),
					 60 + (int64_t)(i * 7919 % 64800)));
	feed_drain(&f);
	assert_int_equal(sched_waiting(f.s), JOBS);
	assert_true(sched_bytes(f.s) > empty);
	assert_true(sched_bytes(f.s) <= (size_t)JOBS * 1024);
	for (uint64_t i = 1; i <= JOBS; i++)
		feed_event(&f, (struct sched_event){ .type = EV_WITHDRAW, .id = i });
	assert_int_equal(sched_waiting(f.s), 0);
	feed_close(&f);
}

/* Ties are broken by the id that a job has now. */
static void test_other_id(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "easy", 4, NULL);
	feed_submit(&f, feed_job(10, 4, 100));
	feed_drain(&f);
	feed_submit(&f, feed_job(1, 4, 100));
	feed_submit(&f, feed_job(2, 4, 100));
	assert_int_equal(feed_drain(&f), 0);
	feed_event(&f, (struct sched_event){ .type = EV_CONFIRM, .id = 1, .new_id = 3 });
	f.now = 50;
	feed_finish(&f, 10);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, 2);
	feed_close(&f);
}

/* One burst, and early ends behind it, with each job naming all nodes so many times. */
#define EQUAL_NODES 32
#define EQUAL_JOBS 1200

static int64_t draw_below(uint64_t *random, int64_t n)
{
	return (int64_t)(seed_next(random) % (uint64_t)n);
}

static void run_equal(const char *name, uint64_t random, uint32_t nalt, int64_t *start)
{
	struct nodeset *all = nodeset_create(EQUAL_NODES);
	uint64_t running[EQUAL_NODES];
	struct sched_action a;
	struct sched_config c;
	size_t n = 0;
	int64_t now = 0;

	nodeset_fill(all);
	sched_config_init(&c);
	struct sched *s = sched_create(name, EQUAL_NODES, &c, NULL, 0);

	for (uint64_t id = 1; id <= EQUAL_JOBS; id++) {
		struct sched_job j = { .id = id,
				       .planned = -1,
				       .width = 1 + (int32_t)draw_below(&random, EQUAL_NODES),
				       .limit = 20 + draw_below(&random, 5000),
				       .alt = { all, all },
				       .nalt = nalt };

		assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
								       .jobs = &j,
								       .njobs = 1 }),
				 PACT_OK);
	}
	for (int round = 0; round < 60; round++) {
		while (sched_next(s, &a)) {
			if (a.type != ACT_START)
				continue;
			start[a.id] = now;
			running[n++] = a.id;
			assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_STARTED,
									       .id = a.id,
									       .start = now,
									       .now = now }),
					 PACT_OK);
		}
		size_t i = (size_t)draw_below(&random, (int64_t)n);

		now += draw_below(&random, 20);
		assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_FINISH,
								       .id = running[i],
								       .now = now }),
				 PACT_OK);
		running[i] = running[--n];
	}
	sched_destroy(s);
	nodeset_destroy(all);
}

/* Two partitions over the same nodes are as good as one, however the plan's steps move in memory. */
static void test_equal_partitions(void **state)
{
	static const char *const names[] = { "conservative", "qops" };

	(void)state;
	for (int round = 0; round < 8; round++) {
		int64_t one[EQUAL_JOBS + 1] = { 0 }, two[EQUAL_JOBS + 1] = { 0 };
		uint64_t seed = 1 + seed_draw();

		run_equal(names[round % 2], seed, 1, one);
		run_equal(names[round % 2], seed, 2, two);
		assert_memory_equal(one, two, sizeof(one));
	}
}

#define TIGHT_JOBS 24

/* A job for one or both of two partitions that share a node, due when it could end at the earliest. */
static bool submit_tight(struct feed *f, struct nodeset *const part[2], struct sched_job *job)
{
	struct sched_decision d;
	int64_t kind = seed_below(4);

	*job = feed_deadline(job->id, 1 + (int32_t)seed_below(2), 100 + 10 * seed_below(90),
			     PACT_FOREVER - 1);
	job->nalt = kind < 2 ? 2 : 1;
	job->alt[0] = part[kind % 2];
	job->alt[1] = part[1 - kind % 2];
	assert_int_equal(sched_ask(f->s, f->now, job, 1, &d), PACT_OK);
	job->deadline = d.end;
	assert_int_equal(feed_submit(f, *job), PACT_OK);
	feed_drain(f);
	return f->decision.accepted;
}

/*
 * Terms of promised jobs that come to the same, or to less, cost no other its promise: other jobs have no
 * reason to move, to other nodes at the same time neither.
 */
static void test_harmless_changes(void **state)
{
	static const char *const names[] = { "qops", "dynp" };
	struct nodeset *part[2] = { feed_nodes(4, 0xc), feed_nodes(4, 0x7) };

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++) {
		struct sched_job jobs[TIGHT_JOBS];
		struct sched_config c;
		struct feed f;
		size_t n;

		sched_config_init(&c);
		c.mode = round % 4 < 2 ? SCHED_MODE_PAPER : SCHED_MODE_SLURM;
		feed_open(&f, names[round % 2], 4, &c);
		feed_submit(&f, feed_job(100, 4, 600));
		feed_drain(&f);
		n = 0;
		for (uint64_t id = 1; n < TIGHT_JOBS; id++) {
			jobs[n].id = id;
			n += submit_tight(&f, part, &jobs[n]);
		}
		for (int change = 0; change < TIGHT_JOBS; change++) {
			struct sched_job *j = &jobs[seed_below(TIGHT_JOBS)];
			const struct nodeset *first = j->alt[0];

			j->flags = JOB_PROMISED;
			j->planned = -1;
			if (j->nalt == 2) {
				j->alt[0] = j->alt[1];
				j->alt[1] = first;
			} else {
				j->limit -= seed_below(10);
			}
			feed_event(&f, (struct sched_event){
					       .type = EV_CHANGE, .jobs = j, .njobs = 1 });
			feed_drain(&f);
			assert_int_equal(f.broken, 0);
		}
		feed_close(&f);
	}
	nodeset_destroy(part[0]);
	nodeset_destroy(part[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_configure),
		cmocka_unit_test(test_malformed_jobs),
		cmocka_unit_test(test_unknown_ids),
		cmocka_unit_test(test_known_ids),
		cmocka_unit_test(test_malformed_holds),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_unanswered_start),
		cmocka_unit_test(test_unreserved),
		cmocka_unit_test(test_ask_moves_nobody),
		cmocka_unit_test(test_late_opaque),
		cmocka_unit_test(test_refused_opaque),
		cmocka_unit_test(test_due_during_pass),
		cmocka_unit_test(test_overdue_during_pass),
		cmocka_unit_test(test_started_early),
		cmocka_unit_test(test_named_during_start),
		cmocka_unit_test(test_broken_and_mended),
		cmocka_unit_test(test_late_within_guard),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_easy_overdue),
		cmocka_unit_test(test_easy_refused_start),
		cmocka_unit_test(test_easy_asked),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_other_id),
		cmocka_unit_test(test_equal_partitions),
		cmocka_unit_test(test_harmless_changes),
	};

	return seed_run("test_sched", tests);
}
