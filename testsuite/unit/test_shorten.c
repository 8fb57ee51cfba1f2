/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_shorten: a job that may run shorter than its limit starts in a hole, with as much as fits there,
 * and touches no other job's place. And one that can use more nodes, a range, is given as many as touch none.
 */
#include "testsuite/unit/feed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PROMISED 1
#define SHORT 2
#define WIDE 3

/* Two nodes; the promised job wants both at 1000, for 100 s and a guard of 30. */
static void open_hole(struct feed *f, enum sched_mode mode)
{
	struct sched_job promised = feed_deadline(PROMISED, 2, 100, 1130);
	struct sched_config c;

	sched_config_init(&c);
	c.mode = mode;
	c.guard = 30;
	feed_open(f, "qops", 2, &c);
	promised.begin = 1000;
	feed_submit(f, promised);
	feed_drain(f);
	assert_int_equal(f->accepted, 1);
	f->hold_starts = true;
}

static struct sched_job may_be_shorter(int64_t limit, int64_t least)
{
	struct sched_job job = feed_job(SHORT, 1, limit);

	job.least = least;
	return job;
}

static void fail_start(struct feed *f, bool reserve)
{
	assert_int_equal(feed_event(f, (struct sched_event){ .type = EV_START_FAILED,
							     .id = SHORT,
							     .reserve = reserve }),
			 PACT_OK);
}

static void test_most_that_fits(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	feed_submit(&f, may_be_shorter(7200, 300));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, SHORT);
	assert_int_equal(f.start.limit, 960); /* 300 s and 11 minutes: 30 s of guard fit as well */
	assert_int_equal(f.start.end, 990);
	assert_int_equal(feed_start(&f, SHORT, NULL), PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_ends(&f, SHORT), 990);
	assert_int_equal(feed_starts(&f, PROMISED), 1000);
	assert_int_equal(f.broken, 0);
	feed_close(&f);
}

static void test_just_fits(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	feed_submit(&f, may_be_shorter(PACT_FOREVER, 970));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.limit, 970);
	feed_close(&f);
}

static void test_does_not_fit(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	feed_submit(&f, may_be_shorter(7200, 971));
	assert_int_equal(feed_drain(&f), 0);
	/* behind the promised one, with its whole limit */
	assert_int_equal(feed_starts(&f, SHORT), 1130);
	assert_int_equal(feed_ends(&f, SHORT), 1130 + 7230);
	feed_close(&f);
}

static void test_whole_if_possible(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	feed_submit(&f, may_be_shorter(970, 60));
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.limit, 970);
	feed_close(&f);
}

/* Nor is a place touched that is kept for a job of higher priority without a promise. */
static void test_behind_priority(void **state)
{
	struct sched_job wide = feed_job(WIDE, 2, 500), narrow = feed_job(4, 1, 370);
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	c.guard = 30;
	feed_open(&f, "qops", 2, &c);
	feed_submit(&f, narrow);
	feed_drain(&f);
	assert_int_equal(f.started, 1);
	wide.priority = 1;
	feed_submit(&f, wide);
	feed_submit(&f, may_be_shorter(7200, 60));
	f.hold_starts = true;
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.id, SHORT);
	assert_int_equal(f.start.limit, 360); /* up to 400, where the wide one begins */
	assert_int_equal(feed_start(&f, SHORT, NULL), PACT_OK);
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, WIDE), 400);
	feed_close(&f);
}

static void test_failed_start(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	feed_submit(&f, may_be_shorter(7200, 300));
	assert_int_equal(feed_drain(&f), 1);
	fail_start(&f, true);
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(feed_ends(&f, SHORT) - feed_starts(&f, SHORT), 7230);
	/* and again at the next pass */
	feed_at(&f, 100);
	assert_int_equal(f.start.id, SHORT);
	assert_int_equal(f.start.limit, 840);
	feed_close(&f);
}

/* Where the planner does not see what the job takes, the driver finds out: at first with all of it. */
static void test_opaque(void **state)
{
	struct sched_job job = may_be_shorter(7200, 300);
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_SLURM);
	job.flags = JOB_OPAQUE;
	feed_submit(&f, job);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.limit, 300); /* no node is free for 7200 s */
	fail_start(&f, true);
	assert_int_equal(feed_drain(&f), 0);
	feed_close(&f);

	open_hole(&f, SCHED_MODE_SLURM);
	job.limit = 900;
	feed_submit(&f, job);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.limit, 900);
	fail_start(&f, true);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(f.start.limit, 300);
	assert_int_equal(f.start.end, 330);
	fail_start(&f, true);
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(feed_starts(&f, SHORT), PACT_FOREVER);
	/* what is no question of nodes does not get better by that */
	feed_at(&f, 10);
	assert_int_equal(f.start.limit, 900);
	fail_start(&f, false);
	assert_int_equal(feed_drain(&f), 0);
	feed_close(&f);
}

static void test_paper_mode(void **state)
{
	struct feed f;

	(void)state;
	open_hole(&f, SCHED_MODE_PAPER);
	feed_submit(&f, may_be_shorter(7200, 300));
	assert_int_equal(feed_drain(&f), 0);
	assert_int_equal(feed_starts(&f, SHORT), 1130);
	feed_close(&f);
}

/* ---- ranges ---- */

/* Four nodes; the promised job wants two at 1000, for 100 s. A job of one to `most` nodes may start. */
static void open_range(struct feed *f, const char *name, int32_t most, int64_t limit)
{
	struct sched_job promised = feed_deadline(PROMISED, 2, 100, 1130), job;
	struct sched_config c;

	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	c.guard = 30;
	feed_open(f, name, 4, &c);
	promised.begin = 1000;
	feed_submit(f, promised);
	feed_drain(f);
	assert_int_equal(f->accepted, 1);
	f->hold_starts = true;
	job = feed_job(SHORT, 1, limit);
	job.most = most;
	feed_submit(f, job);
	assert_int_equal(feed_drain(f), 1);
	assert_int_equal(f->start.width, 1);
	assert_true(f->start.exact);
}

static void test_spare(void **state)
{
	static const struct {
		int32_t most;
		int64_t limit;
		int32_t spare;
	} cases[] = {
		{ 4, 970, 3 },				/* it ends when the promised one begins */
		{ 4, 971, 1 },				/* it does not */
		{ 2, 970, 1 },				/* it can use no more */
		{ 1, 970, 0 },				/* no range */
		{ 0, 970, 0 },		{ 64, 970, 3 }, /* there are no more */
		{ 4, PACT_FOREVER, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct feed f;

		open_range(&f, "qops", cases[i].most, cases[i].limit);
		if (f.start.spare != cases[i].spare)
			fail_msg("case %zu: %d", i, f.start.spare);
		feed_close(&f);
	}
}

/* What it was given beside harms no promise, and what it was not given is others'. */
static void test_spare_taken(void **state)
{
	struct nodeset *two = feed_nodes(4, 3);
	struct feed f;

	(void)state;
	open_range(&f, "qops", 4, 2000);
	assert_int_equal(f.start.spare, 1);
	assert_int_equal(feed_start(&f, SHORT, two), PACT_OK);
	f.hold_starts = false;
	feed_submit(&f, feed_job(WIDE, 2, 100));
	feed_drain(&f);
	assert_int_equal(feed_starts(&f, WIDE), 0);
	feed_finish(&f, WIDE);
	feed_at(&f, 1000);
	assert_int_equal(feed_starts(&f, PROMISED), 1000);
	assert_int_equal(f.broken, 0);
	assert_int_equal(feed_ends(&f, SHORT), 2030);
	feed_close(&f);
	nodeset_destroy(two);
}

/* The promised job is planned by name where others take turns: what is allowed is just what it has. */
static void test_spare_beside(void **state)
{
	struct feed f;

	(void)state;
	feed_open(&f, "mbgs", 4, NULL);
	f.hold_starts = true;
	struct sched_job job = feed_deadline(SHORT, 1, 100, 10000);

	job.most = 4;
	feed_submit(&f, feed_job(WIDE, 2, 100));
	feed_drain(&f);
	feed_start(&f, WIDE, f.start.allowed);
	feed_submit(&f, job);
	feed_drain(&f);
	assert_int_equal(f.start.id, SHORT);
	assert_int_equal(f.start.spare, 0);
	feed_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most_that_fits),	cmocka_unit_test(test_just_fits),
		cmocka_unit_test(test_does_not_fit),	cmocka_unit_test(test_whole_if_possible),
		cmocka_unit_test(test_behind_priority), cmocka_unit_test(test_failed_start),
		cmocka_unit_test(test_opaque),		cmocka_unit_test(test_paper_mode),
		cmocka_unit_test(test_spare),		cmocka_unit_test(test_spare_taken),
		cmocka_unit_test(test_spare_beside),
	};

	return cmocka_run_group_tests_name("shorten", tests, NULL, NULL);
}
