/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_validate: the validator is content with a right schedule and finds every way in which it can
 * be broken. Each case breaks one thing in the same good schedule.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/nodeset.h"
#include "sim/check/validate.h"

#define JOBS 5

/* Four nodes; what is broken is changed in place. */
struct fixture {
	struct sim_job job[JOBS];
	struct sim_outcome out[JOBS];
	struct workload w;
	struct schedule s;
	struct sim_event event[2];
	struct nodeset *left, *right, *all, *one;
};

static void good(struct fixture *f)
{
	static const struct sim_job job[JOBS] = {
		{ .id = 11, .submit = 0, .width = 2, .estimate = 100, .runtime = 100 },
		{ .id = 12,
		  .submit = 0,
		  .width = 2,
		  .estimate = 50,
		  .runtime = 50,
		  .deadline = 60 },
		{ .id = 13,
		  .submit = 10,
		  .width = 4,
		  .estimate = 80,
		  .runtime = 80,
		  .killed = true },
		{ .id = 14,
		  .submit = 20,
		  .width = 4,
		  .estimate = 90,
		  .runtime = 90,
		  .deadline = 120 },
		{ .id = 15, .submit = 30, .width = 1, .estimate = 20, .runtime = 10, .begin = 180 },
	};

	memcpy(f->job, job, sizeof(job));
	memset(f->out, 0, sizeof(f->out));
	f->out[0] = (struct sim_outcome){ .start = 0, .end = 100, .state = SIM_COMPLETED };
	f->out[1] = (struct sim_outcome){
		.start = 0, .end = 50, .state = SIM_COMPLETED, .promised = true
	};
	f->out[2] = (struct sim_outcome){ .start = 100, .end = 180, .state = SIM_KILLED };
	f->out[3] = (struct sim_outcome){ .start = -1, .end = -1, .state = SIM_REFUSED };
	f->out[4] = (struct sim_outcome){ .start = 180, .end = 190, .state = SIM_COMPLETED };
	f->w = (struct workload){ .job = f->job, .count = JOBS, .room = JOBS };
	f->s = (struct schedule){ .w = &f->w, .out = f->out, .nodes = 4 };
}

/* The same with names: nodes 0-1 and 2-3, and node 0 lost from 185 on. */
static void named(struct fixture *f)
{
	good(f);
	f->out[0].nodes = f->left;
	f->out[1].nodes = f->right;
	f->out[2].nodes = f->all;
	f->out[4].nodes = f->one;
	f->event[0] = (struct sim_event){
		.at = 200, .type = SIM_BLOCK, .nodes = f->left, .start = 200, .end = INT64_MAX
	};
	f->s.event = f->event;
	f->s.nevents = 1;
}

static void wide(struct fixture *f)
{
	f->job[1].width = 3;
}

static void overlap(struct fixture *f)
{
	f->out[2].start = 99;
	f->out[2].end = 179;
}

static void before_submission(struct fixture *f)
{
	f->job[2].submit = 101;
}

static void before_begin(struct fixture *f)
{
	f->job[4].begin = 181;
}

static void too_long(struct fixture *f)
{
	f->out[4].end = 191;
}

static void too_short(struct fixture *f)
{
	f->out[0].end = 99;
}

static void beyond_estimate(struct fixture *f)
{
	f->job[0].estimate = 99;
}

static void killed_in_vain(struct fixture *f)
{
	f->out[0].state = SIM_KILLED;
}

static void not_killed(struct fixture *f)
{
	f->out[2].state = SIM_COMPLETED;
}

static void refused_but_ran(struct fixture *f)
{
	f->out[3].start = 190;
	f->out[3].end = 280;
}

static void refused_without_deadline(struct fixture *f)
{
	f->job[3].deadline = 0;
}

static void refused_and_promised(struct fixture *f)
{
	f->out[3].promised = true;
}

static void never_started(struct fixture *f)
{
	f->out[4] = (struct sim_outcome){ .start = -1, .end = -1, .state = SIM_WAITING };
}

static void never_ended(struct fixture *f)
{
	f->out[4].end = -1;
	f->out[4].state = SIM_RUNNING;
}

static void ended_unseen(struct fixture *f)
{
	f->out[4].start = f->out[4].end = -1;
}

static void promise_broken(struct fixture *f)
{
	f->job[1].deadline = 49;
}

static void promise_broken_and_told(struct fixture *f)
{
	f->job[1].deadline = 49;
	f->out[1].broken = true;
}

static void promise_of_nothing(struct fixture *f)
{
	f->job[1].deadline = 0;
}

static void promised_waits(struct fixture *f)
{
	f->out[1] = (struct sim_outcome){
		.start = -1, .end = -1, .state = SIM_WAITING, .promised = true
	};
	f->s.may_wait = true;
}

static void cancelled_unasked(struct fixture *f)
{
	f->out[4].state = SIM_CANCELLED;
}

static void failed_unasked(struct fixture *f)
{
	f->out[4].state = SIM_FAILED;
}

static const struct {
	void (*spoil)(struct fixture *f);
	const char *told;
} cases[] = {
	{ wide, "time 0: 5 nodes in use of 4 when job 12" },
	{ overlap, "time 99: 6 nodes in use of 4 when job 13" },
	{ before_submission, "job 13 started at 100, before its submission at 101" },
	{ before_begin, "job 15 started at 180, before its begin time 181" },
	{ too_long, "job 15 ran 11 s, its runtime is 10" },
	{ too_short, "job 11 ran 99 s, its runtime is 100" },
	{ beyond_estimate, "job 11 ran 100 s, longer than its estimate 99" },
	{ killed_in_vain, "job 11 is killed, but its estimate was long enough" },
	{ not_killed, "job 13 is completed, but its estimate was too short" },
	{ refused_but_ran, "job 14 was refused, but ran" },
	{ refused_without_deadline, "job 14 was refused and has no deadline" },
	{ refused_and_promised, "job 14 was both accepted and refused" },
	{ never_started, "job 15 never started" },
	{ never_ended, "job 15 never ended" },
	{ ended_unseen, "job 15 is completed, but never ran" },
	{ promise_broken, "job 12 ended at 50, promised was 49 (promise broken and not reported)" },
	{ promise_broken_and_told, "job 12 ended at 50, promised was 49 (promise broken)" },
	{ promise_of_nothing, "job 12 was promised a deadline that it has not" },
	{ promised_waits, "job 12 never started" },
	{ cancelled_unasked, "job 15 is cancelled without a cause" },
	{ failed_unasked, "job 15 is failed without a cause" },
};

static void wrong_width(struct fixture *f)
{
	f->out[4].nodes = f->left;
}

static void shared_node(struct fixture *f)
{
	f->out[1].nodes = f->left;
}

static void outside(struct fixture *f)
{
	f->job[0].nodes = f->right;
}

static void on_lost_node(struct fixture *f)
{
	f->event[0].at = f->event[0].start = 150;
}

static void on_reserved_node(struct fixture *f)
{
	f->event[0] = (struct sim_event){
		.at = 50, .type = SIM_BLOCK, .nodes = f->all, .start = 150, .end = 160
	};
}

static const struct {
	void (*spoil)(struct fixture *f);
	const char *told;
} named_cases[] = {
	{ wrong_width, "job 15 ran on 2 nodes, its width is 1" },
	{ shared_node, "time 0: node 0: in use by another job when job 12 has it" },
	{ outside, "job 11 ran outside its nodes" },
	{ on_lost_node, "job 15 ran on nodes that were blocked" },
	{ on_reserved_node, "job 13 ran on nodes that were blocked" },
};

static void keep(void *arg, const char *message)
{
	char *text = arg;

	strncat(text, message, 1000 - strlen(text));
	strncat(text, "\n", 1000 - strlen(text));
}

static int make_sets(void **state)
{
	static struct fixture f;

	f.left = nodeset_create(4);
	f.right = nodeset_create(4);
	f.all = nodeset_create(4);
	f.one = nodeset_create(4);
	nodeset_set(f.left, 0);
	nodeset_set(f.left, 1);
	nodeset_set(f.right, 2);
	nodeset_set(f.right, 3);
	nodeset_fill(f.all);
	nodeset_set(f.one, 1);
	*state = &f;
	return 0;
}

static int free_sets(void **state)
{
	struct fixture *f = *state;

	nodeset_destroy(f->left);
	nodeset_destroy(f->right);
	nodeset_destroy(f->all);
	nodeset_destroy(f->one);
	return 0;
}

static void test_good(void **state)
{
	struct fixture *f = *state;
	char told[1024] = "";

	good(f);
	assert_int_equal(validate(&f->s, keep, told), 0);
	assert_string_equal(told, "");
	named(f);
	assert_int_equal(validate(&f->s, keep, told), 0);
	assert_string_equal(told, "");
}

static void test_broken(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char told[1024] = "";

		good(f);
		cases[i].spoil(f);
		assert_true(validate(&f->s, keep, told) > 0);
		if (!strstr(told, cases[i].told))
			fail_msg("'%s' instead of '%s'", told, cases[i].told);
	}
}

static void test_broken_named(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(named_cases) / sizeof(named_cases[0]); i++) {
		char told[1024] = "";

		named(f);
		named_cases[i].spoil(f);
		assert_true(validate(&f->s, keep, told) > 0);
		if (!strstr(told, named_cases[i].told))
			fail_msg("'%s' instead of '%s'", told, named_cases[i].told);
	}
}

/* A lost node excuses a broken promise, but only one that was reported. */
static void test_lost_nodes(void **state)
{
	struct fixture *f = *state;

	named(f);
	promise_broken_and_told(f);
	assert_int_equal(validate(&f->s, NULL, NULL), 0);
	f->out[1].broken = false;
	assert_int_equal(validate(&f->s, NULL, NULL), 1);
}

/* By counts: a job that was suspended or resized has what its spans say, and no more has others. */
static void test_spans(void **state)
{
	struct fixture *f = *state;
	struct sim_span span[3] = {
		{ .from = 0, .to = 40, .width = 2 },
		{ .from = 40, .to = 100, .width = 2, .suspended = true },
		{ .from = 100, .to = 130, .width = 4 },
	};
	struct sim_history h = { .span = span, .n = 3, .room = 3 };
	char told[1024] = "";

	/* job 11: 80 node seconds, none from 40 to 100, 120 on four nodes; job 13 goes after it */
	good(f);
	f->out[0].end = 130;
	f->out[0].history = &h;
	f->out[2].start = 130;
	f->out[2].end = 210;
	f->job[4].begin = 210;
	f->out[4].start = 210;
	f->out[4].end = 220;
	assert_int_equal(validate(&f->s, keep, told), 0);
	/* in the time that it was suspended there are four nodes, and then none */
	f->job[1].width = 4;
	f->job[1].submit = f->out[1].start = 50;
	f->out[1].end = 100;
	f->job[1].deadline = 100;
	assert_int_equal(validate(&f->s, keep, told), 0);
	f->out[1].end = 101;
	f->job[1].runtime = f->job[1].estimate = 51;
	f->job[1].deadline = 101;
	assert_int_equal(validate(&f->s, keep, told), 1);
	assert_non_null(strstr(told, "time 100: 8 nodes in use of 4 when job 11"));
	/* less work than its runtime */
	span[2].width = 3;
	told[0] = '\0';
	assert_true(validate(&f->s, keep, told) > 0);
	assert_non_null(strstr(told, "job 11 ended before its work was done"));
	f->out[0].history = NULL;
}

/* By names: two jobs may take turns on their nodes, and not have them at once; both need their memory all the time. */
static void test_node_turns(void **state)
{
	struct nodeset *all = nodeset_create(2);
	struct sim_span span[2][2] = {
		{ { .from = 0, .to = 10, .width = 2, .nodes = all },
		  { .from = 10, .to = 20, .width = 2, .suspended = true, .nodes = all } },
		{ { .from = 0, .to = 10, .width = 2, .suspended = true, .nodes = all },
		  { .from = 10, .to = 20, .width = 2, .nodes = all } },
	};
	struct sim_history h[2] = { { .span = span[0], .n = 2, .room = 2 },
				    { .span = span[1], .n = 2, .room = 2 } };
	struct sim_job job[2] = {
		{ .id = 1, .width = 2, .runtime = 10, .estimate = 10, .memory = 4 },
		{ .id = 2, .width = 2, .runtime = 10, .estimate = 10, .memory = 6 }
	};
	struct workload w = { .job = job, .count = 2 };
	struct sim_outcome out[2] = { 0 };
	struct schedule s = { .w = &w, .out = out, .nodes = 2, .memory = 10 };
	char told[1024] = "";

	(void)state;
	nodeset_fill(all);
	for (int i = 0; i < 2; i++)
		out[i] = (struct sim_outcome){
			.end = 20, .state = SIM_COMPLETED, .nodes = all, .history = &h[i]
		};
	assert_int_equal(validate(&s, keep, told), 0);
	s.memory = 9;
	assert_int_equal(validate(&s, keep, told), 4);
	assert_non_null(strstr(told, "time 0: node 0: memory: 10 in use of 9 with job 2"));
	s.memory = 0;
	span[1][0].to = span[1][1].from = 9;
	span[1][1].lost = 1;
	told[0] = '\0';
	assert_true(validate(&s, keep, told) >= 2);
	assert_non_null(strstr(told, "time 9: node 1: in use by another job when job 2 has it"));
	nodeset_destroy(all);
}

/* Scripted ends are no violations. */
static void test_scripted(void **state)
{
	struct fixture *f = *state;

	named(f);
	f->out[4].state = SIM_CANCELLED;
	f->event[0] = (struct sim_event){ .at = 190, .type = SIM_CANCEL, .index = 4 };
	assert_int_equal(validate(&f->s, NULL, NULL), 0);
	f->event[0].at = 189;
	assert_int_equal(validate(&f->s, NULL, NULL), 1);
	named(f);
	f->out[4].state = SIM_FAILED;
	f->out[4].end = 185;
	f->event[0].at = f->event[0].start = 185;
	f->event[0].nodes = f->one;
	f->out[4].nodes = f->one;
	f->out[4].start = 184;
	f->job[4].begin = 0;
	assert_int_equal(validate(&f->s, NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	     cmocka_unit_test(test_broken),
		cmocka_unit_test(test_broken_named), cmocka_unit_test(test_lost_nodes),
		cmocka_unit_test(test_scripted),     cmocka_unit_test(test_spans),
		cmocka_unit_test(test_node_turns),
	};

	return cmocka_run_group_tests(tests, make_sets, free_sets);
}
