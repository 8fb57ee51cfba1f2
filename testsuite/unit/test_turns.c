/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns: jobs that take turns, by the bridge's thread and a Slurm that is played: what becomes of them, and of the
 * others, whatever people and nodes do. Slices are of a second, and seconds are short here. No two jobs ever run on a node at once, in no test.
 */
#include "slurm/base/compat_played.h"

#include "slurm/acting/launch.h"
#include "slurm/acting/turn.h"
#include "slurm/agent/agent.h"
#include "slurm/agent/configure.h"
#include "slurm/base/clock.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/realms.h"
#include "slurm/state/poke.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

#define eventually(truth) eventually_within(20, truth)

/* ---- the played Slurm ---- */

enum is { NOT_THERE, HELD, WAITS, RUNS, STOPPED, BY_HAND };

#define JOBS 8
#define EVENTS 1000

static struct played {
	enum is is;
	struct nodeset *wants; /* one of these as many as it has; they are all of its nodes */
	struct nodeset *on;
	int64_t start;
	int begun; /* so often it was started or resumed */
} jobs[JOBS];

static struct event {
	bool stop;
	uint32_t id;
	int64_t at;
} events[EVENTS];
static _Atomic int nevents;

static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static struct nodeset *all, *down;
static struct snap_node has[NODES];
static struct snap_resv reserved;
static bool is_reserved;
static _Atomic bool part_changed;
static _Atomic bool crowded, slept_locked;
static char dir[] = "/tmp/test_turns.XXXXXX", path[64], conf_file[64];

/* What may have its nodes now. */
static void begin(uint32_t id, enum is from)
{
	for (uint32_t i = 0; i < JOBS; i++)
		crowded |=
			i != id && jobs[i].is == RUNS && nodeset_overlap(jobs[i].on, jobs[id].on);
	crowded |= jobs[id].is != from;
	jobs[id].is = RUNS;
	jobs[id].begun++;
}

static void note(uint32_t id, bool stop)
{
	if (nevents < EVENTS) {
		events[nevents] = (struct event){ stop, id, clock_us() };
		nevents++;
	}
	last_job_update = time(NULL);
}

void launch_try(struct launch *launch)
{
	uint32_t id = launch->job_id;

	pthread_mutex_lock(&world);
	launch->started = jobs[id].is == WAITS && launch->allowed;
	if (launch->started) {
		nodeset_destroy(jobs[id].on);
		jobs[id].on = nodeset_dup(launch->allowed);
		jobs[id].start = time(NULL);
		begin(id, WAITS);
		note(id, false);
		launch->started_id = id;
		launch->started_task = NO_VAL;
		launch->start = jobs[id].start;
		launch->end = launch->start + 1000;
		launch->nodes = nodeset_dup(launch->allowed);
	}
	pthread_mutex_unlock(&world);
}

bool turn_take(uint32_t id, bool suspend, int64_t end)
{
	bool done;

	(void)end;
	pthread_mutex_lock(&world);
	done = jobs[id].is == (suspend ? RUNS : STOPPED);
	if (done && suspend)
		jobs[id].is = STOPPED;
	else if (done)
		begin(id, STOPPED);
	if (done)
		note(id, suspend);
	pthread_mutex_unlock(&world);
	return done;
}

/* Nodes that were away, and how often a job's were told again. */
static struct nodeset *away;
static int told[JOBS];

struct nodeset *life_returned(void)
{
	struct nodeset *returned;

	pthread_mutex_lock(&world);
	returned = away;
	away = NULL;
	pthread_mutex_unlock(&world);
	return returned;
}

bool turn_repeat(uint32_t id)
{
	pthread_mutex_lock(&world);
	told[id]++;
	pthread_mutex_unlock(&world);
	return true;
}

/* Stamps are the thread's own here: it looks each second. */
static struct snapshot *seen(void)
{
	struct snapshot *snap = ctld_idle(1);

	if (atomic_exchange(&part_changed, false))
		last_part_update = time(NULL);

	pthread_mutex_lock(&world);
	snap->has = has;
	nodeset_or(snap->down, down);
	if (is_reserved) {
		snap->resvs = &reserved;
		snap->nresvs = 1;
	}
	for (uint32_t id = 1; id < JOBS; id++) {
		static const struct entry entry = { .part = "slice" };
		struct played *p = &jobs[id];
		struct snap_job *j;

		if (p->is == NOT_THERE)
			continue;
		j = played_job(snap, id, p->is <= WAITS ? SNAP_PENDING : SNAP_RUNNING, p->wants);
		j->held = p->is == HELD;
		j->runnable = p->is == WAITS;
		j->entries = &entry;
		j->nentries = 1;
		j->token_rc = TOKEN_NONE;
		j->token = (struct token){ 0 };
		j->submit = j->eligible = 1000 + id;
		j->what.limit = 1000;
		j->what.width = (int32_t)nodeset_count(p->wants);
		j->what.slices = j->slices = realms_slice("slice");
		j->suspended = p->is == STOPPED || p->is == BY_HAND;
		j->by_hand = p->is == BY_HAND;
		j->turned = !j->by_hand;
		j->start = p->start;
		j->end = p->start + 1000;
		j->nodes = p->is <= WAITS ? NULL : nodeset_dup(p->on);
	}
	pthread_mutex_unlock(&world);
	return snap;
}

/* The thread's clock, and its sleep, go so many times faster. */
#define SPEED 5

time_t __wrap_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	time_t now = 1700000000 + (time_t)(clock_us() * SPEED / 1000000);

	if (out)
		*out = now;
	return now;
}

static void sleep_slices(int n)
{
	struct timespec nap = { 0, 1000000000L / SPEED };

	while (n--)
		nanosleep(&nap, NULL);
}

/* The thread that plans holds nothing while it sleeps. */
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
static _Thread_local bool of_test;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	struct timespec scaled = { 0, time->tv_nsec / SPEED };
	struct bridge *b = bridge_get();

	if (of_test)
		return __real_nanosleep(time, left);
	if (time->tv_nsec > 1000000) {
		if (pthread_mutex_trylock(&b->lock))
			slept_locked = true;
		else
			pthread_mutex_unlock(&b->lock);
		slept_locked |= ctld_locked();
	}
	return __real_nanosleep(&scaled, left);
}

/* ---- what people and nodes do ---- */

static enum is job_is(uint32_t id)
{
	enum is is;

	pthread_mutex_lock(&world);
	is = jobs[id].is;
	pthread_mutex_unlock(&world);
	return is;
}

static int begun(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = jobs[id].begun;
	pthread_mutex_unlock(&world);
	return n;
}

/* A job becomes that, whatever it was. */
static void put(uint32_t id, enum is is)
{
	pthread_mutex_lock(&world);
	jobs[id].is = is;
	pthread_mutex_unlock(&world);
}

/* A job of the nodes from first to last. */
static void submit(uint32_t id, uint32_t first, uint32_t last)
{
	pthread_mutex_lock(&world);
	nodeset_clear(jobs[id].wants);
	for (uint32_t n = first; n <= last; n++)
		nodeset_set(jobs[id].wants, n);
	jobs[id].is = WAITS;
	jobs[id].begun = 0;
	pthread_mutex_unlock(&world);
}

/* Both have had so many turns more. */
static void take_turns(uint32_t a, uint32_t b, int more)
{
	int from_a = begun(a), from_b = begun(b);

	eventually(begun(a) >= from_a + more && begun(b) >= from_b + more);
}

/* It runs for two slices, and nothing is done to it. */
static void runs_alone(uint32_t id)
{
	int before;

	eventually(job_is(id) == RUNS);
	before = nevents;
	sleep_slices(2);
	assert_int_equal(nevents, before);
	assert_int_equal(job_is(id), RUNS);
}

/* ---- tests ---- */

static void configure(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* OverSubscribe=FORCE:n, or NO. */
static _Atomic uint16_t shared;

static void parts(struct partitions *out)
{
	*out = (struct partitions){ .nodes = NODES, .memory = true, .gang = true };
	out->v = calloc(1, sizeof(*out->v));
	out->v[0] = (struct partition){ .name = strdup("slice"),
					.nodes = nodeset_dup(all),
					.forced = shared > 1,
					.jobs = shared,
					.modest = true };
	out->n = 1;
	out->known = true;
}

static void update_partition(uint16_t n)
{
	shared = n;
	part_changed = true;
}

static int start_with(const char *text)
{
	struct safety safety;

	configure(text);
	last_part_update = 0;
	memset(jobs, 0, sizeof(jobs));
	for (uint32_t id = 0; id < JOBS; id++)
		jobs[id].wants = nodeset_create(NODES);
	nevents = 0;
	nodeset_clear(down);
	is_reserved = crowded = slept_locked = false;
	shared = 3;
	safety_look(&safety);
	return configure_read(bridge_get(), &safety) && agent_start() ? 0 : -1;
}

static int start(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 1;
	return start_with("PlanInterval=1\n");
}

static int stop(void **state)
{
	(void)state;
	agent_stop();
	for (uint32_t id = 0; id < JOBS; id++) {
		nodeset_destroy(jobs[id].wants);
		nodeset_destroy(jobs[id].on);
	}
	assert_false(crowded);
	assert_false(slept_locked);
	return 0;
}

static void test_turns(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 0);
	take_turns(1, 2, 2);
	eventually(begun(3) > 1);
	submit(4, 0, 3);
	take_turns(1, 2, 1);
	assert_int_equal(job_is(4), WAITS); /* there is no fourth row */
}

#define GAP_MS 300

static int start_gap(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 2;
	return start_with("PlanInterval=1\nSwitchGap=300\n");
}

/* What goes on, or begins, does so that long after the last one was stopped. */
static void test_gap(void **state)
{
	int64_t stopped = 0, stops = 0;

	(void)state;
	submit(1, 0, 1);
	submit(2, 2, 3);
	submit(3, 0, 3);
	take_turns(1, 3, 2);
	take_turns(2, 3, 1);
	for (int i = 0; i < nevents; i++) {
		const struct event *e = &events[i];

		if (!e->stop && i && events[i - 1].stop)
			assert_true(e->at - stopped >= GAP_MS * 1000);
		if (e->stop)
			stopped = e->at;
		stops += e->stop;
	}
	assert_true(stops > 2);
}

/* ---- what people do ---- */

static void test_cancel(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	submit(3, 0, 3);
	submit(4, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	assert_int_equal(job_is(4), WAITS);
	put(1, NOT_THERE); /* whether it runs or is stopped: its row is free */
	eventually(begun(4) > 0);
	put(2, NOT_THERE);
	put(3, NOT_THERE);
	runs_alone(4);
}

static void test_suspend(void **state)
{
	int before, from;

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	eventually(job_is(1) == RUNS);
	put(1, BY_HAND);
	before = begun(1);
	from = begun(2);
	eventually(begun(2) > from + 2); /* its own turns; those of the other one are nothing's */
	assert_int_equal(job_is(1), BY_HAND);
	assert_int_equal(begun(1), before);
	/* scontrol resume lets it run at once, in another's turn: that is put right */
	pthread_mutex_lock(&world);
	jobs[2].is = STOPPED;
	jobs[1].is = RUNS;
	pthread_mutex_unlock(&world);
	take_turns(1, 2, 2);
}

static void test_requeue(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	eventually(job_is(1) == STOPPED);
	put(1, WAITS); /* a stopped one, */
	eventually(job_is(1) != WAITS);
	take_turns(1, 2, 1);
	eventually(job_is(1) == RUNS);
	put(1, WAITS); /* and one that runs */
	take_turns(1, 2, 2);
}

static void test_hold(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	put(2, HELD);
	runs_alone(1);
	assert_int_equal(begun(2), 0);
	put(2, WAITS);
	take_turns(1, 2, 2);
}

/* A change of the partition holds at once: more rows take more jobs; with fewer, none is lost. */
static void test_rows(void **state)
{
	(void)state;
	for (uint32_t id = 1; id <= 4; id++)
		submit(id, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	assert_int_equal(job_is(4), WAITS);
	update_partition(5);
	take_turns(3, 4, 1);
	update_partition(2);
	take_turns(1, 2, 1);
	put(1, NOT_THERE);
	put(2, NOT_THERE);
	take_turns(3, 4, 2);
}

/* None goes on while one that was there before has its nodes, and none stays stopped. */
static void wound_down(void)
{
	sleep_slices(2);
	for (int left = 3; left; left--) {
		uint32_t runs = 0;

		for (uint32_t id = 1; id <= 3; id++)
			runs = job_is(id) == RUNS ? id : runs;
		assert_int_not_equal(runs, 0);
		runs_alone(runs);
		put(runs, NOT_THERE);
		eventually(left == 1 || job_is(1) == RUNS || job_is(2) == RUNS ||
			   job_is(3) == RUNS);
	}
}

static void begin_three(void)
{
	for (uint32_t id = 1; id <= 3; id++)
		submit(id, 0, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
}

static void test_off(void **state)
{
	(void)state;
	begin_three();
	configure("PlanInterval=1\nPartitionName=slice Gang=off\n");
	poke_to_reread();
	wound_down();
	configure("PlanInterval=1\n");
	poke_to_reread();
	begin_three();
}

static void test_not_forced(void **state)
{
	(void)state;
	begin_three();
	update_partition(1);
	wound_down();
}

/* Those of other nodes do not wait; what begins later keeps none stopped. */
static void test_off_apart(void **state)
{
	(void)state;
	submit(1, 0, 1);
	submit(2, 2, 3);
	submit(3, 0, 3);
	take_turns(1, 3, 1);
	eventually(job_is(3) == RUNS);
	configure("PlanInterval=1\nPartitionName=slice Gang=off\n");
	poke_to_reread();
	runs_alone(3);
	put(3, NOT_THERE);
	eventually(job_is(1) == RUNS && job_is(2) == RUNS);
}

/* ---- what nodes do ---- */

static void lose(uint32_t node, bool lost)
{
	pthread_mutex_lock(&world);
	if (lost)
		nodeset_set(down, node);
	else
		nodeset_clear(down);
	pthread_mutex_unlock(&world);
}

/* What Slurm has put back into the queue waits until there are nodes enough; the others have their turns. */
static void test_lost(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 1);
	submit(3, 0, 1);
	take_turns(2, 3, 1);
	lose(3, true);
	put(1, WAITS);
	take_turns(2, 3, 2);
	assert_int_equal(job_is(1), WAITS);
	lose(3, false);
	take_turns(1, 2, 1);
}

static int told_again(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = told[id];
	pthread_mutex_unlock(&world);
	return n;
}

/* A node that was away is told again what its jobs are to do, whether they run or not; others are not. */
static void test_away(void **state)
{
	int before[4];

	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 1);
	submit(3, 2, 3);
	take_turns(1, 2, 1);
	eventually(begun(3) > 0);
	for (uint32_t id = 1; id <= 3; id++)
		before[id] = told_again(id);
	pthread_mutex_lock(&world);
	away = nodeset_create(NODES);
	nodeset_set(away, 3);
	pthread_mutex_unlock(&world);
	eventually(told_again(1) > before[1] && told_again(3) > before[3]);
	take_turns(1, 2, 1);
	assert_int_equal(told_again(1), before[1] + 1);
	assert_int_equal(told_again(2), before[2]);
	assert_int_equal(told_again(3), before[3] + 1);
}

/* A drained node gets no new job; those that it has keep their turns. */
static void test_drained(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	lose(3, true);
	submit(3, 3, 3);
	take_turns(1, 2, 2);
	assert_int_equal(begun(3), 0);
	lose(3, false);
	eventually(begun(3) > 0);
}

/* None begins that would not be over in time; what runs keeps its turns. */
static void test_reserved(void **state)
{
	(void)state;
	submit(1, 0, 3);
	submit(2, 0, 3);
	take_turns(1, 2, 1);
	pthread_mutex_lock(&world);
	reserved = (struct snap_resv){
		.name = "later", .start = time(NULL) + 600, .end = time(NULL) + 1200, .nodes = all
	};
	is_reserved = true;
	pthread_mutex_unlock(&world);
	take_turns(1, 2, 1);
	submit(3, 0, 0);
	take_turns(1, 2, 2);
	assert_int_equal(begun(3), 0);
	pthread_mutex_lock(&world);
	is_reserved = false;
	pthread_mutex_unlock(&world);
	eventually(begun(3) > 0);
}

static int begin_all(void **state)
{
	(void)state;
	of_test = true;
	all = nodeset_create(NODES);
	nodeset_fill(all);
	down = nodeset_create(NODES);
	ctld_parts = parts;
	for (int n = 0; n < NODES; n++)
		has[n] = (struct snap_node){ .processors = 1, .memory = 1000 };
	slurmctld_config.thread_id_save = pthread_self();
	ctld_seen = seen;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/pact.conf", dir);
	snprintf(conf_file, sizeof(conf_file), "%s/slurm.conf", dir);
	setenv("SLURM_CONF", conf_file, 1);
	return scheduler_use("sched/qops") ? 0 : -1;
}

static int end_all(void **state)
{
	(void)state;
	unlink(path);
	nodeset_destroy(all);
	nodeset_destroy(down);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_turns, start, stop),
		cmocka_unit_test_setup_teardown(test_gap, start_gap, stop),
		cmocka_unit_test_setup_teardown(test_cancel, start, stop),
		cmocka_unit_test_setup_teardown(test_suspend, start, stop),
		cmocka_unit_test_setup_teardown(test_requeue, start, stop),
		cmocka_unit_test_setup_teardown(test_hold, start, stop),
		cmocka_unit_test_setup_teardown(test_rows, start, stop),
		cmocka_unit_test_setup_teardown(test_off, start, stop),
		cmocka_unit_test_setup_teardown(test_not_forced, start, stop),
		cmocka_unit_test_setup_teardown(test_off_apart, start, stop),
		cmocka_unit_test_setup_teardown(test_lost, start, stop),
		cmocka_unit_test_setup_teardown(test_away, start, stop),
		cmocka_unit_test_setup_teardown(test_drained, start, stop),
		cmocka_unit_test_setup_teardown(test_reserved, start, stop),
	};
	log_options_t quiet = LOG_OPTS_STDERR_ONLY;

	quiet.stderr_level = getenv("PACT_TURNS_LOG") ? LOG_LEVEL_INFO : LOG_LEVEL_QUIET;
	log_init("test_turns", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return cmocka_run_group_tests_name("test_turns", tests, begin_all, end_all);
}
