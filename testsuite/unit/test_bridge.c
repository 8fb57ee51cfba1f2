/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_bridge: the bridge's plan and its thread without slurmctld: snapshots are made up here, and what
 * slurmctld provides is played in ctld.c. What takes a restart, a backup controller's second life or an
 * unlucky moment on a cluster is a few lines here. Compiled with the thread sanitizer where there is one.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/agent.h"
#include "slurm/queries/query_row.h"
#include "slurm/base/meter.h"
#include "slurm/state/last_plan.h"
#include "slurm/state/bridge.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/promise/release.h"
#include "slurm/sync/sync.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"
#include "slurm/state/poke.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

/* ---- helpers ---- */

#define eventually(truth) eventually_within(10, truth)

static size_t count_unconfirmed(struct bridge *b)
{
	size_t n = 0;

	pthread_mutex_lock(&b->lock);
	for (const struct unconfirmed *p = b->unconfirmed; p; p = p->next)
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
		struct bridge *b = played_bridge();
		struct snapshot *snap = ctld_idle(2);
		struct track *track;

		played_promise(b, ++b->next_core, snap->now, 0, snap->now + 1000, all);
		played_pass(b, snap);
		assert_false(b->ready);
		assert_int_equal(count_unconfirmed(b), 1);
		snap = ctld_idle(2);
		if (comes) {
			struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);

			j->token.deadline = j->what.deadline = snap->now + 1000;
		}
		played_pass(b, snap);
		assert_true(b->ready);
		assert_int_equal(count_unconfirmed(b), 0);
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
	struct bridge *b = played_bridge();
	struct nodeset *all = nodeset_create(NODES);
	const int64_t late[] = { 0, 1, 39, 40, 41, 60 };

	(void)state;
	nodeset_fill(all);
	assert_int_equal(b->conf->sched.guard, 60);
	assert_int_equal(b->conf->sched.lateness, 40);
	for (size_t i = 0; i < sizeof(late) / sizeof(*late); i++)
		assert_int_equal(played_late(b, 10 + i, late[i], false, all),
				 late[i] <= 40 ? 0 : late[i] - 40);
	nodeset_destroy(all);
}

/*
 * A promised job woke its nodes: its limit counts from then on, and what the guard had for that is used
 * up, so that its nodes are held until its deadline, as before. While they wake, its end may yet move.
 */
static void test_woken(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	const struct {
		bool waking;
		int64_t late, beyond; /* of its start; of what is held, beyond its deadline */
	} cases[] = { { true, 0, 0 },	 { true, 25, 0 },  { true, 26, 1 },  { false, 0, -15 },
		      { false, 10, -5 }, { false, 15, 0 }, { false, 40, 0 }, { false, 41, 1 } };
	struct bridge *b;

	(void)state;
	ctld_site.waking = 15;
	b = played_bridge();
	ctld_site.waking = 0;
	nodeset_fill(all);
	assert_int_equal(b->conf->sched.lateness, 25);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(played_late(b, 10 + i, cases[i].late, cases[i].waking, all),
				 cases[i].beyond);
	nodeset_destroy(all);
}

/* Held and released while a snapshot is being looked at that shows it held: withdrawn once. */
static void test_withdrawn_once(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();
	uint64_t before = b->tally.withdrawn;
	job_record_t *record = calloc(1, sizeof(*record));
	struct snapshot *snap;
	struct snap_job *j;
	char *comment;

	(void)state;
	nodeset_fill(all);
	for (int held = 0; held < 2; held++) {
		snap = ctld_idle(1);
		j = played_job(snap, 7, SNAP_PENDING, all);
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
		played_pass(b, snap);
	}
	assert_int_equal(b->tally.withdrawn, before + 1);
	assert_null(track_find(b, track_key(7, NO_VAL)));
	xfree(record->admin_comment);
	free(record);
	nodeset_destroy(all);
}

/*
 * Released and promised again, but the record was changed before it could show that (publish.c): the
 * promise was never made, and the next pass decides about the job as it is then.
 */
static void test_unmade(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();
	uint64_t before = b->tally.accepted;
	const char *how;

	(void)state;
	nodeset_fill(all);
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);
		struct track *track;

		j->token.state = TOKEN_WITHDRAWN;
		j->token.deadline = j->what.deadline = snap->now + 1000;
		j->what.part[0] = "batch";
		/* In the last, its limit is longer than the deadline allows. */
		j->what.limit = j->what.least = pass < 2 ? 100 + pass : 5000;
		j->print = 1 + pass;
		b->nupdates = 0;
		played_pass(b, snap);
		track = track_find(b, track_key(7, NO_VAL));
		assert_non_null(track);
		assert_int_equal(track->promised, pass < 2);
		assert_int_equal(b->nupdates, 1);
		assert_int_equal(b->updates[0].token.state,
				 pass < 2 ? TOKEN_PROMISED : TOKEN_WITHDRAWN);
		assert_int_equal(b->updates[0].print, 1 + pass);
		/* It counts as accepted when its record says so. */
		how = b->updates[0].books.how;
		assert_string_equal(how ? how : "", pass < 2 ? "accepted" : "");
		assert_int_equal(b->tally.accepted, before);
	}
	b->nupdates = 0;
	played_pass(b, ctld_idle(1));
	nodeset_destroy(all);
}

/* What was not promised again is no acceptance to take back: it was held, and has another deadline. */
static void test_redated(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();
	uint64_t accepted = b->tally.accepted, withdrawn = b->tally.withdrawn;

	(void)state;
	nodeset_fill(all);
	/* That it was held comes by with the change, or (its lock was not to be had) does not. */
	for (int noted = 0; noted < 2; noted++)
		for (int pass = 0; pass < 3; pass++) {
			struct snapshot *snap = ctld_idle(1);
			struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);
			job_record_t *record = calloc(1, sizeof(*record));
			job_desc_msg_t change;
			char *comment;

			j->token.deadline = j->what.deadline = snap->now + 1000 + pass;
			j->what.part[0] = "batch";
			comment = token_put(NULL, &j->token);
			record->job_id = j->job_id;
			record->admin_comment = xstrdup(comment);
			free(comment);
			slurm_init_job_desc_msg(&change);
			assert_false(release_unseen(&change, record));
			change.deadline = j->what.deadline;
			assert_true(release_unseen(&change, record));
			if (noted && pass == 1)
				release_note(b, record);
			xfree(record->admin_comment);
			free(record);
			j->held = pass == 1;
			j->token.state = pass == 1 ? TOKEN_WITHDRAWN : TOKEN_PROMISED;
			b->nupdates = 0;
			played_pass(b, snap);
			assert_int_equal(b->nupdates, 0);
			assert_int_equal(b->tally.accepted, accepted);
			assert_int_equal(b->tally.withdrawn, withdrawn + (noted && pass));
			assert_int_equal(track_find(b, track_key(7, NO_VAL)) != NULL, pass != 1);
		}
	played_pass(b, ctld_idle(1));
	nodeset_destroy(all);
}

/* Promised again and started in one pass: a task that has left its array before that was told has it told. */
static void test_left_early(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();
	int64_t deadline = time(NULL) + 1000;

	(void)state;
	nodeset_fill(all);
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7, pass ? SNAP_RUNNING : SNAP_PENDING, all);
		struct track *track;

		j->token.state = pass < 2 ? TOKEN_WITHDRAWN : TOKEN_PROMISED;
		j->token.deadline = j->what.deadline = deadline;
		j->what.part[0] = "batch";
		j->nodes = pass ? nodeset_dup(all) : NULL;
		j->start = pass ? snap->now : 0;
		j->end = pass ? snap->now + 100 : 0;
		b->nupdates = 0;
		played_pass(b, snap);
		track = track_find(b, track_key(7, NO_VAL));
		assert_non_null(track);
		assert_true(track->promised);
		assert_int_equal(track->token.state, TOKEN_PROMISED);
		assert_int_equal(b->nupdates, pass < 2);
		if (pass < 2) {
			assert_int_equal(b->updates[0].seen.state, TOKEN_WITHDRAWN);
			assert_int_equal(b->updates[0].token.state, TOKEN_PROMISED);
			assert_true(b->updates[0].terms);
		}
	}
	b->nupdates = 0;
	played_pass(b, ctld_idle(1));
	nodeset_destroy(all);
}

/* No job is promised anything again where no job would be promised anything. */
static void test_no_readmission(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();

	(void)state;
	nodeset_fill(all);
	for (int round = 0; round < 4; round++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);
		struct track *track;

		b->named = round & 1;
		b->alone = !(round & 2);
		j->token.state = TOKEN_WITHDRAWN;
		j->token.deadline = j->what.deadline = snap->now + 1000;
		j->what.part[0] = "batch";
		played_pass(b, snap);
		track = track_find(b, track_key(7, NO_VAL));
		assert_non_null(track);
		assert_int_equal(track->promised, round == 3);
		b->nupdates = 0;
		played_pass(b, ctld_idle(1));
	}
	nodeset_destroy(all);
}

/*
 * slurmctld restores dependencies and priorities after it has made the thread: not before these.  A backup
 * controller that takes over has taken calls on standby.
 */
static void test_first_pass(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	ctld_snapshots = ctld_looks = 0;
	play_rpc_thread();
	slurmctld_config.thread_id_save = 0;
	last_part_update = time(NULL) + 1000; /* it looks at the partitions in each round */
	assert_true(agent_start());
	eventually(ctld_looks > 5);
	assert_int_equal(ctld_snapshots, 0);
	agent_stop();
	last_part_update = 0;
	slurmctld_config.thread_id_save = pthread_self();
	assert_true(agent_start());
	eventually(ctld_snapshots > 0);
	agent_stop();
	assert_false(b->ready);
}

/* Job 7 runs on two nodes, the first and the second or the third and the fourth. */
static struct snapshot *runs_on(uint32_t first)
{
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j = played_job(snap, 7, SNAP_RUNNING, NULL);

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

/* Job 7 runs (late 0), or Slurm ended it so late behind its limit and its nodes are cleaned up. */
static struct snapshot *ended(int64_t start, int64_t late)
{
	struct snapshot *snap = runs_on(0);
	struct snap_job *j = &snap->jobs[0];

	j->token = (struct token){ 0 };
	j->token_rc = TOKEN_NONE;
	j->ending = late != 0;
	j->start = start;
	j->end = start + 100 + late;
	return snap;
}

/*
 * A job that runs into its limit ends a little later. That is what the guard is for: it does not begin
 * anew. With a longer limit it does.
 */
static void test_ended_late(void **state)
{
	struct bridge *b = played_bridge();
	int64_t start = time(NULL), guard;
	struct snapshot *snap;

	(void)state;
	played_pass(b, ended(start, 0));
	guard = b->conf->sched.guard;
	assert_true(guard > 17);
	assert_int_equal(free_from(b, b->latest), start + 100 + guard);
	snap = ended(start, 50);
	snap->jobs[0].ending = false;
	played_pass(b, snap);
	assert_int_equal(free_from(b, b->latest), start + 150 + guard);
	played_pass(b, ended(start, 0));
	played_pass(b, ended(start, 17));
	assert_int_equal(free_from(b, b->latest), start + 100 + guard);
	/* nor when one of its nodes is clean before the other */
	snap = ended(start, 17);
	nodeset_unset(snap->jobs[0].nodes, 1);
	played_pass(b, snap);
	assert_int_equal(free_from(b, b->latest), start + 100 + guard);
	/* but one that ends early is done sooner */
	played_pass(b, ended(start, -60));
	assert_int_equal(free_from(b, b->latest), start + 40 + guard);
	played_pass(b, ctld_idle(1));
}

/* Its nodes are cleaned up for longer than the guard: they are never planned free in the past. */
static void test_ended_overdue(void **state)
{
	struct bridge *b = played_bridge();
	int64_t start = time(NULL) - 100 - b->conf->sched.guard - 20;

	(void)state;
	for (int pass = 0; pass < 4; pass++) {
		struct snapshot *snap = ended(start, pass ? 17 : 0);

		if (pass == 3)
			nodeset_unset(snap->jobs[0].nodes, 1);
		played_pass(b, snap);
		assert_true(free_from(b, b->latest) > b->latest);
	}
	played_pass(b, ctld_idle(1));
	assert_int_equal(free_from(b, b->latest), b->latest);
}

/*
 * A backup controller takes over, hands back, takes over again, in one process. In between the primary
 * has started job 7 on other nodes, and whatever was to be written into records is out of date.
 */
static void test_second_life(void **state)
{
	struct token token = { .id = PLAYED_TOKEN, .deadline = 1, .limit = 1 };
	struct record_update stale = { .job_id = 7, .seen = token, .token = token };
	struct bridge *b = played_bridge();
	struct snapshot *snap = runs_on(0);
	int64_t now = snap->now;

	(void)state;
	slurmctld_config.thread_id_save = pthread_self();
	played_pass(b, snap);
	assert_true(free_from(b, now) > now);
	updates_add(b, &stale);
	ctld_snapshots = ctld_updates = 0;
	ctld_seen = runs_elsewhere;
	assert_true(agent_start());
	assert_false(agent_start());
	eventually(ctld_snapshots > 0);
	agent_stop();
	ctld_seen = NULL;
	assert_false(b->attached);
	assert_int_equal(ctld_updates, 0);
	now = b->latest;
	assert_int_equal(free_from(b, now), now);
}

/* The first one takes a while to be taken, and meanwhile a record changes: it need not show that. */
static struct snapshot *taken_slowly(void)
{
	struct snapshot *snap = ctld_idle(1);

	if (ctld_snapshots)
		return snap;
	snap->since = snap->now - 5;
	last_job_update = snap->now - 2;
	return snap;
}

static void test_since(void **state)
{
	(void)state;
	played_bridge();
	slurmctld_config.thread_id_save = pthread_self();
	ctld_snapshots = 0;
	ctld_seen = taken_slowly;
	assert_true(agent_start());
	eventually_within(20, ctld_snapshots > 1); /* PlanInterval is longer */
	agent_stop();
	ctld_seen = NULL;
	last_job_update = 0;
}

/*
 * A federation switches scheduling off and on, without touching any record: no pass is made meanwhile, and
 * the plan of before answers nobody.
 */
static void test_switched_off(void **state)
{
	struct bridge *b = played_bridge();
	struct last_plan *last;
	char why[320];
	bool refuses;
	int before;

	(void)state;
	slurmctld_config.thread_id_save = pthread_self();
	ctld_snapshots = 0;
	assert_true(agent_start());
	eventually(last = last_plan_get());
	last_plan_put(last);
	ctld_switched_off = true;
	eventually(!(last = last_plan_get()) || (last_plan_put(last), false));
	assert_non_null(strstr(last_plan_none(), "no_backup_scheduling"));
	pthread_mutex_lock(&b->lock);
	refuses = bridge_refuses(b, why, sizeof(why));
	assert_false(b->ready);
	pthread_mutex_unlock(&b->lock);
	assert_true(refuses);
	assert_non_null(strstr(why, SAFETY_SWITCHED_OFF));
	/* Rounds go by, and records change. */
	before = ctld_snapshots;
	ctld_looks = 0;
	eventually((poke_to_reread(), ctld_looks > 3));
	assert_int_equal(ctld_snapshots, before);
	ctld_switched_off = false;
	eventually(last = last_plan_get());
	last_plan_put(last);
	assert_string_equal(last_plan_none(), "there is no plan yet");
	pthread_mutex_lock(&b->lock);
	refuses = bridge_refuses(b, why, sizeof(why));
	assert_true(b->ready);
	pthread_mutex_unlock(&b->lock);
	assert_false(refuses);
	assert_string_equal(why, "");
	agent_stop();
}

/* How many RPCs slurmctld serves. */
static void served(int more)
{
	slurm_mutex_lock(&slurmctld_config.thread_count_lock);
	slurmctld_config.server_thread_count += more;
	slurm_mutex_unlock(&slurmctld_config.thread_count_lock);
}

static void *submission(void *arg)
{
	struct bridge *b = bridge_get();

	b->waiting++;
	pthread_mutex_lock(&b->lock);
	b->waiting--;
	unconfirmed_add(b, unconfirmed_token(b), true, 1, calloc(1, sizeof(uint64_t)), 0);
	pthread_mutex_unlock(&b->lock);
	return arg;
}

static void *whole_submission(void *arg)
{
	served(1);
	submission(arg);
	served(-1);
	return arg;
}

/* Accepted, and then turned down by Slurm, which leaves a record that failed: no promise was broken. */
static void test_refused_then(void **state)
{
	struct nodeset *all = nodeset_create(NODES);
	struct bridge *b = played_bridge();
	struct tally before = b->tally;
	struct snapshot *snap;
	struct snap_job *j;

	(void)state;
	nodeset_fill(all);
	b->tally.accepted += 2;
	played_promises(b, 7000, 2, time(NULL), 0, time(NULL) + 1000, all);
	snap = ctld_idle(1);
	j = played_job(snap, 7, SNAP_ENDED, all);
	j->how = SNAP_REFUSED;
	j->token.deadline = snap->now + 1000;
	j->end = snap->now;
	b->nupdates = 0;
	played_pass(b, snap);
	assert_int_equal(count_unconfirmed(b), 0);
	assert_null(track_find(b, track_key(7, NO_VAL)));
	assert_int_equal(b->tally.accepted, before.accepted);
	assert_int_equal(b->tally.broken, before.broken);
	assert_int_equal(b->nupdates, 1);
	assert_string_equal(b->updates[0].token.ended, "void");
	assert_null(b->updates[0].books.how);
	b->nupdates = 0;
	nodeset_destroy(all);
}

/* Jobs 7, 8 and 9 have all nodes, in turn; they have run for so long, and whose turn it is is not suspended. */
static struct snapshot *in_turn(int64_t began, int64_t after, const int64_t ran[3], int turn)
{
	struct snapshot *snap = ctld_idle(1);

	snap->now = began + after;
	for (int i = 0; i < 3; i++) {
		struct snap_job *j = played_job(snap, (uint32_t)(7 + i), SNAP_RUNNING, NULL);

		j->token = (struct token){ 0 };
		j->token_rc = TOKEN_NONE;
		j->nodes = nodeset_create(NODES);
		nodeset_fill(j->nodes);
		j->submit = began + i;
		j->start = began;
		j->end = began + 100000;
		j->slices = true;
		j->suspended = i != turn;
		j->switched = snap->now;
		j->runtime = ran[i];
	}
	return snap;
}

/* A pass with this snapshot, and its plan; last_plan_put() it. */
static struct last_plan *looked_at(struct bridge *b, struct snapshot *snap)
{
	struct last_plan *last;

	pthread_mutex_lock(&b->lock);
	b->epoch++;
	assert_true(sync_apply(b, snap));
	sync_forget(b);
	slices_look(b, snap);
	last = last_plan_make(b, snap);
	pthread_mutex_unlock(&b->lock);
	last_plan_show(last, snap);
	return last_plan_get();
}

/* A promise of more nodes than the job's width, of which its record tells: others were made for what these leave. */
static void test_wide_promise(void **state)
{
	struct bridge *b = played_bridge();
	struct snapshot *snap = ctld_idle(1);
	struct nodeset *all = nodeset_create(NODES);
	struct sched_view view;
	struct snap_job *j;

	(void)state;
	pthread_mutex_lock(&b->lock);
	b->conf->sched.loans = LOANS_UNIFORM;
	b->recompose = true;
	pthread_mutex_unlock(&b->lock);
	nodeset_fill(all);
	j = played_job(snap, 7, SNAP_PENDING, all);
	j->what.width = 1;
	j->what.most = NODES;
	j->what.malleable = true;
	j->token.deadline = snap->now + 5000;
	j->token.own = 3;
	played_pass(b, snap);
	assert_int_equal(sched_view(b->core, track_find(b, track_key(7, NO_VAL))->core, &view),
			 PACT_OK);
	assert_true(view.promised);
	assert_int_equal(view.width, 3);
	pthread_mutex_lock(&b->lock);
	b->conf->sched.loans = LOANS_NONE;
	b->recompose = true;
	pthread_mutex_unlock(&b->lock);
	nodeset_destroy(all);
	(void)played_bridge();
}

/* What jobs that take turns got is compared with what they were due in the same time, from the first look on. */
static void test_slices(void **state)
{
	struct bridge *b = played_bridge();
	const struct slices_account *a;
	int64_t began = time(NULL) - 1000;
	struct last_plan *last;

	(void)state;
	pthread_mutex_lock(&b->lock);
	free(b->schedulers);
	b->schedulers = strdup("mbgs");
	b->recompose = b->slices = true;
	b->conf->sched.rows = 4;
	pthread_mutex_unlock(&b->lock);
	for (int look = 0; look < 3; look++) {
		const int64_t ran[3] = { 10, 5 + 30 * look, 20 * look };

		last = looked_at(b, in_turn(began, 100 * look, ran, 1));
		assert_int_equal(last->nmatrices, 1);
		assert_int_equal(last->matrix[0].rows, 4);
		assert_int_equal(last->matrix[0].domain, -1);
		assert_string_equal(last->matrix[0].scheduler, "mbgs");
		assert_int_equal(nodeset_count(last->matrix[0].nodes), NODES);
		assert_int_equal(last->nrows, 3);
		for (size_t i = 0; i < 3; i++) {
			assert_int_equal(slices_rows(last->rows[i].view.turns.in), 1);
			assert_null(last->rows[i].view.turns.nodes);
			assert_int_equal(last->rows[i].ranges, 0);
			assert_int_equal(last->rows[i].stopped, i == 1 ? 0 : began + 100 * look);
		}
		last_plan_put(last);
	}
	a = &track_find(b, track_key(7, NO_VAL))->account;
	assert_true(slices_got(a) == 0 && slices_due(a) == 250000);
	a = &track_find(b, track_key(8, NO_VAL))->account;
	assert_true(slices_got(a) == 300000 && slices_due(a) == 250000);
	assert_int_equal(a->until - a->since, 200);
	a = &track_find(b, track_key(9, NO_VAL))->account;
	assert_true(slices_got(a) == 200000 && slices_due(a) == 250000);
	pthread_mutex_lock(&b->lock);
	free(b->schedulers);
	b->schedulers = NULL;
	b->recompose = true;
	b->slices = false;
	pthread_mutex_unlock(&b->lock);
	(void)played_bridge();
}

static void told(const struct last_plan_row *row, const char *text)
{
	json_object *turns = query_turns(row);

	assert_string_equal(json_object_to_json_string_ext(turns, JSON_C_TO_STRING_PLAIN), text);
	json_object_put(turns);
}

/* A job's turns as answers have them. */
static void test_turns_told(void **state)
{
	struct snap_job j = { .state = SNAP_RUNNING, .slices = true };
	struct last_plan_row row = {
		.job = &j,
		.planned = true,
		.view.turns = { .rows = 4, .in = 5, .home = 2, .next = 77 },
		.account = { .since = 10, .until = 50, .got = 10, .due = 80, .rows = 4 },
		.stopped = 40
	};

	(void)state;
	told(&row, "{\"of\":4,\"rows\":[0,2],\"home\":2,\"share\":500000,\"next\":77,\"since\":10,"
		   "\"got\":250000,\"due\":500000,\"stopped\":40}");
	j.by_hand = true;
	told(&row,
	     "{\"of\":4,\"rows\":[0,2],\"home\":2,\"share\":500000,\"since\":10,\"got\":250000,"
	     "\"due\":500000,\"stopped\":40,\"by_hand\":true}");
	/* set aside, for a promised job or for want of a row */
	j.by_hand = false;
	row.account.since = 0;
	row.view.turns = (struct sched_turns){ .rows = 4, .next = PACT_FOREVER };
	row.view.aside = 99;
	told(&row,
	     "{\"of\":4,\"rows\":[],\"aside\":true,\"aside_until\":99,\"share\":0,\"stopped\":40}");
	row.view.aside = 0;
	row.view.turns.aside = true;
	told(&row, "{\"of\":4,\"rows\":[],\"aside\":true,\"share\":0,\"stopped\":40}");
	/* it waits; or there are no turns where it is */
	row.view.turns = (struct sched_turns){ .rows = 4, .whole = true };
	row.stopped = 0;
	j.state = SNAP_PENDING;
	told(&row, "{\"of\":4,\"rows\":[],\"whole\":true,\"share\":0}");
	row.view.turns.rows = 0;
	assert_null(query_turns(&row));
	row.planned = false;
	assert_null(query_turns(&row));
}

/* A switch is what is done to jobs from one turn to the last that follows; where nothing was done there was none. */
static void test_switches(void **state)
{
	struct bridge *b = played_bridge();
	struct slices before = b->slicing;
	struct meter_reading was, is;

	(void)state;
	meter_read(METER_SWITCH, &was);
	slices_turn(b, true, true);
	slices_turn(b, true, false);
	slices_turn(b, false, true);
	slices_switched(b);
	slices_switched(b);
	slices_turn(b, false, false);
	slices_switched(b);
	slices_repeated(b, 5);
	meter_read(METER_SWITCH, &is);
	assert_int_equal(is.n - was.n, 1);
	assert_int_equal(b->slicing.switches - before.switches, 1);
	assert_int_equal(b->slicing.suspended - before.suspended, 1);
	assert_int_equal(b->slicing.resumed - before.resumed, 1);
	assert_int_equal(b->slicing.refused - before.refused, 2);
	assert_int_equal(b->slicing.repeated - before.repeated, 5);
}

/* RPCs come and end while passes are made: each holds its place until it ends, and no longer. */
static void test_submissions(void **state)
{
	struct bridge *b = played_bridge();
	pthread_t thread[20];

	(void)state;
	slurmctld_config.thread_id_save = pthread_self();
	ctld_snapshots = 0;
	assert_true(agent_start());
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, whole_submission, NULL),
					 0);
		poke_to_reread();
		for (int i = 0; i < 20; i++)
			pthread_join(thread[i], NULL);
		eventually((poke_to_reread(), count_unconfirmed(b) == 0));
	}
	/* This thread goes on, and its RPC with it: its place stays. */
	served(1);
	submission(NULL);
	ctld_snapshots = 0;
	eventually((poke_to_reread(), ctld_snapshots > 2));
	assert_int_equal(count_unconfirmed(b), 1);
	agent_stop();
	served(-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_homeless),       cmocka_unit_test(test_late_start),
		cmocka_unit_test(test_woken),	       cmocka_unit_test(test_withdrawn_once),
		cmocka_unit_test(test_first_pass),     cmocka_unit_test(test_second_life),
		cmocka_unit_test(test_ended_late),     cmocka_unit_test(test_ended_overdue),
		cmocka_unit_test(test_unmade),	       cmocka_unit_test(test_left_early),
		cmocka_unit_test(test_no_readmission), cmocka_unit_test(test_redated),
		cmocka_unit_test(test_wide_promise),   cmocka_unit_test(test_slices),
		cmocka_unit_test(test_switches),       cmocka_unit_test(test_turns_told),
		cmocka_unit_test(test_since),	       cmocka_unit_test(test_switched_off),
		cmocka_unit_test(test_refused_then),   cmocka_unit_test(test_submissions),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_bridge", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return seed_run("test_bridge", tests);
}
