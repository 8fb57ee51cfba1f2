/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_select_gang: the plugin select/gang itself, on a select/linear that is played: under which slurm.conf it starts, and
 * that it gives nodes of a partition with turns only to a job that the bridge has granted them, and tells when the plan
 * would have one begin.
 */
#include "slurm/base/compat_played.h"
#include "slurm/base/compat_select_plugin.h"

#include "slurm/acting/begin.h"
#include "slurm/acting/grant.h"
#include "slurm/config/realms.h"
#include "slurm/eligibility/describe.h"
#include "slurm/state/bridge.h"
#include "slurm/state/poke.h"
#include "testsuite/unit/seed.h"

plugin_handle_t slurm_plugin_load_and_link(const char *type, int count, const char *names[],
					   void *symbols[]);
void slurm_plugin_unload(plugin_handle_t plugin);
int init(void);
int fini(void);
int select_p_job_test SELECT_TEST_PARAMETERS;
extern struct gang_gate pact_gang_5;
extern const char plugin_type[];

/* ---- played ---- */

static bool in_slurmctld;
static int loads;
/* What was asked of select/linear last, how often, and what nodes it was to choose from. */
static uint16_t asked_mode;
static int asked;
static char *asked_nodes;
static uint16_t asked_share;
/* What it finds: nodes, and that they are free then. */
#define GUESS 12345
static bool fits = true;

bool slurm_running_in_slurmctld(void)
{
	return in_slurmctld;
}

/* What else there is differs by release. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
static int linear_job_test SELECT_TEST_PARAMETERS
{
	asked++;
	asked_mode = mode;
	xfree(asked_nodes);
	asked_nodes = bit_fmt_full(nodes);
	asked_share = job->part_ptr->max_share;
	if (mode == SELECT_MODE_WILL_RUN)
		job->start_time = GUESS;
	return fits ? SLURM_SUCCESS : SLURM_ERROR;
}
#pragma GCC diagnostic pop

int select_p_job_suspend(job_record_t *job, bool indf);
int select_p_job_resume(job_record_t *job, bool indf);
int select_p_node_init(void);
int select_p_reconfigure(void);
int select_p_job_begin(job_record_t *job);
int select_p_job_fini(job_record_t *job);
int select_p_job_resized(job_record_t *job, node_record_t *node);
int select_p_job_expand(job_record_t *from, job_record_t *to);

/* How many jobs it counts on the nodes: less when it is told of one suspended by hand, more at its resumption, and all anew. */
static int counts;

static int linear_suspend(job_record_t *job, bool indf)
{
	(void)job;
	counts -= indf;
	return SLURM_SUCCESS;
}

static int linear_resume(job_record_t *job, bool indf)
{
	(void)job;
	counts += indf;
	return SLURM_SUCCESS;
}

/* What Slurm finds of it: it is passed on. */
#define LINEAR_RC 17

static int linear_job(job_record_t *job)
{
	(void)job;
	return LINEAR_RC;
}

static int linear_resized(job_record_t *job, node_record_t *node)
{
	(void)job;
	(void)node;
	return LINEAR_RC;
}

static int linear_expand(job_record_t *from, job_record_t *to)
{
	(void)from;
	(void)to;
	return LINEAR_RC;
}

/* Those that are suspended, too. */
static int linear_count(void)
{
	counts = 1;
	return SLURM_SUCCESS;
}

static void play(const char *names[], void *symbols[], int n, const char *name, void *function)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			memcpy(&symbols[i], function, sizeof(symbols[i]));
}

plugin_handle_t slurm_plugin_load_and_link(const char *type, int n, const char *names[],
					   void *symbols[])
{
	int(*test) SELECT_TEST_PARAMETERS = linear_job_test;
	int (*suspend)(job_record_t *, bool) = linear_suspend;
	int (*resume)(job_record_t *, bool) = linear_resume;
	int (*count)(void) = linear_count;
	int (*job)(job_record_t *) = linear_job;
	int (*resized)(job_record_t *, node_record_t *) = linear_resized;
	int (*expand)(job_record_t *, job_record_t *) = linear_expand;

	assert_string_equal(type, "select/linear");
	assert_string_equal(names[0], "select_p_job_test");
	assert_true(n > 1);
	memcpy(&symbols[0], &test, sizeof(test));
	play(names, symbols, n, "select_p_job_suspend", &suspend);
	play(names, symbols, n, "select_p_job_resume", &resume);
	play(names, symbols, n, "select_p_node_init", &count);
	play(names, symbols, n, "select_p_reconfigure", &count);
	play(names, symbols, n, "select_p_job_begin", &job);
	play(names, symbols, n, "select_p_job_fini", &job);
	play(names, symbols, n, "select_p_job_resized", &resized);
	play(names, symbols, n, "select_p_job_expand", &expand);
	loads++;
	return (plugin_handle_t)&loads;
}

void slurm_plugin_unload(plugin_handle_t plugin)
{
	if (plugin == PLUGIN_INVALID_HANDLE)
		return;
	assert_ptr_equal(plugin, &loads);
	loads--;
}

/* ---- start ---- */

static void set(char **key, const char *value)
{
	xfree(*key);
	*key = xstrdup(value);
}

static void test_start(void **state)
{
	static const struct {
		const char *select, *scheduler;
		bool controller, starts;
	} cases[] = {
		{ "select/gang", "sched/qops", true, true },
		{ "select/gang", "sched/dynp", true, false },
		{ "select/gang", "sched/backfill", true, false },
		{ "select/gang", "sched/builtin", true, false },
		{ "select/gang", NULL, true, false },
		/* others load each select plugin that there is, and know no scheduler */
		{ "select/gang", "sched/backfill", false, true },
		{ "select/linear", "sched/backfill", true, true },
		{ "select/cons_tres", "sched/dynp", true, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		set(&slurm_conf.select_type, cases[i].select);
		set(&slurm_conf.schedtype, cases[i].scheduler);
		in_slurmctld = cases[i].controller;
		if (!init() != cases[i].starts)
			fail_msg("SelectType=%s SchedulerType=%s", cases[i].select,
				 cases[i].scheduler);
		assert_int_equal(loads, cases[i].starts);
		assert_int_equal(fini(), SLURM_SUCCESS);
		assert_int_equal(loads, 0);
	}
}

/* ---- what is granted ---- */

static part_record_t slice = { .name = "slice", .max_share = SHARED_FORCE | 3 };
static part_record_t plain = { .name = "plain", .max_share = 1 };
static node_record_t node[4];
static node_record_t *table[] = { &node[0], &node[1], &node[2], &node[3] };

static int attach(void **state)
{
	struct own_scheduler own = {
		.partition = "slice", .scheduler = "mbgs", .settings = "", .key = OWN_GANG
	};

	(void)state;
	set(&slurm_conf.select_type, "select/gang");
	set(&slurm_conf.schedtype, "sched/qops");
	in_slurmctld = true;
	realms_use(&own, 1);
	pact_gang_5.asks = grant_asks();
	asked = 0;
	return init();
}

static int detach(void **state)
{
	(void)state;
	pact_gang_5.asks = NULL;
	xfree(asked_nodes);
	return fini();
}

/* Nodes 0 to 3 for a job of that partition. RET what the plugin says. */
static int test_job(job_record_t *job, uint16_t mode)
{
	bitstr_t *nodes = bit_alloc(4);
	int rc;

	bit_set_all(nodes);
	rc = select_p_job_test(job, nodes, 1, 1, 1, mode, NULL, NULL, PLAYED_NO_EXCLUSION);
	FREE_NULL_BITMAP(nodes);
	return rc;
}

static bool may_run(job_record_t *job)
{
	int before = asked, rc = test_job(job, SELECT_MODE_RUN_NOW);

	assert_int_equal(rc == SLURM_SUCCESS, asked == before + 1);
	return rc == SLURM_SUCCESS;
}

static void test_not_granted(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &slice };

	(void)state;
	assert_false(may_run(&job));
	assert_int_equal(test_job(&job, SELECT_MODE_RUN_NOW | SELECT_MODE_CHECK_FULL), SLURM_ERROR);
	/* whether it could run ever, and when, may be asked by all */
	assert_int_equal(test_job(&job, SELECT_MODE_TEST_ONLY), SLURM_SUCCESS);
	assert_int_equal(asked_mode, SELECT_MODE_TEST_ONLY);
	assert_int_equal(test_job(&job, SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
	assert_int_equal(asked_mode, SELECT_MODE_WILL_RUN);
	job.part_ptr = &plain;
	assert_true(may_run(&job));
}

static void test_granted(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &slice };
	job_record_t other = { .job_id = 8, .part_ptr = &slice };
	bitstr_t *forbid = bit_alloc(4);

	(void)state;
	bit_set(forbid, 1);
	grant_begin(&job, forbid, false);
	assert_true(may_run(&job));
	assert_string_equal(asked_nodes, "0,2-3");
	assert_false(may_run(&other));
	grant_end();
	assert_false(may_run(&job));
	grant_begin(&other, NULL, false);
	assert_true(may_run(&other));
	assert_string_equal(asked_nodes, "0-3");
	assert_false(may_run(&job));
	grant_end();
	FREE_NULL_BITMAP(forbid);
}

/*
 * One that has its nodes for itself comes beside as many as may take turns there, or are there since more might; the partition
 * stays as it is.
 */
static void test_alone(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &slice };
	node_record_t **were = node_record_table_ptr;

	(void)state;
	node_record_table_ptr = table;
	grant_begin(&job, NULL, true);
	assert_true(may_run(&job));
	assert_int_equal(asked_share, SHARED_FORCE | 4);
	assert_ptr_equal(job.part_ptr, &slice);
	assert_int_equal(slice.max_share, SHARED_FORCE | 3);
	table[2]->run_job_cnt = 1;
	table[2]->sus_job_cnt = 4;
	assert_true(may_run(&job));
	assert_int_equal(asked_share, SHARED_FORCE | 6);
	node_record_table_ptr = were;
	assert_int_equal(test_job(&job, SELECT_MODE_WILL_RUN), SLURM_SUCCESS);
	assert_int_equal(asked_share, SHARED_FORCE | 3);
	job.part_ptr = &plain;
	assert_true(may_run(&job));
	assert_int_equal(asked_share, 1);
	grant_end();
	job.part_ptr = &slice;
	grant_begin(&job, NULL, false);
	assert_true(may_run(&job));
	assert_int_equal(asked_share, SHARED_FORCE | 3);
	grant_end();
}

/* A task that Slurm splits off, and one of another array. */
static void test_array(void **state)
{
	job_record_t head = { .job_id = 7, .array_job_id = 7, .part_ptr = &slice };
	job_record_t task = { .job_id = 9, .array_job_id = 7, .part_ptr = &slice };
	job_record_t other = { .job_id = 11, .array_job_id = 10, .part_ptr = &slice };

	(void)state;
	grant_begin(&head, NULL, false);
	assert_true(may_run(&task));
	assert_false(may_run(&other));
	grant_end();
	assert_false(may_run(&task));
}

static void *other_thread(void *job)
{
	return may_run(job) ? job : NULL;
}

/* An RPC's thread that comes by meanwhile was granted nothing. */
static void test_thread(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &slice };
	pthread_t thread;
	void *ran;

	(void)state;
	grant_begin(&job, NULL, false);
	assert_int_equal(pthread_create(&thread, NULL, other_thread, &job), 0);
	assert_int_equal(pthread_join(thread, &ran), 0);
	assert_null(ran);
	assert_true(may_run(&job));
	grant_end();
}

/*
 * scontrol suspend and resume. Slurm tells of a suspension only of a job that runs, of a resumption always: one that is stopped
 * for another's turn is not to be counted twice after that, nor one that was counted anew meanwhile.
 */
static void test_by_hand(void **state)
{
	part_record_t forced = { .name = "slice", .max_share = SHARED_FORCE | 3 };
	job_record_t job = { .job_id = 7, .part_ptr = &forced, .suspend_time = time(NULL) + 10 };

	(void)state;
	assert_int_equal(select_p_node_init(), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_suspend(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	/* suspended before a restart, or a changed partition */
	job.suspend_time = time(NULL) - 10;
	assert_int_equal(select_p_job_resume(&job, false), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
}

/* Where there are no turns, as select/linear has it, but for a job that it has counted anew. */
static void test_by_hand_plain(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &plain, .suspend_time = time(NULL) + 10 };

	(void)state;
	assert_int_equal(select_p_node_init(), SLURM_SUCCESS);
	assert_int_equal(select_p_job_suspend(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 0);
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	/* a switch of turns that there were before */
	job.suspend_time = time(NULL) - 10;
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_suspend(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 0);
	assert_int_equal(select_p_reconfigure(), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
	assert_int_equal(select_p_job_resume(&job, true), SLURM_SUCCESS);
	assert_int_equal(counts, 1);
}

/* The thread that plans is woken by whatever changes what a job has of its nodes; RET whether by the last call. */
static bool woken(void)
{
	bool came = poke_came();

	(void)poke_take();
	return came;
}

static void test_woken(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &plain };
	bool bridge = pact_gang_5.asks;

	(void)state;
	(void)poke_take();
	assert_int_equal(select_p_job_begin(&job), LINEAR_RC);
	assert_int_equal(woken(), bridge);
	assert_int_equal(select_p_job_suspend(&job, false), SLURM_SUCCESS);
	assert_int_equal(woken(), bridge);
	assert_int_equal(select_p_job_resume(&job, false), SLURM_SUCCESS);
	assert_int_equal(woken(), bridge);
	assert_int_equal(select_p_job_resized(&job, NULL), LINEAR_RC);
	assert_int_equal(woken(), bridge);
	assert_int_equal(select_p_job_expand(&job, &job), LINEAR_RC);
	assert_int_equal(woken(), bridge);
	assert_int_equal(select_p_job_fini(&job), LINEAR_RC);
	assert_int_equal(woken(), bridge);
}

static void test_no_bridge(void **state)
{
	job_record_t job = { .job_id = 7, .part_ptr = &slice };

	(void)state;
	pact_gang_5.asks = NULL;
	assert_true(may_run(&job));
	test_woken(NULL);
}

/* ---- when one begins ---- */

/* Four nodes of which two rows are full of jobs of 1000 s from then on, in slices of 10 s; the plan of these. */
static struct sched *make_plan(int64_t now)
{
	struct nodeset *all = nodeset_create(4);
	struct sched_config c;
	struct sched *s;

	nodeset_fill(all);
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	c.rows = 2;
	c.slice = 10;
	s = sched_create("mbgs", 4, &c, NULL, 0);
	assert_non_null(s);
	for (uint64_t id = 1; id <= 2; id++) {
		struct sched_job job = { .id = id,
					 .submit = now,
					 .limit = 1000,
					 .priority = 5,
					 .planned = -1,
					 .width = 4 - (int32_t)id,
					 .flags = JOB_FIXED,
					 .nalt = 1,
					 .alt = { all } };
		struct sched_action a;

		assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
								       .now = now,
								       .jobs = &job,
								       .njobs = 1 }),
				 PACT_OK);
		assert_true(sched_next(s, &a) && a.type == ACT_WAKE);
	}
	nodeset_destroy(all);
	return s;
}

/* What Slurm's record of a job says, as far as it is of any interest here: of all four nodes, each of 2 processors. */
static struct nodeset *all_nodes;

struct regions *regions_create(void)
{
	return (struct regions *)all_nodes;
}

bool describe_record(struct regions *regions, const job_record_t *job, struct description *out)
{
	assert_ptr_equal(regions, all_nodes);
	*out = (struct description){ .width = (int32_t)job->details->min_nodes,
				     .limit = (int64_t)job->time_limit * 60,
				     .begin = job->details->begin_time,
				     .deadline = job->deadline,
				     .slices = !strcmp(job->part_ptr->name, "slice"),
				     .nalt = 1,
				     .alt = { all_nodes },
				     .part = { job->part_ptr->name } };
	return true;
}

/* The bridge with that plan. */
static int attach_plan(void **state)
{
	struct bridge *b = bridge_get();

	all_nodes = nodeset_create(4);
	nodeset_fill(all_nodes);
	node_record_count = 4;
	slice.total_nodes = 4;
	slice.total_cpus = 8;
	job_list = list_create(NULL);
	b->core = make_plan(time(NULL));
	b->ready = true;
	b->nodes = 4;
	b->admission_us = 1000;
	return attach(state);
}

static int detach_plan(void **state)
{
	struct bridge *b = bridge_get();

	sched_destroy(b->core);
	b->core = NULL;
	b->ready = false;
	FREE_NULL_LIST(job_list);
	nodeset_destroy(all_nodes);
	return detach(state);
}

static job_details_t details_of(uint32_t nodes)
{
	return (job_details_t){ .min_nodes = nodes, .min_cpus = nodes };
}

/* What the plugin says of a job of so many nodes and 2 minutes, on those that are given: seconds from now. */
static int64_t will_run(uint32_t width, int given)
{
	job_details_t details = details_of(width);
	job_record_t job = {
		.job_id = 7, .part_ptr = &slice, .details = &details, .priority = 4, .time_limit = 2
	};
	bitstr_t *nodes = bit_alloc(4);
	int64_t now = time(NULL);
	int rc;

	for (int i = 0; i < given; i++)
		bit_set(nodes, i);
	rc = select_p_job_test(&job, nodes, width, width, width, SELECT_MODE_WILL_RUN, NULL, NULL,
			       PLAYED_NO_EXCLUSION);
	FREE_NULL_BITMAP(nodes);
	assert_int_equal(rc == SLURM_SUCCESS, fits);
	return job.start_time == GUESS || !job.start_time ? job.start_time : job.start_time - now;
}

/* The clock may go on meanwhile. */
static void is_about(int64_t value, int64_t expected)
{
	if (value < expected - 2 || value > expected)
		fail_msg("%d, not %d", (int)value, (int)expected);
}

/* Of one and two nodes there is a row at once or in the next slice, of three when one of the others has ended. */
static void test_begins(void **state)
{
	(void)state;
	is_about(will_run(1, 4), 0);
	is_about(will_run(2, 4), 10);
	is_about(will_run(3, 4), 2000);
	/* it has no room on these three, which is no matter of the plan */
	is_about(will_run(4, 3), GUESS);
	slice.name = "plain";
	is_about(will_run(1, 4), GUESS);
	slice.name = "slice";
	fits = false;
	assert_int_equal(will_run(1, 4), GUESS);
	fits = true;
	bridge_get()->ready = false;
	is_about(will_run(1, 4), GUESS);
	bridge_get()->ready = true;
	pthread_mutex_lock(&bridge_get()->lock);
	is_about(will_run(1, 4), GUESS);
	pthread_mutex_unlock(&bridge_get()->lock);
	is_about(will_run(1, 4), 0);
}

/* What Slurm adds for jobs before it is taken off before: 2 nodes of 2 processors for 30 minutes are 15 of all. */
static void test_begins_added(void **state)
{
	job_details_t details = details_of(2);
	job_record_t before = { .job_id = 3,
				.part_ptr = &slice,
				.details = &details,
				.priority = 4,
				.time_limit = 30 };
	job_record_t job = { .job_id = 7, .part_ptr = &slice, .priority = 4 };

	(void)state;
	assert_int_equal(begin_added(&job), 0);
	list_append(job_list, &before);
	assert_int_equal(begin_added(&job), 15 * 60);
	is_about(will_run(1, 4), -15 * 60);
	before.priority = 3;
	assert_int_equal(begin_added(&job), 0);
	before.priority = 5;
	before.job_state = JOB_RUNNING;
	assert_int_equal(begin_added(&job), 0);
	before.job_state = JOB_PENDING;
	before.job_id = 7;
	assert_int_equal(begin_added(&job), 0);
	before.job_id = 3;
	before.part_ptr = &plain;
	assert_int_equal(begin_added(&job), 0);
	before.part_ptr = &slice;
	before.time_limit = NO_VAL;
	slice.max_time = 60;
	assert_int_equal(begin_added(&job), 30 * 60);
}

/* What is not the plan's to say. */
static void test_begins_else(void **state)
{
	job_details_t details = details_of(1);
	job_record_t job = {
		.job_id = 7, .part_ptr = &slice, .details = &details, .time_limit = 2
	};
	bitstr_t *nodes = bit_alloc(4);
	time_t start;

	(void)state;
	bit_set_all(nodes);
	assert_true(begin_planned(&job, nodes, &start));
	details.begin_time = time(NULL) + 1000;
	assert_false(begin_planned(&job, nodes, &start));
	details.begin_time = 0;
	job.deadline = time(NULL) + 5000;
	assert_false(begin_planned(&job, nodes, &start));
	job.deadline = 0;
	job.job_id = 0;
	assert_false(begin_planned(&job, nodes, &start));
	FREE_NULL_BITMAP(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start),
		cmocka_unit_test_setup_teardown(test_not_granted, attach, detach),
		cmocka_unit_test_setup_teardown(test_granted, attach, detach),
		cmocka_unit_test_setup_teardown(test_alone, attach, detach),
		cmocka_unit_test_setup_teardown(test_array, attach, detach),
		cmocka_unit_test_setup_teardown(test_thread, attach, detach),
		cmocka_unit_test_setup_teardown(test_by_hand, attach, detach),
		cmocka_unit_test_setup_teardown(test_by_hand_plain, attach, detach),
		cmocka_unit_test_setup_teardown(test_woken, attach, detach),
		cmocka_unit_test_setup_teardown(test_no_bridge, attach, detach),
		cmocka_unit_test_setup_teardown(test_begins, attach_plan, detach_plan),
		cmocka_unit_test_setup_teardown(test_begins_added, attach_plan, detach_plan),
		cmocka_unit_test_setup_teardown(test_begins_else, attach_plan, detach_plan),
	};
	log_options_t quiet = LOG_OPTS_STDERR_ONLY;

	quiet.stderr_level = LOG_LEVEL_QUIET;
	log_init("test_select_gang", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return seed_run("test_select_gang", tests);
}
