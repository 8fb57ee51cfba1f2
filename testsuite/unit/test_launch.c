/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_launch: nodes that do nothing for a job until it has been launched there, in the simulator and by the validator. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/sched.h"
#include "sim/check/validate.h"
#include "sim/models/model.h"

#define JOBS 300

struct fixture {
	struct workload w;
	struct sim_outcome out[JOBS];
	struct sim_setup setup;
	uint64_t wrong;
};

static void begin(struct fixture *f, uint32_t nodes)
{
	*f = (struct fixture){ .setup = { .scheduler = "uniform", .nodes = nodes, .named = true } };
	sched_config_init(&f->setup.config);
	workload_init(&f->w);
}

static void add(struct fixture *f, int64_t submit, int32_t width, int32_t most, int64_t runtime)
{
	struct sim_job job = { .id = f->w.count + 1,
			       .submit = submit,
			       .width = width,
			       .most = most,
			       .launch = { 3, 5 },
			       .runtime = runtime,
			       .estimate = runtime };

	assert_int_equal(workload_add(&f->w, &job), 0);
}

static void tell(void *arg, const char *message)
{
	(void)arg;
	print_message("# %s\n", message);
}

static uint64_t judge(struct fixture *f, validate_complain complain)
{
	struct schedule s = { .w = &f->w,
			      .out = f->out,
			      .nodes = f->setup.nodes,
			      .grace = f->setup.config.resize_grace };

	return validate(&s, complain, NULL);
}

static void run(struct fixture *f)
{
	char why[256] = "";

	if (simulate(&f->setup, &f->w, f->out, NULL, why, sizeof(why)) != PACT_OK)
		fail_msg("%s", why);
	assert_int_equal(judge(f, tell), 0);
}

static void end(struct fixture *f)
{
	sim_outcome_release(f->out, f->w.count);
	workload_release(&f->w);
}

/* A rigid one: later by that. */
static void test_rigid(void **state)
{
	static struct fixture f;

	(void)state;
	begin(&f, 4);
	add(&f, 0, 2, 0, 20);
	run(&f);
	assert_int_equal(f.out[0].end, 23);
	end(&f);
}

/* 40 node-seconds on 4 nodes, from 3 on. */
static void test_start(void **state)
{
	static struct fixture f;

	(void)state;
	begin(&f, 4);
	add(&f, 0, 2, 4, 20);
	run(&f);
	assert_int_equal(f.out[0].end, 13);
	end(&f);
}

/*
 * Job 1 ends at 13. Job 2 has 80 node-seconds: 2 nodes from 3 on; at 13 it gets 2 more, which work from 18 on: 30 are done
 * then, and 50 take 12.5 s.
 */
static void test_growth(void **state)
{
	static struct fixture f;

	(void)state;
	begin(&f, 4);
	add(&f, 0, 2, 0, 10);
	add(&f, 0, 2, 4, 40);
	run(&f);
	assert_int_equal(f.out[0].end, 13);
	assert_int_equal(f.out[1].end, 31);
	end(&f);
}

/*
 * Job 1 has 4 nodes from 0 to 10, when job 2 takes 2 of them; they have worked since 3: 28 of 120. Job 2, 10 s on 2 nodes, begins
 * at 13 and ends at 23. Job 1 has 2 nodes to 23, which are 54, and has 4 again, that work from 28 on: 64. 56 are 14 s.
 */
static void test_shrink(void **state)
{
	static struct fixture f;

	(void)state;
	begin(&f, 4);
	add(&f, 0, 2, 4, 60);
	add(&f, 10, 2, 0, 10);
	run(&f);
	assert_int_equal(f.out[1].end, 23);
	assert_int_equal(f.out[0].end, 42);
	end(&f);
}

/* What the validator says when launches were by so much longer than they were. */
static uint64_t other(struct fixture *f, int64_t start, int64_t grow)
{
	for (size_t i = 0; i < f->w.count; i++)
		f->w.job[i].launch = (struct launch){ 5000 + start, 20000 + grow };
	return judge(f, NULL);
}

/* With notice and late answers; and the validator sees when launches took another time. */
static void test_many(void **state)
{
	struct model *m = model_create("malleable", 64, 3, NULL, 0);
	static struct fixture f;
	struct sim_job job;

	(void)state;
	begin(&f, 64);
	assert_non_null(m);
	assert_int_equal(model_set(m, "min_width", "1", NULL, 0), 0);
	assert_int_equal(model_set(m, "speedup", "table", NULL, 0), 0);
	assert_int_equal(model_begin(m, NULL, 0), 0);
	for (size_t i = 0; i < JOBS; i++) {
		assert_int_equal(model_next(m, &job), 0);
		job.launch = (struct launch){ 5000, 20000 };
		assert_int_equal(workload_add(&f.w, &job), 0);
	}
	model_destroy(m);
	f.setup.config.resize_grace = 60000;
	f.setup.answers = (struct answers){ true, 0, 50000, 100000, 5 };
	run(&f);
	assert_true(other(&f, -1, 0) > JOBS / 2);
	assert_true(other(&f, 1, 0) > JOBS / 2);
	assert_true(other(&f, 0, -1) > JOBS / 10);
	assert_true(other(&f, 0, 1) > JOBS / 10);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rigid),  cmocka_unit_test(test_start),
		cmocka_unit_test(test_growth), cmocka_unit_test(test_shrink),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("test_launch", tests, NULL, NULL);
}
