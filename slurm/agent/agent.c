/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agent.c - the thread that plans and starts jobs
 *
 * Nothing notifies a scheduler in slurmctld: a few times a second the thread
 * looks at the time stamps of jobs, nodes, partitions and reservations, which
 * needs no lock, and makes a pass when one has moved, when the plan's next start
 * is due, or when PlanInterval is over.  Stamps count whole seconds: one that is
 * not older than the second of the last snapshot means that something may have
 * changed after it.
 */
#include "slurm/base/compat.h"

#include "slurm/agent/agent.h"
#include "slurm/acting/gap.h"
#include "slurm/agent/moves.h"
#include "slurm/agent/repeats.h"
#include "slurm/agent/resizes.h"
#include "slurm/agent/stand_in.h"
#include "slurm/config/builds.h"
#include "slurm/state/handover.h"
#include "slurm/state/last_plan.h"
#include "slurm/state/learned.h"
#include "slurm/config/faults.h"
#include "slurm/history/history.h"
#include "slurm/base/metered.h"
#include "slurm/acting/grant.h"
#include "slurm/acting/launch.h"
#include "slurm/acting/life.h"
#include "slurm/base/meter.h"
#include "slurm/promise/pending.h"
#include "slurm/state/running_policy.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/acting/publish.h"
#include "slurm/state/recorder.h"
#include "slurm/acting/refusal.h"
#include "slurm/resizing/resize.h"
#include "slurm/acting/turn.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/nodes/reports.h"
#include "slurm/serving/serve.h"
#include "slurm/sync/sync.h"
#include "slurm/sync/sync_reports.h"
#include "slurm/sync/sync_running.h"
#include "slurm/acting/wind_down.h"
#include "slurm/base/clock.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "slurm/state/updates.h"
#include "slurm/agent/configure.h"
#include "slurm/state/poke.h"

/*
 * Searches for nodes that failed in one pass, after which jobs that the plan is
 * blind to are not tried any more: as deep as sched/backfill looks by default
 * (bf_max_job_test).  What waits for a limit or a license costs no search, and
 * may be as many: it must not keep those behind it from being tried.
 */
#define FAILED_STARTS 500

/* Seconds after a pass in which reports of nodes make no other. */
#define REPORTS_WAIT 5

/* How often the stamps are looked at; and how often before the first pass, for which users wait. */
#define PEEK_MS 200
#define FIRST_MS 5
/* Before the first plan what was learned earlier is waited for so long: else jobs would be refused for want of it. */
#define PAST_MS 3000
/* A nap is slept in slices: whatever the clock does, it ends, and a call is heard. */
#define SLICE_MS 50

static pthread_t thread;
static bool running;
static _Atomic bool stopping;

/* Of the pass at work; the thread's own. */
static int failed_starts;
/* An array of which a task could not be started; with its limit, and with less. */
static struct {
	const struct snap_job *array;
	bool reserve; /* a place was kept for it */
} failed[2];
static bool recalled; /* a start was recalled: make another pass at once */
static bool refused;  /* a start was, and not for long yet: make another pass soon */
static bool turned;   /* turns were taken, which Slurm does not save by itself */
static bool unread;   /* what was learned is being read: likewise */

/* ---- one start ---- */

static struct entry *copy_entries(const struct snap_job *j)
{
	struct entry *entries = calloc(j->nentries ? j->nentries : 1, sizeof(*entries));

	for (uint32_t i = 0; entries && i < j->nentries; i++)
		entries[i] = j->entries[i];
	return entries;
}

/* The core knows a task by another number than Slurm, which takes the lowest first. */
static void swap_tasks(struct bridge *b, struct track *asked, uint64_t key)
{
	struct track *other = track_find(b, key);
	uint64_t mine = asked->key;

	if (key == mine)
		return;
	table_remove(b->by_key, track_spread(mine));
	if (other) {
		table_remove(b->by_key, track_spread(key));
		other->key = mine;
		table_insert(b->by_key, track_spread(mine), other);
	}
	asked->key = key;
	table_insert(b->by_key, track_spread(key), asked);
}

/* Tell the core what became of a start. */
static void answer(struct bridge *b, uint64_t core, const struct launch *launch)
{
	struct track *track = track_by_core(b, core);
	struct sched_event ev = { .now = time(NULL), .id = core };

	if (!launch->started) {
		ev.type = EV_START_FAILED;
		ev.reserve = launch->reserve;
		bridge_event(b, &ev, "a start failed");
		return;
	}
	ev.type = EV_STARTED;
	ev.nodes = launch->nodes;
	ev.start = launch->start;
	/* unheard, it is told again when the next snapshot has it running */
	if (!bridge_event(b, &ev, "a job started") || !track)
		return;
	track->running = true;
	track->found = launch->start;
	track->end = launch->end;
	track->limit = track->snap ? track->snap->what.limit : 0;
	track->width = launch->nodes ? nodeset_count(launch->nodes) : 0;
	track->resizes = track->snap && track->snap->what.malleable && scheduler_resizes();
	track->job_id = launch->started_id;
	if (launch->started_task != NO_VAL)
		swap_tasks(b, track, track_key(launch->base_id, launch->started_task));
}

/* What Slurm's side does not do yet. */
static void refuse(struct bridge *b, uint64_t core)
{
	bridge_event(b, &(struct sched_event){ .type = EV_REFUSED, .now = time(NULL), .id = core },
		     "nothing was done to a running job");
}

/* Seconds of run time promised, or less where its limit has been shortened since. */
static int64_t granted(const struct track *track, const struct snap_job *j)
{
	return j->what.limit < track->token.limit ? j->what.limit : track->token.limit;
}

/* Is there a point in trying?  As in Slurm, one task of an array speaks for the others. */
static bool worth_trying(const struct track *track, const struct snap_job *j, bool exact,
			 const struct snap_job *array)
{
	if (!j || !j->runnable)
		return false;
	return track->promised || ((exact || failed_starts < FAILED_STARTS) && j != array);
}

/* What the pass at work has seen; the planning thread's. */
static const struct snapshot *looked_at;

/* Before a job runs that has its turn: what has none has stopped.  With no lock held. */
static void let_stop(struct bridge *b)
{
	if (repeats_stop(b, looked_at))
		gap_stopped(b->conf->switch_gap);
	gap_wait(&stopping);
}

/*
 * Start a job, without the mutex.  RET false: an admission has recalled the start
 * and told the core, while this thread waited for slurmctld's locks.
 * IN turn - it has its turn: not before those that ran until now have stopped
 */
static bool launch_now(struct bridge *b, uint64_t core, struct launch *launch, bool turn)
{
	struct metered metered;
	bool wanted;

	b->starting = core;
	pthread_mutex_unlock(&b->lock);
	if (turn)
		let_stop(b);
	metered_take(&metered, &launch_locks);
	wanted = atomic_exchange(&b->starting, 0);
	if (wanted)
		launch_try(launch);
	/* Before the locks are given up: no admission ever sees a start half made. */
	bridge_lock_urgent(b);
	metered_give(&metered);
	return wanted;
}

/*
 * The terms of a job that shares its nodes.  It may run until it is due; one that is late by its own limit, and promised
 * nothing, until it is expected to have done that.
 */
static void fill_terms(const struct bridge *b, const struct sched_action *action,
		       const struct snap_job *j, struct launch *launch)
{
	int64_t until = action->end;
	struct sched_view view;

	if (!launch->promised && !sched_view(b->core, action->id, &view) && view.end > until)
		until = view.end;

	launch->terms = (struct share_terms){
		.submit = j->submit,
		.estimate = action->limit,
		.due = action->end,
		.processors = (uint32_t)j->what.processors,
		.rule = action->rule,
	};
	launch->until = until;
}

/* What the core wants started, and how.  Pointers are borrowed. */
static void fill_launch(const struct bridge *b, const struct sched_action *action,
			const struct track *track, const struct snap_job *j, struct launch *launch)
{
	launch->job_id = j->job_id;
	launch->base_id = j->base_id;
	launch->print = j->print;
	launch->nentries = j->nentries;
	launch->promised = track->promised;
	launch->recount = track->refused;
	launch->limit = track->promised ? granted(track, j) : 0;
	if (!action->exact)
		return;
	launch->width = action->width;
	launch->spare = action->spare;
	if (track->promised && j->what.malleable)
		launch->until = action->end;
	if (action->nshares)
		fill_terms(b, action, j, launch);
	if (j->what.nalt > 1 && action->alt < j->what.nalt)
		launch->part = j->what.part[action->alt];
}

/* The core says: start this one now.  Called and left with the mutex, which is given up between. */
static void start_one(struct bridge *b, const struct sched_action *action)
{
	struct track *track = track_by_core(b, action->id);
	const struct snap_job *j = track ? track->snap : NULL;
	struct launch launch = { 0 };
	struct nodeset *allowed = action->allowed ? nodeset_dup(action->allowed) : NULL;
	struct entry *entries = j ? copy_entries(j) : NULL;
	uint64_t core = action->id;
	bool exact = action->exact, waits = track && refusal_waits(b, track);
	bool less = j && !track->promised && action->limit < j->what.limit;

	launch.reserve = track && (track->promised ||
				   (j && j == failed[less].array && failed[less].reserve));
	if (!waits && worth_trying(track, j, exact, failed[less].array) && entries &&
	    (allowed || !action->allowed)) {
		fill_launch(b, action, track, j, &launch);
		track->tried = b->epoch;
		if (less && !launch.terms.estimate)
			launch.limit = action->limit;
		launch.entries = entries;
		launch.allowed = allowed;
		if (!launch_now(b, core, &launch, j->what.slices)) {
			recalled = true;
			if ((track = track_by_core(b, core)))
				refusal_recalled(b, track);
			goto out;
		}
		failed_starts += !launch.started && launch.reserve && !exact;
	} else if (!waits && track && track->promised && j) {
		launch.refused = !j->runnable && !j->dependent;
	}
	refused |= refusal_note(b, track_by_core(b, core), exact, &launch);
	if ((launch.job_id || waits) && !launch.started && j && j->tasks) {
		failed[less].array = j;
		failed[less].reserve = launch.reserve && !waits;
	}
	answer(b, core, &launch);
out:
	nodeset_destroy(launch.nodes);
	nodeset_destroy(allowed);
	free(entries);
}

/* Turns are taken under slurmctld's locks, for so many microseconds at a time. */
#define TURNS_US 10000

static bool is_turn(const struct sched_action *action)
{
	return action->type == ACT_SUSPEND || action->type == ACT_RESUME;
}

/* One job's. With slurmctld's locks and the mutex, which is given up while Slurm does it. RET whether it did. */
static bool switch_one(struct bridge *b, const struct sched_action *action)
{
	struct track *track = track_by_core(b, action->id);
	bool suspend = action->type == ACT_SUSPEND, done;
	uint32_t job_id = track ? track->job_id : 0;
	struct sched_view view;
	int64_t end = PACT_FOREVER;

	/* only what is suspended shows it, and slurmctld waits for us */
	if (suspend && sched_view(b->core, action->id, &view) == PACT_OK)
		end = view.end;
	pthread_mutex_unlock(&b->lock);
	done = job_id && turn_take(job_id, suspend, end);
	bridge_lock_urgent(b);
	bridge_event(b,
		     &(struct sched_event){ .type = !done     ? EV_REFUSED
						    : suspend ? EV_SUSPENDED
							      : EV_RESUMED,
					    .now = time(NULL),
					    .id = action->id },
		     "a turn");
	if (done && suspend)
		gap_stopped(b->conf->switch_gap);
	track = track_by_core(b, action->id);
	if (track && done)
		track->suspended = suspend;
	slices_turn(b, suspend, done);
	turned |= done;
	if (track && done && !suspend) {
		track->resumed = time(NULL);
		track->to_ask |=
			track->leaving; /* the signal may not have reached it in its last turn */
	}
	return done;
}

/*
 * Rows are switched: this turn and those that follow it at once, so that nodes are told one soon after the other. Called
 * and left with the mutex, which is given up between.
 * RET true: *action is one that has not been seen to
 */
static bool switch_rows(struct bridge *b, struct sched_action *action)
{
	struct metered metered;
	int64_t began;
	bool more = true, follows = true;

	pthread_mutex_unlock(&b->lock);
	if (action->type == ACT_RESUME)
		let_stop(b);
	metered_take(&metered, &turn_locks);
	bridge_lock_urgent(b);
	began = clock_us();
	while (more && is_turn(action) && !(action->type == ACT_RESUME && gap_left()) &&
	       clock_us() - began < TURNS_US) {
		follows = action->follows;
		/* the core computes nothing under locks: not after a refusal, nor after the last turn */
		more = switch_one(b, action) && follows && sched_next(b->core, action);
	}
	metered_give(&metered);
	if (!more || !is_turn(action))
		slices_switched(b);
	return more;
}

/* Run the core until it has nothing left to do.  With the mutex. */
static bool drain(struct bridge *b)
{
	struct sched_action action;
	struct track *track;
	bool any = false, more = false;

	b->wake = 0;
	gap_over();
	for (;;) {
		pending_finish(b);
		if (stopping || (!more && !sched_next(b->core, &action)))
			break;
		more = false;
		if (action.type != ACT_START)
			bridge_yield(b);
		switch (action.type) {
		case ACT_START:
			start_one(b, &action);
			any = true;
			break;
		case ACT_BROKEN:
		case ACT_MENDED:
			track = track_by_core(b, action.id);
			/* publish_collect() sees all tasks of a record, and what the guard is for. */
			/* What is late for others by its bound (reliance.h) may keep its own promise. */
			if (track && track->promised && !track->running &&
			    !(track->snap && track->snap->tasks))
				updates_promise(b, track, action.end > track->token.deadline,
						action.end);
			break;
		case ACT_WAKE:
			b->wake = action.end;
			break;
		case ACT_REFUSE: /* of one that waits: admissions take their own answers */
			if ((track = track_by_core(b, action.id)))
				track->rejected = true;
			break;
		case ACT_LEARNED:
			learned_note(b, &action);
			break;
		case ACT_ACCEPT:
		case ACT_SHARES: /* no answer is awaited */
			break;
		case ACT_POLICY:
			running_policy_switched(b, &action);
			break;
		case ACT_SUSPEND:
		case ACT_RESUME:
			more = switch_rows(b, &action);
			break;
		case ACT_MIGRATE:
			moves_note(b, action.id);
			break;
		case ACT_RESIZE:
			resizes_do(b, &action);
			break;
		case ACT_SHARE: /* none of this is done to Slurm's jobs yet */
			refuse(b, action.id);
			break;
		}
	}
	if (!stopping && *sched_error(b->core)) {
		error("%s: the pass is not over: %s", scheduler_type(), sched_error(b->core));
		b->wake = time(NULL) + 1;
	}
	return any;
}

/* Where jobs take turns the core asks for the end of this instant: then it is settled which ones run. */
static bool end_instant(struct bridge *b)
{
	bool any = false;

	for (int i = 0; b->slices && i < 3 && !stopping && b->wake && b->wake <= time(NULL); i++) {
		bridge_event(b, &(struct sched_event){ .type = EV_TIME, .now = time(NULL) },
			     "the end of an instant");
		any |= drain(b);
	}
	return any;
}

/* Jobs inside reservations: their nodes are out of all other jobs' reach in the plan. */
static bool start_inside(const struct snapshot *snap)
{
	bool any = false;

	for (size_t i = 0; i < snap->njobs && !stopping; i++) {
		struct snap_job *j = &snap->jobs[i];
		struct launch launch = {
			.job_id = j->job_id,
			.base_id = j->base_id,
			.print = j->print,
			.entries = j->entries,
			.nentries = j->nentries,
			.inside = true,
		};

		struct metered metered;

		if (j->state != SNAP_PENDING || !j->inside || j->held)
			continue;
		j->tried = true;
		do {
			nodeset_destroy(launch.nodes);
			metered_take(&metered, &launch_locks);
			launch_try(&launch);
			metered_give(&metered);
			any |= launch.started;
		} while (launch.started && j->tasks);
		nodeset_destroy(launch.nodes);
	}
	return any;
}

/* ---- the loop ---- */

/*
 * What sdiag shows of a scheduler's cycles; slurmctld's own fields for backfill, read
 * and reset by others under the jobs' lock.
 */
static void diagnose(const struct pass_cost *cost, size_t jobs, int64_t when)
{
	static const slurmctld_lock_t locks = { .job = WRITE_LOCK };
	diag_stats_t *diag = &slurmctld_diag_stats;
	struct metered metered;

	metered_take(&metered, &locks);
	diag->bf_when_last_cycle = when;
	diag->bf_queue_len = jobs;
	diag->bf_queue_len_sum += jobs;
	diag->bf_last_depth = diag->bf_last_depth_try = jobs;
	diag->bf_depth_sum += jobs;
	diag->bf_depth_try_sum += jobs;
	diag->bf_cycle_counter++;
	diag->bf_cycle_last = cost->total;
	diag->bf_cycle_sum += cost->total;
	if (cost->total > diag->bf_cycle_max)
		diag->bf_cycle_max = cost->total;
	metered_give(&metered);
}

static void load_past(struct bridge *b)
{
	struct timespec slice = { 0, FIRST_MS * 1000000L };

	unread = !learned_load(b);
	for (int left = b->ready ? 0 : PAST_MS; unread && left > 0 && !stopping; left -= FIRST_MS) {
		nanosleep(&slice, NULL);
		unread = !learned_load(b);
	}
}

/* RET when the snapshot was begun; 0: there was none, or another one is needed. */
static int64_t pass(struct bridge *b)
{
	struct pass_cost cost = { .total = -clock_us(), .work = -metered_work() };
	struct metered_sum held = metered_sum();
	struct publication *pub = NULL;
	struct last_plan *last = NULL;
	struct snapshot *snap;
	bool started = false;
	int64_t when, next = 0;
	size_t jobs;

	pending_lock(b);
	unconfirmed_collect(b);
	b->epoch++;
	pthread_mutex_unlock(&b->lock);
	resize_tend();
	snap = snapshot_take();
	if (snap && (resizes_take(snap) || moves_gone(snap))) {
		snapshot_destroy(snap);
		snap = snapshot_take();
	}
	if (!snap)
		return 0;
	when = snap->since;
	jobs = snap->njobs;
	looked_at = snap;
	sync_outside(b, snap);
	wind_down(snap);
	moves_give_up(b, snap);
	turned = false;
	started = start_inside(snap);
	running_policy_load(b);
	load_past(b);
	cost.planning = -clock_us();
	pending_lock(b);
	if (sync_apply(b, snap)) {
		bridge_yield(b);
		sync_reports(b, snap);
		bridge_event(b, &(struct sched_event){ .type = EV_TIME, .now = time(NULL) },
			     "time");
		failed_starts = 0;
		memset(failed, 0, sizeof(failed));
		recalled = refused = false;
		started |= drain(b);
		started |= end_instant(b);
		next = b->wake;
		moves_find(b, snap);
		moves_ask(b, snap);
		moves_wake(b, snap);
		resizes_wake(b, snap);
		bridge_yield(b);
		pub = publish_collect(b, snap);
		sync_forget(b);
		tally_report(b, false);
		slices_look(b, snap);
		last = last_plan_make(b, snap);
		recorder_rest(b);
		running_policy_note(b);
	}
	pthread_mutex_unlock(&b->lock);
	cost.planning += clock_us();
	repeats_tell(b, snap, next);
	last_plan_show(last, snap);
	publish_write(pub);
	running_policy_save(); /* its disk may take its time: what was told comes first */
	if (started)
		schedule_node_save();
	/* Of a switch, too: a controller that dies would count what a job was stopped for as time that it ran. */
	if (started || turned)
		schedule_job_save();
	cost.total += clock_us();
	cost.work += metered_work();
	cost.reading = metered_sum().reading - held.reading;
	cost.writing = metered_sum().writing - held.writing;
	meter_add(METER_PASS, cost.total);
	meter_add(METER_PASS_CPU, cost.work);
	meter_add(METER_PLANNING, cost.planning);
	meter_add(METER_SNAPSHOT, cost.reading);
	meter_add(METER_WRITING, cost.writing);
	diagnose(&cost, jobs, when);
	debug("%s: pass over %zu jobs: %" PRId64 " us, of these %" PRId64
	      " under locks to read, %" PRId64 " to write, planning %" PRId64,
	      scheduler_type(), jobs, cost.total, cost.reading, cost.writing, cost.planning);
	looked_at = NULL;
	return recalled ? 0 : when;
}

static bool stamps_moved(int64_t since)
{
	return last_job_update >= since || last_node_update >= since || last_part_update >= since ||
	       last_resv_update >= since;
}

/* Sleep for so many milliseconds; false: stop. */
static bool nap(int ms, bool *reread)
{
	while (ms > 0 && !stopping && !poke_came()) {
		struct timespec slice = { 0, (ms < SLICE_MS ? ms : SLICE_MS) * 1000000L };

		nanosleep(&slice, NULL);
		ms -= SLICE_MS;
	}
	*reread = poke_take();
	return !stopping;
}

/* Partitions have another OverTimeLimit, or another number of jobs that take turns. */
static bool is_other(const struct bridge *b, const struct conf_site *site)
{
	return site->ending != b->conf->ending ||
	       (site->parts.known && partitions_shape(&site->parts) != b->conf->shape);
}

/* After a reconfiguration everything is read again; after most changes of partitions only what they change. */
static void configure(struct bridge *b, bool reread)
{
	static const slurmctld_lock_t locks = { READ_LOCK, READ_LOCK, READ_LOCK, READ_LOCK,
						NO_LOCK };
	struct safety safety;
	struct metered metered;
	bool fit;

	metered_take(&metered, &locks);
	fit = builds_records();
	if (fit) {
		safety_look(&safety);
		munge_socket_use(safety.munge);
		state_file_use_dir(safety.state_dir);
	}
	metered_give(&metered);
	if (!fit)
		return;
	if (reread || is_other(b, &safety.site))
		configure_read(b, &safety);
	else
		configure_safety(b, &safety);
	partitions_free(&safety.site.parts);
	if (!reread)
		return;
	pthread_mutex_lock(&b->lock);
	tally_report(b, true);
	pthread_mutex_unlock(&b->lock);
}

/* Names in a new pact.conf that nothing has: told once, when all of slurmctld is there. */
static void tell_faults(void)
{
	static const slurmctld_lock_t locks = { NO_LOCK, NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK };
	struct faults faults;
	struct metered metered;

	if (!faults_untold())
		return;
	metered_take(&metered, &locks);
	faults_find(&faults);
	metered_give(&metered);
	faults_tell(&faults);
	faults_free(&faults);
}

/* Nothing is looked at or started from now on: a plan of before is worse than none. */
static void take_down(struct bridge *b)
{
	bridge_stale(b);
	last_plan_clear();
}

/* Slurm's records are not what they were taken for: Slurm's own scheduler goes on. */
static void give_way(struct bridge *b)
{
	take_down(b);
	grant_detach();
	(void)stand_in_start(scheduler_type());
}

static void *work(void *arg)
{
	struct bridge *b = arg;
	int64_t looked = 0;
	int64_t last = 0, took = 0, ended = clock_us();
	bool reread, off = false;

	while (nap(last || off ? PEEK_MS : FIRST_MS, &reread)) {
		int64_t now = time(NULL);
		bool switched = off == safety_scheduling();

		if (builds_unfit()) {
			give_way(b);
			continue;
		}

		/* a federation switches scheduling off and on without a word */
		if (reread || switched || last_part_update >= looked || now < looked) {
			off ^= switched;
			looked = now;
			configure(b, reread);
		}
		if (switched && off)
			take_down(b);
		if (!bridge_in_charge() || off || slurmctld_config.shutdown_time)
			continue;
		tell_faults();
		resize_keep();
		/* A slow pass is not repeated at once, or submissions would starve. */
		if (clock_us() - ended < 2 * took)
			continue;
		if (!reread && (b->ready || !b->core) && !stamps_moved(last) && !life_put_off() &&
		    !(now >= last + REPORTS_WAIT && reports_came()) &&
		    !((refused || unread) && now != last) && !(b->wake && b->wake <= now) &&
		    now < last + b->conf->plan_interval && now >= last)
			continue;
		took = clock_us();
		last = pass(b);
		ended = clock_us();
		took = ended - took;
	}
	return NULL;
}

bool agent_start(void)
{
	struct bridge *b = bridge_get();

	if (running)
		return false;
	stopping = false;
	(void)poke_take();
	/* What an earlier life as the controller in charge knew is out of date: build it anew. */
	pthread_mutex_lock(&b->lock);
	b->nodes = 0;
	b->nupdates = 0;
	pthread_mutex_unlock(&b->lock);
	life_begin();
	repeats_begin();
	wind_down_begin();
	resize_begin();
	running_policy_forget();
	if (RECONFIGURE_RESPAWNS)
		handover_take(b);
	if (pthread_create(&thread, NULL, work, b))
		return false;
	running = true;
	grant_attach();
	serve_start();
	pthread_mutex_lock(&b->lock);
	b->attached = true;
	pthread_mutex_unlock(&b->lock);
	return true;
}

/*
 * No submission is decided any more.  One without a record (--test-only) is told void now: to the next
 * process it would be a job that has vanished.
 */
static void settle(struct bridge *b)
{
	static const slurmctld_lock_t locks = { NO_LOCK, READ_LOCK, NO_LOCK, NO_LOCK, NO_LOCK };
	struct metered metered;

	if (builds_unfit())
		return;
	metered_take(&metered, &locks);
	bridge_lock_urgent(b);
	(void)unconfirmed_sweep(b, time(NULL));
	pthread_mutex_unlock(&b->lock);
	metered_give(&metered);
}

void agent_stop(void)
{
	struct bridge *b = bridge_get();
	char handover[HANDOVER_SIZE];

	if (!running)
		return;
	stopping = true;
	serve_stop();
	pthread_join(thread, NULL);
	reports_stop();
	running = false;
	grant_detach();
	last_plan_clear();
	settle(b);
	pthread_mutex_lock(&b->lock);
	tally_report(b, true);
	b->attached = b->ready = false;
	handover_tell(b, handover);
	recorder_forget();
	pthread_mutex_unlock(&b->lock);
	if (RECONFIGURE_RESPAWNS)
		handover_write(handover);
	recorder_stop();
	history_stop();
}
