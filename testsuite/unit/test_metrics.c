/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_metrics: every metric over one small schedule whose figures are worked out by hand, and over
 * an empty one.
 *
 * Ten nodes, times from 1000. Job 1: width 4, 1000-1100. Job 2: width 8, submitted 1000, runs
 * 1100-1300. Job 3: width 2, submitted 1050, runs 1100-1104, promised for 1200.
 * Job 4: width 5, 300 s, asked for a deadline, refused.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "core/base/nodeset.h"
#include "sim/run/change.h"
#include "sim/report/metrics.h"

static struct sim_job job[] = {
	{ .id = 1, .submit = 1000, .width = 4, .estimate = 100, .runtime = 100 },
	{ .id = 2, .submit = 1000, .width = 8, .estimate = 400, .runtime = 200 },
	{ .id = 3, .submit = 1050, .width = 2, .estimate = 4, .runtime = 4, .deadline = 1200 },
	{ .id = 4, .submit = 1060, .width = 5, .estimate = 300, .runtime = 300, .deadline = 1400 },
};

static struct sim_outcome out[] = {
	{ .start = 1000, .end = 1100, .state = SIM_COMPLETED },
	{ .start = 1100, .end = 1300, .state = SIM_COMPLETED },
	{ .start = 1100, .end = 1104, .state = SIM_KILLED, .promised = true },
	{ .start = -1, .end = -1, .state = SIM_REFUSED },
};

static const struct workload w = { .job = job, .count = 4, .room = 4 };
static const struct metrics m = { .w = &w, .out = out, .nodes = 10 };

static struct figures of(const struct metrics *x)
{
	struct figures f;

	metrics_figures(x, &f);
	return f;
}

static void close_to(double found, double expected)
{
	if (fabs(found - expected) > 1e-9 * fabs(expected))
		fail_msg("%.12g instead of %.12g", found, expected);
}

static void test_counts(void **state)
{
	(void)state;
	assert_int_equal(of(&m).state[SIM_COMPLETED], 2);
	assert_int_equal(of(&m).state[SIM_KILLED], 1);
	assert_int_equal(of(&m).state[SIM_REFUSED], 1);
	assert_int_equal(of(&m).with_deadline, 2);
	assert_int_equal(of(&m).deadlines_met, 1);
	assert_int_equal(of(&m).promises, 1);
	assert_int_equal(of(&m).promises_broken, 0);
	job[2].deadline = 1103;
	assert_int_equal(of(&m).promises_broken, 1);
	assert_int_equal(of(&m).deadlines_met, 0);
	job[2].deadline = 1200;
}

static void test_refusals(void **state)
{
	(void)state;
	close_to(of(&m).unadmitted_jobs_pct, 50);
	close_to(of(&m).unadmitted_procsec_pct, 100.0 * 1500 / 1508);
}

static void test_machine(void **state)
{
	(void)state;
	assert_int_equal(of(&m).makespan, 300);
	close_to(of(&m).utilization, (400.0 + 1600 + 8) / 3000);
	/* 1000-1100: job 2 waits, 6 nodes are empty; after it no job waits */
	close_to(of(&m).loss_of_capacity, 600.0 / 3000);
}

static void test_means(void **state)
{
	(void)state;
	close_to(of(&m).wait_mean, (0 + 100 + 50) / 3.0);
	close_to(of(&m).response_mean, (100 + 300 + 54) / 3.0);
	close_to(of(&m).artww, (4 * 100 + 8 * 300 + 2 * 54) / 14.0);
	close_to(of(&m).slowdown_mean, (1 + 1.5 + 13.5) / 3);
	close_to(of(&m).slowdown_bounded10_mean, (1 + 1.5 + 5.4) / 3);
	/* job 3: max(54, 60) / max(4, 60) = 1 */
	close_to(of(&m).sldww60, (4 * 1 + 8 * 1.5 + 2 * 1) / 14.0);
	/* responses 100, 300 and 54, runs 100, 200 and 4: all at the bound */
	close_to(of(&m).sldww300, 1);
	close_to(of(&m).nondeadline_response_mean, 200);
	close_to(of(&m).nondeadline_slowdown_mean, 1.25);
}

/* Suspended from 6 to 16, and three seconds lost then: it has used its nodes for its runtime, no longer. */
static void test_lost(void **state)
{
	static struct sim_span span[] = {
		{ .from = 0, .to = 6, .width = 2 },
		{ .from = 6, .to = 16, .width = 2, .suspended = true },
		{ .from = 16, .to = 23, .width = 2, .lost = 3 },
	};
	static struct sim_history history = { .span = span, .n = 3, .room = 3 };
	static struct sim_job one = { .id = 1, .width = 2, .estimate = 10, .runtime = 10 };
	static struct sim_outcome ended = { .end = 23,
					    .state = SIM_COMPLETED,
					    .history = &history };
	static const struct workload alone = { .job = &one, .count = 1, .room = 1 };
	static const struct metrics s = { .w = &alone, .out = &ended, .nodes = 4 };

	(void)state;
	close_to(of(&s).utilization, 20.0 / (4 * 23));
	close_to(of(&s).slowdown_bounded10_mean, 2.3);
	ended.state = SIM_CANCELLED;
	close_to(of(&s).utilization, 26.0 / (4 * 23));
	ended.state = SIM_COMPLETED;
}

/*
 * Four nodes, slices of 10 s, a switch loses 1 s, a migration 3 s; by names of nodes, counted from 0:
 *
 *	0-10   job 1 on 0 to 2; job 2 comes at 2
 *	10-20  job 2 on 0 and 1; job 3 comes at 12
 *	20-25  job 1, which ends
 *	25-32  job 2 on 1 and 2, ends at 32; job 3 on 3, ends at 30
 *
 * A job waits from 12 to 25. From 2 to 12 job 2 does not: it starts before the next arrival or end, so it had its
 * place in the matrix.
 */
static struct sim_span turn[3][3] = {
	{ { .from = 0, .to = 10, .lost = 1, .width = 3 },
	  { .from = 10, .to = 20, .width = 3, .suspended = true },
	  { .from = 20, .to = 25, .lost = 1, .width = 3 } },
	{ { .from = 10, .to = 20, .lost = 1, .width = 2 },
	  { .from = 20, .to = 25, .width = 2, .suspended = true },
	  { .from = 25, .to = 32, .lost = 4, .width = 2 } },
	{ { .from = 25, .to = 30, .lost = 1, .width = 1 } },
};

static struct sim_history turns[] = { { turn[0], 3, 3, 0 },
				      { turn[1], 3, 3, 0 },
				      { turn[2], 1, 1, 0 } };

static struct sim_job gang[] = {
	{ .id = 1, .width = 3, .runtime = 13, .estimate = 13 },
	{ .id = 2, .submit = 2, .width = 2, .runtime = 12, .estimate = 12 },
	{ .id = 3, .submit = 12, .width = 1, .runtime = 4, .estimate = 4 },
};

static struct sim_outcome ganged[] = {
	{ .start = 0, .end = 25, .state = SIM_COMPLETED, .history = &turns[0] },
	{ .start = 10, .end = 32, .state = SIM_COMPLETED, .history = &turns[1] },
	{ .start = 25, .end = 30, .state = SIM_COMPLETED, .history = &turns[2] },
};

static struct nodeset *nodes_from(uint32_t first, uint32_t n)
{
	struct nodeset *set = nodeset_create(4);

	assert_non_null(set);
	for (uint32_t i = 0; i < n; i++)
		nodeset_set(set, first + i);
	return set;
}

static void test_slices(void **state)
{
	struct sim_slices slices = {
		.rows = 2, .length = 10, .turn = 1, .switch_loss = 1, .cost = 3, .quota = 100
	};
	static const struct workload three = { .job = gang, .count = 3, .room = 3 };
	struct metrics g = { .w = &three, .out = ganged, .nodes = 4, .slices = &slices };
	struct nodeset *before = nodes_from(0, 2), *after = nodes_from(1, 2);
	struct figures f;

	(void)state;
	turn[1][0].nodes = turn[1][1].nodes = before;
	turn[1][2].nodes = after;
	f = of(&g);
	close_to(f.utilization, (39.0 + 24 + 4) / 128);
	/* 2 nodes from 12 to 20, 1 from 20 to 25, and the switch of job 1 at 20 */
	close_to(f.loss_of_capacity, (16.0 + 5 + 3) / 128);
	assert_int_equal(f.turns.switches, 5);
	assert_int_equal(f.turns.switch_loss_s, 1);
	assert_int_equal(f.turns.switching_s, 3 + 3 + 2 + 2 + 1);
	close_to(f.turns.switching, 11.0 / 128);
	assert_int_equal(f.turns.migrations, 1);
	assert_int_equal(f.turns.tasks, 2);
	assert_int_equal(f.turns.migrating_s, 3 * 2);
	close_to(f.turns.migrating, 6.0 / 128);
	/* discrete: job 2 waited until 10, beside a node */
	slices.discrete = true;
	close_to(of(&g).loss_of_capacity, (8.0 + 16 + 5 + 3) / 128);
	/* without slices likewise, and a switch is nothing of its own */
	g.slices = NULL;
	f = of(&g);
	close_to(f.loss_of_capacity, (8.0 + 16 + 5) / 128);
	assert_int_equal(f.turns.switches, 0);
	assert_int_equal(f.turns.switching_s, 0);
	nodeset_destroy(before);
	nodeset_destroy(after);
}

/* A job that is moved while it runs, and pays for it, is not switched; one without a history began to run once. */
static void test_moved(void **state)
{
	static const struct sim_slices slices = {
		.rows = 2, .length = 10, .turn = 1, .switch_loss = 1, .cost = 3, .quota = 100
	};
	static struct sim_span span[] = { { .from = 0, .to = 4, .lost = 1, .width = 2 },
					  { .from = 4, .to = 12, .lost = 3, .width = 2 } };
	static struct sim_history history = { .span = span, .n = 2, .room = 2 };
	static struct sim_job two[] = { { .id = 1, .width = 2, .runtime = 8, .estimate = 8 },
					{ .id = 2, .width = 1, .runtime = 5, .estimate = 5 } };
	static struct sim_outcome end[] = {
		{ .end = 12, .state = SIM_COMPLETED, .history = &history },
		{ .end = 5, .state = SIM_COMPLETED },
	};
	static const struct workload both = { .job = two, .count = 2, .room = 2 };
	static const struct metrics g = { .w = &both, .out = end, .nodes = 4, .slices = &slices };
	struct figures f;

	(void)state;
	span[0].nodes = nodes_from(0, 2);
	span[1].nodes = nodes_from(2, 2);
	f = of(&g);
	assert_int_equal(f.turns.switches, 2);
	assert_int_equal(f.turns.switching_s, 2);
	assert_int_equal(f.turns.migrations, 1);
	assert_int_equal(f.turns.tasks, 2);
	assert_int_equal(f.turns.migrating_s, 6);
	close_to(f.loss_of_capacity, 0);
	nodeset_destroy(span[0].nodes);
	nodeset_destroy(span[1].nodes);
}

/* Deviations: of the waits 0, 100, 50 and the slowdowns 1, 1.5, 5.4; one job is as wide as a small one can be. */
static void test_spreads(void **state)
{
	const double mean = 7.9 / 3;
	struct figures f = of(&m);

	(void)state;
	assert_int_equal(f.all.jobs, 3);
	close_to(f.all.wait_mean, 50);
	close_to(f.all.wait_sd, sqrt(5000.0 / 3));
	close_to(f.all.slowdown_mean, mean);
	close_to(f.all.slowdown_sd, sqrt((1 + 2.25 + 29.16) / 3 - mean * mean));
	assert_int_equal(f.large.jobs, 0);
	close_to(f.large.wait_sd, 0);
	job[0].width = 32;
	job[1].width = 33;
	f = of(&m);
	assert_int_equal(f.small.jobs, 2);
	close_to(f.small.wait_mean, 25);
	close_to(f.small.wait_sd, 25);
	close_to(f.small.slowdown_mean, 3.2);
	close_to(f.small.slowdown_sd, 2.2);
	assert_int_equal(f.large.jobs, 1);
	close_to(f.large.wait_mean, 100);
	close_to(f.large.wait_sd, 0);
	close_to(f.large.slowdown_mean, 1.5);
	close_to(f.large.slowdown_sd, 0);
	job[0].width = 4;
	job[1].width = 8;
}

/* A response shorter than the bound counts as slowdown 1, not less. */
static void test_bound(void **state)
{
	static struct sim_job short_job = { .id = 1, .width = 1, .estimate = 2, .runtime = 2 };
	static struct sim_outcome short_out = { .start = 1, .end = 3, .state = SIM_COMPLETED };
	static const struct workload one = { .job = &short_job, .count = 1, .room = 1 };
	static const struct metrics s = { .w = &one, .out = &short_out, .nodes = 1 };

	(void)state;
	close_to(of(&s).slowdown_mean, 1.5);
	close_to(of(&s).slowdown_bounded10_mean, 1);
	close_to(of(&s).sldww60, 1);
}

static void test_nothing_ran(void **state)
{
	static struct sim_outcome none = { .start = -1, .end = -1, .state = SIM_REFUSED };
	static const struct workload one = { .job = &job[3], .count = 1, .room = 1 };
	static const struct metrics n = { .w = &one, .out = &none, .nodes = 10 };

	(void)state;
	assert_int_equal(of(&n).makespan, 0);
	close_to(of(&n).utilization, 0);
	close_to(of(&n).loss_of_capacity, 0);
	close_to(of(&n).wait_mean, 0);
	close_to(of(&n).sldww60, 0);
	close_to(of(&n).sldww300, 0);
	close_to(of(&n).unadmitted_jobs_pct, 100);
}

/* A caller that has the list of starts and ends may give it; a job of no length waited, and used nothing. */
static void test_changes_given(void **state)
{
	static struct sim_job two[] = {
		{ .id = 1, .submit = 0, .width = 3, .estimate = 10, .runtime = 10 },
		{ .id = 2, .submit = 2, .width = 2, .estimate = 5, .runtime = 5 },
	};
	static struct sim_outcome at[] = {
		{ .start = 0, .end = 10, .state = SIM_COMPLETED },
		{ .start = 10, .end = 10, .state = SIM_CANCELLED },
	};
	static const struct workload both = { .job = two, .count = 2, .room = 2 };
	struct metrics given = { .w = &both, .out = at, .nodes = 4 };

	(void)state;
	close_to(of(&given).loss_of_capacity, 8.0 / 40);
	given.change = change_schedule(&both, at, &given.changes);
	assert_non_null(given.change);
	assert_int_equal(given.changes, 3);
	assert_int_equal(given.change[0].at, 0);
	assert_int_equal(given.change[1].used, -3);
	assert_int_equal(given.change[2].used, 0);
	assert_int_equal(given.change[2].mark, 1);
	close_to(of(&given).loss_of_capacity, 8.0 / 40);
	free((struct change *)given.change);
}

/*
 * Malleable jobs on four nodes. Job 1: 1 to 4 nodes, 12 node seconds, on 2 from 0 to 3, on 1 to 5, on 4 to 6; worth 8, all of
 * it until 5, nothing from 10 on. Job 2, rigid, 2 nodes, from 3 to 5; worth 6, until 10, nothing at 18. Job 3 is refused,
 * job 4 had no deadline, job 5 ended too late, job 6 was killed.
 */
static struct sim_job ranged[] = {
	{ .id = 1, .width = 1, .most = 4, .runtime = 12, .value = 8000000, .deadline = 10 },
	{ .id = 2, .submit = 2, .width = 2, .runtime = 2, .value = 6000000, .deadline = 18 },
	{ .id = 3,
	  .submit = 2,
	  .width = 4,
	  .most = 4,
	  .runtime = 1,
	  .value = 500000,
	  .deadline = 4 },
	{ .id = 4, .submit = 6, .width = 1, .runtime = 1, .value = 3000000 },
	{ .id = 5, .submit = 6, .width = 1, .runtime = 2, .value = 4000000, .deadline = 7 },
	{ .id = 6, .submit = 6, .width = 1, .runtime = 2, .value = 4000000, .deadline = 70 },
};

static void test_worth(void **state)
{
	static struct sim_span span[] = { { .from = 0, .to = 3, .width = 2 },
					  { .from = 3, .to = 5, .width = 1 },
					  { .from = 5, .to = 6, .width = 4 } };
	static struct sim_history history = { .span = span, .n = 3, .room = 3 };
	static struct sim_outcome at[] = {
		{ .start = 0, .end = 6, .state = SIM_COMPLETED, .history = &history },
		{ .start = 3, .end = 5, .state = SIM_COMPLETED, .promised = true },
		{ .start = -1, .end = -1, .state = SIM_REFUSED },
		{ .start = 6, .end = 7, .state = SIM_COMPLETED },
		{ .start = 6, .end = 8, .state = SIM_COMPLETED },
		{ .start = 6, .end = 8, .state = SIM_KILLED },
	};
	static const struct workload all = { .job = ranged, .count = 6, .room = 6 };
	static const struct metrics s = { .w = &all, .out = at, .nodes = 4 };
	struct figures f = of(&s);

	(void)state;
	assert_int_equal(f.worth.accepted, 5);
	assert_int_equal(f.worth.ranges, 2);
	assert_int_equal(f.worth.valued, 6);
	assert_int_equal(f.worth.resizes, 2);
	/* 8 x 2 x (10 - 6) / 10, and all of 6 */
	close_to(f.worth.profit, 6.4 + 6);
	close_to(f.worth.possible, 25.5);
	close_to(f.worth.response_submitted, (6.0 + 3 + 0 + 1 + 2 + 2) / 6);
	close_to(f.response_mean, 14.0 / 5);
	close_to(f.worth.range_response, 6);
	close_to(f.worth.rigid_response, 8.0 / 4);
	/* what it had, not its work on one node */
	close_to(f.utilization, (6.0 + 2 + 4 + 4 + 1 + 2 + 2) / (4 * 8));
	assert_int_equal(of(&m).worth.ranges, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	      cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_machine),	      cmocka_unit_test(test_means),
		cmocka_unit_test(test_bound),	      cmocka_unit_test(test_nothing_ran),
		cmocka_unit_test(test_changes_given), cmocka_unit_test(test_spreads),
		cmocka_unit_test(test_lost),	      cmocka_unit_test(test_slices),
		cmocka_unit_test(test_moved),	      cmocka_unit_test(test_worth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
