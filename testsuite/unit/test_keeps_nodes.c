/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_keeps_nodes: which jobs have nodes, by their records. slurmctld is played. */
#include "slurm/base/compat_played.h"

#include "slurm/snapshot/keeps_nodes.h"
#include "testsuite/unit/seed.h"

static part_record_t part;
static job_record_t job = { .part_ptr = &part };

/* Under these plugins, in a partition of so many jobs at most that share a node, forced or not. */
static bool keeps_by(const char *submit, const char *select, uint16_t max_share)
{
	bool kept;

	slurm_conf.job_submit_plugins = xstrdup(submit);
	slurm_conf.select_type = xstrdup(select);
	part.max_share = max_share;
	kept = job_keeps_nodes(&job);
	xfree(slurm_conf.job_submit_plugins);
	xfree(slurm_conf.select_type);
	return kept;
}

/* OverSubscribe=FORCE:3, or YES:3. */
static bool keeps(const char *submit, const char *select, bool forced)
{
	return keeps_by(submit, select, forced ? SHARED_FORCE | 3 : 3);
}

static void test_states(void **state)
{
	(void)state;
	job.priority = 1;
	job.job_state = JOB_PENDING;
	assert_false(keeps("deadline", "select/gang", true));
	job.job_state = JOB_RUNNING;
	assert_true(keeps(NULL, "select/linear", false));
	job.job_state = JOB_SUSPENDED;
	assert_true(keeps(NULL, "select/linear", false));
	job.job_state = JOB_COMPLETE | JOB_COMPLETING;
	assert_true(keeps(NULL, "select/linear", false));
	job.job_state = JOB_COMPLETE;
	assert_false(keeps("deadline", "select/gang", true));
}

/* Suspended by hand, or held when it was stopped for another's turn, which its record does not tell apart: without a priority. */
static void test_no_priority(void **state)
{
	(void)state;
	job.job_state = JOB_SUSPENDED;
	job.priority = 0;
	for (int held = 0; held < 2; held++) {
		job.state_reason = held ? WAIT_HELD_USER : WAIT_NO_REASON;
		assert_false(keeps(NULL, "select/linear", false));
		assert_false(keeps("lua", "select/cons_tres", true));
		assert_true(keeps("lua,deadline", "select/linear", false));
		/* select/gang leaves it its place where jobs take turns, or took them (Gang=off) */
		assert_true(keeps(NULL, "select/gang", true));
		assert_true(keeps("lua", "select/gang", true));
		assert_false(keeps(NULL, "select/gang", false));
	}
}

/* Of one row, where nothing takes turns: Slurm gives others the nodes, but of what was stopped when there were more rows. */
static void test_one_row(void **state)
{
	(void)state;
	job.job_state = JOB_SUSPENDED;
	job.priority = 0;
	job.state_reason = WAIT_NO_REASON;
	assert_false(keeps_by(NULL, "select/gang", SHARED_FORCE | 1));
	assert_true(keeps_by(NULL, "select/gang", SHARED_FORCE | 2));
	assert_true(keeps_by("deadline", "select/gang", SHARED_FORCE | 1));
	job.state_reason = WAIT_HELD_USER;
	assert_true(keeps_by(NULL, "select/gang", SHARED_FORCE | 1));
	job.state_desc = (char *)"Suspended with scontrol";
	assert_false(keeps_by(NULL, "select/gang", SHARED_FORCE | 1));
	job.state_desc = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_no_priority),
		cmocka_unit_test(test_one_row),
	};

	return cmocka_run_group_tests_name("test_keeps_nodes", tests, NULL, NULL);
}
