/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_publish: the plan is written into the records in pieces, and what happens to them between two
 * pieces, or before the first, is respected. slurmctld's locks and records are played, and time goes
 * by with every look at the clock, so that each look at it ends a piece.
 */
#include "slurm/base/compat.h"

#include "slurm/base/metered.h"
#include "slurm/acting/launch.h"
#include "slurm/promise/judge.h"
#include "slurm/records/job_env.h"
#include "slurm/records/malleable.h"
#include "slurm/base/meter.h"
#include "slurm/acting/publish.h"
#include "slurm/sync/sync.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "slurm/state/updates.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define JOBS 300
#define FIRST 1000 /* job id */

static job_record_t records[JOBS];
static job_details_t details[JOBS];
static job_details_t its_details;
static job_record_t runner = { .job_id = 1, .job_state = JOB_SUSPENDED, .details = &its_details };
static struct nodeset *all;
static int64_t began; /* this test: the plan is the same in the next second */

/* Job write locks taken so far; what happens before the n-th, and to which job. */
static int holds;
static void (*happens)(job_record_t *job);
static int happens_before;
static uint32_t happens_to;

/* ---- played: records, locks, clock ---- */

job_record_t *find_job_record(uint32_t id)
{
	job_record_t *job = id >= FIRST && id < FIRST + JOBS ? &records[id - FIRST] : NULL;

	if (id == 1)
		return &runner;
	return job && job->job_id == id ? job : NULL;
}

bool launch_expire(uint32_t job_id)
{
	(void)job_id;
	return false;
}

static uint32_t rejected; /* the latest */

void launch_reject(job_record_t *job, const char *why)
{
	assert_non_null(strstr(why, "deadline"));
	rejected = job->job_id;
}

int bb_g_job_try_stage_in(void)
{
	return 0;
}

uint64_t snapshot_said(const char *text)
{
	return text ? (uint64_t)strlen(text) : 0;
}

uint64_t snapshot_print(const job_record_t *job)
{
	return 1 + job->time_limit;
}

void __real_lock_slurmctld(slurmctld_lock_t levels);
void __wrap_lock_slurmctld(slurmctld_lock_t levels);

void __wrap_lock_slurmctld(slurmctld_lock_t levels)
{
	__real_lock_slurmctld(levels);
	if (levels.job == WRITE_LOCK && ++holds == happens_before && happens)
		happens(&records[happens_to]);
}

static enum sched_wait blames; /* the core says so of all that wait, if anything */
static bool reserves;	       /* a reservation has all nodes, and no job runs */
static uint32_t broken;	       /* the job that was promised, and is late; 0: none */

enum sched_wait __real_sched_why(const struct sched *s, uint64_t id);
enum sched_wait __wrap_sched_why(const struct sched *s, uint64_t id);

enum sched_wait __wrap_sched_why(const struct sched *s, uint64_t id)
{
	return blames ? blames : __real_sched_why(s, id);
}

static int64_t aside;	    /* until then what runs is set aside; 0: it is not */
static bool turns, unclear; /* it takes turns; it is suspended, and held */

/* What runs is promised, and is resized: it has so many nodes less of its own than it was to have, and is done then. */
static bool resized;
static int32_t lost, decided;
static uint32_t cleaning;
static struct nodeset *own; /* all that may be its own; NULL: it is not known */
static int64_t work_end, left;

int __real_sched_view(const struct sched *s, uint64_t id, struct sched_view *v);
int __wrap_sched_view(const struct sched *s, uint64_t id, struct sched_view *v);

int __wrap_sched_view(const struct sched *s, uint64_t id, struct sched_view *v)
{
	int rc = __real_sched_view(s, id, v);

	if (!rc && v->running)
		v->aside = aside;
	if (!rc && v->running && turns)
		v->bound = v->end;
	if (!rc && v->running && resized) {
		v->lost = lost;
		v->width += decided;
		v->lent = 1;
		v->own = own;
		v->work_end = work_end;
		v->left = left;
	}
	return rc;
}

int64_t __wrap_clock_us(void);

int64_t __wrap_clock_us(void)
{
	static int64_t us;

	return us += 6000;
}

/* ---- the tests ---- */

static int set_up(void **state)
{
	(void)state;
	memset(records, 0, sizeof(records));
	memset(details, 0, sizeof(details));
	for (uint32_t i = 0; i < JOBS; i++) {
		records[i].job_id = FIRST + i;
		records[i].job_state = JOB_PENDING;
		records[i].priority = JOBS - i;
		records[i].details = &details[i];
	}
	holds = happens_before = 0;
	happens = NULL;
	began = time(NULL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < JOBS; i++) {
		xfree(records[i].state_desc);
		xfree(records[i].admin_comment);
	}
	return 0;
}

static void play_reservation(struct snapshot *snap)
{
	snap->resvs = calloc(1, sizeof(*snap->resvs));
	assert_non_null(snap->resvs);
	snap->resvs[snap->nresvs++] = (struct snap_resv){
		.name = "spring", .start = began, .end = began + 1000, .nodes = nodeset_dup(all)
	};
}

static void play_running(struct snapshot *snap)
{
	struct snap_job *j = played_job(snap, 1, SNAP_RUNNING, all);

	j->token_rc = TOKEN_NONE;
	j->token.id = 0;
	j->nodes = nodeset_dup(all);
	j->start = began;
	j->end = began + 1000;
	j->slices = aside || turns;
	j->unclear = j->suspended = unclear;
	j->submit = its_details.submit_time;
	j->said = snapshot_said(runner.state_desc);
	if (resized)
		j->token_rc = token_parse(runner.admin_comment, &j->token);
}

/* Of what the core knows already. */
static void play_resized(struct bridge *b, struct snapshot *snap)
{
	struct track *track = track_find(b, track_key(1, NO_VAL));

	assert_non_null(track);
	track->resizes = snap->jobs[0].resizes = true;
	track->cleaning = snap->jobs[0].cleaning = cleaning;
	snap->jobs[0].what.limit = 1000;
	if (own) {
		snap->unclean = nodeset_create(nodeset_size(all));
		nodeset_set(snap->unclean, nodeset_next(own, 0));
	}
	(void)malleable_run_of(&runner, &snap->jobs[0].run);
}

/* A full machine, and JOBS jobs that wait; read from the records as they are. */
static struct snapshot *read_records(void)
{
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j;

	if (reserves)
		play_reservation(snap);
	else
		play_running(snap);
	for (uint32_t i = 0; i < JOBS; i++) {
		j = played_job(snap, FIRST + i, SNAP_PENDING, all);
		j->token_rc = TOKEN_NONE;
		j->what.part[0] = "batch";
		j->submit = details[i].submit_time;
		j->priority = records[i].priority;
		j->start = records[i].start_time;
		j->reason = records[i].state_reason;
		j->said = snapshot_said(records[i].state_desc);
		j->held = !records[i].priority;
		j->runnable = IS_JOB_PENDING((&records[i])) && records[i].job_id && !j->held;
		if (j->job_id != broken)
			continue;
		j->token_rc = TOKEN_OK;
		j->token.state = TOKEN_BROKEN;
		j->token.deadline = began + 100;
	}
	return snap;
}

/* A pass: as pass.c makes one, without its starts. */
static void pass(struct bridge *b, uint64_t tried)
{
	struct snapshot *snap = read_records();
	struct sched_action action;
	struct publication *pub;
	struct track *track;

	pthread_mutex_lock(&b->lock);
	b->epoch++;
	assert_true(sync_apply(b, snap));
	if (resized)
		play_resized(b, snap);
	bridge_event(b, &(struct sched_event){ .type = EV_TIME, .now = snap->now }, "time");
	while (sched_next(b->core, &action))
		assert_int_not_equal(action.type, ACT_START);
	if (tried && (track = track_find(b, track_key((uint32_t)tried, NO_VAL))))
		track->tried = b->epoch;
	pub = publish_collect(b, snap);
	sync_forget(b);
	pthread_mutex_unlock(&b->lock);
	snapshot_destroy(snap);
	publish_write(pub);
}

static void assert_written(uint32_t i)
{
	assert_true(records[i].start_time > 0);
	assert_int_equal(records[i].state_reason, i ? WAIT_PRIORITY : WAIT_RESOURCES);
}

/* Everything is written, in several pieces, and each is metered as writing. */
static void test_pieces(void **state)
{
	struct bridge *b = played_bridge();
	struct meter_reading before, after;
	struct metered_sum sum = metered_sum();

	(void)state;
	set_up(NULL);
	meter_read(METER_WRITE_LOCK, &before);
	pass(b, 0);
	meter_read(METER_WRITE_LOCK, &after);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_written(i);
	assert_int_equal(holds, 1 + JOBS / 64);
	assert_int_equal(after.n - before.n, holds);
	assert_int_equal(after.sum - before.sum, metered_sum().writing - sum.writing);
	assert_true(after.worst >= 6000);
}

/* What stands already is not written again: one piece, nothing changed, no stamp moved. */
static void test_stands(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	pass(b, 0);
	holds = 0;
	last_job_update = 0;
	pass(b, 0);
	assert_int_equal(holds, 1);
	assert_int_equal(last_job_update, 0);
	/* Others' words are written over, where they are ours to say. */
	records[7].state_reason = WAIT_RESOURCES;
	records[8].state_reason = WAIT_HELD;
	records[9].start_time = 5;
	records[10].state_desc = xstrdup("something else");
	pass(b, 0);
	assert_true(last_job_update > 0);
	assert_written(7);
	assert_int_equal(records[8].state_reason, WAIT_HELD);
	assert_written(9);
	assert_true(records[9].start_time > 5);
	assert_null(records[10].state_desc);
}

static void is_released(job_record_t *job)
{
	job->priority = 5;
	job->state_reason = WAIT_NO_REASON;
}

/* A job that is held has no place in the plan any more, and shows none; all else of it is Slurm's. */
static void test_held(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	pass(b, 0);
	assert_written(12);
	records[12].priority = 0;
	records[12].state_reason = WAIT_HELD_USER;
	pass(b, 0);
	assert_int_equal(records[12].start_time, 0);
	assert_int_equal(records[12].state_reason, WAIT_HELD_USER);
	/* and that is all there is to say: a pass is not the cause of the next */
	last_job_update = 0;
	pass(b, 0);
	assert_int_equal(last_job_update, 0);
	/* released after the records were read */
	records[12].start_time = 11;
	happens = is_released;
	holds = 0;
	happens_before = 1;
	happens_to = 12;
	pass(b, 0);
	assert_int_equal(records[12].start_time, 11);
	happens = NULL;
	pass(b, 0);
	assert_true(records[12].start_time > 11);
}

/* The core says what is in the way; promises are blamed for nothing else. */
static void test_blame(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	blames = WAIT_PLANNED;
	pass(b, 0);
	assert_null(records[0].state_desc); /* the first of its partition, and others are planned */
	assert_int_equal(records[0].state_reason, WAIT_PRIORITY);
	blames = WAIT_PROMISES;
	broken = FIRST + 12;
	pass(b, 0);
	assert_non_null(records[3].state_desc);
	assert_non_null(strstr(records[3].state_desc, "promised to jobs with deadlines"));
	assert_non_null(strstr(records[12].state_desc, "can no longer be kept"));
	blames = 0;
	broken = 0;
}

/* One that takes turns and is set aside says so, and until when, as long as it is; other words of its record stay. */
static void test_set_aside(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	pass(b, 0);
	assert_null(runner.state_desc);
	aside = began + 600;
	pass(b, 0);
	assert_non_null(runner.state_desc);
	assert_non_null(strstr(runner.state_desc, "Set aside for a promised job until 20"));
	last_job_update = 0;
	pass(b, 0);
	assert_int_equal(last_job_update, 0);
	/* what has its nodes should have ended */
	aside = began;
	pass(b, 0);
	assert_string_equal(runner.state_desc, "Set aside for a promised job");
	assert_true(last_job_update > 0);
	aside = 0;
	pass(b, 0);
	assert_null(runner.state_desc);
	runner.state_desc = xstrdup("something else");
	pass(b, 0);
	aside = began + 600;
	pass(b, 0);
	assert_string_equal(runner.state_desc, "something else");
	aside = 0;
	xfree(runner.state_desc);
}

/* One that is held, and was suspended by hand, says so as long as it is. */
static void test_suspended(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	turns = true;
	pass(b, 0);
	assert_null(runner.state_desc);
	unclear = true;
	pass(b, 0);
	assert_string_equal(runner.state_desc, "Suspended with scontrol");
	last_job_update = 0;
	pass(b, 0);
	assert_int_equal(last_job_update, 0);
	unclear = false;
	pass(b, 0);
	assert_null(runner.state_desc);
	turns = false;
}

/* Nodes that no job has are reserved: for whom, and until when, unless that is private. */
static void test_reserved(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	reserves = true;
	pass(b, 0);
	assert_non_null(records[3].state_desc);
	assert_non_null(strstr(records[3].state_desc, "Nodes are in reservation spring until "));
	slurm_conf.private_data = PRIVATE_DATA_RESERVATIONS;
	pass(b, 0);
	assert_non_null(strstr(records[3].state_desc, "Nodes are reserved until "));
	assert_null(strstr(records[3].state_desc, "spring"));
	slurm_conf.private_data = 0;
	reserves = false;
	pass(b, 0);
	assert_null(records[3].state_desc);
}

static void says_resources(job_record_t *job)
{
	job->state_reason = WAIT_RESOURCES;
}

/* A start that was tried after the records were read has given a reason of its own. */
static void test_tried(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	pass(b, 0);
	holds = 0;
	happens = says_resources;
	happens_before = 1;
	happens_to = 20;
	pass(b, FIRST + 20);
	assert_written(20);
}

static void is_cancelled(job_record_t *job)
{
	job->job_state = JOB_CANCELLED;
	job->start_time = 11;
	job->state_reason = WAIT_NO_REASON;
}

static void is_gone(job_record_t *job)
{
	job->job_id = 0;
	job->start_time = 11;
}

static void is_held(job_record_t *job)
{
	job->priority = 0;
	job->state_reason = WAIT_HELD;
	job->start_time = 11;
}

static void runs(job_record_t *job)
{
	job->job_state = JOB_RUNNING;
	job->start_time = 11;
	job->state_reason = WAIT_NO_REASON;
}

/* Its id is another job's now, or it was requeued. */
static void is_another(job_record_t *job)
{
	job->details->submit_time++;
	job->start_time = 11;
}

/* The last job of the last piece is changed before the first, between two, before the last. */
static void test_between(void **state)
{
	static void (*const what[])(job_record_t *) = { is_cancelled, is_gone, is_held, runs,
							is_another };

	(void)state;
	for (size_t w = 0; w < sizeof(what) / sizeof(*what); w++)
		for (int piece = 1; piece <= 1 + JOBS / 64; piece += 2) {
			struct bridge *b = played_bridge();
			uint32_t last = JOBS - 1;

			tear_down(NULL);
			set_up(NULL);
			b = played_bridge();
			holds = 0;
			happens = what[w];
			happens_before = piece;
			happens_to = last;
			pass(b, 0);
			assert_int_equal(holds, 1 + JOBS / 64);
			assert_int_equal(records[last].start_time, 11);
			assert_int_not_equal(records[last].state_reason, WAIT_PRIORITY);
			for (uint32_t i = 0; i < last; i++)
				assert_written(i);
		}
}

/* ---- updates ---- */

static const struct token promised = { .id = 9, .deadline = 5000, .limit = 600 };

static void write_token(job_record_t *job, const struct token *token)
{
	char *comment = token_put(job->admin_comment, token);

	xfree(job->admin_comment);
	job->admin_comment = xstrdup(comment);
	free(comment);
}

static struct token read_token(const job_record_t *job)
{
	struct token token;

	assert_int_equal(token_parse(job->admin_comment, &token), TOKEN_OK);
	return token;
}

/*
 * Nodes of its own were taken from it: how many are left is in its record, and that its promise is broken, if its work will
 * not be done by then on those that it has; until it has others for them.
 */
static void test_shrunk(void **state)
{
	struct token token = { .id = 5, .deadline = began + 2000, .limit = 1000 };
	struct bridge *b = played_bridge();

	(void)state;
	resized = true;
	work_end = began + 2000;
	left = 900;
	write_token(&runner, &token);
	pass(b, 0);
	assert_int_equal(read_token(&runner).state, TOKEN_PROMISED);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:3:0:4:0:100:0");
	lost = 2;
	left = 300;
	work_end = began + 2001;
	pass(b, 0);
	assert_int_equal(read_token(&runner).state, TOKEN_BROKEN);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:3:2:4:0:700:0");
	left = 240; /* nothing of its nodes has changed */
	last_job_update = 0;
	pass(b, 0);
	assert_int_equal(last_job_update, 0);
	left = 239; /* but for a minute and more it had another limit */
	pass(b, 0);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:3:2:4:0:761:0");
	/* of what is decided it has four by now */
	decided = 2;
	pass(b, 0);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:4:2:4:0:761:0");
	decided = 0;
	/* two of its three it has given back, by hand: they are lost to it, though they are not clean yet */
	lost = 0;
	cleaning = 3;
	pass(b, 0);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:1:2:1:0:761:0");
	/* one of these, which is its own, and has two others left besides what is lent */
	cleaning = 1;
	own = nodeset_dup(all);
	pass(b, 0);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:2:1:3:0:761:0");
	nodeset_destroy(own);
	own = NULL;
	cleaning = 0;
	left = PACT_FOREVER;
	work_end = began + 500;
	pass(b, 0);
	assert_int_equal(read_token(&runner).state, TOKEN_PROMISED);
	assert_string_equal(job_env_get(&runner, "PACT_OWN"), "2:3:0:4:0:0:0");
	resized = false;
	xfree(runner.admin_comment);
	xfree(runner.spank_job_env);
}

static const char *ended_at_limit(uint32_t own_lost, enum token_state token)
{
	struct bridge *b = played_bridge();
	struct snap_job j = { .job_id = 1,
			      .task = NO_VAL,
			      .state = SNAP_ENDED,
			      .how = SNAP_TIMEOUT,
			      .ran = true,
			      .start = began,
			      .end = began + 100,
			      .run.lost = own_lost,
			      .token = { .id = 5, .deadline = began + 2000, .state = token } };
	const char *ended;

	pthread_mutex_lock(&b->lock);
	judge_record(b, &j);
	assert_int_equal(b->nupdates, 1);
	ended = b->updates[0].token.ended;
	b->nupdates = 0;
	pthread_mutex_unlock(&b->lock);
	return ended;
}

/* That Slurm ends a job by its limit is kept, but not of one that could not do its work by then for want of what was taken. */
static void test_ended_short(void **state)
{
	(void)state;
	assert_string_equal(ended_at_limit(0, TOKEN_PROMISED), "at_limit");
	assert_string_equal(ended_at_limit(0, TOKEN_BROKEN), "at_limit");
	assert_string_equal(ended_at_limit(3, TOKEN_PROMISED), "at_limit");
	assert_string_equal(ended_at_limit(3, TOKEN_BROKEN), "broken");
}

/* What job_modify() may have said yes to while an update waits for slurmctld's locks. */

static void nothing(job_record_t *job)
{
	(void)job;
}

static void deadline_moves(job_record_t *job)
{
	struct token token = read_token(job);

	token.deadline += 600;
	write_token(job, &token);
}

static void limit_changes(job_record_t *job)
{
	job->time_limit++;
}

static void released(job_record_t *job)
{
	struct token token = read_token(job);

	token.state = token.state == TOKEN_WITHDRAWN ? TOKEN_PROMISED : TOKEN_WITHDRAWN;
	write_token(job, &token);
}

static void another_token(job_record_t *job)
{
	struct token token = read_token(job);

	token.id++;
	write_token(job, &token);
}

/* What the bridge wants of the record's first job: from one state of its promise to another. */
static struct record_update wanted(enum token_state from, enum token_state to)
{
	struct record_update update = {
		.job_id = FIRST, .print = 1, .seen = promised, .token = promised
	};

	update.seen.state = from;
	update.token.state = to;
	return update;
}

/* Noted in a pass, and written at its end: something happens just before. */
static void run_updates(const struct record_update *updates, size_t n,
			void (*before)(job_record_t *))
{
	struct snapshot *snap = ctld_idle(1);
	struct bridge *b = played_bridge();
	struct publication *pub;

	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < n; i++)
		updates_add(b, &updates[i]);
	pub = publish_collect(b, snap);
	pthread_mutex_unlock(&b->lock);
	snapshot_destroy(snap);
	holds = 0;
	happens = before;
	happens_before = 1;
	happens_to = 0;
	publish_write(pub);
	happens = NULL;
}

/* A record that has another promise, or other terms, by then keeps it. */
static void test_update(void **state)
{
	static const enum token_state way[][2] = {
		{ TOKEN_PROMISED, TOKEN_BROKEN },
		{ TOKEN_PROMISED, TOKEN_WITHDRAWN },
		{ TOKEN_BROKEN, TOKEN_PROMISED },
		{ TOKEN_WITHDRAWN, TOKEN_PROMISED },
	};
	static void (*const what[])(job_record_t *) = { nothing, deadline_moves, limit_changes,
							released, another_token };

	(void)state;
	for (size_t i = 0; i < sizeof(way) / sizeof(*way); i++)
		for (size_t w = 0; w < sizeof(what) / sizeof(*what); w++) {
			struct record_update update = wanted(way[i][0], way[i][1]);
			struct token left;

			set_up(NULL);
			write_token(&records[0], &update.seen);
			what[w](&records[0]);
			left = read_token(&records[0]);
			records[0].time_limit = 0;
			write_token(&records[0], &update.seen);
			snprintf(update.text, sizeof(update.text), "said");
			run_updates(&update, 1, what[w]);
			assert_int_equal(read_token(&records[0]).state, w ? left.state : way[i][1]);
			assert_int_equal(read_token(&records[0]).deadline, left.deadline);
			assert_int_equal(records[0].state_desc != NULL, !w);
			tear_down(NULL);
		}
}

/* What the next pass decides anew is no withdrawal yet: it is counted when the record shows it. */
static void test_withdrawn(void **state)
{
	static void (*const what[])(job_record_t *) = { nothing, deadline_moves, limit_changes,
							released, another_token };
	struct bridge *b = played_bridge();

	(void)state;
	for (size_t w = 0; w < sizeof(what) / sizeof(*what); w++) {
		struct record_update update = wanted(TOKEN_PROMISED, TOKEN_WITHDRAWN);
		uint64_t before = b->tally.withdrawn;

		set_up(NULL);
		update.books.how = "withdrawn";
		update.books.tasks = 3;
		snprintf(update.text, sizeof(update.text), "over a limit");
		write_token(&records[0], &update.seen);
		run_updates(&update, 1, what[w]);
		assert_int_equal(b->tally.withdrawn - before, w ? 0 : 3);
		if (w)
			assert_null(records[0].state_desc);
		else
			assert_string_equal(records[0].state_desc,
					    "over a limit: deadline no longer promised");
		tear_down(NULL);
	}
}

/* Promised again, and broken in the same pass: both steps are the record's, or neither. */
static void test_updates_in_a_row(void **state)
{
	struct record_update row[2] = { wanted(TOKEN_WITHDRAWN, TOKEN_PROMISED),
					wanted(TOKEN_PROMISED, TOKEN_BROKEN) };

	(void)state;
	row[0].terms = true;
	row[0].token.limit = row[1].token.limit = 300;
	for (int changed = 0; changed < 2; changed++) {
		tear_down(NULL);
		set_up(NULL);
		write_token(&records[0], &row[0].seen);
		run_updates(row, 2, changed ? limit_changes : nothing);
		assert_int_equal(read_token(&records[0]).state,
				 changed ? TOKEN_WITHDRAWN : TOKEN_BROKEN);
		assert_int_equal(read_token(&records[0]).limit, changed ? 600 : 300);
	}
}

/* What is so whatever the terms are, of a job that waits or one that runs. */
static void test_update_of_any(void **state)
{
	struct record_update update = wanted(TOKEN_PROMISED, TOKEN_WITHDRAWN);

	(void)state;
	update.print = 0;
	write_token(&records[0], &update.seen);
	run_updates(&update, 1, limit_changes);
	assert_int_equal(read_token(&records[0]).state, TOKEN_WITHDRAWN);
	update = wanted(TOKEN_PROMISED, TOKEN_BROKEN);
	write_token(&records[0], &update.seen);
	records[0].job_state = JOB_RUNNING;
	run_updates(&update, 1, limit_changes);
	assert_int_equal(read_token(&records[0]).state, TOKEN_BROKEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pieces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_held, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_blame, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reserved, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_set_aside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_suspended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shrunk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ended_short, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tried, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_between, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_update, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_withdrawn, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_updates_in_a_row, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_update_of_any, set_up, tear_down),
	};
	int rc;

	all = nodeset_create(NODES);
	for (uint32_t i = 0; i < NODES; i++)
		nodeset_set(all, i);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	nodeset_destroy(all);
	return rc;
}
