/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resized: what the core is told of running jobs that are resized: what their records show, a changed limit, and, by a
 * controller that has just come up, what an earlier one had done and asked for. The core is played.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/records/wish_of.h"
#include "slurm/state/core.h"
#include "slurm/state/resize_log.h"
#include "slurm/state/resizings.h"
#include "slurm/sync/sync_resized.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define CORE 5
#define TABLE 8
#define GUARD 10
#define NOW 1000

/* ---- the played core ---- */

static struct sched_event told[8];
static struct sched_job submitted;
static struct nodeset *told_nodes[8];
static size_t n;
static int64_t own_end;
static int32_t called; /* so many nodes the core has called in */

int __wrap_sched_event(struct sched *s, const struct sched_event *ev);
int __wrap_sched_view(const struct sched *s, uint64_t id, struct sched_view *v);
int __wrap_sched_domain(const struct sched *s, uint64_t id, const char **name);

int __wrap_sched_event(struct sched *s, const struct sched_event *ev)
{
	(void)s;
	assert_true(n < sizeof(told) / sizeof(told[0]));
	told_nodes[n] = ev->nodes ? nodeset_dup(ev->nodes) : NULL;
	if (ev->type == EV_SUBMIT)
		submitted = ev->jobs[0];
	told[n++] = *ev;
	return PACT_OK;
}

int __wrap_sched_view(const struct sched *s, uint64_t id, struct sched_view *v)
{
	(void)s;
	assert_int_equal(id, CORE);
	/* what the plan has is not what is asked for */
	*v = (struct sched_view){ .id = id, .end = 9999, .own_end = own_end, .called = called };
	return PACT_OK;
}

int __wrap_sched_domain(const struct sched *s, uint64_t id, const char **name)
{
	(void)s, (void)id;
	*name = NULL;
	return -1;
}

/* ---- the played history: the latest row ---- */

static struct history_resize row;
static int rows;

void __wrap_history_resized(const struct history_resize *r);

void __wrap_history_resized(const struct history_resize *r)
{
	row = *r;
	rows++;
}

/* ---- a job of two to eight nodes, twice as fast on twice as many, that was to run from 500 to 1500 ---- */

static struct conf conf;
static struct bridge bridge;
static struct snapshot snap;
static struct snap_job job;
static struct track track;
static struct sync syncing = { .b = &bridge, .snap = &snap };

static struct nodeset *set_of(const char *nodes)
{
	struct nodeset *set = nodeset_create(TABLE);

	for (; *nodes; nodes++)
		nodeset_set(set, (uint32_t)(*nodes - '0'));
	return set;
}

static void has(const char *nodes)
{
	nodeset_destroy(job.nodes);
	job.nodes = set_of(nodes);
}

static int open_job(void **state)
{
	(void)state;
	conf.sched.guard = GUARD;
	bridge.conf = &conf;
	snap.now = NOW;
	job = (struct snap_job){ .job_id = 7,
				 .submit = 400,
				 .start = 500,
				 .end = 1500,
				 .priority = 3,
				 .what = { .width = 2,
					   .most = 8,
					   .malleable = true,
					   .limit = 1000,
					   .grace = 20,
					   .value = 6 } };
	track = (struct track){ .core = CORE, .running = true, .width = 2, .end = 1500 };
	own_end = 1510;
	called = 0;
	rows = 0;
	has("01");
	scheduler_use("sched/qops");
	return 0;
}

static void forget(void)
{
	while (n > 0)
		nodeset_destroy(told_nodes[--n]);
}

static int close_job(void **state)
{
	(void)state;
	nodeset_destroy(job.nodes);
	nodeset_destroy(job.keeps);
	job.nodes = job.keeps = NULL;
	forget();
	return 0;
}

static void check_nodes(size_t i, const char *nodes)
{
	struct nodeset *wanted = set_of(nodes);

	assert_true(nodeset_equal(told_nodes[i], wanted));
	nodeset_destroy(wanted);
}

static uint64_t counted(enum resizing what)
{
	uint64_t times, nodes;

	resizings_read(what, &times, &nodes);
	return nodes;
}

/* What its record shows is told once, asked for or not; what it lost is counted. */
static void test_width(void **state)
{
	uint64_t before = counted(RESIZING_SHRUNK);

	(void)state;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 0);
	has("014567");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_RESIZED);
	assert_int_equal(told[0].width, 6);
	check_nodes(0, "014567");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(counted(RESIZING_SHRUNK), before);
	has("01");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 2);
	assert_int_equal(told[1].width, 2);
	assert_int_equal(counted(RESIZING_SHRUNK), before + 4);
}

static void check_limit(int64_t end, int64_t told_end, bool still)
{
	job.end = end;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_END_CHANGED);
	assert_int_equal(told[0].id, CORE);
	assert_int_equal(told[0].end, told_end);
	assert_int_equal(told[0].reserve, still);
	forget();
}

/*
 * As much later or earlier as its record ends, from when its own nodes alone would be done: what loans have done of it by now
 * stays done, 250 of the 500 seconds that are left of its limit.
 */
static void check_limits(void)
{
	has("0123");
	track.width = 4;
	own_end = 1260;
	check_limit(1700, 1460, false);
	own_end = 1460;
	check_limit(1600, 1360, false);
	check_limit(PACT_FOREVER, PACT_FOREVER, false);
	/* there was no limit: all of it is to be done */
	check_limit(1500, 1510, false);
	/* while it is suspended Slurm moves its end by what passes */
	job.suspended = true;
	own_end = 1260;
	check_limit(1520, 1280, true);
}

static void test_limit_lent(void **state)
{
	(void)state;
	check_limits();
}

/* The same where no plan lends. */
static void test_limit_malleable(void **state)
{
	(void)state;
	scheduler_use("sched/malleable");
	check_limits();
}

/* Of what it was to get, one is clean of the job before it: the core hears of it once. */
static void test_clean(void **state)
{
	(void)state;
	track.lacks = set_of("45");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 0);
	snap.unclean = set_of("3457");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 0);
	nodeset_unset(snap.unclean, 5);
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_TIME);
	assert_int_equal(told[0].id, CORE);
	assert_null(track.lacks);
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	nodeset_destroy(snap.unclean);
	snap.unclean = NULL;
}

/* What the core has called in the job is to give back no more: the core hears so, but not while some of that is being cleaned up. */
static void test_kept(void **state)
{
	(void)state;
	has("0123");
	track.width = 4;
	job.keeps = set_of("01");
	called = 2;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 0);
	nodeset_destroy(job.keeps);
	job.keeps = NULL;
	job.cleaning = 2;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_RESIZED);
	job.cleaning = 0;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 3);
	assert_int_equal(told[2].type, EV_REFUSED);
	assert_int_equal(told[2].id, CORE);
	called = 0;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 3);
}

/* Nodes that it gave back by one request become clean one after the other: for the history they left at once, by that one. */
static void test_cleaned_apart(void **state)
{
	const struct resize_call call = { .by = NOW + 20, .wanted = 2 };

	(void)state;
	has("012345");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(rows, 1);
	assert_string_equal(row.what, "grown");
	resize_log_called(7, &call, 1, NOW, 3, 10);
	resize_log_by_hand(7, false, NOW);
	job.cleaning = 4;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(rows, 2);
	assert_string_equal(row.what, "given_back");
	assert_string_equal(row.by, "scheduler");
	assert_int_equal(row.was, 6);
	assert_int_equal(row.has, 2);
	has("0123");
	job.cleaning = 2;
	sync_resized(&syncing, &track, &job);
	has("01");
	job.cleaning = 0;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(rows, 2);
}

/* On what it has given back it does nothing, from when its record shows that: the core hears of it, and of what is clean. */
static void test_gives_back(void **state)
{
	(void)state;
	has("0123");
	track.width = 4;
	job.cleaning = 2;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_RESIZED);
	assert_int_equal(told[0].width, 4);
	assert_int_equal(told[0].cleans, 2);
	check_nodes(0, "0123");
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 1);
	has("01");
	job.cleaning = 0;
	sync_resized(&syncing, &track, &job);
	assert_int_equal(n, 2);
	assert_int_equal(told[1].width, 2);
	assert_int_equal(told[1].cleans, 0);
	/* one that has just come up tells it with all that the job has */
	has("0123");
	job.cleaning = 1;
	sync_resized_restored(&syncing, &track, &job);
	assert_int_equal(n, 3);
	assert_int_equal(told[2].width, 4);
	assert_int_equal(told[2].cleans, 1);
}

/* To a core that does not know it: what it asked for. */
static void test_again(void **state)
{
	(void)state;
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(told[0].type, EV_SUBMIT);
	assert_int_equal(submitted.id, CORE);
	assert_int_equal(submitted.width, 2);
	assert_int_equal(submitted.most, 8);
	assert_int_equal(submitted.limit, 1000);
	assert_int_equal(submitted.grace, 20);
	assert_int_equal(submitted.value, 6);
	assert_int_equal(submitted.deadline, 0);
	assert_int_equal(submitted.flags, 0);
	job.token.id = 5;
	job.token.deadline = 1600;
	job.token.limit = 1200; /* and it was shortened since */
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(submitted.deadline, 1600);
	assert_int_equal(submitted.limit, 1000);
	assert_int_equal(submitted.flags, JOB_PROMISED);
	assert_int_equal(submitted.own, 0);
	job.run = (struct malleable_run){ .own = 4, .lost = 1, .has = 6 };
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(submitted.own, 5);
	job.token.limit = 900; /* or might be, and was for the promise */
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(submitted.limit, 900);
	job.token.state = TOKEN_BROKEN; /* its nodes were promised */
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(submitted.deadline, 1600);
	assert_int_equal(submitted.flags, JOB_PROMISED);
	job.token.state = TOKEN_WITHDRAWN;
	assert_true(sync_resized_again(&syncing, &track, &job));
	assert_int_equal(submitted.deadline, 0);
}

/* It was started with its own: then all that it has, and what of that an earlier controller has called in. */
static void test_restored(void **state)
{
	struct wish_calls *calls =
		&(struct wish_calls){ 2, { { 1040, set_of("2") }, { 1070, set_of("13") } } };

	(void)state;
	has("0123");
	job.calls = calls;
	sync_resized_restored(&syncing, &track, &job);
	assert_true(track.resizes);
	assert_int_equal(n, 3);
	assert_int_equal(told[0].type, EV_RESIZED);
	check_nodes(0, "0123");
	assert_false(told[0].reserve);
	assert_int_equal(told[1].type, EV_LEAVING);
	assert_int_equal(told[1].end, 1040);
	check_nodes(1, "013");
	/* the others are due later */
	assert_int_equal(told[2].type, EV_LEAVING);
	assert_int_equal(told[2].end, 1070);
	check_nodes(2, "0");
	assert_int_equal(told[2].width, 1);
	assert_int_equal(track.width, 4);
	wish_calls_clear(calls);
}

/* It has lost some of its own: what it has more than is left of these is on loan. */
static void test_restored_lost(void **state)
{
	(void)state;
	/* none, where it has just its own */
	sync_resized_restored(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].width, 2);
	assert_false(told[0].reserve);
	forget();
	has("0123");
	job.run.lost = 1;
	track.width = 1;
	sync_resized_restored(&syncing, &track, &job);
	assert_int_equal(n, 1);
	assert_int_equal(told[0].type, EV_RESIZED);
	assert_true(told[0].reserve);
}

/*
 * After a restart: when it had run 100 of its 1000 seconds it had done 150 of them, and since then it had the fewer of the nodes
 * that it had then and those that it has.
 */
static void test_left(void **state)
{
	struct token token = { .id = 5, .deadline = 3000, .limit = 800, .state = TOKEN_PROMISED };

	(void)state;
	job.run = (struct malleable_run){ .own = 2, .has = 4, .ran = 100, .done = 150 };
	job.runtime = 300;
	has("0123");
	assert_int_equal(bridge_run_left(&job), 1000 - 150 - 2 * 200);
	has("012");
	assert_int_equal(bridge_run_left(&job), 1000 - 150 - 300);
	has("012345");
	assert_int_equal(bridge_run_left(&job), 1000 - 150 - 2 * 200);
	/* some of these it has given back */
	job.cleaning = 3;
	assert_int_equal(bridge_run_left(&job), 1000 - 150 - 300);
	job.cleaning = 0;
	/* its nodes were booted, and it begins anew */
	job.runtime = 50;
	assert_int_equal(bridge_run_left(&job), 1000 - 150);
	/* of what was promised, if that is less */
	job.token = token;
	job.token_rc = TOKEN_OK;
	assert_int_equal(bridge_run_left(&job), 800 - 150);
	job.token_rc = TOKEN_NONE;
	job.run.done = 5000;
	assert_int_equal(bridge_run_left(&job), 1);
	job.what.limit = PACT_FOREVER;
	assert_int_equal(bridge_run_left(&job), PACT_FOREVER);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_width),	  TEST(test_limit_lent),    TEST(test_limit_malleable),
		TEST(test_clean),	  TEST(test_kept),	    TEST(test_gives_back),
		TEST(test_again),	  TEST(test_cleaned_apart), TEST(test_restored),
		TEST(test_restored_lost), TEST(test_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
