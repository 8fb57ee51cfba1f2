/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_recount: a start was refused nodes that look free: when Slurm is made to count anew, and what slurmctld's own counters are
 * then; what a reconfiguration has counted twice; and rows that slurmdbd has not numbered. The select
 * plugin is played.
 */
#include "slurm/base/compat_played.h"

#include "slurm/acting/recount.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/resize_books.h"
#include "testsuite/unit/seed.h"

#define NODES 4

/* ---- the played slurmctld ---- */

bitstr_t *idle_node_bitmap, *avail_node_bitmap, *cg_node_bitmap, *share_node_bitmap;
list_t *job_list;
time_t last_job_update, last_node_update;
static node_record_t nodes[NODES], *table[NODES];
static job_details_t details = { .min_nodes = NODES }, alone;
static job_record_t waiting = { .magic = JOB_MAGIC, .job_id = 1, .details = &details };
static job_record_t other = { .magic = JOB_MAGIC, .job_id = 2, .details = &alone };
static int recounts;
static time_t now = 1700000000;
static bool with_slurmdbd, active;
static struct row {
	int n;
	uint64_t number;
	time_t resized, end;
	uint32_t state;
} ended; /* as slurmdbd is told */
void *acct_db_conn;

time_t __wrap_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	if (out)
		*out = now;
	return now;
}

int select_g_reconfigure(void)
{
	recounts++;
	return SLURM_SUCCESS;
}

const char *scheduler_type(void)
{
	return "sched/qops";
}

bool slurm_with_slurmdbd(void)
{
	return with_slurmdbd;
}

int acct_storage_g_get_data(void *conn, acct_storage_info_t what, void *data)
{
	(void)conn;
	assert_int_equal(what, ACCT_STORAGE_INFO_CONN_ACTIVE);
	*(int *)data = active;
	return SLURM_SUCCESS;
}

int jobacct_storage_g_job_complete(void *conn, job_record_t *job)
{
	(void)conn;
	ended = (struct row){ ended.n + 1, job->db_index, job->resize_time, job->end_time,
			      job->job_state };
	return SLURM_SUCCESS;
}

#ifndef job_state_set
void job_state_set(job_record_t *job, uint32_t state)
{
	job->job_state = state;
}
#endif

/* All nodes idle, and for whatever job; and a second job on the last one, if it is anything. */
static void set_up(const char *select, uint32_t state)
{
	xfree(slurm_conf.select_type);
	slurm_conf.select_type = xstrdup(select);
	bit_set_all(idle_node_bitmap);
	bit_set_all(avail_node_bitmap);
	bit_set_all(share_node_bitmap);
	bit_clear_all(cg_node_bitmap);
	for (int i = 0; i < NODES; i++) {
		nodes[i].node_state = NODE_STATE_IDLE;
		nodes[i].no_share_job_cnt = 0;
	}
	details.min_nodes = NODES;
	other.job_state = state;
	bit_clear_all(other.node_bitmap);
	if (state == JOB_RUNNING || state == JOB_SUSPENDED) {
		bit_set(other.node_bitmap, NODES - 1);
		bit_clear(idle_node_bitmap, NODES - 1);
		bit_clear(share_node_bitmap, NODES - 1);
		nodes[NODES - 1].node_state = NODE_STATE_ALLOCATED;
		nodes[NODES - 1].no_share_job_cnt = 1;
		details.min_nodes = NODES - 1;
	}
	now += 1000;
	recounts = 0;
}

static bool recount(void)
{
	bitstr_t *all = bit_alloc(NODES);
	bool done;

	bit_set_all(all);
	done = recount_nodes(&waiting, all);
	FREE_NULL_BITMAP(all);
	assert_int_equal(done, recounts != 0);
	return done;
}

/* ---- when ---- */

static void test_when(void **state)
{
	(void)state;
	set_up("select/linear", JOB_COMPLETE);
	assert_true(recount());
	set_up("select/gang", JOB_SUSPENDED);
	assert_true(recount());
	/* Slurm would count it again when it goes on */
	set_up("select/linear", JOB_SUSPENDED);
	assert_false(recount());
	set_up("select/cons_tres", JOB_COMPLETE);
	assert_false(recount());
}

static void test_not_free(void **state)
{
	(void)state;
	set_up("select/linear", JOB_RUNNING);
	assert_true(recount());
	set_up("select/linear", JOB_RUNNING);
	details.min_nodes = NODES;
	assert_false(recount());
	set_up("select/linear", JOB_COMPLETE);
	bit_set(cg_node_bitmap, 1);
	assert_false(recount());
	set_up("select/linear", JOB_COMPLETE);
	bit_clear(avail_node_bitmap, 2);
	assert_false(recount());
}

/* What does not help is done once a minute. */
static void test_seldom(void **state)
{
	(void)state;
	set_up("select/linear", JOB_COMPLETE);
	assert_true(recount());
	for (int i = 1; i < 60; i++) {
		now++;
		recounts = 0;
		assert_false(recount());
	}
	now++;
	assert_true(recount());
}

/* ---- what ---- */

/* A node that no job has can be had by any, and one is counted by the jobs that are there. */
static void test_counters(void **state)
{
	(void)state;
	set_up("select/linear", JOB_RUNNING);
	bit_clear(share_node_bitmap, 0);
	bit_clear(share_node_bitmap, 1);
	nodes[1].no_share_job_cnt = 2;
	nodes[NODES - 1].no_share_job_cnt = 2;
	assert_true(recount());
	assert_true(bit_test(share_node_bitmap, 0));
	assert_true(bit_test(share_node_bitmap, 1));
	assert_int_equal(nodes[1].no_share_job_cnt, 0);
	assert_int_equal(nodes[NODES - 1].no_share_job_cnt, 1);
	assert_false(bit_test(share_node_bitmap, NODES - 1));
	assert_int_equal(last_node_update, now);
}

/* ---- suspended jobs ---- */

/* As 22.05 leaves it when it is reconfigured: twice. What is right, and what is less, stays. */
static void test_suspended(void **state)
{
	(void)state;
	set_up("select/gang", JOB_SUSPENDED);
	for (int i = 0; i < NODES; i++)
		nodes[i].sus_job_cnt = 0;
	nodes[1].sus_job_cnt = 1; /* its job is over by now */
	nodes[NODES - 1].sus_job_cnt = 2;
	recount_suspended();
	assert_int_equal(nodes[0].sus_job_cnt, 0);
	assert_int_equal(nodes[1].sus_job_cnt, 0);
	assert_int_equal(nodes[NODES - 1].sus_job_cnt, 1);
	recount_suspended();
	assert_int_equal(nodes[NODES - 1].sus_job_cnt, 1);
	nodes[NODES - 1].sus_job_cnt = 0;
	recount_suspended();
	assert_int_equal(nodes[NODES - 1].sus_job_cnt, 0);
	set_up("select/gang", JOB_RUNNING);
	nodes[NODES - 1].sus_job_cnt = 1;
	recount_suspended();
	assert_int_equal(nodes[NODES - 1].sus_job_cnt, 0);
}

/* ---- rows in slurmdbd's books ---- */

/* A job that runs, resized just now, whose row has this number. */
static void resized(uint64_t number)
{
	set_up("select/linear", JOB_RUNNING);
	other.start_time = now - 100;
	other.end_time = now + 100;
	other.resize_time = now;
	other.db_index = number;
	last_job_update = now;
	ended = (struct row){ 0 };
	assert_true(resize_books_behind());
	resize_books_heal();
}

/* Whether slurmdbd is there or not: what it has not given by then it never does. */
static void test_number(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		with_slurmdbd = i;
		resized(NO_VAL64);
		assert_int_equal(other.db_index, 0);
		resized(7);
		assert_int_equal(other.db_index, 7);
		other.resize_time = 0; /* its first number it may still get */
		other.db_index = NO_VAL64;
		resize_books_recount();
		assert_true(other.db_index == NO_VAL64);
	}
}

static void test_row_ends(void **state)
{
	time_t was;

	(void)state;
	with_slurmdbd = true;
	if (!resizes_are_numbered())
		skip();
	resized(NO_VAL64);
	was = now;
	now += 50;
	resize_books_begin(&other);
	assert_int_equal(ended.n, 1);
	assert_int_equal(ended.number, 0);
	assert_int_equal(ended.resized, was);
	assert_int_equal(ended.end, now);
	assert_int_equal(ended.state, JOB_COMPLETE);
	assert_int_equal(other.end_time, was + 100);
	assert_int_equal(other.job_state, JOB_RUNNING);
	/* Slurm's own word of the end of a row of the next resize finds none */
	assert_true(other.db_index && other.db_index != NO_VAL64);
	resize_books_resized(&other, other.node_bitmap);
	assert_int_equal(other.db_index, 0);
}

static void test_row_is_slurms(void **state)
{
	(void)state;
	with_slurmdbd = true;
	resized(7);
	resize_books_begin(&other);
	assert_int_equal(other.db_index, 7);
	/* one that was never resized, and one that was in an earlier run, which has a row of its own */
	other.resize_time = 0;
	other.db_index = 0;
	resize_books_begin(&other);
	resized(0);
	other.start_time = now + 10;
	if (resizes_are_numbered())
		resize_books_begin(&other);
	assert_int_equal(other.resize_time, resizes_are_numbered() ? 0 : now);
	with_slurmdbd = false;
	resized(NO_VAL64);
	resize_books_begin(&other);
	assert_int_equal(ended.n, 0);
	assert_int_equal(other.db_index, 0);
}

static void test_away(void **state)
{
	(void)state;
	with_slurmdbd = true;
	active = false;
	slurm_conf.accounting_storage_enforce = 0;
	assert_int_equal(resize_books_away(), resizes_are_numbered());
	active = true;
	assert_false(resize_books_away());
	/* it is told of no jobs */
	active = false;
	slurm_conf.accounting_storage_enforce = ACCOUNTING_ENFORCE_NO_JOBS;
	assert_false(resize_books_away());
	slurm_conf.accounting_storage_enforce = 0;
	with_slurmdbd = false;
	assert_false(resize_books_away());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_when),	  cmocka_unit_test(test_not_free),
		cmocka_unit_test(test_seldom),	  cmocka_unit_test(test_counters),
		cmocka_unit_test(test_suspended), cmocka_unit_test(test_number),
		cmocka_unit_test(test_row_ends),  cmocka_unit_test(test_row_is_slurms),
		cmocka_unit_test(test_away),
	};

	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_recount", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	node_record_table_ptr = table;
	node_record_count = NODES;
	for (int i = 0; i < NODES; i++) {
		table[i] = &nodes[i];
		nodes[i].name = "n";
		nodes[i].index = i;
	}
	idle_node_bitmap = bit_alloc(NODES);
	avail_node_bitmap = bit_alloc(NODES);
	cg_node_bitmap = bit_alloc(NODES);
	share_node_bitmap = bit_alloc(NODES);
	other.node_bitmap = bit_alloc(NODES);
	job_list = list_create(NULL);
	list_append(job_list, &waiting);
	list_append(job_list, &other);
	return cmocka_run_group_tests_name("test_recount", tests, NULL, NULL);
}
