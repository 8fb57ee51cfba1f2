/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_widest: how many nodes of its range a job may have, by MaxNodes and by limits of its account and QOS. Nodes, partitions and
 * accounts are played; each node has four processors.
 */
#include "slurm/base/compat_played.h"

#include "slurm/admission/change_range.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/describe.h"
#include "slurm/records/malleable.h"
#include "testsuite/unit/seed.h"

#define NODES 16

/* ---- played ---- */

slurmdb_federation_rec_t *fed_mgr_fed_rec;
list_t *part_list, *active_feature_list;
part_record_t *default_part_loc;
uint16_t accounting_enforce;
int slurmctld_tres_cnt = TRES_ARRAY_TOTAL_CNT;

static slurmdb_assoc_usage_t usage, usage_above;
static slurmdb_assoc_rec_t above = { .acct = "science", .usage = &usage_above };
static slurmdb_assoc_rec_t assoc = { .acct = "phys", .user = "me", .usage = &usage };
static slurmdb_qos_rec_t qos = { .name = "lim" }, part_qos = { .name = "part" };

struct account account_find(const struct eligibility_job *job, const char *part)
{
	(void)job, (void)part;
	return (struct account){ &assoc, &qos };
}

bool slurm_preemption_enabled(void)
{
	return false;
}

static int part_is(void *record, void *name)
{
	return !strcmp(((part_record_t *)record)->name, name);
}

part_record_t *find_part_record(char *name)
{
	return list_find_first(part_list, part_is, name);
}

/* Of the partitions in part_list. */
void get_part_list(char *names, list_t **parts, part_record_t **first, char **unknown)
{
	char *copy = xstrdup(names), *rest = NULL;

	(void)unknown;
	*parts = list_create(NULL);
	for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		list_append(*parts, find_part_record(name));
	xfree(copy);
	*first = list_peek(*parts);
}

int list_find_feature(void *feature, void *name)
{
	(void)feature, (void)name;
	return 0;
}

bool node_features_g_changeable_feature(char *name)
{
	(void)name;
	return false;
}

int node_name2bitmap(char *names, bool best_effort, bitstr_t **bitmap, hostlist_t **unknown)
{
	(void)names, (void)best_effort, (void)bitmap, (void)unknown;
	return SLURM_ERROR;
}

void schedule_job_save(void)
{
}

bool validate_operator(uid_t uid)
{
	return !uid;
}

/* ---- a cluster of sixteen nodes, with two partitions ---- */

static config_record_t config = { .cpus = 4, .real_memory = 1000 };
static node_record_t node = { .config_ptr = &config };
static node_record_t *nodes[NODES];
static part_record_t part = { .name = "batch",
			      .state_up = PARTITION_UP,
			      .max_time = INFINITE,
			      .max_nodes = INFINITE,
			      .min_nodes = 1,
			      .default_time = NO_VAL,
			      .max_cpus_per_node = INFINITE };
static part_record_t side;

static uint64_t *no_limits(void)
{
	uint64_t *limits = xcalloc((size_t)slurmctld_tres_cnt, sizeof(*limits));

	for (int i = 0; i < slurmctld_tres_cnt; i++)
		limits[i] = INFINITE64;
	return limits;
}

static void open_qos(slurmdb_qos_rec_t *q)
{
	q->flags = 0;
	q->limit_factor = INFINITE;
	q->usage_factor = 1;
	q->max_tres_pj_ctld = no_limits();
	q->max_tres_pu_ctld = no_limits();
	q->max_tres_pa_ctld = no_limits();
	q->max_tres_mins_pj_ctld = no_limits();
	q->grp_tres_ctld = no_limits();
}

static void close_qos(slurmdb_qos_rec_t *q)
{
	xfree(q->max_tres_pj_ctld);
	xfree(q->max_tres_pu_ctld);
	xfree(q->max_tres_pa_ctld);
	xfree(q->max_tres_mins_pj_ctld);
	xfree(q->grp_tres_ctld);
}

static int set_up(void **state)
{
	(void)state;
	for (int i = 0; i < NODES; i++)
		nodes[i] = &node;
	node_record_table_ptr = nodes;
	node_record_count = NODES;
	active_feature_list = list_create(NULL);
	part.node_bitmap = bit_alloc(NODES);
	bit_set_all(part.node_bitmap);
	part.max_nodes = INFINITE;
	part.qos_ptr = NULL;
	side = part;
	side.name = "side";
	part_list = list_create(NULL);
	list_append(part_list, &part);
	list_append(part_list, &side);
	accounting_enforce = ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_ASSOCS;
	usage.parent_assoc_ptr = &above;
	assoc.max_tres_ctld = no_limits();
	above.max_tres_ctld = no_limits();
	above.grp_tres_ctld = no_limits();
	open_qos(&qos);
	open_qos(&part_qos);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	FREE_NULL_LIST(active_feature_list);
	FREE_NULL_LIST(part_list);
	FREE_NULL_BITMAP(part.node_bitmap);
	xfree(assoc.max_tres_ctld);
	xfree(above.max_tres_ctld);
	xfree(above.grp_tres_ctld);
	close_qos(&qos);
	close_qos(&part_qos);
	return 0;
}

static struct description what;

/* Of a malleable job that is submitted for half an hour: what it can use. */
static int32_t most_of(char *names, uint32_t least, uint32_t most)
{
	struct regions *regions = regions_create();
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	desc.partition = names;
	desc.het_job_offset = NO_VAL;
	desc.shared = 0;
	desc.time_limit = 30;
	desc.min_nodes = least;
	desc.max_nodes = most;
	malleable_pretend(&desc, "grace:5", NULL);
	assert_true(describe_submission(regions, &desc, &what));
	assert_null(what.opaque);
	malleable_pretend(&desc, NULL, NULL);
	regions_destroy(regions);
	assert_int_equal(what.width, least);
	assert_int_equal(what.malleable, what.most > 0);
	assert_int_equal(what.bounded, what.most < (int32_t)most);
	return what.most;
}

static char *env[] = { "_SLURM_SPANK_OPTION_spank_pact_malleable=grace:5" };

/* The same of its record, on so many nodes; 0: it waits. */
static int32_t most_of_record(uint32_t least, uint32_t most, uint32_t has)
{
	job_details_t details = { .min_nodes = least,
				  .max_nodes = most,
				  .min_cpus = 1,
				  .orig_min_cpus = 1,
				  .orig_pn_min_cpus = 1,
				  .num_tasks = 1,
				  .core_spec = NO_VAL16,
				  .whole_node = WHOLE_NODE_REQUIRED };
	job_record_t job = { .details = &details,
			     .part_ptr = &part,
			     .time_limit = 30,
			     .job_state = has ? JOB_RUNNING : JOB_PENDING,
			     .node_bitmap = has ? bit_alloc(NODES) : NULL,
			     .spank_job_env = env,
			     .spank_job_env_size = 1 };
	struct regions *regions = regions_create();

	if (has)
		bit_nset(job.node_bitmap, 0, has - 1);
	assert_true(describe_record(regions, &job, &what));
	FREE_NULL_BITMAP(job.node_bitmap);
	regions_destroy(regions);
	return what.most;
}

/* ---- tests ---- */

static void test_none(void **state)
{
	(void)state;
	assert_int_equal(most_of("batch", 4, 16), 16);
	part.max_nodes = 16;
	assert_int_equal(most_of("batch", 4, 16), 16);
	assert_int_equal(most_of_record(4, 16, 0), 16);
}

static void test_partition(void **state)
{
	(void)state;
	part.max_nodes = 8;
	accounting_enforce = 0;
	assert_int_equal(most_of("batch", 4, 16), 8);
	assert_int_equal(most_of("batch", 4, 6), 6);
	assert_int_equal(most_of_record(4, 16, 0), 8);
	/* whichever it gets */
	assert_int_equal(most_of("batch,side", 4, 16), 8);
	assert_int_equal(most_of("side", 4, 16), 16);
	/* its fewest are all that it may have; or not even these, for which it waits */
	assert_int_equal(most_of("batch", 8, 16), 0);
	assert_int_equal(most_of("batch", 9, 16), 16);
	assert_int_equal(what.waits, DESCRIBE_MAX_NODES);
}

/* A QOS may lift it. */
static void test_partition_lifted(void **state)
{
	(void)state;
	part.max_nodes = 8;
	qos.flags = QOS_FLAG_PART_MAX_NODE;
	assert_int_equal(most_of("batch", 4, 16), 16);
	part_qos.flags = QOS_FLAG_PART_MAX_NODE;
	qos.flags = 0;
	part.qos_ptr = &part_qos;
	assert_int_equal(most_of("batch", 4, 16), 8);
}

/* Each limit that no other job has a part in, wherever it is set; the processors are those of its nodes. */
static void test_limits(void **state)
{
	static const struct {
		uint64_t **at;
		int tres;
		uint64_t value;
		int32_t most;
	} cases[] = {
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_CPU, 32, 8 },
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_CPU, 35, 8 },
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_NODE, 7, 7 },
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_NODE, 4, 0 },
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_NODE, 3,
		  16 }, /* it is over it, which is told */
		{ &qos.max_tres_pj_ctld, TRES_ARRAY_BILLING, 20, 5 },
		{ &qos.max_tres_pu_ctld, TRES_ARRAY_CPU, 32, 8 },
		{ &qos.max_tres_pa_ctld, TRES_ARRAY_NODE, 9, 9 },
		{ &qos.grp_tres_ctld, TRES_ARRAY_NODE, 10, 10 },
		{ &qos.max_tres_mins_pj_ctld, TRES_ARRAY_CPU, 30 * 4 * 6, 6 },
		{ &part_qos.max_tres_pj_ctld, TRES_ARRAY_CPU, 32, 8 },
		{ &assoc.max_tres_ctld, TRES_ARRAY_NODE, 11, 11 },
		{ &above.grp_tres_ctld, TRES_ARRAY_CPU, 48, 12 },
		{ &above.max_tres_ctld, TRES_ARRAY_CPU, 20,
		  16 }, /* its own say nothing of the account below */
	};

	(void)state;
	part.qos_ptr = &part_qos;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int32_t waits, asked;

		(*cases[i].at)[cases[i].tres] = cases[i].value;
		asked = most_of("batch", 4, 16);
		waits = most_of_record(4, 16, 0);
		if (asked != cases[i].most || waits != asked)
			fail_msg("case %zu: %d when it is submitted, %d when it waits", i, asked,
				 waits);
		accounting_enforce = 0;
		assert_int_equal(most_of("batch", 4, 16), 16);
		accounting_enforce = ACCOUNTING_ENFORCE_LIMITS;
		(*cases[i].at)[cases[i].tres] = INFINITE64;
	}
}

/*
 * Every other node has twice the processors. Whichever it gets, it is over no limit; of one that some nodes keep it within, and
 * some do not, no more than its fewest are lent.
 */
static void test_unlike(void **state)
{
	static config_record_t large_config = { .cpus = 8, .real_memory = 1000 };
	static node_record_t large = { .config_ptr = &large_config };
	static const struct {
		uint64_t cpus;
		int32_t most;
	} cases[] = { { 128, 16 }, { 127, 15 }, { 96, 12 }, { 40, 5 },
		      { 39, 0 },   { 31, 0 },	{ 16, 0 },  { 15, 16 } };

	(void)state;
	for (int i = 0; i < NODES; i += 2)
		nodes[i] = &large;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		qos.max_tres_pj_ctld[TRES_ARRAY_CPU] = cases[i].cpus;
		assert_int_equal(most_of("batch", 4, 16), cases[i].most);
	}
	/* what runs has room for what it has, whatever that is */
	qos.max_tres_pj_ctld[TRES_ARRAY_CPU] = 31;
	assert_int_equal(most_of_record(4, 16, 6), 6);
}

/* The least of all of them. */
static void test_least(void **state)
{
	(void)state;
	part.max_nodes = 10;
	qos.max_tres_pj_ctld[TRES_ARRAY_CPU] = 28;
	assoc.max_tres_ctld[TRES_ARRAY_NODE] = 9;
	assert_int_equal(most_of("batch", 4, 16), 7);
	part.max_nodes = 6;
	assert_int_equal(most_of("batch", 4, 16), 6);
}

/* One that runs stays one that is resized, and keeps what it has, whatever limit was set since. */
static void test_runs(void **state)
{
	(void)state;
	part.max_nodes = 8;
	assert_int_equal(most_of_record(4, 16, 4), 8);
	assert_int_equal(most_of_record(4, 16, 12), 12);
	part.max_nodes = 4;
	assert_int_equal(most_of_record(4, 16, 0), 0);
	assert_int_equal(most_of_record(4, 16, 4), 5);
	assert_true(what.malleable);
}

/* A range of 4 to 16 nodes whose job comes to the partition, or asks for another most: that which its record gets; 0: refused. */
static uint32_t most_moved(uint32_t spank, char *names, uint32_t most)
{
	job_record_t job = { .spank_job_env = env, .spank_job_env_size = spank };
	struct regions *regions = regions_create();
	struct change c = { .job = &job };
	job_desc_msg_t desc, asked;
	char why[256] = "";

	slurm_init_job_desc_msg(&desc);
	desc.partition = names;
	desc.max_nodes = most;
	c.desc = &desc;
	slurm_init_job_desc_msg(&asked);
	asked.partition = names ? names : "batch";
	asked.het_job_offset = NO_VAL;
	asked.shared = 0;
	asked.time_limit = 30;
	asked.min_nodes = 4;
	asked.max_nodes = most == NO_VAL ? 16 : most;
	malleable_pretend(&asked, spank ? "grace:5" : NULL, NULL);
	assert_true(describe_submission(regions, &asked, &what));
	malleable_pretend(&asked, NULL, NULL);
	if (!change_range(&c, &what, why, sizeof(why))) {
		assert_string_equal(why, "--malleable: by a limit of its partition, account or QOS "
					 "it may have no more than its fewest nodes, 4");
		desc.max_nodes = 0;
	}
	regions_destroy(regions);
	return desc.max_nodes;
}

/* Slurm never starts one whose record names more nodes than its partition's MaxNodes. */
static void test_moved(void **state)
{
	(void)state;
	side.max_nodes = 8;
	assert_int_equal(most_moved(1, "side", NO_VAL), 8);
	assert_int_equal(most_moved(0, "side", NO_VAL), 8);
	assert_int_equal(most_moved(1, "batch", NO_VAL), NO_VAL);
	assert_int_equal(most_moved(1, "side", 12), 8);
	assert_int_equal(most_moved(1, "side", 6), 6);
	/* with its fewest alone it is none that is resized; that is its own doing where it names these as its most */
	side.max_nodes = 4;
	assert_int_equal(most_moved(1, "side", NO_VAL), 0);
	assert_int_equal(most_moved(0, "side", NO_VAL), 4);
	assert_int_equal(most_moved(1, "side", 4), 4);
	/* another change of one that waits there all the same heals it, and is not refused for that */
	part.max_nodes = 4;
	assert_int_equal(most_moved(1, NULL, NO_VAL), 4);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_none),   TEST(test_partition), TEST(test_partition_lifted),
		TEST(test_limits), TEST(test_least),	 TEST(test_runs),
		TEST(test_unlike), TEST(test_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
