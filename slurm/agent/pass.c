/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass.c - see pass.h */
#include "slurm/base/compat.h"

#include "slurm/agent/pass.h"
#include "slurm/acting/gap.h"
#include "slurm/acting/publish.h"
#include "slurm/acting/wind_down.h"
#include "slurm/agent/late_launches.h"
#include "slurm/agent/moves.h"
#include "slurm/agent/repeats.h"
#include "slurm/agent/resizes.h"
#include "slurm/agent/rows.h"
#include "slurm/agent/start.h"
#include "slurm/agent/warnings.h"
#include "slurm/records/give_back.h"
#include "slurm/base/clock.h"
#include "slurm/base/meter.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/builds.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/resizing/resize.h"
#include "slurm/state/core.h"
#include "slurm/state/last_plan.h"
#include "slurm/state/learned.h"
#include "slurm/state/recorder.h"
#include "slurm/state/running_policy.h"
#include "slurm/state/track.h"
#include "slurm/state/updates.h"
#include "slurm/sync/sync.h"
#include "slurm/sync/sync_reports.h"
#include "slurm/sync/sync_running.h"

/* Before the first plan what was learned earlier is waited for so long: else jobs would be refused for want of it. */
#define PAST_MS 3000
/* And looked for so often. */
#define LOOK_MS 5

/* What Slurm's side does not do yet. */
static void refuse(struct bridge *b, uint64_t core)
{
	bridge_event(b, &(struct sched_event){ .type = EV_REFUSED, .now = time(NULL), .id = core },
		     "nothing was done to a running job");
}

/* A promise is late, or no more. publish_collect() sees all tasks of a record, and what the guard is for. */
static void note_promise(struct bridge *b, const struct sched_action *action)
{
	struct track *track = track_by_core(b, action->id);

	/* What is late for others by its bound (reliance.h) may keep its own promise. */
	if (track && track->promised && !track->running && !(track->snap && track->snap->tasks))
		updates_promise(b, track, action->end > track->token.deadline, action->end);
}

/* Of one that waits: admissions take their own answers. */
static void note_refused(struct bridge *b, uint64_t core)
{
	struct track *track = track_by_core(b, core);

	if (track)
		track->rejected = true;
}

/*
 * What the core wants, or tells. With the mutex.
 * RET true: *action is another one, not seen to yet
 */
static bool act(struct pass *p, struct sched_action *action)
{
	struct bridge *b = p->b;

	switch (action->type) {
	case ACT_START:
		start_one(p, action);
		break;
	case ACT_BROKEN:
	case ACT_MENDED:
		note_promise(b, action);
		break;
	case ACT_WAKE:
		b->wake = action->end;
		break;
	case ACT_REFUSE:
		note_refused(b, action->id);
		break;
	case ACT_LEARNED:
		learned_note(b, action);
		break;
	case ACT_ACCEPT:
	case ACT_SHARES: /* no answer is awaited */
		break;
	case ACT_POLICY:
		running_policy_switched(b, action);
		break;
	case ACT_SUSPEND:
	case ACT_RESUME:
		return rows_switch(p, action);
	case ACT_MIGRATE:
		moves_note(b, action->id);
		break;
	case ACT_RESIZE:
		resizes_do(b, action);
		break;
	case ACT_SHARE: /* none of this is done to Slurm's jobs yet */
		refuse(b, action->id);
		break;
	}
	return false;
}

/*
 * Run the core until it has nothing left to do. With the mutex.
 * RET whether it had anything started
 */
static bool drain(struct pass *p)
{
	struct bridge *b = p->b;
	struct sched_action action;
	bool any = false, more = false;

	b->wake = 0;
	gap_over();
	for (;;) {
		pending_finish(b);
		if (*p->stopping || (!more && !sched_next(b->core, &action)))
			break;
		if (action.type == ACT_START)
			any = true;
		else
			bridge_yield(b);
		more = act(p, &action);
	}
	if (!*p->stopping && *sched_error(b->core)) {
		error("%s: the pass is not over: %s", scheduler_type(), sched_error(b->core));
		b->wake = time(NULL) + 1;
	}
	return any;
}

/* Where jobs take turns the core asks for the end of this instant: then it is settled which ones run. */
static bool end_instant(struct pass *p)
{
	struct bridge *b = p->b;
	bool any = false;

	for (int i = 0; b->slices && i < 3 && !*p->stopping && b->wake && b->wake <= time(NULL);
	     i++) {
		bridge_event(b, &(struct sched_event){ .type = EV_TIME, .now = time(NULL) },
			     "the end of an instant");
		any |= drain(p);
	}
	return any;
}

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

static void load_past(struct pass *p)
{
	struct timespec slice = { 0, LOOK_MS * 1000000L };

	p->unread = !learned_load(p->b);
	for (int left = p->b->ready ? 0 : PAST_MS; p->unread && left > 0 && !*p->stopping;
	     left -= LOOK_MS) {
		nanosleep(&slice, NULL);
		p->unread = !learned_load(p->b);
	}
}

/* RET Slurm's records as they are, with what a resize or a migration did a moment ago; NULL: not to be had. */
static struct snapshot *look(struct bridge *b)
{
	struct snapshot *snap;

	pending_lock(b);
	unconfirmed_collect(b);
	b->epoch++;
	pthread_mutex_unlock(&b->lock);
	resize_tend();
	if (builds_unfit())
		return NULL;
	snap = snapshot_take();
	if (!snap || !(resizes_take(snap) || moves_gone(snap)))
		return snap;
	snapshot_destroy(snap);
	return snapshot_take();
}

/* What is told when the mutex has been given up. */
struct told {
	struct publication *pub;
	struct last_plan *plan;
	int64_t next; /* when the core is to be asked again; 0: not known */
};

/*
 * The core learns what Slurm's records show, and is asked what to do; that is done. With the mutex, which is given up between.
 * RET whether anything was started
 */
static bool plan(struct pass *p, struct told *told)
{
	struct bridge *b = p->b;
	struct snapshot *snap = p->snap;
	bool started;

	if (!sync_apply(b, snap))
		return false;
	bridge_yield(b);
	sync_reports(b, snap);
	bridge_event(b, &(struct sched_event){ .type = EV_TIME, .now = time(NULL) }, "time");
	p->failed_starts = 0;
	memset(p->failed, 0, sizeof(p->failed));
	p->recalled = p->refused = false;
	started = drain(p);
	started |= end_instant(p);
	told->next = b->wake;
	moves_find(b, snap);
	moves_ask(b, snap);
	warnings_send(b, snap, told->next);
	late_launches_stop(b, snap);
	moves_wake(b, snap);
	resizes_wake(b, snap);
	bridge_yield(b);
	told->pub = publish_collect(b, snap);
	sync_forget(b);
	tally_report(b, false);
	slices_look(b, snap);
	told->plan = last_plan_make(b, snap);
	recorder_rest(b);
	running_policy_note(b);
	return started;
}

/* IN cost, held - as they were when the pass was begun, below zero, and under locks until then */
static void account(struct pass_cost *cost, const struct metered_sum *held, size_t jobs,
		    int64_t when)
{
	cost->total += clock_us();
	cost->work += metered_work();
	cost->reading = metered_sum().reading - held->reading;
	cost->writing = metered_sum().writing - held->writing;
	meter_add(METER_PASS, cost->total);
	meter_add(METER_PASS_CPU, cost->work);
	meter_add(METER_PLANNING, cost->planning);
	meter_add(METER_SNAPSHOT, cost->reading);
	meter_add(METER_WRITING, cost->writing);
	diagnose(cost, jobs, when);
	debug("%s: pass over %zu jobs: %" PRId64 " us, of these %" PRId64
	      " under locks to read, %" PRId64 " to write, planning %" PRId64,
	      scheduler_type(), jobs, cost->total, cost->reading, cost->writing, cost->planning);
}

int64_t pass_make(struct pass *p)
{
	struct pass_cost cost = { .total = -clock_us(), .work = -metered_work() };
	struct metered_sum held = metered_sum();
	struct bridge *b = p->b;
	struct snapshot *snap = look(b);
	struct told told = { 0 };
	bool started;
	int64_t when;
	size_t jobs;

	if (!snap)
		return 0;
	when = snap->since;
	jobs = snap->njobs;
	p->snap = snap;
	p->turned = false;
	sync_outside(b, snap);
	wind_down(snap);
	moves_give_up(b, snap);
	started = start_inside(p);
	running_policy_load(b);
	load_past(p);
	cost.planning = -clock_us();
	pending_lock(b);
	started |= plan(p, &told);
	pthread_mutex_unlock(&b->lock);
	cost.planning += clock_us();
	repeats_tell(b, snap, told.next);
	last_plan_show(told.plan, snap);
	publish_write(told.pub);
	running_policy_save(); /* its disk may take its time: what was told comes first */
	if (started)
		schedule_node_save();
	give_back_write();
	/* Of a switch, too: a controller that dies would count what a job was stopped for as time that it ran. */
	if (started || p->turned)
		schedule_job_save();
	account(&cost, &held, jobs, when);
	nodeset_destroy(p->promised);
	p->promised = NULL;
	p->snap = NULL;
	return p->recalled ? 0 : when;
}
