/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_safety: what slurm.conf has to say before anything is promised. Slurm's configuration is its own; what
 * conf.c reads of it is played.
 */
#include "slurm/base/compat.h"

#include "slurm/config/safety.h"
#include "testsuite/unit/seed.h"

slurmctld_config_t slurmctld_config;
list_t *part_list;

void conf_look(struct conf_site *site)
{
	*site = (struct conf_site){ 0 };
}

static void set(char **key, const char *value)
{
	xfree(*key);
	*key = xstrdup(value);
}

/* A slurm.conf under which promises can be kept. */
static int good_conf(void **state)
{
	(void)state;
	set(&slurm_conf.job_submit_plugins, "deadline");
	set(&slurm_conf.schedtype, "sched/qops");
	set(&slurm_conf.sched_params, "sched_interval=-1,defer");
	set(&slurm_conf.state_save_location, "/var/spool/ctld");
	set(&slurm_conf.authinfo, NULL);
	slurm_conf.over_time_limit = 0;
	slurm_conf.preempt_mode = 0;
	return 0;
}

/* The words of JobSubmitPlugins, as job_submit_plugin_init() takes them. */
static void test_named(void **state)
{
	static const struct {
		const char *plugins;
		bool named;
	} cases[] = {
		{ "deadline", true },
		{ "lua,deadline", true },
		{ "deadline,lua", true },
		{ "lua,deadline,throttle", true },
		{ "lua,,deadline", true },
		{ "job_submit/deadline", true },
		{ "job_submit/lua,job_submit/deadline", true },
		{ NULL, false },
		{ "", false },
		{ ",", false },
		{ "lua", false },
		{ "deadlines", false },
		{ "deadline2,lua", false },
		{ "mydeadline", false },
		{ "lua,no_deadline", false },
		{ "dead,line", false },
		{ "deadlin", false },
		{ "Deadline", false },
		{ "job_submit/", false },
		{ "job_submit/deadlines", false },
		{ "sched/deadline", false },
		{ "lua/deadline", false },
	};
	struct safety safety;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set(&slurm_conf.job_submit_plugins, cases[i].plugins);
		safety_look(&safety);
		if (safety.named != cases[i].named)
			fail_msg("JobSubmitPlugins=%s: %s", cases[i].plugins,
				 safety.named ? "named" : "not named");
		assert_true(safety.safe);
	}
}

/* A most of nodes that are up, by a release that has it (24.05): as many as there are is none. */
static void test_powered(void **state)
{
	static const struct {
		const char *params;
		int nodes;
		bool safe;
	} cases[] = {
		{ "max_powered_nodes=3", 4, false },
		{ "enable_configless,Max_Powered_Nodes=0,preempt_send_user_signal", 4, false },
		{ "max_powered_nodes=4", 4, true },
		{ "enable_configless", 4, true },
		{ NULL, 4, true },
	};
	struct safety safety;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set(&slurm_conf.slurmctld_params, cases[i].params);
		node_record_count = cases[i].nodes;
		safety_look(&safety);
		if (safety.safe != (cases[i].safe || powered_nodes_most() == INFINITE))
			fail_msg("%zu: %s", i, safety.unsafe);
		if (!safety.safe)
			assert_non_null(strstr(safety.unsafe, "max_powered_nodes="));
	}
	set(&slurm_conf.slurmctld_params, NULL);
}

/* What else has to be there, and what must not be; the line names the key. */
static void test_unsafe(void **state)
{
	static const struct {
		const char *schedtype, *params;
		uint16_t over, preempt;
		const char *why; /* NULL: safe */
	} cases[] = {
		{ "sched/qops", "sched_interval=-1,defer", 0, 0, NULL },
		{ "sched/dynp", "defer,sched_interval=-1", 5, 0, NULL },
		{ "sched/dynp", "bf_window=60,DEFER,Sched_Interval=-1,max_rpc_cnt=3", 0, 0, NULL },
		{ "sched/qops", NULL, 0, 0, "add sched_interval=-1" },
		{ "sched/qops", "defer", 0, 0, "add sched_interval=-1" },
		{ "sched/qops", "defer,sched_interval=-10", 0, 0, "add sched_interval=-1" },
		{ "sched/qops", "defer,my_sched_interval=-1", 0, 0, "add sched_interval=-1" },
		{ "sched/qops", "sched_interval=-1", 0, 0, "add defer" },
		{ "sched/qops", "sched_interval=-1,defer_batch", 0, 0, "add defer" },
		{ "sched/qops", "sched_interval=-1,nodefer", 0, 0, "add defer" },
		{ "sched/backfill", "sched_interval=-1,defer", 0, 0,
		  "SchedulerType=sched/backfill" },
		{ "sched/qops", "sched_interval=-1,defer", INFINITE16, 0,
		  "OverTimeLimit=UNLIMITED" },
		{ "sched/qops", "sched_interval=-1,defer", 0, PREEMPT_MODE_GANG,
		  "PreemptMode=GANG" },
	};
	struct safety safety;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set(&slurm_conf.schedtype, cases[i].schedtype);
		set(&slurm_conf.sched_params, cases[i].params);
		slurm_conf.over_time_limit = cases[i].over;
		slurm_conf.preempt_mode = cases[i].preempt;
		safety_look(&safety);
		assert_int_equal(safety.safe, !cases[i].why);
		if (cases[i].why && !strstr(safety.unsafe, cases[i].why))
			fail_msg("%zu: %s", i, safety.unsafe);
	}
}

/* A partition's own limit goes before slurm.conf's. */
static void test_partitions(void **state)
{
	part_record_t parts[] = { { .name = "some", .over_time_limit = 5 },
				  { .name = "endless", .over_time_limit = NO_VAL16 } };
	struct safety safety;

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &parts[0]);
	list_append(part_list, &parts[1]);
	safety_look(&safety);
	assert_true(safety.safe);
	parts[1].over_time_limit = INFINITE16;
	safety_look(&safety);
	assert_false(safety.safe);
	assert_non_null(strstr(safety.unsafe, "PartitionName=endless: OverTimeLimit=UNLIMITED"));
	FREE_NULL_LIST(part_list);
}

/* no_backup_scheduling: a backup loads the plugins all the same, and promises nothing while it is in charge. */
static void test_no_backup_scheduling(void **state)
{
	struct safety safety;
	char err[256];

	(void)state;
	slurmctld_config.scheduling_disabled = true;
	safety_look(&safety);
	slurmctld_config.scheduling_disabled = false;
	assert_false(safety.safe);
	assert_string_equal(safety.unsafe, SAFETY_SWITCHED_OFF);
	assert_non_null(strstr(safety.unsafe, "no_backup_scheduling"));
	assert_true(safety_promises(err, sizeof(err)));
}

/* Munge's socket, where AuthInfo names one; and the directory, where its name has room. */
static void test_paths(void **state)
{
	char name[2 * PATH_MAX];
	struct safety safety;

	(void)state;
	safety_look(&safety);
	assert_string_equal(safety.munge, "");
	assert_string_equal(safety.state_dir, "/var/spool/ctld");
	set(&slurm_conf.authinfo, "cred_expire=10,socket=/run/m.sock,ttl=5");
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	set(&slurm_conf.state_save_location, name);
	safety_look(&safety);
	assert_string_equal(safety.munge, "/run/m.sock");
	assert_string_equal(safety.state_dir, "");
}

/* Running jobs get nodes and give nodes back only as SchedulerParameters lets them; what is missing is told. */
static void test_resizing(void **state)
{
	static const struct {
		const char *params, *rigid;
	} cases[] = {
		{ "sched_interval=-1,defer,permit_job_expansion", "" },
		{ "sched_interval=-1,defer",
		  "no running job can grow without SchedulerParameters=permit_job_expansion" },
		{ "permit_job_expansion,disable_job_shrink",
		  "none can shrink under SchedulerParameters=disable_job_shrink" },
		{ NULL,
		  "no running job can grow without SchedulerParameters=permit_job_expansion" },
		{ "disable_job_shrink",
		  "no running job can grow without SchedulerParameters=permit_job_expansion; "
		  "none can shrink under SchedulerParameters=disable_job_shrink" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct safety safety;

		set(&slurm_conf.sched_params, cases[i].params);
		safety_look(&safety);
		assert_string_equal(safety.rigid, cases[i].rigid);
		assert_int_equal(safety.resizing, !cases[i].rigid[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_named, good_conf),
		cmocka_unit_test_setup(test_unsafe, good_conf),
		cmocka_unit_test_setup(test_partitions, good_conf),
		cmocka_unit_test_setup(test_powered, good_conf),
		cmocka_unit_test_setup(test_no_backup_scheduling, good_conf),
		cmocka_unit_test_setup(test_paths, good_conf),
		cmocka_unit_test_setup(test_resizing, good_conf),
	};

	return seed_run("test_safety", tests);
}
