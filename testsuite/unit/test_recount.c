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
#include "slurm/records/resize_usage.h"
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
static bool with_slurmdbd, active, answers = true;
static int behind; /* messages on their way to it */
static struct row {
	int n;
	uint64_t number;
	time_t resized, end;
	uint32_t state;
} ended;	   /* as slurmdbd is told */
static int starts; /* so many it was told of */
static uint32_t started_as;
static time_t found; /* from then on jobs may have been resized by Slurm alone */
#define NUMBER 9
void *acct_db_conn;

time_t __wrap_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	if (out)
		*out = now;
	return now;
}

void resize_usage_find(time_t since)
{
	found = since;
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
	*(int *)data = what == ACCT_STORAGE_INFO_CONN_ACTIVE ? active : behind;
	return SLURM_SUCCESS;
}

int jobacct_storage_g_job_complete(void *conn, job_record_t *job)
{
	(void)conn;
	ended = (struct row){ ended.n + 1, job->db_index, job->resize_time, job->end_time,
			      job->job_state };
	return SLURM_SUCCESS;
}

int jobacct_storage_g_job_start(void *conn, job_record_t *job)
{
	(void)conn;
	starts++;
	started_as = job->job_state;
	if (active && answers)
		job->db_index = NUMBER;
	return active && answers ? SLURM_SUCCESS : SLURM_ERROR;
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

/* What Slurm takes out for a node that a job leaves, as it was counted in. */
static void test_special_cores(void **state)
{
	static const struct {
		uint32_t has, out, left; /* out: what Slurm takes */
		uint8_t whole;
		uint16_t effective;
	} cases[] = {
		{ 64 + 56, 64, 64, 1, 56 }, /* select/cons_tres */
		{ 64 + 64, 64, 64, 1, 56 }, /* select/linear: all are counted */
		{ 64 + 64, 64, 64, 1, 64 },
		{ 64 + 56, 56, 64, 0, 56 }, /* not whole: what it has of the node */
	};
	static config_record_t config = { .cpus = 64 };
	bitstr_t *goes = bit_alloc(NODES);

	(void)state;
	bit_set(goes, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up("select/cons_tres", JOB_RUNNING);
		for (int n = 0; n < 2; n++) {
			nodes[n].config_ptr = &config;
			nodes[n].cpus_efctv = n ? cases[i].effective : config.cpus;
			bit_set(other.node_bitmap, n);
		}
		nodes[NODES - 1].config_ptr = NULL;
		alone.whole_node = cases[i].whole;
		other.total_cpus = other.cpu_cnt = cases[i].has;
		resize_books_leaves(&other, goes);
		assert_int_equal(other.total_cpus - cases[i].out, cases[i].left);
		assert_int_equal(other.cpu_cnt, other.total_cpus);
	}
	alone.whole_node = 0;
	FREE_NULL_BITMAP(goes);
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
	starts = 0;
	assert_true(resize_books_behind());
	resize_books_heal();
}

static void test_no_slurmdbd(void **state)
{
	(void)state;
	with_slurmdbd = active = false;
	resized(NO_VAL64);
	assert_int_equal(other.db_index, 0);
	now += 5;
	other.resize_time = last_job_update = now;
	resize_books_heal();
	assert_int_equal(found, now - 5);
	resize_books_begin(&other);
	assert_int_equal(other.db_index, 0);
	assert_int_equal(ended.n, 0);
	assert_int_equal(starts, 0);
	assert_false(resize_books_away());
	/* what is told of no jobs is as none */
	with_slurmdbd = true;
	slurm_conf.accounting_storage_enforce = ACCOUNTING_ENFORCE_NO_JOBS;
	assert_false(resize_books_away());
	slurm_conf.accounting_storage_enforce = 0;
	assert_int_equal(resize_books_away(), resizes_are_numbered());
	active = true;
	assert_false(resize_books_away());
}

/* Slurmdbd is away when it is resized, and is asked for its number when it is back: now and then, and for the right row. */
static void test_number(void **state)
{
	(void)state;
	if (!resizes_are_numbered())
		skip();
	with_slurmdbd = true;
	active = false;
	resized(NO_VAL64);
	assert_int_equal(other.db_index, 0);
	now += 9;
	last_job_update = 0;
	assert_false(resize_books_behind());
	now++;
	assert_true(resize_books_behind());
	resize_books_heal();
	assert_int_equal(starts, 0);
	active = true;
	now += 10;
	behind = 1000;
	resize_books_heal();
	assert_int_equal(starts, 0);
	behind = 0;
	/* it is there, and its database is not */
	answers = false;
	now += 10;
	resize_books_heal();
	assert_int_equal(starts, 1);
	now += 59;
	resize_books_heal();
	assert_int_equal(starts, 1);
	answers = true;
	starts = 0;
	now += 10;
	resize_books_heal();
	assert_int_equal(starts, 1);
	assert_true(started_as & JOB_RESIZING);
	assert_int_equal(other.job_state, JOB_RUNNING);
	assert_int_equal(other.db_index, NUMBER);
	now += 10;
	assert_false(resize_books_behind());
	/* its first number Slurm asks for itself */
	other.resize_time = 0;
	other.db_index = NO_VAL64;
	resize_books_recount();
	assert_true(other.db_index == NO_VAL64);
}

/* One that is over while slurmdbd is away: Slurm is not to send its start when it forgets it. And one that waits again. */
static void test_number_over(void **state)
{
	(void)state;
	if (!resizes_are_numbered())
		skip();
	with_slurmdbd = true;
	active = false;
	resized(NO_VAL64);
	other.job_state = JOB_COMPLETE | JOB_COMPLETING;
	now += 10;
	resize_books_heal();
	assert_int_equal(other.db_index, 0);
	other.job_state = JOB_COMPLETE;
	now += 10;
	resize_books_heal();
	assert_true(other.db_index && other.db_index != NO_VAL64);
	now += 10;
	assert_false(resize_books_behind());
	resized(NO_VAL64);
	other.job_state = JOB_PENDING;
	now += 10;
	resize_books_heal();
	assert_int_equal(other.resize_time, 0);
	now += 10;
	assert_false(resize_books_behind());
	assert_int_equal(starts, 0);
}

/* Slurm's own word of the end of a row, which is of the next resize, finds none. */
static void begins(uint64_t number, time_t at)
{
	starts = 0;
	ended = (struct row){ 0 };
	other.db_index = number;
	other.resize_time = at;
	resize_books_begin(&other);
	assert_int_equal(ended.n, 1);
	assert_int_equal(ended.number, 0);
	assert_int_equal(ended.resized, at);
	assert_int_equal(ended.end, now);
	assert_int_equal(ended.state, JOB_COMPLETE);
	assert_int_equal(other.job_state, JOB_RUNNING);
	assert_true(other.db_index && other.db_index != NO_VAL64);
	resize_books_resized(&other, other.node_bitmap);
	assert_int_equal(other.db_index, 0);
}

static void test_row_ends(void **state)
{
	time_t end;

	(void)state;
	if (!resizes_are_numbered())
		skip();
	with_slurmdbd = true;
	active = false;
	resized(NO_VAL64);
	end = other.end_time;
	now += 50;
	begins(0, other.resize_time);
	assert_int_equal(starts, 0);
	/* its first row, of which slurmdbd has not heard either */
	begins(0, 0);
	assert_int_equal(starts, 1);
	assert_false(started_as & JOB_RESIZING);
	/* what is left of an earlier run is no resize of this one */
	other.db_index = 0;
	other.resize_time = other.start_time - 10;
	active = true;
	resize_books_begin(&other);
	assert_int_equal(other.resize_time, 0);
	assert_int_equal(other.db_index, NUMBER);
	assert_int_equal(other.end_time, end);
}

/* Slurm waits for its first number, which comes after the resize: it would be taken for that of the new row. */
static void test_awaited(void **state)
{
	(void)state;
	if (!resizes_are_numbered())
		skip();
	with_slurmdbd = active = true;
	resized(7);
	other.resize_time = 0;
	other.db_index = NO_VAL64;
	answers = false; /* not at once */
	resize_books_begin(&other);
	answers = true;
	assert_int_equal(ended.n, 1);
	other.resize_time = now;
	other.db_index = 20;
	resize_books_resized(&other, other.node_bitmap);
	assert_int_equal(other.db_index, 0);
	now += 100;
	assert_true(resize_books_behind());
	resize_books_heal();
	assert_int_equal(other.db_index, NUMBER);
}

/* It was resized, and then requeued. */
static void test_earlier_run(void **state)
{
	(void)state;
	if (!resizes_are_numbered())
		skip();
	with_slurmdbd = active = true;
	for (int i = 0; i < 2; i++) {
		resized(7);
		now += 100;
		last_job_update = now;
		other.db_index = 0;
		other.start_time = now;
		other.job_state = JOB_PENDING | JOB_COMPLETING;
		resize_books_heal();
		last_job_update = ++now;
		assert_false(resize_books_behind());
		other.job_state = i ? JOB_RUNNING : JOB_PENDING;
		assert_true(resize_books_behind());
		resize_books_heal();
		assert_int_equal(other.resize_time, 0);
		assert_int_equal(other.db_index, 0);
		assert_int_equal(starts, 0);
		now++;
		last_job_update = now;
		assert_false(resize_books_behind());
	}
}

static void test_row_is_slurms(void **state)
{
	(void)state;
	with_slurmdbd = active = true;
	resized(7);
	resize_books_begin(&other);
	assert_int_equal(other.db_index, 7);
	assert_int_equal(ended.n, 0);
	assert_int_equal(starts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_when),	      cmocka_unit_test(test_not_free),
		cmocka_unit_test(test_seldom),	      cmocka_unit_test(test_counters),
		cmocka_unit_test(test_special_cores), cmocka_unit_test(test_suspended),
		cmocka_unit_test(test_no_slurmdbd),   cmocka_unit_test(test_number),
		cmocka_unit_test(test_number_over),   cmocka_unit_test(test_awaited),
		cmocka_unit_test(test_earlier_run),   cmocka_unit_test(test_row_ends),
		cmocka_unit_test(test_row_is_slurms),
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
