/* SPDX-License-Identifier: GPL-2.0-or-later */
/* turns_world: see the header. */
#include "slurm/base/compat_played.h"

#include "slurm/acting/launch.h"
#include "slurm/acting/life.h"
#include "slurm/acting/migrate.h"
#include "slurm/acting/turn.h"
#include "slurm/agent/agent.h"
#include "slurm/agent/configure.h"
#include "slurm/base/clock.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/realms.h"
#include "slurm/records/cleaned.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/turns_world.h"

/* ---- the played Slurm ---- */

struct played jobs[JOBS];
enum migrate_rc asking;

struct event events[EVENTS];
_Atomic int nevents;

pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
struct nodeset *all;
static struct nodeset *down;
static struct snap_node has[NODES];
struct snap_resv reserved;
bool is_reserved;
static _Atomic bool part_changed;
static _Atomic bool crowded, slept_locked, planned_locked;
static _Atomic bool hasty; /* a job was asked to leave in the first seconds of its turn */
static char dir[] = "/tmp/test_turns.XXXXXX", path[64], conf_file[64];

_Atomic bool registered = true, renumbers;

bool life_registered(void)
{
	return registered;
}

/* What may have its nodes now. */
static void begin(uint32_t id, enum is from)
{
	for (uint32_t i = 0; i < JOBS; i++)
		crowded |=
			i != id && jobs[i].is == RUNS && nodeset_overlap(jobs[i].on, jobs[id].on);
	crowded |= jobs[id].is != from;
	jobs[id].is = RUNS;
	jobs[id].end += from == STOPPED ? time(NULL) - jobs[id].switched : 0;
	jobs[id].switched = from == STOPPED ? time(NULL) : 0;
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

/* As many as it wants of what it may have. */
static struct nodeset *pick(const struct nodeset *allowed, uint32_t width)
{
	struct nodeset *on = nodeset_create(NODES);

	for (uint32_t n = nodeset_next(allowed, 0); n < NODES && nodeset_count(on) < width;
	     n = nodeset_next(allowed, n + 1))
		nodeset_set(on, n);
	return on;
}

/* Slurm starts nothing where a job cleans up. With `world`. */
static bool is_clean(const struct nodeset *nodes)
{
	bool clean = true;

	for (uint32_t id = 0; id < JOBS; id++)
		clean &= jobs[id].is != ENDS || !nodeset_overlap(jobs[id].on, nodes);
	return clean;
}

void launch_try(struct launch *launch)
{
	uint32_t id = launch->job_id;

	pthread_mutex_lock(&world);
	launch->started = jobs[id].is == WAITS && launch->allowed &&
			  nodeset_count(launch->allowed) >= jobs[id].width &&
			  is_clean(launch->allowed);
	if (launch->started) {
		nodeset_destroy(jobs[id].on);
		jobs[id].on = pick(launch->allowed, jobs[id].width);
		jobs[id].start = time(NULL);
		jobs[id].end = jobs[id].start + (jobs[id].limit ? jobs[id].limit : 1000);
		begin(id, WAITS);
		note(id, false);
		launch->started_id = id;
		launch->started_task = NO_VAL;
		launch->start = jobs[id].start;
		launch->end = jobs[id].end;
		launch->nodes = nodeset_dup(jobs[id].on);
	}
	pthread_mutex_unlock(&world);
}

/* A signal may not reach it in so many. */
#define FIRST_SECONDS 4

enum migrate_rc migrate_ask(uint32_t id)
{
	enum migrate_rc rc;

	pthread_mutex_lock(&world);
	crowded |= jobs[id].is != RUNS;
	hasty |= time(NULL) <
		 (jobs[id].switched ? jobs[id].switched : jobs[id].start) + FIRST_SECONDS;
	jobs[id].asked++;
	rc = asking;
	if (rc == MIGRATE_ASKED)
		jobs[id].move.state = MOVE_ASKED;
	pthread_mutex_unlock(&world);
	/* else nothing has changed */
	if (rc == MIGRATE_ASKED)
		last_job_update = time(NULL);
	return rc;
}

/* Slurm requeues it: as one that was asked to leave, or, if that was given up, as any other. With `world`. */
static void requeue(uint32_t id)
{
	jobs[id].is = WAITS;
	jobs[id].lost = jobs[id].gone = false;
	jobs[id].move.state = jobs[id].move.state == MOVE_ASKED ? MOVE_MOVED : MOVE_NONE;
	jobs[id].move.submit = 1000 + id;
	jobs[id].move.cost = 3;
}

bool migrate_find(uint32_t id)
{
	pthread_mutex_lock(&world);
	crowded |= jobs[id].is != RUNS;
	jobs[id].sought++;
	if (jobs[id].lost)
		requeue(id);
	pthread_mutex_unlock(&world);
	last_job_update = time(NULL);
	return true;
}

bool cleaned_end(uint32_t id)
{
	pthread_mutex_lock(&world);
	requeue(id);
	pthread_mutex_unlock(&world);
	return true;
}

void migrate_give_up(uint32_t id)
{
	pthread_mutex_lock(&world);
	jobs[id].move.state = MOVE_STAYS;
	pthread_mutex_unlock(&world);
}

bool turn_take(uint32_t id, bool suspend, int64_t end)
{
	bool done;

	(void)end;
	pthread_mutex_lock(&world);
	done = jobs[id].is == (suspend ? RUNS : STOPPED);
	if (done && suspend) {
		jobs[id].is = STOPPED;
		jobs[id].switched = time(NULL);
	} else if (done)
		begin(id, STOPPED);
	if (done)
		note(id, suspend);
	pthread_mutex_unlock(&world);
	return done;
}

bool turn_warn(uint32_t id, int64_t after)
{
	struct played *p = &jobs[id];
	int64_t now = time(NULL), next = bridge_get()->wake;

	pthread_mutex_lock(&world);
	crowded |= p->is != RUNS;
	p->warned_after = now - (p->switched ? p->switched : p->start);
	p->warned_next = next ? next - now : INT64_MAX;
	p->warned_left = p->end - now;
	crowded |= p->warned_after < after;
	p->warning = 0;
	p->warned++;
	pthread_mutex_unlock(&world);
	return true;
}

/* Nodes that were away, how often a job's were told again, and how long before turns at the nearest. */
struct nodeset *away;
static int told[JOBS];
static int64_t first_told[JOBS];
_Atomic int64_t told_before;

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
	int64_t left = bridge_get()->wake - time(NULL);

	pthread_mutex_lock(&world);
	told[id]++;
	if (!first_told[id])
		first_told[id] = clock_us();
	pthread_mutex_unlock(&world);
	if (left < told_before)
		told_before = left;
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
		/* as Slurm has it of what was requeued */
		j->submit = j->eligible = p->move.state == MOVE_MOVED ? 5000 : 1000 + id;
		j->what.limit = 1000;
		j->what.width = (int32_t)p->width;
		j->leaves = p->leaves ? SIGUSR1 : 0;
		j->move = p->move;
		j->gone = p->gone;
		j->what.slices = j->slices = realms_slice("slice");
		j->suspended = p->is == STOPPED || p->is == BY_HAND;
		j->by_hand = p->is == BY_HAND;
		j->ending = p->is == ENDS;
		j->turned = !j->by_hand;
		j->start = p->start;
		j->switched = p->switched;
		j->launched = p->start;
		j->runtime = p->begun == 1 && p->switched ? p->switched - p->start : 0;
		j->end = p->end;
		j->warning = p->warning;
		j->nodes = p->is <= WAITS ? NULL : nodeset_dup(p->on);
	}
	pthread_mutex_unlock(&world);
	if (renumbers) {
		static node_record_t *tables[2][NODES];

		node_record_table_ptr = tables[node_record_table_ptr == tables[0]];
	}
	return snap;
}

/* The thread's clock, and its sleep, go so many times faster; it only grows. */
_Atomic int speed = 5;

time_t __wrap_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	time_t now = 1700000000 + (time_t)(clock_us() * speed / 1000000);

	if (out)
		*out = now;
	return now;
}

void sleep_slices(int n)
{
	struct timespec nap = { 0, 1000000000L / speed };

	while (n--)
		nanosleep(&nap, NULL);
}

/* The thread that plans holds nothing while it sleeps. */
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
static _Thread_local bool of_test;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	struct timespec scaled = { 0, time->tv_nsec / speed };
	struct bridge *b = bridge_get();

	if (of_test)
		return __real_nanosleep(time, left);
	if (time->tv_nsec > 1000000) {
		slept_locked |= ctld_holds(&b->lock);
		slept_locked |= ctld_locked();
	}
	return __real_nanosleep(&scaled, left);
}

/* Nor does it plan with slurmctld's locks: the pass over the matrix, and the list of the turns that follow from it. */
struct gang;
void __real_yields_anew(struct gang *s, bool back);
void __wrap_yields_anew(struct gang *s, bool back);
int __real_turns_list(struct gang *s);
int __wrap_turns_list(struct gang *s);
static _Atomic int planned;

/* Only a pass lets jobs come back. */
void __wrap_yields_anew(struct gang *s, bool back)
{
	planned += back;
	planned_locked |= back && ctld_locked();
	__real_yields_anew(s, back);
}

int __wrap_turns_list(struct gang *s)
{
	planned_locked |= ctld_locked();
	return __real_turns_list(s);
}

/* ---- what people and nodes do ---- */

enum is job_is(uint32_t id)
{
	enum is is;

	pthread_mutex_lock(&world);
	is = jobs[id].is;
	pthread_mutex_unlock(&world);
	return is;
}

int begun(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = jobs[id].begun;
	pthread_mutex_unlock(&world);
	return n;
}

/* A job becomes that, whatever it was. */
void put(uint32_t id, enum is is)
{
	pthread_mutex_lock(&world);
	jobs[id].is = is;
	pthread_mutex_unlock(&world);
}

/* A job of the nodes from first to last. */
void submit(uint32_t id, uint32_t first, uint32_t last)
{
	pthread_mutex_lock(&world);
	nodeset_clear(jobs[id].wants);
	for (uint32_t n = first; n <= last; n++)
		nodeset_set(jobs[id].wants, n);
	jobs[id].width = last - first + 1;
	jobs[id].is = WAITS;
	jobs[id].begun = 0;
	pthread_mutex_unlock(&world);
}

/* Both have had so many turns more. */
void take_turns(uint32_t a, uint32_t b, int more)
{
	int from_a = begun(a), from_b = begun(b);

	eventually(begun(a) >= from_a + more && begun(b) >= from_b + more);
}

/* It runs for two slices, and nothing is done to it. */
void runs_alone(uint32_t id)
{
	int before;

	eventually(job_is(id) == RUNS);
	before = nevents;
	sleep_slices(2);
	assert_int_equal(nevents, before);
	assert_int_equal(job_is(id), RUNS);
}

void configure(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* OverSubscribe=FORCE:n, or NO. */
static _Atomic uint16_t shared;

/* The partition's nodes: the first so many. */
static _Atomic uint32_t wide;

static void parts(struct partitions *out)
{
	struct nodeset *nodes = nodeset_create(NODES);

	for (uint32_t node = 0; node < wide; node++)
		nodeset_set(nodes, node);
	*out = (struct partitions){ .nodes = NODES, .memory = true, .gang = true };
	out->v = calloc(1, sizeof(*out->v));
	out->v[0] = (struct partition){ .name = strdup("slice"),
					.nodes = nodes,
					.forced = shared > 1,
					.jobs = shared,
					.modest = true };
	out->n = 1;
	out->known = true;
}

void update_partition(uint16_t n)
{
	shared = n;
	part_changed = true;
}

void update_nodes(uint32_t n)
{
	wide = n;
	part_changed = true;
}

int start_with(const char *text)
{
	struct safety safety;

	configure(text);
	last_part_update = 0;
	memset(jobs, 0, sizeof(jobs));
	for (uint32_t id = 0; id < JOBS; id++)
		jobs[id].wants = nodeset_create(NODES);
	nevents = 0;
	nodeset_clear(down);
	is_reserved = crowded = slept_locked = planned_locked = hasty = false;
	planned = 0;
	asking = MIGRATE_ASKED;
	registered = true;
	shared = 3;
	wide = NODES;
	safety_look(&safety);
	return configure_read(bridge_get(), &safety) && agent_start() ? 0 : -1;
}

int start(void **state)
{
	(void)state;
	slurm_conf.sched_time_slice = 1;
	return start_with("PlanInterval=1\n");
}

int stop(void **state)
{
	(void)state;
	agent_stop();
	for (uint32_t id = 0; id < JOBS; id++) {
		nodeset_destroy(jobs[id].wants);
		nodeset_destroy(jobs[id].on);
	}
	assert_false(crowded);
	assert_false(hasty);
	assert_false(slept_locked);
	assert_false(planned_locked);
	assert_true(planned);
	return 0;
}

void lose(uint32_t node, bool lost)
{
	pthread_mutex_lock(&world);
	if (lost)
		nodeset_set(down, node);
	else
		nodeset_clear(down);
	pthread_mutex_unlock(&world);
}

int64_t told_first(uint32_t id)
{
	int64_t at;

	pthread_mutex_lock(&world);
	at = first_told[id];
	pthread_mutex_unlock(&world);
	return at;
}

void tell_anew(void)
{
	pthread_mutex_lock(&world);
	memset(first_told, 0, sizeof(first_told));
	pthread_mutex_unlock(&world);
}

int told_again(uint32_t id)
{
	int n;

	pthread_mutex_lock(&world);
	n = told[id];
	pthread_mutex_unlock(&world);
	return n;
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

int run_turns(const char *name, const struct CMUnitTest *tests, size_t n)
{
	log_options_t quiet = LOG_OPTS_STDERR_ONLY;

	quiet.stderr_level = getenv("PACT_TURNS_LOG") ? LOG_LEVEL_INFO : LOG_LEVEL_QUIET;
	log_init((char *)name, quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return _cmocka_run_group_tests(name, tests, n, begin_all, end_all);
}
