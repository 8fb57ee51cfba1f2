/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_running_policy: sched/dynp's running policy over the lives of a controller that is played (ctld.h): it is
 * written after the pass that switched, and read before the first plan of the next life, whatever became of
 * the file meanwhile.
 */
#include "slurm/base/compat.h"

#include <sys/stat.h>

#include "slurm/agent/agent.h"
#include "slurm/base/state_file.h"
#include "slurm/state/bridge.h"
#include "slurm/state/handover.h"
#include "slurm/state/running_policy.h"
#include "slurm/base/scheduler.h"
#include "slurm/agent/configure.h"
#include "slurm/state/poke.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

#define eventually(truth) eventually_within(60, truth)

static char dir[64], file[128], log_file[128];
static struct nodeset *all;
static log_options_t log_options = LOG_OPTS_INITIALIZER;
/* The limits of the jobs that wait behind a running one; up to a 0. */
static int64_t limits[4];

static struct snapshot *queue(void)
{
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j = played_job(snap, 1, SNAP_RUNNING, NULL);

	j->nodes = nodeset_dup(all);
	j->start = snap->now;
	j->end = snap->now + 3600;
	j->token_rc = TOKEN_NONE;
	for (uint32_t i = 0; limits[i]; i++) {
		j = played_job(snap, 2 + i, SNAP_PENDING, all);
		j->submit = j->eligible = snap->now - 10 + i;
		j->what.limit = limits[i];
		j->token_rc = TOKEN_NONE;
	}
	return snap;
}

static struct running_policy_view look(struct bridge *b)
{
	struct running_policy_view v;

	pthread_mutex_lock(&b->lock);
	running_policy_look(b, &v);
	pthread_mutex_unlock(&b->lock);
	return v;
}

static void write_text(const char *text)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static bool logged(const char *text)
{
	char command[512];

	snprintf(command, sizeof(command), "grep -qF '%s' %s", text, log_file);
	return !system(command);
}

static bool is_saved(const char *text)
{
	FILE *f = fopen(file, "r");
	char have[64] = "";

	if (!f)
		return false;
	if (!fgets(have, sizeof(have), f))
		have[0] = '\0';
	fclose(f);
	return !strcmp(have, text);
}

/* A life of the controller in which these wait; at its end. */
static struct running_policy_view live(struct bridge *b, int64_t first, int64_t second)
{
	int before = ctld_snapshots;

	limits[0] = first;
	limits[1] = second;
	limits[2] = 0;
	assert_true(agent_start());
	/* two passes have been made to their end when a third one begins */
	eventually((poke_to_reread(), ctld_snapshots > before + 2));
	agent_stop();
	return look(b);
}

/* In the first life there is nothing else to go by. */
static void test_first(void **state)
{
	struct bridge *b = bridge_get();

	(void)state;
	write_text("pact-policy-1 nosuch\n");
	assert_int_equal(live(b, 100, 0).now.running, DYNP_FCFS);
	assert_true(logged(": not understood: the first of Policies= runs"));
}

static void test_kept(void **state)
{
	struct bridge *b = played_bridge();
	struct running_policy_view v;

	(void)state;
	unlink(file);
	v = live(b, 5000, 60);
	assert_true(v.there);
	assert_int_equal(v.now.running, DYNP_SJF);
	assert_true(v.now.switches[DYNP_SJF] >= 1);
	assert_true(v.now.quality[DYNP_SJF] < v.now.quality[DYNP_FCFS]);
	assert_true(is_saved("pact-policy-1 sjf\n"));
	assert_int_not_equal(access(file, F_OK), -1);
	/* All schedules of one job are the same: advanced stays. Counters go on. */
	v = live(b, 100, 0);
	assert_int_equal(v.now.running, DYNP_SJF);
	assert_true(v.now.switches[DYNP_SJF] >= 1);
	assert_int_equal(v.now.switches[DYNP_FCFS], 0);
	write_text("pact-policy-1 LJF\n");
	v = live(b, 100, 0);
	assert_int_equal(v.now.running, DYNP_LJF);
}

/* Of what is not there, or not ours, nothing is believed; and it is mended. */
static void test_unreadable(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"sjf\n",
		"pact-policy-1",
		"pact-policy-1 \n",
		"pact-policy-1 nosuch\n",
		"pact-policy-0 sjf\n",
		"pact-policy- sjf\n",
		"pact-policy-2\n",
		"pact-policy-1sjf\n",
		"pact-policy-1 sjf",
		"pact-policy-1 sjf ljf\n",
		"pact-policy-1 sjf\npact-policy-1 ljf\n",
		"pact-policy-1 ssssssssssssssssssssssssssssssssssjf\n",
	};
	struct bridge *b = played_bridge();
	struct running_policy_view before = look(b), v;

	(void)state;
	assert_int_equal(truncate(log_file, 0), 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_text(texts[i]);
		v = live(b, 100, 0);
		/* what this process knows is as good */
		assert_int_equal(v.now.running, before.now.running);
		assert_true(is_saved("pact-policy-1 ljf\n"));
	}
	assert_true(logged(": not understood: goes on with ljf, which this process knows"));
	unlink(file);
	assert_int_equal(mkdir(file, 0700), 0);
	assert_int_equal(live(b, 100, 0).now.running, before.now.running);
	assert_int_equal(rmdir(file), 0);
	assert_int_equal(symlink("/etc/passwd", file), 0);
	assert_int_equal(live(b, 100, 0).now.running, before.now.running);
	assert_true(is_saved("pact-policy-1 ljf\n"));
	assert_true(logged(": Is a directory: goes on with ljf"));
	assert_false(logged("the first of Policies= runs"));
	/* known, but not in Policies=: the first one */
	write_text("pact-policy-1 ffia\n");
	assert_int_equal(live(b, 100, 0).now.running, DYNP_FCFS);
	assert_true(is_saved("pact-policy-1 fcfs\n"));
}

/* A newer Pact's is neither believed nor written over, however long we run. */
static void test_newer(void **state)
{
	static const char *const texts[] = { "pact-policy-2 sjf\n",
					     "pact-policy-12 sjf since=7\n" };
	struct bridge *b = played_bridge();
	enum dynp_order before = look(b).now.running;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_text(texts[i]);
		assert_int_equal(live(b, 100, 0).now.running, before);
		assert_true(is_saved(texts[i]));
		/* a switch, which would be saved */
		assert_int_equal(live(b, 5000, 60).now.running, DYNP_SJF);
		assert_true(is_saved(texts[i]));
		before = DYNP_SJF;
	}
	assert_true(logged(": made by a newer Pact, and left alone: goes on with sjf"));
	/* and ours again when that is gone */
	unlink(file);
	assert_int_equal(live(b, 100, 0).now.running, DYNP_SJF);
	assert_true(is_saved("pact-policy-1 sjf\n"));
	write_text("pact-policy-1 fcfs\n");
	assert_int_equal(live(b, 100, 0).now.running, DYNP_FCFS);
}

/* A directory that is not there costs a line in the log and nothing else. */
static void test_nowhere(void **state)
{
	struct bridge *b = played_bridge();
	char gone[128];

	(void)state;
	snprintf(gone, sizeof(gone), "%s/gone", dir);
	ctld_state_dir = gone;
	assert_int_equal(live(b, 5000, 60).now.running, DYNP_SJF);
	ctld_state_dir = dir;
	assert_true(is_saved("pact-policy-1 fcfs\n"));
	assert_int_equal(live(b, 5000, 60).now.running, DYNP_SJF);
	assert_true(is_saved("pact-policy-1 sjf\n"));
	unlink(file);
}

static int open_all(void **state)
{
	struct safety safety;

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/pact-policy-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/" RUNNING_POLICY_FILE, dir);
	snprintf(log_file, sizeof(log_file), "%s/log", dir);
	all = nodeset_create(NODES);
	nodeset_fill(all);
	ctld_seen = queue;
	ctld_state_dir = dir;
	slurmctld_config.thread_id_save = pthread_self();
	if (log_init("test_running_policy", log_options, SYSLOG_FACILITY_DAEMON, log_file))
		return -1;
	if (!scheduler_use("sched/dynp"))
		return -1;
	/* as shared.c does, before there is a thread that works by it */
	safety_look(&safety);
	return configure_read(bridge_get(), &safety) ? 0 : -1;
}

static int close_all(void **state)
{
	(void)state;
	nodeset_destroy(all);
	log_fini();
	unlink(log_file);
	state_file_remove(HANDOVER_FILE);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),	   cmocka_unit_test(test_kept),
		cmocka_unit_test(test_unreadable), cmocka_unit_test(test_newer),
		cmocka_unit_test(test_nowhere),
	};

	log_options.stderr_level = LOG_LEVEL_QUIET;
	log_options.logfile_level = LOG_LEVEL_INFO;
	return cmocka_run_group_tests_name("test_running_policy", tests, open_all, close_all);
}
