/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_conf: what slurm.conf and pact.conf have to say of partitions whose jobs take turns. slurm.conf's values and
 * the partitions are played, pact.conf is a file.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/scheduler.h"
#include "slurm/config/conf.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

static part_record_t slice = { .name = "slice" }, plain = { .name = "plain", .max_share = 1 };
static char dir[] = "/tmp/test_gang_conf.XXXXXX", path[64], log_path[64];

static void set(char **key, const char *value)
{
	xfree(*key);
	*key = xstrdup(value);
}

/* A slurm.conf under which the jobs of the first of two partitions, of two nodes each, take turns. */
static int suitable(void **state)
{
	(void)state;
	scheduler_use("sched/qops");
	set(&slurm_conf.select_type, "select/gang");
	slurm_conf.select_type_param = CR_MEMORY;
	slurm_conf.preempt_mode = 0;
	slurm_conf.sched_time_slice = 20;
	slurm_conf.def_mem_per_cpu = 0;
	slice.max_share = SHARED_FORCE | 3;
	slice.def_mem_per_cpu = 100;
	unlink(path);
	return 0;
}

static void write_conf(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* pact.conf with that text, NULL: there is none. */
static struct conf *load(const char *text, char *err, size_t err_size)
{
	struct conf_site site;
	struct conf *conf;

	if (text)
		write_conf(text);
	conf_look(&site);
	assert_true(site.parts.known);
	conf = conf_load(path, &site, err, err_size);
	partitions_free(&site.parts);
	return conf;
}

static void accepted(const char *text)
{
	char err[512];
	struct conf *conf = load(text, err, sizeof(err));

	if (!conf)
		fail_msg("refused: %s", err);
	conf_destroy(conf);
}

static void refused(const char *text, const char *why)
{
	char err[512];
	struct conf *conf = load(text, err, sizeof(err));

	assert_null(conf);
	if (!strstr(err, why))
		fail_msg("refused for another reason: %s", err);
}

static void test_default(void **state)
{
	char err[512];
	struct conf *conf = load(NULL, err, sizeof(err));

	(void)state;
	assert_non_null(conf);
	assert_int_equal(conf->nown, 1);
	assert_string_equal(conf->own[0].partition, "slice");
	assert_string_equal(conf->own[0].scheduler, "mbgs");
	assert_int_equal(conf->sched.rows, 3);
	assert_int_equal(conf->sched.slice, 20);
	conf_destroy(conf);
	set(&slurm_conf.select_type, "select/linear");
	conf = load(NULL, err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->nown, 0);
	conf_destroy(conf);
}

/* Each key that is missing is named, and for every way of turns. */
static void test_lacks(void **state)
{
	static const char *const ways[] = { NULL, "PartitionName=slice Gang=gs\n",
					    "PartitionName=slice Gang=mbgs Admission=none\n" };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		suitable(state);
		accepted(ways[i]);
		slurm_conf.select_type_param = 0;
		refused(ways[i], "slurm.conf has to have SelectTypeParameters=CR_Memory");
		suitable(state);
		slurm_conf.preempt_mode = PREEMPT_MODE_GANG | PREEMPT_MODE_SUSPEND;
		refused(ways[i], "slurm.conf has to have PreemptMode= without GANG");
		suitable(state);
		slice.max_share = SHARED_FORCE | 65;
		refused(ways[i], "OverSubscribe=FORCE:N with an N of 64 at most");
		if (!ways[i])
			continue;
		suitable(state);
		slice.max_share = 4;
		refused(ways[i], "slurm.conf has to have OverSubscribe=FORCE:N");
		suitable(state);
		set(&slurm_conf.select_type, "select/linear");
		refused(ways[i], "slurm.conf has to have SelectType=select/gang");
		suitable(state);
		scheduler_use("sched/dynp");
		refused(ways[i], "slurm.conf has to have SchedulerType=sched/qops");
	}
}

/* Slurm ends no job at the very second of its limit, whatever the guard: the core is never told that its driver is exact. */
static void test_guard(void **state)
{
	static const struct {
		const char *text;
		int64_t guard;
	} lines[] = { { "Guard=0\n", 1 }, { "Guard=1\n", 1 }, { "Guard=2\n", 2 } };
	char err[512];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct conf *conf = load(lines[i].text, err, sizeof(err));

		assert_non_null(conf);
		assert_int_equal(conf->sched.guard, lines[i].guard);
		assert_int_equal(conf->sched.lateness, 1);
		conf_destroy(conf);
	}
}

static void test_refused(void **state)
{
	(void)state;
	refused("PartitionName=plain Gang=bgs\n",
		"PartitionName=plain Gang=bgs: slurm.conf has to have OverSubscribe=FORCE:N");
	refused("PartitionName=slice Gang=bgs Admission=libra\n",
		"PartitionName=slice Gang=bgs Admission=libra: its nodes can be of one only");
	refused("PartitionName=slice Gang=off Admission=edf\n", "its nodes can be of one only");
	refused("PartitionName=slice Gang=bgs Scheduler=easy\n",
		"PartitionName=slice Gang=bgs Scheduler=easy: its nodes can be of one only");
	refused("PartitionName=slice Gang=ambgs\n", "mbgs, mgs, bgs, gs or off is wanted");
	refused("GangMemory=maybe\n", "GangMemory=maybe: must be counted or unchecked");
}

/* Whether jobs are set aside for a promise: a key of all partitions with turns, and of each. */
static void test_aside(void **state)
{
	static const char *const by_whom[] = { "off", "gs", "mgs" };
	char err[512], text[200], why[200];
	struct conf *conf = load("PromiseAside=yes\n", err, sizeof(err));

	(void)state;
	assert_non_null(conf);
	assert_true(conf->sched.aside);
	assert_string_equal(conf->own[0].settings, "");
	conf_destroy(conf);
	conf = load("PartitionName=slice Gang=bgs PromiseAside=yes\n", err, sizeof(err));
	assert_non_null(conf);
	assert_false(conf->sched.aside);
	assert_string_equal(conf->own[0].settings, ":PromiseAside=yes");
	conf_destroy(conf);
	accepted("PromiseAside=yes\nPartitionName=slice Gang=mbgs PromiseAside=no\n");
	refused("PartitionName=slice Gang=mbgs PromiseAside=maybe\n",
		"PartitionName=slice PromiseAside=maybe: must be no or yes");
	refused("PromiseAside=often\n", "PromiseAside=often: must be no or yes");
	for (size_t i = 0; i < sizeof(by_whom) / sizeof(*by_whom); i++) {
		snprintf(text, sizeof(text), "PartitionName=slice Gang=%s PromiseAside=yes\n",
			 by_whom[i]);
		snprintf(why, sizeof(why),
			 "PartitionName=slice PromiseAside=yes: Gang= has to be one of bgs, mbgs");
		refused(text, why);
		snprintf(text, sizeof(text), "PromiseAside=yes\nPartitionName=slice Gang=%s\n",
			 by_whom[i]);
		refused(text, "PromiseAside=yes: no partition whose jobs take turns has Gang= one "
			      "of bgs, mbgs");
	}
	refused("PartitionName=plain Scheduler=easy PromiseAside=yes\n",
		"PartitionName=plain PromiseAside=yes: Gang= has to be one of bgs, mbgs");
	refused("PartitionName=slice Admission=libra PromiseAside=yes\n",
		"PartitionName=slice PromiseAside=yes: Gang= has to be one of bgs, mbgs");
	refused("PartitionName=slice Gang=mbgs RiskLimit=0.1\n",
		"PartitionName=slice RiskLimit=0.1: Admission= has to be one of");
	set(&slurm_conf.select_type, "select/linear");
	refused("PromiseAside=yes\n", "PromiseAside=yes: no partition whose jobs take turns");
}

/* What a switch takes of a slice, the planner knows. */
static void test_gap(void **state)
{
	char err[512];
	struct conf *conf;

	(void)state;
	slurm_conf.sched_time_slice = 7;
	conf = load("SwitchGap=3000\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.switch_cost, 4286); /* parts of 10,000 */
	assert_int_equal(conf->sched.launch_time, 7 / 3 + 3);
	conf_destroy(conf);
	slurm_conf.sched_time_slice = 200;
	conf = load("", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.launch_time, 20);
	conf_destroy(conf);
	slurm_conf.sched_time_slice = 7;
	accepted("SwitchGap=6000\n");
	refused("SwitchGap=6001\n", "SwitchGap=6001: it has to leave a second");
	refused("SwitchGap=-1\n", "SwitchGap=-1: must be");
	accepted("SwitchGap=6001\nPartitionName=slice Gang=off\n");
}

/* Rows for short jobs: fewer than there are. */
static void test_short_rows(void **state)
{
	char err[512];
	struct conf *conf;

	(void)state;
	conf = load("ShortRows=2\nShortTime=300\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.short_rows, 2);
	assert_int_equal(conf->sched.short_time, 300);
	conf_destroy(conf);
	refused("ShortRows=3\n",
		"ShortRows=3: must be below the 3 rows of slurm.conf's OverSubscribe=FORCE:3");
	refused("ShortRows=21\n", "ShortRows=21: must be");
	refused("ShortTime=0\n", "ShortTime=0: must be");
	accepted("ShortRows=5\nPartitionName=slice Gang=off\n");
}

/* Each partition has as many rows as its FORCE says, unless it shares nodes with one that has more. */
static void test_rows(void **state)
{
	static const struct {
		uint16_t others; /* FORCE:n of the other partition */
		bool shares;
		const char *name;
	} cases[] = {
		{ 3, false, "mbgs@2-3+mbgs@0-1" },
		{ 2, false, "mbgs:Rows=2@2-3+mbgs@0-1" },
		{ 5, false, "mbgs@2-3+mbgs:Rows=3@0-1" },
		{ 2, true, "mbgs@0-3" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sched_matrix m = { 0 };
		struct conf_site site;
		struct conf *conf;
		struct sched *s;
		char err[512], *name;

		suitable(state);
		plain.max_share = SHARED_FORCE | cases[i].others;
		if (cases[i].shares)
			bit_set(plain.node_bitmap, 1);
		conf_look(&site);
		conf = conf_load(path, &site, err, sizeof(err));
		assert_non_null(conf);
		name = conf_scheduler(conf, &site.parts, err, sizeof(err));
		assert_string_equal(name, cases[i].name);
		s = sched_create(name, 4, &conf->sched, err, sizeof(err));
		assert_non_null(s);
		assert_int_equal(sched_matrix(s, 0, &m), PACT_OK);
		assert_int_equal(m.rows, cases[i].shares ? 3 : cases[i].others);
		sched_destroy(s);
		free(name);
		conf_destroy(conf);
		partitions_free(&site.parts);
	}
	bit_clear(plain.node_bitmap, 1);
	plain.max_share = SHARED_FORCE | 2;
	refused("ShortRows=2\n",
		"ShortRows=2: must be below the 2 rows of slurm.conf's OverSubscribe=FORCE:2 "
		"(PartitionName=plain)");
	accepted("ShortRows=2\nPartitionName=plain Gang=gs\n");
	plain.max_share = 1;
}

/* How long the prologs of a job that was started may take. */
static void test_prolog(void **state)
{
	static const struct {
		bool any;
		uint16_t limit;
		int64_t want;
	} cases[] = {
		{ false, NO_VAL16, 0 }, { false, 20, 0 },	 { true, 20, 20 },
		{ true, 300, 300 },	{ true, NO_VAL16, 300 }, { true, 3600, 300 },
	};
	char err[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct conf *conf;

		play_prolog(cases[i].any, cases[i].limit);
		conf = load("", err, sizeof(err));
		assert_non_null(conf);
		assert_int_equal(conf->prolog, cases[i].want);
		conf_destroy(conf);
	}
	play_prolog(false, NO_VAL16);
}

/* No memory is counted, and the site says that it knows. */
static void test_unchecked(void **state)
{
	(void)state;
	slurm_conf.select_type_param = 0;
	refused("GangMemory=counted\n", "GangMemory=unchecked");
	accepted("GangMemory=unchecked\n");
	slurm_conf.preempt_mode = PREEMPT_MODE_GANG;
	refused("GangMemory=unchecked\n", "PreemptMode= without GANG");
}

/* Is this in what was logged since it was last asked? */
static bool said(const char *text)
{
	static long seen;
	char line[512];
	bool found = false;
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	assert_int_equal(fseek(file, seen, SEEK_SET), 0);
	while (fgets(line, sizeof(line), file))
		found |= strstr(line, text) != NULL;
	seen = ftell(file);
	fclose(file);
	return found;
}

static const char no_memory[] = "PartitionName=slice: DefMemPerNode is missing";

/* Without a default memory each job has the whole node's: it is told, of partitions with turns alone. */
static void test_default_memory(void **state)
{
	(void)state;
	accepted(NULL);
	assert_false(said(no_memory));
	slice.def_mem_per_cpu = 0;
	accepted(NULL);
	assert_true(said(no_memory));
	slurm_conf.def_mem_per_cpu = 50 | MEM_PER_CPU;
	accepted(NULL);
	assert_false(said(no_memory));
	slurm_conf.def_mem_per_cpu = 0;
	accepted("PartitionName=slice Gang=off\n");
	assert_false(said(no_memory));
	slurm_conf.select_type_param = 0;
	accepted("GangMemory=unchecked\n");
	assert_false(said(no_memory));
}

/* With a scheduler of its own a partition is not sliced, whatever FORCE says: it is told under select/gang, where others are. */
static void test_unsliced(void **state)
{
	static const char told[] = "PartitionName=slice Scheduler=fcfs: its jobs take no turns";

	(void)state;
	accepted("PartitionName=slice Scheduler=fcfs\n");
	assert_true(said(told));
	accepted("PartitionName=plain Scheduler=fcfs\n");
	assert_false(said("its jobs take no turns"));
	slice.max_share = 1;
	accepted("PartitionName=slice Scheduler=fcfs\n");
	assert_false(said(told));
	slice.max_share = SHARED_FORCE | 3;
	set(&slurm_conf.select_type, "select/linear");
	accepted("PartitionName=slice Scheduler=fcfs\n");
	assert_false(said(told));
}

/* A step whose job is stopped for as long as srun waits for its tasks is lost. */
static void test_long_stop(void **state)
{
	static const char lost[] = "a job may be stopped for 600 s; srun gives up a step";

	(void)state;
	slurm_conf.sched_time_slice = 300; /* of three rows */
	accepted(NULL);
	assert_true(said(lost));
	slurm_conf.sched_time_slice--;
	accepted(NULL);
	assert_false(said("srun gives up"));
}

/* How many nodes' jobs may be asked to leave them in a slice. */
static void test_quota(void **state)
{
	char err[512];
	struct conf *conf;

	(void)state;
	(void)said("");
	slurm_conf.sched_time_slice = 30;
	conf = load("MigrateTasks=7\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.migration_quota, 7);
	assert_int_equal(conf->sched.leave_time, 90);
	conf_destroy(conf);
	assert_false(said("too short to ask"));
	/* in such a turn no job would ever be asked, and would have that of its home row alone */
	slurm_conf.sched_time_slice = 7;
	conf = load("SwitchGap=2001\nMigrateGrace=90\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.migration_quota, 0);
	assert_int_equal(conf->sched.leave_time, 97);
	conf_destroy(conf);
	assert_true(said("no job is migrated, as turns of 4 s are too short"));
	conf = load("SwitchGap=2000\n", err, sizeof(err));
	assert_non_null(conf);
	assert_true(conf->sched.migration_quota > 0);
	conf_destroy(conf);
	refused("MigrateTasks=-1\n", "MigrateTasks=-1: must be");
}

/* What prologs and launches take is the site's to say. */
static void test_launch(void **state)
{
	static const char ask[] = "LaunchTime: a job begins while 20 s are left";
	char err[512];
	struct conf *conf;

	(void)state;
	slurm_conf.sched_time_slice = 60;
	accepted("SwitchGap=3000\n");
	assert_false(said(ask));
	play_prolog(true, 30);
	accepted(NULL);
	assert_true(said(ask));
	conf = load("SwitchGap=3000\nLaunchTime=40\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.launch_time, 43);
	conf_destroy(conf);
	assert_false(said("LaunchTime"));
	play_prolog(false, 0);
	conf = load("Columns=aligned\n", err, sizeof(err));
	assert_non_null(conf);
	assert_int_equal(conf->sched.columns, COLUMNS_ALIGNED);
	conf_destroy(conf);
	refused("Columns=highest\n", "Columns=highest: must be");
	refused("LaunchTime=-1\n", "LaunchTime=-1: must be");
}

static int set_up(void **state)
{
	static node_record_t node;
	static node_record_t *nodes[] = { &node, &node, &node, &node };

	(void)state;
	node_record_table_ptr = nodes;
	node_record_count = 4;
	slice.node_bitmap = bit_alloc(4);
	bit_nset(slice.node_bitmap, 0, 1);
	plain.node_bitmap = bit_alloc(4);
	bit_nset(plain.node_bitmap, 2, 3);
	part_list = list_create(NULL);
	list_append(part_list, &slice);
	list_append(part_list, &plain);
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/pact.conf", dir);
	snprintf(log_path, sizeof(log_path), "%s/log", dir);
	return log_init("test_gang_conf",
			(log_options_t){ .stderr_level = LOG_LEVEL_QUIET,
					 .syslog_level = LOG_LEVEL_QUIET,
					 .logfile_level = LOG_LEVEL_INFO },
			SYSLOG_FACILITY_DAEMON, log_path);
}

static int tear_down(void **state)
{
	(void)state;
	FREE_NULL_LIST(part_list);
	FREE_NULL_BITMAP(slice.node_bitmap);
	FREE_NULL_BITMAP(plain.node_bitmap);
	xfree(slurm_conf.select_type);
	unlink(path);
	unlink(log_path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_default, suitable),
		cmocka_unit_test_setup(test_lacks, suitable),
		cmocka_unit_test_setup(test_guard, suitable),
		cmocka_unit_test_setup(test_refused, suitable),
		cmocka_unit_test_setup(test_aside, suitable),
		cmocka_unit_test_setup(test_gap, suitable),
		cmocka_unit_test_setup(test_short_rows, suitable),
		cmocka_unit_test_setup(test_rows, suitable),
		cmocka_unit_test_setup(test_quota, suitable),
		cmocka_unit_test_setup(test_prolog, suitable),
		cmocka_unit_test_setup(test_unchecked, suitable),
		cmocka_unit_test_setup(test_default_memory, suitable),
		cmocka_unit_test_setup(test_unsliced, suitable),
		cmocka_unit_test_setup(test_long_stop, suitable),
		cmocka_unit_test_setup(test_launch, suitable),
	};

	return cmocka_run_group_tests_name("test_gang_conf", tests, set_up, tear_down);
}
