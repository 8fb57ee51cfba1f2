/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_cleaned: a job that is over and runs by its record, of which nodes have cleaned up after it: it is told from those that
 * have lost nodes otherwise, and is ended with all of its nodes, so that what Slurm counts of them comes out even.
 */
#include "slurm/base/compat_played.h"

#include "slurm/records/cleaned.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define ID 7

/* ---- the played slurmctld: nodes 1 and 2 are the job's ---- */

static node_record_t nodes[NODES], *table[NODES];
static job_record_t *job;
static int ended, requeued;

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? job : NULL;
}

/* Each of its nodes is counted out, once, as what it is: deallocate_nodes(), make_node_comp(). */
int job_complete(uint32_t id, uid_t uid, bool requeue, bool node_fail, uint32_t code)
{
	assert_int_equal(id, ID);
	assert_int_equal(uid, 42);
	assert_true(node_fail);
	assert_int_equal(code, NO_VAL);
	assert_int_equal(job->node_cnt, bit_set_count(job->node_bitmap));
	assert_int_equal(job->cpu_cnt, job->total_cpus);
	for (int i = 0; i < NODES; i++) {
		if (bit_test(job->node_bitmap, i) && IS_JOB_SUSPENDED(job))
			nodes[i].sus_job_cnt--;
		else if (bit_test(job->node_bitmap, i))
			nodes[i].run_job_cnt--;
	}
	job->job_state = (requeue ? JOB_PENDING : JOB_NODE_FAIL) | JOB_COMPLETING;
	ended++;
	requeued += requeue;
	return SLURM_SUCCESS;
}

static int open_job(void **state)
{
	(void)state;
	slurm_conf.slurm_user_id = 42;
	node_record_count = NODES;
	node_record_table_ptr = table;
	for (int i = 0; i < NODES; i++) {
		/* another job runs on each, and a third one is suspended */
		nodes[i] = (node_record_t){ .index = i, .run_job_cnt = 1, .sus_job_cnt = 1 };
		table[i] = &nodes[i];
	}
	job = xmalloc(sizeof(*job));
	job->details = xmalloc(sizeof(*job->details));
	job->job_resrcs = xmalloc(sizeof(*job->job_resrcs));
	job->node_bitmap = bit_alloc(NODES);
	job->job_id = ID;
	job->job_state = JOB_RUNNING;
	job->total_cpus = job->cpu_cnt = 8;
	job->details->requeue = 1;
	for (int i = 1; i <= 2; i++) {
		bit_set(job->node_bitmap, i);
		job->node_cnt++;
		nodes[i].run_job_cnt++;
	}
	job->job_resrcs->node_bitmap = bit_copy(job->node_bitmap);
	ended = requeued = 0;
	return 0;
}

static int close_job(void **state)
{
	(void)state;
	FREE_NULL_BITMAP(job->node_bitmap);
	FREE_NULL_BITMAP(job->job_resrcs->node_bitmap);
	xfree(job->job_resrcs);
	xfree(job->details);
	xfree(job);
	return 0;
}

/* make_node_idle() of a job that runs, or is suspended. */
static void cleans_up(int i)
{
	bit_clear(job->node_bitmap, i);
	job->node_cnt--;
	job->cpu_cnt -= 4;
	if (IS_JOB_SUSPENDED(job))
		nodes[i].sus_job_cnt--;
	else
		nodes[i].run_job_cnt--;
}

/* _suspend_job_nodes() */
static void is_suspended(void)
{
	for (int i = 0; i < NODES; i++) {
		if (bit_test(job->node_bitmap, i)) {
			nodes[i].sus_job_cnt++;
			nodes[i].run_job_cnt--;
		}
	}
	job->job_state = JOB_SUSPENDED;
}

/* The others are counted still, and nothing of it. */
static void is_even(void)
{
	for (int i = 0; i < NODES; i++) {
		assert_int_equal(nodes[i].run_job_cnt, 1);
		assert_int_equal(nodes[i].sus_job_cnt, 1);
	}
}

static void is_ended(void)
{
	assert_true(cleaned_after(job));
	assert_true(cleaned_end(ID));
	assert_int_equal(ended, 1);
	is_even();
	assert_false(cleaned_after(job));
	assert_false(cleaned_end(ID));
	assert_int_equal(ended, 1);
}

/* ---- tests ---- */

static void test_one_node(void **state)
{
	(void)state;
	cleans_up(2);
	is_ended();
	assert_int_equal(requeued, 1);
}

static void test_all_nodes(void **state)
{
	(void)state;
	cleans_up(1);
	cleans_up(2);
	is_ended();
	assert_int_equal(requeued, 1);
}

/* Before it was suspended for another's turn, after that, or both. */
static void test_suspended(void **state)
{
	(void)state;
	cleans_up(1);
	is_suspended();
	is_ended();
}

static void test_suspended_before(void **state)
{
	(void)state;
	is_suspended();
	cleans_up(1);
	cleans_up(2);
	is_ended();
}

static void test_suspended_between(void **state)
{
	(void)state;
	cleans_up(2);
	is_suspended();
	cleans_up(1);
	is_ended();
}

/* It may not be requeued: it has lost its node. */
static void test_no_requeue(void **state)
{
	(void)state;
	job->details->requeue = 0;
	cleans_up(1);
	is_ended();
	assert_int_equal(requeued, 0);
}

/* It has all of its nodes, has lost one of them otherwise, is over by its record, or waits. */
static void test_others(void **state)
{
	bitstr_t *its;

	(void)state;
	assert_false(cleaned_after(job));
	assert_false(cleaned_end(ID));
	assert_false(cleaned_end(ID + 1));
	is_suspended();
	assert_false(cleaned_after(job));
	job->job_state = JOB_RUNNING;
	bit_clear(job->node_bitmap, 2);
	bit_clear(job->job_resrcs->node_bitmap, 2); /* excise_node_from_job() */
	assert_false(cleaned_after(job));
	bit_clear(job->node_bitmap, 1);
	assert_true(cleaned_after(job));
	job->job_state = JOB_COMPLETE | JOB_COMPLETING;
	assert_false(cleaned_after(job));
	job->job_state = JOB_PENDING;
	assert_false(cleaned_after(job));
	job->job_state = JOB_RUNNING;
	its = job->node_bitmap;
	job->node_bitmap = NULL;
	assert_false(cleaned_after(job));
	job->node_bitmap = its;
	assert_int_equal(ended, 0);
}

#define cleans(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cleans(test_one_node),
		cleans(test_all_nodes),
		cleans(test_suspended),
		cleans(test_suspended_before),
		cleans(test_suspended_between),
		cleans(test_no_requeue),
		cleans(test_others),
	};

	return seed_run("test_cleaned", tests);
}
