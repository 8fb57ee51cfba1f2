/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resize_lost: a node that a late answer has taken from a malleable job is given back in full, whatever else is about it; nothing
 * is done of other jobs, nor of one that may be over.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/scheduler.h"
#include "slurm/records/cleaned.h"
#include "slurm/records/give_back.h"
#include "slurm/records/malleable.h"
#include "slurm/resizing/resize_lost.h"
#include "slurm/resizing/resize_obstacle.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define ID 7

/* ---- the played slurmctld: of n0 to n3, n1 to n3 are the job's ---- */

static node_record_t nodes[NODES], *table[NODES];
static char names[NODES][4];
static job_record_t *job;
static bitstr_t *given; /* back; NULL: nothing was */
static bool malleable;
static const char *obstacle;
static bool fails; /* it has them still */

bool malleable_of(const job_record_t *of, struct malleable_option *out)
{
	(void)of, (void)out;
	return malleable;
}

const char *resize_obstacle(const job_record_t *of)
{
	(void)of;
	return obstacle;
}

node_record_t *find_node_record(char *name)
{
	return name[0] == 'n' ? &nodes[name[1] - '0'] : NULL;
}

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? job : NULL;
}

int job_complete(uint32_t id, uid_t uid, bool requeue, bool node_fail, uint32_t code)
{
	(void)id, (void)uid, (void)requeue, (void)node_fail, (void)code;
	fail();
	return SLURM_ERROR;
}

/* It has them by all counts. */
void give_back(job_record_t *of, bitstr_t *set)
{
	assert_ptr_equal(of, job);
	assert_true(bit_super_set(set, job->node_bitmap));
	assert_int_equal(job->node_cnt, bit_set_count(job->node_bitmap));
	assert_int_equal(job->cpu_cnt, job->total_cpus);
	for (int i = 1; i < NODES; i++)
		assert_int_equal(nodes[i].run_job_cnt, 1);
	assert_null(given);
	given = bit_copy(set);
	bit_and_not(job->node_bitmap, set);
	if (fails)
		return;
	bit_and_not(job->job_resrcs->node_bitmap, set);
	job->node_cnt = bit_set_count(job->node_bitmap);
}

static int open_job(void **state)
{
	(void)state;
	node_record_count = NODES;
	node_record_table_ptr = table;
	job = xmalloc(sizeof(*job));
	job->details = xmalloc(sizeof(*job->details));
	job->job_resrcs = xmalloc(sizeof(*job->job_resrcs));
	job->node_bitmap = bit_alloc(NODES);
	job->batch_host = xstrdup("n1");
	job->job_id = ID;
	job->job_state = JOB_RUNNING;
	job->total_cpus = job->cpu_cnt = 12;
	for (int i = 0; i < NODES; i++) {
		snprintf(names[i], sizeof(names[i]), "n%d", i);
		nodes[i] = (node_record_t){ .index = i, .name = names[i] };
		table[i] = &nodes[i];
		if (!i)
			continue;
		bit_set(job->node_bitmap, i);
		job->node_cnt++;
		nodes[i].run_job_cnt++;
	}
	job->job_resrcs->node_bitmap = bit_copy(job->node_bitmap);
	job_list = list_create(NULL);
	list_append(job_list, job);
	malleable = true;
	assert_true(scheduler_use("sched/malleable"));
	obstacle = NULL;
	/* something has changed since any look */
	last_job_update = time(NULL) + 3600;
	return 0;
}

static int close_job(void **state)
{
	(void)state;
	list_destroy(job_list);
	FREE_NULL_BITMAP(given);
	FREE_NULL_BITMAP(job->node_bitmap);
	FREE_NULL_BITMAP(job->job_resrcs->node_bitmap);
	xfree(job->job_resrcs);
	xfree(job->batch_host);
	xfree(job->details);
	xfree(job);
	return 0;
}

/* make_node_idle() of a job that runs. */
static void answers_late(int i)
{
	bit_clear(job->node_bitmap, i);
	job->node_cnt--;
	job->cpu_cnt -= 4;
	nodes[i].run_job_cnt--;
}

static void nothing_is_done(void)
{
	assert_false(resize_lost_behind());
	resize_lost_tend();
	assert_null(given);
}

static void test_given_back(void **state)
{
	(void)state;
	nothing_is_done();
	answers_late(3);
	assert_true(resize_lost_behind());
	resize_lost_tend();
	assert_non_null(given);
	assert_int_equal(bit_set_count(given), 1);
	assert_true(bit_test(given, 3));
	assert_false(resize_lost_behind());
}

static void test_two_at_once(void **state)
{
	(void)state;
	answers_late(2);
	answers_late(3);
	assert_true(resize_lost_behind());
	resize_lost_tend();
	assert_non_null(given);
	assert_int_equal(bit_set_count(given), 2);
	assert_int_equal(job->node_cnt, 1);
}

/* Where its script was nothing runs any more: it is over, and gives nothing back. But under --no-kill a job goes on without that node. */
static void test_batch_host(void **state)
{
	(void)state;
	answers_late(1);
	nothing_is_done();
	assert_true(cleaned_whole(job));
	bit_clear(job->job_resrcs->node_bitmap, 1); /* excise_node_from_job() */
	nothing_is_done();
	answers_late(3);
	assert_false(cleaned_whole(job));
	assert_true(resize_lost_behind());
}

/* Of an allocation that salloc has, any will do, but not none. */
static void test_no_script(void **state)
{
	(void)state;
	xfree(job->batch_host);
	for (int i = 1; i < NODES; i++)
		answers_late(i);
	nothing_is_done();
	assert_true(cleaned_whole(job));
	bit_set(job->node_bitmap, 2);
	job->node_cnt++;
	job->cpu_cnt += 4;
	nodes[2].run_job_cnt++;
	assert_true(resize_lost_behind());
}

static void test_others(void **state)
{
	(void)state;
	answers_late(3);
	malleable = false;
	nothing_is_done();
	malleable = true;
	assert_true(scheduler_use("sched/dynp"));
	nothing_is_done();
	assert_true(scheduler_use("sched/malleable"));
	job->job_state = JOB_COMPLETE | JOB_COMPLETING;
	nothing_is_done();
	job->job_state = JOB_SUSPENDED;
	nothing_is_done();
	job->job_state = JOB_RUNNING | JOB_CONFIGURING;
	nothing_is_done();
	job->job_state = JOB_RUNNING;
	obstacle = "it is a task of an array";
	nothing_is_done();
	obstacle = NULL;
	assert_true(resize_lost_behind());
}

/* What Slurm does not do is not tried for ever. */
static void test_fails(void **state)
{
	(void)state;
	fails = true;
	answers_late(3);
	resize_lost_tend();
	assert_non_null(given);
	FREE_NULL_BITMAP(given);
	nothing_is_done();
	fails = false;
}

#define lost(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		lost(test_given_back), lost(test_two_at_once), lost(test_batch_host),
		lost(test_no_script),  lost(test_others),      lost(test_fails),
	};

	return seed_run("test_resize_lost", tests);
}
