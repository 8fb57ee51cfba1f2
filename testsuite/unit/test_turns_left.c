/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_turns_left: what the core is told of jobs that run in a partition where jobs take turns, by a bridge that comes up and
 * by one that knows them: what is left of their limits, and which ones are promised and take no turns. And what is done to a
 * record whose turn is over. slurmctld is played.
 */
#include "slurm/base/compat_played.h"

#include "core/kernel/watch.h"
#include "slurm/acting/turn.h"
#include "slurm/promise/depend.h"
#include "slurm/records/by_hand.h"
#include "slurm/state/track.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define ROWS 3
#define SLICE 10

/* A plan for a machine whose jobs take turns, as after a start: it knows no job. */
static struct bridge *sliced_bridge(void)
{
	struct bridge *b = played_bridge();

	b->conf->sched.rows = ROWS;
	b->conf->sched.slice = SLICE;
	b->slices = b->recompose = true;
	b->slicing = (struct slices){ 0 };
	free(b->schedulers);
	b->schedulers = strdup("mbgs");
	assert_non_null(b->schedulers);
	played_pass(b, ctld_idle(1));
	return b;
}

/* Job 7 runs on two nodes, in turn; of its limit so much is left. */
static struct snap_job *in_turn(struct snapshot *snap, int64_t limit, int64_t left)
{
	struct snap_job *j = played_job(snap, 7, SNAP_RUNNING, NULL);

	j->nodes = nodeset_create(NODES);
	nodeset_set(j->nodes, 0);
	nodeset_set(j->nodes, 1);
	j->token_rc = TOKEN_NONE;
	j->token = (struct token){ 0 };
	j->submit = j->start = snap->now - 1000;
	j->end = snap->now + left;
	j->slices = true;
	j->what.limit = limit;
	j->left = left;
	return j;
}

static struct sched_view view_of(struct bridge *b, uint32_t id)
{
	struct track *track = track_find(b, track_key(id, NO_VAL));
	struct sched_view view;

	assert_non_null(track);
	assert_int_equal(sched_view(b->core, track->core, &view), PACT_OK);
	assert_true(view.running);
	return view;
}

/* By when it has ended with so much left to run: in whole slices, and one cycle more. */
static int64_t bound(const struct bridge *b, int64_t left)
{
	int64_t slices = (left + b->conf->sched.guard + SLICE - 1) / SLICE;

	return (slices + 1) * ROWS * SLICE;
}

/* Found running, it has done a part of its limit; another limit is told, and the same one is not told again. */
static void test_left(void **state)
{
	struct bridge *b = sliced_bridge();
	struct snapshot *snap = ctld_idle(1);
	int64_t now = snap->now, was;

	(void)state;
	in_turn(snap, 600, 45);
	played_pass(b, snap);
	assert_int_equal(view_of(b, 7).bound, now + bound(b, 45));
	assert_int_equal(view_of(b, 7).end, now + ROWS * 45);
	snap = ctld_idle(1);
	now = snap->now;
	in_turn(snap, 1200, 645);
	played_pass(b, snap);
	was = view_of(b, 7).bound;
	assert_int_equal(was, now + bound(b, 645));
	snap = ctld_idle(1);
	snap->now += 30;
	in_turn(snap, 1200, 640);
	played_pass(b, snap);
	assert_int_equal(view_of(b, 7).bound, was);
}

/* What the planner did not see of it has its nodes for itself: they are another's as soon as it ends. */
static void test_whole(void **state)
{
	struct bridge *b = sliced_bridge();
	struct snapshot *snap = ctld_idle(1);
	int64_t now = snap->now;

	(void)state;
	in_turn(snap, 600, 45)->what.whole = true;
	played_pass(b, snap);
	assert_int_equal(view_of(b, 7).bound, now + 45 + b->conf->sched.guard);
}

/*
 * One that waits is changed so that it has its nodes for itself, or takes turns: that is told, whatever else of it stays the same.
 */
static void test_whole_later(void **state)
{
	struct bridge *b = sliced_bridge();
	struct nodeset *all = nodeset_create(NODES);

	(void)state;
	nodeset_fill(all);
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);
		struct sched_view view;

		j->token_rc = TOKEN_NONE;
		j->token = (struct token){ 0 };
		j->what.deadline = 0;
		j->what.slices = true;
		j->what.whole = pass == 1;
		played_pass(b, snap);
		assert_int_equal(
			sched_view(b->core, track_find(b, track_key(7, NO_VAL))->core, &view),
			PACT_OK);
		assert_int_equal(view.turns.whole, pass == 1);
	}
	nodeset_destroy(all);
}

/* One that is promised takes no turns: its record's end is when it ends, and it may be suspended by hand. */
static void test_promised(void **state)
{
	struct bridge *b = sliced_bridge();

	(void)state;
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = in_turn(snap, 600, 0);
		int64_t end = snap->now + 500 + 100 * pass;

		j->slices = false;
		j->token_rc = TOKEN_OK;
		j->token = (struct token){ .id = PLAYED_TOKEN,
					   .limit = 600,
					   .deadline = end + 100000,
					   .state = TOKEN_PROMISED };
		j->end = end;
		j->suspended = j->by_hand = pass == 1;
		played_pass(b, snap);
		assert_int_equal(view_of(b, 7).bound, 0);
		assert_int_equal(view_of(b, 7).end, end + b->conf->sched.guard - b->conf->waking);
	}
}

/* Found by a bridge that comes up: its end is what a promised job waits for. RET whether it takes turns. */
static bool waited_for(int64_t switched, uint32_t beside)
{
	struct bridge *b = sliced_bridge();
	struct nodeset *all = nodeset_create(NODES);
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j;

	nodeset_fill(all);
	j = played_job(snap, 8, SNAP_PENDING, all);
	j->token.deadline = j->what.deadline = snap->now + 100000;
	j->start = snap->now + 5000;
	j->depends = calloc(1, sizeof(*j->depends));
	assert_non_null(j->depends);
	j->depends[0] = (struct snap_depend){ .base_id = 7, .task = NO_VAL };
	j->ndepends = 1;
	if (beside < NODES) {
		j = in_turn(snap, 600, 400);
		j->job_id = j->base_id = 9;
		nodeset_clear(j->nodes);
		nodeset_set(j->nodes, beside);
	}
	in_turn(snap, 600, 400)->switched = switched;
	played_pass(b, snap);
	nodeset_destroy(all);
	return view_of(b, 7).bound;
}

/* What was started as a promise's predecessor was to have its nodes for itself, and still has; not what took turns before. */
static void test_waited_for(void **state)
{
	(void)state;
	assert_false(waited_for(0, NODES));
}

static void test_waited_for_apart(void **state)
{
	(void)state;
	assert_false(waited_for(0, 3));
}

static void test_waited_for_beside(void **state)
{
	(void)state;
	assert_true(waited_for(0, 1));
}

static void test_waited_for_turned(void **state)
{
	(void)state;
	assert_true(waited_for(1000, NODES));
}

/* ---- one that is suspended ---- */

/* What was told last: 'h' by hand, 't' for a turn, 'r' resumed; 0: nothing. */
static char said;

static void note_suspended(void *arg, const struct sched_event *ev, int rc)
{
	(void)arg;
	if (ev->type != EV_SUSPENDED && ev->type != EV_RESUMED)
		return;
	assert_int_equal(rc, PACT_OK);
	said = ev->type == EV_RESUMED ? 'r' : ev->reserve ? 't' : 'h';
}

static void ignore(void *arg, bool next, const struct sched_action *a)
{
	(void)arg;
	(void)next;
	(void)a;
}

/* What the core is told in the pass that finds it so. */
static char told(struct bridge *b, bool suspended, bool unclear)
{
	static const struct watch watch = { .event = note_suspended, .action = ignore };
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j = in_turn(snap, 600, 45);

	j->suspended = suspended;
	j->unclear = unclear;
	said = 0;
	sched_watch(b->core, &watch, NULL);
	played_pass(b, snap);
	sched_watch(b->core, NULL, NULL);
	return said;
}

/* One that is held: by hand, if it is not a turn that was taken. What was before is not known to a bridge that comes up. */
static void test_unclear(void **state)
{
	struct bridge *b = sliced_bridge();

	(void)state;
	assert_int_equal(told(b, false, false), 0);
	assert_int_equal(told(b, true, true), 'h');
	assert_int_equal(told(b, true, true), 0);
	assert_int_equal(told(b, false, false), 'r');
	assert_int_equal(told(b, true, false), 't');
	/* it is held as long as it is stopped */
	assert_int_equal(told(b, true, true), 0);
	assert_int_equal(told(b, false, false), 'r');
}

static void test_unclear_anew(void **state)
{
	(void)state;
	assert_int_equal(told(sliced_bridge(), true, true), 't');
}

/* ---- one that is moved ---- */

static struct sched_event moved; /* what was told of it */

static void note_moved(void *arg, const struct sched_event *ev, int rc)
{
	(void)arg;
	if (ev->type != EV_MIGRATED)
		return;
	assert_int_equal(rc, PACT_OK);
	moved = *ev;
}

static struct snap_job *leaver(struct snapshot *snap, enum snap_state state, struct nodeset *all)
{
	struct snap_job *j =
		state == SNAP_RUNNING ? in_turn(snap, 600, 400) : played_job(snap, 7, state, all);

	j->token_rc = TOKEN_NONE;
	j->token = (struct token){ 0 };
	j->leaves = j->what.slices = true;
	j->what.deadline = 0;
	j->move = (struct move){ .state = state == SNAP_RUNNING ? MOVE_ASKED : MOVE_MOVED,
				 .submit = snap->now - 1000,
				 .limit = 600,
				 .asked = 194,
				 .ran = 200,
				 .cost = state == SNAP_RUNNING ? 0 : 6 };
	return j;
}

/* One that has not left in time is counted once. */
static void test_stays(void **state)
{
	struct bridge *b = sliced_bridge();

	(void)state;
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = ctld_idle(1);

		leaver(snap, SNAP_RUNNING, NULL)->move.state = pass ? MOVE_STAYS : MOVE_ASKED;
		played_pass(b, snap);
	}
	assert_int_equal(b->slicing.late, 1);
	assert_int_equal(b->slicing.moved, 0);
}

/* What the core wants it to be asked it may not be asked any more, as the site has no RequeueExit now: it stays. */
static void test_not_to_be_asked(void **state)
{
	struct bridge *b = sliced_bridge();
	struct snapshot *snap = ctld_idle(1);
	struct track *track;
	struct snap_job *j;

	(void)state;
	leaver(snap, SNAP_RUNNING, NULL);
	played_pass(b, snap);
	track = track_find(b, track_key(7, NO_VAL));
	assert_non_null(track);
	assert_true(track->leaving);
	track->to_ask = true;
	snap = ctld_idle(1);
	j = leaver(snap, SNAP_RUNNING, NULL);
	j->leaves = 0;
	j->move = (struct move){ 0 };
	played_pass(b, snap);
	assert_false(track->leaving);
	assert_false(track->to_ask);
}

/* What was told of it, and how much of all was not taken. */
static int told_leaving, told_refused, not_taken;

static void note_leaving(void *arg, const struct sched_event *ev, int rc)
{
	(void)arg;
	not_taken += rc != PACT_OK;
	told_leaving += ev->type == EV_LEAVING;
	told_refused += ev->type == EV_REFUSED;
}

/* One that was asked loses a node: to the core it is another one then, which was asked, too, and stays if it does not leave. */
static void test_asked_and_shrinks(void **state)
{
	static const struct watch watch = { .event = note_leaving, .action = ignore };
	static const int leaving[] = { 1, 1, 2, 2, 2, 2 }, refused[] = { 0, 0, 0, 0, 1, 1 };
	struct bridge *b = sliced_bridge();
	int wrong = 0;

	(void)state;
	told_leaving = told_refused = not_taken = 0;
	sched_watch(b->core, &watch, NULL);
	for (int pass = 0; pass < 6; pass++) {
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = leaver(snap, SNAP_RUNNING, NULL);

		if (pass == 2) /* it is to be asked once more, in its next turn */
			track_find(b, track_key(7, NO_VAL))->to_ask = true;
		if (pass >= 2)
			nodeset_unset(j->nodes, 1);
		if (pass >= 4)
			j->move.state = MOVE_STAYS;
		played_pass(b, snap);
		wrong += told_leaving != leaving[pass] || told_refused != refused[pass];
	}
	sched_watch(b->core, NULL, NULL);
	assert_int_equal(wrong, 0);
	assert_int_equal(not_taken, 0);
	assert_int_equal(b->slicing.late, 1);
}

/*
 * One that has left its nodes waits for others with what is left of its limit; its checkpoint took so long, and a restart is
 * taken to.
 */
static void test_moved(void **state)
{
	static const struct watch watch = { .event = note_moved, .action = ignore };
	struct bridge *b = sliced_bridge();
	struct nodeset *all = nodeset_create(NODES);
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j;

	(void)state;
	nodeset_fill(all);
	leaver(snap, SNAP_RUNNING, NULL);
	played_pass(b, snap);
	sched_watch(b->core, &watch, NULL);
	snap = ctld_idle(1);
	j = leaver(snap, SNAP_PENDING, all);
	j->what.limit = 420;
	played_pass(b, snap);
	sched_watch(b->core, NULL, NULL);
	assert_int_equal(moved.migration, 12);
	assert_int_equal(moved.end - moved.now, 420);
	assert_int_equal(b->slicing.moved, 1);
	assert_int_equal(b->slicing.cost, 12);
	assert_int_equal(b->slicing.latest, 12);
	assert_int_equal(b->slicing.late, 0);
	nodeset_destroy(all);
}

/* ---- one that is over ---- */

/* What was told of whatever holds nodes, a letter each, and of how many: "s2" it runs, "b1" held, "f0" gone, "t0" stopped. */
static char heard[64];

static void note_nodes(void *arg, const struct sched_event *ev, int rc)
{
	char what = ev->type == EV_STARTED     ? 's'
		    : ev->type == EV_BLOCK     ? 'b'
		    : ev->type == EV_FINISH    ? 'f'
		    : ev->type == EV_SUSPENDED ? (ev->reserve ? 't' : 'h')
					       : 0;
	size_t used = strlen(heard);

	(void)arg;
	if (!what)
		return;
	assert_int_equal(rc, PACT_OK);
	snprintf(heard + used, sizeof(heard) - used, "%c%u", what,
		 ev->nodes ? nodeset_count(ev->nodes) : 0);
}

static const char *heard_in(struct bridge *b, struct snapshot *snap)
{
	static const struct watch watch = { .event = note_nodes, .action = ignore };

	heard[0] = '\0';
	sched_watch(b->core, &watch, NULL);
	played_pass(b, snap);
	sched_watch(b->core, NULL, NULL);
	return heard;
}

/* Job 7 cleans up on so many of its two nodes. */
static struct snapshot *cleaning(uint32_t nodes, bool leaves)
{
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j = in_turn(snap, 600, 45);

	j->ending = true;
	j->end = snap->now;
	j->leaves = leaves;
	j->move.state = leaves ? MOVE_ASKED : MOVE_NONE;
	for (uint32_t n = 2; n > nodes; n--)
		nodeset_unset(j->nodes, n - 1);
	return snap;
}

/*
 * Its turns and its place are over with it; the nodes that it cleans up on are for no new job, until each is clean. What waits
 * for it knows that it does so no longer than others.
 */
static void test_over(void **state)
{
	static const struct snap_depend after = { .base_id = 7, .task = NO_VAL };
	struct bridge *b = sliced_bridge();
	struct snapshot *snap = ctld_idle(1);
	int64_t now = snap->now;

	(void)state;
	in_turn(snap, 600, 45);
	assert_string_equal(heard_in(b, snap), "s2");
	assert_string_equal(heard_in(b, cleaning(2, false)), "f0b2");
	assert_string_equal(heard_in(b, cleaning(2, false)), "");
	assert_in_range(depend_known(b, &after), now, now + 60 + b->conf->sched.guard);
	assert_string_equal(heard_in(b, cleaning(1, false)), "f0b1");
	assert_string_equal(heard_in(b, ctld_idle(1)), "f0");
}

/* So it is for a bridge that comes up meanwhile. */
static void test_over_anew(void **state)
{
	struct bridge *b = sliced_bridge();

	(void)state;
	assert_string_equal(heard_in(b, cleaning(1, false)), "b1");
	assert_string_equal(heard_in(b, ctld_idle(1)), "f0");
}

/* What was asked to leave has its new place still, but no other job waits until its old nodes are clean. */
static void test_over_asked(void **state)
{
	struct bridge *b = sliced_bridge();
	struct snapshot *snap = ctld_idle(1);

	(void)state;
	leaver(snap, SNAP_RUNNING, NULL);
	assert_string_equal(heard_in(b, snap), "s2");
	assert_string_equal(heard_in(b, cleaning(2, true)), "t0");
	assert_string_equal(heard_in(b, cleaning(1, true)), "");
}

/* It is no promised job, for which others are set aside. */
static void test_over_beside(void **state)
{
	struct bridge *b = sliced_bridge();

	(void)state;
	b->conf->sched.aside = b->recompose = true;
	for (int pass = 0; pass < 3; pass++) {
		struct snapshot *snap = pass ? cleaning(3 - (uint32_t)pass, false) : ctld_idle(1);
		struct snap_job *j;

		if (!pass)
			in_turn(snap, 600, 45);
		j = in_turn(snap, 600, 45);
		j->job_id = j->base_id = 8;
		played_pass(b, snap);
		assert_false(view_of(b, 8).aside);
	}
}

/* ---- a record ---- */

static part_record_t part = { .over_time_limit = NO_VAL16 };
static job_record_t record = { .job_id = 7, .part_ptr = &part, .priority = 1 };
static int looked; /* for what is over its limit */
static int warned; /* of its end */
static int told_clients;
static int saved; /* the state of all jobs */

/* slurmctld's, from 23.11 on: how nodes are reached. */
bool cloud_dns;

job_record_t *find_job_record(uint32_t id)
{
	return id == record.job_id ? &record : NULL;
}

PLAYED_JOB_SUSPEND(what)
{
	record.job_state = what->op == SUSPEND_JOB ? JOB_SUSPENDED : JOB_RUNNING;
	record.time_last_active = time(NULL);
	if (what->op == RESUME_JOB && !record.priority)
		record.priority = 1; /* set_job_prio() */
	return SLURM_SUCCESS;
}

void job_time_limit(void)
{
	looked++;
	record.job_state = JOB_TIMEOUT | JOB_COMPLETING;
}

/* As Slurm does it, where it is asked for the signal whatever the time. */
void send_job_warn_signal(job_record_t *job, bool ignore_time)
{
	assert_ptr_equal(job, &record);
	assert_true(ignore_time);
	warned += !(job->warn_flags & WARN_SENT);
	job->warn_flags |= WARN_SENT;
}

/* Of its end, while it runs. */
void srun_timeout(job_record_t *job)
{
	assert_ptr_equal(job, &record);
	assert_int_equal(job->job_state, JOB_RUNNING);
	told_clients++;
}

void schedule_job_save(void)
{
	saved++;
}

void agent_queue_request(agent_arg_t *message)
{
	(void)message;
	fail();
}

void set_agent_arg_r_uid(agent_arg_t *message, uid_t uid)
{
	(void)message;
	(void)uid;
	fail();
}

static void runs(int64_t end)
{
	record.job_state = JOB_RUNNING;
	record.end_time = end;
	looked = 0;
}

/* One that is over its limit, and all that OverTimeLimit leaves it, is ended and not suspended. */
static void test_over_limit(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	record.time_limit = 10;
	runs(now - 5);
	assert_false(turn_take(7, true, now + 600));
	assert_int_equal(looked, 1);
	runs(now - 5);
	part.over_time_limit = 1;
	assert_true(turn_take(7, true, now + 600));
	assert_int_equal(looked, 0);
	runs(now - 65);
	assert_false(turn_take(7, true, now + 600));
	runs(now - 65);
	part.over_time_limit = INFINITE16;
	assert_true(turn_take(7, true, now + 600));
	part.over_time_limit = NO_VAL16;
	runs(now + 5);
	assert_true(turn_take(7, true, now + 600));
	assert_int_equal(looked, 0);
}

/* It ends in so many seconds, has run since its start or resumption for so many, and wants SIGUSR1 a minute before it ends. */
static void is_to_be_warned(int64_t left, int64_t ran)
{
	int64_t now = time(NULL);

	runs(now + left);
	record.start_time = now - 1000;
	record.suspend_time = now - ran;
	record.warn_signal = SIGUSR1;
	record.warn_time = 60;
	record.warn_flags = KILL_JOB_BATCH;
	record.time_limit = 20;
	record.preempt_time = 0;
	warned = saved = 0;
}

/* Once, not before Slurm may do it and a little, and so that what Slurm saves says so. */
static void test_warned(void **state)
{
	(void)state;
	is_to_be_warned(60 + TURN_WARNS + 5, 4);
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60 + TURN_WARNS, 4);
	assert_true(turn_warn(7, 4));
	assert_int_equal(warned, 1);
	assert_int_equal(saved, 1);
	assert_int_equal(record.warn_flags, KILL_JOB_BATCH | WARN_SENT);
	assert_false(turn_warn(7, 4));
	assert_false(turn_warn(8, 4));
	assert_int_equal(warned, 1);
	assert_int_equal(saved, 1);
	/* no earlier than a minute before the minute, as sbatch says of it */
	assert_true(TURN_WARNS > PERIODIC_TIMEOUT && TURN_WARNS <= 60);
}

/* Where slurmstepd would drop the signal, it is none of ours, or none is wanted. */
static void test_not_warned(void **state)
{
	(void)state;
	is_to_be_warned(60, 2); /* it was resumed just now, */
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 1000); /* or started, */
	record.suspend_time = 0;
	record.start_time = time(NULL) - 2;
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 100); /* does not run, */
	record.job_state = JOB_SUSPENDED;
	assert_false(turn_warn(7, 4));
	record.job_state = JOB_RUNNING | JOB_CONFIGURING;
	assert_false(turn_warn(7, 4));
	record.job_state = JOB_RUNNING | JOB_COMPLETING;
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 100);
	record.warn_signal = 0;
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 100); /* the signal is for a preemption, which Slurm tells of; */
	record.warn_time = 0;
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 100);
	record.preempt_time = time(NULL);
	assert_false(turn_warn(7, 4));
	is_to_be_warned(60, 100); /* it has no end */
	record.time_limit = INFINITE;
	assert_false(turn_warn(7, 4));
	assert_int_equal(warned, 0);
	record.preempt_time = record.warn_signal = 0;
}

/* What waits for it is told in its last minute that it ends soon, by when it is suspended. */
static void test_clients(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	told_clients = 0;
	runs(now + 70);
	assert_true(turn_take(7, true, now + 70));
	assert_int_equal(told_clients, 0);
	runs(now + 55);
	assert_true(turn_take(7, true, now + 55));
	assert_int_equal(told_clients, 1);
	assert_true(turn_take(7, true, now + 55)); /* it is so */
	assert_true(turn_take(7, false, now + 55));
	assert_int_equal(told_clients, 1);
}

/* The end that it shows is one that it can have, if it has any. */
static void test_shown_end(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	record.time_limit = 10;
	runs(now + 5);
	assert_true(turn_take(7, true, now + 600));
	assert_int_equal(record.end_time, now + 600);
	runs(now + 5);
	assert_true(turn_take(7, true, PACT_FOREVER));
	assert_int_equal(record.end_time, now + 5);
	record.time_limit = INFINITE;
	assert_true(turn_take(7, false, now + 600));
	assert_true(turn_take(7, true, now + 600));
	assert_int_equal(record.end_time, now + 5);
}

/* One that is held while it runs has its turns, and is held still; one that is suspended by hand has none. */
static void test_held(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	runs(now + 600);
	record.priority = 0;
	for (int reason = WAIT_HELD; reason; reason = reason == WAIT_HELD ? WAIT_HELD_USER : 0) {
		record.state_reason = (uint32_t)reason;
		record.state_desc = NULL;
		assert_true(turn_take(7, true, now + 600));
		assert_int_equal(record.job_state, JOB_SUSPENDED);
		assert_true(turn_take(7, false, now + 600));
		assert_int_equal(record.job_state, JOB_RUNNING);
		assert_int_equal(record.priority, 0);
		/* as is held there */
		record.state_desc = SUSPENDED_BY_HAND;
		record.job_state = JOB_SUSPENDED;
		assert_false(turn_take(7, false, now + 600));
		record.job_state = JOB_RUNNING;
	}
	/* Slurm has forgotten why it is held, at the end of its prologs */
	record.state_desc = NULL;
	record.state_reason = WAIT_NO_REASON;
	assert_true(turn_take(7, true, now + 600));
	assert_int_equal(record.state_reason, WAIT_HELD);
	assert_true(turn_take(7, false, now + 600));
	assert_int_equal(record.priority, 0);
	/* as what was suspended while it ran looks */
	record.state_reason = WAIT_NO_REASON;
	record.job_state = JOB_SUSPENDED;
	assert_false(turn_take(7, false, now + 600));
	assert_int_equal(record.job_state, JOB_SUSPENDED);
	record.priority = 1;
}

/* What its last sign of life is, of which its turns are (anew), or are not. */
static void check_active(uint16_t batch_flag, bool anew)
{
	int64_t now = time(NULL);

	record.batch_flag = batch_flag;
	for (int suspend = 1; suspend >= 0; suspend--) {
		if (suspend)
			runs(now + 600);
		record.time_last_active = 1000;
		assert_true(turn_take(7, suspend, now + 600));
		assert_int_equal(record.job_state, suspend ? JOB_SUSPENDED : JOB_RUNNING);
		if (anew)
			assert_true(record.time_last_active >= now);
		else
			assert_int_equal(record.time_last_active, 1000);
	}
	record.batch_flag = 0;
}

/*
 * Its turns are no sign that it is there still: its node says that, or nothing does. Of one that is no batch job its client says
 * so, which is asked only while it runs: InactiveLimit counts from its last turn.
 */
static void test_signs_of_life(void **state)
{
	(void)state;
	check_active(1, false);
	check_active(2, false);
	check_active(0, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_whole_later),
		cmocka_unit_test(test_promised),
		cmocka_unit_test(test_over_limit),
		cmocka_unit_test(test_warned),
		cmocka_unit_test(test_not_warned),
		cmocka_unit_test(test_clients),
		cmocka_unit_test(test_shown_end),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_not_to_be_asked),
		cmocka_unit_test(test_asked_and_shrinks),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_signs_of_life),
		cmocka_unit_test(test_unclear),
		cmocka_unit_test(test_unclear_anew),
		cmocka_unit_test(test_over),
		cmocka_unit_test(test_over_anew),
		cmocka_unit_test(test_over_asked),
		cmocka_unit_test(test_over_beside),
		cmocka_unit_test(test_waited_for),
		cmocka_unit_test(test_waited_for_apart),
		cmocka_unit_test(test_waited_for_beside),
		cmocka_unit_test(test_waited_for_turned),
	};

	return seed_run("test_turns_left", tests);
}
