/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_describe: what the planner knows of a record, where one table of places serves many records. Nodes
 * and partitions are played. Where jobs take turns: test_describe_turns.
 */
#include "slurm/eligibility/describe.h"
#include "slurm/records/malleable.h"
#include "testsuite/unit/describe_world.h"

/* The record of a job of one node with these features. */
static void look(struct regions *regions, char *features, struct description *out)
{
	job_details_t details = { .min_nodes = 1,
				  .max_nodes = 1,
				  .min_cpus = 1,
				  .orig_min_cpus = 1,
				  .pn_min_cpus = 1,
				  .orig_pn_min_cpus = 1,
				  .num_tasks = 1,
				  .ntasks_per_node = NO_VAL16,
				  .core_spec = NO_VAL16,
				  .features = features };
	job_record_t job = { .details = &details, .part_ptr = &part, .time_limit = 10 };

	assert_true(describe_record(regions, &job, out));
	assert_int_equal(out->nalt, 1);
}

/* A submission for whole nodes of the partition. */
static void whole_nodes(job_desc_msg_t *desc)
{
	describe_wish(desc);
	desc->shared = 0;
}

/* ---- tests ---- */

/* What cannot be planned cannot be for the next job of its kind, either. */
static void test_unplannable(void **state)
{
	static char *odd[] = { "first|other", "first*2", "[first|other]" };
	struct regions *regions = regions_create();
	struct description what;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		for (int round = 0; round < 3; round++) {
			look(regions, odd[i], &what);
			assert_non_null(what.opaque);
			assert_non_null(strstr(what.opaque, "features (--constraint)"));
			assert_int_equal(nodeset_count(what.alt[0]), 3);
		}
	}
	regions_destroy(regions);
}

/* Nor does it make others so. */
static void test_plannable(void **state)
{
	struct regions *regions = regions_create();
	struct description what;

	(void)state;
	look(regions, "first|other", &what);
	for (int round = 0; round < 3; round++) {
		look(regions, "first", &what);
		assert_null(what.opaque);
		assert_int_equal(nodeset_count(what.alt[0]), 1);
		look(regions, NULL, &what);
		assert_null(what.opaque);
		assert_int_equal(nodeset_count(what.alt[0]), 3);
	}
	regions_destroy(regions);
}

/* A feature that a node may get by a reboot, beside one that a plugin leaves alone. */
static void test_changing_features(void **state)
{
	struct regions *regions = regions_create();
	struct description what;

	(void)state;
	slurm_conf.node_features_plugins = xstrdup("node_features/helpers");
	for (int round = 0; round < 3; round++) {
		look(regions, "first", &what);
		assert_null(what.opaque);
		assert_int_equal(nodeset_count(what.alt[0]), 1);
		look(regions, round & 1 ? "first&hot" : "hot&first", &what);
		assert_non_null(what.opaque);
		assert_string_equal(what.opaque,
				    "features that nodes may change by a reboot (--constraint)");
		look(regions, NULL, &what);
		assert_null(what.opaque);
	}
	regions_destroy(regions);
}

/* What Slurm made of the processors where it tried the job last is no other width. */
static void test_width(void **state)
{
	job_details_t details = { .min_nodes = 1,
				  .min_cpus = 32,
				  .orig_min_cpus = 16,
				  .orig_pn_min_cpus = 1,
				  .num_tasks = 16,
				  .core_spec = NO_VAL16,
				  .whole_node = WHOLE_NODE_REQUIRED };
	job_record_t job = { .details = &details, .part_ptr = &part, .time_limit = 10 };
	struct regions *regions = regions_create();
	struct description what;

	(void)state;
	assert_true(describe_record(regions, &job, &what));
	assert_int_equal(what.width, 1);
	details.orig_min_cpus = 17;
	assert_true(describe_record(regions, &job, &what));
	assert_int_equal(what.width, 2);
	details.orig_min_cpus = NO_VAL;
	assert_true(describe_record(regions, &job, &what));
	assert_int_equal(what.width, 1);
	regions_destroy(regions);
}

/* Memory that counts for limits: the job's, else the partition's, else, where it is counted, a node's. */
static void test_counted_memory(void **state)
{
	static const struct {
		bool counted, given;
		uint64_t memory, def, least, most;
	} cases[] = {
		{ false, false, 0, 0, 0, 0 },
		{ true, false, 0, 0, 99000, 100000 },
		{ false, false, 0, 100, 100, 100 },
		{ true, false, 0, 100, 100, 100 },
		{ true, true, 300, 100, 300, 300 },
		{ false, false, 0, MEM_PER_CPU | 100, 1600, 1600 },
		{ true, true, 0, 100, 99000, 100000 },
	};
	uint16_t saved = slurm_conf.select_type_param;

	(void)state;
	node.mem_spec_limit = 1000; /* of each node, for no job */
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		job_details_t details = { .min_nodes = 1,
					  .orig_min_cpus = 1,
					  .orig_pn_min_cpus = 1,
					  .orig_pn_min_memory = cases[i].memory,
					  .core_spec = NO_VAL16 };
		job_record_t job = { .details = &details,
				     .part_ptr = &part,
				     .time_limit = 10,
				     .bit_flags = cases[i].given ? JOB_MEM_SET : 0 };
		struct regions *regions = regions_create();
		struct description what;

		slurm_conf.select_type_param = cases[i].counted ? CR_MEMORY : 0;
		part.def_mem_per_cpu = cases[i].def;
		assert_true(describe_record(regions, &job, &what));
		assert_int_equal(what.least_memory, cases[i].least);
		assert_int_equal(what.most_memory, cases[i].most);
		regions_destroy(regions);
	}
	node.mem_spec_limit = 0;
	part.def_mem_per_cpu = 0;
	slurm_conf.select_type_param = saved;
}

/* More processors for its memory are as many for each task of a node, to select/cons_tres only. */
static void test_tasks_of_node(void **state)
{
	static char cons[] = "select/cons_tres", linear[] = "select/linear";
	static const struct {
		char *select;
		uint16_t tasks;
		uint64_t memory;
		uint32_t nodes;
	} cases[] = {
		{ cons, 0, 16000, 3 },	 { cons, 3, 15000, 3 }, { cons, 3, 15001, 0 },
		{ cons, 16, 15001, 3 },	 { cons, 3, 16001, 0 }, { linear, 3, 15001, 3 },
		{ linear, 3, 16001, 0 },
	};
	char *saved = slurm_conf.select_type;

	(void)state;
	part.max_mem_per_cpu = MEM_PER_CPU | 1000;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		job_details_t details = { .min_nodes = 1,
					  .orig_min_cpus = 1,
					  .orig_pn_min_cpus = 1,
					  .orig_pn_min_memory = cases[i].memory,
					  .num_tasks = cases[i].tasks,
					  .ntasks_per_node = cases[i].tasks,
					  .core_spec = NO_VAL16 };
		job_record_t job = { .details = &details,
				     .part_ptr = &part,
				     .time_limit = 10,
				     .bit_flags = JOB_MEM_SET };
		struct regions *regions = regions_create();
		struct description what;

		slurm_conf.select_type = cases[i].select;
		assert_true(describe_record(regions, &job, &what));
		assert_int_equal(nodeset_count(what.alt[0]), cases[i].nodes);
		regions_destroy(regions);
	}
	part.max_mem_per_cpu = 0;
	slurm_conf.select_type = saved;
}

/*
 * A partition that Slurm starts a job in is not left out: it asks for one processor, or gets two with
 * half the memory each, which no promise counts on. One that keeps it waiting is.
 */
static void test_kept_partitions(void **state)
{
	static const struct {
		uint64_t most;
		uint16_t share;
		uint32_t nalt;
		bool opaque;
	} cases[] = {
		{ 4000, 1, 2, true },
		{ 3999, 1, 1, true },
		{ 64000, 0, 2, false },
		{ 63999, 0, 1, false },
		{ MEM_PER_CPU | 4000, 0, 2, false },
		{ MEM_PER_CPU | 2000, 0, 2, true },
		{ MEM_PER_CPU | 2000, 1, 2, true },
	};
	part_record_t tight = part, other = part;
	list_t *both = list_create(NULL);

	(void)state;
	tight.name = "tight";
	other.max_share = 0;
	list_append(both, &tight);
	list_append(both, &other);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		job_details_t details = { .min_nodes = 1,
					  .orig_min_cpus = 1,
					  .orig_pn_min_cpus = 1,
					  .num_tasks = 1,
					  .core_spec = NO_VAL16 };
		job_record_t job = { .details = &details, .part_ptr_list = both, .time_limit = 10 };
		struct regions *regions = regions_create();
		struct description what;

		tight.def_mem_per_cpu = MEM_PER_CPU | 4000;
		tight.max_mem_per_cpu = cases[i].most;
		tight.max_share = cases[i].share;
		assert_true(describe_record(regions, &job, &what));
		assert_int_equal(what.nalt, cases[i].nalt);
		assert_string_equal(what.part[what.nalt - 1], "batch");
		assert_int_equal(what.opaque != NULL, cases[i].opaque);
		assert_int_equal(what.waits, DESCRIBE_RUNS);
		regions_destroy(regions);
	}
	FREE_NULL_LIST(both);
}

/* A batch script for these partitions. */
static void submit(struct regions *regions, char *names, struct description *out)
{
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	desc.partition = names;
	desc.min_nodes = desc.max_nodes = 1;
	desc.shared = 0;
	assert_true(describe_submission(regions, &desc, out));
}

/* More than there is of something: which of all that it asks for, and how much there is. */
static void test_scarce(void **state)
{
	static const struct {
		int32_t nodes;
		uint64_t memory;
		int cpus, disk;
		char *features, *exclude, *required;
		const char *says; /* NULL: it fits */
	} cases[] = {
		{ 3, 100000, 16, 50, NULL, NULL, NULL, NULL },
		{ 1, 0, 0, 0, "first", NULL, "n0", NULL },
		{ 4, 0, 0, 0, NULL, NULL, NULL, "4 nodes are more than the 3 of partition batch;" },
		{ 1, 100001, 0, 0, NULL, NULL, NULL,
		  "no node of partition batch fits --mem=100001M (they have at most 100000M);" },
		{ 1, 0, 17, 0, NULL, NULL, NULL,
		  "no node of partition batch fits 17 CPUs a node (they have at most 16);" },
		{ 1, 0, 0, 51, NULL, NULL, NULL,
		  "no node of partition batch fits --tmp=51M (they have at most 50M);" },
		{ 1, 0, 0, 0, "none", NULL, NULL,
		  "no node of partition batch fits --constraint=none;" },
		{ 2, 100000, 16, 50, "first", NULL, NULL,
		  "2 nodes are more than the 1 of partition batch that fits --constraint=first;" },
		{ 3, 0, 0, 0, NULL, "n1", NULL,
		  "3 nodes are more than the 2 of partition batch that fit --exclude=n1;" },
		{ 1, 100001, 17, 0, NULL, NULL, NULL,
		  "fits --mem=100001M (they have at most 100000M) and 17 CPUs a node (they " },
		/* neither alone */
		{ 1, 0, 0, 0, "first", "n0", NULL,
		  "no node of partition batch fits --constraint=first and --exclude=n0;" },
		{ 1, 0, 0, 0, "first", NULL, "n2",
		  "node n2 (--nodelist) does not fit --constraint=first" },
	};

	node_record_t named[3] = { node, node, node };
	node_record_t *table[3] = { &named[0], &named[1], &named[2] };

	(void)state;
	for (int i = 0; i < 3; i++)
		named[i].name = (char *[]){ "n0", "n1", "n2" }[i];
	node_record_table_ptr = table;
	xfree(slurm_conf.node_features_plugins);
	part_list = list_create(NULL);
	list_append(part_list, &part);
	config.tmp_disk = 50;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		whole_nodes(&desc);
		desc.min_nodes = desc.max_nodes = (uint32_t)cases[i].nodes;
		if (cases[i].memory)
			desc.pn_min_memory = cases[i].memory;
		if (cases[i].cpus)
			desc.cpus_per_task = (uint16_t)cases[i].cpus;
		if (cases[i].disk)
			desc.pn_min_tmp_disk = (uint32_t)cases[i].disk;
		desc.features = cases[i].features;
		desc.exc_nodes = cases[i].exclude;
		desc.req_nodes = cases[i].required;
		assert_true(describe_submission(regions, &desc, &what));
		if (what.opaque)
			fail_msg("case %zu: %s", i, what.opaque);
		if (!cases[i].says)
			assert_null(what.scarce);
		else if (!what.scarce || !strstr(what.scarce, cases[i].says))
			fail_msg("case %zu: %s", i, what.scarce ? what.scarce : "it fits");
		regions_destroy(regions);
	}
	config.tmp_disk = 0;
	FREE_NULL_LIST(part_list);
	node_record_table_ptr = nodes;
}

/* Tasks that are given for each node alone are counted, as slurmctld does it: they need their processors together. */
static void test_tasks_per_node(void **state)
{
	struct regions *regions = regions_create();
	struct description what;
	static char linear[] = "select/linear";
	char *saved = slurm_conf.select_type;
	job_desc_msg_t desc;

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	slurm_conf.select_type = linear;
	whole_nodes(&desc);
	desc.min_nodes = desc.max_nodes = 1;
	desc.ntasks_per_node = 16;
	assert_true(describe_submission(regions, &desc, &what));
	assert_null(what.scarce);
	desc.ntasks_per_node = 17;
	assert_true(describe_submission(regions, &desc, &what));
	assert_non_null(what.scarce);
	assert_non_null(strstr(what.scarce, "fits 17 CPUs a node (they have at most 16)"));
	/* Of no number of nodes, too, by the release. */
	desc.min_nodes = desc.max_nodes = NO_VAL;
	assert_true(describe_submission(regions, &desc, &what));
	assert_int_equal(what.scarce != NULL, TASKS_OF_NO_NODES);
	slurm_conf.select_type = saved;
	regions_destroy(regions);
	FREE_NULL_LIST(part_list);
}

/* A range is planned with its least, or what its tasks need, and can use its most. */
static void test_range(void **state)
{
	static const struct {
		uint32_t least, most, tasks;
		int32_t width, can_use;
	} cases[] = {
		{ 1, 3, NO_VAL, 1, 3 },	      { 2, 2, NO_VAL, 2, 0 }, { 2, NO_VAL, NO_VAL, 2, 0 },
		{ NO_VAL, NO_VAL, 17, 2, 0 }, { 1, 3, 17, 2, 3 },     { 1, 2, 17, 2, 0 },
	};

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		whole_nodes(&desc);
		desc.min_nodes = cases[i].least;
		desc.max_nodes = cases[i].most;
		desc.num_tasks = cases[i].tasks;
		assert_true(describe_submission(regions, &desc, &what));
		assert_null(what.opaque);
		if (what.width != cases[i].width || what.most != cases[i].can_use)
			fail_msg("case %zu: %d to %d", i, what.width, what.most);
		regions_destroy(regions);
	}
	FREE_NULL_LIST(part_list);
}

/* ---- what is not resized ---- */

static void contiguous(job_desc_msg_t *desc)
{
	desc->contiguous = 1;
}

static void of_user(job_desc_msg_t *desc)
{
	desc->shared = JOB_SHARED_USER;
}

static void of_mcs(job_desc_msg_t *desc)
{
	desc->shared = JOB_SHARED_MCS;
}

static void gres(job_desc_msg_t *desc)
{
	desc->tres_per_node = xstrdup("gres:gpu:1");
}

static void buffer(job_desc_msg_t *desc)
{
	desc->burst_buffer = xstrdup("capacity=1G");
}

static void parts_of_nodes(job_desc_msg_t *desc)
{
	desc->shared = NO_VAL16;
	slurm_conf.select_type = "select/cons_tres";
}

static void of_user_there(job_desc_msg_t *desc)
{
	(void)desc;
	part.flags = PART_FLAG_EXCLUSIVE_USER;
}

#ifdef STEPMGR_ENABLED
static void own_steps(job_desc_msg_t *desc)
{
	desc->bitflags |= STEPMGR_ENABLED;
	slurm_conf.prolog_flags = PROLOG_FLAG_CONTAIN;
}

static void all_own_steps(job_desc_msg_t *desc)
{
	(void)desc;
	slurm_conf.slurmctld_params = "enable_stepmgr";
	slurm_conf.prolog_flags = PROLOG_FLAG_CONTAIN;
}
#endif

static void federated(job_desc_msg_t *desc)
{
	static slurmdb_federation_rec_t federation;

	(void)desc;
	fed_mgr_fed_rec = &federation;
}

/* Whatever resize_obstacle() has against a running job is known of a submission, by its name. */
static void test_not_resized(void **state)
{
	static const struct {
		void (*ask)(job_desc_msg_t *desc);
		const char *name;
	} cases[] = {
		{ NULL, NULL },
		{ contiguous, "--contiguous" },
		{ of_user, "--exclusive=user" },
		{ of_mcs, "--exclusive=user" },
		{ gres, "--gres" },
		{ buffer, "a burst buffer" },
		{ parts_of_nodes, "add --exclusive" },
		{ of_user_there, "ExclusiveUser=YES" },
		{ federated, "federation" },
#ifdef STEPMGR_ENABLED
		{ own_steps, "--stepmgr" },
		{ all_own_steps, "--stepmgr" },
#endif
	};

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	part.max_share = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;
		const char *why;

		whole_nodes(&desc);
		desc.min_nodes = 1;
		desc.max_nodes = 3;
		malleable_pretend(&desc, "grace:5", NULL);
		if (cases[i].ask)
			cases[i].ask(&desc);
		assert_true(describe_submission(regions, &desc, &what));
		why = what.opaque ? what.opaque : what.stays;
		if (what.malleable != !cases[i].name ||
		    (cases[i].name ? !why || !strstr(why, cases[i].name) : why != NULL))
			fail_msg("case %zu: %s", i, why ? why : "nothing");
		malleable_pretend(&desc, NULL, NULL);
		xfree(desc.tres_per_node);
		xfree(desc.burst_buffer);
		slurm_conf.select_type = NULL;
		slurm_conf.slurmctld_params = NULL;
		slurm_conf.prolog_flags = 0;
		fed_mgr_fed_rec = NULL;
		part.flags = 0;
		regions_destroy(regions);
	}
	part.max_share = 0;
	FREE_NULL_LIST(part_list);
}

/* What was promised as a job that is resized stays one, when its partition becomes its users' alone. */
static void test_resized_still(void **state)
{
	static char *env[] = { "_SLURM_SPANK_OPTION_spank_pact_malleable=grace:5" };
	job_details_t details = { .min_nodes = 1,
				  .max_nodes = 3,
				  .min_cpus = 1,
				  .orig_min_cpus = 1,
				  .orig_pn_min_cpus = 1,
				  .num_tasks = 1,
				  .core_spec = NO_VAL16,
				  .whole_node = WHOLE_NODE_REQUIRED };
	job_record_t job = { .details = &details,
			     .part_ptr = &part,
			     .time_limit = 10,
			     .spank_job_env = env,
			     .spank_job_env_size = 1 };
	struct regions *regions = regions_create();
	struct description what;

	(void)state;
	part.flags = PART_FLAG_EXCLUSIVE_USER;
	assert_true(describe_record(regions, &job, &what));
	part.flags = 0;
	assert_null(what.stays);
	assert_true(what.malleable);
	regions_destroy(regions);
}

/* What says so itself. */
static void test_not_resizable(void **state)
{
	static const struct {
		uint32_t offset, most;
		char *array;
		const char *says;
	} cases[] = {
		{ NO_VAL, 3, NULL, NULL },
		{ 0, 3, NULL, "--malleable: a part of a het job is not resized" },
		{ NO_VAL, 3, "1-2", "--malleable: tasks of an array are not resized" },
		{ NO_VAL, 1, NULL, "--malleable: a range of nodes is wanted, --nodes=MIN-MAX" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job_desc_msg_t desc;
		char why[256] = "";

		slurm_init_job_desc_msg(&desc);
		desc.het_job_offset = cases[i].offset;
		desc.array_inx = cases[i].array;
		desc.min_nodes = 1;
		desc.max_nodes = cases[i].most;
		malleable_pretend(&desc, "grace:5", NULL);
		assert_int_equal(malleable_check(&desc, why, sizeof(why)), !cases[i].says);
		assert_string_equal(why, cases[i].says ? cases[i].says : "");
		malleable_pretend(&desc, NULL, NULL);
	}
}

/* Processors for each task, which sbatch names there too, are no generic resource. */
static void test_tres_per_task(void **state)
{
	static const struct {
		char *tres;
		bool planned;
	} cases[] = {
		{ NULL, true },
		{ "", true },
		{ "cpu=2", true },
		{ "cpu:2", true },
		{ "CPU=2,cpu=1", true },
		{ "gres:gpu:1", false },
		{ "cpu=2,gres/gpu=1", false },
		{ "license/one=1,cpu=2", false },
		{ "cpus=2", false },
	};

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		whole_nodes(&desc);
		desc.min_nodes = desc.max_nodes = 1;
		desc.tres_per_task = cases[i].tres;
		assert_true(describe_submission(regions, &desc, &what));
		assert_int_equal(what.opaque && strstr(what.opaque, "generic"), !cases[i].planned);
		regions_destroy(regions);
	}
	FREE_NULL_LIST(part_list);
}

/*
 * What is promised is what is planned: in Slurm's order of the partitions, whatever order they were named
 * in, and whether Slurm has sorted the record's already or not.
 */
static void test_order_of_partitions(void **state)
{
	static char *orders[] = { "low,high,also", "high,also,low", "also,low,high",
				  "high,low,also" };
	static const char *planned[][3] = { { "high", "also", "low" },
					    { "high", "also", "low" },
					    { "also", "high", "low" },
					    { "high", "also", "low" } };
	part_record_t low = part, high = part, also = part;

	(void)state;
	low.name = "low";
	high.name = "high";
	also.name = "also";
	high.priority_tier = also.priority_tier = 10;
	low.default_time = 7;
	part_list = list_create(NULL);
	list_append(part_list, &low);
	list_append(part_list, &high);
	list_append(part_list, &also);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		job_details_t details = { .min_nodes = 1,
					  .max_nodes = 1,
					  .orig_min_cpus = 1,
					  .orig_pn_min_cpus = 1,
					  .ntasks_per_node = NO_VAL16,
					  .whole_node = WHOLE_NODE_REQUIRED,
					  .core_spec = NO_VAL16 };
		struct regions *regions = regions_create();
		struct description asked, recorded;
		part_record_t *named_first;
		job_record_t job = { .details = &details, .time_limit = i ? NO_VAL : 7 };

		get_part_list(orders[i], &job.part_ptr_list, &named_first, NULL);
		submit(regions, orders[i], &asked);
		assert_true(describe_record(regions, &job, &recorded));
		assert_int_equal(asked.nalt, 3);
		for (uint32_t k = 0; k < 3; k++) {
			assert_string_equal(asked.part[k], planned[i][k]);
			assert_string_equal(recorded.part[k], planned[i][k]);
		}
		/* The DefaultTime of the one named first goes into the record; no other's. */
		assert_int_equal(asked.limit, recorded.limit);
		assert_int_equal(asked.limit, i ? PACT_FOREVER : 420);
		assert_int_equal(asked.least, recorded.least);
		FREE_NULL_LIST(job.part_ptr_list);
		regions_destroy(regions);
	}
	FREE_NULL_LIST(part_list);
}

/*
 * Slurm counts the processors of several tasks of a node; a single one has the node's others for a most, but
 * not with select/cons_tres, which takes no node that has not processors for them.
 */
static void test_single_task(void **state)
{
	static char cons[] = "select/cons_tres", linear[] = "select/linear";
	static const uint32_t tasks[] = { 1, 2 }, nodes[] = { 3, 0 };
	char *saved = slurm_conf.select_type;

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	for (size_t i = 0; i < 2 * sizeof(tasks) / sizeof(*tasks); i++) {
		size_t k = i / 2;
		job_details_t details = { .min_nodes = 1,
					  .max_nodes = 1,
					  .num_tasks = tasks[k],
					  .ntasks_per_node = 2,
					  .orig_cpus_per_task = 10,
					  .orig_min_cpus = 10,
					  .orig_pn_min_cpus = tasks[k] == 2 ? 20 : 10,
					  .core_spec = NO_VAL16 };
		job_record_t job = { .details = &details, .part_ptr = &part, .time_limit = 10 };
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		slurm_conf.select_type = i % 2 ? linear : cons;
		slurm_init_job_desc_msg(&desc);
		desc.partition = part.name;
		desc.min_nodes = desc.max_nodes = 1;
		desc.num_tasks = tasks[k];
		desc.ntasks_per_node = 2;
		desc.cpus_per_task = 10;
		assert_true(describe_submission(regions, &desc, &what));
		assert_int_equal(nodeset_count(what.alt[0]), i % 2 ? nodes[k] : 0);
		assert_true(describe_record(regions, &job, &what));
		assert_int_equal(nodeset_count(what.alt[0]), i % 2 ? nodes[k] : 0);
		regions_destroy(regions);
	}
	slurm_conf.select_type = saved;
	FREE_NULL_LIST(part_list);
}

/* A partition that takes no jobs has an Alternate, or is left out where there are others. */
static void test_alternates(void **state)
{
	static const struct {
		char *names, *planned;
	} cases[] = { { "shut", "open" },
		      { "shut,open", "open" },
		      { "lone,open", "open" },
		      { "lone", "lone" },
		      { "round,open", "open" } };
	part_record_t shut = part, open = part, lone = part, round = part;

	(void)state;
	shut.name = "shut";
	shut.alternate = "round";
	round.name = "round";
	round.alternate = "open";
	open.name = "open";
	lone.name = "lone";
	lone.alternate = "lone";
	shut.state_up = round.state_up = lone.state_up = PARTITION_DRAIN;
	part_list = list_create(NULL);
	list_append(part_list, &shut);
	list_append(part_list, &open);
	list_append(part_list, &lone);
	list_append(part_list, &round);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct regions *regions = regions_create();
		struct description what;

		submit(regions, cases[i].names, &what);
		assert_int_equal(what.nalt, 1);
		assert_string_equal(what.part[0], cases[i].planned);
		regions_destroy(regions);
	}
	FREE_NULL_LIST(part_list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unplannable),
		cmocka_unit_test(test_plannable),
		cmocka_unit_test(test_changing_features),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_counted_memory),
		cmocka_unit_test(test_tasks_of_node),
		cmocka_unit_test(test_kept_partitions),
		cmocka_unit_test(test_order_of_partitions),
		cmocka_unit_test(test_alternates),
		cmocka_unit_test(test_scarce),
		cmocka_unit_test(test_tasks_per_node),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_not_resized),
		cmocka_unit_test(test_resized_still),
		cmocka_unit_test(test_not_resizable),
		cmocka_unit_test(test_tres_per_task),
		cmocka_unit_test(test_single_task),
	};

	return cmocka_run_group_tests(tests, describe_set_up, describe_tear_down);
}
