/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_queue: what may run now is asked record by record, the locks given up between, and what comes and
 * goes meanwhile is respected; and what is asked of a record. slurmctld's own answers are played, and time
 * goes by with every look at the clock, so that each look at it ends a piece.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/metered.h"
#include "slurm/base/meter.h"
#include "slurm/config/realms.h"
#include "slurm/snapshot/queue.h"
#include "slurm/snapshot/runnable.h"
#include "slurm/snapshot/snapshot.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define JOBS 200
#define FIRST 1000 /* job id */
#define PIECES (1 + JOBS / 32)

static job_record_t records[JOBS + 1]; /* the last one comes later */
static job_details_t details[JOBS + 1];
static part_record_t parts[] = { { .name = "batch", .priority_tier = 1 },
				 { .name = "urgent", .priority_tier = 2 } };
static slurmctld_resv_t resvs[] = { { .resv_id = 7 }, { .resv_id = 8 } };
static slurmctld_resv_t *magnet;

static int reads, writes, built, loaded, loaded_first;
static int tasks_pending; /* of every array */
static int64_t clock_us;
static void (*happens)(void); /* before the n-th lock to write */
static int happens_before;
static bool dependent;
static int limit;	      /* what job_limits_check() finds */
static part_record_t *closed; /* where it finds that */
static uint16_t select_cleans;
static bool over_limit; /* of its account or QOS */
/* It waits with a least limit of ours, by which no partition's limits are looked at. */
static char expected[] = "pact1(id=1,deadline=2,limit=3,state=expected)";

/* ---- played: locks, clock, records, Slurm's answers ---- */

void __real_lock_slurmctld(slurmctld_lock_t levels);
void __wrap_lock_slurmctld(slurmctld_lock_t levels);

void __wrap_lock_slurmctld(slurmctld_lock_t levels)
{
	__real_lock_slurmctld(levels);
	reads += levels.job == READ_LOCK;
	if (levels.job == WRITE_LOCK && ++writes == happens_before && happens)
		happens();
}

int64_t __wrap_clock_us(void);

int64_t __wrap_clock_us(void)
{
	return clock_us += 3000;
}

job_record_t *find_job_record(uint32_t id)
{
	job_record_t *job = id >= FIRST && id <= FIRST + JOBS ? &records[id - FIRST] : NULL;

	return job && job->job_id == id ? job : NULL;
}

part_record_t *find_part_record(char *name)
{
	return xstrcmp(name, "batch") ? NULL : &parts[0];
}

int num_pending_job_array_tasks(uint32_t id)
{
	(void)id;
	return tasks_pending;
}

uint64_t snapshot_print(const job_record_t *job)
{
	return 1 + job->time_limit;
}

void set_job_failed_assoc_qos_ptr(job_record_t *job)
{
	(void)job;
}

int acct_policy_handle_accrue_time(job_record_t *job, bool locked)
{
	assert_false(locked);
	job->details->accrue_time = 1;
	return SLURM_SUCCESS;
}

#if SELECT_CLEANS
int select_g_select_jobinfo_get(dynamic_plugin_data_t *jobinfo, enum select_jobdata_type type,
				void *data)
{
	(void)jobinfo;
	assert_int_equal(type, SELECT_JOBDATA_CLEANING);
	*(uint16_t *)data = select_cleans;
	return SLURM_SUCCESS;
}
#endif

bool job_independent(job_record_t *job)
{
	return job->priority && !dependent;
}

int job_limits_check(job_record_t **job, bool check_min_time)
{
	assert_int_equal(check_min_time, (*job)->admin_comment != expected);
	return !closed || (*job)->part_ptr == closed ? limit : WAIT_NO_REASON;
}

bool part_policy_job_runnable_state(job_record_t *job)
{
	return job->state_reason != WAIT_PART_DOWN && job->state_reason != WAIT_PART_TIME_LIMIT;
}

bool acct_policy_job_runnable_state(job_record_t *job)
{
	return job->state_reason != WAIT_QOS_MAX_JOB_PER_USER;
}

/* As Slurm's: what it finds it writes into the record, and takes back. */
bool acct_policy_job_runnable_pre_select(job_record_t *job, bool locked)
{
	assert_false(locked);
	if (over_limit)
		job->state_reason = WAIT_QOS_MAX_JOB_PER_USER;
	else if (job->state_reason == WAIT_QOS_MAX_JOB_PER_USER)
		job->state_reason = WAIT_NO_REASON;
	return !over_limit;
}

void job_queue_append_internal(job_queue_req_t *req)
{
	job_queue_rec_t *rec = xmalloc(sizeof(*rec));

	rec->job_id = req->job_ptr->job_id;
	rec->job_ptr = req->job_ptr;
	rec->part_ptr = req->part_ptr;
	rec->priority = req->prio;
	rec->resv_ptr = req->resv_ptr;
	list_append(req->job_queue, rec);
}

void job_resv_append_magnetic(job_queue_req_t *req)
{
	req->resv_ptr = magnet;
	if (magnet)
		job_queue_append_internal(req);
}

static int by_priority(void *a, void *b)
{
	const job_queue_rec_t *x = *(job_queue_rec_t **)a, *y = *(job_queue_rec_t **)b;

	return x->priority < y->priority ? 1 : x->priority > y->priority ? -1 : 0;
}

void sort_job_queue(list_t *queue)
{
	list_sort(queue, by_priority);
}

int bb_g_load_state(bool init)
{
	assert_false(init);
	loaded++;
	return SLURM_SUCCESS;
}

static void comes(void)
{
	records[JOBS].job_id = FIRST + JOBS;
	list_append(job_list, &records[JOBS]);
}

/* It splits a task off, which gets a record of its own. */
list_t *build_job_queue(bool clear_start, bool backfill)
{
	assert_false(clear_start);
	assert_true(backfill);
	built++;
	loaded_first = loaded;
	if (!records[JOBS].job_id)
		comes();
	return list_create(xfree_ptr);
}

/* ---- the tests ---- */

static int set_up(void **state)
{
	(void)state;
	memset(records, 0, sizeof(records));
	memset(details, 0, sizeof(details));
	job_list = list_create(NULL);
	for (uint32_t i = 0; i <= JOBS; i++) {
		records[i].job_id = i < JOBS ? FIRST + i : 0;
		records[i].job_state = JOB_PENDING;
		records[i].array_task_id = NO_VAL;
		records[i].priority = 1 + JOBS - i;
		records[i].part_ptr = &parts[0];
		records[i].details = &details[i];
		if (i < JOBS)
			list_append(job_list, &records[i]);
	}
	records[JOBS / 2].time_min = 1;
	records[JOBS / 2].admin_comment = expected;
	reads = writes = built = loaded = happens_before = 0;
	happens = NULL;
	dependent = false;
	limit = WAIT_NO_REASON;
	closed = NULL;
	select_cleans = 0;
	magnet = NULL;
	last_job_update = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (uint32_t i = 0; i <= JOBS; i++)
		xfree(records[i].state_desc);
	FREE_NULL_LIST(job_list);
	return 0;
}

static const struct run *find(const struct queue *queue, uint32_t id)
{
	const job_record_t *job = &records[id < FIRST || id > FIRST + JOBS ? 0 : id - FIRST];

	return queue_find(queue, id, snapshot_print(job));
}

/* Which records are in the queue: all that wait, but for one. */
static void assert_all_but(const struct queue *queue, uint32_t without)
{
	assert_non_null(queue);
	for (uint32_t i = 0; i < JOBS; i++) {
		const struct run *run = find(queue, FIRST + i);

		if (i == without) {
			assert_null(run);
			continue;
		}
		assert_non_null(run);
		assert_int_equal(run->nentries, 1);
		assert_string_equal(run->entries[0].part, "batch");
		assert_int_equal(run->entries[0].priority, 1 + JOBS - i);
	}
}

/* All of them, in several pieces, each metered as writing. */
static void test_pieces(void **state)
{
	struct texts *texts = texts_create();
	struct meter_reading before, after;
	struct queue *queue;

	(void)state;
	meter_read(METER_WRITE_LOCK, &before);
	queue = queue_take(texts);
	meter_read(METER_WRITE_LOCK, &after);
	assert_all_but(queue, JOBS);
	assert_null(find(queue, FIRST - 1));
	assert_null(find(queue, FIRST + JOBS));
	assert_int_equal(reads, 1);
	assert_int_equal(writes, PIECES);
	assert_int_equal(after.n - before.n, PIECES);
	assert_int_equal(built, 0);
	assert_int_equal(last_job_update, 0); /* nothing was changed */
	queue_destroy(queue);
	texts_destroy(texts);
}

static int is_it(void *record, void *wanted)
{
	return record == wanted;
}

static void goes(void)
{
	assert_int_equal(list_delete_all(job_list, is_it, &records[JOBS - 1]), 1);
	records[JOBS - 1].job_id = 0;
}

static void is_held(void)
{
	records[JOBS - 1].priority = 0;
}

static void starts(void)
{
	records[JOBS - 1].job_state = JOB_RUNNING;
}

/* The last record goes, is held or starts, before the first piece, between two, before the last. */
static void test_between(void **state)
{
	static void (*const what[])(void) = { goes, is_held, starts };

	for (size_t w = 0; w < sizeof(what) / sizeof(*what); w++)
		for (int piece = 1; piece <= PIECES; piece += 2) {
			struct texts *texts = texts_create();
			struct queue *queue;

			tear_down(state);
			set_up(state);
			happens = what[w];
			happens_before = piece;
			queue = queue_take(texts);
			assert_all_but(queue, JOBS - 1);
			queue_destroy(queue);
			texts_destroy(texts);
		}
}

/* One that comes between two pieces is for the next pass, and disturbs no other. */
static void test_comes(void **state)
{
	struct texts *texts = texts_create();
	struct queue *queue;

	(void)state;
	happens = comes;
	happens_before = 2;
	queue = queue_take(texts);
	assert_all_but(queue, JOBS);
	assert_null(find(queue, FIRST + JOBS));
	queue_destroy(queue);
	queue = queue_take(texts);
	assert_non_null(find(queue, FIRST + JOBS));
	queue_destroy(queue);
	texts_destroy(texts);
}

static void is_changed(void)
{
	records[0].time_limit = 30;
}

/* One that is changed between two pieces, after it was asked, or thereafter: it does not count. */
static void test_changed(void **state)
{
	struct texts *texts = texts_create();
	struct queue *queue;

	(void)state;
	happens = is_changed;
	happens_before = 2;
	queue = queue_take(texts);
	assert_int_equal(records[0].time_limit, 30);
	assert_all_but(queue, 0);
	records[JOBS - 1].time_limit = 30;
	assert_null(find(queue, FIRST + JOBS - 1));
	queue_destroy(queue);
	happens = NULL;
	queue = queue_take(texts);
	assert_all_but(queue, JOBS);
	queue_destroy(queue);
	texts_destroy(texts);
}

/* An empty cluster has an empty queue. */
static void test_empty(void **state)
{
	struct texts *texts = texts_create();
	struct queue *queue;

	(void)state;
	list_flush(job_list);
	queue = queue_take(texts);
	assert_non_null(queue);
	assert_null(find(queue, FIRST));
	queue_destroy(queue);
	texts_destroy(texts);
}

/* Slurm splits arrays that have a burst buffer, or depend on another task by task; no others. */
static void test_split(void **state)
{
	struct texts *texts = texts_create();
	job_array_struct_t tasks = { .task_id_bitmap = bit_alloc(8) };
	depend_spec_t any = { .depend_type = SLURM_DEPEND_AFTER_ANY },
		      each = { .depend_type = SLURM_DEPEND_AFTER_CORRESPOND };
	struct queue *queue;

	(void)state;
	records[3].array_recs = &tasks;
	details[3].depend_list = list_create(NULL);
	assert_false(runnable_wants_split(&records[3]));
	list_append(details[3].depend_list, &any);
	assert_false(runnable_wants_split(&records[3]));
	list_append(details[3].depend_list, &each);
	assert_true(runnable_wants_split(&records[3]));
	records[3].array_task_id = 4; /* the last of them */
	assert_false(runnable_wants_split(&records[3]));
	records[3].array_task_id = NO_VAL;
	records[3].job_state = JOB_CANCELLED;
	assert_false(runnable_wants_split(&records[3]));
	list_flush(details[3].depend_list);
	records[3].job_state = JOB_PENDING;
	records[3].burst_buffer = "x";
	assert_true(runnable_wants_split(&records[3]));

	queue = queue_take(texts);
	assert_int_equal(built, 1);
	assert_all_but(queue, JOBS);
	assert_non_null(find(queue, FIRST + JOBS)); /* the task's record */
	queue_destroy(queue);
	FREE_NULL_LIST(details[3].depend_list);
	FREE_NULL_BITMAP(tasks.task_id_bitmap);
	texts_destroy(texts);
}

/* How often arrays are left to Slurm in one more pass. */
static int splits(void)
{
	struct texts *texts = texts_create();

	built = loaded = 0;
	queue_destroy(queue_take(texts));
	texts_destroy(texts);
	assert_int_equal(loaded, 1);
	assert_true(!built || loaded_first);
	return built;
}

/* While nothing has changed of an array it is not split again; after a while it is. */
static void test_split_once(void **state)
{
	job_array_struct_t tasks = { .task_id_bitmap = bit_alloc(8), .task_cnt = 8 };

	(void)state;
	records[3].array_recs = &tasks;
	records[3].burst_buffer = "x";
	tasks_pending = 10;
	assert_int_equal(splits(), 1);
	assert_int_equal(splits(), 0);
	assert_int_equal(splits(), 0);
	tasks_pending = 9; /* one has started */
	assert_int_equal(splits(), 1);
	assert_int_equal(splits(), 0);
	tasks.task_cnt = 7;
	assert_int_equal(splits(), 1);
	slurm_conf.last_update++; /* more may wait at a time now */
	assert_int_equal(splits(), 1);
	assert_int_equal(splits(), 0);
	clock_us += 60000000;
	assert_int_equal(splits(), 1);
	assert_int_equal(splits(), 0);
	FREE_NULL_BITMAP(tasks.task_id_bitmap);
}

/* Several partitions, each with a priority of its own, one of them closed; in Slurm's order. */
static void test_parts(void **state)
{
	struct texts *texts = texts_create();
	uint32_t priorities[] = { 10, 20 };
	const struct run *run;
	struct queue *queue;

	(void)state;
	records[5].part_ptr_list = list_create(NULL);
	list_append(records[5].part_ptr_list, &parts[0]);
	list_append(records[5].part_ptr_list, &parts[1]);
	play_part_priorities(&records[5], priorities);
	queue = queue_take(texts);
	run = find(queue, FIRST + 5);
	assert_int_equal(run->nentries, 2);
	assert_string_equal(run->entries[0].part, "urgent");
	assert_int_equal(run->entries[0].priority, 20);
	assert_string_equal(run->entries[1].part, "batch");
	assert_int_equal(run->entries[1].priority, 10);
	assert_true(run->priority > find(queue, FIRST)->priority); /* tiers come first */
	queue_destroy(queue);

	limit = WAIT_PART_DOWN;
	closed = &parts[1];
	queue = queue_take(texts);
	run = find(queue, FIRST + 5);
	assert_int_equal(run->nentries, 1);
	assert_string_equal(run->entries[0].part, "batch");
	queue_destroy(queue);
	FREE_NULL_LIST(records[5].part_ptr_list);
	texts_destroy(texts);
}

/* Reservations that it named, one that draws it, and a partition that Slurm may choose. */
static void test_resvs(void **state)
{
	list_t *queue = list_create(xfree_ptr);
	job_queue_rec_t *rec;

	(void)state;
	magnet = &resvs[0];
	runnable_ask(&records[0], queue);
	assert_int_equal(list_count(queue), 2);
	rec = list_pop(queue);
	assert_null(rec->resv_ptr);
	xfree(rec);
	rec = list_pop(queue);
	assert_ptr_equal(rec->resv_ptr, &resvs[0]);
	xfree(rec);
	records[0].resv_name = "its own";
	runnable_ask(&records[0], queue);
	assert_int_equal(list_count(queue), 1);
	list_flush(queue);

	records[0].resv_list = list_create(NULL);
	list_append(records[0].resv_list, &resvs[0]);
	list_append(records[0].resv_list, &resvs[1]);
	records[0].resv_ptr = &resvs[1];
	records[0].bit_flags = JOB_PART_ASSIGNED | BACKFILL_SCHED;
	resvs[1].part_ptr = &parts[1];
	runnable_ask(&records[0], queue);
	assert_null(records[0].resv_ptr);
	assert_int_equal(records[0].bit_flags, JOB_PART_ASSIGNED);
	for (int i = 0; i < 2; i++) {
		rec = list_pop(queue);
		assert_ptr_equal(rec->resv_ptr, &resvs[i]);
		assert_ptr_equal(rec->part_ptr, &parts[i]);
		xfree(rec);
	}
	assert_null(list_pop(queue));
	FREE_NULL_LIST(records[0].resv_list);
	FREE_NULL_LIST(queue);
}

/* The reason that a record has after it was asked, and whether that was a change. */
static void assert_reason(job_record_t *job, uint32_t reason, bool runs, bool changed)
{
	list_t *queue = list_create(xfree_ptr);

	last_job_update = 0;
	runnable_ask(job, queue);
	assert_int_equal(job->state_reason, reason);
	assert_int_equal(list_count(queue), runs);
	assert_int_equal(last_job_update > 0, changed);
	FREE_NULL_LIST(queue);
}

/* A reason is said once: what stands already is no change, or each pass would cause another. */
static void test_reasons(void **state)
{
	job_record_t *job = &records[0];

	(void)state;
	assert_reason(job, WAIT_NO_REASON, true, false);
	limit = WAIT_PART_DOWN;
	assert_reason(job, WAIT_PART_DOWN, false, true);
	assert_reason(job, WAIT_PART_DOWN, false, true); /* the storage is told */
	assert_reason(job, WAIT_PART_DOWN, false, false);
	limit = WAIT_NO_REASON;
	assert_reason(job, WAIT_NO_REASON, true, true);
	job->state_reason = WAIT_RESOURCES;
	assert_reason(job, WAIT_RESOURCES, true, false);

	dependent = true;
	assert_reason(job, WAIT_RESOURCES, false, false);
	job->state_reason = job->state_reason_prev_db = WAIT_HELD_USER;
	assert_reason(job, WAIT_DEPENDENCY, false, true); /* released */
	dependent = false;

	job->state_reason = job->state_reason_prev_db = WAIT_NO_REASON;
	details[0].prolog_running = 1;
	job->state_desc = xstrdup("planned");
	assert_reason(job, WAIT_CLEANING, false, true);
	assert_null(job->state_desc);
	details[0].prolog_running = 0;
	if (SELECT_CLEANS) {
		select_cleans = 1;
		job->state_reason_prev_db = WAIT_CLEANING;
		assert_reason(job, WAIT_CLEANING, false, false);
		select_cleans = 0;
	}

	job->priority = 0;
	assert_reason(job, WAIT_HELD, false, true);
	job->state_reason = job->state_reason_prev_db = FAIL_BAD_CONSTRAINTS;
	assert_reason(job, FAIL_BAD_CONSTRAINTS, false, false);
}

/* Of several partitions that take a job or not, in whatever order, the last word is one. */
static void test_parts_reason(void **state)
{
	job_record_t *job = &records[0];

	(void)state;
	limit = WAIT_PART_TIME_LIMIT;
	for (size_t i = 0; i < 2; i++) {
		job->part_ptr_list = list_create(NULL);
		list_append(job->part_ptr_list, &parts[i]);
		list_append(job->part_ptr_list, &parts[!i]);
		closed = &parts[0];
		job->state_reason = job->state_reason_prev_db = WAIT_RESOURCES;
		xfree(job->state_desc);
		job->state_desc = xstrdup("planned");
		assert_reason(job, WAIT_RESOURCES, true, false);
		assert_string_equal(job->state_desc, "planned");

		closed = NULL; /* none takes it */
		assert_reason(job, WAIT_PART_TIME_LIMIT, false, true);
		assert_null(job->state_desc);
		assert_reason(job, WAIT_PART_TIME_LIMIT, false, true); /* the storage is told */
		assert_reason(job, WAIT_PART_TIME_LIMIT, false, false);
		closed = &parts[1];
		assert_reason(job, WAIT_NO_REASON, true, true);
		assert_reason(job, WAIT_NO_REASON, true, false);
		FREE_NULL_LIST(job->part_ptr_list);
	}
}

/* One whose user runs as many as he may waits out of the queue where jobs take turns; elsewhere, or promised, in it. */
static void test_over_limit(void **state)
{
	static char promised[] = "pact1(id=1,deadline=2,limit=3,state=promised)";
	struct own_scheduler own = {
		.partition = "batch", .scheduler = "mbgs", .settings = "", .key = OWN_GANG
	};
	job_record_t *job = &records[0];

	(void)state;
	over_limit = true;
	assert_reason(job, WAIT_NO_REASON, true, false);
	realms_use(&own, 1);
	job->admin_comment = promised;
	assert_reason(job, WAIT_NO_REASON, true, false);
	job->admin_comment = NULL;
	assert_reason(job, WAIT_QOS_MAX_JOB_PER_USER, false, true);
	assert_reason(job, WAIT_QOS_MAX_JOB_PER_USER, false, true); /* the storage is told */
	assert_reason(job, WAIT_QOS_MAX_JOB_PER_USER, false, false);
	job->part_ptr_list = list_create(NULL); /* another partition may take it */
	list_append(job->part_ptr_list, &parts[0]);
	list_append(job->part_ptr_list, &parts[1]);
	assert_reason(job, WAIT_QOS_MAX_JOB_PER_USER, true, false);
	FREE_NULL_LIST(job->part_ptr_list);
	job->part_ptr = &parts[0];
	over_limit = false;
	assert_reason(job, WAIT_QOS_MAX_JOB_PER_USER, true, false); /* until it is tried */
	realms_use(NULL, 0);
}

/* What earlier passes have left behind goes, of records in every state. */
static void test_refresh(void **state)
{
	job_array_struct_t tasks = { .pend_run_tasks = 3 };
	job_record_t *job = &records[0];

	(void)state;
	job->array_recs = &tasks;
	job->preempt_in_progress = true;
	job->job_state = JOB_RUNNING;
	assert_reason(job, WAIT_NO_REASON, false, false);
	assert_false(job->preempt_in_progress);
	assert_int_equal(tasks.pend_run_tasks, 0);
	assert_int_equal(details[0].accrue_time, 0);
	job->array_recs = NULL;
	job->job_state = JOB_PENDING;
	assert_reason(job, WAIT_NO_REASON, true, false);
	assert_int_equal(details[0].accrue_time, 1);
	job->job_state = JOB_PENDING | JOB_COMPLETING;
	assert_reason(job, WAIT_NO_REASON, false, false);
	job->job_state = JOB_PENDING | JOB_REVOKED;
	assert_reason(job, WAIT_NO_REASON, false, false);
	/* Its partition is found again by its name, if there still is one. */
	job->job_state = JOB_PENDING;
	job->part_ptr = NULL;
	job->partition = "gone";
	assert_reason(job, WAIT_NO_REASON, false, false);
	job->partition = "batch";
	assert_reason(job, WAIT_NO_REASON, true, false);
	assert_ptr_equal(job->part_ptr, &parts[0]);
	assert_true(job->bit_flags & JOB_PART_ASSIGNED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pieces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_between, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_comes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_split, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_split_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_resvs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reasons, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_parts_reason, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_over_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refresh, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
