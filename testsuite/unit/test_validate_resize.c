/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_validate_resize: what the validator asks of jobs whose width changes. A right schedule of one job, in which one thing
 * at a time is made wrong; and whole schedules of the simulator, in which it is done to any of their jobs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/nodeset.h"
#include "core/sched.h"
#include "sim/check/validate.h"
#include "sim/models/model.h"
#include "sim/run/deadlines.h"
#include "sim/run/notices.h"

/*
 * Four nodes. 100 node-seconds in 60 s, by the estimate, too: 4 nodes to 10, then 2, as the other two were taken 5 s after
 * the job had been told.
 */
struct fixture {
	struct sim_job job;
	struct sim_outcome out;
	struct sim_span span[2];
	struct sim_notice notice;
	struct sim_history history;
	struct sim_notices notices;
	struct workload w;
	struct schedule s;
	struct nodeset *low, *high, *all, *one;
};

static void good(struct fixture *f)
{
	f->job = (struct sim_job){
		.id = 7, .width = 1, .most = 4, .estimate = 100, .runtime = 100, .deadline = 60
	};
	f->span[0] = (struct sim_span){ .from = 0, .to = 10, .width = 4, .nodes = f->all };
	f->span[1] = (struct sim_span){ .from = 10, .to = 40, .width = 2, .nodes = f->low };
	f->notice = (struct sim_notice){
		.told = 5, .due = 10, .gives = PACT_FOREVER, .left = 10, .nodes = f->high
	};
	f->history = (struct sim_history){ .span = f->span, .n = 2 };
	f->notices = (struct sim_notices){ .v = &f->notice, .n = 1 };
	f->out = (struct sim_outcome){ .start = 0,
				       .end = 40,
				       .state = SIM_COMPLETED,
				       .promised = true,
				       .nodes = f->all,
				       .history = &f->history,
				       .notices = &f->notices };
	f->w = (struct workload){ .job = &f->job, .count = 1, .room = 1 };
	f->s = (struct schedule){
		.w = &f->w, .out = &f->out, .nodes = 4, .grace = 5, .own_grace = 5
	};
}

static void unasked(struct fixture *f)
{
	f->out.notices = NULL;
}

static void too_soon(struct fixture *f)
{
	f->notice.told = 6;
}

static void gave_back(struct fixture *f)
{
	f->notice.told = 9;
	f->notice.due = 14;
	f->notice.gives = 10;
}

static void would_give_later(struct fixture *f)
{
	gave_back(f);
	f->notice.gives = 11;
}

static void gave_before_told(struct fixture *f)
{
	gave_back(f);
	f->notice.told = 11;
}

static void other_nodes(struct fixture *f)
{
	f->notice.nodes = f->one;
}

static void kept_too_long(struct fixture *f)
{
	f->notice.told = 4;
	f->notice.due = 9;
}

static void never_left(struct fixture *f)
{
	f->span[1].nodes = f->all;
	f->span[1].width = 4;
	f->span[1].to = f->out.end = 25;
	f->notice.left = -1;
}

static void ended_before(struct fixture *f)
{
	never_left(f);
	f->notice.told = 20;
	f->notice.due = 25;
}

static void own_notice(struct fixture *f)
{
	f->job.grace = 3;
	f->notice.told = 7;
}

static void less_than_own(struct fixture *f)
{
	f->job.grace = 3;
	f->notice.told = 8;
}

static void more_than_the_setting(struct fixture *f)
{
	f->job.grace = 50;
}

/* The scheduler gives so much: it is what counts. */
static void more_and_given(struct fixture *f)
{
	more_than_the_setting(f);
	f->s.own_grace = PACT_FOREVER;
	f->s.grace = 2;
	f->job.grace = 5;
}

static void more_and_not_given(struct fixture *f)
{
	more_and_given(f);
	f->notice.told = 6;
}

/* Loans: it has its own where the setting is none. */
static void own_alone(struct fixture *f)
{
	more_and_not_given(f);
	f->s.grace = 0;
}

/* Uniform: there it has none. */
static void not_asked_for(struct fixture *f)
{
	own_alone(f);
	f->s.own_grace = 0;
}

static void at_once(struct fixture *f)
{
	f->s.grace = 0;
	f->out.notices = NULL;
}

/* In time all the same: it gets more later. */
static void below_floor(struct fixture *f)
{
	f->span[0].width = 1;
	f->span[0].nodes = f->one;
	f->span[1].width = 4;
	f->span[1].nodes = f->all;
	f->span[1].to = f->out.end = 33;
	f->out.notices = NULL;
}

static void below_floor_and_told(struct fixture *f)
{
	below_floor(f);
	f->out.broken = true;
}

static void not_promised(struct fixture *f)
{
	below_floor(f);
	f->out.promised = false;
}

/* Its runtime needs no more than it has, but the plan knows its estimate only. */
static void below_floor_by_estimate(struct fixture *f)
{
	f->job.estimate = 150;
}

static void too_wide(struct fixture *f)
{
	f->job.most = 3;
}

static void too_narrow(struct fixture *f)
{
	f->job.width = 3;
	f->job.runtime = 33;
	f->job.estimate = 34;
}

static void too_long(struct fixture *f)
{
	f->span[1].to = f->out.end = 41;
}

#define TAKEN "job 7: node 2 was taken at 10, and it had not given it back and was not told "

static const struct {
	void (*spoil)(struct fixture *f);
	const char *told; /* NULL: that is right, too */
} cases[] = {
	{ good, NULL },
	{ unasked, TAKEN "5 s before" },
	{ too_soon, TAKEN "5 s before" },
	{ gave_back, NULL },
	{ would_give_later, TAKEN "5 s before" },
	{ gave_before_told, TAKEN "5 s before" },
	{ other_nodes, TAKEN "5 s before" },
	{ kept_too_long, "job 7 had nodes until 10 that it was to give back by 9" },
	{ never_left, "job 7 had nodes until 25 that it was to give back by 10" },
	{ ended_before, NULL },
	{ own_notice, NULL },
	{ less_than_own, TAKEN "3 s before" },
	{ more_than_the_setting, NULL },
	{ more_and_given, NULL },
	{ more_and_not_given, TAKEN "5 s before" },
	{ own_alone, TAKEN "5 s before" },
	{ not_asked_for, NULL },
	{ at_once, NULL },
	{ below_floor, "job 7 had 1 nodes from 0 on, with which it would miss its deadline" },
	{ below_floor_and_told, NULL },
	{ not_promised, NULL },
	{ below_floor_by_estimate,
	  "job 7 had 2 nodes from 10 on, with which it would miss its deadline" },
	{ too_wide, "job 7 had 4 nodes from 0 on, its range is 1 to 3" },
	{ too_narrow, "job 7 had 2 nodes from 10 on, its range is 3 to 4" },
	{ too_long, "job 7 went on when its work was done" },
};

/* Was it said, among other things? */
struct listener {
	const char *wanted;
	bool heard;
};

static void listen(void *arg, const char *message)
{
	struct listener *l = arg;

	l->heard |= l->wanted && strstr(message, l->wanted);
	if (!l->wanted)
		print_message("# %s\n", message);
}

static void test_cases(void **state)
{
	struct fixture f = { .low = nodeset_create(4),
			     .high = nodeset_create(4),
			     .all = nodeset_create(4),
			     .one = nodeset_create(4) };

	(void)state;
	nodeset_fill(f.all);
	nodeset_fill(f.high);
	nodeset_set(f.low, 0);
	nodeset_set(f.low, 1);
	nodeset_and_not(f.high, f.low);
	nodeset_set(f.one, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct listener l = { .wanted = cases[i].told };
		uint64_t n;

		good(&f);
		cases[i].spoil(&f);
		n = validate(&f.s, listen, &l);
		if (!l.wanted)
			assert_int_equal(n, 0);
		else if (!l.heard)
			fail_msg("case %zu: not said: %s", i, l.wanted);
	}
	nodeset_destroy(f.low);
	nodeset_destroy(f.high);
	nodeset_destroy(f.all);
	nodeset_destroy(f.one);
}

/* ---- whole schedules ---- */

#define JOBS 400

static void make_jobs(struct workload *w, const char *interarrival)
{
	struct model *m = model_create("malleable", 64, 3, NULL, 0);
	struct deadlines none;
	struct sim_job job;

	assert_non_null(m);
	assert_int_equal(model_set(m, "streams", "two", NULL, 0), 0);
	assert_int_equal(model_set(m, "deadline", "3840", NULL, 0), 0);
	assert_int_equal(model_set(m, "value", "1000", NULL, 0), 0);
	assert_int_equal(model_set(m, "min_width", "1", NULL, 0), 0);
	assert_int_equal(model_set(m, "interarrival", interarrival, NULL, 0), 0);
	assert_int_equal(model_begin(m, NULL, 0), 0);
	workload_init(w);
	for (size_t i = 0; i < JOBS; i++) {
		assert_int_equal(model_next(m, &job), 0);
		assert_int_equal(workload_add(w, &job), 0);
	}
	model_destroy(m);
	for (size_t i = 0; i < JOBS; i++) /* the setting is a minute */
		w->job[i].grace = (int64_t)(i % 3) * 45000;
	deadlines_parse("none", &none, NULL, 0); /* those that the model has */
	assert_int_equal(deadlines_assign(&none, w, 64, 0, 1, NULL, 0), 0);
}

/* In each job the first notice that was waited for is a second too short: as many violations as there are nodes in them. */
static uint64_t shorten(struct sim_outcome *out)
{
	uint64_t nodes = 0;

	for (size_t i = 0; i < JOBS; i++) {
		struct sim_notices *x = out[i].notices;
		size_t k = 0;

		while (x && k < x->n && (x->v[k].left != x->v[k].due || x->v[k].left == out[i].end))
			k++;
		if (!x || k == x->n)
			continue;
		x->v[k].told++;
		nodes += nodeset_count(x->v[k].nodes);
	}
	return nodes;
}

static void test_schedules(void **state)
{
	static const char *const names[] = { "uniform", "profit", "lazy", "qops" };
	static struct sim_outcome out[JOBS];
	struct workload w;

	(void)state;
	make_jobs(&w, "60");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct sim_setup setup = { .scheduler = names[i],
					   .nodes = 64,
					   .unpromised = true,
					   .answers = { true, 0, 90000, 300000, 5 } };
		struct schedule s = { .w = &w, .out = out, .nodes = 64, .grace = 60000 };
		struct listener l = { NULL, false };
		uint64_t wrong;

		sched_config_init(&setup.config);
		setup.config.resize_grace = s.grace;
		setup.config.loans = LOANS_UNIFORM;
		s.own_grace = notices_longest(names[i], &setup.config);
		assert_int_equal(simulate(&setup, &w, out, NULL, NULL, 0), PACT_OK);
		assert_int_equal(validate(&s, listen, &l), 0);
		wrong = shorten(out);
		assert_true(wrong > 20);
		assert_int_equal(validate(&s, NULL, NULL), wrong);
		sim_outcome_release(out, JOBS);
	}
	workload_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_schedules),
	};

	return cmocka_run_group_tests_name("test_validate_resize", tests, NULL, NULL);
}
