/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_merge: a helper is merged into a job that grows, and Slurm's books of limits, and slurmdbd's records, have one job then: the
 * one that has grown. slurmctld is played as its update_job(), acct_policy.c, and both plugins of priorities are.
 */
#include "slurm/base/compat_played.h"

#include "slurm/resizing/resize_helper.h"
#include "testsuite/unit/seed.h"

#define LIMIT 100 /* minutes */
#define NODE_CPUS 4
#define OTHERS 50 /* what the same account's other jobs have of each */

enum refusal { TAKEN, REFUSED_AT_ONCE, REFUSED_LATE };

/* ---- the played slurmctld ---- */

void *acct_db_conn;
time_t last_job_update;
static bool multifactor;
static enum refusal refusal;
static struct books {
	uint64_t submits, jobs, cpus, run_seconds;
} books;
static int rows; /* of slurmdbd, without an end */
static job_record_t target, helper;
static job_details_t details;
static bool killed;

static void take(uint64_t *from, uint64_t what)
{
	*from = *from > what ? *from - what : 0;
}

static void has_submitted(void)
{
	books.submits++;
}

static void begins(const job_record_t *job)
{
	books.jobs++;
	books.cpus += job->total_cpus;
	books.run_seconds += (uint64_t)job->total_cpus * job->time_limit * 60;
}

PLAYED_REMOVE_JOB_SUBMIT(job)
{
	(void)job;
	take(&books.submits, 1);
}

/* Of one that has just begun multifactor takes what it has still to run, if it does not go on. */
static void stops(job_record_t *job)
{
	bool goes_on = !IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job) && !IS_JOB_RESIZING(job);

	if (!multifactor || !goes_on)
		take(&books.run_seconds, (uint64_t)job->total_cpus * job->time_limit * 60);
	if (multifactor)
		job->end_time_exp = (time_t)NO_VAL;
}

PLAYED_JOB_FINI(job)
{
	uint64_t cpus = job->total_cpus;

	if (job->end_time_exp == (time_t)NO_VAL)
		return;
	stops(job);
	take(&books.jobs, 1);
	take(&books.cpus, cpus);
}

int jobacct_storage_g_job_complete(void *conn, job_record_t *job)
{
	assert_ptr_equal(conn, acct_db_conn);
	if (!IS_JOB_RESIZING(job)) {
		assert_true(IS_JOB_COMPLETE(job));
		assert_true(job->end_time <= time(NULL));
	}
	rows--;
	return SLURM_SUCCESS;
}

static void pre_resize(job_record_t *job)
{
	job->job_state |= JOB_RESIZING;
	acct_policy_remove_job_submit(job, false);
	jobacct_storage_g_job_complete(acct_db_conn, job);
	acct_policy_job_fini(job, false);
}

static void post_resize(job_record_t *job)
{
	has_submitted();
	begins(job);
	rows++;
	job->job_state &= ~JOB_RESIZING;
	job->end_time_exp = job->end_time;
}

/* deallocate_nodes() takes from the books what the helper had, whether it has been taken or not. */
static void expand(void)
{
	target.total_cpus += helper.total_cpus;
	acct_policy_job_fini(&helper, false);
	helper.total_cpus = 0;
	helper.job_state = JOB_COMPLETE | JOB_COMPLETING | JOB_RESIZING;
}

int update_job(slurm_msg_t *message, uid_t uid, bool send)
{
	const job_desc_msg_t *desc = message->data;

	assert_true(helper_at_work());
	assert_int_equal(desc->job_id, helper.job_id);
	assert_int_equal(desc->min_nodes, 0);
	assert_int_equal(uid, 0);
	assert_false(send);
	assert_int_equal(helper.job_state, JOB_RUNNING);
	if (refusal == REFUSED_AT_ONCE)
		return ESLURM_JOB_SUSPENDED;
	pre_resize(&helper);
	pre_resize(&target);
	if (refusal == TAKEN)
		expand();
	post_resize(&helper);
	post_resize(&target);
	return refusal == TAKEN ? SLURM_SUCCESS : SLURM_ERROR;
}

int job_signal(job_record_t *job, uint16_t signal, uint16_t flags, uid_t uid, bool preempt)
{
	(void)flags, (void)uid, (void)preempt;
	assert_ptr_equal(job, &helper);
	assert_int_equal(signal, SIGKILL);
	killed = true;
	job->job_state = JOB_CANCELLED | JOB_COMPLETING;
	acct_policy_remove_job_submit(job, false);
	acct_policy_job_fini(job, false);
	rows--;
	return SLURM_SUCCESS;
}

void delete_step_records(job_record_t *job)
{
	assert_ptr_equal(job, &helper);
}

#ifndef job_state_set
void job_state_set(job_record_t *job, uint32_t state)
{
	job->job_state = state;
}
#endif

/* ---- not of a merge ---- */

int job_allocate(job_desc_msg_t *desc, int immediate, int will_run,
		 will_run_response_msg_t **answer, int allocate, uid_t uid, bool cron,
		 job_record_t **job, char **said, uint16_t version)
{
	(void)desc, (void)immediate, (void)will_run, (void)answer, (void)allocate;
	(void)uid, (void)cron, (void)job, (void)said, (void)version;
	return SLURM_ERROR;
}

int select_nodes(job_node_select_t *what, bool test_only, bool submission, uint32_t scheduler)
{
	(void)what, (void)test_only, (void)submission, (void)scheduler;
	return SLURM_ERROR;
}

void job_completion_logger(job_record_t *job, bool requeue)
{
	(void)job, (void)requeue;
}

int purge_job_record(uint32_t id)
{
	(void)id;
	return SLURM_SUCCESS;
}

char *bitmap2node_name(bitstr_t *nodes)
{
	(void)nodes;
	return NULL;
}

const char *scheduler_type(void)
{
	return "sched/malleable";
}

/* ---- tests ---- */

static void starts(job_record_t *job, uint32_t id, uint32_t nodes)
{
	*job = (job_record_t){ .job_id = id,
			       .job_state = JOB_RUNNING,
			       .time_limit = LIMIT,
			       .total_cpus = nodes * NODE_CPUS,
			       .details = &details };
	job->end_time = job->end_time_exp = time(NULL) + LIMIT * 60;
	has_submitted();
	begins(job);
	rows++;
}

static void begin(bool with_multifactor, enum refusal how)
{
	multifactor = with_multifactor;
	refusal = how;
	books = (struct books){ OTHERS, OTHERS, OTHERS, OTHERS };
	rows = 0;
	killed = false;
	starts(&target, 7, 2);
	starts(&helper, 8, 3);
}

static void has_one_job(uint32_t nodes)
{
	uint64_t cpus = (uint64_t)nodes * NODE_CPUS;

	assert_int_equal(books.submits, OTHERS + 1);
	assert_int_equal(books.jobs, OTHERS + 1);
	assert_int_equal(books.cpus, OTHERS + cpus);
	assert_int_equal(books.run_seconds, OTHERS + cpus * LIMIT * 60);
	assert_int_equal(rows, 1);
	assert_false(helper_at_work());
}

/* What counts it again leaves it as it is: a restarted slurmctld, a node that is lost. */
static void counted_out_for_good(void)
{
	acct_policy_job_fini(&helper, false);
	has_one_job(5);
}

static void merged(void **state)
{
	(void)state;
	for (int m = 0; m < 2; m++) {
		begin(m, TAKEN);
		assert_int_equal(helper_merge(&helper), SLURM_SUCCESS);
		assert_false(killed);
		has_one_job(5);
		assert_true(helper.end_time <= time(NULL));
		counted_out_for_good();
	}
}

static void not_merged(void **state)
{
	(void)state;
	for (int m = 0; m < 2; m++)
		for (enum refusal how = REFUSED_AT_ONCE; how <= REFUSED_LATE; how++) {
			begin(m, how);
			assert_int_not_equal(helper_merge(&helper), SLURM_SUCCESS);
			assert_true(killed);
			has_one_job(2);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merged),
		cmocka_unit_test(not_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
