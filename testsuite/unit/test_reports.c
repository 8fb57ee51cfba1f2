/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_reports.c - the latest report of each node: which counts, what is answered, whose jobs are gone
 */
#include "slurm/nodes/reports.h"
#include "slurm/nodes/reports_own.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static char why[256];
static int64_t deadline = 2000; /* of the jobs that are told of */

/* A node tells of one job; what it is answered. Released by the caller. */
static struct node_answer tell(const char *node, const char *boot, uint64_t count, uint32_t id,
			       int64_t work)
{
	struct report_job job = {
		.id = id,
		.submit = 1000,
		.estimate = 60,
		.deadline = deadline,
		.takes = 2,
		.rule = "share",
		.work = work,
	};
	struct node_report report = {
		.count = count, .rating = 500, .processors = 2, .n = 1, .job = &job
	};
	struct node_answer answer;
	char *text, *back;

	snprintf(report.node, sizeof(report.node), "%s", node);
	snprintf(report.boot, sizeof(report.boot), "%s", boot);
	text = report_write(&report);
	back = reports_answer(text, strlen(text), why, sizeof(why));
	assert_non_null(back);
	assert_true(answer_read(back, strlen(back), &answer, why, sizeof(why)));
	free(text);
	free(back);
	return answer;
}

static void tell_only(const char *node, const char *boot, uint64_t count, int64_t work)
{
	struct node_answer answer = tell(node, boot, count, 7, work);

	answer_release(&answer);
}

static int64_t work_of(const char *node, bool again)
{
	struct reports_node out;
	int64_t work;

	reports_take(node, again, &out);
	work = out.njobs ? out.jobs[0].work : -1;
	free(out.jobs);
	return work;
}

static void test_latest(void **state)
{
	struct reports_node out;

	(void)state;
	reports_forget();
	reports_use(30);
	reports_take("n1", true, &out);
	assert_false(out.heard);
	assert_false(reports_came());
	tell_only("n1", "a", 1, 10);
	assert_true(reports_came());
	assert_false(reports_came());
	assert_int_equal(work_of("n1", false), 10);
	assert_int_equal(work_of("n1", false), -1); /* once */
	assert_int_equal(work_of("n1", true), 10);
	tell_only("n1", "a", 3, 30);
	tell_only("n1", "a", 2, 20); /* came late */
	assert_int_equal(work_of("n1", false), 30);
	tell_only("n1", "b", 1, 5); /* another start of the daemon */
	assert_int_equal(work_of("n1", false), 5);
	reports_take("n1", false, &out);
	assert_true(out.heard);
	assert_int_equal(out.rating, 500);
	assert_int_equal(work_of("n2", true), -1);
	reports_forget();
	assert_int_equal(work_of("n1", true), -1);
}

static size_t gone(uint64_t count, uint32_t id)
{
	struct node_answer answer = tell("n1", "a", count, id, 1);
	size_t n = answer.n_gone;

	assert_int_equal(answer.interval, 7);
	if (n)
		assert_int_equal(answer.gone[0], id);
	answer_release(&answer);
	return n;
}

static void write_terms(const struct reports_job *job, char text[REPORT_TERMS])
{
	snprintf(text, REPORT_TERMS, "due %d", (int)job->due);
}

/* With the terms that tell() tells. */
static struct reports_job as_told(uint32_t id, int64_t submit)
{
	return (struct reports_job){
		.id = id, .submit = submit, .estimate = 60, .due = 2000, .takes = 2, .rule = "share"
	};
}

static void say_running(uint32_t id, int64_t submit, int64_t taken)
{
	struct reports_job *jobs = calloc(1, sizeof(*jobs));

	*jobs = as_told(id, submit);
	reports_running(jobs, 1, taken, write_terms);
}

static void test_gone(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	reports_forget();
	reports_use(7);
	assert_int_equal(gone(1, 7), 0); /* no snapshot has said which run */
	say_running(8, 1000, now);
	assert_int_equal(gone(2, 7), 0); /* it may have started since */
	say_running(8, 1000, now + 1000);
	assert_int_equal(gone(3, 7), 1);
	say_running(7, 1000, now + 1000);
	assert_int_equal(gone(4, 7), 0);
	say_running(7, 1001, now + 1000); /* the id of another job */
	assert_int_equal(gone(5, 7), 1);
	reports_forget();
}

/* Slurm's numbers need not rise with submissions. */
static void test_any_order(void **state)
{
	struct reports_job *jobs = calloc(3, sizeof(*jobs));

	(void)state;
	reports_forget();
	reports_use(7);
	jobs[0] = as_told(12, 1000);
	jobs[1] = as_told(7, 1000);
	jobs[2] = as_told(11, 1000);
	reports_running(jobs, 3, time(NULL) + 1000, write_terms);
	assert_int_equal(gone(1, 7), 0);
	assert_int_equal(gone(2, 12), 0);
	assert_int_equal(gone(3, 13), 1);
	reports_forget();
}

/* What runs is so by now; is the node that tells of job 7 told other terms? */
static bool is_told(uint64_t count, struct reports_job is)
{
	struct reports_job *jobs = calloc(1, sizeof(*jobs));
	struct node_answer answer;
	bool told;

	*jobs = is;
	reports_running(jobs, 1, time(NULL), write_terms);
	answer = tell("n1", "a", count, 7, 1);
	told = answer.n;
	if (told) {
		char text[REPORT_TERMS];

		write_terms(&is, text);
		assert_int_equal(answer.n, 1);
		assert_int_equal(answer.job[0].id, 7);
		assert_int_equal(answer.job[0].submit, 1000);
		assert_string_equal(answer.job[0].terms, text);
	}
	answer_release(&answer);
	return told;
}

static void test_changed(void **state)
{
	struct reports_job is = as_told(7, 1000);

	(void)state;
	reports_forget();
	assert_false(is_told(1, is));
	is.due = 1500;
	assert_true(is_told(2, is));
	assert_true(is_told(3, is)); /* until it says that it goes by that */
	is.due = 2000;
	is.estimate = 61;
	assert_true(is_told(4, is));
	is.estimate = 60;
	is.takes = 1;
	assert_true(is_told(5, is));
	is.takes = 2;
	is.rule = "idle";
	assert_true(is_told(6, is));
	is.rule = "share";
	assert_false(is_told(7, is));
	is.submit = 999; /* another job */
	assert_false(is_told(8, is));
	is.submit = 1000;
	is.id = 8;
	assert_false(is_told(9, is));
	is = as_told(7, 1000);
	is.due = INT64_MAX; /* to the node that is the last time that there is */
	deadline = REPORT_TIME_MOST;
	assert_false(is_told(10, is));
	deadline = 2000;
	reports_forget();
}

static void test_refused(void **state)
{
	(void)state;
	assert_null(reports_answer("nonsense", 8, why, sizeof(why)));
	assert_true(why[0]);
	assert_null(reports_answer("{\"pact\":2}", 10, why, sizeof(why)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latest),	  cmocka_unit_test(test_gone),
		cmocka_unit_test(test_any_order), cmocka_unit_test(test_changed),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests_name("test_reports", tests, NULL, NULL);
}
