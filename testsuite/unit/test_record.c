/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_record: what the bridge reads of one record: whether its terms have changed, and whether anything
 * keeps it from running in its partitions. What is asked for both is played.
 */
#include "slurm/base/compat_played.h"

#include "slurm/eligibility/eligibility.h"
#include "slurm/eligibility/limits.h"
#include "slurm/records/job_env.h"
#include "slurm/records/late_limit.h"
#include "slurm/records/malleable.h"
#include "slurm/records/refused_nodes.h"
#include "slurm/records/region.h"
#include "slurm/records/run_limit.h"
#include "slurm/records/share_terms.h"
#include "slurm/snapshot/snapshot.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

/* ---- played ---- */

static char physics[] = "physics";
static char *only_physics[] = { physics, NULL };
static part_record_t open_part = { .name = "open" };
static part_record_t closed_part = { .name = "closed" };
static part_record_t other_part = { .name = "other" };
static enum limits_answer open_says; /* of the open partition's limits */

part_record_t *default_part_loc;
void *acct_db_conn;
uint16_t accounting_enforce;
int slurmctld_tres_cnt;

part_record_t *find_part_record(char *name)
{
	part_record_t *parts[] = { &open_part, &closed_part, &other_part };

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(parts[i]->name, name))
			return parts[i];
	return NULL;
}

void get_part_list(char *names, list_t **parts, part_record_t **first, char **unknown)
{
	(void)names, (void)unknown;
	*parts = NULL;
	*first = NULL;
}

enum limits_answer limits_check(const struct limits_job *job, int64_t *longest, char *why,
				size_t why_size)
{
	(void)longest;
	assert_string_equal(job->part->name, "open");
	if (open_says)
		snprintf(why, why_size, "a limit");
	return open_says;
}

bool describe_record(struct regions *regions, const job_record_t *job, struct description *out)
{
	(void)regions, (void)job, (void)out;
	return false;
}

bool slurm_preemption_enabled(void)
{
	return false;
}

int validate_alloc_node(part_record_t *part, char *node)
{
	(void)part, (void)node;
	return 1;
}

/* Questions alone lead here. */
bool acct_policy_validate(job_desc_msg_t *desc, part_record_t *part, list_t *parts,
			  slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos, uint32_t *reason,
			  acct_policy_limit_set_t *lifted, bool update)
{
	(void)desc, (void)part, (void)parts, (void)assoc, (void)qos;
	(void)reason, (void)lifted, (void)update;
	return true;
}

uint64_t job_get_tres_mem(struct job_resources *job_res, uint64_t memory, uint32_t cpus,
			  uint32_t nodes, part_record_t *part, list_t *gres, bool given,
			  uint16_t sockets, uint32_t tasks)
{
	(void)job_res, (void)memory, (void)cpus, (void)nodes, (void)part, (void)gres;
	(void)given, (void)sockets, (void)tasks;
	return 0;
}

int validate_group(part_record_t *part, uid_t uid)
{
	(void)part, (void)uid;
	return 1;
}

/* ---- tests ---- */

/*
 * What job_limits_check() leaves in the record is the partition's that was tried last, not another job;
 * what an update sets is.
 */
static void test_print(void **state)
{
	job_details_t details = { .min_cpus = 4,
				  .orig_min_cpus = 4,
				  .pn_min_cpus = 1,
				  .orig_pn_min_cpus = 1,
				  .pn_min_memory = 100,
				  .orig_pn_min_memory = 100 };
	job_record_t job = { .job_id = 7, .time_limit = 10, .details = &details };
	uint64_t print = snapshot_print(&job);
	job_details_t was = details;

	(void)state;
	details.min_cpus = 8;
	details.pn_min_cpus = 2;
	details.pn_min_memory = 200;
	assert_true(snapshot_print(&job) == print);
	details.orig_min_cpus = 8;
	assert_true(snapshot_print(&job) != print);
	details = was;
	details.orig_pn_min_cpus = 2;
	assert_true(snapshot_print(&job) != print);
	details = was;
	details.orig_pn_min_memory = 200;
	assert_true(snapshot_print(&job) != print);
	details = was;
	job.time_limit++;
	assert_true(snapshot_print(&job) != print);
}

#define MALLEABLE "_SLURM_SPANK_OPTION_spank_pact_malleable"
#define START 1000000

/* Requeued it has again what it came with, once: what is changed from then on stands. */
static void test_run_limit(void **state)
{
	job_details_t details = { 0 };
	job_record_t job = { .job_id = 7, .time_limit = 30, .details = &details };
	struct share_terms terms = { .submit = 1, .estimate = 601, .due = START, .rule = "share" };

	(void)state;
	assert_int_equal(run_limit_own(&job), 30);
	assert_false(run_limit_requeued(&job));
	run_limit_put(&job, 30, START + 850);
	job.time_limit = 15;
	job.job_state = JOB_RUNNING;
	assert_int_equal(run_limit_own(&job), 30);
	assert_false(run_limit_requeued(&job));
	job.job_state = JOB_PENDING | JOB_COMPLETING;
	assert_false(run_limit_requeued(&job));
	job.job_state = JOB_PENDING;
	assert_true(run_limit_requeued(&job));
	assert_int_equal(job.time_limit, 30);
	job.time_limit = 20;
	assert_int_equal(run_limit_own(&job), 20);
	assert_false(run_limit_requeued(&job));
	share_terms_put(&job, &terms);
	assert_int_equal(run_limit_own(&job), 11);
	assert_true(run_limit_requeued(&job));
	assert_int_equal(job.time_limit, 11);
	share_terms_of(&job, &terms);
	assert_int_equal(terms.estimate, 0);
	xfree(job.spank_job_env);
}

static bool same_run(const job_record_t *job, const struct malleable_run *with)
{
	struct malleable_run run;

	return malleable_run_of(job, &run) && run.own == with->own && run.lost == with->lost &&
	       run.has == with->has && run.ran == with->ran && run.done == with->done;
}

/* What one has of nodes, and has done, is known until it waits again; a submission brings none along. */
static void test_run(void **state)
{
	static const char *const texts[] = { "1:3",
					     "2:3:1:4:5:6",
					     "1:3:1:4:5:6x",
					     "1:3:1:4:5:6:0",
					     "1:5:1:4:5:6",
					     "1:0:1:4:5:6",
					     "1:3:1:4:-5:6",
					     "3:3:1:4:5:6:0",
					     "2:5:1:4:5:6:0",
					     "2:3:1:4:5:6:0x",
					     "2:3:1:4:5:6:0:0",
					     "x",
					     "" };
	const struct malleable_run lost = { 3, 2, 4, 100, 250 }, whole = { 3, 0, 3, 0, 0 };
	job_desc_msg_t desc = { .spank_job_env_size = 0 };
	job_record_t job = { .job_id = 7, .job_state = JOB_RUNNING };
	struct malleable_run run = lost;

	(void)state;
	assert_false(malleable_run_of(&job, &run));
	assert_int_equal(run.own + run.lost + run.has, 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		job_env_put(&job, "PACT_OWN", texts[i]);
		assert_false(malleable_run_of(&job, &run));
	}
	malleable_run_put(&job, &lost);
	assert_string_equal(job_env_get(&job, "PACT_OWN"), "2:3:2:4:100:250:0");
	malleable_requeued(&job);
	job.job_state = JOB_PENDING | JOB_COMPLETING;
	malleable_requeued(&job);
	assert_true(same_run(&job, &lost));
	job.job_state = JOB_PENDING;
	malleable_requeued(&job);
	assert_null(job_env_get(&job, "PACT_OWN"));
	job.node_bitmap = bit_alloc(8);
	bit_nset(job.node_bitmap, 2, 4);
	malleable_begin(&job);
	assert_null(job_env_get(&job, "PACT_OWN"));
	job_env_put(&job, "_SLURM_SPANK_OPTION_spank_pact_malleable", "");
	malleable_begin(&job);
	assert_true(same_run(&job, &whole));
	FREE_NULL_BITMAP(job.node_bitmap);
	xfree(job.spank_job_env);
	job_env_ask(&desc, "PACT_OWN", "1:1");
	malleable_strip(&desc);
	assert_int_equal(desc.spank_job_env_size, 0);
	xfree(desc.spank_job_env);
}

/* What stands in the record of a run that Slurm has requeued and started anew, without us, is nothing of the new one. */
static void test_other_run(void **state)
{
	const struct malleable_run lost = { 3, 2, 4, 100, 250 };
	job_record_t job = { .job_id = 7, .job_state = JOB_RUNNING, .restart_cnt = 1 };
	struct malleable_run run;

	(void)state;
	malleable_run_put(&job, &lost);
	assert_string_equal(job_env_get(&job, "PACT_OWN"), "2:3:2:4:100:250:1");
	assert_true(same_run(&job, &lost));
	job.restart_cnt++;
	assert_false(malleable_run_of(&job, &run));
	assert_int_equal(run.own + run.lost + run.has, 0);
	malleable_run_put(&job, &lost);
	assert_true(same_run(&job, &lost));
	/* a record of before it was told */
	job_env_put(&job, "PACT_OWN", "1:3:2:4:100:250");
	assert_true(same_run(&job, &lost));
	xfree(job.spank_job_env);
}

/* What an earlier run was asked for is not wanted of the next one, which may have the same nodes as its own. */
static void test_run_wish(void **state)
{
	static const char *const wishes[] = { "n[5-8]", "n5" },
				 *const none = "ticket pactwish1(serial=3,width=4,by=0,leave=)";
	char text[100];
	job_details_t details = { .min_nodes = 4 };
	job_record_t job = { .job_id = 7, .details = &details };

	(void)state;
	job.node_bitmap = bit_alloc(8);
	bit_nset(job.node_bitmap, 4, 7);
	job_env_put(&job, "_SLURM_SPANK_OPTION_spank_pact_malleable", "");
	for (int by = 0; by < 2; by++) {
		snprintf(text, sizeof(text), "ticket pactwish1(serial=2,width=9,by=%d,leave=%s)",
			 by, wishes[by]);
		job.admin_comment = xstrdup(text);
		job.job_state = JOB_RUNNING;
		malleable_run_put(&job, &(struct malleable_run){ .own = 4, .has = 8 });
		malleable_requeued(&job);
		assert_string_equal(job.admin_comment, text);
		job.job_state = JOB_PENDING;
		malleable_requeued(&job);
		assert_string_equal(job.admin_comment, none);
		xfree(job.admin_comment);
		/* or that was not seen */
		job.admin_comment = xstrdup(text);
		malleable_begin(&job);
		assert_string_equal(job.admin_comment, none);
		malleable_begin(&job);
		assert_string_equal(job.admin_comment, none);
		xfree(job.admin_comment);
	}
	malleable_begin(&job);
	assert_null(job.admin_comment);
	FREE_NULL_BITMAP(job.node_bitmap);
	xfree(job.spank_job_env);
}

static bool is_refused(uint32_t nodes, uint32_t node, time_t now)
{
	struct nodeset *set = nodeset_create(nodes);
	bitstr_t *bits = bit_alloc(nodes);
	bool in, out;

	bit_set_all(bits);
	refused_nodes_put_in(set, now);
	refused_nodes_leave_out(bits, now);
	in = node < nodes && nodeset_test(set, node);
	out = node < nodes && !bit_test(bits, node);
	assert_int_equal(in, out);
	assert_int_equal(nodeset_count(set), in);
	FREE_NULL_BITMAP(bits);
	nodeset_destroy(set);
	return in;
}

/* For two minutes from when it was refused last; of a table that has been read anew only where it bears that name. */
static void test_refused_nodes(void **state)
{
	node_record_t first = { .name = "first" }, second = { .name = "second" };
	node_record_t *table[8] = { [3] = &first, [4] = &second }, **saved = node_record_table_ptr;

	(void)state;
	node_record_table_ptr = table;
	assert_false(is_refused(8, 3, START));
	refused_nodes_add(3, START);
	assert_true(is_refused(8, 3, START));
	assert_true(is_refused(8, 3, START + 119));
	assert_false(is_refused(8, 3, START + 120));
	assert_false(is_refused(3, 3, START));
	refused_nodes_add(3, START + 60);
	assert_true(is_refused(8, 3, START + 179));
	assert_false(is_refused(8, 3, START + 180));
	table[3] = &second;
	table[4] = &first;
	assert_false(is_refused(8, 3, START + 60));
	table[3] = NULL;
	assert_false(is_refused(8, 3, START + 60));
	table[3] = &second;
	refused_nodes_add(3, START + 60);
	assert_true(is_refused(8, 3, START + 60));
	node_record_table_ptr = saved;
}

/* Slurm counts its limit anew, in whole minutes: it ends when it is due. An operator's other limit stays. */
static void test_hold_end(void **state)
{
	job_record_t job = { .job_id = 7,
			     .job_state = JOB_RUNNING,
			     .time_limit = 15,
			     .start_time = START,
			     .end_time = START + 900 };

	(void)state;
	assert_false(run_limit_hold_end(&job));
	run_limit_put(&job, 30, START + 850);
	assert_true(run_limit_hold_end(&job));
	assert_int_equal(job.end_time, START + 850);
	assert_false(run_limit_hold_end(&job));
	job.time_limit = 25;
	job.end_time += 600;
	assert_false(run_limit_hold_end(&job));
	job.end_time = START + 1560;
	assert_true(run_limit_hold_end(&job));
	assert_int_equal(job.end_time, START + 1500);
	job_env_put(&job, "PACT_LIMIT", NULL);
	xfree(job.spank_job_env);
}

static void put(job_record_t *job, enum token_state state)
{
	assert_true(late_limit_put(
		job, &(struct token){ .id = 9, .deadline = START, .limit = 1800, .state = state }));
}

/* What the bridge gives to a record so that Slurm lets the job wait is nothing to plan by, nor a change of it. */
static void test_least(void **state)
{
	job_details_t details = { 0 };
	job_record_t job = {
		.job_id = 7, .time_limit = 30, .deadline = START, .details = &details
	};
	uint64_t print = snapshot_print(&job);
	job_desc_msg_t desc = { .time_min = NO_VAL };
	struct token promised = { .id = 9, .deadline = START, .limit = 1800 };

	(void)state;
	put(&job, TOKEN_PROMISED);
	assert_int_equal(job.time_min, 0);
	late_limit_change(&desc, &job, &promised);
	assert_int_equal(desc.time_min, NO_VAL);
	put(&job, TOKEN_EXPECTED);
	assert_int_equal(job.time_min, LATE_LIMIT_LEAST);
	assert_int_equal(late_limit_least(&job), 0);
	put(&job, TOKEN_WITHDRAWN);
	assert_int_equal(job.time_min, 0);
	job_env_put(&job, MALLEABLE, "grace:5");
	late_limit_change(&desc, &job, &promised);
	assert_int_equal(desc.time_min, LATE_LIMIT_LEAST);
	put(&job, TOKEN_PROMISED);
	put(&job, TOKEN_WITHDRAWN);
	assert_int_equal(job.time_min, LATE_LIMIT_LEAST);
	assert_int_equal(late_limit_least(&job), 0);
	assert_true(snapshot_print(&job) == print);
	job_env_put(&job, MALLEABLE, NULL);
	xfree(job.spank_job_env);
	xfree(job.admin_comment);
}

/* One that its user gave stays, and is told. */
static void test_own_least(void **state)
{
	job_record_t job = { .job_id = 7, .time_limit = 30, .time_min = LATE_LIMIT_LEAST };
	job_desc_msg_t desc = { .time_min = NO_VAL };
	struct token promised = { .id = 9, .deadline = START, .limit = 1800 };

	(void)state;
	put(&job, TOKEN_PROMISED);
	assert_int_equal(late_limit_least(&job), LATE_LIMIT_LEAST);
	job_env_put(&job, MALLEABLE, "grace:5");
	job.time_min = 5;
	put(&job, TOKEN_PROMISED);
	assert_int_equal(job.time_min, 5);
	assert_int_equal(late_limit_least(&job), 5);
	late_limit_change(&desc, &job, &promised);
	assert_int_equal(desc.time_min, NO_VAL);
	desc.time_min = 0;
	late_limit_change(&desc, &job, &promised);
	assert_int_equal(desc.time_min, LATE_LIMIT_LEAST);
	job_env_put(&job, MALLEABLE, NULL);
	xfree(job.spank_job_env);
	xfree(job.admin_comment);
}

/* What none of its partitions takes never runs, nor what is over a limit in one; else it may wait. */
static void test_partitions(void **state)
{
	static const struct {
		const char *part[3];
		enum limits_answer open;
		enum obstacle obstacle;
		const char *why;
	} cases[] = {
		{ { "open" }, LIMITS_NONE, OBSTACLE_NONE, "" },
		{ { "closed" }, LIMITS_NONE, OBSTACLE_OVER, "partition closed: " },
		{ { "closed", "other" }, LIMITS_NONE, OBSTACLE_OVER, "partition other: " },
		{ { "closed", "gone", "other" }, LIMITS_NONE, OBSTACLE_OVER, "partition other: " },
		{ { "closed", "open" }, LIMITS_NONE, OBSTACLE_WAITS, "partition closed: " },
		{ { "open", "closed" }, LIMITS_NONE, OBSTACLE_WAITS, "partition closed: " },
		{ { "closed", "open" }, LIMITS_OVER, OBSTACLE_OVER, "a limit" },
		{ { "closed", "open" }, LIMITS_SHARED, OBSTACLE_WAITS, "a limit" },
	};

	(void)state;
	accounting_enforce = ACCOUNTING_ENFORCE_ASSOCS;
	play_strange_accounts(&closed_part, only_physics);
	play_strange_accounts(&other_part, only_physics);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct description what = { .limit = 100 };
		job_record_t record = { .job_id = 7 };
		struct eligibility_job who = { .record = &record, .what = &what, .least = 100 };
		char why[256] = "";
		int64_t longest;

		while (what.nalt < 3 && cases[i].part[what.nalt]) {
			what.part[what.nalt] = cases[i].part[what.nalt];
			what.nalt++;
		}
		open_says = cases[i].open;
		assert_int_equal(eligibility_obstacle(&who, &longest, why, sizeof(why)),
				 cases[i].obstacle);
		assert_memory_equal(why, cases[i].why, strlen(cases[i].why));
	}
	play_all_accounts(&closed_part);
	play_all_accounts(&other_part);
	accounting_enforce = 0;
}

/* The limit of an array on its running tasks is named as scontrol does. */
static void test_throttle(void **state)
{
	struct description what = { .limit = 100, .nalt = 1, .part = { "open" } };
	job_array_struct_t array = { .task_cnt = 9, .max_run_tasks = 3 };
	job_record_t record = { .job_id = 7, .array_job_id = 7, .array_recs = &array };
	struct eligibility_job who = { .record = &record, .what = &what, .least = 100 };
	char why[256] = "";
	int64_t longest;

	(void)state;
	open_says = LIMITS_NONE;
	assert_int_equal(eligibility_obstacle(&who, &longest, why, sizeof(why)), OBSTACLE_WAITS);
	assert_non_null(strstr(why, "(ArrayTaskThrottle=3)"));
	array.max_run_tasks = 0;
	assert_int_equal(eligibility_obstacle(&who, &longest, why, sizeof(why)), OBSTACLE_NONE);
}

/* What a partition keeps a job waiting for is named, with its value; MinNodes by the record's nodes. */
static void test_waits(void **state)
{
	static const struct {
		uint16_t state_up;
		uint32_t max_time, max_nodes, min_nodes, nodes;
		const char *says;
	} cases[] = {
		{ PARTITION_UP, 10, 4, 4, 4, "" },
		{ PARTITION_DRAIN, INFINITE, INFINITE, INFINITE, 1, "" },
		{ PARTITION_DOWN, 10, 4, 1, 4, "partition open: State=DOWN" },
		{ PARTITION_INACTIVE, 10, 4, 1, 4, "partition open: State=INACTIVE" },
		{ PARTITION_UP, 9, 4, 1, 4,
		  "partition open: MaxTime=9 (minutes) is less than its" },
		{ PARTITION_UP, 10, 3, 1, 4, "partition open: MaxNodes=3 is less than its" },
		{ PARTITION_UP, 10, 4, 5, 4, "partition open: MinNodes=5 is more than its" },
		{ PARTITION_UP, 10, 4, 2, 1, "partition open: MinNodes=2 is more than its" },
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const part_record_t part = { .name = "open",
					     .state_up = cases[i].state_up,
					     .max_time = cases[i].max_time,
					     .max_nodes = cases[i].max_nodes,
					     .min_nodes = cases[i].min_nodes };
		struct description what = { .width = 4, .least = 600, .waits_in = part.name };

		what.waits = describe_part_wait(&what, &part, cases[i].nodes, true);
		what.waits_at = describe_part_at(&part, what.waits);
		describe_waits(&what, text, sizeof(text));
		assert_int_equal(what.waits != DESCRIBE_RUNS, cases[i].says[0] != '\0');
		assert_memory_equal(text, cases[i].says, strlen(cases[i].says));
		/* A limit that is the partition's own is no more than it. */
		if (what.waits == DESCRIBE_MAX_TIME)
			assert_int_equal(describe_part_wait(&what, &part, cases[i].nodes, false),
					 DESCRIBE_RUNS);
	}
}

/*
 * The same of memory, by the partition's limit or the cluster's, per node or per processor
 * (_valid_pn_min_mem). The partition's first node has 16 processors, its second, which Slurm does not
 * look at, 64.
 */
static void test_memory(void **state)
{
	static const struct {
		uint64_t part, conf;
		struct node_need need;
		uint32_t asks;
		enum describe_wait waits;
		uint32_t at, cpus;
	} cases[] = {
		{ 0, 0, { .memory = 900 }, 1, DESCRIBE_RUNS, 0, 0 },
		{ MEM_PER_CPU, 0, { .memory = 900 }, 1, DESCRIBE_RUNS, 0, 0 },
		{ 900, 1, { .memory = 900 }, 1, DESCRIBE_RUNS, 0, 0 },
		{ 899, 0, { .memory = 900 }, 1, DESCRIBE_MAX_MEMORY, 899, 0 },
		{ 0, 899, { .memory = 900 }, 1, DESCRIBE_MAX_MEMORY, 899, 0 },
		/* Part of a node: what it asks for, at least one processor. */
		{ 800, 0, { .cpu_memory = 200 }, 4, DESCRIBE_RUNS, 0, 0 },
		{ 799, 0, { .cpu_memory = 200 }, 4, DESCRIBE_MAX_MEMORY, 799, 0 },
		{ 200, 0, { .cpu_memory = 200 }, 0, DESCRIBE_RUNS, 0, 0 },
		{ 199, 0, { .cpu_memory = 200 }, 0, DESCRIBE_MAX_MEMORY, 199, 0 },
		/* A whole one: those of the partition's first. */
		{ 3200, 0, { .cpu_memory = 200, .whole = true }, 64, DESCRIBE_RUNS, 0, 0 },
		{ 3199, 0, { .cpu_memory = 200, .whole = true }, 1, DESCRIBE_MAX_MEMORY, 3199, 0 },
		/* More memory for a processor: less for each of more. */
		{ MEM_PER_CPU | 200, 0, { .cpu_memory = 200 }, 4, DESCRIBE_RUNS, 0, 0 },
		{ MEM_PER_CPU | 199, 0, { .cpu_memory = 200 }, 4, DESCRIBE_RUNS, 0, 0 },
		/* More processors for its memory, unless it asks for as many: then those of a node. */
		{ MEM_PER_CPU | 200, 0, { .memory = 601 }, 1, DESCRIBE_RUNS, 0, 4 },
		{ 0, MEM_PER_CPU | 1, { .memory = UINT32_MAX }, 1, DESCRIBE_RUNS, 0, UINT16_MAX },
		{ MEM_PER_CPU | 1000,
		  0,
		  { .memory = 40000, .whole = true },
		  40,
		  DESCRIBE_CPU_MEMORY,
		  1000,
		  40 },
		{ MEM_PER_CPU | 1000,
		  0,
		  { .memory = 40000, .whole = true },
		  39,
		  DESCRIBE_RUNS,
		  0,
		  40 },
		{ MEM_PER_CPU | 1000, 0, { .memory = 40000 }, 40, DESCRIBE_RUNS, 0, 40 },
		{ MEM_PER_CPU | 2500,
		  0,
		  { .memory = 40000, .whole = true },
		  40,
		  DESCRIBE_RUNS,
		  0,
		  16 },
	};
	config_record_t small = { .cpus = 16 }, large = { .cpus = 64 };
	node_record_t first = { .config_ptr = &small }, second = { .config_ptr = &large };
	node_record_t *nodes[] = { NULL, &first, &second }, **saved = node_record_table_ptr;
	part_record_t part = { .name = "open", .node_bitmap = bit_alloc(3) };

	(void)state;
	node_record_table_ptr = nodes;
	bit_nset(part.node_bitmap, 1, 2);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		enum describe_wait waits;

		part.max_mem_per_cpu = cases[i].part;
		slurm_conf.max_mem_per_cpu = cases[i].conf;
		waits = describe_memory_wait(&part, &cases[i].need, cases[i].asks);
		assert_int_equal(waits, cases[i].waits);
		assert_int_equal(describe_part_at(&part, waits), cases[i].at);
		assert_int_equal(describe_memory_cpus(&part, &cases[i].need), cases[i].cpus);
	}
	FREE_NULL_BITMAP(part.node_bitmap);
	slurm_conf.max_mem_per_cpu = 0;
	node_record_table_ptr = saved;
}

/* So many times the processors, when a limit of one processor is less than its memory. */
static void test_ratio(void **state)
{
	static const struct {
		uint64_t part, memory;
		uint32_t ratio;
	} cases[] = {
		{ 0, MEM_PER_CPU | 4000, 1 },
		{ 2000, MEM_PER_CPU | 4000, 1 },
		{ MEM_PER_CPU, MEM_PER_CPU | 4000, 1 },
		{ MEM_PER_CPU | 2000, 4000, 1 },
		{ MEM_PER_CPU | 2000, 0, 1 },
		{ MEM_PER_CPU | 2000, MEM_PER_CPU, 1 },
		{ MEM_PER_CPU | 2000, MEM_PER_CPU | 2000, 1 },
		{ MEM_PER_CPU | 2000, MEM_PER_CPU | 2001, 2 },
		{ MEM_PER_CPU | 2000, MEM_PER_CPU | 4000, 2 },
		{ MEM_PER_CPU | 1, MEM_PER_CPU | UINT32_MAX, UINT16_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const part_record_t part = { .name = "open", .max_mem_per_cpu = cases[i].part };

		assert_int_equal(describe_memory_ratio(&part, cases[i].memory), cases[i].ratio);
	}
}

/* Without a word about memory it is all of the partition's first node. */
static void test_all_memory(void **state)
{
	config_record_t config = { .real_memory = 1000 };
	node_record_t node = { .config_ptr = &config, .mem_spec_limit = 99 };
	node_record_t *nodes[] = { NULL, &node }, **saved = node_record_table_ptr;
	part_record_t part = { .name = "open", .max_mem_per_cpu = 900 };
	const struct node_need none = { 0 };

	(void)state;
	node_record_table_ptr = nodes;
	part.node_bitmap = bit_alloc(2);
	bit_set(part.node_bitmap, 1);
	assert_int_equal(region_memory(&node), 901);
	assert_int_equal(describe_memory_wait(&part, &none, 4), DESCRIBE_MAX_MEMORY);
	part.max_mem_per_cpu = MEM_PER_CPU | 300;
	assert_int_equal(describe_memory_wait(&part, &none, 4), DESCRIBE_RUNS);
	assert_int_equal(describe_memory_cpus(&part, &none), 4);
	node.mem_spec_limit = 100;
	assert_int_equal(describe_memory_cpus(&part, &none), 3);
	FREE_NULL_BITMAP(part.node_bitmap);
	node_record_table_ptr = saved;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),	   cmocka_unit_test(test_run_limit),
		cmocka_unit_test(test_run),	   cmocka_unit_test(test_other_run),
		cmocka_unit_test(test_run_wish),   cmocka_unit_test(test_refused_nodes),
		cmocka_unit_test(test_hold_end),   cmocka_unit_test(test_least),
		cmocka_unit_test(test_own_least),  cmocka_unit_test(test_partitions),
		cmocka_unit_test(test_throttle),   cmocka_unit_test(test_waits),
		cmocka_unit_test(test_memory),	   cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_all_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
