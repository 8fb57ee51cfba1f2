/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_bridge: the bridge's plan and its thread without slurmctld: snapshots are made up here, and what
 * slurmctld provides is played below. What takes a restart, a backup controller's second life or an
 * unlucky moment on a cluster is a few lines here. Compiled with the thread sanitizer where there is one.
 */
#include "slurm/compat.h"

#include "slurm/agent.h"
#include "slurm/bridge.h"
#include "slurm/launch.h"
#include "slurm/need.h"
#include "slurm/provision.h"
#include "slurm/publish.h"
#include "slurm/refusal.h"
#include "slurm/release.h"
#include "slurm/sync.h"
#include "testsuite/unit/seed.h"

#define NODES 4
#define TOKEN 77

/* ---- the part of slurmctld ---- */

slurmctld_config_t slurmctld_config;
diag_stats_t slurmctld_diag_stats;
time_t last_job_update, last_node_update, last_part_update, last_resv_update;
List part_list, job_list;
const slurmctld_lock_t launch_locks;

static pthread_mutex_t ctld = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int snapshots, errands, looks;

void lock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
	pthread_mutex_lock(&ctld);
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
	pthread_mutex_unlock(&ctld);
}

void schedule_job_save(void)
{
}

void schedule_node_save(void)
{
}

job_record_t *find_job_record(uint32_t id)
{
	(void)id;
	return NULL;
}

job_record_t *find_job_array_rec(uint32_t id, uint32_t task)
{
	(void)id, (void)task;
	return NULL;
}

bool test_job_array_finished(uint32_t id)
{
	(void)id;
	return true;
}

bool test_job_array_complete(uint32_t id)
{
	(void)id;
	return true;
}

uid_t *get_groups_members(char *names)
{
	(void)names;
	return NULL;
}

/* ---- parts of the bridge that look into slurmctld ---- */

void launch_try(struct launch *launch)
{
	launch->started = false;
}

void serve_configure(const struct serve_settings *settings)
{
	(void)settings;
}

void serve_use_munge(const char *path)
{
	(void)path;
}

void serve_start(void)
{
}

void serve_stop(void)
{
}

void launch_new_life(void)
{
}

bool launch_put_off(void)
{
	return false;
}

uint64_t snapshot_print(const job_record_t *job)
{
	(void)job;
	return 0;
}

void places_destroy(struct places *places)
{
	(void)places;
}

void safety_look(struct safety *out)
{
	looks++;
	*out = (struct safety){ .safe = true, .site = { .ending = 20, .guard = 60 } };
}

struct publication *publish_collect(struct bridge *b, const struct snapshot *snap)
{
	(void)snap;
	errands += (int)b->nerrands;
	b->nerrands = 0;
	return NULL;
}

int64_t publish_write(struct publication *pub)
{
	assert_null(pub);
	return 0;
}

/* Four idle nodes; names tells node tables apart. */
static struct snapshot *idle_machine(uint64_t names)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));

	snap->now = time(NULL);
	snap->nodes = NODES;
	snap->names = names;
	snap->down = nodeset_create(NODES);
	return snap;
}

/* What the thread sees; to be set while there is none. */
static struct snapshot *(*seen)(void);

struct snapshot *snapshot_take(void)
{
	struct snapshot *snap = seen ? seen() : idle_machine(1);

	snapshots++;
	return snap;
}

void snapshot_destroy(struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		nodeset_destroy(snap->jobs[i].nodes);
		free(snap->jobs[i].depends);
	}
	nodeset_destroy(snap->down);
	free(snap->jobs);
	free(snap);
}

/* ---- helpers ---- */

/* A pass's first half with this snapshot, which it takes over. */
static void apply(struct bridge *b, struct snapshot *snap)
{
	bool done;

	pthread_mutex_lock(&b->lock);
	b->epoch++;
	done = sync_apply(b, snap);
	sync_forget(b);
	pthread_mutex_unlock(&b->lock);
	snapshot_destroy(snap);
	assert_true(done);
}

/* One more job of a snapshot. */
static struct snap_job *add_numbered(struct snapshot *snap, uint32_t id, enum snap_state state,
				     struct nodeset *all)
{
	struct snap_job *j;

	snap->jobs = realloc(snap->jobs, (snap->njobs + 1) * sizeof(*snap->jobs));
	j = &snap->jobs[snap->njobs++];
	*j = (struct snap_job){ .job_id = id,
				.base_id = id,
				.task = NO_VAL,
				.state = state,
				.runnable = state == SNAP_PENDING,
				.submit = snap->now,
				.eligible = snap->now,
				.taken = snap->now,
				.token = { .id = TOKEN, .limit = 100 },
				.what = {
					.width = NODES, .limit = 100, .nalt = 1, .alt = { all } } };
	return j;
}

/* Job 7. */
static struct snap_job *add_job(struct snapshot *snap, enum snap_state state, struct nodeset *all)
{
	return add_numbered(snap, 7, state, all);
}

/* Admit a job of all nodes by a deadline, as admission.c does; its place is held under TOKEN. */
static void promise_from(struct bridge *b, uint64_t core, int64_t now, int64_t begin,
			 int64_t deadline, struct nodeset *all)
{
	struct sched_job job = { .id = core,
				 .submit = now,
				 .eligible = now,
				 .begin = begin,
				 .limit = 100,
				 .deadline = deadline,
				 .planned = -1,
				 .width = NODES,
				 .nalt = 1,
				 .alt = { all } };
	struct sched_decision decision;
	uint64_t *ids = malloc(sizeof(*ids));
	bool done;

	*ids = core;
	pthread_mutex_lock(&b->lock);
	done = bridge_event(b,
			    &(struct sched_event){
				    .type = EV_SUBMIT, .now = now, .jobs = &job, .njobs = 1 },
			    "a submission") &&
	       bridge_answer(b, core, &decision) &&
	       provision_add(b, TOKEN, true, bridge_shape(&job), ids, 1);
	pthread_mutex_unlock(&b->lock);
	assert_true(done);
}

static void promise(struct bridge *b, uint64_t core, int64_t now, int64_t deadline,
		    struct nodeset *all)
{
	promise_from(b, core, now, 0, deadline, all);
}

static struct bridge *fresh(void)
{
	struct bridge *b = bridge_get();
	struct safety safety;

	safety_look(&safety);
	b->nodes = 0;
	assert_true(bridge_configure(b, &safety));
	apply(b, idle_machine(1));
	assert_true(b->ready);
	return b;
}

/* What comes true while another thread works: within ten seconds, or the test fails. */
#define eventually(truth) \
	do { \
		struct timespec nap_ = { 0, 2000000 }; \
		for (int left_ = 5000; !(truth); left_--) { \
			if (!left_) \
				fail_msg("waited in vain: %s", #truth); \
			nanosleep(&nap_, NULL); \
		} \
	} while (0)

static size_t provisions(struct bridge *b)
{
	size_t n = 0;

	pthread_mutex_lock(&b->lock);
	for (const struct provision *p = b->provisions; p; p = p->next)
		n++;
	pthread_mutex_unlock(&b->lock);
	return n;
}

/* ---- tests ---- */

/*
 * The node table changes while a submission is between its answer and its record: the new plan has no
 * place for it, so nothing is promised until the record has come, or has been given up.
 */
static void test_homeless(void **state)
{
	struct nodeset *all = nodeset_create(NODES);

	(void)state;
	nodeset_fill(all);
	for (int comes = 0; comes < 2; comes++) {
		struct bridge *b = fresh();
		struct snapshot *snap = idle_machine(2);
		struct track *track;

		promise(b, ++b->next_core, snap->now, snap->now + 1000, all);
		apply(b, snap);
		assert_false(b->ready);
		assert_int_equal(provisions(b), 1);
		snap = idle_machine(2);
		if (comes) {
			struct snap_job *j = add_job(snap, SNAP_PENDING, all);

			j->token.deadline = j->what.deadline = snap->now + 1000;
		}
		apply(b, snap);
		assert_true(b->ready);
		assert_int_equal(provisions(b), 0);
		track = track_find(b, track_key(7, NO_VAL));
		assert_int_equal(track != NULL, comes);
		assert_true(!comes || track->promised);
	}
	nodeset_destroy(all);
}

/*
 * A promised job was started as late as a start may be, and slurmctld is started anew: its nodes are held
 * until its deadline, as before, and not for a whole guard behind its new end.
 */
static void test_late_start(void **state)
{
	struct bridge *b = fresh();
	struct nodeset *all = nodeset_create(NODES);
	const int64_t late[] = { 0, 1, 39, 40, 41, 60 };

	(void)state;
	nodeset_fill(all);
	assert_int_equal(b->conf->guard, 60);
	assert_int_equal(b->conf->lateness, 40);
	for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++) {
		struct snapshot *snap = idle_machine(10 + i); /* another: all is planned anew */
		struct snap_job *j = add_job(snap, SNAP_RUNNING, all);
		int64_t deadline = snap->now + 100 + 60;
		struct sched_view view;
		struct track *track;

		j->nodes = nodeset_dup(all);
		j->token.deadline = deadline;
		j->start = snap->now + late[i];
		j->end = j->start + 100;
		apply(b, snap);
		track = track_find(b, track_key(7, NO_VAL));
		assert_non_null(track);
		assert_int_equal(sched_view(b->core, track->core, &view), PACT_OK);
		assert_int_equal(view.end, late[i] <= 40 ? deadline : deadline + late[i] - 40);
	}
	nodeset_destroy(all);
}

/* Held and released while a snapshot is being looked at that shows it held: withdrawn once. */
static void test_withdrawn_once(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = fresh();
	uint64_t before = b->tally.withdrawn;
	job_record_t *record = calloc(1, sizeof(*record));
	struct snapshot *snap;
	struct snap_job *j;
	char *comment;

	(void)state;
	nodeset_fill(all);
	for (int held = 0; held < 2; held++) {
		snap = idle_machine(1);
		j = add_job(snap, SNAP_PENDING, all);
		j->token.deadline = j->what.deadline = snap->now + 1000;
		j->held = held;
		if (held) {
			comment = token_put(NULL, &j->token);
			record->job_id = j->job_id;
			record->admin_comment = xstrdup(comment);
			free(comment);
			release_note(b, record);
			assert_int_equal(b->tally.withdrawn, before + 1);
		}
		apply(b, snap);
	}
	assert_int_equal(b->tally.withdrawn, before + 1);
	assert_null(track_find(b, track_key(7, NO_VAL)));
	xfree(record->admin_comment);
	free(record);
	nodeset_destroy(all);
}

/* slurmctld restores dependencies and priorities after it has made the thread: not before these. */
static void test_first_pass(void **state)
{
	struct bridge *b = fresh();

	(void)state;
	snapshots = looks = 0;
	slurmctld_config.thread_id_rpc = 0;
	last_part_update = time(NULL) + 1000; /* it looks at the partitions in each round */
	assert_true(agent_start());
	eventually(looks > 5);
	assert_int_equal(snapshots, 0);
	agent_stop();
	last_part_update = 0;
	slurmctld_config.thread_id_rpc = pthread_self();
	assert_true(agent_start());
	eventually(snapshots > 0);
	agent_stop();
	assert_false(b->ready);
}

/* ---- what a promise needs ---- */

#define HOUR 3600

/* Job 8 is promised and waits for job 7, which has no promise; another job has the machine for an hour. */
struct chain {
	struct bridge *b;
	struct nodeset *all;
	int64_t now, start; /* of job 8, planned */
	uint32_t names;
	bool runs;     /* job 7 */
	int64_t limit; /* of a job of high priority that came later; 0: there is none */
	int64_t limit_of_7;
};

static struct snap_job *add_plain(struct snapshot *snap, struct chain *c, uint32_t id,
				  int64_t limit, int64_t priority)
{
	struct snap_job *j = add_numbered(snap, id, SNAP_PENDING, c->all);

	j->token = (struct token){ 0 };
	j->token_rc = TOKEN_NONE;
	j->what.limit = j->what.least = limit;
	j->priority = priority;
	j->submit = j->eligible = c->now;
	return j;
}

/* Job 8's record, if it has one, is the last; each of them has all nodes. */
static struct snapshot *chain_snapshot(struct chain *c, bool recorded)
{
	struct snapshot *snap = idle_machine(c->names);
	struct snap_job *j;

	snap->now = c->now;
	if (!c->runs) {
		j = add_numbered(snap, 5, SNAP_RUNNING, NULL);
		j->nodes = nodeset_dup(c->all);
		j->token = (struct token){ 0 };
		j->token_rc = TOKEN_NONE;
		j->start = c->now;
		j->end = c->now + HOUR;
	}
	j = add_plain(snap, c, 7, c->limit_of_7, 1);
	if (c->runs) {
		j->state = SNAP_RUNNING;
		j->nodes = nodeset_dup(c->all);
		j->start = c->now;
		j->end = c->now + c->limit_of_7;
	}
	if (c->limit)
		add_plain(snap, c, 9, c->limit, 5);
	if (!recorded)
		return snap;
	j = add_numbered(snap, 8, SNAP_PENDING, c->all);
	j->submit = j->eligible = c->now;
	j->start = c->start;
	j->runnable = false;
	j->dependent = true;
	j->depends = calloc(1, sizeof(*j->depends));
	j->depends[0] = (struct snap_depend){ .base_id = 7, .task = NO_VAL };
	j->ndepends = 1;
	j->token.deadline = j->what.deadline = c->start + 3 * HOUR;
	return snap;
}

/* A pass, in which nothing can start. */
static void chain_pass(struct chain *c, bool recorded)
{
	struct sched_event time_ev = { .type = EV_TIME, .now = c->now };
	struct sched_action action;

	apply(c->b, chain_snapshot(c, recorded));
	assert_true(bridge_event(c->b, &time_ev, "time"));
	while (sched_next(c->b->core, &action))
		assert_int_not_equal(action.type, ACT_START);
}

static struct sched_view chain_view(struct chain *c, uint32_t id)
{
	struct track *track = track_find(c->b, track_key(id, NO_VAL));
	struct sched_view view;

	assert_non_null(track);
	assert_int_equal(sched_view(c->b->core, track->core, &view), PACT_OK);
	return view;
}

/* Accepted behind job 7, and no snapshot has the record yet. */
static void chain_open(struct chain *c)
{
	struct depend_set on = { .n = 1, .on = { { .base_id = 7, .task = NO_VAL } } };
	struct sched_view view;
	uint32_t who = 1;
	uint64_t core;

	*c = (struct chain){ .b = fresh(),
			     .all = nodeset_create(NODES),
			     .now = time(NULL),
			     .names = 1,
			     .limit_of_7 = HOUR };
	nodeset_fill(c->all);
	chain_pass(c, false);
	c->start = depend_known(c->b, &on.on[0]);
	assert_true(c->start > chain_view(c, 7).end && c->start < PACT_FOREVER);
	core = ++c->b->next_core;
	promise_from(c->b, core, c->now, c->start, c->start + 3 * HOUR, c->all);
	assert_int_equal(sched_view(c->b->core, core, &view), PACT_OK);
	assert_int_equal(view.start, c->start);
	assert_int_equal(c->b->nneeds, 0);
	assert_true(need_note(c->b, &core, 1, &on));
	assert_int_equal(c->b->nneeds, 1);
	assert_int_equal(need_ask(c->b, 7, NO_VAL, &who), c->start);
	assert_int_equal(who, 0);
	assert_int_equal(need_ask(c->b, 6, NO_VAL, &who), PACT_FOREVER);
}

/* Its promise stands, and what it needs is known by its name. */
static void chain_stands(struct chain *c)
{
	struct sched_view seven = chain_view(c, 7), eight = chain_view(c, 8);
	uint32_t who = 0;

	assert_true(eight.promised && !eight.broken && eight.end <= c->start + 3 * HOUR);
	assert_true(seven.end <= eight.start);
	assert_int_equal(need_ask(c->b, 7, NO_VAL, &who), eight.start);
	assert_int_equal(who, 8);
}

static void chain_close(struct chain *c)
{
	apply(c->b, idle_machine(c->names));
	apply(c->b, idle_machine(c->names));
	assert_int_equal(c->b->nneeds, 0);
	nodeset_destroy(c->all);
}

/* Whoever comes later goes before job 7 by its priority, as far as that costs job 8 nothing. */
static void test_needed_and_newcomer(void **state)
{
	const int64_t limits[] = { HOUR, 20 * HOUR, 30 * HOUR, 300 * HOUR };
	struct chain c;

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		chain_open(&c);
		c.limit = limits[i];
		for (int pass = 0; pass < 3; pass++) {
			chain_pass(&c, true);
			if (pass)
				chain_stands(&c);
		}
		assert_int_equal(chain_view(&c, 9).start < chain_view(&c, 7).start,
				 limits[i] < 24 * HOUR - 2 * HOUR);
		chain_close(&c);
	}
}

/* Job 7 runs, and is requeued: it must end by the same time as before. */
static void test_needed_and_requeue(void **state)
{
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	chain_stands(&c);
	c.runs = true;
	for (int pass = 0; pass < 2; pass++)
		chain_pass(&c, true);
	chain_stands(&c);
	c.start = chain_view(&c, 8).start;
	c.runs = false; /* in the meantime another job has its nodes */
	for (int pass = 0; pass < 4; pass++) {
		struct sched_view eight;

		chain_pass(&c, true);
		eight = chain_view(&c, 8);
		assert_true(eight.promised && !eight.broken);
	}
	chain_stands(&c);
	chain_close(&c);
}

/* slurmctld is started anew: the bound follows from the records. */
static void test_needed_and_restart(void **state)
{
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	c.names = 2; /* all is planned anew */
	c.limit = 300 * HOUR;
	for (int pass = 0; pass < 3; pass++)
		chain_pass(&c, true);
	chain_stands(&c);
	chain_close(&c);
}

/* A job that can no longer be in time for one that is late anyway is bound by nothing. */
static void test_needed_and_broken(void **state)
{
	uint32_t who;
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	c.limit_of_7 = 300 * HOUR; /* by an administrator, past all plugins */
	for (int pass = 0; pass < 3; pass++)
		chain_pass(&c, true);
	assert_true(chain_view(&c, 8).broken);
	assert_false(chain_view(&c, 7).promised);
	assert_int_equal(need_ask(c.b, 7, NO_VAL, &who), PACT_FOREVER);
	chain_close(&c);
}

/* Job 7 runs on two nodes, the first and the second or the third and the fourth. */
static struct snapshot *runs_on(uint32_t first)
{
	struct snapshot *snap = idle_machine(1);
	struct snap_job *j = add_job(snap, SNAP_RUNNING, NULL);

	j->nodes = nodeset_create(NODES);
	nodeset_set(j->nodes, first);
	nodeset_set(j->nodes, first + 1);
	j->start = snap->now;
	j->end = snap->now + 100;
	return snap;
}

static struct snapshot *runs_elsewhere(void)
{
	return runs_on(2);
}

/* When could a job have the first and the second node? */
static int64_t free_from(struct bridge *b, int64_t now)
{
	struct nodeset *pair = nodeset_create(NODES);
	struct sched_job job = { .id = ++b->next_core,
				 .submit = now,
				 .limit = 10,
				 .deadline = now + 10000,
				 .planned = -1,
				 .width = 2,
				 .nalt = 1,
				 .alt = { pair } };
	struct sched_decision decision;

	nodeset_set(pair, 0);
	nodeset_set(pair, 1);
	assert_int_equal(sched_ask(b->core, now, &job, 1, &decision), PACT_OK);
	assert_int_equal(decision.reason, REFUSE_NONE);
	nodeset_destroy(pair);
	return decision.start;
}

/*
 * A backup controller takes over, hands back, takes over again, in one process. In between the primary
 * has started job 7 on other nodes, and whatever was to be written into records is out of date.
 */
static void test_second_life(void **state)
{
	struct token stale = { .id = TOKEN, .deadline = 1, .limit = 1 };
	struct bridge *b = fresh();
	struct snapshot *snap = runs_on(0);
	int64_t now = snap->now;

	(void)state;
	slurmctld_config.thread_id_rpc = pthread_self();
	apply(b, snap);
	assert_true(free_from(b, now) > now);
	bridge_errand(b, 7, &stale, false, "from the first life");
	snapshots = errands = 0;
	seen = runs_elsewhere;
	assert_true(agent_start());
	assert_false(agent_start());
	eventually(snapshots > 0);
	agent_stop();
	seen = NULL;
	assert_false(b->attached);
	assert_int_equal(errands, 0);
	now = b->latest;
	assert_int_equal(free_from(b, now), now);
}

static void *submission(void *arg)
{
	struct bridge *b = bridge_get();

	b->waiting++;
	pthread_mutex_lock(&b->lock);
	b->waiting--;
	provision_add(b, provision_token(b), true, 1, calloc(1, sizeof(uint64_t)), 0);
	pthread_mutex_unlock(&b->lock);
	return arg;
}

/* RPCs come and end while passes are made: each holds its place until it ends, and no longer. */
static void test_submissions(void **state)
{
	struct bridge *b = fresh();
	pthread_t thread[20];

	(void)state;
	slurmctld_config.thread_id_rpc = pthread_self();
	snapshots = 0;
	assert_true(agent_start());
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, submission, NULL), 0);
		agent_reconfigure();
		for (int i = 0; i < 20; i++)
			pthread_join(thread[i], NULL);
		eventually((agent_reconfigure(), provisions(b) == 0));
	}
	/* This thread goes on: its place stays. */
	submission(NULL);
	snapshots = 0;
	eventually((agent_reconfigure(), snapshots > 2));
	assert_int_equal(provisions(b), 1);
	agent_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_homeless),
		cmocka_unit_test(test_late_start),
		cmocka_unit_test(test_withdrawn_once),
		cmocka_unit_test(test_needed_and_newcomer),
		cmocka_unit_test(test_needed_and_requeue),
		cmocka_unit_test(test_needed_and_restart),
		cmocka_unit_test(test_needed_and_broken),
		cmocka_unit_test(test_first_pass),
		cmocka_unit_test(test_second_life),
		cmocka_unit_test(test_submissions),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_bridge", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return seed_run("test_bridge", tests);
}
